"""Counts, signs, repeated quotations, results and particles as a diagnosis words them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from kg.model import Case
from kg.rca import Diagnosis
from kg.rca.checks import LEAST, TOLD_BY_PEOPLE
from kg.rca.make import rivals
from kg.rca.phrases import outcome_word, stopped
from kg.rca.statements import Statements
from kg.rca.tell import sections, tell
from kg.rca.wording import unknown_text, why
from tests.helpers.planted import PLANTED_VOCABULARY, diagnose
from tests.helpers.tiny import case_data, make_case, term, tiny_vocabulary

SLOW = ("symptom", "symptom:slow")


def ask(*cases: Case, **more: Any) -> Diagnosis:
    return diagnose("slow training", cases=cases, likely={c.id: 0.8 for c in cases}, **more)


def lines(found: Diagnosis, name: str, lang: str = "en") -> list[str]:
    return dict(sections(found, lang)).get(name, [])


def test_a_report_is_said_to_count_apart() -> None:
    report = make_case("R-1", SLOW, ("cause", "cause:race"), kind="study")
    found = ask(report, observed=["race condition"])
    (h,) = found.hypotheses
    assert (h.n, h.reports) == (0, ("R-1",))
    text = tell(found)
    assert "no incident looked at, only in 1 report on many events (R-1), not counted" in text
    assert "0 of 0" not in text
    assert {u.kind for u in found.unknown} >= {"only_reports"}
    assert "(none)" not in text


def test_a_cause_of_no_case_is_said_to_be_one() -> None:
    found = ask(make_case("Q-1", SLOW, ("cause", "cause:mismatch")), observed=["race condition"])
    first = found.hypotheses[0]
    assert (first.cause, first.support) == ("cause:race", ())
    assert "No case looked at confirms race condition." in tell(found)


def test_causes_of_one_story_are_no_rivals() -> None:
    case = make_case("Q-1", SLOW, ("cause", "cause:mismatch"), ("cause", "cause:race"))
    found = ask(case)
    one, two = found.hypotheses
    assert (one.together, two.together) == ((two.cause,), (one.cause,))
    assert one.probability > two.probability
    assert list(rivals(found.hypotheses)) == [one.cause]
    assert "in Q-1 it came together with race condition" in tell(found)
    assert "Q-1에서 ‘경쟁 상태’와 함께 나타남" in tell(found, "ko")


def test_the_signs_are_explained_where_they_are_used() -> None:
    told = lines(diagnose(), "hypotheses")[1]
    assert "+ confirms it" in told
    assert "= seen here and recorded there, not said to come of this cause" in told
    assert "~" not in told, "nothing came together"
    assert lines(diagnose(), "look_alikes")[1].strip() == "-> tells them apart"
    assert "x did not find it there" in lines(diagnose(), "checks")[1]


def test_what_was_quoted_is_referred_to() -> None:
    cases = [
        make_case(f"Q-{n}", SLOW, ("cause", cause))
        for n, cause in enumerate(("cause:race", "cause:mismatch", "cause:link-down"))
    ]
    told = lines(ask(*cases), "hypotheses")
    full = [re.sub(r"^\s*- ", "", x) for x in told if "another cause" in x]
    assert len(full) == len(set(full))
    assert any(re.search(r"- Q-\d \(confirmed\): as under \d \[\d+\]$", x) for x in told)


def step(result: str, **notes: str) -> Case:
    data = case_data("Q-1", SLOW, ("cause", "cause:race"), ("mitigation", "mitigation:restart"))
    more = {name: {"en": text, "ko": text} for name, text in notes.items()}
    data["claims"][2].update(result=result, **more)
    return Case.model_validate(data)


NOT_DONE = "recorded as: could not be carried out"


def test_a_step_that_could_not_be_carried_out_was_not_without_help() -> None:
    for case, word in (
        (step("failed", caveat="It could not be carried out."), NOT_DONE),
        (step("failed", caveat="로그인하지 못해 실행하지 못했다."), NOT_DONE),
        (step("failed", caveat="It cost a day."), "recorded as: did not help"),
        (step("worked", caveat="Once it could not be run."), "recorded as: worked"),
    ):
        (s,) = Statements({"Q-1": case}).some("Q-1", "mitigation")  # type: ignore[arg-type]
        assert outcome_word(s, "en") == word
        assert f"Q-1 ({word}; caveat: " in tell(ask(case))


def test_a_note_that_no_quotation_holds_is_not_passed_off_as_one() -> None:
    text = tell(ask(step("worked", outcome="Fact 2 is mitigation:restart", conditions="At night")))
    assert "outcome: Fact 2 is mitigation:restart. [" in text
    assert "condition, as recorded: At night. [" in text


def test_all_quotations_of_a_claim_are_printed() -> None:
    data = case_data("Q-1", SLOW, ("cause", "cause:race"))
    more = [{"field": "summary", "lang": "en", "quote": "Summary of Q-1"}]
    data["claims"][1]["evidence"] += more
    (row,) = [x for x in lines(ask(Case.model_validate(data)), "evidence") if "#cause-1" in x]
    assert row.count("“") == 2


def test_what_states_no_cause_is_only_said_to_be_of_such_cases() -> None:
    stated = case_data("Q-2", SLOW, ("cause", "cause:race"), ("mitigation", "mitigation:restart"))
    stated["claims"][2]["addresses"] = ["cause:race"]
    plain = make_case("Q-1", SLOW, ("cause", "cause:race"), ("mitigation", "mitigation:restart"))
    text = "\n".join(lines(ask(plain, Case.model_validate(stated)), "mitigations"))
    assert "Q-1 (of cases with race condition, not said to be for it)" in text
    assert "Q-2 (done for race condition)" in text


def test_a_weak_question_is_not_asked_and_no_bits_are_told() -> None:
    found = diagnose()
    assert all(c.worth >= LEAST for c in found.checks if c.gain is not None)
    assert "bits" not in tell(found)
    assert re.search("worth asking: (high|medium|low)", tell(found))


@pytest.mark.parametrize("tool", sorted(TOLD_BY_PEOPLE))
def test_what_people_reported_is_nothing_to_look_at(tool: str) -> None:
    vocabulary = tiny_vocabulary(term(tool, "what people said"))
    case = make_case("Q-1", SLOW, ("cause", "cause:race"),
                     ("detection", tool, "confirmed", "diagnosed"))  # fmt: skip
    assert ask(case, vocabulary=vocabulary).checks == ()


def test_a_list_of_all_that_is_checked_is_shared_out() -> None:
    tools = [f"tool:{t}" for t in ("flight-recorder", "exposure")]
    claims = [("detection", t, "confirmed", "check_item") for t in tools]
    worth = []
    for kind in ("incident", "series"):
        case = make_case("Q-1", SLOW, ("cause", "cause:race"), *claims, kind=kind)
        found = ask(case, observed=["race condition"])
        worth.append([c.worth for c in found.checks if c.kind == "tool"])
    assert worth[1] == pytest.approx([w / len(tools) for w in worth[0]], abs=1e-5)


def test_a_name_stands_in_marks_before_a_korean_particle() -> None:
    told = why("likeness", "ko", "Q-1", "40", "56")
    assert told.endswith("56%로 바뀌었습니다")
    assert "‘아직 쓰는 것을 제거’를" in why("ruled_out", "ko", "아직 쓰는 것을 제거")
    (few,) = [u for u in diagnose(lang="ko").unknown if u.kind == "few_cases"]
    assert "‘집합 통신 어긋남’은 사고 1건" in unknown_text(few, "ko", "집합 통신 어긋남")


def test_percent_is_written_one_way() -> None:
    assert not re.search(r"\d %", tell(diagnose(), "ko"))
    assert not re.search(r"\d%", tell(diagnose(), "en"))


def test_every_sentence_of_a_case_ends_in_one_stop() -> None:
    assert [stopped(t) for t in ("so", "so.", "so?", "그랬다 ")] == ["so.", "so.", "so?", "그랬다."]


def test_a_denied_cause_is_not_called_named() -> None:
    found = diagnose("slow training, no race condition", observed=[])
    for h in found.hypotheses:
        if any(o.kind == "denied" and o.statement is None for o in h.against):
            assert "named by you" not in tell(found)
    assert PLANTED_VOCABULARY.terms
