"""Scores -> probabilities, and how far they can be trusted.

`logistic_fit` gives the probability that a label is 1 (1: relevant, 0: not) from one feature or
several: Platt 1999, "Probabilistic outputs for support vector machines", with a penalty in place of
his smoothed targets.

Measures of trust: `expected_calibration_error` (Guo et al. 2017, "On calibration of modern neural
networks"), `auroc` (Hanley & McNeil 1982), `risk_coverage` (El-Yaniv & Wiener 2010, "On the
foundations of noise-free selective classification") and `threshold_for_error`.

Weights count an example as that many; doubling an example's weight and giving it twice are one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

_STEPS = 100  # Newton needs below ten; more means that there is no finite optimum
_STILL = 1e-10  # a step below this, in units of a feature's deviation, is an arrival


@dataclass(frozen=True)
class Logistic:
    """``1 / (1 + exp(-(features @ coefficients + intercept)))``.

    Attributes:
        coefficients: one per feature, per raw unit of it.
        intercept: log-odds where all features are 0.
    """

    coefficients: tuple[float, ...]
    intercept: float

    def predict(self, features: ArrayLike) -> Floats:
        """Probabilities (n,) for features (n, d).

        Raises:
            ValueError: another number of features than fitted, or one that is not finite.
        """
        x = _finite(features, "features")
        if x.ndim != 2 or x.shape[1] != len(self.coefficients):
            raise ValueError(f"features need (n, {len(self.coefficients)}), got {x.shape}")
        return _sigmoid(x @ np.array(self.coefficients) + self.intercept)


def logistic_fit(
    features: ArrayLike, labels: ArrayLike, l2: float = 1.0, weights: ArrayLike | None = None
) -> Logistic:
    """Logistic regression by Newton's method (iteratively reweighted least squares).

    Minimises the weighted log loss plus ``l2 / 2`` times the squared coefficients of features
    brought to mean 0 and deviation 1; the intercept is free. A feature that never changes gets 0.

    Args:
        features: (n, d), any finite numbers.
        labels: (n,), each 0 or 1, both present.
        l2: above 0, so that labels which a line parts still have a finite answer.
        weights: (n,), 0 or above; 1 each where not given.

    Returns:
        Coefficients in the raw units of the features.

    Raises:
        ValueError: arrays of other shapes or out of their range, or only one label.
    """
    x = _finite(features, "features")
    if x.ndim != 2:
        raise ValueError(f"features need (n, d), got {x.shape}")
    _, y, w = _examples(np.zeros(len(x)), labels, weights)
    if not 0 < l2 < math.inf or not 0 < w @ y < w.sum():
        raise ValueError(f"need both labels and an l2 above 0, got l2 {l2}")
    coefficients, intercept = _raw(x, y, w, l2)
    return Logistic(tuple(coefficients.tolist()), intercept)


def expected_calibration_error(p: ArrayLike, y: ArrayLike, bins: int = 10) -> float:
    """Mean gap between what was promised and what came true: 0 to 1.

    Bins hold equally many examples (equal mass, as in Nguyen & O'Connor 2015), not equally wide
    spans of probability as in Guo et al.: where most probabilities are low, wide spans leave all
    but one bin nearly empty. Examples of equal probability share their mean label, so that a bin's
    edge among them does not make the figure hang on their order.

    Args:
        p: probabilities (n,), 0 to 1.
        y: labels (n,), each 0 or 1.
        bins: number of bins; fewer where there are fewer examples.

    Raises:
        ValueError: arrays that are empty, of other lengths, or out of their range; no bins.
    """
    promised, came, _ = _examples(p, y, None)
    if bins < 1 or promised.min() < 0 or promised.max() > 1:
        raise ValueError("need at least one bin, and probabilities within 0 to 1")
    _, group, count = np.unique(promised, return_inverse=True, return_counts=True)
    gap = promised - (np.bincount(group, weights=came) / count)[group]
    parts = np.array_split(gap[np.argsort(promised, kind="stable")], min(bins, len(gap)))
    return float(sum(abs(part.sum()) for part in parts) / len(gap))


def auroc(scores: ArrayLike, labels: ArrayLike) -> float:
    """Chance that an example of label 1 scores above one of label 0, equal scores counting half.

    Raises:
        ValueError: arrays of other lengths or out of their range, or only one label.
    """
    x, y, _ = _examples(scores, labels, None)
    ones, zeros = float(y.sum()), float((1 - y).sum())
    if not ones or not zeros:
        raise ValueError("auroc needs examples of both labels")
    _, group, count = np.unique(x, return_inverse=True, return_counts=True)
    below = np.cumsum(count) - count
    ranks = (below + (count + 1) / 2)[group]  # the mean rank of equal scores, from 1
    return float((ranks @ y - ones * (ones + 1) / 2) / (ones * zeros))


def risk_coverage(p: ArrayLike, correct: ArrayLike) -> tuple[Floats, Floats]:
    """Share answered, and share wrong among those, as the threshold on `p` comes down.

    One point for every distinct value of `p`, highest first: a threshold cannot part equal ones.

    Args:
        p: confidence (n,), any finite numbers.
        correct: (n,), 1 where the answer was right, else 0.

    Returns:
        Coverage, rising to 1, and risk, 0 to 1: float64 (k,) each.

    Raises:
        ValueError: arrays that are empty, of other lengths, or out of their range.
    """
    _, coverage, risk = _curve(p, correct)
    return coverage, risk


def threshold_for_error(p: ArrayLike, y: ArrayLike, error: float) -> float | None:
    """The smallest value of `p` such that, of all examples at or above it, few enough are wrong.

    The share of wrong ones need not fall as the threshold rises; this is the lowest threshold
    that keeps the promise on these examples. Check it on others.

    Args:
        p: confidence (n,), any finite numbers.
        y: (n,), 1 where the answer was right, else 0.
        error: largest share of wrong ones among those answered, 0 to 1.

    Returns:
        The threshold, or None where no threshold does it: then nothing should be answered.

    Raises:
        ValueError: arrays that are empty, of other lengths, or a number out of its range.
    """
    if not 0 <= error <= 1:
        raise ValueError(f"error must lie within 0 to 1, got {error}")
    thresholds, _, risk = _curve(p, y)
    kept = np.flatnonzero(risk <= error)
    return float(thresholds[kept[-1]]) if len(kept) else None


def _curve(p: ArrayLike, correct: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Distinct values of p, highest first, with coverage and risk at each."""
    x, y, _ = _examples(p, correct, None)
    values, group, count = np.unique(-x, return_inverse=True, return_counts=True)
    answered = np.cumsum(count)
    wrong = np.cumsum(np.bincount(group, weights=1 - y))
    return -values, answered / len(x), wrong / answered


def _raw(x: Floats, targets: Floats, w: Floats, l2: float) -> tuple[Floats, float]:
    """Coefficients and intercept in raw units, fitted in standard ones (targets 0 to 1)."""
    mean = w @ x / w.sum()
    scale = np.sqrt(w @ (x - mean) ** 2 / w.sum())
    # A feature that differs by no more than rounding does not differ.
    flat = scale <= 1e-12 * (1 + np.abs(mean))
    scale[flat] = 1.0
    standard = np.where(flat, 0.0, (x - mean) / scale)
    beta = _newton(np.column_stack([standard, np.ones(len(x))]), targets, w, l2)
    coefficients = np.where(flat, 0.0, beta[:-1] / scale)
    return coefficients, float(beta[-1] - coefficients @ mean)


def _newton(design: Floats, targets: Floats, w: Floats, l2: float) -> Floats:
    """The weights of the columns that minimise the loss; the last is the intercept, unpenalised."""
    penalty = np.full(design.shape[1], l2)
    penalty[-1] = 0.0

    def loss(beta: Floats) -> float:
        """Weighted log loss with its penalty; not the mean but the sum."""
        z = design @ beta
        return float(w @ (np.logaddexp(0, z) - targets * z) + penalty @ beta**2 / 2)

    beta = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        p = _sigmoid(design @ beta)
        slope = design.T @ (w * (p - targets)) + penalty * beta
        curvature = (design.T * (w * p * (1 - p))) @ design + np.diag(penalty)
        # lstsq rather than solve: a column of zeros without penalty has no curvature.
        step: Floats = np.linalg.lstsq(curvature, slope, rcond=None)[0].astype(np.float64)
        while loss(beta - step) > loss(beta) * (1 + 1e-12) and np.abs(step).max() > _STILL:
            step = step / 2
        beta = beta - step
        if np.abs(step).max() <= _STILL:
            break
    return beta


def _sigmoid(z: Floats) -> Floats:
    """``1 / (1 + exp(-z))`` by way of tanh, which does not overflow."""
    return 0.5 + 0.5 * np.tanh(z / 2)


def _examples(
    scores: ArrayLike, labels: ArrayLike, weights: ArrayLike | None
) -> tuple[Floats, Floats, Floats]:
    """Scores, labels and weights as float64 (n,), checked."""
    x, y = _finite(scores, "scores"), _finite(labels, "labels")
    w = np.ones(len(x)) if weights is None else _finite(weights, "weights")
    if x.ndim != 1 or not len(x) or x.shape != y.shape or x.shape != w.shape:
        raise ValueError(f"need as many scores, labels, weights: {x.shape}, {y.shape}, {w.shape}")
    if not np.isin(y, (0.0, 1.0)).all() or w.min() < 0 or not w.any():
        raise ValueError("labels must be 0 or 1, weights 0 or above and not all 0")
    return x, y, w


def _finite(values: ArrayLike, what: str) -> Floats:
    numbers = np.asarray(values, dtype=np.float64)
    if not np.isfinite(numbers).all():
        raise ValueError(f"{what} must be finite numbers")
    return numbers
