"""RDF that is not as it should be: a problem that says where, or sense made of what is there."""

from __future__ import annotations

from pathlib import Path

import pytest
from rdflib import RDF, Graph, Literal, URIRef

from kg.export.rdf import as_graph, rdf_parts, rdf_text
from kg.readers import read_rdf
from kg.readers.rdf_files import read_graph
from kg.readers.rdf_names import DEFAULT_BASE, KG, OA, SKOS
from tests.helpers.tiny import make_case, tiny_cases, tiny_vocabulary

CLAIM = URIRef(f"{DEFAULT_BASE}case/A-1/claim/cause-1")


@pytest.fixture
def graph() -> Graph:
    return as_graph(rdf_parts(tiny_cases(), tiny_vocabulary(), DEFAULT_BASE), DEFAULT_BASE)


def told(graph: Graph) -> list[str]:
    found = read_rdf(graph)
    assert "A-1" not in {c.id for c in found.cases}
    assert len(found.cases) == len(tiny_cases()) - 1
    return [f"{p.case_id} {p.field} {p.message}" for p in found.problems]


def test_a_claim_without_a_status_is_no_fact(graph: Graph) -> None:
    graph.remove((CLAIM, URIRef(f"{KG}status"), None))
    (problem,) = told(graph)
    assert problem.startswith("A-1 claims.0.status")


def test_an_unknown_status_is_told(graph: Graph) -> None:
    graph.set((CLAIM, URIRef(f"{KG}status"), URIRef(f"{KG}status-likely")))
    (problem,) = told(graph)
    assert problem.startswith("A-1 claims.0.status")


def test_words_that_do_not_stand_there_are_told(graph: Graph) -> None:
    span = URIRef(f"{CLAIM}/evidence/1")
    graph.set((span, URIRef(f"{OA}exact"), Literal("Made up.", lang="en")))
    assert any("Made up." in problem for problem in told(graph))


def test_a_place_that_is_not_that_of_the_words_is_told(graph: Graph) -> None:
    span = URIRef(f"{CLAIM}/evidence/1")
    graph.set((span, URIRef(f"{OA}start"), Literal(3)))
    assert told(graph)


def test_a_number_that_is_none_is_told(graph: Graph) -> None:
    node = URIRef(f"{DEFAULT_BASE}case/A-1/time-to-detect")
    graph.set((node, URIRef(f"{KG}seconds"), Literal("soon")))
    (problem,) = told(graph)
    assert problem.startswith("A-1 time_to_detect.seconds")


def test_a_scheme_that_is_none_is_told(graph: Graph) -> None:
    graph.remove((URIRef(f"{DEFAULT_BASE}term/cause/race"), URIRef(f"{SKOS}definition"), None))
    found = read_rdf(graph)
    assert "cause" not in {s.scheme for s in found.schemes}
    assert all("scheme/cause" in p.message for p in found.problems)
    assert found.problems


def test_what_was_added_by_hand_needs_no_places(graph: Graph) -> None:
    """An alias and a term of a claim, as an editor of Turtle would write them."""
    term = URIRef(f"{DEFAULT_BASE}term/symptom/nccl-timeout")
    graph.add((term, URIRef(f"{SKOS}altLabel"), Literal("collective timeout", lang="en")))
    graph.add((CLAIM, URIRef(f"{KG}term"), URIRef(f"{DEFAULT_BASE}term/cause/race")))
    found = read_rdf(graph)
    assert found.problems == ()
    (scheme,) = (s for s in found.schemes if s.scheme == "symptom")
    (changed,) = (t for t in scheme.terms if t.id == "symptom:nccl-timeout")
    assert changed.aliases["en"] == ("watchdog timeout", "collective timeout")
    case = next(c for c in found.cases if c.id == "A-1")
    assert case.claims[0].terms == ("cause:mismatch", "cause:race")


