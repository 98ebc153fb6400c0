"""What two sides share: the same terms, the nearest broader ones, and how much each says."""

from __future__ import annotations

import math

import pytest
from hypothesis import given

from kg.graph import IncidentGraph, case_node
from kg.model import Case, Status
from kg.queries import same_cause, shared_terms
from kg.queries.information import GENERIC_CASES, cases_with, information, is_generic, similarity
from kg.queries.sharing import KIND_ORDER, KIND_WEIGHTS
from kg.vocab import Vocabulary
from tests.helpers import twins
from tests.helpers.strategies import WORLDS, worlds
from tests.helpers.tiny import make_case, tiny_cases, tiny_vocabulary

VOCABULARY = tiny_vocabulary()
GRAPH = IncidentGraph(tiny_cases(), VOCABULARY)
World = tuple[Vocabulary, list[Case]]


def shared(a: str, b: str) -> list[tuple[str, tuple[int, int]]]:
    return [(s.term, s.steps) for s in shared_terms(GRAPH, VOCABULARY, a, b)]


def test_what_is_shared_is_told_causes_first_with_both_sides() -> None:
    found = shared_terms(GRAPH, VOCABULARY, "A-1", "A-2")
    assert [(s.term, s.steps) for s in found] == [
        ("cause:mismatch", (0, 0)), ("symptom:nccl-timeout", (0, 0)), ("component:nccl", (0, 0)),
    ]  # fmt: skip
    assert {e.case_id for e in found[0].left} == {"A-1"}
    assert {e.case_id for e in found[0].right} == {"A-2"}
    assert all(e.evidence for s in found for e in (*s.left, *s.right))


def test_terms_meet_in_the_nearest_broader_one() -> None:
    assert shared("A-3", "S-1")[0] == ("cause:hardware", (2, 1))
    assert shared("A-3", "B-1")[0] == ("cause:gpu-fault", (1, 0))


def test_a_suspected_side_makes_the_sharing_suspected() -> None:
    cause = shared_terms(GRAPH, VOCABULARY, "B-2", "S-1")[0]
    assert (cause.term, cause.status) == ("cause:link-down", Status.SUSPECTED)


def test_what_is_ruled_out_is_not_shared() -> None:
    assert not [t for t, _ in shared("A-1", "B-2") if t.startswith("cause:")]


def test_the_broader_of_two_confirmed_causes_comes_before_what_is_only_suspected() -> None:
    cases = [
        make_case("X-1", ("cause", "cause:hardware", "suspected"), ("cause", "cause:ecc-error")),
        make_case("X-2", ("cause", "cause:link-down")),
    ]
    (cause,) = shared_terms(IncidentGraph(cases, VOCABULARY), VOCABULARY, "X-1", "X-2")
    assert (cause.term, cause.status) == ("cause:hardware", Status.CONFIRMED)
    assert [e.target for e in cause.left] == ["cause:ecc-error"]


def test_each_side_is_told_by_the_terms_that_met_and_not_by_those_told_before() -> None:
    cases = [
        make_case("X-1", ("cause", "cause:race"), ("cause", "cause:software")),
        make_case("X-2", ("cause", "cause:race"), ("cause", "cause:mismatch")),
    ]
    found = shared_terms(IncidentGraph(cases, VOCABULARY), VOCABULARY, "X-1", "X-2")
    assert [(s.term, s.steps) for s in found] == [
        ("cause:race", (0, 0)), ("cause:software", (0, 1)),
    ]  # fmt: skip
    assert {e.target for e in found[1].right} == {"cause:mismatch"}


def test_an_item_of_a_checklist_weighs_a_quarter() -> None:
    told = ("detection", "tool:flight-recorder", "confirmed")
    cases = [
        make_case("X-1", (*told, "detected")),
        make_case("X-2", (*told, "detected")),
        make_case("X-3", (*told, "check_item")),
    ]
    graph = IncidentGraph(cases, VOCABULARY)
    (sure,) = shared_terms(graph, VOCABULARY, "X-1", "X-2")
    (listed,) = shared_terms(graph, VOCABULARY, "X-1", "X-3")
    assert listed.weight == pytest.approx(sure.weight / 4)


def test_the_same_term_is_nearest_and_a_broad_class_is_far() -> None:
    near = similarity(GRAPH, "cause:race", "cause:race", "cause:race")
    kin = similarity(GRAPH, "cause:race", "cause:mismatch", "cause:software")
    assert near == 1.0
    assert 0 < kin < near


@WORLDS
@given(worlds(least=2))
def test_information_and_nearness_are_as_their_formulas_stand(world: World) -> None:
    vocabulary, cases = world
    graph = IncidentGraph(cases, vocabulary)
    rows = {c.id: twins.weights(graph, vocabulary, c.id) for c in cases}
    counts = twins.frequencies(rows)

    def content(term: str) -> float:
        return max(0.0, math.log((len(cases) + 1) / (counts.get(term, 0) + 0.5)))

    for x in vocabulary.terms:
        assert cases_with(graph, x) == counts.get(x, 0)
        assert information(graph, x) == pytest.approx(content(x))
        for y in vocabulary.terms:
            for m in twins.above(vocabulary, x).keys() & twins.above(vocabulary, y).keys():
                lin = similarity(graph, x, y, m)
                assert 0 <= lin <= 1
                assert lin == similarity(graph, y, x, m)
                if x != y and content(x) + content(y) > 0:
                    assert lin == pytest.approx(2 * content(m) / (content(x) + content(y)))


