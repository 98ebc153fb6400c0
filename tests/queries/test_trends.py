"""Terms over time: periods, shares, what is not counted, and what rises or falls."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import BadQuery
from kg.graph import IncidentGraph
from kg.model import Case, DateKind, When
from kg.queries.chance import wilson
from kg.queries.periods import PERIODS, period_of, periods_between
from kg.queries.trend_test import trend_chance
from kg.queries.trends import Direction, Trends, trends
from kg.vocab import Vocabulary
from tests.helpers import twins
from tests.helpers.strategies import QUICK, WORLDS, worlds
from tests.helpers.tiny import Told, make_case, tiny_vocabulary

VOCABULARY = tiny_vocabulary()
RACE: Told = ("cause", "cause:race")
ECC: Told = ("cause", "cause:ecc-error")


def incident(case_id: str, at: str, *told: Told, kind: str = "started", **fields: Any) -> Case:
    return make_case(case_id, *told, dates=[{"kind": kind, "at": at}], **fields)


def ask(cases: list[Case], **asked: Any) -> Trends:
    return trends(IncidentGraph(cases, VOCABULARY), VOCABULARY, cases, **asked)


def rising(per_year: tuple[int, ...] = (0, 2, 5, 8), of: int = 10) -> list[Case]:
    """Races become more frequent among ten incidents a year."""
    return [
        incident(f"C-{year}-{i}", f"{2020 + year}-03-01", *([RACE] if i < n else []))
        for year, n in enumerate(per_year)
        for i in range(of)
    ]


def test_a_cause_that_becomes_more_frequent_rises() -> None:
    found = ask(rising())
    (item,) = found
    assert (item.term, item.n, item.direction) == ("cause:race", 15, Direction.RISING)
    assert [(c.period, c.n, c.of) for c in item.counts] == [
        ("2020", 0, 10), ("2021", 2, 10), ("2022", 5, 10), ("2023", 8, 10),
    ]  # fmt: skip
    assert item.slope == pytest.approx(0.27)
    assert item.p == pytest.approx(trend_chance([0, 2, 5, 8], [10] * 4))
    assert item.q == item.p
    for count in item.counts:
        assert (count.share, (count.low, count.high)) == (count.n / 10, wilson(count.n, 10))
        assert len(count.cases) == count.n
    assert {e.case_id for e in item.evidence} == {c for p in item.counts for c in p.cases}


def test_the_other_way_round_it_falls() -> None:
    assert ask(rising((8, 5, 2, 0)))[0].direction is Direction.FALLING


def test_a_growing_number_among_as_many_more_is_no_trend() -> None:
    cases = [
        incident(f"C-{year}-{i}", f"{2020 + year}", *([RACE] if i % 2 else []))
        for year in range(4)
        for i in range(4 * 2**year)
    ]
    found = ask(cases)
    assert found.items == ()
    assert [(t.term, t.direction) for t in found.others] == [("cause:race", Direction.UNCLEAR)]


def test_few_incidents_are_not_tested() -> None:
    found = ask(rising((0, 0, 0, 4)))
    (item,) = found.others
    assert (item.n, item.direction, item.p, item.q) == (4, Direction.FEW, None, None)
    assert (found.tested, found.minimum) == (0, 5)
    assert ask(rising((0, 0, 0, 4)), minimum=4)[0].direction is Direction.RISING


def test_undated_and_too_coarse_cases_are_counted_apart() -> None:
    cases = [
        *rising(),
        make_case("U-1", RACE, published="2024-01-01"),
        incident("U-2", "2021", RACE),
        make_case("S-1", RACE, kind="study", published="2024-01-01"),
    ]
    found = ask(cases)
    assert (found.incidents, found.undated, found.coarse) == (42, ("U-1",), ())
    assert found[0].n == 16
    quarters = ask(cases, by="quarter")
    assert (quarters.undated, quarters.coarse) == (("U-1",), ("U-2",))
    published = ask(cases, dated="published")
    assert published.periods == (("2024", 1),)
    assert len(published.undated) == 41


def test_empty_periods_in_between_are_kept() -> None:
    found = ask([incident("A-1", "2020-11-05", RACE), incident("A-2", "2021-02-01")], by="month")
    assert found.periods == (("2020-11", 1), ("2020-12", 0), ("2021-01", 0), ("2021-02", 1))
    empty = found.others[0].counts[1]
    assert (empty.share, empty.low, empty.high) == (None, 0.0, 1.0)


def test_suspected_causes_are_not_counted() -> None:
    cases = [incident(f"C-{i}", "2020", (*RACE, "suspected")) for i in range(6)]
    assert ask(cases).others == ()


def test_a_broader_cause_is_told_where_it_covers_more() -> None:
    cases = [incident(f"C-{i}", "2020", ECC) for i in range(3)]
    assert [t.term for t in ask(cases).others] == ["cause:ecc-error"]
    cases.append(incident("D-1", "2021", ("cause", "cause:link-down")))
    assert [t.term for t in ask(cases).others] == [
        "cause:hardware",
        "cause:ecc-error",
        "cause:link-down",
    ]


def test_more_terms_looked_at_raise_what_is_asked_of_each() -> None:
    alone = ask(rising())[0]
    cases = [
        incident(f"C-{year}-{i}", f"{2020 + year}", *([RACE] * (i < n)), *([ECC] * (i % 3 == 0)))
        for year, n in enumerate((0, 2, 5, 8))
        for i in range(10)
    ]
    found = ask(cases)
    assert found.tested == 2
    assert found[0].term == alone.term
    assert found[0].p == alone.p
    assert found[0].q == pytest.approx(2 * alone.p)
    assert [(t.term, t.direction) for t in found.others] == [("cause:ecc-error", Direction.UNCLEAR)]


def test_of_nothing_dated_there_is_no_trend() -> None:
    found = ask([make_case("A-1", RACE)])
    assert (found.periods, found.items, found.others, found.undated) == ((), (), (), ("A-1",))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"kind": "reason"}, "no kind 'reason'"),
        ({"by": "week"}, "no period 'week'; there are year, quarter, month"),
        ({"dated": "begun"}, "no kind of date 'begun'"),
        ({"minimum": 0}, "minimum must be 1 or more"),
    ],
)
def test_what_cannot_be_asked_is_refused(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(BadQuery, match=said):
        ask(rising(), **asked)


def test_the_note_says_that_records_are_not_the_world() -> None:
    assert "need not be those of the world" in ask(rising()).note
    assert "실제 세상" in ask(rising(), lang="ko").note


@pytest.mark.parametrize(
    ("at", "year", "quarter", "month"),
    [
        ("2024", "2024", None, None),
        ("2024-01", "2024", "2024-Q1", "2024-01"),
        ("2024-06-30", "2024", "2024-Q2", "2024-06"),
        ("2024-07-01T00:30+09:00", "2024", "2024-Q3", "2024-07"),
        ("2024-12-31T23:59Z", "2024", "2024-Q4", "2024-12"),
        ("0800", "0800", None, None),
    ],
)
def test_the_period_of_a_time_is_as_it_is_written(
    at: str, year: str, quarter: str | None, month: str | None
) -> None:
    when = When(kind=DateKind.STARTED, at=at)
    assert [period_of(when, by) for by in PERIODS] == [year, quarter, month]


@QUICK
@given(st.dates(), st.dates(), st.sampled_from(PERIODS))
def test_periods_between_two_are_consecutive(a: Any, b: Any, by: str) -> None:
    first, last = (
        str(period_of(When(kind=DateKind.STARTED, at=d.isoformat()), by)) for d in sorted((a, b))
    )
    found = list(periods_between(first, last))
    assert (found[0], found[-1]) == (first, last)
    assert found == sorted(set(found))
    per_year = {"year": 1, "quarter": 4, "month": 12}[by]
    years = int(last[:4]) - int(first[:4])
    assert abs(len(found) - 1 - years * per_year) < per_year


@WORLDS
@given(worlds(), st.sampled_from(["cause", "component"]), st.sampled_from(PERIODS))
def test_brute_force_counts_the_same(
    drawn: tuple[Vocabulary, list[Case]], kind: str, by: str
) -> None:
    vocabulary, cases = drawn
    graph = IncidentGraph(cases, vocabulary)
    found = trends(graph, vocabulary, cases, kind, by, minimum=1)
    relation = {"cause": "CAUSED_BY", "component": "AFFECTS"}[kind]
    place = {
        c.id: period_of(w, by)
        for c in cases
        if c.kind == "incident" and (w := c.when(DateKind.STARTED))
    }
    dated = [i for i, p in place.items() if p is not None]
    assert sum(n for _, n in found.periods) == len(dated)
    assert found.incidents == len(dated) + len(found.undated) + len(found.coarse)
    every = (*found.items, *found.others)
    assert len({t.term for t in every}) == len(every)
    for item in every:
        having = twins.cases_with(graph, vocabulary, dated, item.term, [relation], ["confirmed"])
        assert item.n == len(having)
        for count in item.counts:
            assert set(count.cases) == {i for i in having if place[i] == count.period}
            assert count.of == sum(p == count.period for p in place.values())
    turned = cases[::-1]
    assert (
        trends(IncidentGraph(turned, vocabulary), vocabulary, turned, kind, by, minimum=1) == found
    )
