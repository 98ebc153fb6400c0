"""Which cause a sighting may have: what is learned, what never counts, what is ruled out."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.graph import IncidentGraph
from kg.rca.causes import Causes
from kg.rca.prediction import BY_HAND, KINDS, CausePrediction, CausePredictor, Sighting
from tests.helpers.sighted import PLANTED, World, direction, planted
from tests.helpers.tiny import make_case, tiny_cases, tiny_vocabulary


@pytest.fixture(scope="module")
def world() -> World:
    return planted()


@pytest.fixture(scope="module")
def learned(world: World) -> CausePredictor:
    return world.predictor()


def by_cause(found: list[CausePrediction]) -> dict[str, CausePrediction]:
    return {p.cause: p for p in found}


def first(predictor: CausePredictor, sighting: Sighting, level: int | None = None) -> str:
    return predictor.predict(sighting, level)[0].cause


@pytest.mark.parametrize("cause", PLANTED)
def test_a_planted_cause_is_found_by_meaning_alone(learned: CausePredictor, cause: str) -> None:
    assert first(learned, Sighting(vector=direction(cause))) == cause


def test_cases_left_out_are_found_far_more_often_than_by_guessing(world: World) -> None:
    right = [
        first(world.predictor([case_id]), sighting) in _causes(world, case_id)
        for case_id, sighting in world.practice
    ]
    assert sum(right) >= 0.75 * len(right)


def _causes(world: World, case_id: str) -> set[str]:
    return {e.target for e in world.graph.edges_of(case_id) if e.target.startswith("cause:")}


def test_one_cause_under_other_words_is_found_by_its_description() -> None:
    """No case is like the text; the vocabulary's own words lead to a cause that no case has."""
    world = planted(causes=("cause:ecc-error", "cause:mismatch", "cause:link-down"))
    predictor = world.predictor()
    text = frozenset({"race", "condition"})
    told = by_cause(predictor.predict(Sighting(words=text)))
    silent = by_cause(predictor.predict(Sighting()))
    assert told["cause:race"].probability > 2 * silent["cause:race"].probability
    assert told["cause:race"].support == ()


def test_votes_of_like_cases_are_enough_without_vectors() -> None:
    graph = IncidentGraph(tiny_cases(), tiny_vocabulary())
    predictor = CausePredictor(graph, tiny_vocabulary())
    found = predictor.predict(Sighting(likeness={"A-1": 3.0, "A-3": 0.0, "B-1": 0.0, "A-2": 0.0}))
    assert found[0].cause == "cause:mismatch"
    assert found[0].probability > 0.5
    assert found[0].support[0][0] == "A-1"


def test_suspected_and_ruled_out_causes_of_a_case_never_count() -> None:
    vocabulary = tiny_vocabulary()
    cases = [
        make_case("X-1", ("cause", "cause:race"), ("cause", "cause:mismatch", "suspected")),
        make_case("X-2", ("cause", "cause:race"), ("cause", "cause:link-down", "ruled_out")),
        make_case("X-3", ("cause", "cause:ecc-error", "suspected")),
    ]
    predictor = CausePredictor(IncidentGraph(cases, vocabulary), vocabulary)
    assert predictor.cases == ("X-1", "X-2")
    found = by_cause(predictor.predict(Sighting(likeness={"X-1": 1.0, "X-2": 1.0, "X-3": 9.0})))
    for cause in ("cause:mismatch", "cause:link-down", "cause:ecc-error"):
        assert found[cause].support == ()
        assert found[cause].probability < found["cause:race"].probability / 5


def test_only_incidents_teach_unless_others_are_named() -> None:
    graph = IncidentGraph(tiny_cases(), tiny_vocabulary())
    assert "S-1" not in CausePredictor(graph, tiny_vocabulary()).cases
    named = CausePredictor(graph, tiny_vocabulary(), incidents=["S-1", "A-1"])
    assert named.cases == ("A-1", "S-1")


def test_what_the_user_rules_out_gets_nothing_nor_does_what_lies_below(
    world: World, learned: CausePredictor
) -> None:
    seen = replace(
        world.sighting("P-000"), ruled_out=frozenset({"cause:gpu-fault", "component:gpu"})
    )
    found = by_cause(learned.predict(seen))
    assert found["cause:gpu-fault"].probability == 0.0
    assert found["cause:ecc-error"].probability == 0.0
    assert found["cause:link-down"].probability > 0.0
    above = by_cause(learned.predict(seen, 1))
    assert above["cause:hardware"].probability > 0.0
    assert by_cause(learned.predict(seen, 2))["cause:gpu-fault"].probability == 0.0


def test_ruling_out_the_likeliest_makes_the_others_likelier(
    world: World, learned: CausePredictor
) -> None:
    seen = world.sighting("P-000")
    before = by_cause(learned.predict(seen))
    gone = before[first(learned, seen)].cause
    after = by_cause(learned.predict(replace(seen, ruled_out=frozenset({gone}))))
    for cause, prediction in after.items():
        if cause != gone:
            assert prediction.probability >= before[cause].probability


def test_when_everything_is_ruled_out_nothing_is_likely(learned: CausePredictor) -> None:
    every = frozenset({"cause:hardware", "cause:software"})
    found = learned.predict(Sighting(ruled_out=every))
    assert {p.probability for p in found} == {0.0}
    assert [p.cause for p in found] == sorted(p.cause for p in found)


