"""Answers that are not all the same one: near-duplicates folded, and diversity on request."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Scores = NDArray[np.float64]
    Rows = NDArray[np.int64]

DUPLICATE = 0.97
"""Cosine of the mean passages of two documents from which they tell the same twice. Two cases of
the shipped library, all different, reach 0.73 at most."""


def mean_vectors(vectors: Floats, bounds: Rows) -> Floats:
    """The mean direction of each document's passages, unit length: float32 (documents, dimension).

    Args:
        vectors: of the passages, (passages, dimension).
        bounds: passages `bounds[i]` to `bounds[i + 1]` are those of document i.

    A document without passages is all zeros, and so like nothing.
    """
    cumulative = np.concatenate([np.zeros((1, vectors.shape[1])), np.cumsum(vectors, axis=0)])
    sums = cumulative[bounds[1:]] - cumulative[bounds[:-1]]
    length = np.linalg.norm(sums, axis=1, keepdims=True)
    means = np.divide(sums, length, out=np.zeros_like(sums), where=length > 0)
    result: Floats = means.astype(np.float32)
    return result


def diverse(scores: Sequence[float], vectors: Floats, count: int, weight: float) -> list[int]:
    """The order in which to show candidates: near the query, but not what was just shown.

    Maximal marginal relevance (Carbonell & Goldstein 1998): the next one has the largest
    ``(1 - weight) x relevance - weight x likeness to the most like one already shown``, with
    relevance scaled to 0 to 1 over the candidates.

    Args:
        scores: of the candidates, best first.
        vectors: of the candidates, unit length, (candidates, dimension).
        count: how many to choose.
        weight: 0 keeps the order, 1 looks at likeness only.

    Raises:
        ValueError: weight is not within 0 to 1.
    """
    if not 0 <= weight <= 1:
        raise ValueError(f"diversity must be a number from 0 to 1, not {weight}")
    values = np.asarray(scores, dtype=np.float64)
    if not len(values):
        return []
    spread = float(np.ptp(values)) or 1.0
    relevance = (values - values.min()) / spread
    like = vectors.astype(np.float64) @ vectors.T.astype(np.float64)
    chosen: list[int] = []
    nearest = np.zeros(len(values))
    while len(chosen) < min(count, len(values)):
        gain = (1 - weight) * relevance - weight * nearest
        gain[chosen] = -np.inf
        best = int(np.argmax(gain))
        chosen.append(best)
        nearest = np.maximum(nearest, like[best])
    return chosen


def folded(vectors: Floats, threshold: float = DUPLICATE) -> list[int]:
    """For each candidate, best first, the one it repeats: its own number where it repeats none.

    A candidate repeats the first one before it that stands for itself and is at least so like it.
    """
    owner = list(range(len(vectors)))
    alike = np.tril(vectors @ vectors.T >= threshold, -1)
    for number in np.flatnonzero(alike.any(axis=1)).tolist():
        same = [i for i in np.flatnonzero(alike[number]).tolist() if owner[i] == i]
        owner[number] = same[0] if same else number
    return owner
