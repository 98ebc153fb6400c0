"""The three lanes of similarity over one library: dense, words, graph. Each gives 0 to 1 a case.

The lanes are put on one scale before they are added, each by a measure of its own that does not
depend on the other cases in the result: dense by its distance from unrelated questions, words by
the share of the query's word weight that a case holds, graph by the share of the query's terms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from embeddings import BM25F, VectorIndex, tokenize
from kg.graph import IncidentGraph
from kg.graph.compact import widen
from kg.queries.sharing import KIND_WEIGHTS
from kg.store import Snapshot
from kg.vocab import Tag

Scores = NDArray[np.float64]

LANES = ("dense", "words", "graph")
TEXT_WEIGHTS: Mapping[str, float] = {"dense": 0.2, "words": 0.7, "graph": 0.1}
CASE_WEIGHTS: Mapping[str, float] = {"dense": 0.35, "words": 0.15, "graph": 0.5}
"""The share of each lane in the score of a text and of a case. A text names few terms; a case has
its reviewed claims, which tell more than nearness of wording. The text weights were chosen among a
dozen on the questions of datasets/eval that are not kept for the test; the case weights were set
by hand. Fitting has its own place."""

FIELD_WEIGHTS: Mapping[str, float] = {
    "title": 3.0,
    "terms": 2.0,
    "symptom": 2.0,
    "summary": 1.5,
    "trigger": 1.5,
    "cause": 1.5,
    "impact": 1.0,
    "detection": 1.0,
    "mitigation": 1.0,
    "follow_up": 0.7,
    "lesson": 0.7,
}
LIKENESS_FIELDS = ("title", "summary", "symptom", "trigger", "cause")
"""Two cases are compared by what happened, not by how it was found or mended."""

DENSE_ZERO = 1.0
DENSE_SPAN = 5.0
"""The dense lane begins this many standard deviations above the background (for unrelated questions
scatter), and is full after this many more."""
GRAPH_FLOOR = 4.0
"""Term weight that a query must reach before its terms alone can fill the graph lane."""
GRAPH_HALF = 10.0
"""Shared term weight at which the graph lane of two cases is half full: about two rare causes or
three rare symptoms. Long cases state more, so the measure saturates and is not divided by what they
do not share."""
TEXT_CANDIDATES, CASE_CANDIDATES = 2000, 400
"""How many passages FAISS brings for each vector of a text, and of a case."""
BEST_OF = 3
BEST_SHARE = 0.7
"""Weight of a case's best passage; the rest is the mean of its three best."""


