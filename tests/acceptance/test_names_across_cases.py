"""N67 to N71: names that stand in several cases and mean something else in each."""

from __future__ import annotations

import itertools

from kg.graph import IncidentGraph, Relation, kind_of
from kg.model import Case
from kg.queries.sharing import confirmed_causes, same_cause


def test_n67_checkpoint(check_r, quick):
    term = "component:checkpoint"
    cases = "0023 0127 0025 0125 0126 0480"
    check_r(["체크포인트", "checkpoint", "체크포인트를"], term, "practice", cases)
    roles = {e.case_id: str(e.role) for e in quick.graph.edges_to(term)}
    assert roles["IL-0480"] == "affected"
    assert roles["IL-0125"] == roles["IL-0127"] == "changed"
    assert roles["IL-0126"] == "failed"
    # Naming it alone makes no two cases alike in cause: without it every verdict is the same.
    bare = [_without(c, term) for c in quick.cases.values()]
    graph = IncidentGraph(bare, quick.vocabulary)
    assert graph.cases_of(term) == []
    for a, b in itertools.combinations(sorted(quick.graph.cases_of(term)), 2):
        common = set(confirmed_causes(quick.graph, a)) & set(confirmed_causes(quick.graph, b))
        explained = quick.explain(a, b)
        assert term in [s.term for s in explained.shared]
        assert (explained.same_cause == "yes") == bool(common), (a, b)
        assert same_cause(graph, quick.vocabulary, a, b) == explained.same_cause
    for pair in (("IL-0480", "IL-0125"), ("IL-0480", "IL-0126"), ("IL-0125", "IL-0126")):
        assert quick.explain(*pair).same_cause == "no"


def _without(case: Case, term: str) -> Case:
    claims = tuple(c for c in case.claims if term not in c.terms)
    return case.model_copy(update={"claims": claims})


def test_n68_ecc_memory_error(check_r, quick):
    # The source states it as what set the failures off, so it is a trigger rather than a cause.
    spellings = ["ECC 메모리 오류", "ECC memory error", "ECC 오류"]
    check_r(spellings, "trigger:ecc-memory-error", "event", "0126")
    assert not [e for e in quick.graph.edges_of("IL-0127") if "ecc" in e.target]
    for _, _, text in quick.get("IL-0127").texts():
        assert "ECC" not in text


def test_n69_straggler(check_r, quick):
    check_r(["스트래글러", "straggler"], "symptom:straggler", "sign", "0417 0127")
    edges = [e for e in quick.graph.edges_to("symptom:straggler") if e.case_id == "IL-0127"]
    assert {s.field for e in edges for s in e.evidence} == {"detection", "lesson"}


def test_n70_infiniband_parts(check_r, quick):
    names = {
        "component:infiniband-port": (["InfiniBand port", "InfiniBand 포트"], "0025 0023"),
        "component:infiniband-transceiver": (["transceiver", "트랜시버"], "0025"),
        "component:infiniband-switch": (["InfiniBand switch", "InfiniBand 스위치"], "0025"),
        "component:infiniband-cabling": (["cabling", "배선"], "0025"),
    }
    for term, (spellings, cases) in names.items():
        assert check_r(spellings, term, "network", cases).broader == ("component:infiniband",)
    (switches,) = [
        c for c in quick.get("IL-0025").claims if "component:infiniband-switch" in c.terms
    ]
    figures = quick.get("IL-0025").figures_by_id()
    assert 320 in {figures[f].value for f in switches.figures}
    paths = [p.nodes for p in quick.explain("IL-0023", "IL-0025").paths]
    assert ("case:IL-0023", "component:infiniband-port", "case:IL-0025") in paths


def test_n71_environment(check_r, quick):
    check_r(["환경 요인"], "factor:environment", "environment", "0127", narrower=True)
    names = (("기온", "factor:ambient-temperature"), ("전력망", "factor:power-grid"))
    for name, term in names:
        check_r([name], term, "environment", "0127")
        (edge,) = quick.graph.edges_to(term)
        assert edge.relation is Relation.CONTRIBUTED_BY
        assert {s.field for s in edge.evidence} == {"lesson"}
    causes = quick.graph.edges_of("IL-0127", Relation.CAUSED_BY)
    assert causes
    for edge in causes:
        assert kind_of(edge.target) == "cause"
        said = " ".join([s.quote for s in edge.evidence] + [t for _, t in edge.statement])
        assert not [w for w in ("temperature", "power grid", "기온", "전력망") if w in said]
