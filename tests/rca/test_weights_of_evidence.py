"""The weights of evidence: probabilities of choices, and what makes the true causes likeliest."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray

from kg.rca.choice import fit_freely, fit_weights, probabilities, regret

Scores = NDArray[np.float64]


def world(n: int = 60, causes: int = 5, seed: int = 0) -> tuple[Scores, Scores]:
    """Features (n, causes, 3): the first tells, the second tells less, the third nothing."""
    random = np.random.default_rng(seed)
    features = random.normal(size=(n, causes, 3))
    scores = features @ np.array([2.0, 0.7, 0.0]) + random.gumbel(size=(n, causes))
    marks = np.zeros((n, causes))
    marks[np.arange(n), scores.argmax(axis=1)] = 1.0
    return features, marks


FREE = np.array([True, True, True])
ZERO = np.zeros(3)


def slow_regret(features: Scores, marks: Scores, weights: Scores) -> list[float]:
    found = []
    for row, true in zip(features.tolist(), marks.tolist(), strict=True):
        scores = [sum(w * f for w, f in zip(weights, kinds, strict=True)) for kinds in row]
        whole = sum(math.exp(s) for s in scores)
        right = sum(math.exp(s) * t for s, t in zip(scores, true, strict=True))
        found.append(-math.log(right / whole))
    return found


def test_probabilities_are_a_softmax_that_adds_up() -> None:
    features, _ = world()
    chance = probabilities(features, np.array([1.0, -2.0, 0.5]))
    assert chance.sum(axis=1) == pytest.approx(np.ones(len(chance)))
    first = [math.exp(f @ np.array([1.0, -2.0, 0.5])) for f in features[0]]
    assert chance[0] == pytest.approx(np.array(first) / sum(first))


def test_scores_that_are_very_large_do_not_overflow() -> None:
    chance = probabilities(np.array([[[1e4], [0.0]]]), np.array([10.0]))
    assert chance.tolist() == [[1.0, 0.0]]


def test_regret_is_the_logarithm_of_the_chance_of_any_true_cause() -> None:
    features, marks = world(12)
    marks[3, :] = [1, 1, 0, 0, 0]
    weights = np.array([0.4, 0.1, -0.3])
    assert regret(features, marks, weights) == pytest.approx(slow_regret(features, marks, weights))


def test_no_weights_nearby_are_better() -> None:
    features, marks = world()
    marks[::7] = np.minimum(1.0, marks[::7] + np.eye(5)[2])
    found, _ = fit_freely(features, marks, ZERO, FREE, ridge=0.5)
    hold = 0.5 * (features.reshape(-1, 3).var(axis=0) + 1e-6)

    def cost(weights: Scores) -> float:
        return sum(slow_regret(features, marks, weights)) + 0.5 * float(hold @ weights**2)

    best = cost(found)
    for step in itertools.product((-0.02, 0.0, 0.02), repeat=3):
        assert cost(found + np.array(step)) >= best - 1e-6


def test_what_tells_gets_weight_and_what_does_not_gets_next_to_none() -> None:
    found, _ = fit_weights(*world(400), ZERO, FREE, ridge=1.0)
    assert found[0] == pytest.approx(2.0, abs=0.4)
    assert found[1] == pytest.approx(0.7, abs=0.3)
    assert found[2] == pytest.approx(0.0, abs=0.2)


def test_the_mean_regret_is_told_and_better_than_at_the_start() -> None:
    features, marks = world()
    found, missed = fit_weights(features, marks, ZERO, FREE, ridge=1.0)
    assert missed == pytest.approx(float(np.mean(slow_regret(features, marks, found))))
    assert missed < math.log(5)


def test_evidence_never_speaks_against_itself() -> None:
    features, marks = world(200)
    features[..., 1] *= -1.0
    freely, _ = fit_freely(features, marks, ZERO, FREE, ridge=1.0)
    found, _ = fit_weights(features, marks, ZERO, FREE, ridge=1.0)
    assert freely[1] < 0
    assert found[1] == 0.0
    assert found[0] > 1.0


def test_weights_that_are_not_free_stay() -> None:
    start = np.array([0.0, 0.25, -1.0])
    found, _ = fit_weights(*world(), start, np.array([True, False, False]), ridge=1.0)
    assert found[1:].tolist() == [0.25, -1.0]
    assert found[0] > 0


def test_a_firmer_hold_keeps_weights_nearer_to_where_they_began() -> None:
    start = np.array([0.5, 0.5, 0.5])
    away = [
        float(np.abs(fit_weights(*world(), start, FREE, ridge)[0] - start).max())
        for ridge in (0.1, 10.0, 1e5)
    ]
    assert away[0] > away[1] > away[2]
    assert away[2] < 0.01


def test_few_examples_move_weights_little() -> None:
    start = np.array([0.3, 0.3, 0.3])
    moved = [
        float(np.abs(fit_weights(*world(n), start, FREE, ridge=20.0)[0] - start).max())
        for n in (2, 20, 400)
    ]
    assert moved[0] < moved[1] < moved[2]
    assert moved[0] < 0.3 < 1.0 < moved[2]


def test_no_examples_leave_the_start() -> None:
    start = np.array([0.3, 0.2, 0.1])
    found, missed = fit_weights(np.zeros((0, 4, 3)), np.zeros((0, 4)), start, FREE, ridge=1.0)
    assert found.tolist() == start.tolist()
    assert missed == 0.0


def test_the_order_of_examples_does_not_matter() -> None:
    features, marks = world()
    one = fit_weights(features, marks, ZERO, FREE, ridge=1.0)[0]
    other = fit_weights(features[::-1], marks[::-1], ZERO, FREE, ridge=1.0)[0]
    assert one == pytest.approx(other, abs=1e-6)
