"""What a diagnosis does not know is said; where it knows too little it does not guess."""

from __future__ import annotations

import pytest

from kg.rca import Diagnosis
from kg.rca.diagnosis import Abstention, Unknown
from kg.rca.make import SURE, UNSURE
from kg.rca.statements import Statements
from kg.rca.unknowns import FLOOR, NOVEL, unknowns
from kg.rca.wording import abstention_text, unknown_text
from tests.helpers.planted import (
    LIKELY,
    PLANTED_VOCABULARY,
    SEEN,
    diagnose,
    planted_cases,
)
from tests.helpers.tiny import make_case, term, tiny_vocabulary


def unknown(found: Diagnosis, kind: str) -> list[Unknown]:
    return [u for u in found.unknown if u.kind == kind]


def reason(found: Diagnosis) -> str | None:
    return found.abstention.reason if found.abstention else None


def test_few_cases_behind_the_first_hypothesis_are_said() -> None:
    found = diagnose()
    (few,) = unknown(found, "few_cases")
    assert few.about == found.hypotheses[0].cause
    assert (few.n, few.cases) == (1, ("P-1",))
    assert few.text == "Few cases: mismatched collectives rests on 1 incident (P-1)."


def test_only_incidents_are_named_as_those_few() -> None:
    cases = [c for c in planted_cases() if c.id in ("P-2", "P-5")]
    (few,) = unknown(diagnose(cases=cases, likely={"P-2": 0.8, "P-5": 0.8}), "few_cases")
    assert (few.n, few.cases) == (1, ("P-2",))


def test_enough_cases_are_not() -> None:
    cases = [
        make_case(f"Q-{n}", ("symptom", "symptom:slow"), ("cause", "cause:race"))
        for n in range(FLOOR)
    ]
    found = diagnose("slow training", cases=cases, likely={c.id: 0.8 for c in cases})
    assert found.hypotheses[0].n == FLOOR
    assert unknown(found, "few_cases") == []


def test_causes_that_were_never_confirmed_are_said() -> None:
    (open_,) = unknown(diagnose(), "unconfirmed")
    assert (open_.n, open_.of, open_.cases) == (1, 3, ("P-3",))


def test_what_similar_cases_do_not_state_is_said_field_by_field() -> None:
    told = {u.about: u.cases for u in unknown(diagnose(), "not_stated")}
    assert told == {
        "trigger": ("P-2", "P-3"),
        "detection": ("P-3",),
        "time_to_recover": ("P-1", "P-2", "P-3"),
    }


def test_a_field_without_text_is_stated_where_a_claim_stands_elsewhere() -> None:
    data = make_case("Q-1", ("symptom", "symptom:slow")).model_dump(mode="json")
    data["claims"].append(
        {
            "kind": "cause", "terms": ["cause:race"], "role": "primary",
            "evidence": [{"field": "symptom", "lang": "en", "quote": "symptom:slow"}],
        }
    )  # fmt: skip
    case = type(make_case("Q-1")).model_validate(data)
    assert case.cause is None
    found = diagnose("slow training", cases=[case], likely={"Q-1": 0.8})
    assert "cause" not in {u.about for u in unknown(found, "not_stated")}


def test_a_symptom_that_no_case_shows_is_named() -> None:
    alone = [c for c in planted_cases() if c.id == "P-3"]
    found = diagnose("NCCL timeout", cases=alone, observed=["slow training"], likely={"P-3": 0.8})
    (odd,) = unknown(found, "unexplained")
    assert (odd.about, odd.text) == (
        "symptom:slow",
        "No case looked at has slow training among its symptoms, nor names it.",
    )
    assert unknown(diagnose(), "unexplained") == []


def test_reports_on_many_events_are_not_counted_and_that_is_said() -> None:
    (others,) = unknown(diagnose(), "not_incidents")
    assert others.cases == ("P-5",)
    assert unknown(diagnose(likely={"P-1": 0.8}), "not_incidents") == []


def test_a_cause_that_nobody_has_seen_is_thought_of() -> None:
    found = diagnose()
    args = (
        PLANTED_VOCABULARY, Statements({c.id: c for c in planted_cases()}),
        {c.id: c for c in planted_cases()}, found.near, found.hypotheses, found.understood,
    )  # fmt: skip
    told = {n: [u.n for u in unknowns(*args, n, "en") if u.kind == "new_cause"] for n in (0.2, 0.7)}
    assert told == {0.2: [], 0.7: [70]}
    assert 0.2 < NOVEL <= 0.7
    assert 0 <= found.novelty <= 1


