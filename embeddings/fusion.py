"""Several lanes -> one score, whose parts add up.

Each lane is standardised within the query: how many standard deviations a document stands above
the mean document (the Z-score fusion of Wu 2012, "Data fusion in information retrieval",
section 2.2). Raw values of lanes are not comparable, and ranks alone (Cormack et al. 2009,
reciprocal rank fusion) forget by how much a document leads, which cost half of the recall across
languages. The words lane speaks by how much of the query the corpus knows, see `speaks`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from embeddings.fitted import FusionParameters

    Scores = NDArray[np.float64]
    Mask = NDArray[np.bool_]

BRIDGE = "bridge"
"""The words of the query in the other language, see `embeddings.lexicon`."""
WORD_LANES = ("words", "grams", BRIDGE)
"""What is told as `words`."""
_FLAT = 1e-6
"""Lanes are float32 at heart: what differs by less than this is rounding, not a difference."""
_DIGITS = 6


def standardised(scores: Scores, counted: Mask | None = None) -> Scores:
    """Scores as standard deviations above their mean: float64 (n,).

    Args:
        scores: (n,); NaN means that the lane did not look at the document: it counts as the
            lowest that it did look at.
        counted: (n,) documents that mean and deviation are taken over; all where not given. The
            query's own document would move both.

    A lane that says the same of all documents, or of none, gives zeros.
    """
    finite = np.isfinite(scores)
    whole = bool(finite.all())
    seen = scores if whole and counted is None else scores[_both(finite, counted)]
    if not len(seen):
        return np.zeros(len(scores))
    middle = seen.sum() / len(seen)
    apart = seen - middle
    deviation = math.sqrt(apart @ apart / len(seen))
    if deviation < _FLAT:
        return np.zeros(len(scores))
    known = scores if whole else np.where(finite, scores, seen.min())
    result: Scores = (known - middle) / deviation
    return result


def _both(finite: Mask, counted: Mask | None) -> Mask:
    return finite if counted is None else finite & counted


def fuse(
    lanes: Mapping[str, Scores],
    parameters: FusionParameters,
    known_share: float,
    counted: Mask | None = None,
) -> dict[str, Scores]:
    """What each lane adds to the score of each document; sum them for the score.

    Args:
        lanes: raw scores by lane, (n,) each; a lane without a weight counts nothing.
        parameters: weights, and how the words lane is held down.
        known_share: share of the query's words that the corpus knows, 0 to 1.
        counted: see `standardised`.

    Parts are rounded, so that equal documents stay equal, and `grams` and `bridge` are added to
    `words`: all are the words lane.
    """
    parts: dict[str, Scores] = {}
    for lane, scores in lanes.items():
        weight = parameters.weights.get(lane, 0.0) * speaks(lane, known_share, parameters)
        name = "words" if lane in WORD_LANES else lane
        part = weight * standardised(scores, counted)
        parts[name] = parts[name] + part if name in parts else part
    return {name: np.round(part, _DIGITS) for name, part in parts.items()}


def speaks(lane: str, known_share: float, parameters: FusionParameters) -> float:
    """How far a lane is heard for a query, 0 to 1.

    Words and letter grams by the share of the query's words that the corpus knows, to the fitted
    power; their translations by the share that it does not know; the others always.
    """
    if lane == BRIDGE:
        return 1 - known_share
    return known_share**parameters.coverage_power if lane in WORD_LANES else 1.0


def total(parts: Mapping[str, Scores]) -> Scores:
    """The scores: the sum of their parts, rounded as they are."""
    summed: Scores = np.round(np.sum(list(parts.values()), axis=0), _DIGITS)
    return summed
