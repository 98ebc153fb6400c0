"""Each query of docs/sparql.md gives what Python gives, on the reference cases."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import kg
from kg.export.rdf import Asked, rdf_parts
from kg.graph import Relation
from kg.library import Library
from kg.model import ClaimKind, Status
from kg.queries import SameCause, same_cause
from kg.readers.rdf_files import has_oxigraph
from kg.readers.rdf_names import DEFAULT_BASE, PREFIXES, TRISTATE, choice
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "sparql.md").read_text(encoding="utf-8")
QUERIES = dict(re.findall(r"^## (.*?)\n.*?```sparql\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE))
Rows = set[tuple[Any, ...]]


def values_of(query: str) -> dict[str, str]:
    head = query.split("\n", 1)[0]
    return dict(p.split("=", 1) for p in head[2:].split()) if head.startswith("# ") else {}


def confirmed(lib: Library, term: str, relation: Relation, *, narrower: bool = True) -> list[str]:
    found = lib.graph.cases_of(
        term, narrower=narrower, status=Status.CONFIRMED, relations={relation}
    )
    return list(found)


def causes(lib: Library, case_id: str, status: Status = Status.CONFIRMED) -> set[str]:
    claims = lib.get(case_id).claims_of(ClaimKind.CAUSE, status)
    return {term for claim in claims for term in claim.terms}


def shared(lib: Library, id: str, other: str) -> Rows:
    return {
        (f"{DEFAULT_BASE}term/{s.cause.replace(':', '/')}",) for s in lib.shared_causes([id, other])
    }


def by_component(lib: Library, component: str) -> Rows:
    ids = confirmed(lib, component, Relation.AFFECTS)
    return set(Counter(cause for i in ids for cause in causes(lib, i)).items())


def look_alikes(lib: Library, symptom: str) -> Rows:
    ids = confirmed(lib, symptom, Relation.EXHIBITS, narrower=False)
    verdict = {(a, b): same_cause(lib.graph, lib.vocabulary, a, b) for a, b in combinations(ids, 2)}
    return {pair for pair, same in verdict.items() if same is SameCause.NO}


def by_broader(lib: Library, cause: str) -> Rows:
    return {(i,) for i in confirmed(lib, cause, Relation.CAUSED_BY)}


def ruled_out(lib: Library, lang: str) -> Rows:
    edges = [e for i in lib.cases for e in lib.graph.edges_of(i, Relation.CAUSED_BY)]
    return {
        (e.case_id, e.target, span.quote)
        for e in edges
        if e.status is Status.RULED_OUT
        for span in e.evidence
        if span.lang == lang
    }


def again(lib: Library) -> Rows:
    """Pairs both ways of a recurrence; which cause is the upper one is told by the vocabulary."""
    found = lib.recurrences()
    pairs = [(r.organization, r.later, b) for r in (*found, *found.unsure) for b in r.before]
    assert found.unplaced == ()
    rows: Rows = set()
    for organization, later, before in pairs:
        for a, b in ((later, before), (before, later)):
            for x in causes(lib, a):
                for y in causes(lib, b) & set(lib.vocabulary.broader_steps(x)):
                    if lib.vocabulary.get(y).broader:
                        rows.add((organization, y, a, b))
    return rows


def worked(lib: Library, cause: str) -> Rows:
    below = lib.vocabulary.narrower_all(cause)
    return {
        (case.id, term, claim.statement.get("en") if claim.statement else None)
        for case in lib.cases.values()
        for claim in case.claims
        if claim.status is Status.CONFIRMED and claim.result == "worked"
        if below & set(claim.addresses)
        for term in claim.terms
    }


def unconfirmed(lib: Library) -> Rows:
    without = [i for i in lib.cases if not causes(lib, i)]
    return {(i, s) for i in without for s in causes(lib, i, Status.SUSPECTED) or {None}}


def noria(lib: Library) -> Rows:
    name = {"exact_match": "exactMatch", "close_match": "closeMatch"}
    return {
        (term.id, PREFIXES["skos"] + name[kind], iri)
        for term in lib.vocabulary.terms.values()
        for kind, iri in term.matches()
        if iri.startswith("https://w3id.org/noria/")
    }


def evidence(lib: Library, claim: str) -> Rows:
    case = lib.get(claim.partition("#")[0])
    spans = dict(case.claim_ids())[claim].evidence
    return {(choice("field", s.field), s.lang, *case.locate(s), s.quote) for s in spans}


def unsaid(lib: Library) -> Rows:
    name = {"not_stated": "notStated", "none": "noneStated"}
    states = Counter((f, str(c.field_state(f))) for c in lib.cases.values() for f in TRISTATE)
    return {
        (choice("field", field), PREFIXES["kg"] + name[state], count)
        for (field, state), count in states.items()
        if state in name
    }


TWINS: dict[str, Callable[..., Rows]] = {
    "Root causes that two cases share": shared,
    "Causes by component": by_component,
    "Look-alikes with another cause": look_alikes,
    "Cases by a broader cause": by_broader,
    "Causes that were ruled out, with the words that say so": ruled_out,
    "What happened to one organisation again": again,
    "What worked against a cause": worked,
    "Causes that nobody confirmed": unconfirmed,
    "Terms that NORIA-O names as well": noria,
    "The evidence of a claim": evidence,
    "What the sources say nothing of": unsaid,
}


def test_every_query_of_the_page_has_a_twin() -> None:
    assert set(QUERIES) == set(TWINS)
    assert len(QUERIES) >= 10


EMPTY_HERE = {"What happened to one organisation again"}


@pytest.fixture(scope="module")
def engines(quick: Library) -> dict[str, Asked]:
    """The same triples under each engine that is there."""
    parts = rdf_parts(quick.cases.values(), quick.vocabulary, DEFAULT_BASE)
    made = {"rdflib": Asked(lambda: parts, DEFAULT_BASE, oxigraph=False)}
    if has_oxigraph():
        made["oxigraph"] = Asked(lambda: parts, DEFAULT_BASE)
    return made


@pytest.mark.parametrize("title", TWINS)
def test_the_query_gives_what_python_gives(
    title: str, quick: Library, engines: dict[str, Asked]
) -> None:
    query = QUERIES[title]
    values = values_of(query)
    for engine, asked in engines.items():
        rows = asked.ask(query, values).rows
        assert len(set(rows)) == len(rows), engine
        assert set(rows) == TWINS[title](quick, **values), engine
        assert bool(rows) == (title not in EMPTY_HERE), engine


def test_a_library_answers_by_one_of_them(quick: Library, engines: dict[str, Asked]) -> None:
    query = QUERIES["Cases by a broader cause"]
    found = quick.sparql(query, values_of(query))
    assert all(asked.ask(query, values_of(query)) == found for asked in engines.values())


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """A-1 and A-2 are incidents of one organisation with one cause, which is no general class."""
    path = tmp_path_factory.mktemp("tiny") / "tiny.duckdb"
    vocabulary = tiny_vocabulary()
    with kg.build_library(tiny_cases(), path, vocabulary=vocabulary, encoder="hash") as it:
        yield it


def test_what_happened_again_is_found_where_something_did(tiny: Library) -> None:
    rows = set(tiny.sparql(QUERIES["What happened to one organisation again"]).rows)
    assert rows == again(tiny)
    assert ("organization:alpha", "cause:mismatch", "A-1", "A-2") in rows
