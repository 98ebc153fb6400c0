"""How much a term says, and how near two terms are: information content over the library."""

from __future__ import annotations

from bisect import bisect_left

from kg.graph import IncidentGraph
from kg.graph.compact import SIMILARITY_RELATIONS
from kg.model import Status

_LIKE = tuple(SIMILARITY_RELATIONS)

GENERIC_SHARE = 0.1
"""Share of the library from which on a term is generic: that two cases have it says little."""

GENERIC_CASES = 5
"""So many cases must have it at least; in a handful of cases every term is frequent."""


def cases_with(graph: IncidentGraph, term: str) -> int:
    """How many cases state a term or one below it, ruled-out claims aside."""
    terms = graph.terms.terms
    at = bisect_left(terms, term)
    return int(graph.terms.frequency[at]) if at < len(terms) and terms[at] == term else 0


def confirming(graph: IncidentGraph, term: str) -> int:
    """How many cases confirm a term or one below it; what they suspect does not count."""
    return len(graph.cases_of(term, narrower=True, status=Status.CONFIRMED, relations=_LIKE))


def is_generic(graph: IncidentGraph, term: str) -> bool:
    """Whether so many cases have a term that sharing it says next to nothing."""
    count = cases_with(graph, term)
    return count >= max(GENERIC_CASES, GENERIC_SHARE * len(graph.terms.cases))


def information(graph: IncidentGraph, term: str) -> float:
    """The information content of a term in nats (Resnik 1995): -log of the share of its cases.

    Smoothed as the rarity of the compact arrays, log((N + 1) / (n + 0.5)), where n counts the
    cases of the term and of all terms below it; so it never grows towards the top.
    """
    return graph.terms.rarity_by_term(term)


def similarity(graph: IncidentGraph, x: str, y: str, meeting: str) -> float:
    """How near two terms are that meet in a broader one, 0 to 1 (Lin 1998).

    2 × IC(meeting) / (IC(x) + IC(y)): 1 for the same term, near 0 where they meet in what
    nearly every case has.
    """
    if x == y == meeting:
        return 1.0
    whole = information(graph, x) + information(graph, y)
    return min(1.0, 2 * information(graph, meeting) / whole) if whole > 0 else 0.0