def test_nothing_similar_is_no_ground_for_a_guess() -> None:
    found = diagnose(likely={"P-1": 0.3})
    assert reason(found) == "nothing_similar"
    assert found.hypotheses == found.suspicions == found.look_alikes == ()
    assert found.understood.seen, "what was understood is still told"
    assert (
        "No case reaches the line of 40 % to be called similar. The nearest is P-1 (30 %)."
        in str(found)
    )
    assert "Nothing in this library" not in str(found), "there are near cases"
    assert found.abstention is not None
    assert found.abstention.nearest == (("P-1", 0.3),)


def test_words_alone_are_none_unless_they_are_very_sure() -> None:
    assert reason(diagnose("a loaf of bread", likely={"P-1": SURE - 0.01})) == "no_terms"
    assert reason(diagnose("a loaf of bread", likely={"P-1": SURE})) is None
    assert unknown(diagnose("a loaf of bread", likely={"P-1": SURE}), "no_terms")


def test_an_observed_term_is_ground_enough() -> None:
    found = diagnose("a loaf of bread", likely={"P-1": 0.5}, observed=["slow training"])
    assert reason(found) is None


def test_cases_without_a_confirmed_cause_give_no_hypothesis_but_what_they_did() -> None:
    cases = [c for c in planted_cases() if c.id == "P-3"]
    found = diagnose("NCCL timeout", cases=cases, likely={"P-3": 0.9})
    assert reason(found) == "no_cause"
    assert [s.case_id for s in found.suspicions] == ["P-3"]
    assert [r.term for r in found.mitigations] == ["mitigation:restart"]


def test_when_every_cause_of_the_like_cases_is_ruled_out_that_is_said() -> None:
    cases = [c for c in planted_cases() if c.id in ("P-2", "P-3")]
    found = diagnose(cases=cases, likely={"P-2": 0.8, "P-3": 0.7}, ruled_out=["link down"])
    assert reason(found) == "all_ruled_out"
    assert found.hypotheses == ()


def test_an_unlikely_best_guess_is_not_made() -> None:
    causes = [term(f"cause:odd-{n}", f"odd cause {n}") for n in range(20)]
    cases = [
        make_case(f"Q-{n}", ("symptom", "symptom:slow"), ("cause", cause.id))
        for n, cause in enumerate(causes)
    ]
    found = diagnose(
        "slow training",
        cases=cases,
        vocabulary=tiny_vocabulary(*causes),
        likely={c.id: 0.8 for c in cases},
    )
    assert found.abstention is not None
    assert found.abstention.reason == "too_unsure"
    assert 0 < found.abstention.probability < UNSURE
    assert found.hypotheses == ()
    assert "the likeliest cause has a probability of only" in str(found)


def test_a_report_with_many_causes_of_which_none_is_likely_gives_no_hypothesis() -> None:
    causes = [term(f"cause:odd-{n}", f"odd cause {n}") for n in range(9)]
    claims = [("cause", cause.id) for cause in causes]
    report = make_case("Q-1", ("symptom", "symptom:slow"), *claims, kind="series")
    found = diagnose(
        "slow training",
        cases=[report],
        vocabulary=tiny_vocabulary(*causes),
        likely={"Q-1": 0.9},
    )
    assert reason(found) == "too_unsure"
    assert found.hypotheses == ()


@pytest.mark.parametrize(
    "kind",
    ["nothing_similar", "no_terms", "no_cause", "all_ruled_out", "too_unsure"],
)
def test_each_reason_has_a_sentence_in_both_languages(kind: str) -> None:
    en, ko = (abstention_text(Abstention(kind, 0.07), lang) for lang in ("en", "ko"))
    assert en.startswith("No hypothesis:")
    assert ko.startswith("가설을 내지 않습니다.")


@pytest.mark.parametrize(
    "kind",
    ["few_cases", "only_reports", "no_case", "unconfirmed",
     "not_stated", "unexplained", "not_incidents", "no_terms",
     "new_cause"],
)  # fmt: skip
def test_each_unknown_has_a_sentence_in_both_languages(kind: str) -> None:
    u = Unknown(kind, "cause", 2, 3, ("P-1", "P-2"))
    en, ko = unknown_text(u, "en", "slow training"), unknown_text(u, "ko", "느린 학습")
    assert en.isascii()
    assert en.endswith(".")
    assert any("가" <= c <= "힣" for c in ko)


def test_long_rows_of_cases_are_cut_and_counted() -> None:
    many = Unknown("unconfirmed", "cause", 9, 9, tuple(f"Q-{n}" for n in range(9)))
    assert unknown_text(many, "en").endswith("Q-5, 3 more.")
    assert unknown_text(many, "ko").endswith("Q-5, 그 밖에 3건.")


def test_what_is_not_known_is_told_in_the_language_of_the_answer() -> None:
    found = diagnose(SEEN, lang="ko", likely=LIKELY)
    assert all(any("가" <= c <= "힣" for c in u.text) for u in found.unknown)
