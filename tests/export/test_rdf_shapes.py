"""The SHACL shapes hold for what we write, and report each planted fault at its node."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
import rdflib
from rdflib import Literal, URIRef

from kg.errors import MissingExtra
from kg.export.rdf import ShapeFault, as_graph, check_graph, document, rdf_parts
from kg.model import Case
from kg.readers import read_cases, shipped
from kg.readers.rdf_names import DCTERMS, DEFAULT_BASE, KG, OA, PROV, SKOS
from kg.vocab import Vocabulary
from tests.helpers.tiny import make_case, tiny_cases, tiny_vocabulary


def validate(graph: rdflib.Graph, lang: str = "en") -> dict[str, set[str]]:
    """The messages of a check by the node that they are about."""
    pytest.importorskip("pyshacl", reason="pip install 'incident-kg[rdf]'")
    before = len(graph)
    check = check_graph(graph, lang)
    assert len(graph) == check.triples == before
    assert check.conforms == (not check.faults)
    found: dict[str, set[str]] = {}
    for fault in check.faults:
        found.setdefault(fault.node.removeprefix(DEFAULT_BASE), set()).add(fault.message)
    return found


def it(path: str) -> URIRef:
    return URIRef(DEFAULT_BASE + path)


def ours(name: str) -> URIRef:
    return URIRef(KG + name)


def set_to(
    subject: str, predicate: str, *values: rdflib.term.Node
) -> Callable[[rdflib.Graph], None]:
    def plant(graph: rdflib.Graph) -> None:
        assert (it(subject), None, None) in graph
        graph.remove((it(subject), URIRef(predicate), None))
        for value in values:
            graph.add((it(subject), URIRef(predicate), value))

    return plant


def also(subject: str, predicate: str, value: rdflib.term.Node) -> Callable[[rdflib.Graph], None]:
    def plant(graph: rdflib.Graph) -> None:
        assert (it(subject), None, None) in graph
        assert (it(subject), URIRef(predicate), value) not in graph
        graph.add((it(subject), URIRef(predicate), value))

    return plant


FAULTS: dict[str, tuple[str, Callable[[rdflib.Graph], None], str]] = {
    "a case without an id": (
        "case/F-0",
        set_to("case/F-0", f"{DCTERMS}identifier"),
        "a case has one id",
    ),
    "a suspected cause that is said plainly": (
        "case/F-1",
        also("case/F-1", f"{KG}causedBy", it("term/cause/race")),
        "said plainly",
    ),
    "a field that is none and not stated": (
        "case/F-2",
        also("case/F-2", f"{KG}noneStated", ours("field-lesson")),
        "never both",
    ),
    "a stated field that is called none": (
        "case/F-3",
        also("case/F-3", f"{KG}noneStated", ours("field-summary")),
        "cannot be none",
    ),
    "a claim without a status": (
        "case/F-4/claim/cause-1",
        set_to("case/F-4/claim/cause-1", f"{KG}status"),
        "one status",
    ),
    "a claim without evidence": (
        "case/F-5/claim/cause-1",
        set_to("case/F-5/claim/cause-1", f"{KG}evidence"),
        "has evidence",
    ),
    "a cause claim with a symptom": (
        "case/F-6/claim/cause-1",
        also("case/F-6/claim/cause-1", f"{KG}term", it("term/symptom/slow")),
        "scheme cause",
    ),
    "a cause with the role of an organisation": (
        "case/F-7/claim/cause-1",
        set_to("case/F-7/claim/cause-1", f"{KG}role", ours("role-owner")),
        "primary or secondary",
    ),
    "words that do not stand there": (
        "case/F-8/claim/cause-1/evidence/1",
        set_to("case/F-8/claim/cause-1/evidence/1", f"{OA}exact", Literal("Made up.", lang="en")),
        "do not stand there",
    ),
    "a span that ends before it starts": (
        "case/F-9/claim/cause-1/evidence/1",
        set_to("case/F-9/claim/cause-1/evidence/1", f"{OA}start", Literal(999)),
        "before its end",
    ),
    "evidence from nowhere": (
        "case/F-10/claim/cause-1/evidence/2",
        set_to("case/F-10/claim/cause-1/evidence/2", f"{PROV}wasQuotedFrom"),
        "one stored text",
    ),
    "a date that is none": (
        "case/F-11/date/1",
        set_to("case/F-11/date/1", f"{KG}at", Literal("last spring")),
        "is written like",
    ),
    "a negative length of time": (
        "case/F-12/time-to-detect",
        set_to(
            "case/F-12/time-to-detect",
            f"{KG}seconds",
            Literal("-5", datatype=rdflib.XSD.decimal),
        ),
        "not negative",
    ),
    "a source that is an address to follow": (
        "case/F-13/source/1",
        set_to("case/F-13/source/1", f"{KG}locator", URIRef("https://evil.example/")),
        "never an address",
    ),
    "a term with two labels in a language": (
        "term/cause/software",
        also("term/cause/software", f"{SKOS}prefLabel", Literal("bug", lang="en")),
        "one label a language",
    ),
    "broader terms in a ring": (
        "term/symptom/failure",
        also("term/symptom/failure", f"{SKOS}broader", it("term/symptom/failure")),
        "ring",
    ),
    "a term in no scheme": (
        "term/mitigation/replace",
        set_to("term/mitigation/replace", f"{SKOS}inScheme"),
        "one scheme",
    ),
    "two primary causes": (
        "case/F-15",
        set_to("case/F-15/claim/cause-2", f"{KG}role", ours("role-primary")),
        "more than one confirmed cause is primary",
    ),
    "a mitigation of a symptom": (
        "case/F-16/claim/mitigation-1",
        also("case/F-16/claim/mitigation-1", f"{KG}addresses", it("term/symptom/slow")),
        "what a mitigation addresses is a cause",
    ),
    "a broader term of another scheme": (
        "term/mitigation/restart",
        also("term/mitigation/restart", f"{SKOS}broader", it("term/cause/race")),
        "of the same scheme",
    ),
    "a figure with a value and a range": (
        "case/F-14/figure/n",
        also("case/F-14/figure/n", f"{KG}minimum", Literal("1", datatype=rdflib.XSD.decimal)),
        "a value or a range",
    ),
}


def faultless() -> rdflib.Graph:
    figure = {
        "id": "n",
        "label": {"en": "n"},
        "value": 3,
        "unit": "GPU",
        "evidence": [{"field": "summary", "lang": "en", "quote": "Summary"}],
    }
    cases = [
        make_case(
            f"F-{i}",
            ("cause", "cause:race", "suspected"),
            ("symptom", "symptom:nccl-timeout"),
            published="2024-05",
            time_to_detect={"seconds": 5},
            figures=[figure],
            sources=[{"kind": "blog", "title": "T", "locator": "https://a.example/"}],
        )
        for i in range(15)
    ]
    cases += [
        make_case(
            "F-15",
            ("cause", "cause:race", "confirmed", "primary"),
            ("cause", "cause:ecc-error", "confirmed", "secondary"),
        ),
        make_case("F-16", ("mitigation", "mitigation:restart")),
    ]
    parts = rdf_parts([*tiny_cases(), *cases], tiny_vocabulary(), DEFAULT_BASE)
    return as_graph(parts, DEFAULT_BASE)


@pytest.fixture(scope="module")
def report() -> dict[str, set[str]]:
    """The report on a graph with all the faults, each at another node."""
    graph = faultless()
    for _, plant, _ in FAULTS.values():
        plant(graph)
    return validate(graph)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_reported_at_its_node(fault: str, report: dict[str, set[str]]) -> None:
    node, _, message = FAULTS[fault]
    assert any(message in said for said in report[node]), report[node]


def test_no_other_node_is_reported(report: dict[str, set[str]]) -> None:
    assert set(report) == {node for node, _, _ in FAULTS.values()}


def test_shipped_cases_with_the_whole_vocabulary_conform(vocabulary: Vocabulary) -> None:
    """A part of them; `kg rdf --check` looks at all, which takes longer."""
    pytest.importorskip("pyshacl", reason="pip install 'incident-kg[rdf]'")
    cases = [c for _, c in read_cases([shipped("cases")]) if isinstance(c, Case)][::20]
    check = check_graph(as_graph(rdf_parts(cases, vocabulary, DEFAULT_BASE), DEFAULT_BASE))
    assert check.faults == ()
    assert check.cases == len(cases) > 8
    assert check.triples > 25_000


def test_there_are_fifteen_faults_and_more() -> None:
    assert len({node for node, _, _ in FAULTS.values()}) == len(FAULTS) > 15


def test_messages_are_told_in_korean_too() -> None:
    graph = as_graph(rdf_parts(tiny_cases()[:1], tiny_vocabulary(), DEFAULT_BASE), DEFAULT_BASE)
    graph.remove((it("case/A-1/claim/cause-1"), ours("status"), None))
    told = validate(graph, "ko")["case/A-1/claim/cause-1"]
    assert told == {"주장의 확정 여부는 확정, 의심, 배제 가운데 하나입니다"}


def test_every_message_has_both_languages() -> None:
    shapes = rdflib.Graph().parse(data=document("shapes"), format="turtle")
    message = URIRef("http://www.w3.org/ns/shacl#message")
    told = {s: {m.language for m in shapes.objects(s, message)} for s in shapes.subjects(message)}
    assert len(told) > 20
    assert all(languages == {"en", "ko"} for languages in told.values())


def test_without_the_ontology_nothing_passes_for_sound() -> None:
    """Plain pyshacl: whoever forgets the ontology is told, rather than nothing being held."""
    pyshacl = pytest.importorskip("pyshacl", reason="pip install 'incident-kg[rdf]'")
    graph = as_graph(rdf_parts(tiny_cases()[:1], tiny_vocabulary(), DEFAULT_BASE), DEFAULT_BASE)
    shapes = rdflib.Graph().parse(data=document("shapes"), format="turtle")
    conforms, _, text = pyshacl.validate(graph, shacl_graph=shapes)
    assert not conforms
    assert "check the data together with it" in text


def test_a_fault_says_where_what_and_the_value() -> None:
    fault = ShapeFault("https://a.b/x", "https://a.b/p", "v", "is wrong")
    assert str(fault) == "https://a.b/x <https://a.b/p>: is wrong (v)"
    assert str(ShapeFault("https://a.b/x", "", "https://a.b/x", "no")) == "https://a.b/x: no"


def test_without_pyshacl_the_install_line_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyshacl", None)
    with pytest.raises(MissingExtra, match=r"pip install 'incident-kg\[rdf\]'"):
        check_graph(rdflib.Graph())
