"""The cases that share most with a case, judged by comparing it with every other one."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import BadQuery, CaseNotFound
from kg.graph import CaseTerms, GraphArrays, IncidentGraph, Relation
from kg.graph.compact import ROUNDED, STATUS_WEIGHT, rarities_of, rarity_of
from kg.library import Library
from kg.model import Case, Status
from kg.queries.sharing import KIND_WEIGHTS
from kg.vocab import Vocabulary
from tests.helpers import twins
from tests.helpers.rows import COUNTED, Row, arrays_of, tables
from tests.helpers.strategies import QUICK, WORLDS, worlds
from tests.helpers.tiny import make_case, tiny_cases, tiny_vocabulary

VOCABULARY = tiny_vocabulary()
GRAPH = IncidentGraph(tiny_cases(), VOCABULARY)

Weights = Mapping[str, Mapping[str, float]]


def by_hand(rows: Weights, case: str, kinds: Mapping[str, float]) -> list[tuple[str, float]]:
    """Every other case with what it shares, most first; ties by id, none that shares nothing."""
    rarities = {t: twins.rarity(n, len(rows)) for t, n in twins.frequencies(rows).items()}
    shared = {
        other: round(twins.overlap(rows[case], rows[other], rarities, kinds), ROUNDED)
        for other in rows
        if other != case
    }
    return sorted(
        ((o, w) for o, w in shared.items() if w > 0), key=lambda pair: (-pair[1], pair[0])
    )


def weights_of(rows: list[Row], cases: list[str]) -> dict[str, dict[str, float]]:
    """The strongest weight with which each case states each term, without a hierarchy."""
    found: dict[str, dict[str, float]] = {case: {} for case in cases}
    for r in rows:
        weight = STATUS_WEIGHT[r.status] * (0.25 if r.role == "check_item" else 1.0)
        if weight > max(0.0, found[r.case].get(r.node, 0.0)) and r.states():
            found[r.case][r.node] = weight
    return found


@WORLDS
@given(worlds(), st.integers(1, 4))
def test_random_answers_agree_with_networkx(world: tuple[Vocabulary, list[Case]], k: int) -> None:
    graph = IncidentGraph(world[1], world[0])
    rows = {c.id: twins.weights(graph, world[0], c.id) for c in world[1]}
    for case in rows:
        found = graph.terms.top_sharing(case, k, KIND_WEIGHTS)
        assert list(found) == by_hand(rows, case, KIND_WEIGHTS)[:k]


def test_the_shipped_answers_agree_with_networkx(quick: Library) -> None:
    rows = {i: twins.weights(quick.graph, quick.vocabulary, i) for i in quick.cases}
    for case in rows:
        found = quick.graph.terms.top_sharing(case, 3, KIND_WEIGHTS)
        assert list(found) == by_hand(rows, case, KIND_WEIGHTS)[:3]
        assert len(found) == 3


@QUICK
@given(tables(COUNTED, most=120), st.integers(1, 6), st.data())
def test_answers_without_a_hierarchy_are_those_of_the_rows(
    table: tuple[list[str], list[Row]], k: int, data: st.DataObject
) -> None:
    cases, rows = table
    kinds = {"cause": 3.0, "symptom": data.draw(st.sampled_from([0.0, 0.5, 3.0]))}
    terms = CaseTerms.from_arrays(arrays_of(cases, rows))
    weights = weights_of(rows, cases)
    for case in cases:
        assert terms.row(case) == weights[case]
        assert list(terms.top_sharing(case, k, kinds)) == by_hand(weights, case, kinds)[:k]


@QUICK
@given(tables(COUNTED, most=120), st.data())
def test_the_order_of_the_rows_does_not_matter(
    table: tuple[list[str], list[Row]], data: st.DataObject
) -> None:
    cases, rows = table
    mixed = arrays_of(data.draw(st.permutations(cases)), data.draw(st.permutations(rows)))
    once, again = (CaseTerms.from_arrays(a) for a in (arrays_of(cases, rows), mixed))
    assert once.terms == again.terms
    for case in cases:
        best = once.top_sharing(case, 6, KIND_WEIGHTS)
        assert best == again.top_sharing(case, 6, KIND_WEIGHTS)


@QUICK
@given(tables(COUNTED, most=120))
def test_the_matrix_by_case_and_the_one_by_term_are_one(
    table: tuple[list[str], list[Row]],
) -> None:
    terms = CaseTerms.from_arrays(arrays_of(*table))
    for i, case in enumerate(terms.cases):
        cells = slice(terms.indptr[i], terms.indptr[i + 1])
        held = [terms.terms[j] for j in terms.indices[cells]]
        assert dict(zip(held, terms.weights[cells].tolist(), strict=True)) == terms.row(case)
        assert held == sorted(held)
    assert (
        terms.frequency.tolist() == np.bincount(terms.indices, minlength=len(terms.terms)).tolist()
    )


def larger(cases: int = 400, edges: int = 4000) -> GraphArrays:
    """A few common terms and many rare ones, as in a grown library."""
    random = np.random.default_rng(9)
    nodes = [f"{kind}:{i:03}" for kind in ("cause", "symptom", "tool") for i in range(60)]
    odds = 1 / np.tile(np.arange(1.0, 61.0), 3)
    return GraphArrays.from_columns(
        [f"C-{i:04}" for i in range(cases)], nodes, random.integers(0, cases, edges),
        (node := random.choice(180, edges, p=odds / odds.sum())),
        np.array([list(Relation).index(r) for r in (
            Relation.CAUSED_BY, Relation.EXHIBITS, Relation.DETECTED_WITH)])[node // 60],
        random.choice(3, edges, p=[0.8, 0.15, 0.05]),
    )  # fmt: skip


def test_the_few_best_of_many_are_the_best_of_all() -> None:
    terms = CaseTerms.from_arrays(larger())
    for case in terms.cases[::8]:
        shared = terms.overlap(terms.row(case), KIND_WEIGHTS)
        judge = sorted(
            (-round(float(w), ROUNDED), c)
            for c, w in zip(terms.cases, shared, strict=True)
            if c != case and w > 0
        )
        for k in (1, 10, 60):
            found = terms.top_sharing(case, k, KIND_WEIGHTS)
            assert [(-s.weight, s.case_id) for s in found] == judge[:k]


def test_all_cases_alike_are_told_by_id() -> None:
    cases = [f"C-{i}" for i in range(6)]
    rows = [Row(case, f"cause:{j}", Relation.CAUSED_BY) for case in cases[:5] for j in range(2)]
    terms = CaseTerms.from_arrays(arrays_of(cases, rows))
    assert [s.case_id for s in terms.top_sharing("C-3", 2, KIND_WEIGHTS)] == ["C-0", "C-1"]
    assert len(terms.top_sharing("C-3", 9, KIND_WEIGHTS)) == 4


def test_a_case_that_shares_nothing_has_no_answer() -> None:
    cases = [
        make_case("X-1", ("cause", "cause:race")),
        make_case("X-2", ("symptom", "symptom:slow")),
    ]
    terms = IncidentGraph(cases, VOCABULARY).terms
    assert terms.top_sharing("X-1", 5, KIND_WEIGHTS) == ()
    assert terms.top_sharing("X-2", 5, {}) == ()


def test_the_tiny_cases() -> None:
    first = GRAPH.terms.top_sharing("A-1", 1, KIND_WEIGHTS)
    assert [s.case_id for s in first] == ["A-2"]
    suspected = GRAPH.terms.top_sharing("S-1", 5, {"cause": 1.0})
    assert [s.case_id for s in suspected] == ["B-2", "B-1", "A-3"]


def test_a_bad_k_and_a_case_that_is_not_there_are_refused() -> None:
    with pytest.raises(BadQuery, match="k must be 1 or more, not 0"):
        GRAPH.terms.top_sharing("A-1", 0, KIND_WEIGHTS)
    with pytest.raises(CaseNotFound, match="GONE"):
        GRAPH.terms.top_sharing("GONE", 5, KIND_WEIGHTS)
    with pytest.raises(CaseNotFound, match="GONE"):
        GRAPH.terms.row("GONE")


def test_ruled_out_terms_have_no_column() -> None:
    rows = [Row("C-0", "cause:1", Relation.CAUSED_BY, Status.RULED_OUT),
            Row("C-0", "cause:2", Relation.CAUSED_BY, Status.SUSPECTED)]  # fmt: skip
    terms = CaseTerms.from_arrays(arrays_of(["C-0"], rows))
    assert terms.terms == ("cause:2",)
    assert terms.row("C-0") == {"cause:2": 0.5}


@pytest.mark.parametrize("cases", [0, 1, 7, 1000])
def test_rarities_at_once_are_those_one_by_one(cases: int) -> None:
    often = np.arange(cases + 1)
    assert rarities_of(often, cases).tolist() == [rarity_of(int(n), cases) for n in often]
