"""Hypotheses rest on confirmed claims of like cases, and say what speaks against them."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.model import Case, Status
from kg.rca import CausePrediction, Diagnosis
from kg.rca.beliefs import AT_LEAST
from kg.rca.diagnosis import Hypothesis
from kg.rca.facts import resolve_facts, understand
from kg.rca.hypotheses import DENIED, LEAST, MOST, guesses_of
from kg.rca.statements import Statements
from kg.vocab import Tag
from tests.helpers import twins
from tests.helpers.planted import (
    LIKELY,
    PLANTED_VOCABULARY,
    SEEN,
    diagnose,
    planted_cases,
)
from tests.helpers.tiny import make_case

CAUSES = sorted(t for t in PLANTED_VOCABULARY.terms if t.startswith("cause:"))


def hypothesis(found: Diagnosis, cause: str) -> Hypothesis:
    return next(h for h in found.hypotheses if h.cause == cause)


def claims_of(case: Case, status: Status) -> set[str]:
    return {t for c in case.claims if c.kind == "cause" and c.status is status for t in c.terms}


def test_both_causes_of_the_like_cases_are_hypotheses() -> None:
    found = diagnose()
    assert {h.cause for h in found.hypotheses} == {"cause:mismatch", "cause:link-down"}
    probabilities = [h.probability for h in found.hypotheses]
    assert probabilities == sorted(probabilities, reverse=True)


def test_support_is_the_confirmed_claim_of_a_case_looked_at() -> None:
    found = diagnose()
    for h in found.hypotheses:
        assert h.support
        for s in h.support:
            assert s.statement.status is Status.CONFIRMED
            assert s.statement.kind == "cause"
            assert h.cause in s.statement.terms
            assert s.statement.case_id in {n.case_id for n in found.near}


def test_studies_are_quoted_but_not_counted() -> None:
    link = hypothesis(diagnose(), "cause:link-down")
    assert {s.statement.case_id for s in link.support} == {"P-2", "P-5"}
    assert (link.n, link.of) == (1, 2)


def test_a_like_case_that_excludes_the_cause_speaks_against_it() -> None:
    link = hypothesis(diagnose(), "cause:link-down")
    (excluded,) = [o for o in link.against if o.kind == "ruled_out"]
    assert excluded.statement is not None
    assert excluded.statement.case_id == "P-1"
    assert excluded.statement.status is Status.RULED_OUT


def test_so_does_a_case_that_excludes_a_broader_cause() -> None:
    cases = [
        make_case("Q-1", ("symptom", "symptom:slow"), ("cause", "cause:ecc-error")),
        make_case("Q-2", ("symptom", "symptom:slow"), ("cause", "cause:hardware", "ruled_out")),
        make_case("Q-3", ("symptom", "symptom:slow"), ("cause", "cause:gpu-fault")),
        make_case("Q-4", ("symptom", "symptom:slow"), ("cause", "cause:ecc-error", "ruled_out")),
    ]
    found = diagnose(cases=cases, likely={c.id: 0.7 for c in cases})
    narrow, broad = (hypothesis(found, f"cause:{c}") for c in ("ecc-error", "gpu-fault"))
    told = {
        h.cause: [o.statement.case_id for o in h.against if o.statement] for h in (narrow, broad)
    }
    assert told == {"cause:ecc-error": ["Q-2", "Q-4"], "cause:gpu-fault": ["Q-2"]}


def test_a_like_case_with_another_cause_speaks_against_it() -> None:
    mismatch = hypothesis(diagnose(), "cause:mismatch")
    others = [o.statement.case_id for o in mismatch.against if o.kind == "other_cause"]  # type: ignore[union-attr]
    assert others == ["P-2"]


def test_a_case_with_a_kindred_cause_does_not() -> None:
    cases = [
        make_case("Q-1", ("symptom", "symptom:slow"), ("cause", "cause:ecc-error")),
        make_case("Q-2", ("symptom", "symptom:slow"), ("cause", "cause:gpu-fault")),
    ]
    found = diagnose(cases=cases, likely={"Q-1": 0.7, "Q-2": 0.7})
    assert all(o.kind != "other_cause" for h in found.hypotheses for o in h.against)


def test_a_narrower_cause_is_counted_for_the_broader_one() -> None:
    cases = [
        make_case("Q-1", ("symptom", "symptom:slow"), ("cause", "cause:ecc-error")),
        make_case("Q-2", ("symptom", "symptom:slow"), ("cause", "cause:gpu-fault")),
    ]
    found = diagnose(cases=cases, likely={"Q-1": 0.7, "Q-2": 0.7})
    assert hypothesis(found, "cause:gpu-fault").n == 2
    assert hypothesis(found, "cause:ecc-error").n == 1


def test_what_was_seen_here_and_there_is_shown_with_its_claim() -> None:
    mismatch = hypothesis(diagnose(), "cause:mismatch")
    assert [(s.case_id, s.terms) for s in mismatch.shown] == [
        ("P-1", ("symptom:nccl-timeout",)),
        ("P-1", ("symptom:slow",)),
    ]


def test_a_symptom_that_the_text_denies_speaks_against_the_cases_that_showed_it() -> None:
    found = diagnose("NCCL timeout, no slow training")
    mismatch = hypothesis(found, "cause:mismatch")
    (denied,) = [o for o in mismatch.against if o.kind == "denied"]
    assert denied.statement is not None
    assert denied.statement.terms == ("symptom:slow",)
    assert denied.place is not None
    assert found.text[denied.place.start : denied.place.end] == "slow training"


def test_a_symptom_that_the_user_rules_out_does_so_too() -> None:
    found = diagnose("NCCL timeout", ruled_out=["slow training"])
    denied = [o for h in found.hypotheses for o in h.against if o.kind == "denied"]
    assert denied
    assert all(o.statement and o.statement.terms == ("symptom:slow",) for o in denied)
    assert all(o.place is None for o in denied)


def test_a_cause_that_the_text_denies_is_hushed_but_kept() -> None:
    said, denied = diagnose(), diagnose(f"{SEEN}, no link down")
    before, after = (hypothesis(d, "cause:link-down") for d in (said, denied))
    assert after.probability == pytest.approx(before.probability * DENIED, abs=1e-6)
    (objection,) = [o for o in after.against if o.statement is None]
    assert objection.place is not None
    assert objection.place.text == "link down"


def test_a_cause_that_is_named_is_a_hypothesis_even_without_support() -> None:
    found = diagnose(f"{SEEN}, perhaps a race condition")
    named = hypothesis(found, "cause:race")
    assert named.named
    assert named.support == ()
    assert [s.case_id for s in named.suspected] == ["P-3"]
    assert named.suspected[0].status is Status.SUSPECTED
    assert not hypothesis(found, "cause:mismatch").named


def test_words_of_the_same_meaning_name_no_cause() -> None:
    tags = [
        Tag(0, 4, "symptom:slow", "slow"),
        Tag(5, 9, "cause:race", "odd order", confidence=0.9, how="meaning"),
    ]
    found = diagnose("slow odd order", tags=tags)
    assert "cause:race" in found.understood.seen
    assert "cause:race" not in {h.cause for h in found.hypotheses}
    assert hypothesis(diagnose(observed=["race condition"]), "cause:race").named


def test_what_is_only_suspected_is_told_apart_and_has_no_probability() -> None:
    found = diagnose()
    assert "cause:race" not in {h.cause for h in found.hypotheses}
    assert [(s.case_id, s.terms) for s in found.suspicions] == [("P-3", ("cause:race",))]
    assert diagnose(ruled_out=["race condition"]).suspicions == ()


@pytest.mark.parametrize("ruled_out", CAUSES)
def test_a_ruled_out_cause_and_what_lies_below_is_never_a_hypothesis(ruled_out: str) -> None:
    gone = twins.below(PLANTED_VOCABULARY, ruled_out)
    found = diagnose(ruled_out=[ruled_out])
    assert not gone & {h.cause for h in found.hypotheses}
    supports = {t for h in found.hypotheses for s in h.support for t in s.statement.terms}
    assert not gone & supports


def cases_by_id() -> dict[str, Case]:
    return {c.id: c for c in planted_cases()}


def predictions(*pairs: tuple[str, float, dict[str, float]]) -> list[CausePrediction]:
    return [CausePrediction(c, p, tuple(cases.items())) for c, p, cases in pairs]


def guessed(
    found: list[CausePrediction],
    text: str = "",
    gone: set[str] | None = None,
    likely: float = 0.5,
) -> list[str]:
    tags = [Tag(0, 1, t, t) for t in text.split()]
    u = understand(PLANTED_VOCABULARY, tags, resolve_facts(PLANTED_VOCABULARY))
    statements = Statements(cases_by_id())
    within = {p.cause: p for p in found}
    known = (PLANTED_VOCABULARY, statements, found, within, u, gone or set())
    return [g.cause for g in guesses_of(*known, dict.fromkeys(cases_by_id(), likely))]


def test_unlikely_causes_are_not_offered_unless_they_are_named() -> None:
    found = predictions(
        ("cause:mismatch", 0.6, {"P-1": 1.0}), ("cause:race", LEAST / 2, {"P-3": 1.0})
    )
    assert guessed(found) == ["cause:mismatch"]
    assert guessed(found, "cause:race") == ["cause:mismatch", "cause:race"]
    assert guessed(found, "cause:race", {"cause:race"}) == ["cause:mismatch"]


def test_a_general_cause_of_the_same_cases_is_left_out() -> None:
    found = predictions(
        ("cause:ecc-error", 0.6, {"P-4": 1.0}),
        ("cause:gpu-fault", 0.5, {"P-4": 1.0}),
        ("cause:hardware", 0.4, {"P-4": 0.5, "P-2": 0.5}),
    )
    assert guessed(found) == ["cause:ecc-error", "cause:hardware"]


def test_of_causes_as_likely_the_named_one_and_then_the_root_cause_comes_first() -> None:
    found = predictions(
        ("cause:ecc-error", 0.402, {"P-3": 1.0}),
        ("cause:link-down", 0.401, {"P-3": 1.0}),
        ("cause:mismatch", 0.4, {"P-1": 1.0}),
    )
    assert guessed(found) == ["cause:mismatch", "cause:ecc-error", "cause:link-down"]
    assert guessed(found, "cause:link-down")[0] == "cause:link-down"


def test_a_cause_of_which_only_its_description_speaks_is_not_offered() -> None:
    assert guessed(predictions(("cause:race", 0.9, {}))) == []
    assert guessed(predictions(("cause:race", 0.9, {})), "cause:race") == ["cause:race"]


def test_a_cause_of_which_only_unlike_cases_speak_is_offered_only_where_it_is_named() -> None:
    found = predictions(("cause:mismatch", 0.9, {"P-1": 1.0}))
    assert guessed(found, likely=AT_LEAST) == ["cause:mismatch"]
    assert guessed(found, likely=AT_LEAST / 2) == []
    assert guessed(found, "cause:mismatch", likely=AT_LEAST / 2) == ["cause:mismatch"]


def test_there_are_only_a_few() -> None:
    found = predictions(*((c, 0.2, {f"P-{n % 5 + 1}": 1.0}) for n, c in enumerate(CAUSES)))
    assert len(CAUSES) > MOST
    assert len(guessed(found)) == MOST


@settings(max_examples=25, deadline=None)
@given(
    st.dictionaries(st.sampled_from(sorted(LIKELY)), st.floats(0.0, 1.0), min_size=1),
    st.sets(st.sampled_from(CAUSES), max_size=2),
)
def test_hypotheses_hold_whatever_is_near_and_ruled_out(
    likely: dict[str, float], ruled_out: set[str]
) -> None:
    found = diagnose(likely=likely, ruled_out=sorted(ruled_out))
    gone = {t for r in ruled_out for t in twins.below(PLANTED_VOCABULARY, r)}
    cases = {c.id: c for c in planted_cases()}
    for h in found.hypotheses:
        below = twins.below(PLANTED_VOCABULARY, h.cause)
        assert h.cause not in gone
        assert 0 <= h.probability <= 1
        near = [cases[n.case_id] for n in found.near if n.incident]
        assert h.n == sum(bool(below & claims_of(c, Status.CONFIRMED)) for c in near)
        assert h.of == sum(bool(claims_of(c, Status.CONFIRMED)) for c in near)


def test_the_order_of_the_cases_does_not_matter() -> None:
    cases = planted_cases()
    expected = diagnose(cases=cases)
    for seed in range(3):
        random.Random(seed).shuffle(cases)
        assert diagnose(cases=cases) == expected
