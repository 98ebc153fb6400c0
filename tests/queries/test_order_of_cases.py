"""Which of two cases came first: precision, kinds of dates, and what proves an order."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kg.model import Case, DateKind, When
from kg.queries.ordering import Order, days_of, order_of
from tests.helpers.strategies import QUICK
from tests.helpers.tiny import make_case


def dated(case_id: str, **times: str) -> Case:
    """A case with times by kind; a leading `~` makes one approximate."""
    dates = [
        {"kind": k, "at": at.removeprefix("~"), "approx": at.startswith("~")}
        for k, at in times.items()
    ]
    return make_case(case_id, dates=dates)


def order(a: Case, b: Case) -> Order:
    found = order_of(a, b)
    assert found is not None
    return found


def test_two_starts_are_compared_and_prove_the_order() -> None:
    found = order(dated("B", started="2024-03-10"), dated("A", started="2024-03-01T10:00Z"))
    assert (found.earlier, found.later) == ("A", "B")
    assert (found.earlier_at, found.later_at) == ("2024-03-01T10:00Z", "2024-03-10")
    assert (found.same_kind, found.sure) == (True, True)
    assert found.earlier_kind is found.later_kind is DateKind.STARTED
    assert (found.least_days, found.most_days) == (9, 9)


def test_a_month_leaves_the_days_open() -> None:
    found = order(dated("A", started="2024-02"), dated("B", started="2024-04-01"))
    assert (found.least_days, found.most_days) == (32, 60)


def test_times_that_overlap_tell_nothing() -> None:
    assert order_of(dated("A", started="2024"), dated("B", started="2024-05-01")) is None
    assert order_of(dated("A", started="2024-05-01"), dated("B", started="2024-05-01")) is None
    assert order_of(dated("A"), dated("B", started="2024-05-01")) is None


def test_another_kind_decides_where_the_first_overlaps() -> None:
    a = dated("A", started="2024", detected="2024-02-01")
    b = dated("B", started="2024", detected="2024-03-01")
    found = order(a, b)
    assert (found.earlier, found.earlier_kind) == ("A", DateKind.DETECTED)


def test_within_a_day_moments_decide_if_their_zones_are_known() -> None:
    a, b = dated("A", started="2024-05-01T10:00Z"), dated("B", started="2024-05-01T12:00+01:00")
    found = order(b, a)
    assert (found.earlier, found.least_days, found.most_days, found.sure) == ("A", 0, 0, True)
    assert order_of(dated("A", started="2024-05-01T10:00"), b) is None
    assert order_of(dated("A", started="~2024-05-01T10:00Z"), b) is None


def test_zones_are_taken_into_account_over_midnight() -> None:
    # The one written with the later day came first.
    a, b = dated("A", started="2024-05-01T23:30-08:00"), dated("B", started="2024-05-02T05:00Z")
    assert order(a, b).earlier == "B"


def test_published_before_a_start_proves_the_order_and_is_told_as_mixed() -> None:
    found = order(dated("A", published="2023-01-01"), dated("B", started="2024-01-01"))
    assert (found.earlier, found.same_kind, found.sure) == ("A", False, True)
    assert (found.earlier_kind, found.later_kind) == (DateKind.PUBLISHED, DateKind.STARTED)


def test_two_publications_only_show_which_was_published_first() -> None:
    found = order(dated("A", published="2023-01-01"), dated("B", published="2024-01-01"))
    assert (found.earlier, found.same_kind, found.sure) == ("A", True, False)


def test_a_start_before_a_publication_proves_nothing() -> None:
    found = order(dated("A", started="2023-01-01"), dated("B", published="2024-01-01"))
    assert (found.earlier, found.same_kind, found.sure) == ("A", False, False)


def test_events_are_preferred_to_publication() -> None:
    a = dated("A", started="2020-01-01", published="2024-01-01")
    b = dated("B", started="2021-01-01", published="2021-02-01")
    found = order(a, b)
    assert (found.earlier, found.sure, found.earlier_kind) == ("A", True, DateKind.STARTED)


def test_what_a_proven_order_says_wins_over_the_order_of_publication() -> None:
    a = dated("A", published="2022-01-01", started="2021-12-01")
    b = dated("B", published="2021-06-01")
    found = order(a, b)
    assert (found.earlier, found.sure, found.later_kind) == ("B", True, DateKind.STARTED)


@pytest.mark.parametrize(
    ("at", "approx", "first", "last"),
    [
        ("2024", False, "2024-01-01", "2024-12-31"),
        ("2024", True, "2023-01-01", "2025-12-31"),
        ("2024-02", False, "2024-02-01", "2024-02-29"),
        ("2024-01", True, "2023-12-01", "2024-02-29"),
        ("2024-12", True, "2024-11-01", "2025-01-31"),
        ("2024-03-01", True, "2024-02-29", "2024-03-02"),
        ("2024-03-01T10:00Z", True, "2024-02-29", "2024-03-02"),
        ("2024-03-01T23:00-02:00", False, "2024-03-02", "2024-03-02"),
        ("2024-03-01T23:00", False, "2024-03-01", "2024-03-01"),
        ("0001", True, "0001-01-01", "0002-12-31"),
        ("9999-12", True, "9999-11-01", "9999-12-31"),
        ("0001-01-01", True, "0001-01-01", "0001-01-02"),
        ("9999-12-31T23:00-05:00", False, "9999-12-31", "9999-12-31"),
    ],
)
def test_the_days_that_a_time_can_mean(at: str, approx: bool, first: str, last: str) -> None:
    when = When(kind=DateKind.STARTED, at=at, approx=approx)
    assert days_of(when) == (date.fromisoformat(first), date.fromisoformat(last))


_DAYS = st.dates(date(2019, 1, 1), date(2022, 12, 31))
_FORMS = st.sampled_from(["%Y", "%Y-%m", "%Y-%m-%d"])
_KINDS = st.sampled_from(["started", "detected", "published"])


@st.composite
def truths(draw: st.DrawFn, case_id: str) -> tuple[date, Case]:
    """A day on which something truly started, and a case that tells of it more or less exactly."""
    began = draw(_DAYS)
    times = {}
    for kind in draw(st.lists(_KINDS, min_size=1, max_size=3, unique=True)):
        after = 0 if kind == "started" else draw(st.integers(0, 400))
        times[kind] = (began + timedelta(days=after)).strftime(draw(_FORMS))
    # Nothing is told before it began.
    return began, dated(case_id, **times)


@QUICK
@given(truths("A"), truths("B"))
def test_an_order_called_sure_by_starts_is_true(a: tuple[date, Case], b: tuple[date, Case]) -> None:
    found = order_of(a[1], b[1])
    assert order_of(b[1], a[1]) == found
    assume(found is not None)
    assert found is not None
    began = {"A": a[0], "B": b[0]}
    if found.sure and found.later_kind is DateKind.STARTED:
        assert began[found.earlier] < began[found.later]
    if found.earlier_kind is found.later_kind is DateKind.STARTED:
        gap = (began[found.later] - began[found.earlier]).days
        assert found.least_days <= gap <= found.most_days
    assert 0 < found.least_days <= found.most_days
    assert (
        found.sure
        or DateKind.PUBLISHED in (found.earlier_kind, found.later_kind)
        or (not found.same_kind)
    )
