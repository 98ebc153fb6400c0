"""From shares of a choice to probabilities that hold: fitted on cases that were left out.

A softmax spreads one choice over many causes, while an incident may have several, and evidence that
is counted twice makes it too sure. A logistic function of the log-odds (Platt 1999) sets both
right; it keeps the order.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]

_LEAST = 1e-6
_STEPS = 50
_HOLD = 1.0
"""How firmly the function is held to that of no data."""


class Trust:
    """``1 / (1 + exp(-(shift + slope * log-odds)))`` of a share.

    Attributes:
        shift, slope: 0 and 1 leave a share as it is; the slope is never below 0.
    """

    def __init__(self, shift: float = 0.0, slope: float = 1.0) -> None:
        self.shift, self.slope = shift, slope

    def __call__(self, shares: Scores) -> Scores:
        """Probabilities of shares from 0 to 1; of 0 always 0."""
        value = self.shift + self.slope * log_odds(shares)
        chance: Scores = np.where(shares > 0, _sigmoid(value), 0.0)
        return chance

    @classmethod
    def fitted(cls, odds: Scores, right: Scores, weights: Scores | None = None) -> Trust:
        """The function that makes the labels `right` (n,) likeliest, from log-odds (n,).

        Newton's method with a ridge towards shift 0 and slope 1. `weights`: how often each
        example counts, (n,); once where not given.
        """
        often = np.ones(len(odds)) if weights is None else weights
        beta = np.array([0.0, 1.0])
        start = beta.copy()
        x = np.stack([np.ones(len(odds)), odds], axis=1)
        for _ in range(_STEPS):
            chance = _sigmoid(x @ beta)
            slope = x.T @ (often * (right - chance)) - _HOLD * (beta - start)
            bend = (x * (often * chance * (1 - chance))[:, None]).T @ x + _HOLD * np.eye(2)
            step = np.linalg.solve(bend, slope)
            beta = beta + step * min(1.0, 2.0 / max(1e-12, float(np.abs(step).max())))
            if np.abs(step).max() < 1e-9:
                break
        return cls(float(beta[0]), max(0.0, float(beta[1])))


def log_odds(shares: Scores) -> Scores:
    """The logarithm of p / (1 - p), held off both ends."""
    held = np.clip(shares, _LEAST, 1 - _LEAST)
    odds: Scores = np.log(held) - np.log1p(-held)
    return odds


def _sigmoid(value: Scores) -> Scores:
    chance: Scores = 1.0 / (1.0 + np.exp(-np.clip(value, -40.0, 40.0)))
    return chance