def test_a_second_place_of_words_is_kept_without_a_mark(graph: Graph) -> None:
    case = make_case(
        "A-1", summary={"en": ["again and again"]}, title={"en": ["T"]}, dates=[],
        claims=[
            {
                "kind": "symptom",
                "terms": ["symptom:slow"],
                "evidence": [
                    {"field": "summary", "lang": "en", "quote": "again", "start": 10, "end": 15}
                ],
            }
        ],
    )  # fmt: skip
    one = as_graph(rdf_parts([case], tiny_vocabulary(), DEFAULT_BASE), DEFAULT_BASE)
    one.remove((None, URIRef(f"{KG}placeGiven"), None))
    assert read_rdf(one).cases == (case,)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("it.ttl", "@prefix : <u:> . :a :b", "not valid turtle"),
        ("it.nt", "<u:a> <u:b> nope .", "not valid nt"),
        ("it.trig", "<u:g> { <u:a> <u:b> }", "not valid trig"),
        ("it.jsonld", "{", "not valid JSON"),
        ("it.rdf", "<rdf/>", "no RDF file, by its ending"),
        ("it.ttl", "", "empty"),
        ("it.jsonld", '{"@context": "https://a.example/c.jsonld"}', "nothing is fetched"),
        ("it.jsonld", '[{"@graph": [{"@context": [{}, "https://a.example/"]}]}]', "nothing is"),
        ("it.jsonld", '{"@context": {"@import": "https://a.example/"}}', "nothing is fetched"),
    ],
)
def test_files_that_cannot_be_read_are_told(
    name: str, text: str, message: str, tmp_path: Path
) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    found = read_rdf(file)
    assert (found.cases, found.schemes) == ((), ())
    (problem,) = found.problems
    assert message in problem.message
    assert problem.file == str(file)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    (problem,) = read_rdf(tmp_path / "gone.ttl").problems
    assert "cannot be read" in problem.message


def test_our_own_files_pass(tmp_path: Path) -> None:
    file = tmp_path / "it.JSONLD"
    parts = rdf_parts(tiny_cases(), tiny_vocabulary(), DEFAULT_BASE)
    file.write_text(rdf_text(parts, "jsonld", DEFAULT_BASE), encoding="utf-8")
    assert read_rdf(file).problems == ()


@pytest.mark.parametrize(
    ("node", "predicate", "value", "field"),
    [
        ("case/A-1/claim/cause-1", f"{KG}status", URIRef(f"{KG}status-ruled-out"), "status"),
        ("case/A-1/text/summary/en", f"{RDF.value}", Literal("Another text.", lang="en"), "value"),
        ("case/A-1/claim/cause-1/evidence/1", f"{OA}exact", Literal("other"), "exact"),
        ("case/A-1", f"{KG}domain", Literal("elsewhere"), "domain"),
    ],
)
def test_a_second_value_is_told_and_none_of_both_is_preferred(
    graph: Graph, node: str, predicate: str, value: URIRef | Literal, field: str
) -> None:
    subject = URIRef(DEFAULT_BASE + node)
    assert set(graph.objects(subject, URIRef(predicate)))
    graph.add((subject, URIRef(predicate), value))
    found = told(graph)
    assert found == [f"A-1 {field} {subject} has several values of {predicate}, and may have one"]


def test_the_same_value_twice_is_one(graph: Graph, tmp_path: Path) -> None:
    text = graph.serialize(format="nt")
    file = tmp_path / "it.nt"
    file.write_text(text + text, encoding="utf-8")
    assert read_rdf(file).problems == ()


def test_a_value_that_does_not_fit_its_datatype_is_told_without_a_trace(
    graph: Graph, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "it.ttl"
    file.write_text(
        graph.serialize(format="turtle")
        + f'\n<{CLAIM}> <{KG}note> "2025-13-99"^^<http://www.w3.org/2001/XMLSchema#date> .\n',
        encoding="utf-8",
    )
    caplog.clear()
    read_graph(file)
    assert caplog.records == []
