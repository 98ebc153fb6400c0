"""What goes out as RDF comes back as the same records, in every format, whatever the order."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
import rdflib
from hypothesis import given

from kg.export.rdf import FORMATS, as_graph, rdf_parts, rdf_text, write_rdf
from kg.library import Library
from kg.model import Case
from kg.readers import read_cases, read_rdf, shipped
from kg.readers.rdf_names import DEFAULT_BASE
from kg.vocab import Vocabulary
from tests.helpers.strategies import QUICK, WORLDS, worlds
from tests.helpers.tiny import case_data, make_case, term, tiny_cases, tiny_vocabulary

ENDING = {"turtle": ".ttl", "ntriples": ".nt", "jsonld": ".jsonld", "trig": ".trig"}
RDFLIB = {"turtle": "turtle", "ntriples": "nt", "jsonld": "json-ld", "trig": "trig"}


def text_of(
    cases: Sequence[Case],
    vocabulary: Vocabulary,
    format: str = "ntriples",
    base: str = DEFAULT_BASE,
) -> str:
    return rdf_text(rdf_parts(cases, vocabulary, base), format, base)


def graph_of(cases: Sequence[Case], vocabulary: Vocabulary) -> rdflib.Graph:
    return as_graph(rdf_parts(cases, vocabulary, DEFAULT_BASE), DEFAULT_BASE)


def assert_back(cases: Sequence[Case], vocabulary: Vocabulary, source: Path | rdflib.Graph) -> None:
    found = read_rdf(source)
    assert found.problems == ()
    assert found.cases == tuple(sorted(cases, key=lambda c: c.id))
    assert found.schemes == tuple(vocabulary.schemes.values())


@QUICK
@given(worlds())
def test_a_graph_gives_back_every_record(world: tuple[Vocabulary, list[Case]]) -> None:
    vocabulary, cases = world
    assert_back(cases, vocabulary, graph_of(cases, vocabulary))


@pytest.mark.parametrize("format", FORMATS)
def test_each_format_gives_back_every_record(
    format: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    @WORLDS
    @given(worlds(most=3))
    def there_and_back(world: tuple[Vocabulary, list[Case]]) -> None:
        vocabulary, cases = world
        file = tmp_path_factory.mktemp("rdf") / f"it{ENDING[format]}"
        file.write_text(text_of(cases, vocabulary, format), encoding="utf-8", newline="")
        assert_back(cases, vocabulary, file)

    there_and_back()


@WORLDS
@given(worlds(most=3))
def test_the_order_of_cases_changes_no_byte(world: tuple[Vocabulary, list[Case]]) -> None:
    vocabulary, cases = world
    for format in FORMATS:
        assert text_of(cases, vocabulary, format) == text_of(cases[::-1], vocabulary, format)


@pytest.mark.parametrize("format", FORMATS)
def test_rdflib_reads_from_each_format_what_the_graph_holds(format: str) -> None:
    graph = rdflib.Dataset(default_union=True) if format == "trig" else rdflib.Graph()
    graph.parse(data=text_of(tiny_cases(), tiny_vocabulary(), format), format=RDFLIB[format])
    found = {t[:3] for t in graph.quads()} if isinstance(graph, rdflib.Dataset) else set(graph)
    assert found == set(graph_of(tiny_cases(), tiny_vocabulary()))


def test_the_text_holds_what_another_writer_writes() -> None:
    """rdflib's own N-Triples are the slow twin."""
    written = graph_of(tiny_cases(), tiny_vocabulary()).serialize(format="nt")
    ours = text_of(tiny_cases(), tiny_vocabulary())
    twin = rdflib.Graph().parse(data=written, format="nt")
    assert set(rdflib.Graph().parse(data=ours, format="nt")) == set(twin)
    assert ours.count("\n") == len(twin)


def test_the_shipped_cases_come_back_whole(vocabulary: Vocabulary, tmp_path: Path) -> None:
    cases = [c for _, c in read_cases([shipped("cases")]) if isinstance(c, Case)]
    assert len(cases) > 150
    file = tmp_path / "it.nt"
    write_rdf(rdf_parts(cases, vocabulary, DEFAULT_BASE), "ntriples", DEFAULT_BASE, file)
    assert_back(cases, vocabulary, file)


def test_lists_keep_their_order() -> None:
    vocabulary = tiny_vocabulary(
        term("symptom:odd", "odd", broader=["slow", "failure"], aliases={"en": ["zz", "aa", "mm"]})
    )
    terms = ["component:pytorch", "component:a100", "component:nccl"]
    data = case_data("A-1", ("component", "component:gpu"), related=["Z-1", "B-2", "A-9"])
    data["claims"][0]["terms"] = terms
    data |= {"regions": ["us", "eu", "us"], "arithmetic": []}
    case = Case.model_validate(data)
    assert_back([case], vocabulary, graph_of([case], vocabulary))


