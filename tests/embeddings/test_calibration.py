"""Calibrators against scikit-learn, and measures of trust against loops."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from embeddings.calibrate import (
    Logistic,
    auroc,
    expected_calibration_error,
    logistic_fit,
    risk_coverage,
    threshold_for_error,
)

SCORE = st.sampled_from([-3.0, -0.5, 0.0, 0.25, 0.5, 0.75, 1.0, 40.0]) | st.floats(-5, 5)
# (score, label, weight) rows
ROWS = st.lists(st.tuples(SCORE, st.integers(0, 1), st.integers(1, 4)), min_size=1, max_size=25)
GRID = np.linspace(-6, 6, 49)


def drawn(n: int = 400, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Scores 0 to 1 with labels whose odds rise with the score."""
    random = np.random.default_rng(seed)
    scores = random.random(n)
    return scores, (random.random(n) < 1 / (1 + np.exp(6 - 9 * scores))).astype(int)


# --- isotonic -----------------------------------------------------------------------------------


def slow_isotonic(labels: list[int]) -> list[float]:
    """The min-max formula: the best rising values of labels already in the order of scores."""
    n = len(labels)
    return [
        max(min(sum(labels[a:b]) / (b - a) for b in range(i + 1, n + 1)) for a in range(i + 1))
        for i in range(n)
    ]


# --- platt --------------------------------------------------------------------------------------


# --- both ---------------------------------------------------------------------------------------


# --- several features ---------------------------------------------------------------------------


