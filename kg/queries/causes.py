"""Root causes that a set of cases shares: what they have in common, of the kind cause."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import fields

from kg.graph import IncidentGraph
from kg.queries.common import Common, CommonTerm, common
from kg.vocab import Vocabulary


class SharedCause(CommonTerm):
    """A cause that several of the chosen cases confirm, itself or in a narrower form."""

    @property
    def cause(self) -> str:
        """The cause term."""
        return self.term


def shared_causes(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    case_ids: Iterable[str],
    library_ids: Collection[str],
    minimum: int = 2,
) -> list[SharedCause]:
    """Causes that at least `minimum` of the chosen cases confirm; see `common`.

    Raises:
        BadQuery: minimum is below 1.
    """
    return as_causes(common(graph, vocabulary, case_ids, library_ids, "cause", minimum))


def as_causes(found: Common) -> list[SharedCause]:
    """The items of an answer about causes, as shared causes."""
    names = [f.name for f in fields(CommonTerm)]
    return [SharedCause(**{n: getattr(item, n) for n in names}) for item in found.items]