def test_numbers_keep_every_digit() -> None:
    values = [0.1, 1 / 3, 1e-9, 2.0**70, 12345678.000001, 0.0, -7.25, 1e300]
    quote = {"field": "summary", "lang": "en", "quote": "Summary"}
    figures = [
        {"id": f"f{i}", "label": {"en": "x"}, "value": v, "unit": "", "evidence": [quote]}
        for i, v in enumerate(values)
    ]
    case = make_case("A-1", figures=figures, time_to_detect={"seconds": 0.1 + 0.2, "text": ""})
    found = read_rdf(graph_of([case], tiny_vocabulary())).cases[0]
    assert [f.value for f in found.figures] == values
    assert found == case


def test_every_part_of_a_case_comes_back(tmp_path: Path) -> None:
    span = {"field": "summary", "lang": "en", "quote": "Summary", "start": 0}
    figure = {"label": {"ko": "개수"}, "min": 1, "max": 2, "unit": "GPU", "approx": True}
    data = case_data("A-1", ("mitigation", "mitigation:restart"), ("cause", "cause:race"))
    data["claims"][0] |= {
        "result": "partly",
        "outcome": {"en": "Less."},
        "conditions": {"en": "At night.", "ko": "밤에."},
        "caveat": {"en": "Slow."},
        "addresses": ["cause:race", "cause:link-down"],
        "figures": ["n2", "n1"],
        "value": "",
        "evidence": [span, {**span, "end": 7}, {"field": "summary", "lang": "en", "quote": "y"}],
    }
    data |= {
        "figures": [
            {**figure, "id": "n1", "evidence": [span]},
            {**figure, "id": "n2", "of": {"en": "all"}, "evidence": [span]},
        ],
        "references": [],
        "sources": [
            {"kind": "paper", "title": "T", "locator": "javascript:alert(1)", "archived": True},
            {"kind": "log", "title": "T", "locator": "o/r@1 : p#s"},
        ],
        "links": [{"rel": "self", "href": "https://a.example/<b>"}, {"rel": "a", "href": "x"}],
        "dates": [
            {"kind": "ended", "at": "2024-03-04T10:00+09:00"},
            {"kind": "started", "at": "2024-03", "approx": True},
        ],
        "lesson": [],
        "impact": {"en": []},
        "severity": "",
        "time_to_recover": {"seconds": 7, "text": "약 7초", "approx": True},
    }
    case = Case.model_validate(data)
    for format, ending in ENDING.items():
        file = tmp_path / f"it{ending}"
        file.write_text(text_of([case], tiny_vocabulary(), format), encoding="utf-8", newline="")
        assert_back([case], tiny_vocabulary(), file)


@pytest.mark.parametrize(
    "base", ["https://a.example/x?y=1/", "http://a.example/가#", "https://b.c/d"]
)
def test_the_base_changes_addresses_and_nothing_else(base: str, tmp_path: Path) -> None:
    cases, vocabulary = tiny_cases(), tiny_vocabulary()
    base = base if base[-1] in "/#" else f"{base}/"
    for format, ending in ENDING.items():
        text = text_of(cases, vocabulary, format, base)
        assert DEFAULT_BASE not in text
        file = tmp_path / f"it{ending}"
        file.write_text(text, encoding="utf-8", newline="")
        assert_back(cases, vocabulary, file)


def test_texts_with_any_sign_are_literals_and_come_back(tmp_path: Path) -> None:
    nasty = '"\\> . <x> \t\u0001\u2028\u202e\U000e0041 \'\'\'""" <script> ${x} \x85 \ud55c 😀\r end'
    case = make_case("A-1", severity=nasty)
    for format, ending in ENDING.items():
        text = text_of([case], tiny_vocabulary(), format)
        assert not set(text) & set("\u0001\u2028\u202e\x85\r\U000e0041")
        file = tmp_path / f"it{ending}"
        file.write_text(text, encoding="utf-8", newline="")
        assert_back([case], tiny_vocabulary(), file)


def test_json_ld_is_json_with_its_context() -> None:
    data = json.loads(text_of(tiny_cases(), tiny_vocabulary(), "jsonld"))
    case = next(n for n in data["@graph"] if n["@id"] == "case:A-1")
    assert case["causedBy"] == ["cause:mismatch"]
    assert "kg:Incident" in case["@type"]
    assert data["@context"]["causedBy"] == {"@id": "kg:causedBy", "@type": "@id"}


def test_turtle_reads_like_the_case() -> None:
    text = text_of(tiny_cases(), tiny_vocabulary(), "turtle")
    assert "\ncase:A-1\n    a kg:Case,\n        kg:Incident ;\n" in text
    assert "    kg:rootCause cause:mismatch ;\n" in text


def test_trig_keeps_each_case_in_a_graph_of_its_own(quick: Library) -> None:
    dataset = quick.to_rdf(case_ids=["IL-0480", "IL-0023"], dataset=True)
    names = {str(g.identifier) for g in dataset.graphs() if len(g)}
    assert names == {
        f"{DEFAULT_BASE}graph/{name}" for name in ("vocabulary", "case/IL-0480", "case/IL-0023")
    }
