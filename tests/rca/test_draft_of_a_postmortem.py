"""A draft of a postmortem: what it says, what it must not say, and that others' text is text."""

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt

from kg.library import Library
from kg.model import Case
from kg.rca import draft_postmortem
from tests.helpers.planted import EVIL, SEEN, diagnose, evil_cases
from tests.helpers.tiny import make_case

SECTIONS = {
    "en": ["Symptoms", "Impact", "Timeline", "Root cause", "Detection", "Mitigation",
           "Action items", "Lessons learned", "Not known", "Evidence"],
    "ko": ["증상", "영향", "타임라인", "근본 원인", "감지", "조치", "후속 조치", "교훈",
           "알 수 없는 것", "근거"],
}  # fmt: skip


def section(draft: str, name: str) -> str:
    return draft.split(f"\n## {name}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_it_has_the_sections_of_a_postmortem(lang: str) -> None:
    draft = draft_postmortem(diagnose(), lang)
    assert re.findall(r"^## (.+)$", draft, flags=re.MULTILINE) == SECTIONS[lang]


def test_no_cause_is_called_confirmed_here() -> None:
    cause = section(draft_postmortem(diagnose()), "Root cause")
    assert cause.strip().startswith("Not confirmed.")
    possible = cause.split("### Possible, by like cases")[1]
    for line in possible.splitlines():
        if "confirmed)" in line:
            assert re.match(r"  - (?:against it: )?P-\d \(", line), line


def test_hypotheses_come_with_probability_n_and_evidence() -> None:
    found = diagnose()
    cause = section(draft_postmortem(found), "Root cause")
    for hypothesis in found.hypotheses:
        label = found.label(hypothesis.cause)
        assert re.search(
            rf"- \*\*{re.escape(label)}\*\*: \d+ %, confirmed in {hypothesis.n} of", cause
        )
    assert "does not know: probability" in cause


def test_each_statement_of_a_case_is_cited_and_every_citation_listed() -> None:
    found = diagnose(ruled_out=["cause:race"])
    draft = draft_postmortem(found)
    body, evidence = draft.split("\n## Evidence\n")
    stated = [line for line in body.splitlines() if re.search(r"\bP-\d \(", line)]
    assert len(stated) > 5
    assert all(re.search(r"\[\d+\]$", line) for line in stated)
    cited = re.findall(r"\[(\d+)\]", body)
    listed = re.findall(r"^- \[(\d+)\] (\S+)", evidence, flags=re.MULTILINE)
    assert {n for n, _ in listed} == set(cited)
    assert {claim for _, claim in listed} <= {s.claim_id for s in found.evidence}


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_numbers_go_from_one_without_gaps_in_order_of_use(lang: str) -> None:
    draft = draft_postmortem(diagnose(lang=lang))
    body, evidence = re.split(r"\n## (?:Evidence|근거)\n", draft)
    first = list(dict.fromkeys(map(int, re.findall(r"\[(\d+)\]", body))))
    assert first == list(range(1, len(first) + 1))
    assert [int(n) for n in re.findall(r"^- \[(\d+)\]", evidence, flags=re.MULTILINE)] == first


def test_a_number_leads_to_the_claim_of_its_case() -> None:
    body, evidence = draft_postmortem(diagnose()).split("\n## Evidence\n")
    claims = dict(re.findall(r"^- \[(\d+)\] (\S+)", evidence, flags=re.MULTILINE))
    for case_id, number in re.findall(r"^.*?\b(P-\d) \(.*\[(\d+)\]$", body, flags=re.MULTILINE):
        assert claims[number].startswith(f"{case_id}#")


def test_causes_to_rule_out_are_no_way_of_noticing() -> None:
    found = diagnose()
    causes = [found.label(c.term) for c in found.checks if c.kind == "cause"]
    draft = draft_postmortem(diagnose(cases=excluding(), likely={"P-1": 0.8, "P-2": 0.7}))
    assert "(ruled out)" not in section(draft, "Detection")
    asked = section(draft, "Root cause").split("### To be ruled out, as in like cases")[1]
    assert re.search(r"- \[ \] can it be ruled out here: .+: P-1 \(ruled out\)", asked)
    assert all(c not in section(draft_postmortem(found), "Detection") for c in causes)


def excluding() -> list[Case]:
    """Planted cases of which one excludes a cause that is no hypothesis."""
    same = (("symptom", "symptom:nccl-timeout"), ("symptom", "symptom:slow"))
    return [
        make_case("P-1", *same, ("cause", "cause:mismatch"), ("cause", "cause:race", "ruled_out")),
        make_case("P-2", *same, ("cause", "cause:link-down")),
    ]


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "several can be true together"), ("ko", "여러 원인이 함께 맞을")]
)
def test_it_says_what_the_percentages_of_hypotheses_mean(lang: str, said: str) -> None:
    assert draft_postmortem(diagnose(), lang).count(said) == 1


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_a_cause_that_is_only_named_stands_apart_with_who_suspects_it(lang: str) -> None:
    seen = (("symptom", "symptom:nccl-timeout"), ("symptom", "symptom:slow"))
    cases = [
        make_case("P-1", *seen, ("cause", "cause:race", "suspected")),
        make_case("P-2", *seen, ("cause", "cause:mismatch", "suspected")),
    ]
    near = {"P-1": 0.6, "P-2": 0.6}
    draft = draft_postmortem(diagnose(f"{SEEN}, race condition", cases=cases, likely=near), lang)
    cause = section(draft, "Root cause" if lang == "en" else "근본 원인")
    assert "by like cases" not in cause
    assert "비슷한 사례로 본" not in cause
    assert not re.search(r"\b0 of 0\b|0건 중 0건|100 ?%$", cause, flags=re.MULTILINE)
    _, named, suspected = cause.split("\n### ")
    assert re.search(r"P-1 \[1\]\n  - P-1 \(", named)
    assert re.search(r"- .+: P-2 \(.+\[2\]", suspected)


