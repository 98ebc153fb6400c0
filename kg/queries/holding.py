"""Which cases hold which terms, kind by kind and by status: what every count starts from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache

from kg.errors import BadQuery
from kg.graph import Edge, IncidentGraph, Relation
from kg.model import Role, Status
from kg.vocab import Vocabulary

KINDS: Mapping[str, Relation] = {
    "cause": Relation.CAUSED_BY,
    "trigger": Relation.TRIGGERED_BY,
    "factor": Relation.CONTRIBUTED_BY,
    "component": Relation.AFFECTS,
    "symptom": Relation.EXHIBITS,
    "mitigation": Relation.MITIGATED_BY,
    "follow_up": Relation.FOLLOWED_UP_BY,
    "organization": Relation.REPORTED_BY,
    "tool": Relation.DETECTED_WITH,
}
"""What can be counted. Unlike in a filter, a mitigation is what was done then, without what was
changed later; an organisation is the owner of what broke; a tool is one that found something."""

_ROLES = {
    "organization": (Role.OWNER,),
    "tool": (Role.DETECTED, Role.DIAGNOSED),
}
"""Of these kinds only claims in these roles count."""

Holders = dict[str, set[str]]
"""Term → ids of the cases that hold it or a narrower one."""


def check_kind(kind: str, kinds: Iterable[str] = KINDS) -> str:
    """The kind, if it is one of `kinds`.

    Raises:
        BadQuery: it is not.
    """
    if kind not in kinds:
        raise BadQuery(f"no kind {kind!r} here; there are {', '.join(kinds)}")
    return kind


def is_of(edge: Edge, kind: str) -> bool:
    """Whether an edge is a claim of this kind, whatever its status."""
    roles = _ROLES.get(kind)
    return edge.relation is KINDS[kind] and (roles is None or edge.role in roles)


def edges_of_kind(
    graph: IncidentGraph, case_id: str, kind: str, status: Status | None = None
) -> list[Edge]:
    """The claims of a kind that a case makes, in order; of one status unless it is None."""
    return [
        e
        for e in graph.edges_of(case_id, KINDS[kind])
        if is_of(e, kind) and status in (None, e.status)
    ]


def holders(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    case_ids: Collection[str],
    kind: str,
    status: Status = Status.CONFIRMED,
) -> Holders:
    """The cases that state each term of a kind with this status, narrower terms counted in."""
    return holders_by_kind(graph, vocabulary, case_ids, (kind,), status)[kind]


def holders_by_kind(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    case_ids: Collection[str],
    kinds: Collection[str],
    status: Status = Status.CONFIRMED,
) -> dict[str, Holders]:
    """The same for several kinds, in one pass over the edges of the library."""
    wanted, wider = set(case_ids), widening(vocabulary)
    kind_of = {KINDS[kind]: kind for kind in kinds}
    found: dict[str, Holders] = {kind: {} for kind in kinds}
    for edge in graph.edges:
        kind = kind_of.get(edge.relation)
        if kind is None or edge.status is not status or edge.case_id not in wanted:
            continue
        if is_of(edge, kind):
            for term in wider(edge.target):
                found[kind].setdefault(term, set()).add(edge.case_id)
    return found


def widening(vocabulary: Vocabulary) -> Callable[[str], tuple[str, ...]]:
    """A function from a term to itself and all broader terms, which remembers its answers."""
    return lru_cache(maxsize=None)(lambda term: tuple(vocabulary.broader_steps(term)))


def says_no_more(
    vocabulary: Vocabulary, term: str, cases: Collection[str], held: Mapping[str, Collection[str]]
) -> bool:
    """Whether a narrower term covers the same cases, so that this one need not be told."""
    below = vocabulary.narrower_all(term) - {term}
    return any(held.get(t) == cases for t in below)


def evidence_of(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    term: str,
    kind: str,
    case_ids: Iterable[str],
    status: Status = Status.CONFIRMED,
) -> tuple[Edge, ...]:
    """The claims of these cases that state a term or a narrower one, cases in order of id."""
    below = vocabulary.narrower_all(term)
    return tuple(
        e
        for case_id in sorted(case_ids)
        for e in edges_of_kind(graph, case_id, kind, status)
        if e.target in below
    )
