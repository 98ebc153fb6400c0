"""Paths between two cases: every step is an edge, and says what it rests on."""

from __future__ import annotations

import itertools
from itertools import pairwise, product

import networkx as nx
import pytest
from hypothesis import given

from kg.graph import IncidentGraph, case_node
from kg.library import Library
from kg.model import Case, Status
from kg.queries import Explanation, make_explanation
from kg.queries.counterparts import counterparts
from kg.queries.information import is_generic
from kg.queries.paths import (
    COUNTERPART,
    MOST_CHAINS,
    MOST_GENERIC,
    MOST_OTHERS,
    Basis,
    Path,
    PathKind,
)
from kg.vocab import Vocabulary
from tests.helpers import twins
from tests.helpers.strategies import WORLDS, worlds
from tests.helpers.tiny import Told, make_case, term, tiny_cases, tiny_vocabulary

VOCABULARY = tiny_vocabulary(
    term("factor:race", "racing", aliases={"en": ["race condition"]}),
    term("trigger:link", "link lost", aliases={"en": ["link down"]}),
    term("component:sampler", "sampler", part_of=["component:pytorch"]),
)
CASES = {c.id: c for c in tiny_cases()}
GRAPH = IncidentGraph(CASES.values(), VOCABULARY)
World = tuple[Vocabulary, list[Case]]


def explain(a: str, b: str) -> Explanation:
    return make_explanation(GRAPH, VOCABULARY, CASES[a], CASES[b], "en")


def between(left: list[Told], right: list[Told], *more: Case, **fields: object) -> list[Path]:
    """The paths between two made-up cases."""
    cases = [make_case("X-1", *left, **fields), make_case("X-2", *right), *more]
    graph = IncidentGraph(cases, VOCABULARY)
    found = make_explanation(graph, VOCABULARY, cases[0], cases[1], "en")
    check_paths(graph, VOCABULARY, found)
    return list(found.paths)


def check_paths(graph: IncidentGraph, vocabulary: Vocabulary, found: Explanation) -> None:
    """Every step of every path is an edge of networkx or a pair of counterparts."""
    for path in found.paths:
        assert path.nodes[0] == f"case:{found.a}"
        assert path.nodes[-1] == f"case:{found.b}"
        assert len(path.steps) == len(path.nodes) - 1
        for (left, right), step in zip(pairwise(path.nodes), path.steps, strict=True):
            assert {step.source, step.target} == {left, right}
            check_step(graph, vocabulary, step)
        assert path.status is min((s.status for s in path.steps), key=lambda s: twins.WEIGHT[s])
    ranks = [(any(s.relation == "LEADS_TO" for s in p.steps), -p.weight) for p in found.paths]
    assert ranks == sorted(ranks), "stated paths first, the heaviest of them first"
    ways = [(p.nodes, tuple((s.source, s.relation) for s in p.steps)) for p in found.paths]
    assert len(set(ways)) == len(ways), "a path is told twice"


def check_step(graph: IncidentGraph, vocabulary: Vocabulary, step: object) -> None:
    if step.relation == COUNTERPART:
        assert step.target in counterparts(vocabulary)[step.source]
        assert step.basis is Basis.DERIVED
        return
    edges = (graph.nx.get_edge_data(step.source, step.target) or {}).values()
    matching = [d for d in edges if d["relation"] == step.relation]
    assert matching, f"no edge for {step}"
    assert any(d["status"] != "ruled_out" for d in matching)
    assert (step.basis is Basis.DERIVED) == all(d["derived"] for d in matching)
    assert (step.basis is Basis.VOCABULARY) == (step.sayings == ())
    for saying in step.sayings:
        assert saying.status is not Status.RULED_OUT
        assert saying.evidence
        assert {saying.target} <= {step.source, step.target}
        if step.basis is Basis.CLAIM:
            assert (saying.source, saying.relation) == (step.source, step.relation)
    if step.basis is Basis.DERIVED:
        assert {s.target for s in step.sayings} == {step.source, step.target}
        assert step.status is min((s.status for s in step.sayings), key=lambda s: twins.WEIGHT[s])


