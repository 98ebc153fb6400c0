"""Slow, obvious twins in plain Python and plain networkx; they judge the fast paths."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache

import networkx as nx

from kg.graph import IncidentGraph, Relation, case_node
from kg.vocab import Vocabulary

ALIKE = {
    "CAUSED_BY", "TRIGGERED_BY", "CONTRIBUTED_BY", "AFFECTS", "EXHIBITS", "DETECTED_WITH",
    "MITIGATED_BY", "FOLLOWED_UP_BY",
}  # fmt: skip
WEIGHT = {"confirmed": 1.0, "suspected": 0.5, "ruled_out": 0.0}


@lru_cache(maxsize=4)
def upward(vocabulary: Vocabulary) -> nx.DiGraph:
    """An edge from each term to each of its broader terms."""
    graph = nx.DiGraph()
    graph.add_nodes_from(vocabulary.terms)
    graph.add_edges_from((t.id, b) for t in vocabulary.terms.values() for b in t.broader)
    return graph


def above(vocabulary: Vocabulary, term: str) -> dict[str, int]:
    """The term and everything above it with the number of steps."""
    return dict(nx.single_source_shortest_path_length(upward(vocabulary), term))


def below(vocabulary: Vocabulary, term: str) -> set[str]:
    """The term and everything below it."""
    return {*nx.ancestors(upward(vocabulary), term), term}


def edges_out(graph: IncidentGraph, case_id: str) -> list[tuple[str, dict[str, object]]]:
    """Target and attributes of every edge that leaves a case, from networkx."""
    return [(t, d) for _, t, d in graph.nx.out_edges(case_node(case_id), data=True)]


def weights(graph: IncidentGraph, vocabulary: Vocabulary, case_id: str) -> dict[str, float]:
    """The widened weights of a case's terms, from the networkx graph alone."""
    found: dict[str, float] = {}
    for target, data in edges_out(graph, case_id):
        if data["relation"] not in ALIKE or data["derived"]:
            continue
        weight = WEIGHT[str(data["status"])] * (0.25 if data["role"] == "check_item" else 1.0)
        for term, steps in above(vocabulary, target).items():
            value = weight * 0.5**steps
            if value > 0:
                found[term] = max(found.get(term, 0.0), value)
    return found


def frequencies(rows: Mapping[str, Mapping[str, float]]) -> dict[str, int]:
    """How many rows hold each term."""
    terms = {t for row in rows.values() for t in row}
    return {t: sum(t in row for row in rows.values()) for t in terms}


def rarity(frequency: int, cases: int) -> float:
    """The idf as its formula stands."""
    return max(0.0, math.log((cases + 1) / (frequency + 0.5)))


def overlap(
    mine: Mapping[str, float],
    theirs: Mapping[str, float],
    rarities: Mapping[str, float],
    kinds: Mapping[str, float],
) -> float:
    """The weight that two rows share."""
    shared = set(mine) & set(theirs)
    return math.fsum(
        min(mine[t], theirs[t]) * rarities[t] * kinds.get(t.partition(":")[0], 0.0) for t in shared
    )


def cases_with(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    case_ids: Iterable[str],
    term: str,
    relations: Iterable[Relation | str],
    statuses: Iterable[str] = ("confirmed", "suspected"),
) -> set[str]:
    """The cases with an edge of these relations and statuses to a term or one below it."""
    wanted, names, allowed = below(vocabulary, term), set(map(str, relations)), set(statuses)
    return {
        i
        for i in case_ids
        for target, data in edges_out(graph, i)
        if target in wanted and data["relation"] in names and data["status"] in allowed
    }


def quantile(values: Iterable[float], share: float) -> float:
    """The quantile by linear interpolation between ranks."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low, high = math.floor(place), math.ceil(place)
    return ordered[low] * (1 - (place - low)) + ordered[high] * (place - low)