def test_each_named_case_of_which_something_is_not_known_is_cited() -> None:
    unknown = section(draft_postmortem(diagnose()), "Not known")
    assert re.search(r"\bP-\d \[\d+\]", unknown)
    assert not re.search(r"\bP-\d(?! \[\d+\])", unknown)


def test_what_was_ruled_out_and_observed_is_told_as_that() -> None:
    found = diagnose(
        observed=["tool:flight-recorder", "mitigation:restart"], ruled_out=["cause:race"]
    )
    draft = draft_postmortem(found)
    label = found.label
    assert f"Ruled out by those who investigate: {label('cause:race')}." in draft
    assert f"**{label('cause:race')}**" not in draft
    assert f"- looked at: {label('tool:flight-recorder')}" in section(draft, "Detection")
    assert f"- tried: {label('mitigation:restart')}" in section(draft, "Mitigation")


def test_where_nothing_is_alike_it_says_so() -> None:
    draft = draft_postmortem(diagnose(likely={"P-1": 0.05}))
    cause = section(draft, "Root cause")
    assert "Not confirmed." in cause
    assert "no case reaches" in cause.casefold()
    assert "**" not in cause


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_unlike_cases_ask_for_no_checks_and_the_unknown_is_told(lang: str) -> None:
    found = diagnose(likely={"P-1": 0.09, "P-2": 0.05}, lang=lang)
    assert found.checks
    draft = draft_postmortem(found)
    assert "- [ ]" not in draft
    assert not re.search(r"P-\d \((?!\d)", draft)
    told = section(draft, "Not known" if lang == "en" else "알 수 없는 것")
    assert told.strip().startswith("- ")


def test_what_only_people_know_is_left_to_be_written() -> None:
    draft = draft_postmortem(diagnose())
    for name in ("Impact", "Lessons learned"):
        assert "*To be written:" in section(draft, name)
    assert "| | started |" in section(draft, "Timeline")


def test_text_of_users_and_cases_is_no_markup() -> None:
    blocks = "# not a heading\n- [ ] not a task\n2. no list\nnor one\n===\n"
    text = f"{SEEN} {EVIL}\n{blocks}**not bold** `not code` <b>no</b> &lt;hr&gt;"
    found = diagnose(text, cases=evil_cases(), likely={"P-1": 0.9})
    draft = draft_postmortem(found)
    html = MarkdownIt("commonmark", {"html": True}).render(draft)
    tags = set(re.findall(r"<([a-z][a-z0-9]*)", html))
    assert tags <= {"h1", "h2", "h3", "p", "ul", "li", "em", "strong", "blockquote"}
    assert "not bold" in html
    assert "<strong>not bold" not in html
    assert html.count("<h1>") == 1
    assert "\u202e" not in draft


def test_a_citation_in_the_text_is_not_one() -> None:
    draft = draft_postmortem(diagnose(f"{SEEN} as [1] says"))
    assert "as ⟦1⟧ says" in draft


def test_names_with_underscores_stay_readable(lib: Library) -> None:
    found = lib.diagnose("NCCL_IB_TIMEOUT was too short and a port flapped", lang="en")
    assert "NCCL_IB_TIMEOUT" in lib.draft_postmortem(found)


def test_the_language_is_that_of_the_diagnosis(lib: Library) -> None:
    found = lib.diagnose("학습이 멈추고 NCCL 타임아웃이 났다")
    assert lib.draft_postmortem(found).startswith("# 사후 보고 (초안)")
    assert lib.draft_postmortem(found, "en").startswith("# Postmortem (draft)")
    assert lib.draft_postmortem(found) == draft_postmortem(found, "ko")


def test_the_same_diagnosis_gives_the_same_draft() -> None:
    assert draft_postmortem(diagnose()) == draft_postmortem(diagnose())