def test_every_step_of_every_shipped_path_is_an_edge(quick: Library) -> None:
    for a, b in pairwise(sorted(quick.cases)):
        check_paths(quick.graph, quick.vocabulary, quick.explain(a, b))


def test_paths_of_all_shipped_cases_hold(whole: Library) -> None:
    ids = sorted(whole.cases)
    kinds = set()
    for a, b in list(itertools.combinations(ids, 2))[::97]:
        found = whole.explain(a, b)
        check_paths(whole.graph, whole.vocabulary, found)
        kinds |= {p.kind for p in found.paths}
    assert kinds >= set(PathKind) - {PathKind.LINK}


@WORLDS
@given(worlds(least=2))
def test_every_step_of_every_random_path_is_an_edge(world: World) -> None:
    vocabulary, cases = world
    graph = IncidentGraph(cases, vocabulary)
    for a, b in pairwise(cases):
        for x, y, lang in ((a, b, "en"), (b, a, "ko")):
            check_paths(graph, vocabulary, make_explanation(graph, vocabulary, x, y, lang))


@WORLDS
@given(worlds(least=2))
def test_the_way_back_is_the_way_there_turned_round(world: World) -> None:
    vocabulary, cases = world
    graph = IncidentGraph(cases, vocabulary)
    a, b = cases[0], cases[1]
    there = make_explanation(graph, vocabulary, a, b, "en").paths
    back = make_explanation(graph, vocabulary, b, a, "en").paths
    common = (PathKind.SAME, PathKind.BROADER, PathKind.COUNTERPART, PathKind.LINK)
    assert {(p.nodes, round(p.weight, 9)) for p in there if p.kind in common} == {
        (p.nodes[::-1], round(p.weight, 9)) for p in back if p.kind in common
    }


@WORLDS
@given(worlds(least=2))
def test_chains_are_those_that_networkx_finds(world: World) -> None:
    vocabulary, cases = world
    graph = IncidentGraph(cases, vocabulary)
    a, b = cases[0], cases[1]
    found = make_explanation(graph, vocabulary, a, b, "en")
    chains = {p.nodes for p in found.paths if p.kind is PathKind.CHAIN}
    wanted = chains_by_hand(graph, a.id, b.id)
    if len(wanted) <= MOST_CHAINS:
        assert chains == wanted
    else:
        assert chains <= wanted
        assert len(chains) == MOST_CHAINS


def chains_by_hand(graph: IncidentGraph, a: str, b: str) -> set[tuple[str, ...]]:
    """Trigger, cause, symptom of one case of which both ends are in both; generic ones aside."""
    sides = {i: stated(graph, i) for i in (a, b)}
    both = sides[a] & sides[b]
    triggers, symptoms = ({t for t in both if t.startswith(k)} for k in ("trigger:", "symptom:"))
    wanted = set()
    for one, other in ((a, b), (b, a)):
        for cause in (t for t in sides[one] if t.startswith("cause:")):
            telling = [s for s in symptoms if cause in both or not is_generic(graph, s)]
            ends = [("", s) for s in telling] + list(product(triggers, telling))
            if cause in both:
                ends += [(t, "") for t in triggers]
                if one == b:
                    continue
            for trigger, symptom in ends:
                inner = tuple(n for n in (trigger, cause, symptom) if n)
                nodes = (case_node(one), *inner, case_node(other))
                wanted.add(nodes if one == a else nodes[::-1])
    return wanted


def stated(graph: IncidentGraph, case_id: str) -> set[str]:
    return {
        t for t, d in twins.edges_out(graph, case_id)
        if d["relation"] in twins.ALIKE and d["status"] != "ruled_out"
    }  # fmt: skip


def test_paths_read_as_arrows() -> None:
    paths = [str(p) for p in explain("A-1", "A-2").paths]
    assert paths[0] == "case:A-1 -CAUSED_BY-> cause:mismatch <-CAUSED_BY- case:A-2"
    assert (
        "case:A-1 -CAUSED_BY-> cause:mismatch -LEADS_TO[derived]-> symptom:nccl-timeout "
        "<-EXHIBITS- case:A-2" in paths
    )
    up = [str(p) for p in explain("A-3", "S-1").paths]
    assert (
        "case:A-3 -CAUSED_BY-> cause:ecc-error -BROADER-> cause:gpu-fault "
        "-BROADER-> cause:hardware <-BROADER- cause:link-down <-CAUSED_BY- case:S-1"
    ) in up


