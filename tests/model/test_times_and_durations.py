"""When things happened, to what precision, and how long they took."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from kg.model import DateKind, Duration, When, parse_duration
from tests.helpers.strategies import QUICK
from tests.helpers.tiny import make_case


@pytest.mark.parametrize(
    ("at", "precision", "earliest"),
    [
        ("2022", "year", date(2022, 1, 1)),
        ("2022-03", "month", date(2022, 3, 1)),
        ("2022-03-04", "day", date(2022, 3, 4)),
        ("2022-03-04T10:00Z", "minute", date(2022, 3, 4)),
        ("2022-03-04T10:00", "minute", date(2022, 3, 4)),
        ("2022-03-04T10:00:59+09:00", "second", date(2022, 3, 4)),
        ("2024-02-29", "day", date(2024, 2, 29)),
    ],
)
def test_precision_follows_from_what_is_written(at: str, precision: str, earliest: date) -> None:
    when = When(kind=DateKind.STARTED, at=at)
    assert when.precision == precision
    assert when.earliest() == earliest


@pytest.mark.parametrize(
    "at",
    [
        "2022-02-30", "2023-02-29", "2022-13", "2022-00", "0000", "2022-3-4", "22", "yesterday",
        "", "2022-03-04T25:00Z", "2022-03-04 10:00", "2022-03-04T10", "2022-03-04\n", "２０２２",
        "2022-W10", "20220304", "2022-03-04T10:00+25:00", "-2022",
    ],
)  # fmt: skip
def test_impossible_dates_are_refused(at: str) -> None:
    with pytest.raises(ValidationError):
        When(kind=DateKind.STARTED, at=at)


def test_the_message_shows_the_forms_that_are_accepted() -> None:
    with pytest.raises(ValidationError, match="2022-03-04T10:00Z"):
        When(kind=DateKind.STARTED, at="last week")


@QUICK
@given(st.dates())
def test_every_real_day_is_its_own_earliest_day(day: date) -> None:
    when = When(kind=DateKind.PUBLISHED, at=day.isoformat())
    assert when.earliest() == day
    assert When(kind=DateKind.PUBLISHED, at=day.isoformat()[:7]).earliest() == day.replace(day=1)


def test_a_case_cannot_end_before_it_started() -> None:
    with pytest.raises(ValidationError, match="before it started"):
        make_case(
            "X-1", dates=[{"kind": "started", "at": "2022-03"}, {"kind": "ended", "at": "2022-02"}]
        )


def test_a_case_may_end_in_the_month_in_which_it_started() -> None:
    times = [{"kind": "started", "at": "2022-03"}, {"kind": "ended", "at": "2022-03-01"}]
    assert make_case("X-1", dates=times).when(DateKind.ENDED)


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        ([], date.min),
        ([("started", "2020"), ("published", "2021")], date(2021, 1, 1)),
        ([("detected", "2019-05"), ("started", "2020")], date(2020, 1, 1)),
        ([("detected", "2019-05"), ("mitigated", "2018")], date(2019, 5, 1)),
    ],
)
def test_lists_are_sorted_by_publication_then_start(
    dates: list[tuple[str, str]], expected: date
) -> None:
    case = make_case("X-1", dates=[{"kind": k, "at": a} for k, a in dates])
    assert case.sort_date() == expected


def test_when_gives_the_first_of_a_kind_or_none() -> None:
    times = [{"kind": "started", "at": "2020"}, {"kind": "started", "at": "2021"}]
    case = make_case("X-1", dates=times)
    assert case.when(DateKind.STARTED) == When(kind=DateKind.STARTED, at="2020")
    assert case.when(DateKind.ENDED) is None


@pytest.mark.parametrize(
    ("text", "seconds", "approx"),
    [
        ("3h", 10800, False),
        ("7시간", 25200, False),
        ("5시간", 18000, False),
        ("54일", 54 * 86400, False),
        ("약 7초", 7, True),
        ("7초쯤", 7, True),
        ("대략 2주", 1209600, True),
        ("2 h 15 min", 8100, False),
        ("2시간 15분", 8100, False),
        ("1 day 2 hours", 93600, False),
        ("about 90 minutes", 5400, True),
        ("~ 30 s", 30, True),
        ("approximately 1.5 hours", 5400, True),
        ("250 ms", 0.25, False),
        ("250밀리초", 0.25, False),
        ("1,000 seconds", 1000, False),
        ("3-hour", 10800, False),
        ("2 wks", 1209600, False),
        ("10분간", 600, False),
        ("0s", 0, False),
    ],
)
def test_durations_in_english_and_korean(text: str, seconds: float, approx: bool) -> None:
    found = parse_duration(text)
    assert found == Duration(seconds=seconds, text=text, approx=approx)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "16 GPUs",
        "version 1.2.3 s",
        "10.0.0.1 days",
        "3 months",
        "7",
        "h",
        "다섯 시간",
        "–",
    ],
)
def test_text_without_a_duration_gives_none(text: str) -> None:
    assert parse_duration(text) is None


@QUICK
@given(st.text(max_size=30))
def test_no_text_breaks_the_parser(text: str) -> None:
    found = parse_duration(text)
    assert found is None or found.seconds >= 0


@QUICK
@given(st.integers(0, 99), st.integers(0, 59), st.sampled_from([("h", "min"), ("시간", "분")]))
def test_parts_add_up(hours: int, minutes: int, units: tuple[str, str]) -> None:
    found = parse_duration(f"{hours} {units[0]} {minutes} {units[1]}")
    assert found is not None
    assert found.seconds == timedelta(hours=hours, minutes=minutes).total_seconds()


@pytest.mark.parametrize("seconds", [-1, float("nan"), float("inf")])
def test_a_length_of_time_is_finite_and_not_negative(seconds: float) -> None:
    with pytest.raises(ValidationError):
        Duration(seconds=seconds)
