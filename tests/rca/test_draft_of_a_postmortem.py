"""A draft of a postmortem: what it says, what it must not say, and that others' text is text."""

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt

from kg.library import Library
from kg.rca import draft_postmortem
from tests.helpers.planted import EVIL, SEEN, diagnose, evil_cases

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
    cited = set(re.findall(r"\[(\d+)\]$", body, flags=re.MULTILINE))
    listed = re.findall(r"^- \[(\d+)\] (\S+)", evidence, flags=re.MULTILINE)
    assert {n for n, _ in listed} == cited
    for number, claim in listed:
        assert found.evidence[int(number) - 1].claim_id == claim


def test_its_numbers_are_those_of_the_prompt() -> None:
    found = diagnose()
    evidence = draft_postmortem(found).split("\n## Evidence\n")[1]
    for number, claim in re.findall(r"^- \[(\d+)\] (\S+)", evidence, flags=re.MULTILINE):
        assert found.evidence[int(number) - 1].claim_id == claim


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