@pytest.mark.parametrize("l2", [0.01, 1.0, 30.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_logistic_regression_equals_that_of_scikit_learn(l2: float, weighted: bool) -> None:
    from sklearn.linear_model import LogisticRegression

    random = np.random.default_rng(4)
    x = random.normal(size=(300, 3)) * [1, 100, 0.01] + [5, -300, 0]
    y = (random.random(300) < 1 / (1 + np.exp(-(x[:, 0] - 5 + (x[:, 1] + 300) / 80)))).astype(int)
    w = random.integers(1, 4, 300).astype(float) if weighted else np.ones(300)
    mean = np.average(x, axis=0, weights=w)
    scale = np.sqrt(np.average((x - mean) ** 2, axis=0, weights=w))
    judge = LogisticRegression(C=1 / l2, tol=1e-12, max_iter=10_000)
    judge.fit((x - mean) / scale, y, sample_weight=w)
    fitted = logistic_fit(x, y, l2, w if weighted else None)
    assert fitted.coefficients == pytest.approx((judge.coef_[0] / scale).tolist(), rel=1e-4)
    assert fitted.predict(x) == pytest.approx(
        judge.predict_proba((x - mean) / scale)[:, 1], abs=1e-5
    )


def test_coefficients_are_in_raw_units() -> None:
    scores, labels = drawn(500)
    one = logistic_fit(scores[:, None], labels)
    thousand = logistic_fit(scores[:, None] * 1000 + 7, labels)
    assert thousand.coefficients[0] == pytest.approx(one.coefficients[0] / 1000)
    assert thousand.predict(scores[:, None] * 1000 + 7) == pytest.approx(
        one.predict(scores[:, None])
    )


def test_at_the_optimum_the_mean_promise_is_the_share_of_ones() -> None:
    scores, labels = drawn(300)
    x = np.column_stack([scores, np.sin(9 * scores)])
    assert logistic_fit(x, labels, l2=5.0).predict(x).mean() == pytest.approx(labels.mean())


def test_a_feature_that_never_changes_counts_nothing() -> None:
    scores, labels = drawn(200)
    alone = logistic_fit(scores[:, None], labels)
    beside = logistic_fit(np.column_stack([scores, np.full(200, 0.1)]), labels)
    assert beside.coefficients == pytest.approx((alone.coefficients[0], 0.0))
    assert beside.intercept == pytest.approx(alone.intercept)


def test_labels_that_a_line_parts_and_features_far_apart_stay_finite() -> None:
    x = np.r_[np.zeros(20), np.ones(20)][:, None]
    fitted = logistic_fit(x * 1e6, [0] * 20 + [1] * 20, l2=1e-3)
    assert np.isfinite(fitted.coefficients).all()
    assert fitted.predict([[0.0], [1e6]]) == pytest.approx([0, 1], abs=0.01)


def test_more_l2_pulls_coefficients_down() -> None:
    scores, labels = drawn(200)
    sizes = [abs(logistic_fit(scores[:, None], labels, l2).coefficients[0]) for l2 in (0.1, 9, 900)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[2] < sizes[0] / 4


def test_no_features_give_the_share_of_ones() -> None:
    fitted = logistic_fit(np.zeros((4, 0)), [0, 1, 1, 1])
    assert fitted.predict(np.zeros((2, 0))) == pytest.approx([0.75, 0.75])


@pytest.mark.parametrize(
    ("x", "y", "l2"),
    [
        ([0.0, 1.0], [0, 1], 1.0),
        ([[0.0], [1.0]], [1, 1], 1.0),
        ([[0.0], [1.0]], [0, 1], 0.0),
        ([[0.0], [math.nan]], [0, 1], 1.0),
        ([[0.0], [1.0]], [0, 1, 1], 1.0),
        (np.zeros((0, 2)), [], 1.0),
    ],
)
def test_features_out_of_range_are_refused(x: Any, y: Any, l2: float) -> None:
    with pytest.raises(ValueError, match=r"need|must"):
        logistic_fit(x, y, l2)


def test_predicting_with_other_features_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\(n, 2\)"):
        Logistic((1.0, 2.0), 0.0).predict([[1.0]])


# --- measures of trust --------------------------------------------------------------------------

TRUST = st.lists(
    st.tuples(st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0]) | st.floats(0, 1), st.integers(0, 1)),
    min_size=1,
    max_size=40,
)


def slow_ece(p: list[float], y: list[int], bins: int) -> float:
    """Bins of equal size, in order; each example has the mean label of its probability."""
    shared = []
    for value in p:
        same = [label for other, label in zip(p, y, strict=True) if other == value]
        shared.append((value, sum(same) / len(same)))
    shared.sort()
    n, total = len(p), 0.0
    bins = min(bins, n)
    start = 0
    for number in range(bins):
        size = n // bins + (number < n % bins)
        part = shared[start : start + size]
        start += size
        promised = sum(value for value, _ in part) / size
        came = sum(label for _, label in part) / size
        total += size / n * abs(promised - came)
    return total


@settings(deadline=None)
@given(TRUST, st.integers(1, 12), st.randoms())
def test_calibration_error_equals_the_slow_one(rows: Any, bins: int, random: Any) -> None:
    p, y = (list(column) for column in zip(*rows, strict=True))
    found = expected_calibration_error(p, y, bins)
    assert found == pytest.approx(slow_ece(p, y, bins), abs=1e-9)
    random.shuffle(rows)
    assert expected_calibration_error(*zip(*rows, strict=True), bins) == pytest.approx(found)
    assert 0 <= found <= 1


def test_calibration_error_by_hand() -> None:
    assert expected_calibration_error([0.25] * 4, [1, 0, 0, 0]) == pytest.approx(0)
    assert expected_calibration_error([0.9] * 4, [1, 0, 0, 0]) == pytest.approx(0.65)
    assert expected_calibration_error([0.0, 1.0], [1, 0]) == 1
    # In one bin the errors cancel, in two they do not.
    assert expected_calibration_error([0.2, 0.8], [1, 0], bins=1) == pytest.approx(0)
    assert expected_calibration_error([0.2, 0.8], [1, 0], bins=2) == pytest.approx(0.8)


def test_bins_hold_equally_many() -> None:
    # 90 of 100 lie below 0.1: in spans of equal width their errors up and down would cancel.
    p = np.r_[np.full(45, 0.01), np.full(45, 0.09), np.full(10, 0.95)]
    y = np.r_[np.zeros(45), np.zeros(45), np.ones(10)]
    assert expected_calibration_error(p, y) == pytest.approx(0.45 * 0.01 + 0.45 * 0.09 + 0.1 * 0.05)


@settings(deadline=None)
@given(TRUST)
def test_auroc_equals_that_of_scikit_learn_and_of_a_loop(rows: Any) -> None:
    from sklearn.metrics import roc_auc_score

    scores, labels = zip(*rows, strict=True)
    assume(len(set(labels)) == 2)
    ones = [s for s, label in rows if label]
    zeros = [s for s, label in rows if not label]
    slow = sum((a > b) + (a == b) / 2 for a in ones for b in zeros) / (len(ones) * len(zeros))
    found = auroc(scores, labels)
    assert found == pytest.approx(slow)
    assert found == pytest.approx(roc_auc_score(labels, scores))
    assert auroc([-s for s in scores], labels) == pytest.approx(1 - found)


@settings(deadline=None)
@given(TRUST)
def test_risk_and_coverage_equal_a_loop(rows: Any) -> None:
    p, correct = zip(*rows, strict=True)
    coverage, risk = risk_coverage(p, correct)
    thresholds = sorted(set(p), reverse=True)
    assert len(coverage) == len(risk) == len(thresholds)
    for at, threshold in enumerate(thresholds):
        answered = [c for value, c in rows if value >= threshold]
        assert coverage[at] == pytest.approx(len(answered) / len(rows))
        assert risk[at] == pytest.approx(answered.count(0) / len(answered))
    assert coverage[-1] == 1
    assert (np.diff(coverage) > 0).all()


@settings(deadline=None)
@given(TRUST, st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0]))
def test_the_threshold_is_the_lowest_that_keeps_its_word(rows: Any, error: float) -> None:
    p, y = zip(*rows, strict=True)
    found = threshold_for_error(p, y, error)
    keeping = []
    for threshold in set(p):
        answered = [label for value, label in rows if value >= threshold]
        if answered.count(0) <= error * len(answered) + 1e-12:
            keeping.append(threshold)
    assert found == min(keeping, default=None)


def test_thresholds_by_hand() -> None:
    p, y = [0.9, 0.8, 0.7, 0.6, 0.5], [1, 0, 1, 1, 0]
    assert threshold_for_error(p, y, 0) == 0.9
    assert threshold_for_error(p, y, 0.25) == 0.6  # not 0.9, though 0.8 alone would break it
    assert threshold_for_error(p, y, 0.4) == 0.5
    assert threshold_for_error([0.9, 0.8], [0, 1], 0.2) is None
    assert threshold_for_error([0.9, 0.9], [0, 1], 0.2) is None


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (lambda: expected_calibration_error([], []), "as many"),
        (lambda: expected_calibration_error([0.5], [1], bins=0), "bin"),
        (lambda: expected_calibration_error([1.5], [1]), "within 0 to 1"),
        (lambda: auroc([0.5, 0.6], [1, 1]), "both labels"),
        (lambda: auroc([0.5], [0, 1]), "as many"),
        (lambda: risk_coverage([], []), "as many"),
        (lambda: risk_coverage([math.nan], [1]), "finite"),
        (lambda: threshold_for_error([0.5], [1], 1.5), "error"),
        (lambda: threshold_for_error([0.5], [2], 0.5), "labels"),
    ],
)
def test_what_cannot_be_told_is_refused(call: Any, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        call()
