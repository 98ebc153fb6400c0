"""The counts that every question starts from, and the cautions that end every answer."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import BadQuery
from kg.graph import IncidentGraph
from kg.model import Case, Status
from kg.queries import notes
from kg.queries.filters import RELATIONS_OF_FACET
from kg.queries.holding import (
    KINDS,
    check_kind,
    edges_of_kind,
    evidence_of,
    holders,
    holders_by_kind,
    says_no_more,
)
from kg.queries.notes import note
from kg.vocab import Vocabulary
from tests.helpers import twins
from tests.helpers.strategies import WORLDS, worlds
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

VOCABULARY = tiny_vocabulary()
CASES = {c.id: c for c in tiny_cases()}
GRAPH = IncidentGraph(CASES.values(), VOCABULARY)


def test_a_kind_is_one_relation_and_every_facet_has_its_kinds() -> None:
    assert len(set(KINDS.values())) == len(KINDS)
    wanted = {r for relations in RELATIONS_OF_FACET.values() for r in relations}
    assert wanted - set(KINDS.values()) == {"INVOLVES"}


def test_a_kind_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    assert check_kind("cause") == "cause"
    with pytest.raises(BadQuery, match="no kind 'vendor' here; there are cause, trigger, factor"):
        check_kind("vendor")
    with pytest.raises(BadQuery, match=r"there are cause$"):
        check_kind("factor", ("cause",))


def test_narrower_terms_count_in_the_broader_ones() -> None:
    held = holders(GRAPH, VOCABULARY, list(CASES), "cause")
    assert held["cause:hardware"] == {"A-3", "B-1", "S-1"}
    assert held["cause:gpu-fault"] == {"A-3", "B-1"}
    assert "cause:race" not in held
    doubtful = holders(GRAPH, VOCABULARY, list(CASES), "cause", Status.SUSPECTED)
    assert doubtful["cause:race"] == {"A-2"}


def test_only_the_cases_that_are_asked_about_count() -> None:
    assert holders(GRAPH, VOCABULARY, ["A-3"], "cause")["cause:hardware"] == {"A-3"}
    assert holders(GRAPH, VOCABULARY, [], "cause") == {}


def test_a_term_with_the_cases_of_a_narrower_one_says_no_more() -> None:
    held = holders(GRAPH, VOCABULARY, list(CASES), "cause")
    assert says_no_more(VOCABULARY, "cause:software", held["cause:software"], held)
    assert not says_no_more(VOCABULARY, "cause:hardware", held["cause:hardware"], held)
    assert not says_no_more(VOCABULARY, "cause:mismatch", held["cause:mismatch"], held)


def test_the_evidence_of_a_broad_term_is_that_of_the_narrow_ones() -> None:
    edges = evidence_of(GRAPH, VOCABULARY, "cause:hardware", "cause", ["B-1", "A-3", "A-1"])
    assert [(e.case_id, e.target) for e in edges] == [
        ("A-3", "cause:ecc-error"),
        ("B-1", "cause:gpu-fault"),
    ]
    assert all(e.evidence for e in edges)


def test_claims_of_a_case_come_by_kind_and_status() -> None:
    claims = edges_of_kind(GRAPH, "B-2", "cause")
    assert [(e.target, str(e.status)) for e in claims] == [
        ("cause:mismatch", "ruled_out"),
        ("cause:link-down", "suspected"),
    ]
    assert edges_of_kind(GRAPH, "B-2", "cause", Status.CONFIRMED) == []


@WORLDS
@given(worlds(), st.sampled_from(list(Status)))
def test_brute_force_counts_the_same(drawn: tuple[Vocabulary, list[Case]], status: Status) -> None:
    vocabulary, cases = drawn
    graph, ids = IncidentGraph(cases, vocabulary), [c.id for c in cases]
    plain_kinds = [k for k in KINDS if k not in ("organization", "tool")]
    every = holders_by_kind(graph, vocabulary, ids, plain_kinds, status)
    for kind in plain_kinds:
        assert every[kind] == holders(graph, vocabulary, ids, kind, status)
        scheme = "mitigation" if kind == "follow_up" else kind
        for term in vocabulary.of(scheme):
            judge = twins.cases_with(
                graph, vocabulary, ids, term.id, [str(KINDS[kind])], [str(status)]
            )
            assert every[kind].get(term.id, set()) == judge


@pytest.mark.parametrize("key", notes._NOTES)
def test_every_caution_is_said_in_both_languages(key: str) -> None:
    assert not re.search("[가-힣]", note(key, "en"))
    assert re.search("[가-힣]", note(key, "ko"))
    assert note(key, "fr") == note(key, "en")
    assert note(key, "ko").endswith("다.")
