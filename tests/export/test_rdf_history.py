"""The history in RDF: old ids deprecated and replaced, and all of it back again."""

from __future__ import annotations

from pathlib import Path

import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib import RDF, Literal, URIRef

from kg.export.rdf import FORMATS, as_graph, ask_graph, document, rdf_parts, rdf_text
from kg.model import Case, Operation
from kg.readers import read_rdf
from kg.readers.rdf_names import DCTERMS, DEFAULT_BASE, KG, OWL, PROV, SKOS
from kg.vocab import Evolution, Vocabulary, merge_terms, rename_term, split_term
from tests.helpers.evolving import TOLD, described, histories
from tests.helpers.strategies import QUICK, worlds
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

ENDING = {"turtle": ".ttl", "ntriples": ".nt", "jsonld": ".jsonld", "trig": ".trig"}


def changed() -> Evolution:
    one = rename_term(tiny_cases(), tiny_vocabulary(), "cause:mismatch", "x", told=TOLD)
    two = merge_terms(one.cases, one.vocabulary, ["cause:race"], "cause:x")
    return split_term(
        two.cases, two.vocabulary, "symptom:nccl-timeout", ["early"], {"A-1": "early"},
        described=[described("symptom:early", 'say "early" \\ \u202e <b>')],
    )  # fmt: skip


DONE = changed()


def graph_of(cases: tuple[Case, ...], vocabulary: Vocabulary) -> rdflib.Graph:
    return as_graph(rdf_parts(cases, vocabulary, DEFAULT_BASE), DEFAULT_BASE)


@pytest.fixture
def graph() -> rdflib.Graph:
    return graph_of(DONE.cases, DONE.vocabulary)


def it(path: str) -> URIRef:
    return URIRef(DEFAULT_BASE + path)


def check_back(source: Path | rdflib.Graph, cases: tuple[Case, ...], words: Vocabulary) -> None:
    found = read_rdf(source)
    assert found.problems == ()
    assert found.cases == cases
    assert found.schemes == tuple(words.schemes.values())
    assert found.changes == words.history
    assert Vocabulary(found.schemes, found.changes).replaced == words.replaced


@settings(QUICK, max_examples=12)
@given(st.data(), worlds(most=2))
def test_any_history_comes_back(data: st.DataObject, world: tuple[Vocabulary, list[Case]]) -> None:
    vocabulary, cases = world
    now, words = data.draw(histories(cases, vocabulary))[-1]
    check_back(graph_of(now, words), now, words)


@pytest.mark.parametrize("format", FORMATS)
def test_each_format_brings_it_back(format: str, tmp_path: Path) -> None:
    text = rdf_text(rdf_parts(DONE.cases, DONE.vocabulary, DEFAULT_BASE), format, DEFAULT_BASE)
    file = tmp_path / f"it{ENDING[format]}"
    file.write_text(text, encoding="utf-8", newline="")
    check_back(file, DONE.cases, DONE.vocabulary)


def test_an_old_id_is_deprecated_and_leads_to_the_term_of_now(graph: rdflib.Graph) -> None:
    old, now = it("term/cause/mismatch"), it("term/cause/x")
    assert (old, RDF.type, URIRef(f"{SKOS}Concept")) in graph
    assert (old, URIRef(f"{OWL}deprecated"), Literal(True)) in graph
    assert set(graph.objects(old, URIRef(f"{DCTERMS}isReplacedBy"))) == {now}
    assert set(graph.objects(now, URIRef(f"{DCTERMS}replaces"))) == {old, it("term/cause/race")}
    labels = set(graph.objects(old, URIRef(f"{SKOS}prefLabel")))
    assert Literal("mismatched collectives", lang="en") in labels
    assert not set(graph.subjects(URIRef(f"{KG}term"), old)), "no claim names it"


def test_a_change_is_an_activity_with_who_and_when(graph: rdflib.Graph) -> None:
    first = it("change/1")
    assert (first, RDF.type, URIRef(f"{PROV}Activity")) in graph
    predicates = (f"{DCTERMS}date", f"{KG}author", f"{KG}operation")
    told = [str(graph.value(first, URIRef(p))) for p in predicates]
    assert told == [TOLD.at, TOLD.author, f"{KG}operation-rename"]
    claims = set(graph.objects(first, URIRef(f"{KG}retagged")))
    assert claims == {it(f"case/{c}/claim/cause-1") for c in ("A-1", "A-2", "B-2")}
    notes = set(graph.objects(it("term/cause/x"), URIRef(f"{SKOS}changeNote")))
    assert notes == {it("change/1"), it("change/2")}
    assert graph.value(it("change/2"), URIRef(f"{DCTERMS}date")) is None


