"""F33 and F37 to F39, F41: the graph of a result, groups by cause, freshness of lists."""

from __future__ import annotations

import pytest

from kg.errors import SchemaError
from kg.graph import Relation, kind_of
from kg.graph.schema import ALLOWED, check_edge
from kg.queries.listing import group_by_cause, untagged_gaps

KINDS = {"cause", "component", "symptom", "factor", "case"}


def test_f33_graph_of_the_result(quick, five):
    graph = quick.result_graph(five)
    assert set(graph.nodes) == KINDS
    assert all(graph.nodes.values())
    for kind, nodes in graph.nodes.items():
        assert {kind_of(n) for n in nodes} == {kind}
    assert graph.nodes["case"] == tuple(sorted(f"case:{i}" for i in five))
    drawn = {n for nodes in graph.nodes.values() for n in nodes}
    assert graph.edges
    for edge in graph.edges:
        assert {edge.source, edge.target} <= drawn
        assert (kind_of(edge.source), edge.relation, kind_of(edge.target)) in ALLOWED
    with pytest.raises(SchemaError):
        check_edge("case:IL-0480", Relation.CAUSED_BY, "factor:environment")


def test_f37_factors_are_no_causes(quick):
    factors = [e for e in quick.graph.edges if kind_of(e.target) == "factor" and e.case_id]
    assert {e.relation for e in factors} == {Relation.CONTRIBUTED_BY}
    caused = [e for e in quick.graph.edges if e.relation is Relation.CAUSED_BY]
    assert {kind_of(e.target) for e in caused} == {"cause"}
    # IL-0127 and IL-0417 share a factor and no cause.
    pair = ["IL-0127", "IL-0417"]
    shared = quick.explain(*pair).shared
    assert "factor:synchronous-training" in [s.term for s in shared]
    assert quick.shared_causes(pair) == []
    ranked = quick.shared_causes(list(quick.cases), minimum=1)
    assert ranked
    assert {kind_of(c.cause) for c in ranked} == {"cause"}


def test_f38_grouping_by_cause(quick, five):
    groups = quick.groups(five)
    assert [(g.cause, g.count) for g in groups] == [
        ("cause:dependency-failure", 3),
        ("cause:hardware-failure", 2),
    ]
    assert [{m.id for m in g.members} for g in groups] == [
        {"IL-0023", "IL-0025", "IL-0126"},
        {"IL-0127", "IL-0125"},
    ]
    labels = [quick.vocabulary.get(g.cause).label.best("ko") for g in groups]
    assert labels == ["의존성 장애", "하드웨어 고장"]
    for group in groups:
        assert group.count == len(group.members)
    # Each case counts once, under its primary cause; on request under every cause.
    assert sum(g.count for g in groups) == len(five)
    every = {g.cause: {m.id for m in g.members} for g in quick.groups(five, every_cause=True)}
    assert "IL-0025" in every["cause:dependency-failure"] & every["cause:hardware-failure"]
    assert sum(map(len, every.values())) > len(five)
    assert "counts once, under its primary cause" in " ".join(group_by_cause.__doc__.split())


def test_f39_group_entries(quick, five):
    members = {m.id: m for g in quick.groups(five, lang="ko") for m in g.members}
    assert {i: (m.organization, m.year) for i, m in members.items()} == {
        "IL-0023": ("Databricks AI", 2026),
        "IL-0025": ("Imbue", 2024),
        "IL-0126": (None, 2021),
        "IL-0127": ("Meta", 2024),
        "IL-0125": (None, 2022),
    }
    for case_id, member in members.items():
        assert member.title == quick.get(case_id).name("ko")


def test_f41_index_freshness(quick):
    # The page's list has five cases; IL-0480 carries the symptom too, so the gap is flagged.
    term = "symptom:training-job-failure"
    seed = ["IL-0023", "IL-0127", "IL-0025", "IL-0125", "IL-0126"]
    assert untagged_gaps(quick.graph, {term: seed}) == [(term, "IL-0480")]
    whole = {term: [*seed, "IL-0480"]}
    assert untagged_gaps(quick.graph, whole) == []
    # And the other way round: listed without the tag.
    assert untagged_gaps(quick.graph, {term: [*whole[term], "IL-0417"]}) == [(term, "IL-0417")]
