"""Root causes that a set of cases shares, ranked by lift over the whole library."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from kg.errors import BadQuery
from kg.graph import Edge, IncidentGraph, Relation
from kg.model import Status
from kg.vocab import Vocabulary


@dataclass(frozen=True)
class SharedCause:
    """A cause that several of the chosen cases have, itself or in a narrower form.

    Attributes:
        cause: the cause term.
        n: how many of the chosen cases confirm it; `cases` are they.
        of: how many cases were chosen.
        share: n / of, with its 95 % Wilson interval `low` to `high`.
        library_n, library_of: the same over the whole library.
        lift: share in the choice over share in the library; 1 is no more than everywhere.
        suspected: chosen cases that only suspect it; they count for nothing in n.
        evidence: the edges behind it.
    """

    cause: str
    n: int
    of: int
    cases: tuple[str, ...]
    share: float
    low: float
    high: float
    library_n: int
    library_of: int
    lift: float
    suspected: tuple[str, ...]
    evidence: tuple[Edge, ...]


def shared_causes(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    case_ids: Sequence[str],
    library_ids: Sequence[str],
    minimum: int = 2,
) -> list[SharedCause]:
    """Causes that at least `minimum` of the chosen cases confirm.

    A broader cause is told only when it covers more cases than each cause below it. Ranked by
    lift, then n, then the more specific, then id.

    Raises:
        BadQuery: minimum is below 1.
    """
    if minimum < 1:
        raise BadQuery(f"minimum must be 1 or more, not {minimum}")
    chosen = set(case_ids)
    confirmed = _cases_by_cause(graph, vocabulary, library_ids, Status.CONFIRMED)
    suspected = _cases_by_cause(graph, vocabulary, library_ids, Status.SUSPECTED)
    found = []
    for cause, everywhere in confirmed.items():
        here = everywhere & chosen
        if len(here) >= minimum and not _told_below(vocabulary, cause, here, confirmed, chosen):
            only_suspected = (suspected.get(cause, set()) & chosen) - here
            found.append(
                _shared_cause(
                    graph, vocabulary, cause, here, everywhere, only_suspected, chosen, library_ids
                )
            )
    depth = {c.cause: len(vocabulary.broader_steps(c.cause)) for c in found}
    return sorted(found, key=lambda c: (-c.lift, -c.n, -depth[c.cause], c.cause))


def wilson(n: int, of: int, z: float = 1.959964) -> tuple[float, float]:
    """The Wilson score interval of a proportion (Wilson 1927), 95 % by default."""
    if of == 0:
        return 0.0, 1.0
    p, square = n / of, z * z
    centre = (p + square / (2 * of)) / (1 + square / of)
    half = z * math.sqrt(p * (1 - p) / of + square / (4 * of * of)) / (1 + square / of)
    return (centre - half if n else 0.0), (centre + half if n < of else 1.0)


def _cases_by_cause(
    graph: IncidentGraph, vocabulary: Vocabulary, case_ids: Sequence[str], status: Status
) -> dict[str, set[str]]:
    """Cases of each cause, narrower causes counted in the broader ones."""
    found: dict[str, set[str]] = {}
    for case_id in case_ids:
        for edge in graph.edges_of(case_id, Relation.CAUSED_BY):
            if edge.status is status:
                for cause in vocabulary.broader_steps(edge.target):
                    found.setdefault(cause, set()).add(case_id)
    return found


def _told_below(
    vocabulary: Vocabulary,
    cause: str,
    here: set[str],
    confirmed: dict[str, set[str]],
    chosen: set[str],
) -> bool:
    below = vocabulary.narrower_all(cause) - {cause}
    return any(confirmed.get(c, set()) & chosen == here for c in below)


def _shared_cause(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    cause: str,
    here: set[str],
    everywhere: set[str],
    only_suspected: set[str],
    chosen: set[str],
    library_ids: Sequence[str],
) -> SharedCause:
    low, high = wilson(len(here), len(chosen))
    share = len(here) / len(chosen)
    below = vocabulary.narrower_all(cause)
    edges = [
        e
        for case_id in sorted(here)
        for e in graph.edges_of(case_id, Relation.CAUSED_BY)
        if e.target in below and e.status is Status.CONFIRMED
    ]
    return SharedCause(
        cause=cause,
        n=len(here),
        of=len(chosen),
        cases=tuple(sorted(here)),
        share=share,
        low=low,
        high=high,
        library_n=len(everywhere),
        library_of=len(library_ids),
        lift=round(share / (len(everywhere) / len(library_ids)), 9),
        suspected=tuple(sorted(only_suspected)),
        evidence=tuple(edges),
    )
