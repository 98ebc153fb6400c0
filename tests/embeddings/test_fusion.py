"""Lanes to one score: standard deviations within the query, parts that add up."""

from __future__ import annotations

import math
import statistics
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embeddings import fuse
from embeddings.fitted import FusionParameters
from embeddings.fusion import standardised, total

# Whole numbers, so that equal is equal; NaN where a lane did not look.
NUMBERS = st.integers(-9, 9).map(float)
LOOKED = st.lists(st.one_of(NUMBERS, st.just(math.nan)), min_size=1, max_size=12)
WEIGHTS = {"dense": 1.0, "words": 0.7, "grams": 0.4, "graph": 0.5, "late": 1.4, "bridge": 0.6}
PARAMETERS = FusionParameters(WEIGHTS, 0.5)
TEXT = ("words", "grams", "bridge")


def twin(scores: list[float], counted: list[bool]) -> list[float]:
    """The textbook Z-score; what was not looked at counts as the lowest that was."""
    seen = [s for s, c in zip(scores, counted, strict=True) if c and not math.isnan(s)]
    if not seen or min(seen) == max(seen):
        return [0.0] * len(scores)
    mean, deviation, lowest = statistics.fmean(seen), statistics.pstdev(seen), min(seen)
    return [((lowest if math.isnan(s) else s) - mean) / deviation for s in scores]


@st.composite
def lanes_of(draw: Any) -> dict[str, np.ndarray]:
    """Some lanes over the same documents; only late interaction does not look at all."""
    size = draw(st.integers(1, 9))
    names = draw(st.sets(st.sampled_from(sorted(WEIGHTS)), min_size=1))
    lanes = {}
    for name in sorted(names):
        cell = st.one_of(NUMBERS, st.just(math.nan)) if name == "late" else NUMBERS
        lanes[name] = np.array(draw(st.lists(cell, min_size=size, max_size=size)))
    return lanes


@pytest.mark.filterwarnings("error")
@settings(deadline=None)
@given(LOOKED, st.data())
def test_standard_scores_equal_the_twin(scores: list[float], data: st.DataObject) -> None:
    size = len(scores)
    counted = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    found = standardised(np.array(scores), np.array(counted))
    assert found.tolist() == pytest.approx(twin(scores, counted), abs=1e-9)
    everything = standardised(np.array(scores))
    assert everything.tolist() == pytest.approx(twin(scores, [True] * size), abs=1e-9)


@settings(deadline=None)
@given(LOOKED, st.floats(0.01, 100), st.floats(-50, 50))
def test_the_unit_of_a_lane_does_not_matter(
    scores: list[float], scale: float, shift: float
) -> None:
    values = np.array(scores)
    moved = standardised(values * scale + shift)
    assert moved.tolist() == pytest.approx(standardised(values).tolist(), abs=1e-6)


@settings(deadline=None)
@given(LOOKED, st.floats(-1000, 1000))
def test_what_is_not_counted_moves_nothing_but_itself(scores: list[float], own: float) -> None:
    """The query's own document, however far it leads."""
    counted = np.array([*[True] * len(scores), False])
    with_own = standardised(np.array([*scores, own]), counted)
    assert np.array_equal(with_own[:-1], standardised(np.array(scores)))


def test_it_would_have_moved_them() -> None:
    scores = np.array([0.1, 0.2, 0.3, 9.0])
    assert standardised(scores)[2] < 0
    assert standardised(scores, np.array([True, True, True, False]))[2] > 1


def test_what_a_lane_did_not_look_at_counts_as_the_lowest_seen() -> None:
    found = standardised(np.array([1.0, math.nan, 3.0]))
    assert found.tolist() == [-1, -1, 1]
    # The lowest of those that are counted: the own document is no measure.
    own_lowest = standardised(np.array([1.0, math.nan, 3.0, -9.0]), np.array([1, 1, 1, 0], bool))
    assert own_lowest[1] == -1


def test_the_rounding_of_float32_is_no_difference() -> None:
    """Equal cosines, one from FAISS and one from a matrix product, were two deviations apart."""
    one = float(np.float32(1.0))
    other = float(np.nextafter(np.float32(1), np.float32(0)))
    assert standardised(np.array([one, other])).tolist() == [0, 0]
    assert standardised(np.array([one, one - 1e-4])).tolist() == [1, -1]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "scores", [[], [2.0], [3.0] * 7, [0.1] * 1000, [math.nan] * 3, [math.nan, 5.0], [-math.inf] * 2]
)
def test_a_lane_that_says_nothing_gives_zeros(scores: list[float]) -> None:
    assert standardised(np.array(scores, dtype=float)).tolist() == [0.0] * len(scores)


def test_when_nothing_is_counted_all_is_zero() -> None:
    assert standardised(np.array([1.0, 2.0]), np.zeros(2, bool)).tolist() == [0, 0]


