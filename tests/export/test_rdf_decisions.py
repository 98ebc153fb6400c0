"""Reviews, histories and pairs told apart in RDF: activities, never facts, and back again whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from rdflib import RDF, Literal, URIRef

from kg.errors import InputError
from kg.export.rdf import FORMATS, as_graph, check_graph, rdf_parts, rdf_text
from kg.model import Action, Apart, ClaimKind, Decision, Review, Revision, Status
from kg.readers import read_rdf
from kg.readers.decisions import Decisions, read_decisions
from kg.readers.rdf_names import DCTERMS, DEFAULT_BASE, KG, PROV, RDFS, VALUE
from tests.helpers.strategies import QUICK
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

ENDING = {"turtle": ".ttl", "ntriples": ".nt", "jsonld": ".jsonld", "trig": ".trig"}
HOSTILE = 'say "no" \\ \u202e <script> } DROP'
IDS = st.sampled_from(["A-1", "A-2", "B-2", "x.y_7", "11"])
LINES = st.none() | st.text("ab \"\\'<>{}|^`é장\u202e", min_size=1, max_size=9).map("x{}x".format)
TIMES = st.sampled_from([None, "2025", "2025-04-01", "2025-04-01T10:00:00Z"])


@st.composite
def reviews(draw: st.DrawFn) -> Review:
    decision = draw(st.sampled_from(Decision))
    changed = {"new_term": "cause:race"} if decision is Decision.CHANGE else {}
    term = draw(st.sampled_from(["cause:mismatch", "component:gpu", "symptom:nccl-timeout"]))
    status = draw(st.sampled_from(Status))
    return Review(
        case_id=draw(IDS), kind=ClaimKind(term.partition(":")[0]), term=term, decision=decision,
        status=status, at=draw(TIMES), author=draw(LINES), note=draw(LINES), **changed,
    )  # fmt: skip


@st.composite
def steps(draw: st.DrawFn) -> Revision:
    before = draw(st.none() | st.sampled_from(tiny_cases()).map(lambda c: c.model_dump_json()))
    return Revision(
        case_id=draw(IDS), number=draw(st.integers(1, 12)),
        action=draw(st.sampled_from([Action.ADDED, Action.UPDATED, Action.REVIEWED])),
        before=before, at=draw(TIMES), author=draw(LINES), note=draw(LINES),
    )  # fmt: skip


@st.composite
def pairs(draw: st.DrawFn) -> Apart:
    one, other = sorted(draw(st.lists(IDS, min_size=2, max_size=2, unique=True)))
    return Apart(case_id=one, other_id=other, at=draw(TIMES), author=draw(LINES), note=draw(LINES))


@st.composite
def decided(draw: st.DrawFn) -> Decisions:
    """Sorted, and nothing twice, as a library holds them."""
    some = {r.key: r for r in draw(st.lists(reviews(), max_size=12))}
    history = {(r.case_id, r.number): r for r in draw(st.lists(steps(), max_size=12))}
    apart = {a.pair: a for a in draw(st.lists(pairs(), max_size=4))}
    return Decisions(*(tuple(d[key] for key in sorted(d)) for d in (some, history, apart)))


ONE = Decisions(
    (
        Review(
            case_id="A-1", kind=ClaimKind.CAUSE, term="cause:race", decision=Decision.REJECT,
            at="2025-04-01", author="Kim", note=HOSTILE,
        ),
    ),
    (
        Revision(case_id="A-1", number=1, action=Action.ADDED, at="2025-03-01"),
        Revision(
            case_id="A-1", number=2, action=Action.UPDATED, before=tiny_cases()[0].model_dump_json()
        ),
    ),
    (Apart(case_id="A-1", other_id="B-2", author="Lee"),),
)  # fmt: skip


def graph_of(decisions: Decisions) -> rdflib.Graph:
    parts = rdf_parts(tiny_cases(), tiny_vocabulary(), DEFAULT_BASE, decisions)
    return as_graph(parts, DEFAULT_BASE)


def it(path: str) -> URIRef:
    return URIRef(DEFAULT_BASE + path)


def kg(name: str) -> URIRef:
    return URIRef(KG + name)


@QUICK
@given(decided())
def test_whatever_was_decided_comes_back(decisions: Decisions) -> None:
    parts = rdf_parts((), tiny_vocabulary(), DEFAULT_BASE, decisions)
    found = read_rdf(as_graph(parts, DEFAULT_BASE))
    assert found.problems == ()
    assert found.decisions == decisions


@pytest.mark.parametrize("format", FORMATS)
def test_each_format_brings_it_back(format: str, tmp_path: Path) -> None:
    parts = rdf_parts(tiny_cases(), tiny_vocabulary(), DEFAULT_BASE, ONE)
    file = tmp_path / f"it{ENDING[format]}"
    file.write_text(rdf_text(parts, format, DEFAULT_BASE), encoding="utf-8", newline="")
    found = read_rdf(file)
    assert found.problems == ()
    assert found.decisions == ONE
    assert HOSTILE not in file.read_text(encoding="utf-8"), "it is escaped"


def test_each_is_an_activity_with_who_when_and_why() -> None:
    graph, review = graph_of(ONE), it("case/A-1/review/1")
    assert set(graph.objects(review, RDF.type)) == {kg("Review"), URIRef(f"{PROV}Activity")}
    told = (f"{DCTERMS}date", f"{KG}author", f"{RDFS}comment", f"{KG}decision", f"{KG}claimedTerm")
    assert [str(graph.value(review, URIRef(p))) for p in told] == [
        "2025-04-01", "Kim", HOSTILE, f"{KG}decision-reject", str(it("term/cause/race")),
    ]  # fmt: skip
    assert set(graph.objects(it("apart/A-1/B-2"), kg("ofCase"))) == {it("case/A-1"), it("case/B-2")}
    second = it("case/A-1/revision/2")
    assert graph.value(second, kg("action")) == kg("action-updated")
    assert graph.value(second, kg("position")) == Literal(2)


def test_nothing_of_it_is_said_plainly_of_a_case() -> None:
    """The graph without the activities is the graph without the decisions."""
    graph = graph_of(ONE)
    for kind in ("Review", "Revision", "ToldApart"):
        for activity in list(graph.subjects(RDF.type, kg(kind))):
            graph.remove((activity, None, None))
    assert set(graph) == set(graph_of(Decisions()))


def test_a_library_without_decisions_has_no_graph_of_them() -> None:
    parts = rdf_parts(tiny_cases(), tiny_vocabulary(), DEFAULT_BASE)
    assert not [name for name, _ in parts if name.endswith("decisions")]
    told = rdf_parts(tiny_cases(), tiny_vocabulary(), DEFAULT_BASE, ONE)
    assert {name for name, _ in told} - {name for name, _ in parts} == {
        f"{DEFAULT_BASE}graph/decisions"
    }


@QUICK
@given(decided())
def test_the_order_in_which_they_come_changes_no_byte(decisions: Decisions) -> None:
    """Within a case reviews are numbered as they stand, which a library keeps sorted."""
    turned = Decisions(decisions.reviews, decisions.revisions[::-1], decisions.apart[::-1])
    texts = {
        rdf_text(rdf_parts((), tiny_vocabulary(), DEFAULT_BASE, some), "trig", DEFAULT_BASE)
        for some in (decisions, turned)
    }
    assert len(texts) == 1


def test_it_conforms_to_the_shapes() -> None:
    assert check_graph(graph_of(ONE)).faults == ()


@pytest.mark.parametrize(
    ("node", "predicate", "value"),
    [
        ("case/A-1/review/1", "decision", "decision-perhaps"),
        ("case/A-1/review/1", "claimedTerm", None),
        ("case/A-1/revision/2", "action", None),
        ("case/A-1/revision/1", "position", None),
        ("apart/A-1/B-2", "ofCase", "somewhere"),
        ("apart/A-1/B-2", "record", None),
    ],
)
def test_a_planted_fault_is_reported_at_its_node(
    node: str, predicate: str, value: str | None
) -> None:
    graph = graph_of(ONE)
    if predicate != "ofCase":
        graph.remove((it(node), kg(predicate), None))
    if value is not None:
        graph.add((it(node), kg(predicate), kg(value)))
    assert {f.node for f in check_graph(graph).faults} == {str(it(node))}


@pytest.mark.parametrize(
    ("record", "told"),
    [
        ("{", "JSON"),
        ("{}", "case_id"),
        (json.dumps({"case_id": "A-1", "kind": "cause", "term": "x", "decision": "drop"}), "term"),
    ],
)
def test_a_record_that_cannot_be_read_is_told_and_the_cases_are_kept(
    record: str, told: str
) -> None:
    graph = graph_of(ONE)
    graph.set((it("case/A-1/review/1"), kg("record"), Literal(record)))
    found = read_rdf(graph)
    assert found.cases == tuple(tiny_cases())
    assert found.decisions.reviews == ()
    assert found.decisions.apart == ONE.apart
    assert told in " ".join(f"{p.field} {p.message}" for p in found.problems)


def test_a_step_of_a_merge_without_its_records_is_refused() -> None:
    bad = Decisions(revisions=(Revision(case_id="A-1", number=1, action=Action.MERGED),))
    with pytest.raises(InputError, match="no whole record"):
        read_decisions([read_rdf(graph_of(bad)).told], ["A-1"])


def test_what_is_told_of_cases_that_are_not_there_is_left_out() -> None:
    found = read_decisions([read_rdf(graph_of(ONE)).told], ["B-2"])
    assert found == Decisions()


def test_of_two_files_that_tell_of_one_case_the_first_by_name_counts() -> None:
    told = read_rdf(graph_of(ONE)).told
    other = ONE.reviews[0].model_copy(update={"author": "Park"})
    second = type(told)("zz.ttl", Decisions((other,)))
    for given_ in ([told, second], [second, told]):
        assert read_decisions(given_, ["A-1", "B-2"]) == ONE


def test_the_values_of_texts_are_not_values_of_cases() -> None:
    """A record holds the words of before; no stored text of the case is made of it."""
    graph = graph_of(ONE)
    assert not set(graph.objects(it("case/A-1/revision/2"), URIRef(VALUE)))


@pytest.mark.parametrize(
    ("node", "predicate", "value"),
    [
        ("case/A-1/review/1", "ofCase", it("case/B-2")),
        ("case/A-1/review/1", "decision", kg("decision-accept")),
        ("case/A-1/review/1", "claimedTerm", it("term/cause/mismatch")),
        ("case/A-1/revision/2", "position", Literal(7)),
        ("case/A-1/revision/2", "action", kg("action-merged")),
        ("apart/A-1/B-2", "ofCase", it("case/A-1")),
    ],
)
def test_a_record_that_says_something_else_than_its_triples_is_left_out(
    node: str, predicate: str, value: URIRef | Literal
) -> None:
    graph = graph_of(ONE)
    graph.set((it(node), kg(predicate), value))
    found = read_rdf(graph)
    (problem,) = found.problems
    assert str(it(node)) in problem.message
    assert "does not say" in problem.message
    kept = [*found.decisions.reviews, *found.decisions.revisions, *found.decisions.apart]
    assert len(kept) == 3


def test_a_second_decision_is_told() -> None:
    graph = graph_of(ONE)
    graph.add((it("case/A-1/review/1"), kg("decision"), kg("decision-accept")))
    assert "does not say" in read_rdf(graph).problems[0].message


def test_two_records_of_the_same_are_told() -> None:
    graph = graph_of(ONE)
    for predicate, value in list(graph.predicate_objects(it("case/A-1/review/1"))):
        graph.add((it("case/A-1/review/2"), predicate, value))
    found = read_rdf(graph)
    assert found.decisions == ONE
    assert "another one tells" in found.problems[0].message


def test_a_record_of_before_that_cannot_be_read_stops_a_build() -> None:
    step = ONE.revisions[1].model_copy(update={"before": '{"id": "A-1"}'})
    told = read_rdf(graph_of(Decisions(revisions=(ONE.revisions[0], step)))).told
    with pytest.raises(InputError, match="no whole record"):
        read_decisions([told], ["A-1"])
