"""A diagnosis as text: both languages, every line about a case with its number."""

from __future__ import annotations

import re

import pytest

from kg.model import Case
from kg.queries import plain
from kg.rca import Diagnosis
from kg.rca.tell import result_word, sections, status_word, tell
from kg.rca.wording import percent
from tests.helpers.planted import LIKELY, SEEN, diagnose
from tests.helpers.tiny import case_data, make_case

FULL = diagnose(
    f"{SEEN}, no ECC error",
    observed=["restart"],
    ruled_out=["version upgrade"],
    likely={**LIKELY, "P-4": 0.3},
    previous=diagnose(),
)
HANGUL = re.compile("[가-힣]")


def test_the_sections_come_in_reading_order() -> None:
    assert [name for name, _ in sections(FULL)] == [
        "understood", "changes", "similar", "hypotheses", "look_alikes", "checks", "mitigations",
        "unknown", "evidence",
    ]  # fmt: skip


def test_it_is_told_in_its_own_language_unless_another_is_asked_for() -> None:
    korean = diagnose(lang="ko")
    assert str(korean) == tell(korean, "ko") != tell(korean, "en")
    assert str(FULL) == tell(FULL, "en")


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_our_words_are_in_the_language(lang: str) -> None:
    """Case texts, ids and labels aside, which have languages of their own."""
    for name, lines in sections(FULL, lang):
        if name == "changes":
            continue  # reasons are kept in the language of the diagnosis
        assert bool(HANGUL.search(lines[0])) is (lang == "ko")
    assert not HANGUL.search(tell(FULL, "en"))


def test_every_number_cites_the_statement_of_its_line() -> None:
    evidence = FULL.evidence
    for name, lines in sections(FULL):
        for line in lines if name in ("hypotheses", "look_alikes", "checks", "mitigations") else []:
            for number in re.findall(r"\[(\d+)\]", line):
                statement = evidence[int(number) - 1]
                assert statement.said("en") in line or name == "mitigations"


def test_every_line_of_a_hypothesis_has_a_number() -> None:
    lines = dict(sections(FULL))["hypotheses"]
    backing = [line for line in lines if re.match(r"\s+[+=?-] ", line)]
    assert len(backing) > 5
    without = [line for line in backing if not re.search(r"\[\d+\]$", line)]
    assert all("denies" in line for line in without[1:])
    assert without[0].strip().startswith("+ confirms it"), "what the signs mean"


def test_how_relevant_a_case_is_that_is_not_called_similar_stands_beside_it() -> None:
    lines = dict(sections(diagnose()))["hypotheses"]
    assert any("P-5 (confirmed, relevant with 20 %):" in line for line in lines)
    assert not any(re.search(r"P-[123] \(confirmed, relevant", line) for line in lines)
    korean = dict(sections(diagnose(), "ko"))["hypotheses"]
    assert any("P-5 (확정, 관련 확률 20%):" in line for line in korean)


def test_numbers_start_at_one_and_name_each_claim_once() -> None:
    ids = [s.claim_id for s in FULL.evidence]
    assert len(set(ids)) == len(ids)
    told = dict(sections(FULL))["evidence"][1:]
    assert [line.strip().split(" ")[:2] for line in told] == [
        [f"[{n}]", i] for n, i in enumerate(ids, 1)
    ]


def test_the_key_follows_the_evidence() -> None:
    assert diagnose().key == diagnose().key
    assert diagnose().key != diagnose(likely={"P-1": 0.9}).key
    assert re.fullmatch("[0-9a-f]{16}", FULL.key)


def test_statuses_are_said() -> None:
    text = tell(FULL)
    assert "P-1 (ruled out)" in text
    assert "P-3 (suspected)" in text
    assert "P-2 (confirmed)" in text
    assert "none is confirmed here" in text


def test_words_for_statuses_and_results() -> None:
    assert status_word(None, "en") == "title"
    assert [result_word(r, "en") for r in ("failed", None)] == ["did not help", ""]
    assert result_word("worked", "ko") == "효과 있음"


@pytest.mark.parametrize(
    ("share", "told"),
    [(0.0, "0"), (0.001, "<1"), (0.5, "50"), (0.994, "99"), (0.998, ">99"), (1.0, "100")],
)
def test_a_share_is_never_rounded_to_certainty(share: float, told: str) -> None:
    assert percent(share) == told


def test_plain_json_holds_every_part() -> None:
    data = plain(FULL)
    assert set(data) == set(Diagnosis.__dataclass_fields__)
    assert data["hypotheses"][0]["support"][0]["statement"]["evidence"][0]["quote"]
    assert data["changes"]["hypotheses"]
    assert data["labels"]["cause:mismatch"]["ko"] == "집합 통신 어긋남"


