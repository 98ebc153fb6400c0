"""Every edge that leaves a case says how sure it is and where the case says so."""

from __future__ import annotations

from collections import Counter
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.graph import Edge, IncidentGraph, Relation, all_edges, case_node, link_edges
from kg.graph.edges import case_edges
from kg.library import Library
from kg.model import Case, Status
from kg.vocab import Vocabulary
from tests.helpers.strategies import WORLDS, worlds
from tests.helpers.tiny import make_case, tiny_cases, tiny_vocabulary

CASES = {c.id: c for c in tiny_cases()}
GRAPH = IncidentGraph(CASES.values(), tiny_vocabulary())


def check_evidence(graph: IncidentGraph, cases: dict[str, Case]) -> int:
    """Walk all edges of the networkx graph; return how many leave a case."""
    walked = 0
    for source, target, data in graph.nx.edges(data=True):
        Status(data["status"])
        if not source.startswith("case:"):
            continue
        walked += 1
        case = cases[source.removeprefix("case:")]
        assert data["case_id"] == case.id
        assert data["evidence"], f"{source} -> {target} has no evidence"
        for span in data["evidence"]:
            text = case.text(span["field"], span["lang"])
            assert text[span["start"] : span["end"]] == span["quote"]
    return walked


def test_every_shipped_edge_of_a_case_quotes_the_case(quick: Library) -> None:
    walked = check_evidence(quick.graph, dict(quick.cases))
    claimed = sum(len(claim.terms) for c in quick.cases.values() for claim in c.claims)
    assert walked >= claimed > 0


@WORLDS
@given(worlds())
def test_every_random_edge_of_a_case_quotes_the_case(world: tuple[Vocabulary, list[Case]]) -> None:
    vocabulary, cases = world
    check_evidence(IncidentGraph(cases, vocabulary), {c.id: c for c in cases})


@WORLDS
@given(worlds())
def test_each_claim_and_term_is_one_edge(world: tuple[Vocabulary, list[Case]]) -> None:
    vocabulary, cases = world
    edges = all_edges(cases, vocabulary)
    wanted = Counter(
        (
            case.id, claim_id, term, str(claim.status), claim.role and str(claim.role),
            claim.result and str(claim.result),
        )
        for case in cases for claim_id, claim in case.claim_ids() for term in claim.terms
    )  # fmt: skip
    found = Counter(
        (
            e.case_id, e.claim_id, e.target, str(e.status), e.role and str(e.role),
            e.result and str(e.result),
        )
        for e in edges if e.claim_id
    )  # fmt: skip
    assert found == wanted


@WORLDS
@given(worlds())
def test_no_edge_is_lost_on_the_way_to_networkx(world: tuple[Vocabulary, list[Case]]) -> None:
    vocabulary, cases = world
    graph = IncidentGraph(cases, vocabulary)
    assert graph.nx.number_of_edges() == len(graph.edges)
    assert len({(e.source, e.target, e.key) for e in graph.edges}) == len(graph.edges)


@WORLDS
@given(st.data())
def test_the_order_of_cases_does_not_matter(data: st.DataObject) -> None:
    vocabulary, cases = data.draw(worlds())
    shuffled = data.draw(st.permutations(cases))
    assert all_edges(shuffled, vocabulary) == all_edges(cases, vocabulary)


def test_loading_twice_adds_nothing() -> None:
    graph = GRAPH.nx.copy()
    before = (graph.number_of_nodes(), graph.number_of_edges())
    for source, target, key, data in list(GRAPH.nx.edges(keys=True, data=True)):
        graph.add_edge(source, target, key=key, **data)
    assert (graph.number_of_nodes(), graph.number_of_edges()) == before
    assert nx.utils.graphs_equal(graph, GRAPH.nx)


def edge(source: str, target: str) -> dict[str, Any]:
    (data,) = GRAPH.nx.get_edge_data(source, target).values()
    return dict(data)


def test_an_edge_keeps_everything_that_the_claim_says() -> None:
    data = edge("case:A-1", "cause:mismatch")
    assert data["relation"] == "CAUSED_BY"
    assert (data["status"], data["role"], data["claim_id"]) == (
        "confirmed",
        "primary",
        "A-1#cause-1",
    )
    assert [s["quote"] for s in data["evidence"]] == [
        "Fact 0 is cause:mismatch.",
        "사실 0: cause:mismatch.",
    ]
    assert data["derived"] is False


