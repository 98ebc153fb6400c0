"""The verdict on the causes of two cases: only confirmed ones decide, and a class is no answer."""

from __future__ import annotations

import pytest
from hypothesis import given

from kg.graph import IncidentGraph
from kg.model import Case
from kg.queries import SameCause, same_cause
from kg.queries.sharing import cause_meetings, common_causes, confirmed_causes
from kg.vocab import Vocabulary
from tests.helpers import twins
from tests.helpers.strategies import WORLDS, worlds
from tests.helpers.tiny import make_case, tiny_cases, tiny_vocabulary

VOCABULARY = tiny_vocabulary()
GRAPH = IncidentGraph(tiny_cases(), VOCABULARY)


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        (["race"], ["race"], "yes"),
        (["race", "link-down"], ["mismatch", "link-down"], "yes"),
        (["hardware"], ["hardware"], "unknown"),  # two hardware failures need not be one
        (["ecc-error"], ["gpu-fault"], "yes"),
        (["gpu-fault"], ["ecc-error"], "yes"),
        (["gpu-fault"], ["link-down"], "no"),
        (["race"], ["mismatch"], "no"),
        (["race"], ["hardware"], "no"),
        (["ecc-error"], ["hardware"], "unknown"),
        (["hardware"], ["gpu-fault"], "unknown"),
        (["hardware", "race"], ["gpu-fault", "race"], "yes"),
        ([], ["race"], "unknown"),
        (["race"], [], "unknown"),
        ([], [], "unknown"),
    ],
)
def test_the_verdict_on_two_lists_of_causes(
    left: list[str], right: list[str], verdict: str
) -> None:
    sides = {"X-1": left, "X-2": right}
    cases = [
        make_case(i, ("symptom", "symptom:slow"), *(("cause", f"cause:{s}") for s in slugs))
        for i, slugs in sides.items()
    ]
    graph = IncidentGraph(cases, VOCABULARY)
    assert same_cause(graph, VOCABULARY, "X-1", "X-2") == verdict
    assert same_cause(graph, VOCABULARY, "X-2", "X-1") == verdict
    named = common_causes(graph, VOCABULARY, "X-1", "X-2")
    assert bool(named) == (verdict == "yes")
    assert set(named) == set(common_causes(graph, VOCABULARY, "X-2", "X-1"))


@pytest.mark.parametrize(
    ("a", "b", "verdict"),
    [
        ("A-1", "A-2", SameCause.YES), ("A-3", "B-1", SameCause.YES), ("A-1", "A-3", SameCause.NO),
        ("A-1", "B-2", SameCause.UNKNOWN), ("B-1", "S-1", SameCause.NO),
    ],
)  # fmt: skip
def test_only_confirmed_causes_decide(a: str, b: str, verdict: SameCause) -> None:
    assert same_cause(GRAPH, VOCABULARY, a, b) is verdict


@WORLDS
@given(worlds(least=2))
def test_the_verdict_of_random_cases_by_the_rule_in_words(
    world: tuple[Vocabulary, list[Case]],
) -> None:
    vocabulary, cases = world
    graph = IncidentGraph(cases, vocabulary)
    tops = {t for t in vocabulary.terms if not vocabulary.terms[t].broader}
    for a in cases:
        for b in cases:
            mine, theirs = (
                {
                    t for t, d in twins.edges_out(graph, c.id)
                    if d["relation"] == "CAUSED_BY" and d["status"] == "confirmed"
                } for c in (a, b)
            )  # fmt: skip
            meets = {
                x if x in twins.above(vocabulary, y) else y
                for x in mine for y in theirs
                if x in twins.above(vocabulary, y) or y in twins.above(vocabulary, x)
            }  # fmt: skip
            specific = {m for m in meets if m not in tops or len(twins.below(vocabulary, m)) == 1}
            wanted = "yes" if specific else "unknown" if meets or not (mine and theirs) else "no"
            assert same_cause(graph, vocabulary, a.id, b.id) == wanted


def test_the_primary_cause_comes_first() -> None:
    case = make_case(
        "X-1", ("cause", "cause:race", "confirmed", "secondary"),
        ("cause", "cause:link-down", "confirmed", "primary"),
        ("cause", "cause:mismatch", "suspected"),
        ("cause", "cause:race", "confirmed", "secondary"),
    )  # fmt: skip
    graph = IncidentGraph([case], VOCABULARY)
    assert confirmed_causes(graph, "X-1") == ["cause:link-down", "cause:race"]


def test_a_class_in_which_causes_meet_is_not_named_as_common() -> None:
    cases = [
        make_case("X-1", ("cause", "cause:ecc-error"), ("cause", "cause:race")),
        make_case("X-2", ("cause", "cause:hardware"), ("cause", "cause:race")),
    ]
    graph = IncidentGraph(cases, VOCABULARY)
    assert common_causes(graph, VOCABULARY, "X-1", "X-2") == ["cause:race"]


def test_the_upper_of_two_causes_is_where_they_meet() -> None:
    left, right = ["cause:ecc-error", "cause:race"], ["cause:gpu-fault", "cause:hardware"]
    assert cause_meetings(VOCABULARY, left, right) == ["cause:gpu-fault", "cause:hardware"]
    assert cause_meetings(VOCABULARY, ["cause:race"], ["cause:mismatch"]) == []
