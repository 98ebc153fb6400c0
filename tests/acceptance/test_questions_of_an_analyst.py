"""The analyst's questions on the shipped cases: planted nowhere, true for every answer."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from kg.graph import Edge
from kg.library import Library
from kg.model import DateKind
from kg.queries import SameCause, plain, same_cause
from kg.queries.patterns import Patterns
from tests.helpers import twins


@pytest.fixture(scope="module")
def found(whole: Library) -> Patterns:
    return whole.patterns(limit=100)


def check_evidence(whole: Library, edges: Iterable[Edge]) -> None:
    """Each edge is confirmed and quotes the stored text at the place it says."""
    for edge in edges:
        assert str(edge.status) == "confirmed"
        for span in edge.evidence:
            text = whole.get(edge.case_id).text(span.field, span.lang)
            assert text[span.start : span.end] == span.quote


def incidents(whole: Library) -> set[str]:
    return {i for i, case in whole.cases.items() if case.kind == "incident"}


def test_failing_names_come_with_dns(found: Patterns) -> None:
    terms = [{p.term for p in item.terms} for item in found]
    assert {"component:dns", "symptom:dns-resolution-failure"} in terms
    assert {"component:nccl", "symptom:nccl-timeout"} in terms


def test_every_pattern_is_in_its_cases_and_quoted(whole: Library, found: Patterns) -> None:
    relations = {"component": "AFFECTS", "cause": "CAUSED_BY", "factor": "CONTRIBUTED_BY",
                 "symptom": "EXHIBITS"}  # fmt: skip
    assert len(found) > 5
    for item in (*found.items, *found.weaker):
        assert set(item.cases) <= incidents(whole)
        having = [
            twins.cases_with(
                whole.graph, whole.vocabulary, incidents(whole), p.term, [relations[p.kind]],
                ["confirmed"],
            )
            for p in item.terms
        ]  # fmt: skip
        assert set(item.cases) == set.intersection(*having)
        check_evidence(whole, item.evidence)
        assert {(e.case_id) for e in item.evidence} == set(item.cases)
    covers = [item.cases for item in (*found.items, *found.weaker)]
    assert len(set(covers)) == len(covers)


def test_no_pattern_is_true_by_definition(whole: Library, found: Patterns) -> None:
    for item in (*found.items, *found.weaker):
        for part in item.terms:
            above = set(twins.above(whole.vocabulary, part.term)) - {part.term}
            assert not above & {p.term for p in item.terms}


def test_what_recurs_has_the_same_owner_and_cause_in_true_order(whole: Library) -> None:
    answer = whole.recurrences()
    assert len(answer) > 5
    for item in (*answer.items, *answer.unsure):
        assert {item.earlier, item.later} <= incidents(whole)
        assert same_cause(whole.graph, whole.vocabulary, item.earlier, item.later) is SameCause.YES
        assert not whole.vocabulary.get(item.organization).unnamed
        check_evidence(whole, item.evidence)
        order = item.order
        times = [whole.get(order.earlier).when(order.earlier_kind),
                 whole.get(order.later).when(order.later_kind)]  # fmt: skip
        assert [t.at if t else None for t in times] == [order.earlier_at, order.later_at]
        assert 0 <= order.least_days <= order.most_days
    assert all(item.order.sure for item in answer)
    assert not any(item.order.sure for item in answer.unsure)


def test_striking_a_cause_sorts_its_cases_wholly(whole: Library) -> None:
    for entry in whole.vocab("cause")[:25]:
        answer = whole.what_if(entry.id)
        named = [w.case for g in (answer.gone, answer.remaining, answer.weakened) for w in g]
        assert len(set(named)) == len(named) == answer.touched
        assert set(named) == set(entry.cases) & incidents(whole)
        for case in answer.gone:
            assert case.left == ()
        assert answer.spared == ()


def test_times_are_told_with_what_is_not_known(whole: Library) -> None:
    for by in ("cause", "organization", "domain", "severity", "year"):
        answer = whole.stats(by)
        assert answer.incidents == len(incidents(whole))
        for group in answer.groups:
            assert group.recover.n + group.recover.unknown == group.n == len(group.cases)
            if group.recover.n < 3:
                told = (group.recover.p25, group.recover.median, group.recover.p75)
                assert told == (None, None, None)


def test_every_incident_is_in_one_period_or_told_as_undated(whole: Library) -> None:
    for kind in DateKind:
        answer = whole.trends("symptom", dated=kind)
        dated = sum(n for _, n in answer.periods)
        assert dated == sum(
            c.when(kind) is not None for c in whole.cases.values() if c.kind == "incident"
        )
        assert dated + len(answer.undated) + len(answer.coarse) == answer.incidents
        for item in answer:
            check_evidence(whole, item.evidence)


def test_what_is_ruled_out_appears_nowhere(whole: Library) -> None:
    ids = list(whole.cases)
    answers = [whole.common(ids, kind, minimum=1) for kind in ("cause", "component", "factor")]
    for answer in answers:
        edges = [e for item in answer for e in item.evidence]
        check_evidence(whole, edges)
        doubtful = [e for item in answer.suspected for e in item.evidence]
        assert all(str(e.status) == "suspected" for e in doubtful)


def test_the_answers_do_not_hang_on_anything_but_the_cases(whole: Library, found: Patterns) -> None:
    assert plain(whole.patterns(limit=100)) == plain(found)
    shuffled = list(reversed(list(whole.cases)))
    assert whole.patterns(shuffled, limit=100) == found
    assert whole.recurrences(shuffled) == whole.recurrences()
    assert whole.trends(case_ids=shuffled) == whole.trends()
    assert whole.stats(case_ids=shuffled) == whole.stats()
