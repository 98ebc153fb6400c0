"""The causes that a prediction chooses from, and the way up their hierarchy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kg.graph import IncidentGraph, Relation
from kg.model import CaseKind, Status
from kg.vocab import Vocabulary

Scores = NDArray[np.float64]


class Causes:
    """All causes of a vocabulary that have a name, in order of id.

    Attributes:
        ids: the causes; (causes,) is the last axis of every array of scores.
        column: cause -> its number.
    """

    def __init__(self, vocabulary: Vocabulary, stated: Iterable[str] = ()) -> None:
        """`stated`: causes that cases state; they count even where they have no name."""
        named = {t.id for t in vocabulary.terms.values() if t.scheme == "cause" and not t.unnamed}
        self._vocabulary = vocabulary
        self.ids: tuple[str, ...] = tuple(sorted(named | set(stated)))
        self.column: Mapping[str, int] = {c: i for i, c in enumerate(self.ids)}
        self._steps: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.ids)

    def at(self, cause: str, level: int | None) -> frozenset[str]:
        """The causes of a level that a cause lies below, or is; itself where it lies above them.

        Level 1 holds the most general terms, level 2 those directly below, and so on. A term of
        several parents is as far down as its longest way up. Thus a cause that a case states no
        more finely than its class stands for itself at level 2. None is the level of the cause.
        """
        if level is None:
            return frozenset([cause])
        above = self._vocabulary.broader_steps(cause)
        found = frozenset(t for t in above if self.depth(t) == level)
        return found or frozenset([cause])

    def depth(self, cause: str) -> int:
        """The level of a cause: 1 for a term without a broader one."""
        if cause not in self._steps:
            broader = self._vocabulary.terms[cause].broader
            self._steps[cause] = 1 + max(map(self.depth, broader), default=0)
        return self._steps[cause]

    def up(self, level: int | None) -> tuple[tuple[str, ...], Scores]:
        """The causes of a level, and who lies below whom: ids, and (causes, ids) of 0 and 1."""
        above = [self.at(c, level) for c in self.ids]
        ids = tuple(sorted(frozenset().union(*above)))
        column = {c: i for i, c in enumerate(ids)}
        member = np.zeros((len(self.ids), len(ids)))
        for row, found in enumerate(above):
            member[row, [column[c] for c in sorted(found)]] = 1.0
        return ids, member

    @cached_property
    def closure(self) -> Scores:
        """Who lies below whom, and each below itself: (causes, causes) of 0 and 1."""
        below = np.zeros((len(self.ids), len(self.ids)))
        for number, cause in enumerate(self.ids):
            above = [t for t in self._vocabulary.broader_steps(cause) if t in self.column]
            below[[self.column[t] for t in above], number] = 1.0
        return below

    @cached_property
    def classes(self) -> Scores:
        """Each cause's share in the most general classes, its rows adding up to 1."""
        _, member = self.up(1)
        shares: Scores = member / np.maximum(member.sum(axis=1, keepdims=True), 1.0)
        return shares

    def marks(self, stated: Sequence[Iterable[str]]) -> Scores:
        """Which case states which cause: (cases, causes) of 0 and 1."""
        found = np.zeros((len(stated), len(self.ids)))
        for row, causes in enumerate(stated):
            found[row, [self.column[c] for c in sorted(set(causes))]] = 1.0
        return found

    def below(self, terms: Iterable[str]) -> NDArray[np.bool_]:
        """Which causes are among these terms or lie below one of them: (causes,)."""
        known = [t for t in terms if t in self._vocabulary.terms]
        gone = {below for t in known for below in self._vocabulary.narrower_all(t)}
        return np.array([c in gone for c in self.ids], dtype=bool)


def confirmed_causes(graph: IncidentGraph, cases: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The confirmed causes of the cases that have any, by case id; suspected ones are none."""
    found = {}
    for case_id in sorted(set(cases)):
        edges = graph.edges_of(case_id, Relation.CAUSED_BY)
        causes = {e.target for e in edges if e.status is Status.CONFIRMED}
        if causes:
            found[case_id] = tuple(sorted(causes))
    return found


def incidents_of(graph: IncidentGraph) -> list[str]:
    """The cases of kind incident, read off the networkx view."""
    kinds = graph.nx.nodes(data="case_kind")
    return sorted(node.partition(":")[2] for node, kind in kinds if kind == CaseKind.INCIDENT)