def test_a_statement_and_a_value_travel_with_the_edge() -> None:
    case = make_case("X-1", ("component", "component:nccl", "confirmed", "changed"))
    claim = case.claims[0].model_validate(
        {**case.claims[0].model_dump(), "statement": {"ko": "바꿈", "en": "Changed."}, "value": "1"}
    )
    (found, *_) = case_edges(case.model_copy(update={"claims": (claim,)}))
    assert found.statement == (("en", "Changed."), ("ko", "바꿈"))
    assert found.value == "1"


def test_nodes_know_kind_and_labels() -> None:
    nodes = GRAPH.nx.nodes
    assert nodes["case:A-1"] == {
        "kind": "case", "label": "Title of A-1", "label_ko": "A-1의 제목", "case_kind": "incident",
    }  # fmt: skip
    assert nodes["component:nccl"] == {
        "kind": "component", "label": "NCCL", "label_ko": "니클", "type": "software",
    }  # fmt: skip
    assert nodes["component:a100"]["label_ko"] == "A100"
    assert nodes["case:S-1"]["case_kind"] == "study"


def test_the_graph_is_a_real_multi_digraph_built_once() -> None:
    assert type(GRAPH.nx) is nx.MultiDiGraph
    assert GRAPH.nx is GRAPH.nx
    assert all("kind" in data for _, data in GRAPH.nx.nodes(data=True))


def test_sources_are_nodes_that_cases_share() -> None:
    source = {"kind": "blog", "title": "A post", "locator": "https://example.org/p"}
    cases = [make_case("X-1", sources=[source]), make_case("X-2", sources=[source])]
    graph = IncidentGraph(cases, tiny_vocabulary())
    node = "source:https://example.org/p"
    assert graph.nx.nodes[node]["label"] == "A post"
    assert set(graph.nx.predecessors(node)) == {"case:X-1", "case:X-2"}


def test_two_citations_of_one_place_stay_two_edges() -> None:
    first = {"kind": "blog", "title": "Part 1", "locator": "https://example.org/p"}
    case = make_case("X-1", sources=[first, {**first, "title": "Part 2"}])
    graph = IncidentGraph([case], tiny_vocabulary())
    edges = graph.nx.get_edge_data("case:X-1", "source:https://example.org/p").values()
    assert [e["evidence"][0]["quote"][:6] for e in edges] == ["Part 1", "Part 2"]


def test_a_line_that_is_part_of_another_line_is_cited_at_its_own_place() -> None:
    sources = [
        {"kind": "blog", "title": "Long A", "locator": "x"},
        {"kind": "blog", "title": "A", "locator": "x"},
    ]
    case = make_case("X-1", sources=sources)
    edges = [e for e in case_edges(case) if e.relation is Relation.CITES]
    assert [e.evidence[0].quote for e in edges] == ["Long A — x", "A — x"]
    assert edges[1].evidence[0].start == len("Long A — x") + 1


def test_curated_links_lead_only_to_cases_that_are_there() -> None:
    related = [e for e in GRAPH.edges if e.relation is Relation.RELATED_TO]
    assert [(e.source, e.target) for e in related] == [("case:A-2", "case:A-1")]
    assert related[0].evidence[0].quote == "A-1"
    assert "case:GONE-9" not in GRAPH.nx


def derived(case: Case) -> set[tuple[str, str, str, str]]:
    return {
        (e.source, str(e.relation), e.target, str(e.status)) for e in case_edges(case) if e.derived
    }


def test_triggers_lead_to_causes_and_causes_to_symptoms() -> None:
    assert derived(CASES["A-1"]) == {
        ("trigger:upgrade", "LEADS_TO", "cause:mismatch", "confirmed"),
        ("cause:mismatch", "LEADS_TO", "symptom:nccl-timeout", "confirmed"),
    }


def test_a_derived_edge_is_as_sure_as_its_weaker_side() -> None:
    assert ("cause:race", "LEADS_TO", "symptom:nccl-timeout", "suspected") in derived(CASES["A-2"])