@pytest.mark.parametrize("level", [None, 1, 2, 3])
def test_probabilities_are_ordered_and_a_class_is_at_least_as_likely_as_what_is_below(
    world: World, learned: CausePredictor, level: int | None
) -> None:
    causes = Causes(world.vocabulary)
    for _, sighting in world.practice[::6]:
        own = by_cause(learned.predict(sighting))
        found = learned.predict(sighting, level)
        values = [p.probability for p in found]
        assert values == sorted(values, reverse=True)
        assert all(0.0 <= v <= 1.0 for v in values)
        for p in found:
            below = [own[c].probability for c in causes.ids if p.cause in causes.at(c, level)]
            assert p.probability >= max(below) - 1e-9


def test_support_names_cases_that_confirm_the_cause_largest_first(
    world: World, learned: CausePredictor
) -> None:
    for level in (None, 1, 2):
        for p in learned.predict(world.sighting("P-301"), level):
            weights = [w for _, w in p.support]
            assert weights == sorted(weights, reverse=True)
            assert all(w > 0 for w in weights)
            below = world.vocabulary.narrower_all(p.cause)
            assert all(_causes(world, case_id) & below for case_id, _ in p.support)


def test_the_nearest_case_supports_most(world: World, learned: CausePredictor) -> None:
    seen = Sighting(vector=world.vectors["P-203"], likeness={"P-203": 5.0, "P-201": 0.0})
    assert by_cause(learned.predict(seen))["cause:race"].support[0][0] == "P-203"


def test_a_cause_that_the_library_does_not_know_is_newer_than_one_it_knows(world: World) -> None:
    seen = Sighting(vector=direction("cause:race"), words=frozenset({"race", "condition"}))
    known = world.predictor().novelty(seen)
    without = [c.id for c in world.cases if "cause:race" in _causes(world, c.id)]
    unknown = world.predictor(without).novelty(seen)
    assert 0.0 <= known < unknown <= 1.0


def test_weights_are_learned_when_there_is_practice_enough(
    world: World, learned: CausePredictor
) -> None:
    assert learned.strength > 0
    assert learned.weights["learned"] + learned.weights["class_learned"] > 0.3
    assert all(learned.weights[k] >= 0 for k in KINDS)
    by_hand = world.predictor(practice=())
    assert by_hand.strength == 0
    assert by_hand.weights == dict(BY_HAND)


def test_evidence_that_is_left_out_counts_for_nothing(world: World) -> None:
    kinds = [k for k in KINDS if k not in ("learned", "class_learned", "votes")]
    predictor = world.predictor(kinds=kinds)
    assert predictor.weights["learned"] == predictor.weights["votes"] == 0.0
    seen = Sighting(vector=direction("cause:race"))
    blind = predictor.predict(Sighting())
    assert [p.cause for p in predictor.predict(seen)] == [p.cause for p in blind]
    assert all(not p.support for p in predictor.predict(seen))


def test_left_out_predictions_tell_what_the_cases_have(world: World) -> None:
    left_out = world.predictor().left_out(2)
    assert left_out.cases == tuple(c for c, _ in sorted(world.practice, key=lambda p: p[0]))
    assert left_out.probabilities.shape == left_out.marks.shape
    best = left_out.probabilities.argmax(axis=1)
    right = left_out.marks[np.arange(len(best)), best].mean()
    assert right > 0.6
    mean = left_out.probabilities[np.arange(len(best)), best].mean()
    assert abs(mean - right) < 0.25


def test_without_practice_nothing_is_left_out(world: World) -> None:
    left_out = world.predictor(practice=()).left_out(1)
    assert left_out.probabilities.shape == (0, 2)
    assert left_out.causes == ("cause:hardware", "cause:software")


def test_an_empty_library_knows_nothing() -> None:
    predictor = CausePredictor(IncidentGraph([], tiny_vocabulary()), tiny_vocabulary())
    found = predictor.predict(Sighting(words=frozenset({"race"})))
    assert len({p.probability for p in found if not p.probability}) <= 1
    assert all(not p.support for p in found)
    assert predictor.novelty(Sighting()) > 0.9


def test_likeness_of_cases_that_are_not_there_is_not_looked_at(
    world: World, learned: CausePredictor
) -> None:
    seen = world.sighting("P-000")
    with_more = replace(seen, likeness={"NO-1": 5.0})
    assert learned.predict(with_more) == learned.predict(replace(seen, likeness={}))


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10_000))
def test_the_order_of_what_is_given_does_not_matter(seed: int) -> None:
    world = planted(each=3)
    shuffled = random.Random(seed)
    cases, practice = list(world.cases), list(world.practice)
    shuffled.shuffle(cases)
    shuffled.shuffle(practice)
    vectors = dict(shuffled.sample(sorted(world.vectors.items()), len(world.vectors)))
    graph = IncidentGraph(cases, world.vocabulary)
    incidents = [c.id for c in cases]
    other = CausePredictor(graph, world.vocabulary, vectors, incidents=incidents, practice=practice)
    seen = replace(world.sighting("P-101"), likeness={c: len(c) + ord(c[-1]) for c in incidents})
    assert other.predict(seen, 2) == world.predictor().predict(seen, 2)
    assert other.novelty(seen) == world.predictor().novelty(seen)
