"""Edges as arrays: both directions hold the same edges, in whatever order these came."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import BadQuery, CaseNotFound
from kg.graph import GraphArrays, IncidentGraph, Relation
from kg.graph.arrays import CODES, RELATIONS, ROLES, STATUSES, meaning
from kg.library import Library
from kg.model import Case, Role, Status
from kg.vocab import Vocabulary
from tests.helpers.rows import Row, arrays_of, tables
from tests.helpers.strategies import QUICK, WORLDS, worlds
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

GRAPH = IncidentGraph(tiny_cases(), tiny_vocabulary())
STANDING = (Status.CONFIRMED, Status.SUSPECTED)

Table = tuple[list[str], list[Row]]


def rows_by_case(arrays: GraphArrays) -> list[Row]:
    """The edges read back, case by case."""
    return [
        Row(case, arrays.nodes[arrays.node[i]], *meaning(int(arrays.code[i])))
        for case in arrays.cases
        for i in arrays.edges_of(case)
    ]


def rows_by_node(arrays: GraphArrays) -> list[Row]:
    """The edges read back, node by node."""
    return [
        Row(arrays.cases[arrays.case_of[i]], node, *meaning(int(arrays.code_of[i])))
        for j, node in enumerate(arrays.nodes)
        for i in range(arrays.column(j).start, arrays.column(j).stop)
    ]


@QUICK
@given(tables())
def test_both_directions_give_back_the_edges(table: Table) -> None:
    cases, rows = table
    arrays = arrays_of(cases, rows)
    assert Counter(rows_by_case(arrays)) == Counter(rows)
    assert Counter(rows_by_node(arrays)) == Counter(rows)


@QUICK
@given(tables())
def test_edges_of_a_case_keep_their_order(table: Table) -> None:
    cases, rows = table
    read = rows_by_case(arrays_of(cases, rows))
    for case in cases:
        assert [r for r in read if r.case == case] == [r for r in rows if r.case == case]


@QUICK
@given(tables())
def test_the_arrays_are_sound(table: Table) -> None:
    arrays = arrays_of(*table)
    assert list(arrays.cases) == sorted(arrays.cases)
    assert list(arrays.nodes) == sorted(arrays.nodes)
    for starts, ids in ((arrays.starts, arrays.cases), (arrays.node_starts, arrays.nodes)):
        assert len(starts) == len(ids) + 1
        assert (starts[0], starts[-1]) == (0, len(table[1]))
        assert (np.diff(starts) >= 0).all()
    for j in range(len(arrays.nodes)):
        assert (np.diff(arrays.case_of[arrays.column(j)]) >= 0).all()
    assert sorted(arrays.edge_of.tolist()) == list(range(len(table[1])))
    assert (arrays.node[arrays.edge_of] == np.sort(arrays.node)).all()


@QUICK
@given(tables(), st.data())
def test_the_order_of_ids_and_edges_does_not_matter(table: Table, data: st.DataObject) -> None:
    cases, rows = table
    once = arrays_of(cases, rows)
    again = arrays_of(data.draw(st.permutations(cases)), data.draw(st.permutations(rows)))
    assert (once.cases, once.nodes) == (again.cases, again.nodes)
    assert Counter(rows_by_case(once)) == Counter(rows_by_case(again))
    assert once.case_of.tolist() == again.case_of.tolist()
    assert once.starts.tolist() == again.starts.tolist()


@QUICK
@given(tables(), st.sets(st.sampled_from(Status)), st.data())
def test_cases_of_nodes_are_those_of_the_rows(
    table: Table, statuses: set[Status], data: st.DataObject
) -> None:
    cases, rows = table
    arrays = arrays_of(cases, rows)
    wanted = data.draw(st.sets(st.sampled_from(["cause:1", "cause:9", "symptom:2", "case:1"])))
    some = data.draw(st.none() | st.sets(st.sampled_from(RELATIONS)))
    assert arrays.cases_of(wanted, statuses, some) == sorted(
        {
            r.case
            for r in rows
            if r.node in wanted and r.status in statuses and (some is None or r.relation in some)
        }
    )


@QUICK
@given(tables(), st.data())
def test_holders_are_those_of_the_rows(table: Table, data: st.DataObject) -> None:
    cases, rows = table
    some = data.draw(st.sets(st.sampled_from(RELATIONS), min_size=1))
    statuses = data.draw(st.sets(st.sampled_from(Status)))
    roles = data.draw(st.none() | st.sets(st.sampled_from(Role)))
    chosen = data.draw(st.none() | st.sets(st.sampled_from(cases)))
    held: dict[str, set[str]] = {}
    for r in rows:
        right_role = roles is None or r.role in roles
        looked_at = chosen is None or r.case in chosen
        if r.relation in some and r.status in statuses and right_role and looked_at:
            held.setdefault(r.node, set()).add(r.case)
    found = arrays_of(cases, rows).holders(some, statuses, roles, chosen)
    assert found == {node: sorted(ids) for node, ids in held.items()}
    assert list(found) == sorted(found)


@WORLDS
@given(worlds())
def test_the_arrays_of_a_graph_hold_what_networkx_holds(
    world: tuple[Vocabulary, list[Case]],
) -> None:
    graph = IncidentGraph(world[1], world[0])
    told = Counter(
        (source.removeprefix("case:"), target, data["relation"], data["status"])
        for source, target, data in graph.nx.edges(data=True)
        if source == f"case:{data['case_id']}"
    )
    held = Counter(
        (r.case, r.node, str(r.relation), str(r.status)) for r in rows_by_case(graph.arrays)
    )
    assert held == told


@WORLDS
@given(worlds())
def test_edges_of_and_to_follow_the_order_of_all_edges(
    world: tuple[Vocabulary, list[Case]],
) -> None:
    graph = IncidentGraph(world[1], world[0])
    stated = [e for e in graph.edges if e.source.startswith("case:")]
    for case in world[1]:
        assert graph.edges_of(case.id) == [e for e in stated if e.case_id == case.id]
    for node in {e.target for e in stated}:
        assert graph.edges_to(node) == [e for e in stated if e.target == node]


def test_roles_are_kept_and_the_kind_of_a_source_is_none(quick: Library) -> None:
    arrays = quick.graph.arrays
    for case in arrays.cases:
        edges = quick.graph.edges_of(case)
        codes = [meaning(int(arrays.code[i])) for i in arrays.edges_of(case)]
        assert [c[0] for c in codes] == [e.relation for e in edges]
        claimed = [e.role if e.claim_id else None for e in edges]
        assert [c[2] for c in codes] == claimed


def test_every_code_has_its_own_meaning() -> None:
    said = [meaning(code) for code in range(CODES)]
    assert len(set(said)) == CODES == len(RELATIONS) * len(STATUSES) * len(ROLES)


def test_unknown_ids_have_no_edges() -> None:
    arrays = GRAPH.arrays
    assert list(arrays.edges_of("NONE")) == []
    assert arrays.edges_to("cause:none") == []
    assert arrays.cases_of(["cause:none"]) == []
    with pytest.raises(CaseNotFound, match="NONE"):
        arrays.case_code("NONE")


def test_no_cases_and_no_edges_are_arrays_too() -> None:
    empty = arrays_of([], [])
    assert (empty.cases, empty.nodes, empty.edges_to("cause:1")) == ((), (), [])
    alone = arrays_of(["A", "B"], [])
    assert alone.starts.tolist() == [0, 0, 0]
    assert alone.holders(RELATIONS, STANDING) == {}


def columns(**changed: object) -> dict[str, object]:
    """Two edges of two cases."""
    two = np.array([0, 1])
    return {"cases": ["A", "B"], "nodes": ["cause:1", "cause:2"], "case": two, "node": two,
            "relation": two, "status": two, "role": two, **changed}  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"case": np.array([0])}, "different lengths: case 1, node 2"),
        ({"role": np.array([0])}, "different lengths: .* role 1"),
        ({"case": np.array([0, 2])}, "column case holds a number outside 0 to 1"),
        ({"case": np.array([-1, 0])}, "column case holds a number outside 0 to 1"),
        ({"node": np.array([0, 7])}, "column node holds a number outside 0 to 1"),
        ({"relation": np.array([0, 99])}, "column relation holds a number outside"),
        ({"status": np.array([0, 3])}, "column status holds a number outside 0 to 2"),
        ({"role": np.array([0, 99])}, "column role holds a number outside"),
        ({"cases": ["A", "A"]}, "a case id stands twice"),
        ({"nodes": ["cause:2", "cause:2"]}, "a node id stands twice"),
    ],
)
def test_columns_that_do_not_fit_are_refused(changed: dict[str, object], told: str) -> None:
    with pytest.raises(BadQuery, match=told):
        GraphArrays.from_columns(**columns(**changed))  # type: ignore[arg-type]


def test_ids_may_come_in_any_order() -> None:
    arrays = GraphArrays.from_columns(
        **columns(cases=["B", "A"], nodes=["cause:2", "cause:1"])  # type: ignore[arg-type]
    )
    assert arrays.cases_of(["cause:2"], STATUSES) == ["B"]
    assert arrays.cases_of(["cause:1"], STATUSES) == ["A"]


def test_without_a_column_of_roles_no_edge_has_one() -> None:
    given_ = columns()
    del given_["role"]
    arrays = GraphArrays.from_columns(**given_)  # type: ignore[arg-type]
    assert {meaning(int(code))[2] for code in arrays.code} == {None}


def test_derived_edges_and_edges_between_terms_are_not_in_it() -> None:
    relations = {meaning(int(code))[0] for code in GRAPH.arrays.code}
    assert relations & {Relation.LEADS_TO, Relation.BROADER, Relation.ADDRESSES} == set()
    assert len(GRAPH.arrays.code) == len([e for e in GRAPH.edges if e.source[:5] == "case:"])
