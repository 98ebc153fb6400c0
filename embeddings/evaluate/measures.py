"""How good one ranking is, and how sure the mean over many queries is.

A *ranking* is a sequence of document ids, best first, none twice. *Grades* say for one query how
relevant a document is, above 0; a document without a grade is not relevant.

- nDCG: Järvelin & Kekäläinen 2002, "Cumulated gain-based evaluation of IR techniques", with the
  gain ``2^grade - 1`` of Burges et al. 2005 and the discount ``log2(rank + 1)``.
- Reciprocal rank: Voorhees 1999, "The TREC-8 question answering track report".
- Intervals: the percentile bootstrap of Efron 1979, "Bootstrap methods: another look at the
  jackknife", over queries; documents and judgements are taken as given.

All but nDCG know only relevant and not. The rule (`relevant`) is applied **query by query**: grade
2 and above for a query that has such a grade, any grade for a query that has none. This is the
reading that reproduces the shared baselines; the same rule over a whole set would leave queries
whose best grade is 1 with nothing to find.
"""

from __future__ import annotations

import hashlib
import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

MEASURES = ("ndcg@10", "mrr", "recall@1", "recall@10", "recall@100", "p@1")
"""The names of what `measure` gives, in the order of a table's columns."""

DEPTH = 100
"""Ranks that the reciprocal rank looks at; what comes later counts as not found."""

_NUMBERS_AT_ONCE = 1 << 16
"""Values that a bootstrap draws together, so that they stay in the cache of the processor."""


class Interval(NamedTuple):
    """A mean and the ends of its interval, in the unit of the values."""

    value: float
    low: float
    high: float


def ranked(
    scores: ArrayLike, ids: Sequence[str], own: str | None = None, depth: int | None = None
) -> list[str]:
    """Ids by falling score, without `own`.

    Equal scores stand in an order that hangs on the ids alone and is as good as drawn by lot, so
    that no order of a file is measured: see McSherry & Najork 2008, "Computing information
    retrieval performance measures efficiently in the presence of tied scores".

    Args:
        scores: one number per id, (n,).
        ids: ids of the documents.
        own: id of the query; a document of that id is left out.
        depth: how many at most; all where it is not given.

    Raises:
        ValueError: as many scores as ids are needed, none of them NaN.
    """
    values = np.asarray(scores, dtype=np.float64)
    if values.shape != (len(ids),) or np.isnan(values).any():
        raise ValueError(f"need {len(ids)} scores that are numbers, got an array {values.shape}")
    order = (ids[row] for row in np.lexsort((lots(tuple(ids)), -values)))
    return [name for name in order if name != own][:depth]


@lru_cache(maxsize=4)
def lots(ids: tuple[str, ...]) -> NDArray[np.int64]:
    """The place of each id in an order that hangs on nothing but the ids, by their hashes: (n,)."""
    drawn = [hashlib.blake2b(name.encode("utf-8", "surrogatepass")).digest() for name in ids]
    places: NDArray[np.int64] = np.empty(len(ids), dtype=np.int64)
    places[sorted(range(len(ids)), key=lambda row: (drawn[row], ids[row]))] = np.arange(len(ids))
    return places


def grades_of(query: str, judgements: Mapping[str, int]) -> dict[str, int]:
    """The grades that count for a query: above 0, and not of the document that is the query."""
    return {name: grade for name, grade in judgements.items() if grade > 0 and name != query}


def relevant(grades: Mapping[str, int]) -> frozenset[str]:
    """Ids that count as relevant: grade 2 and above if the query has such, else any above 0."""
    least = 2 if max(grades.values(), default=0) > 1 else 1
    return frozenset(name for name, grade in grades.items() if grade >= least)


def ndcg(ranking: Sequence[str], grades: Mapping[str, int], k: int = 10) -> float:
    """Discounted gain of the first k over that of the best order of all graded documents: 0 to 1.

    Raises:
        ValueError: no grade is above 0, k is below 1, or an id is ranked twice.
    """
    best = _dcg(sorted(grades.values(), reverse=True)[: _whole(k)])
    if not best:
        raise ValueError("no grade above 0: a query that nothing answers has no nDCG")
    return _dcg([grades.get(name, 0) for name in _first(ranking, k)]) / best


def reciprocal_rank(ranking: Sequence[str], relevant: Collection[str], depth: int = DEPTH) -> float:
    """One over the rank of the first relevant document within `depth`; 0 if there is none.

    Raises:
        ValueError: nothing is relevant, depth is below 1, or an id is ranked twice.
    """
    found = _hits(ranking, relevant, depth)
    return 1 / (found.index(True) + 1) if any(found) else 0.0


