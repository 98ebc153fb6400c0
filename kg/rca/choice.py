"""The weights by which several kinds of evidence make one choice among many causes.

A conditional logit model (McFadden 1974, "Conditional logit analysis of qualitative choice
behavior"): every cause has the same few features, the score of a cause is their weighted sum, and
probabilities are the softmax of the scores. Weights are shared by all causes, so that a dozen
incidents are enough to learn them and a cause that only one case has profits from all others. An
incident with several causes counts as explained by any of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]

_STEPS = 200
_STILL = 1e-6


def probabilities(features: Scores, weights: Scores) -> Scores:
    """Softmax of the scores: features (…, causes, kinds) -> (…, causes)."""
    scores = features @ weights
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    chance: Scores = scores / scores.sum(axis=-1, keepdims=True)
    return chance


def regret(features: Scores, marks: Scores, weights: Scores) -> Scores:
    """Minus the logarithm of the probability that one of the true causes is chosen, (n,)."""
    right = (probabilities(features, weights) * marks).sum(axis=-1)
    return np.asarray(-np.log(np.maximum(right, 1e-300)), dtype=np.float64)


def fit_weights(
    features: Scores, marks: Scores, start: Scores, free: NDArray[np.bool_], ridge: float
) -> tuple[Scores, float]:
    """The weights, none below 0, that make the true causes likeliest, and the mean regret.

    Evidence that would have to speak against itself is noise, and gets 0. The rest as in
    `fit_freely`, which says what the arguments are.
    """
    weights, missed = fit_freely(features, marks, start, free, ridge)
    while (free & (weights < 0)).any():
        free, start = free & (weights > 0), np.where(free & (weights < 0), 0.0, start)
        weights, missed = fit_freely(features, marks, start, free, ridge)
    return weights, missed


def fit_freely(
    features: Scores, marks: Scores, start: Scores, free: NDArray[np.bool_], ridge: float
) -> tuple[Scores, float]:
    """The weights that make the true causes likeliest, and the mean regret that they reach.

    Each weight is held to its start by `ridge` times the variance of its feature, so that few
    examples move it little. Every step solves for an upper bound of the regret (expectation
    maximisation, with the true cause of an incident of several as what is hidden), halved until
    it gets better.

    Args:
        features: (n, causes, kinds).
        marks: true causes, (n, causes) of 0 and 1, at least one each.
        start: (kinds,).
        free: kinds whose weight may move, (kinds,).
        ridge: above 0.
    """
    if not len(features) or not free.any():
        return start, float(regret(features, marks, start).mean()) if len(features) else 0.0
    hold = ridge * (features[..., free].reshape(-1, int(free.sum())).var(axis=0) + 1e-6)
    weights, moved = start.copy(), features[..., free]

    def cost(candidate: Scores) -> float:
        away = candidate[free] - start[free]
        return float(regret(features, marks, candidate).sum() + 0.5 * (hold * away) @ away)

    value = cost(weights)
    for _ in range(_STEPS):
        chance = probabilities(features, weights)
        right = chance * marks
        right /= np.maximum(right.sum(axis=1, keepdims=True), 1e-300)
        slope = np.einsum("nc,nck->k", right - chance, moved)
        slope -= hold * (weights[free] - start[free])
        mean = np.einsum("nc,nck->nk", chance, moved)
        spread = (np.sqrt(chance)[..., None] * moved).reshape(-1, len(hold))
        bend = spread.T @ spread - mean.T @ mean + np.diag(hold)
        step = np.linalg.solve(bend, slope)
        after = weights.copy()
        after[free] += step
        while (reached := cost(after)) > value and np.abs(step).max() > _STILL:
            step = step / 2
            after = weights.copy()
            after[free] += step
        if reached > value:
            break
        weights, value = after, reached
        if np.abs(step).max() < _STILL:
            break
    return weights, float(regret(features, marks, weights).mean())
