"""An old id serves wherever an id is taken, and leads to exactly one term."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import SchemaError, TermNotFound
from kg.graph import IncidentGraph
from kg.model import Case, Change, Operation, Retag
from kg.queries import Filter, make_filter, matching
from kg.vocab import Vocabulary, merge_terms, rename_term
from kg.vocab.history import retired_in
from tests.helpers.evolving import histories
from tests.helpers.strategies import QUICK, worlds
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

TINY = tiny_vocabulary()
CASES = tiny_cases()
ONE = rename_term(CASES, TINY, "cause:mismatch", "out-of-step")
TWO = merge_terms(ONE.cases, ONE.vocabulary, ["cause:race", "cause:out-of-step"], "timing")
WORDS = TWO.vocabulary


@pytest.mark.parametrize("old", ["cause:mismatch", "cause:out-of-step", "cause:race"])
def test_every_way_to_name_a_term_takes_an_old_id(old: str) -> None:
    slug = old.partition(":")[2]
    now = WORDS.terms["cause:timing"]
    assert WORDS.get(old) is WORDS.find(old) is WORDS.resolve(old) is now
    assert WORDS.resolve(slug, "cause") is now
    assert WORDS.lookup(old) == [now]
    assert WORDS.lookup(old, "symptom") == []
    assert WORDS.current(old) == "cause:timing"
    assert WORDS.top(old) == "cause:software"
    assert WORDS.broader_steps(old) == {"cause:timing": 0, "cause:software": 1}
    assert WORDS.narrower_all(old) == {"cause:timing"}
    assert old not in WORDS
    with pytest.raises(TermNotFound):
        WORDS.resolve(slug)  # a bare slug names no term without its scheme, old or not


def test_filters_and_the_graph_take_an_old_id() -> None:
    graph = IncidentGraph(TWO.cases, WORDS)
    cases = {c.id: c for c in TWO.cases}
    for wanted in (
        make_filter(WORDS, {"cause": "mismatch"}),
        make_filter(WORDS, {"cause": ["cause:race", "cause:timing"]}),
        Filter({"cause": ("cause:out-of-step",)}),
    ):
        assert matching(graph, WORDS, cases, wanted) == ["A-1", "A-2"]
    assert graph.cases_of("cause:mismatch", narrower=True) == graph.cases_of("cause:timing")
    assert graph.edges_to("cause:race") == graph.edges_to("cause:timing")
    assert graph.cases_of("case:none") == []


def test_what_was_never_an_id_is_as_it_was() -> None:
    assert WORDS.current("cause:nothing") == "cause:nothing"
    assert WORDS.find("cause:nothing") is None
    assert WORDS.near("cause:timin")[0] == "cause:timing"


@settings(QUICK, max_examples=10)
@given(st.data(), worlds(most=2))
def test_every_id_that_ever_was_leads_to_one_term(
    data: st.DataObject, world: tuple[Vocabulary, list[Case]]
) -> None:
    vocabulary, cases = world
    states = data.draw(histories(cases, vocabulary))
    last = states[-1][1]
    for _, before in states:
        for term_id in before.terms:
            assert last.current(term_id) in last
            assert last.resolve(term_id).scheme == term_id.partition(":")[0]
    assert set(last.replaced).isdisjoint(last.terms)
    for old in last.replaced:
        assert old in last.history[retired_in(last.history, old) - 1].retired


@pytest.mark.parametrize("new", ["cause:gone", "symptom:slow"])
def test_a_history_that_leads_astray_is_refused(new: str) -> None:
    change = Change(operation=Operation.RENAME, old=("cause:old",), new=(new,))
    with pytest.raises(SchemaError, match=f"the old id cause:old leads to {new}"):
        Vocabulary(TINY.schemes.values(), [change])


@pytest.mark.parametrize(
    "data",
    [
        {"operation": "rename", "old": ["cause:a", "cause:b"], "new": ["cause:c"]},
        {"operation": "rename", "old": ["cause:a"], "new": ["cause:c", "cause:d"]},
        {"operation": "merge", "old": ["cause:a"], "new": ["cause:c", "cause:d"]},
        {"operation": "split", "old": ["cause:a", "cause:b"], "new": ["cause:c"]},
        {"operation": "merge", "old": ["cause:a", "cause:b"], "new": ["cause:a"]},
        {"operation": "merge", "old": [], "new": ["cause:a"]},
        {"operation": "move", "old": ["cause:a"], "new": ["cause:b"]},
        {"operation": "rename", "old": ["cause:a"], "new": ["cause:b"], "at": "soon"},
        {"operation": "rename", "old": ["cause:a"], "new": ["cause:b"], "at": "2026-02-30"},
    ],
)
def test_a_change_that_is_none_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"validation error"):
        Change.model_validate(data)


def test_a_retag_knows_its_case() -> None:
    one = Retag(claim="A.1-x#follow_up-12", before=("cause:a",), after=("cause:b",))
    assert one.case_id == "A.1-x"
    for bad in ("A-1", "A-1#cause", "A-1#cause-0", "#cause-1"):
        with pytest.raises(ValueError, match="String should match"):
            Retag(claim=bad, before=("cause:a",), after=("cause:b",))
