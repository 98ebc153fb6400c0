"""Ontology, context and shapes name the same things as the triples, and the page runs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import rdflib
from rdflib import OWL, RDF, RDFS, URIRef

import kg
from kg.export.rdf import DOCUMENTS, as_graph, document, rdf_parts
from kg.library import Library
from kg.readers.rdf_names import CLASS_OF_CLAIM, DEFAULT_BASE, KG, NORIA, PREFIXES, PROV
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rdf.md"


@pytest.fixture(scope="module")
def ontology() -> rdflib.Graph:
    return rdflib.Graph().parse(data=document("ontology"), format="turtle")


def defined(ontology: rdflib.Graph) -> set[str]:
    return {str(s) for s in ontology.subjects() if str(s).startswith(KG)}


def test_every_word_of_the_triples_is_defined(ontology: rdflib.Graph, quick: Library) -> None:
    tiny = as_graph(rdf_parts(tiny_cases(), tiny_vocabulary(), DEFAULT_BASE), DEFAULT_BASE)
    for graph in (tiny, quick.to_rdf(case_ids=["IL-0480", "IL-0023"])):
        used = {str(n) for triple in graph for n in triple if str(n).startswith(KG)}
        assert used - defined(ontology) == set()
    assert set(CLASS_OF_CLAIM.values()) <= defined(ontology)


def test_every_word_has_labels_in_both_languages(ontology: rdflib.Graph) -> None:
    for word in defined(ontology):
        languages = {label.language for label in ontology.objects(URIRef(word), RDFS.label)}
        assert languages == {"en", "ko"}, word


def test_properties_are_used_as_they_are_defined(ontology: rdflib.Graph, quick: Library) -> None:
    graph = quick.to_rdf(case_ids=["IL-0480"])
    for kind, literal in ((OWL.ObjectProperty, False), (OWL.DatatypeProperty, True)):
        for word in ontology.subjects(RDF.type, kind):
            for value in graph.objects(None, word):
                assert isinstance(value, rdflib.Literal) == literal, word
                wanted = ontology.value(word, RDFS.range)
                if literal and wanted and value.language is None:
                    assert (value.datatype or rdflib.XSD.string) == wanted, word


def test_it_is_aligned_to_the_vocabularies_of_others(ontology: rdflib.Graph) -> None:
    objects = {str(o) for o in ontology.objects()}
    for name in ("noria", "prov", "dcterms", "schema"):
        assert any(o.startswith(PREFIXES[name]) for o in objects), name
    assert f"{NORIA}TroubleTicket" in objects
    assert f"{PROV}wasDerivedFrom" in objects


def test_the_context_knows_every_property(ontology: rdflib.Graph) -> None:
    context = json.loads(document("context"))["@context"]
    known = {s["@id"] for s in context.values() if isinstance(s, dict)}
    kinds = (OWL.ObjectProperty, OWL.DatatypeProperty)
    for word in {str(w) for k in kinds for w in ontology.subjects(RDF.type, k)}:
        assert word.replace(KG, "kg:") in known, word


def test_the_shapes_name_only_defined_words(ontology: rdflib.Graph) -> None:
    text = document("shapes")
    used = set(re.findall(r"(?<![\w/])kg:([A-Za-z-]+)", text))
    shapes = {w for w in used if w.endswith("Shape")}
    assert len(shapes) > 15
    assert {KG + w for w in used - shapes} - defined(ontology) == set()


def test_inference_makes_a_root_cause_a_cause(ontology: rdflib.Graph) -> None:
    owlrl = pytest.importorskip("owlrl", reason="comes with pyshacl")
    parts = rdf_parts(tiny_cases()[:1], tiny_vocabulary(), DEFAULT_BASE)
    graph = as_graph(parts[:1], DEFAULT_BASE) + ontology
    case, cause = URIRef(f"{DEFAULT_BASE}case/A-1"), URIRef(f"{DEFAULT_BASE}term/cause/mismatch")
    graph.remove((case, URIRef(f"{KG}causedBy"), None))
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph)
    assert (case, URIRef(f"{KG}causedBy"), cause) in graph
    assert not list(
        graph.subjects(
            RDF.type, URIRef("http://www.daml.org/2002/03/agents/agent-ont#ErrorMessage")
        )
    )


def test_each_document_ships_with_the_package() -> None:
    folder = Path(kg.__file__).parent / "export" / "rdf"
    assert {f.name for f in folder.iterdir() if f.suffix in (".ttl", ".jsonld")} == set(
        DOCUMENTS.values()
    )


def test_the_python_of_the_page_runs(quick: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kg, "open_library", lambda: quick)
    names: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 2
    for code in blocks:
        exec(compile(code, PAGE.name, "exec"), names)  # noqa: S102 - our own text


def test_the_page_names_only_words_that_are_defined(ontology: rdflib.Graph) -> None:
    used = set(re.findall(r"`kg:([A-Za-z][A-Za-z-]*)", PAGE.read_text(encoding="utf-8")))
    assert {KG + w for w in used} - defined(ontology) == set()
