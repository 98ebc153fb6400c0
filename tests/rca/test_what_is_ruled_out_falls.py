"""What rests on something ruled out counts less, and steps that serve only it are set aside."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.rca.near import DEPENDENT, MOST, NEAR, Guess, near_cases, resting_on, weakened
from kg.rca.statements import Statements
from tests.helpers.planted import LIKELY, diagnose, hits_of, planted_cases
from tests.helpers.tiny import make_case

CASES = {c.id: c for c in planted_cases()}
STATEMENTS = Statements(CASES)


def test_a_case_rests_on_its_causes_when_all_are_ruled_out() -> None:
    assert resting_on(STATEMENTS, "P-2", {"cause:link-down"}) == ("cause:link-down",)
    assert resting_on(STATEMENTS, "P-1", {"cause:link-down"}) == (), "it rules it out itself"
    assert resting_on(STATEMENTS, "P-3", {"cause:race"}) == (), "it only suspects it"


def test_a_case_with_another_confirmed_cause_does_not_rest_on_one() -> None:
    two = make_case("Q-1", ("cause", "cause:race"), ("cause", "cause:link-down"))
    statements = Statements({"Q-1": two})
    assert resting_on(statements, "Q-1", {"cause:race"}) == ()
    assert resting_on(statements, "Q-1", {"cause:race", "cause:link-down"}) == (
        "cause:link-down",
        "cause:race",
    )


@pytest.mark.parametrize(
    ("gone", "case_id", "rests"),
    [
        ({"trigger:upgrade"}, "P-1", True),
        ({"component:h100"}, "P-4", True),
        ({"symptom:slow"}, "P-1", True),
        ({"symptom:slow"}, "P-3", False),
        ({"tool:link-test"}, "P-2", False),
        ({"mitigation:restart"}, "P-1", False),
        (set(), "P-1", False),
    ],
)
def test_triggers_broken_parts_and_half_of_the_symptoms_carry_a_case(
    gone: set[str], case_id: str, rests: bool
) -> None:
    assert bool(resting_on(STATEMENTS, case_id, gone)) is rests


def test_a_part_that_did_not_fail_carries_nothing() -> None:
    case = make_case("Q-1", ("component", "component:h100", "confirmed", "involved"))
    assert resting_on(Statements({"Q-1": case}), "Q-1", {"component:h100"}) == ()


def test_such_a_case_counts_half() -> None:
    free, bound = (
        {n.case_id: n for n in diagnose(ruled_out=r).near} for r in ([], ["version upgrade"])
    )
    assert bound["P-1"].depends_on == ("trigger:upgrade",)
    assert bound["P-1"].weight <= DEPENDENT < free["P-1"].weight
    assert free["P-1"].depends_on == ()


def test_its_hypothesis_falls() -> None:
    before, after = (
        {h.cause: h.probability for h in diagnose(ruled_out=r).hypotheses}
        for r in ([], ["version upgrade"])
    )
    assert after["cause:mismatch"] < before["cause:mismatch"]
    assert after["cause:link-down"] > before["cause:link-down"]


@given(st.dictionaries(st.sampled_from(sorted(CASES)), st.floats(-5, 5), min_size=1))
def test_likeness_is_moved_half_the_way_to_the_mean(likeness: dict[str, float]) -> None:
    moved = weakened(STATEMENTS, likeness, {"cause:link-down"})
    mean = sum(likeness.values()) / len(likeness)
    assert moved.keys() == likeness.keys()
    for case_id, value in likeness.items():
        if case_id in ("P-2", "P-5") and value > mean:
            assert moved[case_id] == pytest.approx((value + mean) / 2)
        else:
            assert moved[case_id] == value


def test_nothing_is_moved_where_nothing_is_ruled_out() -> None:
    assert weakened(STATEMENTS, LIKELY, set()) == dict(sorted(LIKELY.items()))
    assert weakened(STATEMENTS, {}, {"cause:race"}) == {}


def test_steps_for_a_ruled_out_cause_are_set_aside() -> None:
    found = diagnose(ruled_out=["link down"])
    assert [(s.because, s.step.case_id, s.step.terms) for s in found.set_aside] == [
        ("cause:link-down", "P-2", ("mitigation:replace",))
    ]
    assert "mitigation:replace" not in {r.term for r in (*found.mitigations, *found.follow_ups)}


def test_a_mitigation_that_is_ruled_out_itself_is_set_aside() -> None:
    found = diagnose(ruled_out=["restart"])
    assert {(s.because, s.step.case_id) for s in found.set_aside} == {
        ("mitigation:restart", "P-1"),
        ("mitigation:restart", "P-3"),
    }
    assert {r.term for r in found.mitigations} == {"mitigation:replace"}


def test_a_step_that_also_serves_a_living_cause_stays() -> None:
    cases = [
        make_case(
            "Q-1", ("symptom", "symptom:slow"), ("cause", "cause:race"),
            ("cause", "cause:link-down"), ("mitigation", "mitigation:restart"),
        ),
    ]  # fmt: skip
    found = diagnose(cases=cases, likely={"Q-1": 0.8}, ruled_out=["link down"])
    assert found.set_aside == ()
    assert [r.causes for r in found.mitigations] == [("cause:race",)]


def test_pairs_with_a_ruled_out_cause_are_no_look_alikes_any_more() -> None:
    assert diagnose().look_alikes
    assert diagnose(ruled_out=["link down"]).look_alikes == ()


def test_cases_are_looked_at_that_are_near_or_behind_a_hypothesis() -> None:
    hits = hits_of(CASES, LIKELY, 0.4)
    guess = Guess("cause:ecc-error", 0.9, 0.9, {"P-4": 1.0}, {"P-4": 0.9})
    near = {n.case_id: n for n in near_cases(STATEMENTS, hits, LIKELY, [guess], set(), "en")}
    assert set(near) == {"P-1", "P-2", "P-3", "P-4", "P-5"}
    assert near["P-4"].weight == 0.9, "its share in the hypothesis"
    assert near["P-1"].weight == LIKELY["P-1"]
    assert [i for i, n in near.items() if n.similar] == ["P-1", "P-2", "P-3"]
    without = near_cases(STATEMENTS, hits, LIKELY, [], set(), "en")
    assert LIKELY["P-4"] < NEAR
    assert "P-4" not in {n.case_id for n in without}


def test_they_come_in_the_order_in_which_they_count_and_are_not_too_many() -> None:
    cases = {c.id: c for c in (make_case(f"Q-{n:02}") for n in range(30))}
    likely = {i: round(0.11 + n / 100, 2) for n, i in enumerate(cases)}
    near = near_cases(Statements(cases), hits_of(cases, likely, 0.99), likely, [], set(), "en")
    assert [n.case_id for n in near] == [f"Q-{n:02}" for n in range(29, 29 - MOST, -1)]
