"""Ridge regression on cases, against solving the equations and against learning anew."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from kg.rca.ridge import Ridge

Scores = NDArray[np.float64]


def data(cases: int, columns: int, outputs: int = 3, seed: int = 0) -> tuple[Scores, Scores]:
    random = np.random.default_rng(seed)
    targets = random.normal(size=(cases, outputs))
    return random.normal(size=(cases, columns)), targets - targets.mean(axis=0)


def solved(rows: Scores, targets: Scores, strength: float, points: Scores) -> Scores:
    """Prediction by the normal equations (Hoerl & Kennard 1970)."""
    left = rows.T @ rows + strength * np.eye(rows.shape[1])
    return np.asarray(points @ np.linalg.solve(left, rows.T @ targets))


SHAPES = [(6, 20), (20, 6), (9, 9), (1, 4), (4, 1)]


@pytest.mark.parametrize(("cases", "columns"), SHAPES)
@pytest.mark.parametrize("strength", [0.1, 3.0, 100.0])
def test_predictions_solve_the_normal_equations(cases: int, columns: int, strength: float) -> None:
    rows, targets = data(cases, columns)
    points = data(5, columns, seed=1)[0]
    fit = Ridge(rows).solve(targets, strength)
    assert fit.at(points) == pytest.approx(solved(rows, targets, strength, points), abs=1e-9)


@pytest.mark.parametrize(("cases", "columns"), SHAPES)
def test_leaving_a_case_out_is_learning_without_it(cases: int, columns: int) -> None:
    rows, targets = data(cases, columns)
    points = data(cases, columns, seed=2)[0]
    numbers = np.arange(cases)
    found = Ridge(rows).solve(targets, 0.7).without(points, numbers)
    for i in numbers:
        kept = numbers != i
        alone = solved(rows[kept], targets[kept], 0.7, points[i : i + 1])
        assert found[i] == pytest.approx(alone[0], abs=1e-8)


def test_a_case_may_be_left_out_at_several_points() -> None:
    rows, targets = data(5, 12)
    points = data(3, 12, seed=4)[0]
    found = Ridge(rows).solve(targets, 1.0).without(points, np.array([2, 2, 4]))
    kept = np.array([True, True, False, True, True])
    expected = solved(rows[kept], targets[kept], 1.0, points[:2])
    assert found[:2] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("cases", "columns"), SHAPES)
def test_what_each_case_adds_makes_the_prediction(cases: int, columns: int) -> None:
    rows, targets = data(cases, columns)
    point = data(1, columns, seed=3)[0][0]
    fit = Ridge(rows).solve(targets, 2.0)
    added = fit.likeness(point)[:, None] * fit.coefficients
    assert added.sum(axis=0) == pytest.approx(fit.at(point[None])[0], abs=1e-9)
    assert fit.likeness(point) == pytest.approx(rows @ point, abs=1e-8)


def test_cases_that_are_all_alike_predict_their_mean_everywhere() -> None:
    rows = np.ones((4, 3))
    targets = np.array([[1.0], [-1.0], [2.0], [-2.0]])
    fit = Ridge(rows).solve(targets, 1.0)
    assert fit.at(np.ones((1, 3))) == pytest.approx(np.zeros((1, 1)), abs=1e-9)


@pytest.mark.parametrize("shape", [(0, 4), (4, 0), (0, 0)])
def test_nothing_to_learn_from_predicts_nothing(shape: tuple[int, int]) -> None:
    fit = Ridge(np.zeros(shape)).solve(np.zeros((shape[0], 2)), 1.0)
    assert fit.at(np.ones((3, shape[1]))).tolist() == [[0.0, 0.0]] * 3
    assert fit.likeness(np.ones(shape[1])).tolist() == [0.0] * shape[0]


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 12), st.integers(1, 12), st.floats(0.05, 50), st.randoms())
def test_the_order_of_cases_does_not_matter(
    cases: int, columns: int, strength: float, random: object
) -> None:
    rows, targets = data(cases, columns, seed=cases * 13 + columns)
    order = np.random.default_rng(cases).permutation(cases)
    points = data(2, columns, seed=9)[0]
    one = Ridge(rows).solve(targets, strength).at(points)
    other = Ridge(rows[order]).solve(targets[order], strength).at(points)
    assert one == pytest.approx(other, abs=1e-8)
