"""Paths between two cases, judged by the edges of networkx, derived ones included."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import BadQuery, CaseNotFound
from kg.graph import CaseTerms, IncidentGraph, Relation
from kg.graph.paths import CHAIN_WEIGHT, GraphPath, paths_between
from kg.library import Library
from kg.model import Case, Status
from kg.queries import make_explanation
from kg.queries.sharing import KIND_WEIGHTS
from kg.vocab import Vocabulary
from tests.helpers import twins
from tests.helpers.rows import Row, arrays_of, tables
from tests.helpers.strategies import QUICK, WORLDS, worlds
from tests.helpers.tiny import make_case, tiny_vocabulary

VOCABULARY = tiny_vocabulary()
STRONGER = {"ruled_out": 0, "suspected": 1, "confirmed": 2}

Told = dict[tuple[str, ...], tuple[float, str, int, int]]


def strongest(graph: IncidentGraph, case: str) -> dict[str, str]:
    """The strongest status of each term that a case states and does not rule out."""
    found: dict[str, str] = {}
    for target, data in twins.edges_out(graph, case):
        status = str(data["status"])
        if data["relation"] in twins.ALIKE and status != "ruled_out":
            found[target] = max(status, found.get(target, status), key=lambda s: STRONGER[s])
    return found


def leading(graph: IncidentGraph, first: str, last: str) -> list[str]:
    """The statuses of the derived edges from a term to another, one a case."""
    edges = graph.nx.get_edge_data(first, last, default={}).values()
    return [str(d["status"]) for d in edges if d["relation"] == "LEADS_TO"]


def by_networkx(graph: IncidentGraph, a: str, b: str) -> Told:
    """Every path with its weight, its status and its cases."""
    rarity = {}
    rows = [strongest(graph, i) for i in graph.terms.cases]

    def worth(term: str) -> float:
        rarity.setdefault(term, graph.terms.rarity_by_term(term))
        return rarity[term] * KIND_WEIGHTS.get(term.partition(":")[0], 0.0)

    told: Told = {}
    in_a, in_b = strongest(graph, a), strongest(graph, b)
    for term in in_a.keys() & in_b.keys():
        status = min(in_a[term], in_b[term], key=lambda s: STRONGER[s])
        said = [row[term] for row in rows if term in row]
        told[f"case:{a}", term, f"case:{b}"] = (
            worth(term) * twins.WEIGHT[status], status,
            said.count("confirmed"), said.count("suspected"),
        )  # fmt: skip
    for start, end, mine, theirs in ((a, b, in_a, in_b), (b, a, in_b, in_a)):
        for first in mine:
            for last in theirs:
                statuses = [s for s in leading(graph, first, last) if s != "ruled_out"]
                if statuses:
                    shown = min(
                        (x[last] for x in (mine, theirs) if last in x), key=lambda s: STRONGER[s]
                    )
                    way = (f"case:{start}", first, last, f"case:{end}")
                    told[way if start == a else way[::-1]] = (
                        CHAIN_WEIGHT * worth(last)
                        * twins.WEIGHT[mine[first]] * twins.WEIGHT[shown],
                        min(shown, mine[first], key=lambda s: STRONGER[s]),
                        statuses.count("confirmed"), statuses.count("suspected"),
                    )  # fmt: skip
    return {way: path for way, path in told.items() if path[0] > 0}


def check(graph: IncidentGraph, a: str, b: str) -> list[GraphPath]:
    found = paths_between(graph.terms, a, b, KIND_WEIGHTS)
    judge = by_networkx(graph, a, b)
    assert len(found) == len(judge)
    for path in found:
        weight, *others = judge[path.nodes]
        assert path.weight == pytest.approx(weight, abs=1e-8)
        assert [str(path.status), path.confirmed, path.suspected] == others
    ranks = [(-p.weight, p.nodes) for p in found]
    assert ranks == sorted(ranks)
    return found


@WORLDS
@given(worlds(least=2))
def test_random_paths_agree_with_networkx(world: tuple[Vocabulary, list[Case]]) -> None:
    graph = IncidentGraph(world[1], world[0])
    for a, b in permutations([c.id for c in world[1]], 2):
        check(graph, a, b)


def test_the_shipped_paths_agree_with_networkx(quick: Library) -> None:
    found = [p for a, b in permutations(quick.cases, 2) for p in check(quick.graph, a, b)]
    assert {len(p.nodes) for p in found} == {3, 4}
    assert max(p.confirmed for p in found if len(p.nodes) == 4) > 1


@WORLDS
@given(worlds(least=2))
def test_every_way_that_an_explanation_goes_over_one_term_is_a_path(
    world: tuple[Vocabulary, list[Case]],
) -> None:
    graph = IncidentGraph(world[1], world[0])
    for a, b in permutations(world[1], 2):
        found = {p.nodes: p for p in paths_between(graph.terms, a.id, b.id, KIND_WEIGHTS)}
        told = make_explanation(graph, world[0], a, b, "en")
        same = [s for s in told.shared if s.steps == (0, 0)]
        direct = {(f"case:{a.id}", s.term, f"case:{b.id}"): s.status for s in same}
        assert {n: p.status for n, p in found.items() if n in direct} == direct
        for path in told.paths:
            relations = [str(step.relation) for step in path.steps]
            if len(path.nodes) == 4 and relations[1] == "LEADS_TO":
                assert path.nodes in found


@QUICK
@given(tables(most=80), st.data())
def test_the_order_of_the_rows_does_not_matter(
    table: tuple[list[str], list[Row]], data: st.DataObject
) -> None:
    cases, rows = table
    mixed = arrays_of(data.draw(st.permutations(cases)), data.draw(st.permutations(rows)))
    once, again = (CaseTerms.from_arrays(a) for a in (arrays_of(cases, rows), mixed))
    for a, b in permutations(cases, 2):
        assert paths_between(once, a, b, KIND_WEIGHTS) == paths_between(again, a, b, KIND_WEIGHTS)


@QUICK
@given(tables(most=80))
def test_the_way_back_is_the_same_way(table: tuple[list[str], list[Row]]) -> None:
    terms = CaseTerms.from_arrays(arrays_of(*table))
    for a, b in permutations(table[0], 2):
        there = {p.nodes: p.weight for p in paths_between(terms, a, b, KIND_WEIGHTS)}
        back = {p.nodes[::-1]: p.weight for p in paths_between(terms, b, a, KIND_WEIGHTS)}
        assert there == back


def chain_graph() -> IncidentGraph:
    """X-1 states a cause, X-2 a symptom; X-3 and X-4 state both, X-4 only suspects the cause."""
    return IncidentGraph(
        [
            make_case("X-1", ("cause", "cause:race")),
            make_case("X-2", ("symptom", "symptom:slow")),
            make_case("X-3", ("cause", "cause:race"), ("symptom", "symptom:slow")),
            make_case("X-4", ("cause", "cause:race", "suspected"), ("symptom", "symptom:slow")),
        ],
        VOCABULARY,
    )


def test_a_chain_is_borne_out_by_the_cases_that_went_along_it() -> None:
    graph = chain_graph()
    (path,) = paths_between(graph.terms, "X-1", "X-2", KIND_WEIGHTS)
    assert path.nodes == ("case:X-1", "cause:race", "symptom:slow", "case:X-2")
    assert (path.confirmed, path.suspected) == (1, 1)
    assert path.status is Status.CONFIRMED
    rarity = graph.terms.rarity_by_term("symptom:slow")
    assert path.weight == pytest.approx(CHAIN_WEIGHT * rarity * KIND_WEIGHTS["symptom"])


def test_a_suspected_beginning_halves_a_chain() -> None:
    sure, unsure = (
        next(p for p in paths_between(chain_graph().terms, case, "X-2", KIND_WEIGHTS)
             if len(p.nodes) == 4)
        for case in ("X-3", "X-4")
    )  # fmt: skip
    assert unsure.status is Status.SUSPECTED
    assert unsure.weight == pytest.approx(sure.weight / 2)


def test_what_nobody_went_along_is_no_chain() -> None:
    cases = [
        make_case("X-1", ("cause", "cause:race")),
        make_case("X-2", ("symptom", "symptom:slow")),
    ]
    assert paths_between(IncidentGraph(cases, VOCABULARY).terms, "X-1", "X-2", KIND_WEIGHTS) == []


def test_ruled_out_causes_lie_on_no_path() -> None:
    cases = [
        make_case("X-1", ("cause", "cause:race", "ruled_out"), ("symptom", "symptom:slow")),
        make_case("X-2", ("cause", "cause:race"), ("symptom", "symptom:slow")),
    ]
    found = paths_between(IncidentGraph(cases, VOCABULARY).terms, "X-1", "X-2", KIND_WEIGHTS)
    assert [p.nodes for p in found if p.nodes[1] == "cause:race"] == []
    assert ("case:X-1", "symptom:slow", "case:X-2") in [p.nodes for p in found]


def test_only_so_many_paths_are_told_heaviest_first() -> None:
    graph = chain_graph()
    every = paths_between(graph.terms, "X-3", "X-4", KIND_WEIGHTS)
    assert len(every) == 4
    assert paths_between(graph.terms, "X-3", "X-4", KIND_WEIGHTS, k=2) == every[:2]


def test_kinds_without_weight_join_nothing() -> None:
    rows = [Row(c, "organization:1", Relation.REPORTED_BY) for c in ("C-0", "C-1")]
    terms = CaseTerms.from_arrays(arrays_of(["C-0", "C-1"], rows))
    assert paths_between(terms, "C-0", "C-1", KIND_WEIGHTS) == []


@pytest.mark.parametrize(("a", "b", "k"), [("X-1", "X-1", None), ("X-1", "X-2", 0)])
def test_one_case_or_no_path_is_refused(a: str, b: str, k: int | None) -> None:
    with pytest.raises(BadQuery, match="two cases and a k of 1 or more"):
        paths_between(chain_graph().terms, a, b, KIND_WEIGHTS, k)


def test_a_case_that_is_not_there_is_refused() -> None:
    with pytest.raises(CaseNotFound, match="GONE"):
        paths_between(chain_graph().terms, "X-1", "GONE", KIND_WEIGHTS)
