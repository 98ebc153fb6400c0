"""The graph as integer arrays: which case has which term, for fast counting and sharing.

Rows are cases and columns are terms; a cell holds the weight with which the case states the
term. Ruled-out claims have no cell, suspected ones weigh half. Built once per library from
the edges; networkx judges it in the tests.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kg.graph.edges import Edge
from kg.graph.schema import Relation, kind_of
from kg.model import Role, Status
from kg.vocab import Vocabulary

STATUS_WEIGHT = {Status.CONFIRMED: 1.0, Status.SUSPECTED: 0.5, Status.RULED_OUT: 0.0}
STEP_DECAY = 0.5
"""Weight of a broader term relative to the term itself, for each step up the hierarchy."""
SIMILARITY_RELATIONS = frozenset(
    {
        Relation.CAUSED_BY,
        Relation.TRIGGERED_BY,
        Relation.CONTRIBUTED_BY,
        Relation.AFFECTS,
        Relation.EXHIBITS,
        Relation.DETECTED_WITH,
        Relation.MITIGATED_BY,
        Relation.FOLLOWED_UP_BY,
    }
)
"""What makes cases alike. Who reported a case, or which check covers it, does not."""


class CaseTerms:
    """A sparse case × term matrix in CSR form, widened up the hierarchy.

    Attributes:
        cases: case ids, the rows, sorted.
        terms: term ids, the columns, sorted.
        indptr, indices, weights: CSR arrays of the widened matrix (int64, int64, float64).
        frequency: number of cases that state each term or one below it (int64).
        rarity: weight of sharing a term, see `rarity_of`.
    """

    def __init__(
        self, case_ids: Sequence[str], edges: Sequence[Edge], vocabulary: Vocabulary
    ) -> None:
        self.cases: tuple[str, ...] = tuple(sorted(case_ids))
        stated = stated_terms(edges)
        widened = {c: widen(stated.get(c, {}), vocabulary) for c in self.cases}
        self.terms: tuple[str, ...] = tuple(sorted({t for row in widened.values() for t in row}))
        self._column = {t: i for i, t in enumerate(self.terms)}
        self._row = {c: i for i, c in enumerate(self.cases)}
        rows = [sorted(widened[c].items()) for c in self.cases]
        self.indptr = np.cumsum([0, *map(len, rows)], dtype=np.int64)
        self.indices = np.array([self._column[t] for r in rows for t, _ in r], dtype=np.int64)
        self.weights = np.array([w for r in rows for _, w in r], dtype=np.float64)
        self.frequency = np.bincount(self.indices, minlength=len(self.terms)).astype(np.int64)
        self.rarity = np.array([rarity_of(int(n), len(self.cases)) for n in self.frequency])

    def row(self, case_id: str) -> dict[str, float]:
        """The widened terms of a case with their weights."""
        i = self._row[case_id]
        span = slice(self.indptr[i], self.indptr[i + 1])
        pairs = zip(self.indices[span], self.weights[span], strict=True)
        return {self.terms[j]: float(w) for j, w in pairs}

    def rarity_by_term(self, term: str) -> float:
        """The rarity of a term; that of an unseen term when no case states it."""
        i = self._column.get(term)
        return rarity_of(0, len(self.cases)) if i is None else float(self.rarity[i])

    def vector(self, terms: Mapping[str, float]) -> NDArray[np.float64]:
        """A dense row over the columns; terms that no case has are dropped."""
        row = np.zeros(len(self.terms))
        for term, weight in terms.items():
            if term in self._column:
                row[self._column[term]] = weight
        return row

    def overlap(
        self, terms: Mapping[str, float], kind_weights: Mapping[str, float]
    ) -> NDArray[np.float64]:
        """Shared weight of every case with the given widened terms, shape (cases,).

        The sum over shared terms of min(weights) × rarity × weight of the term's kind.
        """
        wanted = self.vector(terms)
        value = self.rarity * self.kind_weight_vector(kind_weights)
        cells = np.minimum(self.weights, wanted[self.indices]) * value[self.indices]
        return self._row_sums(cells)

    def kind_weight_vector(self, kind_weights: Mapping[str, float]) -> NDArray[np.float64]:
        """The weight of each column by the kind of its term, shape (terms,)."""
        return np.array([kind_weights.get(k, 0.0) for k in self._kinds])

    @cached_property
    def _kinds(self) -> tuple[str, ...]:
        return tuple(kind_of(t) for t in self.terms)

    def _row_sums(self, cells: NDArray[np.float64]) -> NDArray[np.float64]:
        total = np.concatenate([[0.0], np.cumsum(cells)])
        sums: NDArray[np.float64] = total[self.indptr[1:]] - total[self.indptr[:-1]]
        return sums


def rarity_of(frequency: int, cases: int) -> float:
    """How much sharing a term says: log((N + 1) / (n + 0.5)), never below 0.

    The inverse document frequency of Spärck Jones (1972), smoothed so that it is finite for
    unseen terms; a term that every case has is worth next to nothing.
    """
    return max(0.0, math.log((cases + 1) / (frequency + 0.5)))


def stated_terms(edges: Sequence[Edge]) -> dict[str, dict[str, float]]:
    """For each case id, the terms that count for likeness and their weights (0 < w ≤ 1).

    Health-check items (a list of everything that is looked at) weigh little, since they say
    what is watched rather than what happened.
    """
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for edge in edges:
        if edge.relation not in SIMILARITY_RELATIONS or edge.derived:
            continue
        weight = STATUS_WEIGHT[edge.status] * (0.25 if edge.role == Role.CHECK_ITEM else 1.0)
        if weight > 0:
            row = found[edge.case_id]
            row[edge.target] = max(weight, row.get(edge.target, 0.0))
    return dict(found)


def widen(terms: Mapping[str, float], vocabulary: Vocabulary) -> dict[str, float]:
    """The terms and their broader terms; each step up multiplies the weight by `STEP_DECAY`."""
    found: dict[str, float] = {}
    for term, weight in terms.items():
        for above, steps in vocabulary.broader_steps(term).items():
            found[above] = max(found.get(above, 0.0), weight * STEP_DECAY**steps)
    return found