@dataclass(frozen=True)
class LaneScores:
    """Scores of all cases in each lane, 0 to 1, shape (cases,), with the weights of the lanes.

    `passages` are the raw cosines of all passages.
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
        # Passages lie case by case, so those of case i are the numbers bounds[i] to bounds[i + 1].
        self._bounds = np.searchsorted(self._owner, np.arange(len(self.ids) + 1)).tolist()

    @cached_property
    def index(self) -> VectorIndex:
        """The FAISS index over all passages, in their order."""
        index = VectorIndex(self._snapshot.vectors.shape[1], self._snapshot.fingerprint)
        index.add(self._snapshot.vectors)
        return index

    @cached_property
    def word_index(self) -> BM25F:
        """The word index over cases: their texts by field, and the labels of their terms."""
        return BM25F(FIELD_WEIGHTS).fit([self._document(c.id) for c in self._snapshot.cases])

    def for_text(
        self,
        parts: Sequence[str],
        vectors: NDArray[np.float32],
        tags: Sequence[Tag],
        allowed: Sequence[str],
    ) -> LaneScores:
        """Score cases against the parts of a query text, their vectors, and the terms found in it.

        A long text (a pasted log) counts by its most telling part, so that noise around one
        decisive line does not drown it. The scores of cases that are not allowed mean nothing.
        """
        cosines = self._cosines(vectors, TEXT_CANDIDATES, allowed)
        lanes = {
            "dense": self._calibrated(self._pooled(cosines).max(axis=0, initial=-1.0)),
            "words": np.max([self._word_share(part) for part in parts], axis=0),
            "graph": self._term_share(tags),
        }
        return LaneScores(lanes, TEXT_WEIGHTS, cosines.max(axis=0, initial=-1.0))

    def for_case(self, case_id: str, allowed: Sequence[str]) -> LaneScores:
        """Score cases against one of them."""
        mine = self._likeness_rows(case_id)
        cosines = self._cosines(self._snapshot.vectors[mine], CASE_CANDIDATES, allowed)
        lanes = {
            "dense": self._dense(cosines),
            "words": self._word_likeness(case_id),
            "graph": self._term_likeness(case_id),
        }
        return LaneScores(lanes, CASE_WEIGHTS, cosines.max(axis=0, initial=-1.0))

    def best_passages(
        self, scores: LaneScores, case_id: str, count: int
    ) -> list[tuple[int, float]]:
        """The passages of a case that are nearest, as (passage number, cosine)."""
        rows = np.flatnonzero(self._owner == self.row[case_id])
        order = sorted(rows, key=lambda r: (-scores.passages[r], r))
        return [(int(r), float(scores.passages[r])) for r in order[:count]]

    def _cosines(
        self, vectors: NDArray[np.float32], count: int, allowed: Sequence[str]
    ) -> NDArray[np.float32]:
        """Cosines of query vectors with all passages, shape (queries, passages).

        FAISS finds the `count` nearest passages of the allowed cases; the others, which are no
        nearer than the last of these, are given its cosine.
        """
        rows = np.flatnonzero(np.isin(self._owner, [self.row[i] for i in allowed]))
        cosines = np.full((len(vectors), len(self._owner)), -1.0, dtype=np.float32)
        found = self.index.search(vectors, count, rows) if len(rows) and len(vectors) else []
        for line, neighbours in zip(cosines, found, strict=False):
            line[:] = neighbours[-1].score
            line[[n.row for n in neighbours]] = [n.score for n in neighbours]
        return cosines

    def _dense(self, cosines: NDArray[np.float32]) -> Scores:
        if not len(cosines):
            return np.zeros(len(self.ids))
        return self._calibrated(self._pooled(cosines).mean(axis=0))

    def _pooled(self, cosines: NDArray[np.float32]) -> Scores:
        """From passages to cases, for each query: mostly the best, a little of the three best.

        Returns shape (queries, cases); -1 for a case without passages.
        """
        pooled = np.full((len(cosines), len(self.ids)), -1.0)
        for i, (start, end) in enumerate(pairwise(self._bounds)):
            top = cosines[:, start:end]
            if end - start > BEST_OF:
                top = np.partition(top, end - start - BEST_OF, axis=1)[:, -BEST_OF:]
            if end > start:
                best, mean = top.max(axis=1), top.mean(axis=1)
                pooled[:, i] = BEST_SHARE * best + (1 - BEST_SHARE) * mean
        return pooled

    def _calibrated(self, cosines: Scores) -> Scores:
        mean, deviation = self._snapshot.background
        return np.clip(((cosines - mean) / deviation - DENSE_ZERO) / DENSE_SPAN, 0.0, 1.0)

    def _word_share(self, text: str) -> Scores:
        """The BM25F score as a share of what a case with every query word would get."""
        scores = self.word_index.scores(text).astype(np.float64)
        most = sum(self.word_index.idf(word) for word in set(tokenize(text)))
        return scores / most if most > 0 else scores

    def _word_likeness(self, case_id: str) -> Scores:
        case = self._snapshot.cases[self.row[case_id]]
        text = " ".join(t for f, _, t in case.texts() if f in LIKENESS_FIELDS)
        scores = self.word_index.scores(text).astype(np.float64)
        own = scores[self.row[case_id]]
        return np.clip(scores / own, 0.0, 1.0) if own > 0 else scores

    def _term_share(self, tags: Sequence[Tag]) -> Scores:
        named = {t.term: 1.0 for t in tags if not t.negated}
        terms = widen(named, self._snapshot.vocabulary)
        array = self._graph.terms
        value = sum(
            w * array.rarity_by_term(t) * KIND_WEIGHTS.get(t.partition(":")[0], 0.0)
            for t, w in terms.items()
        )
        return array.overlap(terms, KIND_WEIGHTS) / max(value, GRAPH_FLOOR)

    def _term_likeness(self, case_id: str) -> Scores:
        """Shared term weight, saturating: s / (s + half)."""
        array = self._graph.terms
        shared = array.overlap(array.row(case_id), KIND_WEIGHTS)
        return shared / (shared + GRAPH_HALF)

    def _likeness_rows(self, case_id: str) -> NDArray[np.int64]:
        passages = self._snapshot.passages
        rows = np.flatnonzero(self._owner == self.row[case_id])
        return np.array([r for r in rows if passages[r].field in LIKENESS_FIELDS], dtype=np.int64)

    def _document(self, case_id: str) -> dict[str, str]:
        case = self._snapshot.cases[self.row[case_id]]
        texts: dict[str, list[str]] = {}
        for field, _, text in case.texts():
            if field in FIELD_WEIGHTS:
                texts.setdefault(field, []).append(text)
        terms = self._snapshot.vocabulary.terms
        stated = sorted({t for c in case.claims if c.status != "ruled_out" for t in c.terms})
        texts["terms"] = [s for t in stated for _, s in terms[t].spellings()]
        return {field: "\n".join(parts) for field, parts in texts.items()}
