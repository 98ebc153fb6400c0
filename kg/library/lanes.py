"""How like one case of a library is to the others: three lanes of 0 to 1, and their sum.

The lanes are put on one scale before they are added, each by a measure of its own that does not
depend on the other cases in the result: dense by its distance from unrelated questions, words by
the share of the case's own word weight that another holds, graph by shared terms.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embeddings import BM25F, PassagePool, VectorIndex, fitted
from kg.graph import IncidentGraph
from kg.library.documents import FIELD_WEIGHTS, document_of
from kg.queries.sharing import KIND_WEIGHTS
from kg.store import Snapshot

Scores = NDArray[np.float64]

LANES = ("dense", "words", "graph")
CASE_WEIGHTS: Mapping[str, float] = {"dense": 0.35, "words": 0.15, "graph": 0.5}
"""The share of each lane. A case has its reviewed claims, which tell more than nearness of wording;
set by hand, as no pairs of cases were judged by people."""

LIKENESS_FIELDS = ("title", "summary", "symptom", "trigger", "cause")
"""Two cases are compared by what happened, not by how it was found or mended."""

DENSE_ZERO = 1.0
DENSE_SPAN = 5.0
"""The dense lane begins this many standard deviations above the background (for unrelated questions
scatter), and is full after this many more."""
GRAPH_HALF = 10.0
"""Shared term weight at which the graph lane of two cases is half full: about two rare causes or
three rare symptoms. Long cases state more, so the measure saturates and is not divided by what they
do not share."""
CANDIDATES = 400
"""How many passages FAISS brings for each passage of the case."""
TOGETHER = 64
"""How many cases FAISS is asked for at once: a matrix product is faster than many rows."""


@dataclass(frozen=True)
class LaneScores:
    """Scores of all cases in each lane, 0 to 1, shape (cases,), with the weights of the lanes.

    `passages` are the raw cosines of all passages; empty where only cases were asked for.
    """

    lanes: Mapping[str, Scores]
    weights: Mapping[str, float]
    passages: NDArray[np.float32]

    @property
    def parts(self) -> dict[str, Scores]:
        """What each lane adds to the score of each case, rounded, so that ties stay ties."""
        return {lane: np.round(self.weights[lane] * self.lanes[lane], 6) for lane in LANES}

    @property
    def total(self) -> Scores:
        """The score of each case: the sum of its parts, rounded as they are."""
        total: Scores = np.round(np.sum(list(self.parts.values()), axis=0), 6)
        return total


class Lanes:
    """The lanes over a snapshot and its graph; indexes are built on first use."""

    def __init__(self, snapshot: Snapshot, graph: IncidentGraph) -> None:
        self._snapshot = snapshot
        self._graph = graph
        self.ids: tuple[str, ...] = tuple(c.id for c in snapshot.cases)
        self.row = {case_id: i for i, case_id in enumerate(self.ids)}
        self._owner = np.array([self.row[p.case_id] for p in snapshot.passages], dtype=np.int64)
        self._pool = PassagePool(self._owner, len(self.ids))

    @cached_property
    def index(self) -> VectorIndex:
        """The FAISS index over all passages, in their order."""
        index = VectorIndex(self._snapshot.vectors.shape[1], self._snapshot.fingerprint)
        index.add(self._snapshot.vectors)
        return index

    @cached_property
    def word_index(self) -> BM25F:
        """The word index over cases: their texts by field, and the labels of their terms."""
        words = self._snapshot.vocabulary
        return BM25F(FIELD_WEIGHTS).fit([document_of(c, words) for c in self._snapshot.cases])

    def for_case(self, case_id: str, allowed: Sequence[str]) -> LaneScores:
        """Score cases against one of them."""
        mine = self._likeness_rows(case_id)
        cosines = self._cosines(self._snapshot.vectors[mine], CANDIDATES, allowed)
        lanes = {
            "dense": self._dense(cosines),
            "words": self._word_likeness(case_id),
            "graph": self._term_likeness(case_id),
        }
        return LaneScores(lanes, CASE_WEIGHTS, cosines.max(axis=0, initial=-1.0))

    def for_every_case(self) -> Iterator[tuple[str, LaneScores]]:
        """Score all others against each case, in order: what `for_case` gives, sooner."""
        nothing = np.zeros(0, dtype=np.float32)
        for start in range(0, len(self.ids), TOGETHER):
            some = self.ids[start : start + TOGETHER]
            for case_id, dense in zip(some, self._dense_of_some(some), strict=True):
                lanes = {
                    "dense": dense,
                    "words": self._word_likeness(case_id),
                    "graph": self._term_likeness(case_id),
                }
                yield case_id, LaneScores(lanes, CASE_WEIGHTS, nothing)

    def _dense_of_some(self, case_ids: Sequence[str]) -> Iterator[Scores]:
        """The dense lane of some cases with all others.

        FAISS is asked for so many passages that the best of the others are among them.
        """
        mine = [self._likeness_rows(i) for i in case_ids]
        sizes = np.bincount(self._owner, minlength=len(self.ids))
        own = int(max((sizes[self.row[i]] for i in case_ids), default=0))
        rows = np.concatenate(mine)
        vectors = self._snapshot.vectors[rows]
        found = self.index.nearest(vectors, CANDIDATES + own) if len(rows) else []
        line = 0
        for case_id, lines in zip(case_ids, mine, strict=True):
            yield self._pooled_dense(self.row[case_id], found[line : line + len(lines)])
            line += len(lines)

    def _pooled_dense(
        self, case: int, found: Sequence[tuple[NDArray[Any], NDArray[Any]]]
    ) -> Scores:
        if not found:
            return np.zeros(len(self.ids))
        others = [self._owner[rows] != case for rows, _ in found]
        rows = [r[keep][:CANDIDATES] for (r, _), keep in zip(found, others, strict=True)]
        values = [v[keep][:CANDIDATES] for (_, v), keep in zip(found, others, strict=True)]
        floors = np.array([v[-1] if len(v) else -1.0 for v in values], dtype=np.float32)
        line = np.repeat(np.arange(len(rows)), [len(r) for r in rows])
        few = fitted().dense
        pooled = self._pool.best_where(
            line, np.concatenate(rows), np.concatenate(values), floors, few.best_share, few.best_of
        )
        return self._calibrated(np.mean(list(pooled), axis=0))

    def best_passages(
        self, scores: LaneScores, case_id: str, count: int
    ) -> list[tuple[int, float]]:
        """The passages of a case that are nearest, as (passage number, cosine)."""
        rows = self._pool.best_rows(self.row[case_id], scores.passages, count)
        return [(int(r), float(scores.passages[r])) for r in rows]

    def _cosines(
        self, vectors: NDArray[np.float32], count: int, allowed: Sequence[str]
    ) -> NDArray[np.float32]:
        """Cosines of query vectors with all passages, shape (queries, passages).

        FAISS finds the `count` nearest passages of the allowed cases; the others, which are no
        nearer than the last of these, are given its cosine.
        """
        rows = np.flatnonzero(np.isin(self._owner, [self.row[i] for i in allowed]))
        cosines = np.full((len(vectors), len(self._owner)), -1.0, dtype=np.float32)
        found = self.index.nearest(vectors, count, rows) if len(rows) and len(vectors) else []
        for line, (nearest, scores) in zip(cosines, found, strict=False):
            line[:] = scores[-1]
            line[nearest] = scores
        return cosines

    def _dense(self, cosines: NDArray[np.float32]) -> Scores:
        if not len(cosines):
            return np.zeros(len(self.ids))
        few = fitted().dense
        pooled = [self._pool.best(line, few.best_share, few.best_of) for line in cosines]
        return self._calibrated(np.mean(pooled, axis=0))

    def _calibrated(self, cosines: Scores) -> Scores:
        mean, deviation = self._snapshot.background
        return np.clip(((cosines - mean) / deviation - DENSE_ZERO) / DENSE_SPAN, 0.0, 1.0)

    def _word_likeness(self, case_id: str) -> Scores:
        case = self._snapshot.cases[self.row[case_id]]
        text = " ".join(t for f, _, t in case.texts() if f in LIKENESS_FIELDS)
        scores = self.word_index.scores(text).astype(np.float64)
        own = scores[self.row[case_id]]
        return np.clip(scores / own, 0.0, 1.0) if own > 0 else scores

    def _term_likeness(self, case_id: str) -> Scores:
        """Shared term weight, saturating: s / (s + half)."""
        array = self._graph.terms
        shared = array.overlap(array.row(case_id), KIND_WEIGHTS)
        return shared / (shared + GRAPH_HALF)

    def _likeness_rows(self, case_id: str) -> NDArray[np.int64]:
        passages = self._snapshot.passages
        rows = np.flatnonzero(self._owner == self.row[case_id])
        return np.array([r for r in rows if passages[r].field in LIKENESS_FIELDS], dtype=np.int64)