def test_a_path_is_a_way_in_networkx() -> None:
    undirected = nx.Graph(GRAPH.nx)
    for path in explain("A-3", "S-1").paths:
        assert nx.is_path(undirected, list(path.nodes))


def test_a_cause_that_is_claimed_twice_gives_one_path_at_its_strongest() -> None:
    told: list[Told] = [
        ("cause", "cause:race", "suspected"),
        ("cause", "cause:race"),
        ("symptom", "symptom:slow"),
    ]
    paths = between(told, [("symptom", "symptom:slow")])
    (through,) = (p for p in paths if "cause:race" in p.nodes)
    assert through.status is Status.CONFIRMED


CHAIN: list[Told] = [
    ("trigger", "trigger:upgrade"), ("cause", "cause:race"), ("symptom", "symptom:slow"),
]  # fmt: skip


def test_a_chain_of_both_cases_rests_on_the_claims_of_both() -> None:
    paths = between(CHAIN, CHAIN)
    whole = next(p for p in paths if p.kind is PathKind.CHAIN and len(p.nodes) == 5)
    assert whole.nodes[1:-1] == ("trigger:upgrade", "cause:race", "symptom:slow")
    leads = [s for s in whole.steps if s.basis is Basis.DERIVED]
    assert [s.relation for s in leads] == ["LEADS_TO", "LEADS_TO"]
    assert {x.case_id for x in leads[0].sayings} == {"X-1", "X-2"}


def test_a_suspected_cause_makes_half_a_chain_weigh_half() -> None:
    symptom: Told = ("symptom", "symptom:slow")

    def hint(status: str) -> Path:
        paths = between([("cause", "cause:race", status), symptom], [symptom])
        (found,) = (p for p in paths if p.kind is PathKind.CHAIN)
        return found

    sure, unsure = hint("confirmed"), hint("suspected")
    assert (sure.status, unsure.status) == (Status.CONFIRMED, Status.SUSPECTED)
    assert unsure.weight == pytest.approx(sure.weight / 2)


def test_a_ruled_out_claim_lies_on_no_path() -> None:
    out: Told = ("cause", "cause:race", "ruled_out")
    paths = between([out, ("symptom", "symptom:slow")], [*CHAIN])
    assert not [p for p in paths for s in p.steps for x in s.sayings if x.status == "ruled_out"]
    assert {p.nodes[0] for p in paths if "cause:race" in p.nodes} == {"case:X-1"}
    assert all("symptom:slow" in p.nodes for p in paths if "cause:race" in p.nodes)


@pytest.mark.parametrize("status", ["confirmed", "suspected"])
def test_the_cause_of_one_is_a_factor_of_the_other(status: str) -> None:
    paths = between([("cause", "cause:race")], [("factor", "factor:race", status)])
    (found,) = paths
    assert found.kind is PathKind.COUNTERPART
    assert str(found) == (
        "case:X-1 -CAUSED_BY-> cause:race =COUNTERPART= factor:race "
        f"<-CONTRIBUTED_BY{'' if status == 'confirmed' else '[suspected]'}- case:X-2"
    )
    assert str(found.status) == status
    assert {s.basis for s in found.steps} == {Basis.CLAIM, Basis.DERIVED}


def test_the_cause_of_one_is_the_trigger_of_the_other() -> None:
    (found,) = between([("trigger", "trigger:link")], [("cause", "cause:link-down")])
    assert str(found) == (
        "case:X-1 -TRIGGERED_BY-> trigger:link =COUNTERPART= cause:link-down <-CAUSED_BY- case:X-2"
    )


def test_a_cause_that_both_have_needs_no_counterpart() -> None:
    told: list[Told] = [("cause", "cause:race"), ("factor", "factor:race")]
    assert {p.kind for p in between(told, told)} == {PathKind.SAME}


