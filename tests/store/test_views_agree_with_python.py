"""What the views and macros answer in SQL is what the library answers in Python.

Held on all shipped cases, on the tiny ones, and on made-up ones that differ in status, role, kind,
date and time.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from kg.library import Library
from kg.queries.common import Common
from kg.queries.holding import KINDS
from kg.queries.stats import GROUPS
from kg.queries.times import TimeStatistic
from kg.store import write_library
from tests.helpers.libraries import make_snapshot
from tests.helpers.random_cases import random_cases
from tests.helpers.strategies import FEW, worlds
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

Row = tuple[Any, ...]


@pytest.fixture(scope="module", params=["tiny", "random", "shipped"])
def library(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Library]:
    if request.param == "shipped":  # made once a run, and only where it is asked
        yield request.getfixturevalue("whole")
        return
    cases = tiny_cases() if request.param == "tiny" else random_cases(60, 7)
    path: Path = tmp_path_factory.mktemp("views") / "views.duckdb"
    write_library(make_snapshot(cases, tiny_vocabulary()), path)
    with Library(path) as made:
        yield made


def pairs_of(library: Library, most: int = 8) -> list[tuple[str, str]]:
    """Pairs of cases from all over the library, those of like cases among them."""
    ids = sorted(library.cases)
    every = list(combinations(ids, 2))
    near = library.sql("SELECT case_id, other_id FROM similarity WHERE rank = 1 ORDER BY ALL").rows
    return [*every[:: max(1, len(every) // most)], *near[:: max(1, len(near) // most)]]


def in_sql(found: Common) -> list[Row]:
    return [
        (i.term, i.n, i.of, list(i.cases), i.library_n, i.library_of, pytest.approx(i.expected),
         pytest.approx(i.lift))
        for i in found
    ]  # fmt: skip


TERMS_IN_COMMON = (
    "SELECT term_id, n, chosen_of, cases, library_n, library_of, expected, lift "
    "FROM common_terms(?, ?, minimum := ?)"
)


@pytest.mark.parametrize("kind", KINDS)
def test_what_cases_have_in_common(library: Library, kind: str) -> None:
    ids = sorted(library.cases)
    for chosen, minimum in ((ids, 3), (ids[::2], 2), (ids[:5], 1)):
        rows = library.sql(TERMS_IN_COMMON, [kind, chosen, minimum]).rows
        assert list(rows) == in_sql(library.common(chosen, kind, minimum=minimum))


def test_shared_causes_of_two_cases(library: Library) -> None:
    told = 0
    for a, b in pairs_of(library):
        rows = library.sql("SELECT cause_id, lift, library_n FROM shared_causes(?, ?)", [a, b]).rows
        found = library.shared_causes([a, b])
        assert list(rows) == [(i.cause, pytest.approx(i.lift), i.library_n) for i in found]
        told += len(rows)
    assert told


def test_cases_by_facet(library: Library) -> None:
    schemes = ("cause", "trigger", "factor", "symptom", "component", "mitigation", "organization")
    for scheme in (*schemes, "tool"):
        counts = dict(library.sql("SELECT term_id, cases FROM facet_counts").rows)
        for entry in library.vocab(scheme)[:3]:
            facet: dict[str, Any] = {scheme: entry.id}
            rows = library.sql("FROM cases_with(?, ?)", [scheme, entry.id.split(":")[1]]).rows
            assert {r[0] for r in rows} == set(library._matching(library.filter(**facet)))
            assert len(rows) == counts.get(entry.id, 0)
        assert library.sql("FROM cases_with(?, ?)", [scheme, entry.id]).rows == rows


def test_newest_cases_come_first(library: Library) -> None:
    rows = library.sql("SELECT sort_date FROM cases_with('cause', 'software')").rows
    days = [day for (day,) in rows if day is not None]
    assert days == sorted(days, reverse=True)


COUNTED = (
    "SELECT n, expected, lift FROM cause_component_matrix WHERE cause_id = ? AND component_id = ?"
)


def test_the_matrix_of_causes_and_components(library: Library) -> None:
    rows = library.sql("FROM cause_component_matrix").rows
    incidents = [i for i, c in library.cases.items() if c.kind == "incident"]
    held = {
        kind: {
            i.term: set(i.cases) for i in library.common(incidents, kind, minimum=1)
        }
        for kind in ("cause", "component")
    }  # fmt: skip
    for cause, component, n, cause_n, component_n, of, expected, lift in rows:
        assert of == len(incidents)
        assert expected == pytest.approx(cause_n * component_n / of)
        assert lift == pytest.approx(n / expected)
        if cause in held["cause"] and component in held["component"]:
            both = held["cause"][cause], held["component"][component]
            assert (n, cause_n, component_n) == (len(both[0] & both[1]), *map(len, both))
    seen = {(r[0], r[1]) for r in rows}
    assert seen >= {
        (x, y) for x, a in held["cause"].items() for y, b in held["component"].items() if a & b
    }


def test_the_matrix_says_what_patterns_say(whole: Library) -> None:
    found = whole.patterns(kinds=("cause", "component"), sizes=(2,), minimum=4, limit=500)
    pairs = [p for p in (*found.items, *found.weaker) if len({t.kind for t in p.terms}) == 2]
    assert pairs
    for pattern in pairs:
        by_kind = {t.kind: t.term for t in pattern.terms}
        row = whole.sql(COUNTED, [by_kind["cause"], by_kind["component"]]).rows[0]
        assert row == (pattern.n, pytest.approx(pattern.expected), pytest.approx(pattern.lift))


def test_recurrences(library: Library) -> None:
    rows = library.sql(
        "SELECT organization_id, causes, earlier, later, times, earlier_kind, earlier_at, "
        "later_kind, later_at, least_days, most_days, sure FROM recurrence ORDER BY ALL"
    ).rows
    found = library.recurrences()
    assert list(rows) == sorted(
        (
            r.organization, sorted(r.causes), r.earlier, r.later, r.times,
            str(r.order.earlier_kind), r.order.earlier_at, str(r.order.later_kind),
            r.order.later_at, r.order.least_days, r.order.most_days, r.order.sure,
        )
        for r in (*found.items, *found.unsure)
    )  # fmt: skip


def test_made_up_incidents_recur_both_surely_and_not(library: Library) -> None:
    found = library.sql("SELECT DISTINCT sure FROM recurrence ORDER BY 1").rows
    if "R-1" in library:
        assert found == ((False,), (True,))


QUANTILES = (
    "SELECT key, incidents, n, unknown_share, at_least, at_most, approximate, p25, median, p75, "
    "p90, median_least, median_most FROM time_quantiles WHERE grouped_by = ? AND measure = ?"
)


def as_row(key: str | None, found: TimeStatistic) -> Row:
    told = found.between.get("median", (found.median, found.median))
    return (
        key, found.incidents, found.n, pytest.approx(found.unknown_share), found.at_least,
        found.at_most, found.approximate, *(
            None if q is None else pytest.approx(q)
            for q in (found.p25, found.median, found.p75, found.p90, *told)
        ),
    )  # fmt: skip


@pytest.mark.parametrize("group_by", GROUPS)
def test_quantiles_of_times_by_group(library: Library, group_by: str) -> None:
    found = library.stats(group_by)
    for measure in ("detect", "recover"):
        rows = library.sql(QUANTILES, [group_by, f"time_to_{measure}"]).rows
        by_key = {row[0]: row for row in rows}
        assert len(by_key) == len(rows)
        assert by_key == {g.key: as_row(g.key, getattr(g, measure)) for g in found.groups}


def test_quantiles_of_all_times(library: Library) -> None:
    found = library.stats()
    for measure in ("detect", "recover"):
        rows = library.sql(QUANTILES, ["all", f"time_to_{measure}"]).rows
        assert list(rows) == [as_row(None, getattr(found, measure))]
    view = library.sql("FROM time_to_recover_quantiles ORDER BY ALL").rows
    query = "SELECT * EXCLUDE (measure) FROM time_quantiles WHERE measure = 'time_to_recover'"
    assert view == library.sql(f"{query} ORDER BY ALL").rows


@pytest.mark.parametrize(
    ("by", "dated"), [("year", "started"), ("quarter", "published"), ("month", "started")]
)
def test_trends(library: Library, by: str, dated: str) -> None:
    for kind in ("cause", "follow_up"):
        rows = library.sql("FROM trends(?, ?, date_kind := ?)", [kind, by, dated]).rows
        found = library.trends(kind, by, dated=dated)
        every = [t for t in (*found.items, *found.others) if t.n]
        told = [
            (t.term, c.period, c.n, c.of, None if c.share is None else pytest.approx(c.share))
            for t in sorted(every, key=lambda t: t.term)
            for c in t.counts
        ]
        # A trend that does not change is neither rising nor unclear, but it is counted.
        assert [r for r in rows if r[0] in {t.term for t in every}] == told
        shown = library.sql(f"FROM {by}ly_trends(?)", [kind]) if by != "quarter" else None
        if shown is not None and dated == "started":
            assert shown.rows == rows


def test_similar_cases(library: Library) -> None:
    for case_id in sorted(library.cases)[:10]:
        rows = library.sql("FROM similar_cases(?, k := 4)", [case_id]).rows
        assert [r[0] for r in rows] == list(range(1, 1 + min(4, len(library) - 1)))
        assert [r[2] for r in rows] == [library.get(r[1]).name() for r in rows]
        assert all(sum(r[5:8]) == pytest.approx(r[4], abs=2e-6) for r in rows)


def test_similar_cases_are_those_of_the_call(whole: Library) -> None:
    for case_id in sorted(whole.cases)[:40:10]:
        rows = whole.sql(
            "SELECT case_id, score, same_cause FROM similar_cases(?, k := 6)", [case_id]
        ).rows
        assert list(rows) == [
            (h.id, pytest.approx(h.score, abs=1e-5), str(h.same_cause))
            for h in whole.similar(case_id, 6)
        ]


@given(world=worlds())
@FEW
def test_any_library(tmp_path_factory: pytest.TempPathFactory, world: Any) -> None:
    vocabulary, cases = world
    path = tmp_path_factory.mktemp("any") / "any.duckdb"
    write_library(make_snapshot(cases, vocabulary), path)
    with Library(path) as library:
        test_recurrences(library)
        for kind in ("cause", "component", "organization"):
            test_what_cases_have_in_common(library, kind)
        for group_by in ("cause", "severity", "month"):
            test_quantiles_of_times_by_group(library, group_by)
        test_trends(library, "quarter", "started")
