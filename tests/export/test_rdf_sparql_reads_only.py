"""SPARQL asks and nothing else: no change, no file, no other machine; values are only bound."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import rdflib

from kg.errors import BadQuery
from kg.export.rdf import as_graph, ask_graph, rdf_parts
from kg.readers.rdf_names import DEFAULT_BASE
from kg.store import Table
from tests.helpers.tiny import tiny_cases, tiny_vocabulary


@pytest.fixture(scope="module")
def graph() -> Iterator[rdflib.Graph]:
    it = as_graph(rdf_parts(tiny_cases(), tiny_vocabulary(), DEFAULT_BASE), DEFAULT_BASE)
    before = set(it)
    yield it
    assert set(it) == before


def ask(graph: rdflib.Graph, query: Any, values: Any = None) -> Table:
    return ask_graph(graph, query, values, DEFAULT_BASE)


@pytest.mark.parametrize(
    "query",
    [
        "INSERT DATA { <u:a> <u:b> <u:c> }",
        "DELETE WHERE { ?s ?p ?o }",
        "CLEAR ALL",
        "DROP DEFAULT",
        "LOAD <file:///etc/hostname>",
        "LOAD SILENT <https://a.example/x.ttl> INTO GRAPH <u:g>",
        "PREFIX a: <u:> INSERT { a:x a:y ?o } WHERE { ?s ?p ?o }",
    ],
)
def test_changes_are_refused(graph: rdflib.Graph, query: str) -> None:
    with pytest.raises(BadQuery, match="would change something"):
        ask(graph, query)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { SERVICE <https://a.example/sparql> { ?s ?p ?o } }",
        "SELECT * { ?s ?p ?o OPTIONAL { SERVICE SILENT ?s { ?a ?b ?c } } }",
        "ASK { FILTER EXISTS { SERVICE <https://a.example/> { ?s ?p ?o } } }",
        "SELECT * { { SELECT * { SERVICE <https://a.example/> { ?s ?p ?o } } } }",
        "SELECT (EXISTS { SERVICE <https://a.example/> { ?s ?p ?o } } AS ?x) {}",
    ],
)
def test_other_machines_are_not_asked(graph: rdflib.Graph, query: str) -> None:
    with pytest.raises(BadQuery, match="another machine"):
        ask(graph, query)


@pytest.mark.parametrize("clause", ["FROM", "FROM NAMED"])
def test_files_are_not_loaded(graph: rdflib.Graph, clause: str, tmp_path: Path) -> None:
    file = tmp_path / "secret.ttl"
    file.write_text("<u:secret> <u:is> 42 .", encoding="utf-8")
    with pytest.raises(BadQuery, match="FROM would load"):
        ask(graph, f"SELECT * {clause} <{file.as_uri()}> {{ ?s ?p ?o }}")


@pytest.mark.parametrize(
    "query",
    ["CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", "DESCRIBE case:A-1", "CONSTRUCT WHERE {}"],
)
def test_graphs_are_got_elsewhere(graph: rdflib.Graph, query: str) -> None:
    with pytest.raises(BadQuery, match="only SELECT and ASK"):
        ask(graph, query)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT", "cannot be read"),
        ("", "cannot be read"),
        ("SELECT * { ?s nope:x ?o }", "nope"),
        ("SELECT * { ?s ?p '\ud800' }", "half a character"),
        (7, "as text, not int"),
        ("SELECT * { " + "{" * 3000 + "}" * 3000 + " }", "SPARQL"),
    ],
)
def test_what_cannot_be_asked_is_told(graph: rdflib.Graph, query: Any, message: str) -> None:
    with pytest.raises(BadQuery, match=message):
        ask(graph, query)


def test_a_value_is_never_query_text(graph: rdflib.Graph) -> None:
    query = "SELECT ?case { ?case dcterms:identifier ?id }"
    assert len(ask(graph, query, {"id": "A-1"}).rows) == 1
    for attack in ('A-1" } UNION { ?case ?p ?o } #', "} ; DROP ALL", "?x", "<u:a>"):
        assert ask(graph, query, {"id": attack}).rows == ()


def test_values_may_be_numbers_days_truths_and_terms(graph: rdflib.Graph) -> None:
    def count(pattern: str, value: Any) -> int:
        return len(ask(graph, f"SELECT ?s {{ ?s {pattern} ?v }}", {"?v": value}).rows)

    assert count("kg:earliest", date(2024, 5, 20)) == 1
    assert count("kg:approximate", False) > 3
    assert count("kg:position", 1) > 3
    assert count("kg:causedBy", rdflib.URIRef(f"{DEFAULT_BASE}term/cause/mismatch")) >= 2


@pytest.mark.parametrize(
    "values", [["A-1"], "A-1", {"a b": "x"}, {"": "x"}, {"id": None}, {"id": ["A-1"]}, {"id": b"x"}]
)
def test_values_that_cannot_be_bound_are_refused(graph: rdflib.Graph, values: Any) -> None:
    with pytest.raises(BadQuery, match="SPARQL: "):
        ask(graph, "SELECT ?id { ?s dcterms:identifier ?id }", values)


def test_cells_are_python_values(graph: rdflib.Graph) -> None:
    table = ask(
        graph,
        "SELECT ?id ?cause ?seconds ?n ?nothing { case:A-1 dcterms:identifier ?id ; "
        "kg:causedBy ?cause ; kg:timeToDetect/kg:seconds ?seconds . BIND (1 + 1 AS ?n) }",
    )
    assert table.columns == ("id", "cause", "seconds", "n", "nothing")
    assert table.rows == (("A-1", f"{DEFAULT_BASE}term/cause/mismatch", 600, 2, None),)


def test_ask_gives_one_truth_value(graph: rdflib.Graph) -> None:
    assert ask(graph, "ASK { ?s kg:causedBy cause:mismatch }").rows == ((True,),)
    assert ask(graph, "ASK { ?s kg:causedBy cause:hardware }").rows == ((False,),)


def test_rows_are_sorted_unless_the_query_orders_them(graph: rdflib.Graph) -> None:
    query = "SELECT DISTINCT ?id { ?case a kg:Case ; dcterms:identifier ?id }"
    ids = [i for (i,) in ask(graph, query).rows]
    assert ids == sorted(ids)
    assert len(ids) == len(tiny_cases())
    turned = [i for (i,) in ask(graph, f"{query} ORDER BY DESC(?id) LIMIT 3").rows]
    assert turned == sorted(ids, reverse=True)[:3]