def slow_parts(
    lanes: dict[str, np.ndarray], parameters: FusionParameters, known: float
) -> dict[str, list[float]]:
    """Weight by weight, document by document; all of the words lane is one part."""
    parts: dict[str, list[float]] = {}
    for name, scores in lanes.items():
        weight = parameters.weights.get(name, 0.0)
        if name == "bridge":
            weight *= 1 - known
        elif name in TEXT:
            weight *= known**parameters.coverage_power
        row = [weight * z for z in twin(scores.tolist(), [True] * len(scores))]
        label = "words" if name in TEXT else name
        before = parts.get(label, [0.0] * len(row))
        parts[label] = [a + b for a, b in zip(before, row, strict=True)]
    return parts


@settings(deadline=None)
@given(lanes_of(), st.floats(0, 1), st.sampled_from([0.0, 0.5, 1.0]))
def test_parts_equal_the_slow_ones_and_add_up(
    lanes: dict[str, np.ndarray], known: float, power: float
) -> None:
    parameters = FusionParameters(WEIGHTS, power)
    found = fuse(lanes, parameters, known)
    slow = slow_parts(lanes, parameters, known)
    assert found.keys() == slow.keys()
    for name, part in found.items():
        assert part.tolist() == pytest.approx(slow[name], abs=1e-6)
    summed = [
        sum(part[d] for part in found.values()) for d in range(len(next(iter(lanes.values()))))
    ]
    assert total(found).tolist() == pytest.approx(summed, abs=1e-9)


@settings(deadline=None)
@given(lanes_of(), st.floats(0, 1), st.data())
def test_leaving_out_a_lane_takes_away_its_part(
    lanes: dict[str, np.ndarray], known: float, data: st.DataObject
) -> None:
    parts = fuse(lanes, PARAMETERS, known)
    gone = data.draw(st.sampled_from(sorted(parts)))
    names = TEXT if gone == "words" else (gone,)
    rest = fuse({n: s for n, s in lanes.items() if n not in names}, PARAMETERS, known)
    assert {n: p.tolist() for n, p in rest.items()} == {
        n: p.tolist() for n, p in parts.items() if n != gone
    }
    if rest:
        assert (total(parts) - total(rest)).tolist() == pytest.approx(
            parts[gone].tolist(), abs=2e-9
        )


@settings(deadline=None)
@given(lanes_of(), st.randoms())
def test_the_order_of_lanes_and_documents_does_not_matter(
    lanes: dict[str, np.ndarray], random: Any
) -> None:
    before = total(fuse(lanes, PARAMETERS, 0.4))
    names, order = list(lanes), list(range(len(before)))
    random.shuffle(names)
    random.shuffle(order)
    after = total(fuse({n: lanes[n][order] for n in names}, PARAMETERS, 0.4))
    assert after.tolist() == pytest.approx(before[order].tolist(), abs=2e-6)


@settings(deadline=None)
@given(lanes_of())
def test_equal_documents_have_equal_scores(lanes: dict[str, np.ndarray]) -> None:
    twice = {name: np.concatenate([scores, scores]) for name, scores in lanes.items()}
    found = total(fuse(twice, PARAMETERS, 0.3))
    half = len(found) // 2
    assert np.array_equal(found[:half], found[half:])


def test_noise_in_the_last_digits_does_not_order_documents() -> None:
    scores = np.array([0.5, 0.5 + 1e-9, 0.1, 0.9])
    found = total(fuse({"dense": scores, "late": scores[::-1].copy()}, PARAMETERS, 1.0))
    assert found[0] == found[1] or abs(found[0] - found[1]) > 1e-6
    assert (
        fuse({"dense": scores}, PARAMETERS, 1.0)["dense"][0]
        == (fuse({"dense": scores}, PARAMETERS, 1.0)["dense"][1])
    )


def test_a_lane_without_weight_counts_nothing() -> None:
    scores = np.array([1.0, 2.0, 3.0])
    found = fuse({"dense": scores, "tags": scores}, PARAMETERS, 1.0)
    assert found["tags"].tolist() == [0, 0, 0]
    assert total(found).tolist() == found["dense"].tolist()


def test_words_speak_by_the_share_that_the_corpus_knows() -> None:
    scores = np.array([1.0, 2.0, 4.0])
    lanes = {"words": scores, "grams": scores, "dense": scores}
    full, quarter, none = (fuse(lanes, PARAMETERS, share) for share in (1.0, 0.25, 0.0))
    assert quarter["words"].tolist() == pytest.approx((full["words"] / 2).tolist(), abs=1e-6)
    assert none["words"].tolist() == [0, 0, 0]
    assert none["dense"].tolist() == quarter["dense"].tolist() == full["dense"].tolist()
    deaf = fuse(lanes, replace(PARAMETERS, coverage_power=0.0), 0.0)
    assert deaf["words"].tolist() == full["words"].tolist()


def test_grams_without_words_are_still_the_words_lane() -> None:
    scores = np.array([1.0, 2.0])
    assert list(fuse({"grams": scores}, PARAMETERS, 1.0)) == ["words"]
    assert fuse({"grams": scores}, PARAMETERS, 1.0)["words"].tolist() == [-0.4, 0.4]


def test_nothing_in_gives_nothing_out() -> None:
    assert fuse({}, PARAMETERS, 1.0) == {}
    empty = fuse({"dense": np.zeros(0), "late": np.zeros(0)}, PARAMETERS, 0.0)
    assert total(empty).shape == (0,)
