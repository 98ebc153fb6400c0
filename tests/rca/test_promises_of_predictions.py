"""What a prediction promises an engineer: look-alikes stay open, more facts sharpen it, sizes."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.graph import IncidentGraph
from kg.rca.evidence import KINDS
from kg.rca.prediction import ENOUGH, CausePredictor, Sighting
from tests.helpers.sighted import DIMENSION, PLANTED, World, direction, planted
from tests.helpers.tiny import make_case, tiny_vocabulary


@pytest.fixture(scope="module")
def world() -> World:
    return planted(each=6)


@pytest.fixture(scope="module")
def learned(world: World) -> CausePredictor:
    return world.predictor()


def chance(predictor: CausePredictor, seen: Sighting, level: int | None = None) -> dict[str, float]:
    return {p.cause: p.probability for p in predictor.predict(seen, level)}


def test_equal_symptoms_with_two_causes_leave_both_open() -> None:
    vocabulary = tiny_vocabulary()
    cases = [
        make_case(f"L-{k}", ("cause", cause), ("symptom", "symptom:nccl-timeout"))
        for k, cause in enumerate(["cause:link-down", "cause:mismatch"] * 8)
    ]
    same = np.full(DIMENSION, DIMENSION**-0.5, np.float32)
    practice = [(c.id, Sighting(vector=same)) for c in cases]
    predictor = CausePredictor(
        IncidentGraph(cases, vocabulary),
        vocabulary,
        {c.id: same for c in cases},
        practice=practice,
    )
    found = chance(predictor, Sighting(vector=same))
    first, second, *others = sorted(found.values(), reverse=True)
    assert first == pytest.approx(second, rel=0.01)
    assert max(others) < second / 3


def test_ruling_one_of_two_look_alikes_out_leaves_the_other() -> None:
    predictor = planted(each=6, noise=0.8).predictor()
    between = direction("cause:race") + direction("cause:mismatch")
    seen = Sighting(vector=between / np.linalg.norm(between))
    both = chance(predictor, seen)
    gone = replace(seen, ruled_out=frozenset({"cause:race"}))
    assert both["cause:race"] > 0.1
    left = chance(predictor, gone)
    assert left["cause:race"] == 0.0
    assert left["cause:mismatch"] > both["cause:mismatch"] > 0.1


def test_more_that_fits_makes_a_cause_likelier(learned: CausePredictor) -> None:
    words = frozenset(PLANTED["cause:link-down"])
    vague = chance(learned, Sighting(vector=direction("cause:link-down")))
    clear = chance(learned, Sighting(vector=direction("cause:link-down"), words=words))
    assert clear["cause:link-down"] > vague["cause:link-down"]


def test_a_rare_cause_is_found_when_the_text_is_like_its_one_case() -> None:
    world = planted(each=5)
    rare = make_case("R-1", ("cause", "cause:gpu-fault"))
    axis = np.eye(DIMENSION, dtype=np.float32)[7]
    graph = IncidentGraph([*world.cases, rare], world.vocabulary)
    predictor = CausePredictor(
        graph,
        world.vocabulary,
        {**world.vectors, "R-1": axis},
        incidents=[*(c.id for c in world.cases), "R-1"],
        practice=world.practice,
    )
    near = chance(predictor, Sighting(vector=axis))["cause:gpu-fault"]
    far = chance(predictor, Sighting(vector=direction("cause:race")))["cause:gpu-fault"]
    assert near > 5 * far
    support = next(
        p.support for p in predictor.predict(Sighting(vector=axis)) if p.cause == "cause:gpu-fault"
    )
    assert [c for c, _ in support] == ["R-1"]


def test_cases_with_several_causes_make_each_of_them_likely() -> None:
    vocabulary = tiny_vocabulary()
    cases = [
        make_case(f"D-{k}", ("cause", "cause:race"), ("cause", "cause:link-down")) for k in range(6)
    ] + [make_case(f"E-{k}", ("cause", "cause:ecc-error")) for k in range(6)]
    predictor = CausePredictor(IncidentGraph(cases, vocabulary), vocabulary)
    likeness = {c.id: float(c.id.startswith("D")) for c in cases}
    found = chance(predictor, Sighting(likeness=likeness))
    assert found["cause:race"] == pytest.approx(found["cause:link-down"])
    assert found["cause:race"] > 0.5


def test_weights_come_by_hand_until_there_is_practice_enough() -> None:
    few = planted(each=ENOUGH // 4 - 1).predictor()
    many = planted(each=ENOUGH // 4).predictor()
    assert few.strength == 0.0
    assert many.strength > 0.0


def test_practice_of_cases_that_are_not_learned_from_is_not_looked_at(world: World) -> None:
    kept = [c.id for c in world.cases[4:]]
    practice = [p for p in world.practice if p[0] in kept]
    one = world.predictor(incidents=kept, practice=practice)
    other = world.predictor(incidents=kept, practice=world.practice)
    seen = world.sighting("P-000")
    assert one.predict(seen) == other.predict(seen)


def test_several_sightings_of_a_case_all_leave_it_out(world: World) -> None:
    twice = [*world.practice, *world.practice]
    left_out = world.predictor(practice=twice).left_out(2)
    assert len(left_out.cases) == 2 * len(world.practice)
    names = np.array(left_out.cases)
    for case_id in ("P-000", "P-203"):
        rows = left_out.probabilities[names == case_id]
        assert len(rows) == 2
        assert rows[0] == pytest.approx(rows[1])


@pytest.mark.parametrize("kind", KINDS)
def test_any_kind_of_evidence_may_be_left_out(world: World, kind: str) -> None:
    predictor = world.predictor(kinds=[k for k in KINDS if k != kind])
    assert predictor.weights[kind] == 0.0
    found = predictor.predict(world.sighting("P-102"), 2)
    assert found[0].probability > 0.0


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.sampled_from([f"P-{n}0{k}" for n in range(4) for k in range(6)]), max_size=6),
    st.sets(st.sampled_from(["cause:hardware", "cause:race", "symptom:slow", "cause:mismatch"])),
    st.sampled_from([None, 1, 2, 5]),
)
def test_whatever_is_seen_the_answer_keeps_its_form(
    likely: list[str], ruled_out: set[str], level: int | None
) -> None:
    world = planted(each=6)
    seen = Sighting(
        likeness={c: float(i) for i, c in enumerate(likely)}, ruled_out=frozenset(ruled_out)
    )
    predictor = world.predictor(practice=())
    found = predictor.predict(seen, level)
    assert found == sorted(found, key=lambda p: (-p.probability, p.cause))
    assert len({p.cause for p in found}) == len(found)
    assert all(0.0 <= p.probability <= 1.0 for p in found)
    gone = {b for t in ruled_out for b in world.vocabulary.narrower_all(t)}
    for p in found:
        if level is None and p.cause in gone:
            assert p.probability == 0.0
        assert all(w > 0 for _, w in p.support)
    assert 0.0 <= predictor.novelty(seen) <= 1.0


def test_two_thousand_cases_are_learned_in_seconds() -> None:
    """More cases than columns: the other side of the decomposition, at a library's later size."""
    vocabulary = tiny_vocabulary()
    random = np.random.default_rng(0)
    causes = sorted(PLANTED)
    cases = [make_case(f"B-{k:04d}", ("cause", causes[k % 4])) for k in range(2000)]
    vectors = {
        c.id: direction(causes[k % 4], 0.3 * random.normal(size=DIMENSION))
        for k, c in enumerate(cases)
    }
    practice = [(c, Sighting(vector=v)) for c, v in vectors.items()]
    graph = IncidentGraph(cases, vocabulary)
    ids = [c.id for c in cases]
    graph.edges_of(ids[0])
    began = time.process_time()
    predictor = CausePredictor(graph, vocabulary, vectors, incidents=ids, practice=practice)
    assert time.process_time() - began < 10.0
    assert predictor.predict(Sighting(vector=direction("cause:race")))[0].cause == "cause:race"