def test_what_is_ruled_out_leads_nowhere() -> None:
    assert derived(CASES["B-2"]) == {
        ("cause:link-down", "LEADS_TO", "symptom:nccl-timeout", "suspected")
    }


def test_a_cause_that_is_told_twice_counts_at_its_strongest() -> None:
    case = make_case(
        "X-1",
        ("cause", "cause:race", "suspected"),
        ("cause", "cause:race"),
        ("symptom", "symptom:slow"),
    )
    assert derived(case) == {("cause:race", "LEADS_TO", "symptom:slow", "confirmed")}


def test_mitigations_address_causes_once() -> None:
    case = make_case(
        "X-1", ("mitigation", "mitigation:restart"), ("follow_up", "mitigation:restart")
    )
    claims = tuple(c.model_copy(update={"addresses": ("cause:race",)}) for c in case.claims)
    assert derived(case.model_copy(update={"claims": claims})) == {
        ("mitigation:restart", "ADDRESSES", "cause:race", "confirmed")
    }


@pytest.mark.parametrize(
    ("source", "relation", "target"),
    [
        ("cause:ecc-error", "BROADER", "cause:gpu-fault"),
        ("component:loader", "PART_OF", "component:pytorch"),
        ("component:nccl", "DEPENDS_ON", "component:gpu"),
        ("component:ncclx", "VARIANT_OF", "component:nccl"),
        ("mitigation:replace", "DOES_NOT_COVER", "component:nccl"),
        ("tool:flight-recorder", "PART_OF", "component:nccl"),
    ],
)
def test_terms_are_joined_by_their_relations(source: str, relation: str, target: str) -> None:
    assert edge(source, target)["relation"] == relation
    assert edge(source, target)["case_id"] == ""


def test_edges_of_a_case_come_in_the_order_of_its_claims() -> None:
    assert [e.target for e in GRAPH.edges_of("A-1")] == [
        t for c in CASES["A-1"].claims for t in c.terms
    ]
    assert [e.target for e in GRAPH.edges_of("A-2", Relation.CAUSED_BY)] == [
        "cause:mismatch",
        "cause:race",
    ]
    assert GRAPH.edges_of("NONE") == []


def test_cases_of_a_term_leave_out_what_is_ruled_out() -> None:
    assert GRAPH.cases_of("cause:mismatch") == ["A-1", "A-2"]
    assert GRAPH.cases_of("cause:mismatch", status=Status.RULED_OUT) == ["B-2"]
    assert GRAPH.cases_of("cause:race", status=Status.CONFIRMED) == []
    assert GRAPH.cases_of("cause:race", status=Status.SUSPECTED) == ["A-2"]
    assert GRAPH.cases_of("cause:hardware") == []
    assert GRAPH.cases_of("cause:hardware", narrower=True) == ["A-3", "B-1", "B-2", "S-1"]


@WORLDS
@given(worlds())
def test_cases_of_and_edges_to_agree_with_networkx(world: tuple[Vocabulary, list[Case]]) -> None:
    vocabulary, cases = world
    graph = IncidentGraph(cases, vocabulary)
    for term in vocabulary.terms:
        into = [
            (u, d) for u, _, d in graph.nx.in_edges(term, data=True) if u.startswith("case:")
        ]  # fmt: skip
        assert len(graph.edges_to(term)) == len(into)
        for status in (None, *Status):
            wanted = {"confirmed", "suspected"} if status is None else {str(status)}
            judge = sorted({d["case_id"] for _, d in into if d["status"] in wanted})
            assert graph.cases_of(term, status=status) == judge


def test_a_case_node_is_its_id() -> None:
    assert case_node("X-1") == "case:X-1"
    assert isinstance(GRAPH.edges[0], Edge)


@WORLDS
@given(worlds())
def test_links_are_the_edges_without_a_claim_or_a_source(
    world: tuple[Vocabulary, list[Case]],
) -> None:
    vocabulary, cases = world
    edges = all_edges(cases, vocabulary)
    links = [e for e in edges if not e.claim_id and e.relation is not Relation.CITES]
    assert link_edges(cases, vocabulary) == links
    assert link_edges([*tiny_cases()], tiny_vocabulary()), "derived ones, and those of terms"
