"""GraphML, GEXF and node-link JSON, read by networkx, are the graph of the library."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given

from kg.export.xml import escaped
from kg.model import Case
from kg.store import Snapshot
from kg.vocab import Vocabulary
from tests.helpers.exports import NASTY, exported, graph_of, nasty_snapshot
from tests.helpers.libraries import make_snapshot
from tests.helpers.strategies import WORLDS, worlds

Graph = Any


def read_graphml(folder: Path) -> Graph:
    graph = nx.read_graphml(folder / "graph.graphml", force_multigraph=True)
    keyed = nx.MultiDiGraph()
    keyed.add_nodes_from(graph.nodes(data=True))
    for source, target, data in graph.edges(data=True):
        key = data.pop("key")
        keyed.add_edge(source, target, key, **data)
    assert keyed.number_of_edges() == graph.number_of_edges()
    return keyed


def read_gexf(folder: Path) -> Graph:
    return nx.read_gexf(folder / "graph.gexf")


def read_node_link(folder: Path) -> Graph:
    data = json.loads((folder / "graph.json").read_text(encoding="utf-8"))
    return nx.node_link_graph(data, edges="edges")


READERS = {"graphml": read_graphml, "gexf": read_gexf}


def shown(text: str) -> str:
    """A text without the signs that XML cannot hold."""
    held = (c in "\t\n\r" or (c >= " " and c not in "\ufffe\uffff") for c in text)
    return "".join(c if h else "\ufffd" for c, h in zip(text, held, strict=True))


def check_flat(snapshot: Snapshot, read: Graph) -> None:
    """Compare what was read with the graph that networkx itself holds."""
    wanted = graph_of(snapshot).nx
    assert set(read.nodes) == set(map(shown, wanted.nodes))
    assert read.number_of_edges() == wanted.number_of_edges()
    for node, data in wanted.nodes(data=True):
        for name, value in data.items():
            if name != "label" or value:
                assert read.nodes[shown(node)].get(name, "") == shown(value), (node, name)
    for source, target, key, data in wanted.edges(keys=True, data=True):
        # Where no two edges are parallel, networkx makes a graph without keys of a GEXF file.
        place = (shown(source), shown(target), *([key] if read.is_multigraph() else []))
        check_edge(read.edges[place], data)


def check_edge(found: dict[str, Any], data: dict[str, Any]) -> None:
    assert found["relation"] == data["relation"]
    assert found["status"] == data["status"]
    assert found["derived"] is data["derived"]
    for name in ("role", "value", "result", "case_id", "claim_id"):
        assert found.get(name, "") == shown(data[name] or ""), name
    told = {k[10:]: v for k, v in found.items() if k.startswith("statement_")}
    assert told == {lang: shown(text) for lang, text in data["statement"].items()}
    spans = json.loads(found.get("evidence", "[]"))
    assert [{**s, "quote": shown(s["quote"])} for s in spans] == [
        {**s, "quote": shown(s["quote"])} for s in data["evidence"]
    ]


@pytest.mark.parametrize("form", READERS)
def test_networkx_reads_the_graph_with_all_its_evidence(tmp_path: Path, form: str) -> None:
    snapshot = nasty_snapshot()
    check_flat(snapshot, READERS[form](exported(snapshot, tmp_path / "out", form)))


@WORLDS
@given(worlds())
def test_any_library_is_read_by_networkx(
    tmp_path_factory: pytest.TempPathFactory, world: tuple[Vocabulary, list[Case]]
) -> None:
    snapshot, folder = make_snapshot(world[1], world[0]), tmp_path_factory.mktemp("graphs")
    for form, read in READERS.items():
        check_flat(snapshot, read(exported(snapshot, folder / form, form)))


@WORLDS
@given(worlds())
def test_node_link_is_the_graph_itself(
    tmp_path_factory: pytest.TempPathFactory, world: tuple[Vocabulary, list[Case]]
) -> None:
    snapshot, folder = make_snapshot(world[1], world[0]), tmp_path_factory.mktemp("graphs")
    check_whole(snapshot, folder / "node-link")


def test_node_link_keeps_nasty_texts_sign_by_sign(tmp_path: Path) -> None:
    check_whole(nasty_snapshot(), tmp_path / "out")


def check_whole(snapshot: Snapshot, folder: Path) -> None:
    read, wanted = read_node_link(exported(snapshot, folder, "node-link")), graph_of(snapshot).nx
    assert read.graph == wanted.graph
    assert dict(read.nodes(data=True)) == dict(wanted.nodes(data=True))
    found = {e[:3]: e[3] for e in read.edges(keys=True, data=True)}
    assert found == {
        e[:3]: {**e[3], "evidence": list(e[3]["evidence"])}
        for e in wanted.edges(keys=True, data=True)
    }


@pytest.mark.parametrize("form", [*READERS, "node-link"])
def test_ruled_out_edges_are_there_and_marked(tmp_path: Path, form: str) -> None:
    folder = exported(nasty_snapshot(), tmp_path / "out", form)
    graph = {**READERS, "node-link": read_node_link}[form](folder)
    status = graph.edges["case:B-2", "cause:mismatch", "CAUSED_BY/B-2#cause-1"]["status"]
    assert status == "ruled_out"
    assert {d["status"] for *_, d in graph.edges(data=True)} == {
        "confirmed", "suspected", "ruled_out",
    }  # fmt: skip


@pytest.mark.parametrize("form", READERS)
def test_ids_of_edges_are_told_apart_over_the_whole_file(tmp_path: Path, form: str) -> None:
    file = exported(nasty_snapshot(), tmp_path / "out", form) / f"graph.{form}"
    root = ET.parse(file).getroot()  # noqa: S314 - our own file
    edges = [e.get("id") for e in root.iter() if e.tag.endswith("}edge")]
    assert len(edges) > 30
    assert len(set(edges)) == len(edges)


@pytest.mark.parametrize("text", NASTY)
def test_a_text_in_xml_is_read_as_it_was(text: str) -> None:
    element = ET.fromstring(f'<a b="{escaped(text)}">{escaped(text)}</a>')  # noqa: S314
    assert element.get("b") == element.text == shown(text)


def test_node_link_has_one_node_or_edge_a_line(tmp_path: Path) -> None:
    snapshot = nasty_snapshot()
    graph = graph_of(snapshot).nx
    text = (exported(snapshot, tmp_path / "out", "node-link") / "graph.json").read_text("utf-8")
    wanted = graph.number_of_nodes() + graph.number_of_edges() + 4
    assert len(text.splitlines()) == wanted
