"""The graph as XML: GraphML and GEXF, for network programs such as Gephi, yEd and Cytoscape."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kg.export.networks import FlatEdge, Scalar, columns_of, flat_edges, flat_nodes
from kg.export.records import write_lines
from kg.graph import IncidentGraph

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Signs that XML 1.0 cannot hold in any way."""

_SPECIAL = re.compile("[&<>\"'\t\n\r\x7f-\x9f\u2028\u2029]")
"""Signs that mean something to XML, and blanks that it would turn into others."""


def escaped(text: str) -> str:
    """A text for an element or a quoted attribute, from which a program reads the same text.

    What XML cannot hold (controls, U+FFFE, U+FFFF) becomes `�`.
    """
    return _SPECIAL.sub(lambda m: f"&#{ord(m.group())};", _ILLEGAL.sub("\ufffd", text))


def write_graphml(graph: IncidentGraph, folder: Path) -> dict[str, Any]:
    """Write `graph.graphml`. The key of an edge in the graph is its attribute `key`."""
    write_lines(folder / "graph.graphml", _graphml(graph))
    return {}


def write_gexf(graph: IncidentGraph, folder: Path) -> dict[str, Any]:
    """Write `graph.gexf`. networkx finds the key of an edge by its attribute `networkx_key`."""
    write_lines(folder / "graph.gexf", _gexf(graph))
    return {}


def _columns(graph: IncidentGraph, key: str) -> tuple[dict[str, str], dict[str, str]]:
    """The attributes of nodes and of edges."""
    nodes = columns_of(data for _, data in flat_nodes(graph))
    return nodes, columns_of(_data(edge, key) for edge in flat_edges(graph))


def _data(edge: FlatEdge, key: str) -> dict[str, Scalar]:
    return {key: edge.key, **edge.data}


def _text(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else escaped(value)


def _graphml(graph: IncidentGraph) -> Iterator[str]:
    nodes, edges = _columns(graph, "key")
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for owner, columns in (("node", nodes), ("edge", edges)):
        for name, kind in columns.items():
            yield (
                f'<key id="{owner}_{name}" for="{owner}" attr.name="{name}" attr.type="{kind}"/>'
            )
    yield '<graph id="incident-kg" edgedefault="directed">'
    for node, data in flat_nodes(graph):
        yield f'<node id="{escaped(node)}">{_graphml_data("node", data)}</node>'
    for edge in flat_edges(graph):
        yield (
            f'<edge id="{escaped(edge.id)}" source="{escaped(edge.source)}" '
            f'target="{escaped(edge.target)}">{_graphml_data("edge", _data(edge, "key"))}</edge>'
        )
    yield "</graph>"
    yield "</graphml>"


def _graphml_data(owner: str, data: Mapping[str, Scalar]) -> str:
    return "".join(
        f'<data key="{owner}_{name}">{_text(value)}</data>' for name, value in sorted(data.items())
    )


def _gexf(graph: IncidentGraph) -> Iterator[str]:
    nodes, edges = _columns(graph, "networkx_key")
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">'
    yield '<graph mode="static" defaultedgetype="directed">'
    for owner, columns in (("node", nodes), ("edge", edges)):
        yield f'<attributes class="{owner}" mode="static">'
        for name, kind in columns.items():
            yield f'<attribute id="{owner}_{name}" title="{name}" type="{kind}"/>'
        yield "</attributes>"
    yield "<nodes>"
    for node, data in flat_nodes(graph):
        head = f'<node id="{escaped(node)}" label="{_text(data["label"])}">'
        yield f"{head}{_gexf_data('node', data)}</node>"
    yield "</nodes>"
    yield "<edges>"
    for edge in flat_edges(graph):
        yield (
            f'<edge id="{escaped(edge.id)}" source="{escaped(edge.source)}" '
            f'target="{escaped(edge.target)}" label="{_text(edge.data["relation"])}">'
            f"{_gexf_data('edge', _data(edge, 'networkx_key'))}</edge>"
        )
    yield "</edges>"
    yield "</graph>"
    yield "</gexf>"


def _gexf_data(owner: str, data: Mapping[str, Scalar]) -> str:
    cells = "".join(
        f'<attvalue for="{owner}_{name}" value="{_text(value)}"/>'
        for name, value in sorted(data.items())
    )
    return f"<attvalues>{cells}</attvalues>"
