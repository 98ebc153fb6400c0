"""Candidates for nearest neighbours without looking at every vector, for large indexes.

Vectors lie in about sqrt(n) lists around k-means centres; of the lists nearest to a query FAISS
reads one bit a dimension (RaBitQ: Gao and Long, SIGMOD 2024, arXiv:2405.12497). That costs 72 bytes
a vector of 384 numbers beside the vector itself. What comes back are estimates: `VectorIndex`
scores the candidates again, exactly.

How well this works depends on the vectors. Passages of multilingual-e5-small gather in topics and
keep recall@10 at 0.99; hashed words would lose a seventh of their neighbours and random directions
two thirds. So lists are tried on their own vectors when they are built, and refused where they do
not keep the promise.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from embeddings.vectors import unit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Rows = NDArray[np.int64]
    Search = Callable[["Lists | None", Floats, int], list[list[float]]]

_SEED = 20
_ROUNDS = 10
_SAMPLE = 64
"""K-means: rounds, and vectors a list that it looks at."""
_QUERY_BITS = 8
"""Bits a dimension of the query; at 4 hashed words lose a tenth more neighbours."""
_TRIALS = 64
_TRIAL_DEPTH = 10
TRIAL_RECALL = 0.99
"""The least recall@10 on its own vectors; above 0.98, because 128 trials leave some doubt."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How far a query looks: the share of the lists, and candidates beyond four for each hit."""

    share: float
    candidates: int


PLANS = (Plan(0.25, 400), Plan(0.5, 800), Plan(1.0, 1600))
"""Tried in this order, cheapest first."""


class Lists:
    """Vectors in lists around centres, ready to give candidates.

    Attributes:
        assignment: the list of each vector, int64 (n,).
        count: how many lists there are; some may be empty.
        plan: how far a query looks.
    """

    def __init__(self, vectors: Floats, assignment: Rows, count: int, plan: Plan) -> None:
        """Encode vectors (n, d) of which it is known where they lie.

        The same vectors and assignment give the same answers: nothing here is drawn by lot.
        """
        self.assignment = assignment
        self.count = count
        self.plan = plan
        self._faiss = importlib.import_module("faiss")
        self._index = self._encode(vectors)

    @classmethod
    def build(cls, vectors: Floats, search: Search) -> Self | None:
        """Lists over vectors (n, d), n at least 1, with the cheapest plan that keeps the promise.

        Args:
            vectors: what to hold.
            search: finds the scores of the best hits with the help of lists, or exactly with None.

        Returns:
            None where every plan misses more than `TRIAL_RECALL` allows: stay exact then.
        """
        count = max(1, round(len(vectors) ** 0.5))
        lists = cls(vectors, _assign(vectors, count), count, PLANS[0])
        trials = _trials(vectors)
        wanted = [search(None, queries, _TRIAL_DEPTH) for queries in trials]
        for lists.plan in PLANS:
            found = [search(lists, queries, _TRIAL_DEPTH) for queries in trials]
            if min(map(recall, found, wanted)) >= TRIAL_RECALL:
                return lists
        return None

    def enough_for(self, k: int) -> int:
        """How many candidates to ask for when `k` hits are wanted."""
        return self.plan.candidates + 4 * k

    def ask(self, queries: Floats, count: int, selector: Any) -> tuple[Floats, Rows]:
        """Estimated scores and rows, each (m, count), best first.

        `selector`, a FAISS IDSelector or None, says which rows to look at. The row is -1 where the
        lists looked into hold no more of them.
        """
        how = self._faiss.IVFRaBitQSearchParameters()
        how.nprobe = max(1, round(self.plan.share * self.count))
        how.qb, how.sel = _QUERY_BITS, selector
        scores, rows = self._index.search(queries, count, params=how)
        return scores, rows

    def _encode(self, vectors: Floats) -> Any:
        dimension = vectors.shape[1]
        inner = self._faiss.METRIC_INNER_PRODUCT
        coarse = self._faiss.IndexFlatIP(dimension)
        coarse.add(_centres(vectors, self.assignment, self.count))
        index = self._faiss.IndexIVFRaBitQ(coarse, dimension, self.count, inner)
        index.train(vectors[:1])  # the centres are there already: this only marks it as trained
        pointer = self._faiss.swig_ptr
        index.add_core(len(vectors), pointer(vectors), None, pointer(self.assignment))
        return index


def _assign(vectors: Floats, count: int) -> Rows:
    """K-means by direction: the list of each vector, int64 (n,)."""
    faiss = importlib.import_module("faiss")
    means = faiss.Kmeans(
        vectors.shape[1],
        count,
        niter=_ROUNDS,
        seed=_SEED,
        spherical=True,
        max_points_per_centroid=_SAMPLE,
        min_points_per_centroid=1,
    )
    means.train(vectors)
    rows: Rows = means.index.search(vectors, 1)[1][:, 0].astype(np.int64)
    return rows


def _centres(vectors: Floats, assignment: Rows, count: int) -> Floats:
    """The direction of the mean of each list, float32 (count, d); zeros for an empty list."""
    order = np.argsort(assignment, kind="stable")
    bounds = np.searchsorted(assignment[order], np.arange(count + 1))
    centres = np.zeros((count, vectors.shape[1]), dtype=np.float32)
    for row, (start, end) in enumerate(pairwise(bounds)):
        mean = vectors[order[start:end]].sum(axis=0, dtype=np.float64)
        centres[row] = mean / (np.linalg.norm(mean) or 1.0)
    return centres


def _trials(vectors: Floats) -> tuple[Floats, Floats]:
    """Queries to try lists with: some of the vectors, and points halfway between two of them.

    Queries that were not indexed fare about as the halfway points do (share 1/8 of the lists:
    recall 0.979 and 0.968; vectors of the index itself 1.0).
    """
    random = np.random.default_rng(_SEED)
    dimension = vectors.shape[1]
    few = vectors[random.choice(len(vectors), min(_TRIALS, len(vectors)), replace=False)]
    others = vectors[random.choice(len(vectors), len(few))]
    few = unit(few, dimension)
    between = few + unit(others, dimension)
    between = between[between.any(axis=1)]  # none between two that are opposite
    return few, unit(between, dimension)


def recall(found: Sequence[Sequence[float]], wanted: Sequence[Sequence[float]]) -> float:
    """The mean share of wanted scores, best first, that were reached; 1.0 where none are wanted.

    Scores rather than rows, so that one of several equal vectors is as good as another.
    """
    shares = [
        sum(score >= best[-1] for score in scores[: len(best)]) / len(best)
        for scores, best in zip(found, wanted, strict=True)
        if best
    ]
    return float(np.mean(shares)) if shares else 1.0
