"""Cases that share a confirmed cause, judged by plain rows and by networkx."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import BadQuery, CaseNotFound
from kg.graph import IncidentGraph, Relation
from kg.library import Library
from kg.model import Case, Status
from kg.vocab import Vocabulary
from tests.helpers.rows import Row, arrays_of, tables, terms_of
from tests.helpers.strategies import QUICK, WORLDS, worlds
from tests.helpers.tiny import make_case, tiny_cases, tiny_vocabulary

GRAPH = IncidentGraph(tiny_cases(), tiny_vocabulary())


def by_networkx(graph: IncidentGraph, case_id: str) -> list[str]:
    """Over the confirmed causes of a case and back, along the edges of networkx."""

    def confirmed(edges: object) -> list[tuple[str, str]]:
        return [
            (a, b) for a, b, d in edges  # type: ignore[attr-defined]
            if (d["relation"], d["status"]) == ("CAUSED_BY", "confirmed")
        ]  # fmt: skip

    own = f"case:{case_id}"
    causes = {b for _, b in confirmed(graph.nx.out_edges(own, data=True))}
    others = {a for c in causes for a, _ in confirmed(graph.nx.in_edges(c, data=True))}
    return sorted(other.removeprefix("case:") for other in others - {own})


@WORLDS
@given(worlds())
def test_random_neighbours_agree_with_networkx(world: tuple[Vocabulary, list[Case]]) -> None:
    graph = IncidentGraph(world[1], world[0])
    for case in world[1]:
        assert graph.arrays.neighbours(case.id) == by_networkx(graph, case.id)


def test_the_shipped_neighbours_agree_with_networkx(quick: Library) -> None:
    found = {case: quick.graph.arrays.neighbours(case) for case in quick.cases}
    assert found == {case: by_networkx(quick.graph, case) for case in quick.cases}
    assert any(found.values())


@QUICK
@given(tables(), st.sampled_from(["cause", "component", "mitigation", "tool"]), st.data())
def test_neighbours_of_any_kind_and_status_are_those_of_the_rows(
    table: tuple[list[str], list[Row]], kind: str, data: st.DataObject
) -> None:
    cases, rows = table
    statuses = data.draw(st.sets(st.sampled_from(Status)))
    arrays = arrays_of(cases, rows)
    terms = {case: terms_of(rows, case, kind, statuses) for case in cases}
    for case in cases:
        judge = sorted(o for o in cases if o != case and terms[o] & terms[case])
        assert arrays.neighbours(case, kind, statuses) == judge


@QUICK
@given(tables())
def test_neighbours_are_mutual(table: tuple[list[str], list[Row]]) -> None:
    arrays = arrays_of(*table)
    for case in arrays.cases:
        for other in arrays.neighbours(case):
            assert case in arrays.neighbours(other)


def test_the_tiny_cases_with_one_cause() -> None:
    assert GRAPH.arrays.neighbours("A-1") == ["A-2"]
    assert GRAPH.arrays.neighbours("A-2") == ["A-1"]
    assert GRAPH.arrays.neighbours("A-3") == []  # B-1 has a broader cause only


def test_a_suspected_or_ruled_out_cause_makes_no_neighbour() -> None:
    assert GRAPH.arrays.neighbours("B-2") == []
    either = GRAPH.arrays.neighbours("B-2", statuses={Status.CONFIRMED, Status.SUSPECTED})
    assert either == ["S-1"]


def test_a_cause_that_one_claim_rules_out_and_another_confirms_counts() -> None:
    cases = [
        make_case("X-1", ("cause", "cause:race", "ruled_out"), ("cause", "cause:race")),
        make_case("X-2", ("cause", "cause:race")),
    ]
    assert IncidentGraph(cases, tiny_vocabulary()).arrays.neighbours("X-2") == ["X-1"]


def test_a_check_around_a_case_makes_no_neighbour() -> None:
    rows = [
        Row("C-0", "component:1", Relation.CHECKED_BY), Row("C-1", "component:1", Relation.AFFECTS),
    ]  # fmt: skip
    assert arrays_of(["C-0", "C-1"], rows).neighbours("C-1", "component") == []


def test_a_case_or_kind_that_is_not_there_is_refused() -> None:
    with pytest.raises(CaseNotFound, match="GONE"):
        GRAPH.arrays.neighbours("GONE")
    with pytest.raises(BadQuery, match="no kind 'reason'; there are case, cause"):
        GRAPH.arrays.neighbours("A-1", "reason")