def recall(ranking: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Share of the relevant documents that are among the first k: 0 to 1.

    Raises:
        ValueError: nothing is relevant, k is below 1, or an id is ranked twice.
    """
    return sum(_hits(ranking, relevant, k)) / len(set(relevant))


def precision_at_1(ranking: Sequence[str], relevant: Collection[str]) -> float:
    """1 if the first document is relevant, else 0.

    Raises:
        ValueError: nothing is relevant.
    """
    return float(any(_hits(ranking, relevant, 1)))


def measure(
    query: str, ranking: Sequence[str], judgements: Mapping[str, int]
) -> dict[str, float] | None:
    """All `MEASURES` of one query; None where no other document is relevant to it.

    The document that is the query itself counts nowhere: it is taken out of the ranking and out
    of the judgements. Judged documents that no corpus holds do count as missed.

    Args:
        query: id of the query.
        ranking: ids, best first; the first 101 are enough.
        judgements: document -> grade, as in the set.
    """
    grades = grades_of(query, judgements)
    if not grades:
        return None
    right, names = relevant(grades), [name for name in ranking if name != query]
    return {
        "ndcg@10": ndcg(names, grades),
        "mrr": reciprocal_rank(names, right),
        **{f"recall@{k}": recall(names, right, k) for k in (1, 10, 100)},
        "p@1": precision_at_1(names, right),
    }


def bootstrap(values: ArrayLike, draws: int = 2000, seed: int = 0, level: float = 0.95) -> Interval:
    """Mean of the values and its percentile interval over resampled queries.

    Equal values, draws and seed give equal intervals, in whatever order the values come.

    Args:
        values: one number per query, (n,), in any unit.
        draws: samples of n queries, drawn with replacement.
        seed: seed of the generator.
        level: share of the samples' means within the interval, above 0 and below 1.

    Raises:
        ValueError: no values, one that is not finite, or a number out of its range.
    """
    if draws < 1 or not 0 < level < 1:
        raise ValueError(f"need draws of at least 1 and a level within 0 to 1: {draws}, {level}")
    # Sorted: which query lands on which draw would otherwise hang on the order of the file.
    sample = np.sort(_numbers(values))
    generator, n = np.random.default_rng(seed), len(sample)
    means: list[float] = []
    while len(means) < draws:  # many at once, but never very much memory
        count = min(draws - len(means), max(1, _NUMBERS_AT_ONCE // n))
        means += sample[generator.integers(0, n, (count, n))].mean(axis=1).tolist()
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(sample.mean()), float(low), float(high))


def paired_difference(
    a: ArrayLike, b: ArrayLike, draws: int = 2000, seed: int = 0, level: float = 0.95
) -> Interval:
    """Mean of ``a - b``, query by query, with its interval; one that leaves out 0 is a difference.

    Pairs are resampled together, so what makes a query hard for both does not widen the interval.

    Raises:
        ValueError: as for `bootstrap`, or the two are not of the same queries.
    """
    left, right = _numbers(a), _numbers(b)
    if len(left) != len(right):
        raise ValueError(f"pairs need the same queries on both sides: {len(left)}, {len(right)}")
    return bootstrap(left - right, draws, seed, level)


def _dcg(grades: Sequence[int]) -> float:
    gains = (2.0 ** max(0, grade) - 1 for grade in grades)
    return sum(gain / math.log2(rank + 2) for rank, gain in enumerate(gains))


def _hits(ranking: Sequence[str], relevant: Collection[str], k: int) -> list[bool]:
    """For each of the first k whether it is relevant."""
    if not relevant:
        raise ValueError("nothing is relevant: such a query is left out of the mean")
    right = frozenset(relevant)
    return [name in right for name in _first(ranking, k)]


def _first(ranking: Sequence[str], k: int) -> Sequence[str]:
    head = ranking[: _whole(k)]
    if len(set(head)) != len(head):
        raise ValueError("a document is ranked twice; it would be counted twice")
    return head


def _whole(k: int) -> int:
    if k < 1:
        raise ValueError(f"at least one rank is needed, got {k}")
    return k


def _numbers(values: ArrayLike) -> NDArray[np.float64]:
    numbers = np.asarray(values, dtype=np.float64)
    if numbers.ndim != 1 or not len(numbers) or not np.isfinite(numbers).all():
        raise ValueError(f"need one finite number per query, got an array {numbers.shape}")
    return numbers