@pytest.mark.parametrize(
    ("left", "right", "way"),
    [
        ("loader", "pytorch", "component:loader -PART_OF-> component:pytorch"),
        ("pytorch", "loader", "component:pytorch <-PART_OF- component:loader"),
        ("nccl", "gpu", "component:nccl -DEPENDS_ON-> component:gpu"),
        ("ncclx", "nccl", "component:ncclx -VARIANT_OF-> component:nccl"),
    ],
)
def test_components_that_belong_together_are_joined_by_the_vocabulary(
    left: str, right: str, way: str
) -> None:
    (found,) = between([("component", f"component:{left}")], [("component", f"component:{right}")])
    assert found.kind is PathKind.NEIGHBOUR
    assert way in str(found)
    assert [s.basis for s in found.steps] == [Basis.CLAIM, Basis.VOCABULARY, Basis.CLAIM]


def test_two_parts_of_one_whole_are_joined_through_it() -> None:
    left, right = [("component", "component:loader")], [("component", "component:sampler")]
    (found,) = between(left, right)
    assert found.kind is PathKind.NEIGHBOUR
    assert found.nodes[1:-1] == ("component:loader", "component:pytorch", "component:sampler")
    (direct,) = between(left, [("component", "component:pytorch")])
    assert found.weight < direct.weight


def test_a_whole_that_both_name_joins_no_parts() -> None:
    both: Told = ("component", "component:pytorch")
    paths = between([both, ("component", "component:loader")], [both])
    assert {p.kind for p in paths} == {PathKind.SAME}


def test_a_curated_link_between_the_cases_is_a_path() -> None:
    (found,) = between([], [], related=["X-2"])
    assert str(found) == "case:X-1 -RELATED_TO-> case:X-2"
    assert found.kind is PathKind.LINK
    assert found.steps[0].sayings[0].evidence[0].quote == "X-2"


def with_source(case_id: str, locator: str = "place") -> Case:
    source = {"kind": "blog", "title": "A report", "locator": locator}
    return make_case(case_id, sources=[source])


@pytest.mark.parametrize(("citing", "paths"), [(2, 1), (4, 1), (5, 0)])
def test_a_source_of_two_cases_joins_them_and_a_collection_does_not(
    citing: int, paths: int
) -> None:
    cases = [with_source(f"X-{i}") for i in range(citing)]
    graph = IncidentGraph(cases, VOCABULARY)
    found = make_explanation(graph, VOCABULARY, cases[0], cases[1], "en")
    check_paths(graph, VOCABULARY, found)
    assert [p.kind for p in found.paths] == [PathKind.LINK] * paths


def test_hubs_are_held_down() -> None:
    hubs = [f"component:{c}" for c in ("gpu", "nccl", "ncclx", "pytorch", "loader")]
    every: list[Told] = [("component", c) for c in hubs]
    cases = [make_case(f"Y-{i}", *every) for i in range(8)]
    rare: Told = ("symptom", "symptom:slow")
    paths = between([*every, rare], [*every, rare], *cases)
    through = [p for p in paths if set(p.nodes) & set(hubs)]
    assert len(through) == MOST_GENERIC
    assert paths[0].nodes[1] == "symptom:slow"


def test_no_chain_of_one_case_runs_through_a_hub() -> None:
    hub: Told = ("symptom", "symptom:slow")
    cases = [make_case(f"Y-{i}", hub) for i in range(8)]
    paths = between([("cause", "cause:race"), hub], [hub], *cases)
    assert [p.kind for p in paths] == [PathKind.SAME]


def test_few_of_many_side_ways_are_told() -> None:
    causes: list[Told] = [
        ("cause", f"cause:{s}", "confirmed", "secondary")
        for s in ("hardware", "gpu-fault", "ecc-error", "link-down", "software", "mismatch")
    ]
    symptoms: list[Told] = [
        ("symptom", "symptom:slow"), ("symptom", "symptom:nccl-timeout"),
        ("symptom", "symptom:failure"),
    ]  # fmt: skip
    paths = between([*causes, *symptoms], symptoms)
    kinds = [p.kind for p in paths]
    assert kinds.count(PathKind.CHAIN) == MOST_CHAINS
    assert kinds.count(PathKind.COUNTERPART) <= MOST_OTHERS
    assert kinds.count(PathKind.SAME) == len(symptoms)
