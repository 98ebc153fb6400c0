"""The compact arrays behind fast queries, judged by plain networkx."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.graph import CaseTerms, IncidentGraph
from kg.graph.compact import rarity_of, stated_terms, widen
from kg.library import Library
from kg.model import Case
from kg.queries.sharing import KIND_WEIGHTS
from kg.vocab import Vocabulary
from tests.helpers import twins
from tests.helpers.strategies import QUICK, WORLDS, worlds
from tests.helpers.tiny import make_case, tiny_cases, tiny_vocabulary

VOCABULARY = tiny_vocabulary()
GRAPH = IncidentGraph(tiny_cases(), VOCABULARY)


def check_against_networkx(graph: IncidentGraph, vocabulary: Vocabulary) -> None:
    array = graph.terms
    rows = {i: twins.weights(graph, vocabulary, i) for i in array.cases}
    counts = twins.frequencies(rows)
    rarities = {t: twins.rarity(n, len(rows)) for t, n in counts.items()}
    assert array.terms == tuple(sorted(counts))
    assert array.frequency.tolist() == [counts[t] for t in array.terms]
    assert array.rarity.tolist() == pytest.approx([rarities[t] for t in array.terms])
    for case_id in array.cases:
        assert array.row(case_id) == pytest.approx(rows[case_id])
        shared = array.overlap(array.row(case_id), KIND_WEIGHTS)
        for j, other in enumerate(array.cases):
            judge = twins.overlap(rows[case_id], rows[other], rarities, KIND_WEIGHTS)
            assert shared[j] == pytest.approx(judge, abs=1e-9)


def test_the_shipped_arrays_agree_with_networkx(quick: Library) -> None:
    check_against_networkx(quick.graph, quick.vocabulary)


def test_the_tiny_arrays_agree_with_networkx() -> None:
    check_against_networkx(GRAPH, VOCABULARY)


@WORLDS
@given(worlds())
def test_random_arrays_agree_with_networkx(world: tuple[Vocabulary, list[Case]]) -> None:
    check_against_networkx(IncidentGraph(world[1], world[0]), world[0])


@WORLDS
@given(worlds())
def test_the_arrays_are_a_sound_csr_matrix(world: tuple[Vocabulary, list[Case]]) -> None:
    array = IncidentGraph(world[1], world[0]).terms
    assert array.indptr[0] == 0
    assert array.indptr[-1] == len(array.indices) == len(array.weights)
    assert (np.diff(array.indptr) >= 0).all()
    assert len(array.indptr) == len(array.cases) + 1
    for start, end in zip(array.indptr, array.indptr[1:], strict=False):
        columns = array.indices[start:end]
        assert (np.diff(columns) > 0).all()
    assert ((array.weights > 0) & (array.weights <= 1)).all()


@WORLDS
@given(st.data())
def test_sharing_is_symmetric_and_at_most_what_each_has(data: st.DataObject) -> None:
    vocabulary, cases = data.draw(worlds(least=2))
    array = IncidentGraph(cases, vocabulary).terms
    matrix = np.array([array.overlap(array.row(i), KIND_WEIGHTS) for i in array.cases])
    assert np.allclose(matrix, matrix.T)
    mass = np.diag(matrix)
    assert (matrix <= np.minimum.outer(mass, mass) + 1e-9).all()


def test_a_suspected_claim_weighs_half_and_a_ruled_out_one_nothing() -> None:
    stated = stated_terms(GRAPH.edges)
    assert stated["A-2"]["cause:race"] == 0.5
    assert "cause:mismatch" not in stated["B-2"]
    assert stated["B-2"]["cause:link-down"] == 0.5


def test_the_strongest_of_several_claims_counts() -> None:
    case = make_case("X-1", ("cause", "cause:race", "suspected"), ("cause", "cause:race"))
    assert stated_terms(IncidentGraph([case], VOCABULARY).edges) == {"X-1": {"cause:race": 1.0}}


def test_a_check_item_weighs_a_quarter() -> None:
    case = make_case("X-1", ("detection", "tool:exposure", "confirmed", "check_item"))
    assert stated_terms(IncidentGraph([case], VOCABULARY).edges)["X-1"]["tool:exposure"] == 0.25


def test_who_reports_or_checks_a_case_makes_it_like_no_other() -> None:
    case = make_case("X-1", ("organization", "organization:alpha"), ("check", "tool:exposure"))
    assert stated_terms(IncidentGraph([case], VOCABULARY).edges) == {}


def test_each_step_up_halves_the_weight() -> None:
    assert widen({"cause:ecc-error": 1.0}, VOCABULARY) == {
        "cause:ecc-error": 1.0, "cause:gpu-fault": 0.5, "cause:hardware": 0.25,
    }  # fmt: skip
    both = widen({"cause:ecc-error": 1.0, "cause:gpu-fault": 0.2}, VOCABULARY)
    assert both["cause:gpu-fault"] == 0.5


@pytest.mark.parametrize(("frequency", "cases"), [(0, 0), (0, 9), (1, 9), (9, 9), (5, 100)])
def test_rarity_is_the_formula(frequency: int, cases: int) -> None:
    assert rarity_of(frequency, cases) == pytest.approx(
        max(0.0, math.log((cases + 1) / (frequency + 0.5)))
    )


@QUICK
@given(st.integers(1, 500), st.data())
def test_rarer_terms_say_more_and_none_says_less_than_nothing(
    cases: int, data: st.DataObject
) -> None:
    n = data.draw(st.integers(0, cases - 1))
    assert rarity_of(n, cases) > rarity_of(n + 1, cases) >= 0


def test_a_term_that_no_case_has_is_as_rare_as_can_be() -> None:
    assert GRAPH.terms.rarity_by_term("cause:software") < GRAPH.terms.rarity_by_term(
        "trigger:node-loss"
    )
    assert GRAPH.terms.rarity_by_term("trigger:node-loss") == rarity_of(0, 6)


def test_terms_outside_the_matrix_share_nothing() -> None:
    assert GRAPH.terms.overlap({"trigger:node-loss": 1.0}, KIND_WEIGHTS).tolist() == [0.0] * 6
    assert GRAPH.terms.overlap({}, KIND_WEIGHTS).tolist() == [0.0] * 6


def test_an_empty_library_has_empty_arrays() -> None:
    array = CaseTerms([], [], VOCABULARY)
    assert (array.cases, array.terms) == ((), ())
    assert array.overlap({"cause:race": 1.0}, KIND_WEIGHTS).tolist() == []


def test_kinds_without_weight_count_for_nothing() -> None:
    array = GRAPH.terms
    only = array.overlap(array.row("A-1"), {"cause": 1.0})
    cause = min(array.row("A-1")["cause:mismatch"], 1.0) * array.rarity_by_term("cause:mismatch")
    software = array.row("A-1")["cause:software"] * array.rarity_by_term("cause:software")
    assert only[array.cases.index("A-2")] == pytest.approx(cause + software)