def test_sparql_follows_an_old_id(graph: rdflib.Graph) -> None:
    query = "SELECT ?case { ?case kg:causedBy/^dcterms:isReplacedBy? cause:mismatch }"
    found = ask_graph(graph, query, None, DEFAULT_BASE)
    assert [row[0] for row in found.rows] == [str(it("case/A-1")), str(it("case/A-2"))]


def test_a_vocabulary_without_history_says_nothing_of_one() -> None:
    text = rdf_text(
        rdf_parts(tiny_cases(), tiny_vocabulary(), DEFAULT_BASE), "ntriples", DEFAULT_BASE
    )
    assert "deprecated" not in text
    assert "/change/" not in text


def foreign(*triples: tuple[str, str, str]) -> rdflib.Graph:
    """The tiny library, and what somebody else said of terms that were there before."""
    graph = graph_of(tuple(tiny_cases()), tiny_vocabulary())
    for subject, predicate, value in triples:
        old, new = (it(f"term/cause/{slug}") for slug in (subject, value))
        graph.add((old, URIRef(DCTERMS + predicate), new))
    return graph


@pytest.mark.parametrize(
    "said", [("former", "isReplacedBy", "race"), ("race", "replaces", "former")]
)
def test_a_replacement_that_another_program_wrote_is_read(said: tuple[str, str, str]) -> None:
    found = read_rdf(foreign(said))
    assert found.problems == ()
    (change,) = found.changes
    assert (change.operation, change.old, change.new) == (
        Operation.RENAME,
        ("cause:former",),
        ("cause:race",),
    )
    words = Vocabulary(found.schemes, found.changes)
    assert words.resolve("cause:former").id == "cause:race"
    again = read_rdf(graph_of(found.cases, words))
    assert (again.problems, again.changes) == ((), found.changes)


def test_several_and_chains_lead_to_the_end() -> None:
    found = read_rdf(
        foreign(
            ("a", "isReplacedBy", "b"), ("b", "isReplacedBy", "race"), ("race", "replaces", "c")
        )
    )
    (change,) = found.changes
    assert (change.operation, change.old) == (Operation.MERGE, ("cause:a", "cause:b", "cause:c"))


def test_a_term_that_was_replaced_is_no_term_any_more() -> None:
    found = read_rdf(foreign(("mismatch", "isReplacedBy", "race")))
    words = Vocabulary(found.schemes, found.changes)
    assert "cause:mismatch" not in words
    assert words.current("cause:mismatch") == "cause:race"


@pytest.mark.parametrize(
    "said",
    [
        [("former", "isReplacedBy", "race"), ("former", "isReplacedBy", "mismatch")],
        [("former", "isReplacedBy", "later"), ("later", "isReplacedBy", "former")],
    ],
)
def test_a_replacement_that_leads_nowhere_is_told(said: list[tuple[str, str, str]]) -> None:
    problems = read_rdf(foreign(*said)).problems
    assert "cause:former is replaced by several terms, or leads in a ring" in str(problems[0])


def test_a_record_that_was_broken_is_told(graph: rdflib.Graph) -> None:
    record = URIRef(f"{KG}record")
    graph.set((it("change/2"), record, Literal('{"operation": "move"}')))
    found = read_rdf(graph)
    assert "change/2: its kg:record cannot be read" in str(found.problems[0])


def validate(graph: rdflib.Graph) -> str:
    pyshacl = pytest.importorskip("pyshacl", reason="pip install 'incident-kg[dev]'")
    shapes, ontology = rdflib.Graph(), rdflib.Graph()
    shapes.parse(data=document("shapes"), format="turtle")
    ontology.parse(data=document("ontology"), format="turtle")
    conforms, _, text = pyshacl.validate(graph + ontology, shacl_graph=shapes)
    return "" if conforms else str(text)


def test_a_changed_library_conforms_and_planted_faults_are_found() -> None:
    graph = graph_of(DONE.cases[:1], DONE.vocabulary)  # a change tells of claims that are not here
    assert validate(graph) == ""
    old = it("term/cause/mismatch")
    faults = [
        ((it("case/A-1/claim/cause-1"), URIRef(f"{KG}term"), old), "no old ids"),
        ((old, URIRef(f"{DCTERMS}isReplacedBy"), it("term/cause/link-down")), "the one term"),
        ((it("change/9"), RDF.type, URIRef(f"{KG}Change")), "a change leads from a term"),
    ]
    for triple, _ in faults:
        graph.add(triple)
    graph.remove((old, URIRef(f"{OWL}deprecated"), None))
    told = validate(graph)
    for wanted in ("an old id is deprecated", *(message for _, message in faults)):
        assert wanted in told, wanted


def test_every_word_of_the_history_is_defined(graph: rdflib.Graph) -> None:
    ontology = rdflib.Graph().parse(data=document("ontology"), format="turtle")
    used = {str(n) for t in graph for n in t if str(n).startswith(KG)}
    assert used - {str(s) for s in ontology.subjects()} == set()
