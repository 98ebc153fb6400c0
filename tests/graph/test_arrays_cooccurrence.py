"""What stands together in a case, judged by counting in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import BadQuery, CaseNotFound
from kg.graph import IncidentGraph, Relation
from kg.library import Library
from kg.model import Case, Status
from kg.vocab import Vocabulary
from tests.helpers import twins
from tests.helpers.rows import COUNTED, Row, arrays_of, tables, terms_of
from tests.helpers.strategies import QUICK, WORLDS, worlds
from tests.helpers.tiny import make_case, tiny_cases, tiny_vocabulary

VOCABULARY = tiny_vocabulary()
GRAPH = IncidentGraph(tiny_cases(), VOCABULARY)
CONFIRMED = {Status.CONFIRMED}
KINDS = st.lists(
    st.sampled_from(["cause", "symptom", "component", "trigger"]), min_size=1, max_size=3
)

Table = tuple[list[str], list[Row]]


def by_hand(
    rows: Sequence[Row],
    cases: Iterable[str],
    kinds: Sequence[str],
    statuses: Collection[Status] = CONFIRMED,
) -> Counter[tuple[str, ...]]:
    """Each case says each of its combinations once; terms of one kind stand in order."""
    counts: Counter[tuple[str, ...]] = Counter()
    for case in cases:
        for found in product(*(terms_of(rows, case, kind, statuses) for kind in kinds)):
            pairs = [(a, b) for i, a in enumerate(found) for b in found[i + 1 :]]
            if all(a < b for a, b in pairs if a.partition(":")[0] == b.partition(":")[0]):
                counts[found] += 1
    return counts


@QUICK
@given(tables(COUNTED, most=120), KINDS)
def test_counts_are_those_of_the_rows(table: Table, kinds: list[str]) -> None:
    cases, rows = table
    found = arrays_of(cases, rows).cooccurrence(*kinds)
    assert found.counts() == by_hand(rows, cases, kinds)
    assert list(found.counts()) == sorted(found.counts())
    assert len(found) == len(found.counts())


@QUICK
@given(tables(COUNTED, most=120), KINDS, st.data())
def test_only_the_chosen_cases_and_statuses_count(
    table: Table, kinds: list[str], data: st.DataObject
) -> None:
    cases, rows = table
    chosen = data.draw(st.sets(st.sampled_from(cases)))
    statuses = data.draw(st.sets(st.sampled_from(Status)))
    found = arrays_of(cases, rows).cooccurrence(*kinds, statuses=statuses, cases=chosen)
    assert found.counts() == by_hand(rows, chosen, kinds, statuses)
    assert found.of == len(chosen)


@QUICK
@given(tables(COUNTED, most=120), KINDS, st.integers(1, 4))
def test_a_minimum_leaves_out_the_rarer_ones_only(
    table: Table, kinds: list[str], minimum: int
) -> None:
    arrays = arrays_of(*table)
    every = arrays.cooccurrence(*kinds).counts()
    few = arrays.cooccurrence(*kinds, minimum=minimum).counts()
    assert few == {terms: n for terms, n in every.items() if n >= minimum}


@QUICK
@given(tables(COUNTED, most=120), KINDS)
def test_single_counts_and_expectations_are_those_of_the_rows(
    table: Table, kinds: list[str]
) -> None:
    cases, rows = table
    found = arrays_of(cases, rows).cooccurrence(*kinds)
    alone = {
        names[j]: int(n)
        for names, counts in zip(found.names, found.alone, strict=True)
        for j, n in enumerate(counts)
    }
    single = {t: n for kind in kinds for (t,), n in by_hand(rows, cases, [kind]).items()}
    assert alone == single
    for terms, expected in zip(found.counts(), found.expected(), strict=True):
        share = np.prod([single[t] / len(cases) for t in terms])
        assert expected == pytest.approx(share * len(cases))


@QUICK
@given(tables(COUNTED, most=120), st.data())
def test_the_order_of_the_rows_does_not_matter(table: Table, data: st.DataObject) -> None:
    cases, rows = table
    mixed = arrays_of(data.draw(st.permutations(cases)), data.draw(st.permutations(rows)))
    once = arrays_of(cases, rows).cooccurrence("cause", "symptom")
    again = mixed.cooccurrence("cause", "symptom")
    assert once.counts() == again.counts()
    assert once.codes.tolist() == again.codes.tolist()
    assert once.names == again.names


@QUICK
@given(tables(COUNTED, most=120))
def test_the_kinds_may_be_asked_in_any_order(table: Table) -> None:
    arrays = arrays_of(*table)
    one = arrays.cooccurrence("cause", "symptom").counts()
    other = arrays.cooccurrence("symptom", "cause").counts()
    assert one == {(b, a): n for (a, b), n in other.items()}


@QUICK
@given(tables(COUNTED, most=120))
def test_one_layout_serves_several_counts(table: Table) -> None:
    arrays = arrays_of(*table)
    counting = arrays.counting()
    for kinds in (("cause", "symptom"), ("component", "component"), ("cause", "trigger")):
        assert counting.cooccurrence(*kinds).counts() == arrays.cooccurrence(*kinds).counts()


@WORLDS
@given(worlds())
def test_narrower_terms_count_for_broader_ones_in_a_graph(
    world: tuple[Vocabulary, list[Case]],
) -> None:
    vocabulary, cases = world
    graph = IncidentGraph(cases, vocabulary)
    judge: Counter[tuple[str, ...]] = Counter()
    for case in cases:
        held = {
            kind: {
                above
                for target, data in twins.edges_out(graph, case.id)
                if (data["relation"], str(data["status"])) == (relation, "confirmed")
                for above in twins.above(vocabulary, target)
            }
            for kind, relation in (("cause", "CAUSED_BY"), ("symptom", "EXHIBITS"))
        }
        judge.update(product(held["cause"], held["symptom"]))
    assert graph.cooccurrence("cause", "symptom").counts() == judge


def test_the_shipped_counts_agree_with_networkx(quick: Library) -> None:
    judge: Counter[tuple[str, ...]] = Counter()
    for case in quick.cases:
        held = {
            relation: {
                target
                for target, data in twins.edges_out(quick.graph, case)
                if (data["relation"], str(data["status"])) == (relation, "confirmed")
            }
            for relation in ("AFFECTS", "EXHIBITS")
        }
        judge.update(product(held["AFFECTS"], held["EXHIBITS"]))
    assert quick.graph.arrays.cooccurrence("component", "symptom").counts() == judge
    assert max(judge.values()) > 1


def test_the_tiny_cases() -> None:
    found = GRAPH.arrays.cooccurrence("cause", "component")
    assert found.counts()["cause:mismatch", "component:nccl"] == 2
    assert ("cause:race", "component:nccl") not in found.counts()  # suspected only
    assert found.of == 6
    wide = GRAPH.cooccurrence("cause", "component", cases=["A-3", "B-1"]).counts()
    assert wide["cause:gpu-fault", "component:gpu"] == 2


def test_a_second_claim_about_a_term_counts_no_second_time() -> None:
    case = make_case(
        "X-1", ("component", "component:gpu"), ("component", "component:gpu"),
        ("symptom", "symptom:slow"),
    )  # fmt: skip
    graph = IncidentGraph([case], VOCABULARY)
    assert graph.arrays.cooccurrence("component", "symptom").n.tolist() == [1]


def test_a_check_around_a_case_stands_with_nothing() -> None:
    rows = [
        Row("C-0", "tool:1", Relation.CHECKED_BY), Row("C-0", "cause:1", Relation.CAUSED_BY),
    ]  # fmt: skip
    assert arrays_of(["C-0"], rows).cooccurrence("tool", "cause").counts() == {}


def test_a_case_that_says_very_much_is_counted_like_others() -> None:
    cases = ["C-0", "C-1"]
    rows = [Row("C-0", f"cause:{i}", Relation.CAUSED_BY) for i in range(60)]
    rows += [Row(c, f"symptom:{i}", Relation.EXHIBITS) for c in cases for i in range(60)]
    found = arrays_of(cases, rows).cooccurrence("cause", "symptom")
    assert (len(found), set(found.n.tolist())) == (3600, {1})
    assert found.expected().tolist() == [1.0] * 3600


@pytest.mark.parametrize(("kinds", "minimum"), [((), 1), (("cause",), 0), (("cause",), -3)])
def test_no_kind_or_no_minimum_is_refused(kinds: tuple[str, ...], minimum: int) -> None:
    with pytest.raises(BadQuery, match="at least one kind of term, and a minimum of 1"):
        GRAPH.cooccurrence(*kinds, minimum=minimum)


def test_unknown_kinds_and_cases_are_refused() -> None:
    with pytest.raises(BadQuery, match="no kind 'sympton'"):
        GRAPH.cooccurrence("cause", "sympton")
    with pytest.raises(CaseNotFound, match="GONE"):
        GRAPH.cooccurrence("cause", cases=["GONE"])


def test_more_combinations_than_can_be_numbered_are_refused() -> None:
    rows = [Row("C-0", f"cause:{i}", Relation.CAUSED_BY) for i in range(40)]
    with pytest.raises(BadQuery, match="too many combinations of cause × cause"):
        arrays_of(["C-0"], rows).cooccurrence(*["cause"] * 12)
