"""What makes cases alike, as integer arrays: a sparse case × term matrix, widened upwards.

Rows are cases and columns are terms; a cell holds the weight with which the case states the
term. Ruled-out claims have no cell, suspected ones weigh half. Laid out from the arrays of the
edges (`kg.graph.arrays`); networkx judges it in the tests.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from kg.errors import BadQuery
from kg.graph.arrays import CODES, GraphArrays, meaning
from kg.graph.csr import distinct, grouped, picked
from kg.graph.edges import Edge
from kg.graph.postings import STEP_DECAY, Ups, postings
from kg.graph.schema import Relation, kind_of
from kg.model import Role, Status
from kg.vocab import Vocabulary

STATUS_WEIGHT = {Status.CONFIRMED: 1.0, Status.SUSPECTED: 0.5, Status.RULED_OUT: 0.0}
CHECK_ITEM_WEIGHT = 0.25
"""An item of a list of everything that is looked at says what is watched, not what happened."""
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
ROUNDED = 9
"""Digits of a shared weight in an answer; what differs by less is a tie, and the id decides."""
TIE = 10.0**-ROUNDED


def _weight(code: int) -> float:
    relation, status, role = meaning(code)
    if relation not in SIMILARITY_RELATIONS:
        return 0.0
    return STATUS_WEIGHT[status] * (CHECK_ITEM_WEIGHT if role is Role.CHECK_ITEM else 1.0)


_WEIGHTS = np.array([_weight(code) for code in range(CODES)], dtype=np.float32)


class Sharing(NamedTuple):
    """A case and the weight of what it shares with another."""

    case_id: str
    weight: float


class CaseTerms:
    """A sparse case × term matrix, widened up the hierarchy; held by term, and by case on demand.

    Attributes:
        arrays: the edges behind it.
        cases: case ids, the rows, sorted.
        terms: term ids, the columns, sorted; those that some case states, or one below them.
        frequency: number of cases that state each term or one below it (int64).
        rarity: weight of sharing a term, see `rarity_of`.
    """

    def __init__(
        self, case_ids: Sequence[str], edges: Sequence[Edge], vocabulary: Vocabulary
    ) -> None:
        self._fill(GraphArrays.from_edges(case_ids, edges), vocabulary)

    @classmethod
    def from_arrays(cls, arrays: GraphArrays, vocabulary: Vocabulary | None = None) -> Self:
        """The matrix over ready arrays; without a vocabulary no term has a broader one."""
        made = cls.__new__(cls)
        made._fill(arrays, vocabulary)
        return made

    def _fill(self, arrays: GraphArrays, vocabulary: Vocabulary | None) -> None:
        self.arrays = arrays
        self.cases = arrays.cases
        weights = picked(_WEIGHTS, arrays.code_of)
        stated = postings(arrays.node_starts, arrays.case_of, weights)
        used = np.flatnonzero(np.diff(stated.starts)).tolist()
        self._ups = Ups(arrays.nodes, used, vocabulary)
        self._postings = self._ups.widened(stated, len(self.cases))
        self.terms = self._ups.terms
        self.frequency = np.diff(self._postings.starts)
        self.rarity = rarities_of(self.frequency, len(self.cases))

    def row(self, case_id: str) -> dict[str, float]:
        """The widened terms of a case with their weights.

        Raises:
            CaseNotFound: there is no such case.
        """
        columns = self._columns_of(self.arrays.case_code(case_id))
        return {self.terms[j]: weight for j, weight in columns.items()}

    def rarity_by_term(self, term: str) -> float:
        """The rarity of a term; that of an unseen term when no case states it."""
        i = self._column.get(term)
        return rarity_of(0, len(self.cases)) if i is None else float(self.rarity[i])

    def overlap(
        self, terms: Mapping[str, float], kind_weights: Mapping[str, float]
    ) -> NDArray[np.float64]:
        """Shared weight of every case with the given widened terms, shape (cases,).

        The sum over shared terms of min(weights) × rarity × weight of the term's kind.
        """
        known = {self._column[t]: w for t, w in terms.items() if t in self._column}
        cases, cells = self._cells(dict(sorted(known.items())), kind_weights)
        return np.bincount(cases, cells, len(self.cases)).astype(np.float64, copy=False)

    def top_sharing(
        self, case_id: str, k: int, kind_weights: Mapping[str, float]
    ) -> tuple[Sharing, ...]:
        """The k other cases that share most with a case, most first; ties by id.

        The weight is that of `overlap`; cases that share nothing are left out.

        Raises:
            CaseNotFound: there is no such case.
            BadQuery: k is below 1.
        """
        if k < 1:
            raise BadQuery(f"k must be 1 or more, not {k}")
        own = self.arrays.case_code(case_id)
        mine = self._columns_of(own)
        cases, cells = self._cells(mine, kind_weights)
        shared = np.bincount(cases, cells, len(self.cases)).astype(np.float64, copy=False)
        shared[own] = 0.0
        least = max(self._floor(mine, kind_weights, shared, k) - TIE, TIE)
        near = distinct(cases[shared[cases] >= least], len(self.cases))
        weights: NDArray[np.float64] = np.round(shared[near], ROUNDED)
        best = np.lexsort((near, -weights))[:k]
        pairs = zip(near[best].tolist(), weights[best].tolist(), strict=True)
        return tuple(Sharing(self.cases[i], weight) for i, weight in pairs)

    @cached_property
    def indptr(self) -> NDArray[np.int64]:
        """Where the cells of each case begin: the matrix by case in CSR form, (cases + 1,)."""
        return self._by_case[0]

    @cached_property
    def indices(self) -> NDArray[np.int64]:
        """The column of each cell by case, ascending within a case."""
        return np.repeat(np.arange(len(self.terms)), self.frequency)[self._by_case[1]]

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """The weight of each cell by case, above 0 and at most 1."""
        return self._postings.weights[self._by_case[1]].astype(np.float64)

    @cached_property
    def _by_case(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return grouped(self._postings.cases, len(self.cases))

    @cached_property
    def _column(self) -> dict[str, int]:
        return {t: i for i, t in enumerate(self.terms)}

    @cached_property
    def _kinds(self) -> tuple[tuple[str, ...], NDArray[np.int64]]:
        """The kinds of the terms, and the place of each column's kind among them."""
        kinds = [kind_of(t) for t in self.terms]
        names = tuple(dict.fromkeys(kinds))
        at = {kind: i for i, kind in enumerate(names)}
        return names, np.array([at[kind] for kind in kinds], dtype=np.int64)

    def _columns_of(self, case: int) -> dict[int, float]:
        """The widened columns of a case, ascending, with their weights."""
        arrays = self.arrays
        cells = slice(arrays.starts[case], arrays.starts[case + 1])
        found: dict[int, float] = {}
        weights = _WEIGHTS.take(arrays.code[cells]).tolist()
        for node, weight in zip(arrays.node[cells].tolist(), weights, strict=True):
            for column, share in self._ups.of(node) if weight else ():
                if weight * share > found.get(column, 0.0):
                    found[column] = weight * share
        return dict(sorted(found.items()))

    def _cells(
        self, mine: Mapping[int, float], kind_weights: Mapping[str, float]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The cases of some columns, in the order of these, and what each shares there."""
        columns = [(c, w, self._worth(c, kind_weights)) for c, w in mine.items()]
        size = sum(int(self.frequency[c]) for c, _, worth in columns if worth > 0)
        cases, cells = np.empty(size, dtype=np.int64), np.empty(size)
        begin = 0
        for column, weight, worth in columns:
            if worth > 0:
                there = self._postings.column(column)
                place = slice(begin, begin + there.stop - there.start)
                cases[place] = self._postings.cases[there]
                np.minimum(self._postings.weights[there], np.float64(weight), out=cells[place])
                cells[place] *= worth
                begin = place.stop
        return cases, cells

    def _worth(self, column: int, kind_weights: Mapping[str, float]) -> float:
        names, kinds = self._kinds
        return float(self.rarity[column]) * kind_weights.get(names[kinds[column]], 0.0)

    def _floor(
        self,
        mine: Mapping[int, float],
        kind_weights: Mapping[str, float],
        shared: NDArray[np.float64],
        k: int,
    ) -> float:
        """A weight that k cases reach: to sort all of them for the best few would be slow.

        The k-th largest among the cases of the most telling column that has more than k.
        """
        often = [c for c in mine if self.frequency[c] > k]
        if not often:
            return 0.0
        telling = max(often, key=lambda c: (mine[c] * self._worth(c, kind_weights), -c))
        cases = self._postings.cases[self._postings.column(telling)]
        return float(np.partition(shared[cases], -k)[-k])


def rarity_of(frequency: int, cases: int) -> float:
    """How much sharing a term says: log((N + 1) / (n + 0.5)), never below 0.

    The inverse document frequency of Spärck Jones (1972), smoothed so that it is finite for
    unseen terms; a term that every case has is worth next to nothing.
    """
    return max(0.0, math.log((cases + 1) / (frequency + 0.5)))


def rarities_of(frequency: NDArray[np.int64], cases: int) -> NDArray[np.float64]:
    """`rarity_of` for many terms at once; few frequencies differ."""
    often, inverse = np.unique(frequency, return_inverse=True)
    rarities = [rarity_of(n, cases) for n in often.tolist()]
    return np.array(rarities, dtype=np.float64)[inverse]


def stated_terms(edges: Sequence[Edge]) -> dict[str, dict[str, float]]:
    """For each case id, the terms that count for likeness and their weights (0 < w ≤ 1).

    Health-check items (a list of everything that is looked at) weigh little, since they say
    what is watched rather than what happened.
    """
    ids = {e.case_id for e in edges if e.case_id and not e.derived}
    terms = CaseTerms.from_arrays(GraphArrays.from_edges(ids, edges))
    return {case_id: row for case_id in terms.cases if (row := terms.row(case_id))}


def widen(terms: Mapping[str, float], vocabulary: Vocabulary) -> dict[str, float]:
    """The terms and their broader terms; each step up multiplies the weight by `STEP_DECAY`."""
    found: dict[str, float] = {}
    for term, weight in terms.items():
        for above, steps in vocabulary.broader_steps(term).items():
            found[above] = max(found.get(above, 0.0), weight * STEP_DECAY**steps)
    return found
