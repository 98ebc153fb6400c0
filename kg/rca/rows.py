"""What is told of cases and sightings as rows of numbers: their meaning, and their terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from kg.graph import IncidentGraph
from kg.graph.compact import rarity_of, stated_terms, widen
from kg.rca.sighting import Sighting
from kg.vocab import Vocabulary

Scores = NDArray[np.float64]

SEEN = ("symptom", "component", "trigger", "factor")
"""Kinds of terms that may be seen before the cause is known."""

TERM_SHARE = 0.5
"""What the likeness of two sets of terms counts beside that of two vectors, both 0 to 1."""


class Rows:
    """The layout of rows: first the vector, then one column for each term that some case has.

    The product of two rows is the cosine of their vectors, and `TERM_SHARE` times the cosine of
    their terms, each weighted by rarity and widened up the hierarchy.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        cases: Sequence[str],
        vectors: Mapping[str, NDArray[np.float32]],
        terms: Mapping[str, Mapping[str, float]],
    ) -> None:
        """`terms`: of each case, with weights from 0 to 1."""
        self._vocabulary = vocabulary
        self.dimension = next((len(vectors[c]) for c in cases if c in vectors), 0)
        wide = [self._widened(terms.get(c, {})) for c in cases]
        self._column = {t: i for i, t in enumerate(sorted({t for row in wide for t in row}))}
        held = np.zeros(len(self._column), dtype=np.int64)
        for row in wide:
            held[[self._column[t] for t in row]] += 1
        self._rarity = np.array([rarity_of(int(n), len(cases)) for n in held])
        self.cases: Scores = np.zeros((len(cases), self.dimension + len(self._column)))
        for number, (case_id, row) in enumerate(zip(cases, wide, strict=True)):
            self.cases[number] = self._row(vectors.get(case_id), row)

    def of(self, sighting: Sighting) -> Scores:
        """The row of a sighting, without the terms that are ruled out, (columns,)."""
        gone = {
            b
            for t in sighting.ruled_out
            if t in self._vocabulary.terms
            for b in self._vocabulary.narrower_all(t)
        }
        seen = {t: w for t, w in sighting.terms.items() if t not in gone}
        return self._row(sighting.vector, self._widened(seen))

    def _widened(self, terms: Mapping[str, float]) -> dict[str, float]:
        """Terms with those above them; what the vocabulary does not hold stands for itself."""
        told = {t: w for t, w in terms.items() if w > 0}
        known = {t: w for t, w in told.items() if t in self._vocabulary.terms}
        return {**told, **widen(known, self._vocabulary)}

    def _row(self, vector: NDArray[np.float32] | None, terms: Mapping[str, float]) -> Scores:
        row = np.zeros(self.dimension + len(self._column))
        if vector is not None and len(vector) == self.dimension:
            row[: self.dimension] = _unit(np.asarray(vector, np.float64))
        told = np.zeros(len(self._column))
        for term, weight in terms.items():
            if term in self._column:
                told[self._column[term]] = weight
        row[self.dimension :] = TERM_SHARE**0.5 * _unit(told * self._rarity)
        return row


def seen_terms(graph: IncidentGraph, cases: Sequence[str]) -> dict[str, dict[str, float]]:
    """The terms of each case that may be seen before its cause is known, with their weights."""
    stated = stated_terms([e for c in cases for e in graph.edges_of(c)])
    return {
        c: {t: w for t, w in stated.get(c, {}).items() if t.partition(":")[0] in SEEN}
        for c in cases
    }


def _unit(row: Scores) -> Scores:
    length = float(np.linalg.norm(row))
    return row / length if length > 1e-9 else row
