"""Paths from one case to another: terms that both state, and chains that other cases bear out.

A chain is what the derived `LEADS_TO` edges say: trigger → cause and cause → symptom, within one
case. Here it is read from the stated edges, which carry evidence, and counted over all cases.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kg.errors import BadQuery
from kg.graph.arrays import CODES, GraphArrays, meaning
from kg.graph.compact import ROUNDED, SIMILARITY_RELATIONS, STATUS_WEIGHT, CaseTerms
from kg.graph.edges import case_node
from kg.graph.schema import kind_of
from kg.model import Status

CHAINS = (("trigger", "cause"), ("cause", "symptom"))
"""What leads to what within a case."""
CHAIN_WEIGHT = 0.25
"""A chain is a hint only: one case states its beginning and the other its end, not the way."""

_STRENGTH = {Status.RULED_OUT: 0, Status.SUSPECTED: 1, Status.CONFIRMED: 2}
_STATUS = {strength: status for status, strength in _STRENGTH.items()}


def _strength(code: int) -> int:
    relation, status, _ = meaning(code)
    return _STRENGTH[status] if relation in SIMILARITY_RELATIONS else 0


_STRENGTHS = np.array([_strength(code) for code in range(CODES)], dtype=np.uint8)


@dataclass(frozen=True)
class GraphPath:
    """A way from one case to another.

    Attributes:
        nodes: case, one term that both state or the two terms of a chain, case; in the direction
            of the question, so that a chain may run backwards.
        weight: ranks paths: rarity × kind × status of the shared term; of a chain, that of the
            term at its end, × `CHAIN_WEIGHT` × status of its beginning.
        status: the weakest claim of the two cases on the way; never ruled out.
        confirmed: cases that confirm every term on the way, the two cases themselves included.
        suspected: further cases that state every term, but only suspect one of them.
    """

    nodes: tuple[str, ...]
    weight: float
    status: Status
    confirmed: int
    suspected: int


def paths_between(
    terms: CaseTerms, a: str, b: str, kind_weights: Mapping[str, float], k: int | None = None
) -> list[GraphPath]:
    """Ranked paths between two cases: over one shared term, and along chains.

    A chain joins what one case states as its cause (or trigger) with what the other shows as its
    symptom (or states as its cause), where at least one case of the library states both. Broader
    terms are not walked.

    Args:
        terms: the matrix over the arrays of the graph.
        a: the case where the paths begin.
        b: the case where they end.
        kind_weights: how much a term of each kind says; terms of other kinds join nothing.
        k: at most how many; all where not given.

    Raises:
        CaseNotFound: there is no such case.
        BadQuery: both are one case, or k is below 1.
    """
    if a == b or (k is not None and k < 1):
        raise BadQuery(f"give two cases and a k of 1 or more, not {a}, {b} and {k}")
    found = _Finder(terms, a, b, kind_weights)
    paths = [*found.direct(), *found.chains()]
    return sorted(paths, key=lambda p: (-p.weight, p.nodes))[:k]


@dataclass(frozen=True)
class _Standing:
    """The cases that state a node and how strongly: 1 suspected, 2 confirmed; each once."""

    cases: NDArray[np.int32]
    strengths: NDArray[np.uint8]
    size: int

    @cached_property
    def marks(self) -> NDArray[np.uint8]:
        """The strength of every case of the library, 0 where it does not state it."""
        marks = np.zeros(self.size, dtype=np.uint8)
        marks[self.cases] = self.strengths
        return marks

    def counts(self) -> tuple[int, int]:
        """How many cases confirm, and how many only suspect."""
        confirmed = int(np.count_nonzero(self.strengths == 2))
        return confirmed, len(self.strengths) - confirmed

    def with_other(self, other: _Standing) -> tuple[int, int]:
        """How many cases confirm both, and how many state both but only suspect one."""
        few, many = sorted((self, other), key=lambda s: len(s.cases))
        both = np.minimum(few.strengths, many.marks.take(few.cases))
        confirmed = int(np.count_nonzero(both == 2))
        return confirmed, int(np.count_nonzero(both)) - confirmed


class _Finder:
    def __init__(self, terms: CaseTerms, a: str, b: str, kind_weights: Mapping[str, float]) -> None:
        self._terms = terms
        self._arrays: GraphArrays = terms.arrays
        self._weights = kind_weights
        self._a, self._b = a, b
        self._in_a, self._in_b = (self._stated(self._arrays.case_code(c)) for c in (a, b))
        self._known: dict[int, _Standing] = {}

    def direct(self) -> Iterator[GraphPath]:
        """Case → term ← case."""
        for node in self._in_a.keys() & self._in_b.keys():
            strength = min(self._in_a[node], self._in_b[node])
            worth = self._worth(node)
            if worth > 0:
                counts = self._standing(node).counts()
                yield self._path((self._a, node, self._b), worth, strength, counts)

    def chains(self) -> Iterator[GraphPath]:
        """Case → earlier term → later term ← case, in either direction."""
        for before, after in CHAINS:
            for forward in (True, False):
                mine, theirs = (self._in_a, self._in_b) if forward else (self._in_b, self._in_a)
                for first in self._of_kind(mine, before):
                    for last in self._of_kind(theirs, after):
                        yield from self._chain(first, last, mine, theirs, forward)

    def _chain(
        self,
        first: int,
        last: int,
        mine: Mapping[int, int],
        theirs: Mapping[int, int],
        forward: bool,
    ) -> Iterator[GraphPath]:
        counts = self._standing(first).with_other(self._standing(last))
        # Where the first case shows the end of the chain as well, it has to stand for it too.
        end = min(mine.get(last, theirs[last]), theirs[last])
        worth = CHAIN_WEIGHT * STATUS_WEIGHT[_STATUS[mine[first]]] * self._worth(last)
        if any(counts) and worth > 0:
            way = (self._a, first, last, self._b) if forward else (self._a, last, first, self._b)
            yield self._path(way, worth, end, counts, min(end, mine[first]))

    def _path(
        self,
        way: tuple[str | int, ...],
        worth: float,
        strength: int,
        counts: tuple[int, int],
        weakest: int | None = None,
    ) -> GraphPath:
        nodes = tuple(case_node(n) if isinstance(n, str) else self._arrays.nodes[n] for n in way)
        weight = round(worth * STATUS_WEIGHT[_STATUS[strength]], ROUNDED)
        status = _STATUS[strength if weakest is None else weakest]
        return GraphPath(nodes, weight, status, *counts)

    def _stated(self, case: int) -> dict[int, int]:
        """The nodes that a case states and does not rule out, with the strongest of its claims."""
        cells = slice(self._arrays.starts[case], self._arrays.starts[case + 1])
        found: dict[int, int] = {}
        strengths = _STRENGTHS.take(self._arrays.code[cells]).tolist()
        for node, strength in zip(self._arrays.node[cells].tolist(), strengths, strict=True):
            if strength > found.get(node, 0):
                found[node] = strength
        return found

    def _of_kind(self, stated: Mapping[int, int], kind: str) -> list[int]:
        return [n for n in stated if kind_of(self._arrays.nodes[n]) == kind]

    def _worth(self, node: int) -> float:
        name = self._arrays.nodes[node]
        return self._terms.rarity_by_term(name) * self._weights.get(kind_of(name), 0.0)

    def _standing(self, node: int) -> _Standing:
        if node not in self._known:
            cells = self._arrays.column(node)
            strengths = _STRENGTHS.take(self._arrays.code_of[cells])
            kept = np.flatnonzero(strengths)
            cases, strengths = self._arrays.case_of[cells][kept], strengths[kept]
            again = np.flatnonzero(cases[1:] == cases[:-1])
            if len(again):
                firsts = np.flatnonzero(np.diff(cases, prepend=-1))
                cases, strengths = cases[firsts], np.maximum.reduceat(strengths, firsts)
            self._known[node] = _Standing(cases, strengths, len(self._arrays.cases))
        return self._known[node]