@WORLDS
@given(worlds(least=2))
def test_information_never_grows_towards_the_top(world: World) -> None:
    vocabulary, cases = world
    graph = IncidentGraph(cases, vocabulary)
    for term in vocabulary.terms:
        for up in twins.above(vocabulary, term):
            assert information(graph, up) <= information(graph, term) + 1e-12


@WORLDS
@given(worlds(least=2))
def test_sharing_is_the_same_from_both_sides(world: World) -> None:
    vocabulary, cases = world
    graph = IncidentGraph(cases, vocabulary)
    for a in cases:
        for b in cases:
            if a.id < b.id:
                one = shared_terms(graph, vocabulary, a.id, b.id)
                two = shared_terms(graph, vocabulary, b.id, a.id)
                assert [(s.term, s.steps, s.status, s.weight) for s in one] == [
                    (s.term, s.steps[::-1], s.status, s.weight) for s in two
                ]
                assert [(s.left, s.right) for s in one] == [(s.right, s.left) for s in two]
                assert same_cause(graph, vocabulary, a.id, b.id) is same_cause(
                    graph, vocabulary, b.id, a.id
                )


def confirming(vocabulary: Vocabulary, cases: list[Case], term: str) -> set[str]:
    """The cases with a confirmed claim of a term or one below it, of the kinds that are shared."""
    below = twins.below(vocabulary, term)
    kinds = {
        "cause",
        "trigger",
        "factor",
        "symptom",
        "component",
        "mitigation",
        "detection",
        "follow_up",
    }
    return {
        c.id
        for c in cases
        for claim in c.claims
        if claim.kind in kinds and claim.status is Status.CONFIRMED and below & set(claim.terms)
    }


@WORLDS
@given(worlds(least=2))
def test_what_is_shared_can_be_found_in_networkx(world: World) -> None:
    vocabulary, cases = world
    graph = IncidentGraph(cases, vocabulary)
    a, b = cases[0].id, cases[1].id
    counts = twins.frequencies({c.id: twins.weights(graph, vocabulary, c.id) for c in cases})
    mine, theirs = standing(graph, a), standing(graph, b)
    found = shared_terms(graph, vocabulary, a, b)
    assert mine.keys() & theirs.keys() == {s.term for s in found if s.steps == (0, 0)}
    for s in found:
        for said, there, steps in ((s.left, mine, s.steps[0]), (s.right, theirs, s.steps[1])):
            assert {e.target for e in said} <= there.keys()
            assert all(twins.above(vocabulary, e.target)[s.term] >= 0 for e in said)
            assert steps == twins.above(vocabulary, said[0].target)[s.term]
        assert s.cases == len(confirming(vocabulary, cases, s.term))
        assert s.rarity == pytest.approx(twins.rarity(counts[s.term], len(cases)))
        sure = min(mine[s.left[0].target], theirs[s.right[0].target])
        assert s.weight == pytest.approx(s.rarity * s.similarity * KIND_WEIGHTS[s.kind] * sure)
    kinds = [KIND_ORDER.index(s.kind) for s in found]
    assert kinds == sorted(kinds)


def standing(graph: IncidentGraph, case_id: str) -> dict[str, float]:
    """Terms that make a case alike others and how sure each is, from networkx."""
    found: dict[str, float] = {}
    for _, term, data in graph.nx.out_edges(case_node(case_id), data=True):
        weight = twins.WEIGHT[data["status"]] * (0.25 if data["role"] == "check_item" else 1)
        if data["relation"] in twins.ALIKE and weight:
            found[term] = max(weight, found.get(term, 0))
    return found


def test_no_kin_is_told_that_nothing_new_explains() -> None:
    """A broader term is shared only if both sides have something that did not meet below it."""
    assert [t for t, _ in shared("A-1", "A-2")].count("symptom:failure") == 0


@pytest.mark.parametrize(
    ("having", "of", "generic"),
    [(4, 4, False), (5, 5, True), (5, 50, True), (5, 51, False), (6, 60, True), (6, 61, False)],
)
def test_a_term_of_many_cases_is_generic(having: int, of: int, generic: bool) -> None:
    cases = [
        make_case(f"X-{i:02}", *([("symptom", "symptom:slow")] if i < having else []))
        for i in range(of)
    ]
    graph = IncidentGraph(cases, VOCABULARY)
    assert is_generic(graph, "symptom:slow") is generic
    assert cases_with(graph, "symptom:slow") == having
    assert cases_with(graph, "symptom:nccl-timeout") == 0
    assert GENERIC_CASES == 5


def test_a_hub_says_less_than_a_rare_term() -> None:
    cases = [make_case(f"X-{i}", ("symptom", "symptom:slow")) for i in range(8)]
    both = (("symptom", "symptom:slow"), ("symptom", "symptom:nccl-timeout"))
    cases += [make_case("Y-1", *both), make_case("Y-2", *both)]
    graph = IncidentGraph(cases, VOCABULARY)
    rare, hub = shared_terms(graph, VOCABULARY, "Y-1", "Y-2")
    assert (rare.term, rare.generic) == ("symptom:nccl-timeout", False)
    assert (hub.term, hub.generic, hub.cases) == ("symptom:slow", True, 10)
    assert hub.weight < rare.weight / 5
