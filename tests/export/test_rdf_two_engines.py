"""Oxigraph and rdflib give the same rows; what only one of them may be asked goes to rdflib."""

from __future__ import annotations

import sys
from datetime import date
from typing import Any

import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import BadQuery
from kg.export.rdf import Asked, prefixes, rdf_parts
from kg.export.rdf import oxigraph as underneath
from kg.export.rdf.oxigraph import CannotSay, ask_store
from kg.readers.rdf_names import DEFAULT_BASE
from tests.helpers.strategies import QUICK
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

pytest.importorskip("pyoxigraph", reason="pip install 'incident-kg[rdf]'")

NASTY = 'a "quoted" \\ } UNION { ?s ?p ?o } # \n\t\u2028 😀 한글'


def asked(oxigraph: bool = True) -> Asked:
    parts = rdf_parts(tiny_cases(), tiny_vocabulary(), DEFAULT_BASE)
    return Asked(lambda: parts, DEFAULT_BASE, oxigraph=oxigraph)


@pytest.fixture(scope="module")
def slow() -> Asked:
    return asked(oxigraph=False)


@pytest.fixture(scope="module")
def quickly() -> Asked:
    return asked()


def only_oxigraph(it: Asked, monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Has the fallback fail, so that a test knows who answered."""

    def never(*_: Any) -> Any:
        raise AssertionError("rdflib was asked")

    monkeypatch.setattr("kg.export.rdf.sparql._from_graph", never)
    return it


SIMPLE: list[tuple[str, dict[str, Any]]] = [
    ("SELECT ?id { ?s a kg:Case ; dcterms:identifier ?id }", {}),
    ("SELECT DISTINCT ?c (COUNT(?s) AS ?n) { ?s kg:causedBy ?c } GROUP BY ?c", {}),
    ("SELECT ?id { ?s kg:causedBy/skos:broader*/skos:notation ?x ; dcterms:identifier ?id }",
     {"x": "cause:software"}),
    ("SELECT ?s ?v { ?s kg:seconds ?v FILTER (?v > ?least) }", {"least": 60}),
    ("SELECT ?s { ?s kg:approximate ?v }", {"v": False}),
    ("SELECT ?s { ?s kg:earliest ?day }", {"day": date(2024, 5, 20)}),
    ("SELECT ?s { ?s kg:causedBy ?v }", {"v": rdflib.URIRef(f"{DEFAULT_BASE}term/cause/mismatch")}),
    ("SELECT ?s { ?s skos:prefLabel ?v }", {"v": rdflib.Literal("재시작", lang="ko")}),
    ("SELECT ?s { ?s skos:prefLabel ?v }", {"v": "재시작"}),
    ("SELECT ?l { ?t skos:prefLabel ?l FILTER (LANG(?l) = 'ko' && STR(?l) > ?v) }", {"v": NASTY}),
    ("SELECT ?id ?x { ?s a kg:Case ; dcterms:identifier ?id OPTIONAL { ?s kg:severity ?x } }", {}),
    ("SELECT ?s { ?s a kg:Case FILTER NOT EXISTS { ?s kg:causedBy ?c } }", {}),
    ("SELECT ?s (1 + 1 AS ?n) ('a?id' AS ?t) { ?s dcterms:identifier ?id } # ?id and <?id>",
     {"id": "A-1"}),
    ("SELECT ?s { { ?s dcterms:identifier ?id } UNION { ?s dcterms:identifier $id } }",
     {"id": "A-1"}),
    ("SELECT ?n { { SELECT (COUNT(*) AS ?n) { ?s kg:causedBy/skos:notation ?c } } }",
     {"c": "cause:mismatch"}),
    ("ASK { ?s kg:causedBy cause:mismatch }", {}),
    ("ASK { ?s dcterms:identifier ?id }", {"id": NASTY}),
    ("SELECT ?s { ?v kg:causedBy ?s }", {"v": "a literal as a subject"}),
    ("SELECT * { ?b kg:causedBy ?a }", {}),
    ("SELECT ?id { ?s dcterms:identifier ?id ; a kg:Case } ORDER BY DESC(?id) LIMIT 2", {}),
]  # fmt: skip

ELSEWHERE: list[tuple[str, dict[str, Any]]] = [
    ("SELECT ?id ?s { ?s dcterms:identifier ?id }", {"id": "A-1"}),
    ("SELECT * { ?s dcterms:identifier ?id }", {"id": "A-1"}),
    ("SELECT ?s { ?s dcterms:identifier ?id FILTER (BOUND(?id)) }", {"id": "A-1"}),
    ("SELECT ?s { ?s dcterms:identifier 'A\\u002D1' }", {}),
    ("SELECT ?s { ?s dcterms:title ?t FILTER (CONTAINS(?t, 'service')) }", {}),
    ("SELECT ?a { ?a kg:causedBy ?x . ?b kg:causedBy ?x FILTER (?a != ?b)"
     " FILTER NOT EXISTS { ?a kg:exhibits/skos:broader* ?y . ?b kg:exhibits ?y } }", {}),
]  # fmt: skip


@pytest.mark.parametrize(("query", "values"), SIMPLE)
def test_oxigraph_answers_as_rdflib_does(
    query: str,
    values: dict[str, Any],
    slow: Asked,
    quickly: Asked,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wanted = slow.ask(query, values)
    found = only_oxigraph(quickly, monkeypatch).ask(query, values)
    assert found == wanted
    assert [[type(c) for c in row] for row in found.rows] == [
        [type(c) for c in row] for row in wanted.rows
    ]


@pytest.mark.parametrize(("query", "values"), ELSEWHERE)
def test_what_oxigraph_cannot_be_asked_goes_to_rdflib(
    query: str,
    values: dict[str, Any],
    slow: Asked,
    quickly: Asked,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert quickly.ask(query, values) == slow.ask(query, values)
    with pytest.raises(AssertionError, match="rdflib was asked"):
        only_oxigraph(quickly, monkeypatch).ask(query, values)


def test_the_columns_of_every_variable_are_sorted(slow: Asked, quickly: Asked) -> None:
    query = "SELECT * { ?b kg:causedBy ?a . ?a skos:notation ?c }"
    assert slow.ask(query, None).columns == quickly.ask(query, None).columns == ("a", "b", "c")


def test_most_of_these_find_something(slow: Asked) -> None:
    found = [slow.ask(*it).rows for it in (*SIMPLE, *ELSEWHERE)]
    assert sum(rows not in ((), ((False,),)) for rows in found) > len(found) - 9


@QUICK
@given(st.text() | st.integers() | st.booleans() | st.dates())
def test_any_value_is_a_value_in_both(value: Any) -> None:
    query = "SELECT ?s { ?s ?p ?v FILTER (!isIRI(?v)) }"
    if isinstance(value, str) and any("\ud800" <= c <= "\udfff" for c in value):
        return
    assert TWO[0].ask(query, {"v": value}) == TWO[1].ask(query, {"v": value})


TWO = asked(oxigraph=True), asked(oxigraph=False)


def test_nothing_that_may_name_a_service_reaches_oxigraph(monkeypatch: pytest.MonkeyPatch) -> None:
    class Never:
        def query(self, *_: Any, **__: Any) -> Any:
            raise AssertionError("oxigraph was asked")

    address = "<http://127.0.0.1:9/>"
    for spelling in ("SERVICE", "service", "SeRvIcE", "\\u0053ERVICE", "\\U00000053ERVICE"):
        query = f"SELECT * {{ {spelling} {address} {{ ?s ?p ?o }} }}"
        with pytest.raises(CannotSay):
            ask_store(Never(), query, ["s"], {}, {})  # type: ignore[arg-type]
        with pytest.raises(BadQuery):
            asked().ask(query, None)
    monkeypatch.setattr(underneath, "ask_store", Never().query)


def test_an_update_is_no_question_for_the_store() -> None:
    store = underneath.store_of(rdf_parts((), tiny_vocabulary(), DEFAULT_BASE))
    before = len(store)
    for update in ("CLEAR ALL", "LOAD <file:///etc/hostname>", "DELETE WHERE { ?s ?p ?o }"):
        with pytest.raises(CannotSay):  # no SELECT: it is not even read
            ask_store(store, update, [], {}, prefixes(DEFAULT_BASE))
    assert len(store) == before > 100


def test_without_oxigraph_rdflib_answers(monkeypatch: pytest.MonkeyPatch, slow: Asked) -> None:
    monkeypatch.setitem(sys.modules, "pyoxigraph", None)
    query, values = SIMPLE[2]
    assert asked().ask(query, values) == slow.ask(query, values)
