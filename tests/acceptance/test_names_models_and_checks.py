"""N60 and N62 to N66: models, the exposure check around the cases, links, the paper."""

from __future__ import annotations

import pytest

from kg.graph import Relation
from kg.graph.edges import source_node
from kg.model import SOURCE_FIELD

LIST_AND_0480 = "0023 0127 0025 0125 0126 0480"
"""The cases of the pages that name the hosts and the platform of the check."""


@pytest.mark.parametrize(
    ("spellings", "term", "cases"),
    [
        (["176B", "tr11-176B-ml"], "component:tr11-176b-ml", "0428 0125"),
        (["100B–200B tests", "100B–200B"], "component:trial-models-100b-200b", "0428"),
        (["Llama 3 405B"], "component:llama-3-405b", "0127"),
        (["Llama 3"], "component:llama-3", "0417"),
        (["70B"], "component:imbue-70b", "0025"),
        (["OPT-175B"], "component:opt-175b", "0126"),
        (["Qwen3-32B"], "component:qwen3-32b", "0480"),
        (["MoE"], "component:moe-model", "0417"),
    ],
)
def test_n60_models(check_r, spellings, term, cases):
    check_r(spellings, term, "model", cases)


def test_n60_a_comparison_makes_no_member(quick, vocabulary):
    (edge,) = quick.graph.edges_to("component:llama-3")
    assert edge.role == "condition"
    assert {s.field for s in edge.evidence} == {"mitigation"}
    assert quick.graph.cases_of("component:llama-3", narrower=True) == ["IL-0417"]
    assert quick.graph.cases_of("component:llama-3-405b", narrower=True) == ["IL-0127"]
    assert quick.graph.cases_of("organization:meta") == ["IL-0127"]
    assert not vocabulary.get("component:llama-3-405b").broader
    shared = quick.explain("IL-0127", "IL-0417").shared
    assert not [s for s in shared if "llama" in s.term]


def test_n62_kubegap(check_r, quick):
    every = "0023 0025 0125 0126 0127 0417 0428 0480"
    check_r(["kubegap"], "tool:kubegap", "exposure-check", every)
    assert len(quick) == 8
    edges = quick.graph.edges_to("tool:kubegap")
    assert {(e.relation, e.role) for e in edges} == {(Relation.CHECKED_BY, "exposure_check")}


def test_n63_agent_hosts(check_r, quick):
    for name, term in (("Claude Code", "tool:claude-code"), ("Codex", "tool:codex")):
        check_r([name], term, "agent-host", LIST_AND_0480)
        roles = {(e.relation, e.role) for e in quick.graph.edges_to(term)}
        assert roles == {(Relation.CHECKED_BY, "agent_host")}


def test_n64_kubernetes(check_r, quick):
    term = "component:kubernetes"
    check_r(["Kubernetes", "쿠버네티스"], term, "platform", LIST_AND_0480)
    edges = quick.graph.edges_to(term)
    assert {(e.relation, e.role) for e in edges} == {(Relation.CHECKED_BY, "platform")}
    # The platform of the check is no component of the cases.
    assert quick.list(component="Kubernetes").total == 0
    assert term not in quick.result_graph().nodes["component"]
    assert quick.list().total == 8
    for card in quick.list().items:
        assert term not in card.fields["component"].terms
        assert term not in quick.check_components(card.id)


@pytest.mark.parametrize("case_id", ["IL-0428", "IL-0417"])
def test_n65_addresses_are_links_not_sources(quick, case_id):
    case = quick.get(case_id)
    base = f"https://incidentlib-api.benchlet.com/cases/{case_id}"
    assert {link.rel: link.href for link in case.links} == {
        "json": base,
        "similar": f"{base}/similar",
        "mcp": "https://incidentlib-mcp.benchlet.com/mcp",
    }
    assert "benchlet" not in case.text(SOURCE_FIELD, "zxx")
    assert not [s for s in (*case.sources, *(case.references or ())) if "benchlet" in s.locator]
    assert not [n for n in quick.graph.nx if "benchlet" in n]


def test_n66_arxiv_paper(quick):
    # A source is a node of its own and no term, so it is named by its address.
    node = source_node("https://arxiv.org/abs/2505.05713")
    assert [n for n in quick.graph.nx if "2505.05713" in n] == [node]
    assert quick.graph.nx.nodes[node]["kind"] == "source"
    assert quick.graph.nx.nodes[node]["type"] == "paper"
    assert quick.graph.cases_of(node) == ["IL-0417"]
    (edge,) = quick.graph.edges_to(node)
    (span,) = edge.evidence
    stored = quick.get("IL-0417").text(span.field, span.lang)
    assert stored[span.start : span.end] == span.quote
    assert "2505.05713" in span.quote
    (source,) = quick.get("IL-0417").sources
    assert (source.kind, source.archived) == ("paper", True)
