"""The graph as a Cypher script, for Neo4j and others; no text of a case can break out of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kg.export.networks import FlatEdge, Scalar, flat_edges, flat_nodes
from kg.export.records import write_lines
from kg.graph import IncidentGraph
from kg.graph.schema import NODE_KINDS, kind_of

_AT_ONCE = 500
"""Rows of one statement, which is one transaction."""

_LABELS = {kind: kind.capitalize() for kind in NODE_KINDS}
_ESCAPES = {"\\": "\\\\", "\\u": "\\\\' + 'u", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_SPECIAL = re.compile(
    "\\\\u?|['\\x00-\\x1f\\x7f-\\x9f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff]"
)


def literal(value: Scalar) -> str:
    r"""A value as a Cypher expression on one line, whatever it holds.

    Some versions of Cypher turn `\u0027` into a quote before they look for the ends of strings,
    and look for it after a doubled backslash too. So a backslash of the text never stands before
    a `u` of the text: there the string is cut in two, joined by `+`.
    """
    if isinstance(value, bool):
        return str(value).lower()
    return "'" + _SPECIAL.sub(lambda m: _escape(m.group()), value) + "'"


def _escape(sign: str) -> str:
    return _ESCAPES.get(sign) or f"\\u{ord(sign):04x}"


def write_cypher(graph: IncidentGraph, folder: Path) -> dict[str, Any]:
    """Write `graph.cypher`: a node for each node, a relationship for each edge.

    Running it twice adds nothing. Nodes have one label (`Case`, `Cause`, …) and are found by
    their property `id`; relationships have the type of the edge and are found by `key`.
    """
    write_lines(folder / "graph.cypher", _script(graph))
    return {}


def _script(graph: IncidentGraph) -> Iterator[str]:
    yield "// incident-kg. Load with: cypher-shell -f graph.cypher"
    for kind, label in _LABELS.items():
        yield (
            f"CREATE CONSTRAINT incident_kg_{kind} IF NOT EXISTS "
            f"FOR (n:{label}) REQUIRE n.id IS UNIQUE;"
        )
    nodes: dict[str, list[str]] = {}
    for node, data in flat_nodes(graph):
        nodes.setdefault(kind_of(node), []).append(_map({"id": node, **data}))
    for kind in NODE_KINDS:
        yield from _statements(
            nodes.get(kind, []), f"MERGE (n:{_LABELS[kind]} {{id: row.id}})", "SET n += row"
        )
    edges: dict[tuple[str, str, str], list[str]] = {}
    for edge in flat_edges(graph):
        place = (str(edge.data["relation"]), kind_of(edge.source), kind_of(edge.target))
        edges.setdefault(place, []).append(_row(edge))
    for (relation, one, other), rows in sorted(edges.items()):
        yield from _statements(
            rows,
            f"MATCH (a:{_LABELS[one]} {{id: row.source}})",
            f"MATCH (b:{_LABELS[other]} {{id: row.target}})",
            f"MERGE (a)-[r:{relation} {{key: row.data.key}}]->(b)",
            "SET r += row.data",
        )


def _row(edge: FlatEdge) -> str:
    ends = f"source: {literal(edge.source)}, target: {literal(edge.target)}"
    return f"{{{ends}, data: {_map({'key': edge.key, **edge.data})}}}"


def _map(data: Mapping[str, Scalar]) -> str:
    """A map; its keys are names of ours, its values may be anything."""
    return "{" + ", ".join(f"{name}: {literal(value)}" for name, value in data.items()) + "}"


def _statements(rows: list[str], *clauses: str) -> Iterator[str]:
    for first in range(0, len(rows), _AT_ONCE):
        some = rows[first : first + _AT_ONCE]
        yield "UNWIND ["
        yield from (f"  {row}," for row in some[:-1])
        yield f"  {some[-1]}"
        yield "] AS row"
        yield from clauses[:-1]
        yield f"{clauses[-1]};"