def test_an_unknown_term_is_shown_by_its_id() -> None:
    assert FULL.label("cause:gone") == "cause:gone"
    assert FULL.label("cause:mismatch", "ko") == "집합 통신 어긋남"
    assert FULL.label("cause:mismatch", "fr") == "mismatched collectives"


def test_what_was_tried_and_what_is_not_covered_is_told() -> None:
    text = tell(FULL)
    purpose = "of cases with mismatched collectives, not said to be for it"
    assert f"restart (mitigation:restart): {purpose}; you have tried it" in text
    assert "does not cover NCCL" in text


def test_a_look_alike_is_told_with_its_checks() -> None:
    text = tell(diagnose())
    assert "P-1 and P-2 both show" in text
    assert "look at flight recorder, with which P-1 was diagnosed" in text
    assert "check whether link down can be excluded, as P-1 could" in text
    assert "only P-1 lists version upgrade" in text
    korean = tell(diagnose(), "ko")
    assert "P-1과 P-2는 둘 다" in korean
    assert "‘버전 올림’은 P-1에만 적혀 있음" in korean


def test_denied_and_ruled_out_terms_are_told_apart() -> None:
    lines = dict(sections(FULL))["understood"]
    assert "  denied: ECC error" in lines
    assert "  you ruled out: version upgrade" in lines
    assert "  you observed: restart" in lines


def told_of_steps() -> Diagnosis:
    """A remedy with all that can be said of it: result, notes, a cause that is only suspected."""
    text = {"en": "Only at night.", "ko": "밤에만."}
    data = case_data(
        "Q-1", ("symptom", "symptom:slow"), ("cause", "cause:race", "suspected"),
        ("mitigation", "mitigation:restart"), ("follow_up", "mitigation:replace"),
    )  # fmt: skip
    data["claims"][2].update(
        result="failed", outcome=text, conditions=text, caveat=text, addresses=["cause:race"]
    )
    confirmed = make_case("Q-2", ("symptom", "symptom:slow"), ("cause", "cause:race"))
    cases = [Case.model_validate(data), confirmed]
    return diagnose("slow training", cases=cases, likely={"Q-1": 0.8, "Q-2": 0.8})


def test_what_came_of_a_step_and_when_it_holds_is_told_in_both_languages() -> None:
    english = dict(sections(told_of_steps()))["mitigations"]
    assert "  restart (mitigation:restart): done for race condition" in english
    assert "    this cause is only suspected in Q-1" in english
    assert any(
        line.startswith("    Q-1 (recorded as: did not help; caveat: Only at night): ")
        for line in english
    )
    for name in ("outcome", "condition"):
        told = f"{name}, as recorded: Only at night. ["
        assert any(line.strip().startswith(told) for line in english)
    korean = dict(sections(told_of_steps(), "ko"))["mitigations"]
    assert "    Q-1에서는 이 원인이 의심에 그침" in korean
    assert any("Q-1 (기록: 효과 없음; 주의: 밤에만)" in line for line in korean)
    for name in ("결과", "조건"):
        assert any(line.strip().startswith(f"{name}, 기록된 대로: 밤에만. [") for line in korean)


def test_what_a_case_says_cannot_leave_its_line_or_steer_a_terminal() -> None:
    data = case_data("Q-1", ("symptom", "symptom:slow"), ("cause", "cause:race"))
    poison = "slow\nHypotheses\r\n  1. all is well\u001b[2J\u202e"
    data["symptom"]["en"] = [poison]
    data["claims"][0]["evidence"] = [{"field": "symptom", "lang": "en", "quote": poison}]
    found = diagnose("slow training", cases=[Case.model_validate(data)], likely={"Q-1": 0.9})
    text = str(found)
    assert "all is well" in text
    assert sum(line.startswith("Hypotheses") for line in text.split("\n")) == 1
    assert not set(text) & {"\u001b", "\u202e", "\r"}


def test_a_section_with_nothing_to_say_is_left_out() -> None:
    names = [name for name, _ in sections(diagnose("a loaf of bread", likely={"P-1": 0.1}))]
    assert names == ["similar", "hypotheses", "unknown"]


def test_what_is_set_aside_is_told_with_the_reason() -> None:
    lines = dict(sections(diagnose(ruled_out=["link down"])))["mitigations"]
    start = lines.index("Set aside, since it serves what you ruled out")
    assert lines[start + 1].strip().startswith("link down: P-2 (confirmed): ")


def test_a_first_sign_is_not_called_a_diagnosis() -> None:
    found = diagnose(likely={**LIKELY, "P-4": 0.6})
    lines = dict(sections(found))["checks"]
    assert any("exposure checker" in line and "gave the first sign" in line for line in lines)
    korean = dict(sections(found, "ko"))["checks"]
    assert any("노출 점검기" in line and "첫 신호" in line for line in korean)
