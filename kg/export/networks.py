"""The graph of a library for other programs: nodes and edges whole, or flat; node-link JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kg.export.records import json_line, write_lines
from kg.graph import IncidentGraph
from kg.graph.edges import Edge
from kg.graph.incident_graph import edge_attributes

Scalar = str | bool


@dataclass(frozen=True)
class FlatEdge:
    """An edge whose attributes are texts and truth values, as most formats want them.

    Attributes:
        id: tells it apart from every other edge of the graph; the same in every export.
        source, target, key: as in the graph.
        data: the other attributes; what is not stated is left out. A statement is an attribute
            for each of its languages (`statement_en`); `evidence` is a JSON list of spans.
    """

    id: str
    source: str
    target: str
    key: str
    data: Mapping[str, Scalar]


def flat_nodes(graph: IncidentGraph) -> Iterator[tuple[str, dict[str, Scalar]]]:
    """The nodes with what is stated of them, in the order of the graph."""
    for node, data in graph.nodes():
        yield node, {name: value for name, value in data.items() if value != ""}


def flat_edges(graph: IncidentGraph) -> Iterator[FlatEdge]:
    """The edges in the order of the graph, each with its status, role, statement and evidence."""
    for edge in graph.edges:
        data = dict(_flat(edge))
        yield FlatEdge(
            f"{edge.source} {edge.key} {edge.target}", edge.source, edge.target, edge.key, data
        )


def _flat(edge: Edge) -> Iterator[tuple[str, Scalar]]:
    yield "relation", str(edge.relation)
    yield "status", str(edge.status)
    yield "derived", edge.derived
    for name in ("role", "value", "result", "case_id", "claim_id"):
        if (value := getattr(edge, name)) not in (None, ""):
            yield name, str(value)
    for lang, text in edge.statement:
        yield f"statement_{lang.replace('-', '_')}", text
    if edge.evidence:
        yield "evidence", json_line([s.model_dump() for s in edge.evidence])


def columns_of(rows: Iterable[Mapping[str, Scalar]]) -> dict[str, str]:
    """The attributes that rows have, sorted, each `string` or `boolean`."""
    kinds = {
        name: "boolean" if isinstance(value, bool) else "string"
        for row in rows
        for name, value in row.items()
    }
    return dict(sorted(kinds.items()))


def write_node_link(graph: IncidentGraph, folder: Path) -> dict[str, Any]:
    """Write `graph.json`, which `networkx.node_link_graph(data, edges="edges")` reads.

    Nodes and edges carry all that they carry in `graph.nx`.
    """
    write_lines(folder / "graph.json", _node_link(graph))
    return {}


def _node_link(graph: IncidentGraph) -> Iterator[str]:
    yield '{"directed": true, "multigraph": true, "graph": {"name": "incident-kg"},'
    yield '"nodes": ['
    yield from _listed({**data, "id": node} for node, data in graph.nodes())
    yield '], "edges": ['
    yield from _listed(
        {"source": e.source, "target": e.target, "key": e.key, **edge_attributes(e)}
        for e in graph.edges
    )
    yield "]}"


def _listed(values: Iterable[Any]) -> Iterator[str]:
    """Values of a JSON list, one a line."""
    before = None
    for value in values:
        if before is not None:
            yield f"{before},"
        before = json_line(value)
    if before is not None:
        yield before
