"""What the triples say and what they never say: status, evidence, none and not stated."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import rdflib
from hypothesis import given
from rdflib import RDF, Literal, URIRef

import kg
from kg.errors import BadQuery, CaseNotFound
from kg.export.rdf import FORMATS, as_graph, rdf_parts, rdf_text, write_rdf
from kg.export.rdf.write import _ESCAPED, _escaped, ntriples_blocks
from kg.graph import Relation
from kg.graph.edges import case_edges
from kg.library import Library
from kg.model import Case, Status
from kg.readers.rdf_names import (
    DCTERMS,
    DEFAULT_BASE,
    KG,
    OA,
    PREFIXES,
    PROV,
    SKOS,
    TRISTATE,
    camel,
    case_iri,
    checked_base,
    choice,
    term_iri,
)
from kg.vocab import Vocabulary
from tests.helpers.strategies import WORLDS, worlds
from tests.helpers.tiny import make_case, tiny_cases, tiny_vocabulary

NOT_PLAIN = {"missed", "check_item"}


def graph_of(*cases: Case, vocabulary: Vocabulary | None = None) -> rdflib.Graph:
    parts = rdf_parts(cases, vocabulary or tiny_vocabulary(), DEFAULT_BASE)
    return as_graph(parts, DEFAULT_BASE)


def ours(name: str) -> URIRef:
    return URIRef(KG + name)


@WORLDS
@given(worlds())
def test_plain_triples_are_the_confirmed_edges_of_the_graph(
    world: tuple[Vocabulary, list[Case]],
) -> None:
    vocabulary, cases = world
    graph = graph_of(*cases, vocabulary=vocabulary)
    stated = [e for case in cases for e in case_edges(case) if e.claim_id]
    wanted = {
        (
            case_iri(DEFAULT_BASE, e.case_id),
            KG + camel(e.relation),
            term_iri(DEFAULT_BASE, e.target),
        )
        for e in stated
        if e.status is Status.CONFIRMED and e.role not in NOT_PLAIN
    }
    plain = {KG + camel(e) for e in Relation}
    found = {
        (str(s), str(p), str(o))
        for s, p, o in graph
        if str(p) in plain and (s, RDF.type, ours("Case")) in graph and str(o).find("/term/") > 0
    }
    assert found == wanted


def test_suspected_and_ruled_out_causes_are_claims_only() -> None:
    case = make_case(
        "A-1",
        ("cause", "cause:race", "suspected"),
        ("cause", "cause:mismatch", "ruled_out"),
        ("cause", "cause:ecc-error", "suspected", "secondary"),
    )
    graph = graph_of(case)
    iri = URIRef(case_iri(DEFAULT_BASE, "A-1"))
    for name in ("causedBy", "rootCause"):
        assert not list(graph.objects(iri, ours(name)))
    statuses = {
        str(graph.value(claim, ours("status"))).removeprefix(KG)
        for claim in graph.objects(iri, ours("claim"))
    }
    assert statuses == {"status-suspected", "status-ruled-out"}


def test_a_tool_that_missed_it_did_not_detect_it() -> None:
    case = make_case(
        "A-1",
        ("detection", "tool:flight-recorder", "confirmed", "missed"),
        ("detection", "tool:exposure", "confirmed", "check_item"),
    )
    graph = graph_of(case)
    iri = URIRef(case_iri(DEFAULT_BASE, "A-1"))
    assert not list(graph.objects(iri, ours("detectedWith")))
    missed = [str(o) for o in graph.objects(iri, ours("missedBy"))]
    assert missed == [term_iri(DEFAULT_BASE, "tool:flight-recorder")]


def test_the_primary_cause_is_the_root_cause() -> None:
    case = make_case(
        "A-1",
        ("cause", "cause:race", "confirmed", "primary"),
        ("cause", "cause:ecc-error", "confirmed", "secondary"),
    )
    iri, graph = URIRef(case_iri(DEFAULT_BASE, "A-1")), graph_of(case)
    assert [str(o) for o in graph.objects(iri, ours("rootCause"))] == [
        term_iri(DEFAULT_BASE, "cause:race")
    ]
    assert len(list(graph.objects(iri, ours("causedBy")))) == 2


def test_none_is_not_the_same_as_not_stated() -> None:
    case = make_case("A-1", ("cause", "cause:race"), lesson=[], sources=[], regions=["eu"])
    graph, iri = graph_of(case), URIRef(case_iri(DEFAULT_BASE, "A-1"))
    none = {str(o) for o in graph.objects(iri, ours("noneStated"))}
    unsaid = {str(o) for o in graph.objects(iri, ours("notStated"))}
    assert none == {choice("field", f) for f in ("lesson", "sources")}
    stated = {"title", "summary", "cause", "regions"}
    assert unsaid == {choice("field", f) for f in TRISTATE if f not in stated} - none


def test_evidence_is_the_place_and_the_words() -> None:
    case = make_case("A-1", ("cause", "cause:race"))
    graph = graph_of(case)
    spans = list(graph.subjects(RDF.type, ours("Evidence")))
    assert len(spans) == 2
    for span in spans:
        text = str(graph.value(graph.value(span, URIRef(f"{PROV}wasQuotedFrom")), RDF.value))
        start, end = (int(graph.value(span, URIRef(OA + n))) for n in ("start", "end"))
        words = graph.value(span, URIRef(f"{OA}exact"))
        assert text[start:end] == str(words)
        assert words.language == str(graph.value(span, URIRef(f"{DCTERMS}language")))


def test_a_time_is_never_finer_than_it_is_known() -> None:
    said = {"2023": "gYear", "2023-04": "gYearMonth", "2023-04-05": "date"}
    for at, datatype in said.items():
        graph = graph_of(make_case("A-1", published=at))
        issued = graph.value(URIRef(case_iri(DEFAULT_BASE, "A-1")), URIRef(f"{DCTERMS}issued"))
        assert issued == Literal(at, datatype=rdflib.XSD[datatype], normalize=False)
    exact = make_case("A-1", dates=[{"kind": "started", "at": "2023-04-05T06:07Z"}])
    assert not list(graph_of(exact).objects(None, URIRef(f"{DCTERMS}issued")))


def test_schemes_are_skos_in_both_languages_with_their_matches(quick: Library) -> None:
    graph = quick.to_rdf(case_ids=["IL-0480"])
    assert len(list(graph.subjects(RDF.type, URIRef(f"{SKOS}ConceptScheme")))) == 8
    for term in quick.vocabulary.terms.values():
        node = URIRef(term_iri(DEFAULT_BASE, term.id))
        assert set(graph.objects(node, URIRef(f"{SKOS}prefLabel"))) == {
            Literal(text, lang=lang) for lang, text in term.label.items()
        }
        plain = {(v.language, str(v)) for v in graph.objects(node, URIRef(f"{SKOS}altLabel"))}
        assert plain == {(lang, a) for lang, names in term.aliases.items() for a in names}
        for name, predicate in (("exact_match", "exactMatch"), ("close_match", "closeMatch")):
            found = {str(o) for o in graph.objects(node, URIRef(SKOS + predicate))}
            assert found == set(getattr(term, name))
        above = {str(o) for o in graph.objects(node, URIRef(f"{SKOS}broader"))}
        assert above == {term_iri(DEFAULT_BASE, b) for b in term.broader}


def test_text_of_a_case_is_only_ever_a_literal() -> None:
    """No address that a case brings with it becomes an IRI; only those of the vocabulary do."""
    bad = "https://evil.example/x"
    case = make_case(
        "A-1",
        ("cause", "cause:race"),
        severity=bad,
        regions=[bad],
        links=[{"rel": "self", "href": bad}],
        sources=[{"kind": "blog", "title": bad, "locator": bad}],
    )
    nodes = {n for triple in graph_of(case) for n in triple if isinstance(n, URIRef)}
    assert not [n for n in nodes if "evil" in n]
    known = (DEFAULT_BASE, *PREFIXES.values())
    assert [n for n in nodes if not str(n).startswith(known)] == []


def test_the_base_is_checked_and_ends_in_a_separator() -> None:
    assert checked_base("https://a.example/x") == "https://a.example/x/"
    assert checked_base("https://a.example/x#") == "https://a.example/x#"
    for bad in ("", "x", "file:///etc/", "https://a b/", "https://a.example/<x>", "javascript:1"):
        with pytest.raises(BadQuery, match="base of addresses"):
            checked_base(bad)


def test_only_the_chosen_cases_are_told(quick: Library) -> None:
    graph = quick.to_rdf("https://a.example/kg", case_ids=["IL-0480", "IL-0480"])
    cases = [str(s) for s in graph.subjects(RDF.type, ours("Case"))]
    assert cases == ["https://a.example/kg/case/IL-0480"]
    with pytest.raises(CaseNotFound):
        quick.to_rdf(case_ids=["IL-9999"])


def test_an_unknown_format_is_refused(quick: Library) -> None:
    with pytest.raises(BadQuery, match="use one of turtle, ntriples, jsonld, trig"):
        quick.rdf_text("rdfxml", case_ids=["IL-0480"])


def test_bytes_are_equal_from_run_to_run(tmp_path: Path) -> None:
    """In processes whose hashes of texts differ."""
    code = (
        "import sys, hashlib;"
        "from tests.helpers.tiny import tiny_cases as c, tiny_vocabulary as v;"
        "from kg.export.rdf import *;"
        "t = ''.join(rdf_text(rdf_parts(c(), v(), 'https://a.b/'), f, 'https://a.b/')"
        " for f in FORMATS);"
        "print(hashlib.sha256(t.encode()).hexdigest())"
    )
    root = Path(kg.__file__).resolve().parents[1]
    seen = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)}
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, cwd=root
        )
        assert done.returncode == 0, done.stderr
        seen.add(done.stdout)
    assert len(seen) == 1


def test_a_text_needs_no_rdflib() -> None:
    code = (
        "import sys; from kg.export.rdf import *; import kg.library, kg.readers, kg.cli.parser;"
        "from tests.helpers.tiny import tiny_cases as c, tiny_vocabulary as v;"
        "rdf_text(rdf_parts(c(), v(), 'https://a.b/'), 'trig', 'https://a.b/');"
        "print('rdflib' in sys.modules)"
    )
    root = Path(kg.__file__).resolve().parents[1]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, cwd=root
    )
    assert done.stdout.strip() == "False", done.stderr


@WORLDS
@given(worlds())
def test_ntriples_tell_each_triple_once_graph_by_graph(
    world: tuple[Vocabulary, list[Case]],
) -> None:
    vocabulary, cases = world
    parts = rdf_parts(cases, vocabulary, DEFAULT_BASE)
    blocks = [block.splitlines() for block in ntriples_blocks(parts)]
    assert all(block == sorted(block) for block in blocks)
    lines = [line for block in blocks for line in block]
    assert len(set(lines)) == len(lines) == len(graph_of(*cases, vocabulary=vocabulary))
    assert rdf_text(parts, "ntriples", DEFAULT_BASE) == "\n".join([*lines, ""])


@pytest.mark.parametrize("format", FORMATS)
def test_a_file_holds_the_text(format: str, tmp_path: Path) -> None:
    parts = rdf_parts(tiny_cases(), tiny_vocabulary(), DEFAULT_BASE)
    write_rdf(parts, format, DEFAULT_BASE, tmp_path / "it")
    text = rdf_text(parts, format, DEFAULT_BASE)
    assert (tmp_path / "it").read_bytes() == text.encode()


def test_whatever_acts_unseen_is_escaped() -> None:
    """The quick look (is it all printable?) misses nothing that the slow one escapes."""
    for code in range(0x110000):
        sign = chr(code)
        if not "\ud800" <= sign <= "\udfff" and _ESCAPED.match(sign):
            assert sign in '"\\' or not sign.isprintable(), hex(code)
    assert _escaped("a\u202eb\xa0c") == "a\\u202Eb\xa0c"
