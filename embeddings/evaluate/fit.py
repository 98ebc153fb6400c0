"""Weights of the lanes, fitted on sets that people judged.

The aim is the mean over sets of nDCG@10, each set counting once however large it is, so that what
is found is good for the next set. Whether it is, leaving each set out in turn tells.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from embeddings.evaluate.measures import lots
from embeddings.fusion import speaks, standardised

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from embeddings.fitted import FusionParameters
    from embeddings.retriever import Ranking

    Scores = NDArray[np.float64]
    Mask = NDArray[np.bool_]

GRID = (0.0, 0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8)
"""Weights that are tried, relative to those of the words, which stay."""
POWERS = (0.0, 0.25, 0.5, 0.75, 1.0)
FIXED = "words"
"""The lane whose weight stays 1: only ratios count."""
_ROUNDS = 3
_DEPTH = 10
_BETTER = 5e-4  # less than this is no reason to change a weight


@dataclass(frozen=True)
class JudgedRanking:
    """One query of a set: its lanes, standardised, and the gain of each document.

    Attributes:
        lanes: (documents,) each.
        known_share: share of the query's words that the corpus knows.
        gains: ``2^grade - 1`` of each document, (documents,).
        ideal: the discounted gain of the best order.
        answers: documents that may be answers, (documents,).
    """

    lanes: Mapping[str, Scores]
    known_share: float
    gains: Scores
    ideal: float
    answers: Mask


def judged(
    ranking: Ranking, grades: Mapping[str, int], ids: Sequence[str], own: str = ""
) -> JudgedRanking:
    """A ranking with its judgements; `own` is the id of a document that is the query itself.

    Raises:
        ValueError: no grade of another document is above 0.
    """
    answers = np.array([i != own for i in ids], dtype=bool)
    gains = np.array([2.0 ** grades.get(i, 0) - 1 if i != own else 0.0 for i in ids])
    best = sorted((2.0**g - 1 for i, g in grades.items() if i != own), reverse=True)[:_DEPTH]
    if not any(gain > 0 for gain in best):
        raise ValueError("no grade above 0: a query that nothing answers has no nDCG")
    order = np.argsort(lots(tuple(ids)))  # equal scores stand as where they are measured
    lanes = {name: standardised(lane, answers)[order] for name, lane in ranking.lanes.items()}
    return JudgedRanking(
        lanes, ranking.known_share, gains[order], _discounted(best), answers[order]
    )


def mean_ndcg(rankings: Sequence[JudgedRanking], parameters: FusionParameters) -> float:
    """Mean nDCG@10 over the queries of a set under some weights."""
    return float(np.mean([_ndcg(r, parameters) for r in rankings]))


def fit_weights(
    sets: Mapping[str, Sequence[JudgedRanking]],
    start: FusionParameters,
    tell: Callable[[str], None] = lambda _: None,
) -> FusionParameters:
    """Better weights by coordinate ascent from `start`, on the mean over sets of nDCG@10.

    One weight is changed at a time, over `GRID`, then the power over `POWERS`, in rounds until
    nothing gains. Few numbers and a coarse grid: there is little to overfit with.

    Args:
        sets: name -> judged rankings; a set without any counts nothing.
        start: where to begin; its lanes are those that are fitted.
        tell: called with a line after each round.
    """
    some = [rankings for rankings in sets.values() if rankings]
    if not some:
        return start
    best, reached = start, _mean(some, start)
    for number in range(_ROUNDS):
        before = reached
        for candidate in _neighbours(best):
            value = _mean(some, candidate(best))
            if value > reached + _BETTER:
                best, reached = candidate(best), value
        tell(f"round {number + 1}: {reached:.4f}")
        if reached <= before:
            break
    return best


def left_out(
    sets: Mapping[str, Sequence[JudgedRanking]],
    start: FusionParameters,
    tell: Callable[[str], None] = lambda _: None,
) -> dict[str, float]:
    """Mean nDCG@10 of each set under weights fitted on the others; none for a set without any."""
    found = {}
    for name, rankings in sets.items():
        if not rankings:
            continue
        others = {other: rows for other, rows in sets.items() if other != name}
        found[name] = mean_ndcg(rankings, fit_weights(others, start))
        tell(f"without {name}: {found[name]:.4f}")
    return found


def _neighbours(
    best: FusionParameters,
) -> Iterable[Callable[[FusionParameters], FusionParameters]]:
    for lane in sorted(best.weights):
        for weight in GRID if lane != FIXED else ():
            yield lambda p, lane=lane, weight=weight: replace(  # type: ignore[misc]
                p, weights={**p.weights, lane: weight}
            )
    for power in POWERS:
        yield lambda p, power=power: replace(p, coverage_power=power)  # type: ignore[misc]


def _mean(sets: Sequence[Sequence[JudgedRanking]], parameters: FusionParameters) -> float:
    return float(np.mean([mean_ndcg(rankings, parameters) for rankings in sets]))


def _ndcg(ranking: JudgedRanking, parameters: FusionParameters) -> float:
    total = np.zeros(len(ranking.gains))
    for lane, scores in ranking.lanes.items():
        weight = parameters.weights.get(lane, 0.0)
        total += weight * speaks(lane, ranking.known_share, parameters) * scores
    total = np.where(ranking.answers, np.round(total, 6), -np.inf)
    top = np.argsort(-total, kind="stable")[:_DEPTH]
    return _discounted(ranking.gains[top]) / ranking.ideal


def _discounted(gains: Sequence[float] | Scores) -> float:
    return float(sum(gain / np.log2(rank + 2) for rank, gain in enumerate(gains)))
