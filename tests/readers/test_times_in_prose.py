"""Dates and times as people write them."""

from __future__ import annotations

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.model import DateKind, When
from kg.readers.times_in_prose import (
    Near,
    day_in,
    find_times,
    nearest_year,
    next_day,
    settle,
)
from kg.readers.zones import offset, stated_zone

NEAR = Near(date(2021, 9, 30), zone="UTC", where="the title")


def one(text: str, near: Near = NEAR) -> tuple[str | None, str]:
    (found,) = find_times(text)
    return settle(found, near)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("November, 25th 2020", "2020-11-25"),
        ("on February 28th, 2017.", "2017-02-28"),
        ("25 November 2020", "2020-11-25"),
        ("the 3rd of May 2019", "2019-05-03"),
        ("October 29-30, 2025", "2025-10-29"),
        ("00:35 UTC on 22 Dec 2016", "2016-12-22T00:35Z"),
        ("2021-12-10   15:40", "2021-12-10T15:40Z"),
        ("2021-12-10, 15:40", "2021-12-10T15:40Z"),
        ("2022.05.03 20:00 Add", "2022-05-03T20:00Z"),
        ("2024-03-05T14:05:33Z", "2024-03-05T14:05:33Z"),
        ("2021-09-30 14:05+09:00", "2021-09-30T14:05+09:00"),
        ("30/Sep/21 17:20", "2021-09-30T17:20Z"),
        ("18 June 2024 at 5 pm EDT", "2024-06-18T17:00-04:00"),
        ("25/12/2021", "2021-12-25"),
        ("12/25/2021", "2021-12-25"),
        ("2021년 9월 30일 오후 2시 5분", "2021-09-30T14:05Z"),
        ("2021년 9월 30일(목) 오전 12시 30분", "2021-09-30T00:30Z"),
        ("2021年9月30日 14時05分", "2021-09-30T14:05Z"),
        ("2021年9月30日 下午2点", "2021-09-30T14:00Z"),
        ("2023-07-01 10:00 PT", "2023-07-01T10:00-07:00"),
        ("2023-01-01 10:00 Pacific Time", "2023-01-01T10:00-08:00"),
        ("2023-01-01 10:00 UTC+9", "2023-01-01T10:00+09:00"),
        ("2023-01-01 12:00 AM", "2023-01-01T00:00Z"),
        ("2023-01-01 12:15 p.m. GMT", "2023-01-01T12:15Z"),
    ],
)
def test_is_read_as_it_stands(text: str, at: str) -> None:
    assert one(text) == (at, "")
    assert When(kind=DateKind.STARTED, at=at).at == at


@pytest.mark.parametrize(
    ("text", "at", "told"),
    [
        ("9:37AM PST", "2021-09-30T09:37-08:00", "the day is taken from the title"),
        ("오후 3시", "2021-09-30T15:00Z", "the day is taken from the title"),
        ("Jun 18, 18:09 UTC", "2021-06-18T18:09Z", "the year 2021 is taken from the title"),
        ("9월 3일 14:05 (KST)", "2021-09-03T14:05+09:00", "the year 2021"),
        ("2021-09-30 16:00 IST", "2021-09-30T16:00", "more than one offset"),
    ],
)
def test_what_is_taken_from_elsewhere_is_told(text: str, at: str, told: str) -> None:
    found, note = one(text)
    assert found == at
    assert told in note


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("12/11/2021", "could be swapped"),
        ("10.11.2020", "could be swapped"),
        ("05-06-2021", "could be swapped"),
        ("June 13", "no year is stated"),
        ("9:16 PM", "no day is stated"),
    ],
)
def test_nothing_is_guessed(text: str, why: str) -> None:
    found, note = one(text, Near())
    assert found is None
    assert why in note


@pytest.mark.parametrize(
    "text",
    ["3시간 동안", "ratio 3:30:1 and 1:2", "may 5 people", "8.8.8.8", "2021-13-45", "step 4000",
     "port 10:99", "run-2022.05.05-19:34:16", "31/31/2021", "v2.10.2021.3",
     "0001-01-01", "9999-12-31", "1/13/9999", ""],
)  # fmt: skip
def test_is_no_time(text: str) -> None:
    assert find_times(text) == []


def test_the_29th_of_february_needs_its_year() -> None:
    (found,) = find_times("29 February")
    assert settle(found, Near(year=2024))[0] == "2024-02-29"
    assert settle(found, Near(year=2023)) == (None, "29 February: not in the calendar of 2023")


def test_about_is_kept_and_a_tilde_between_times_is_none() -> None:
    assert [t.approx for t in find_times("~21:30 until about 3:30 and 4:00")] == [True, True, False]
    assert [t.approx for t in find_times("14:05 ~ 15:40")] == [False, False]


def test_the_nearest_year_crosses_the_turn_of_the_year() -> None:
    (december,) = find_times("Dec 31, 23:10 UTC")
    (january,) = find_times("Jan 1")
    assert nearest_year(december, date(2024, 1, 1)) == 2023
    assert nearest_year(january, date(2023, 12, 30)) == 2024


def test_the_day_among_times() -> None:
    assert day_in(find_times("at 10:00, on May 3, at 11:00"), Near(year=2020)) == date(2020, 5, 3)
    assert day_in(find_times("at 10:00"), Near(year=2020)) is None
    assert next_day("2020-12-31T23:00Z") == "2021-01-01T23:00Z"


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("All times in UTC.", "UTC"),
        ("(all times in Pacific Time)", "Pacific Time"),
        ("모든 시각은 KST 기준", "KST"),
        ("Timezone: UTC+2", "UTC+2"),
        ("All services were down.", ""),
        ("It took all the time that we had", ""),
    ],
)
def test_the_zone_that_a_document_states(text: str, zone: str) -> None:
    assert stated_zone(text) == zone


@pytest.mark.parametrize(
    ("name", "shift"),
    [("", ""), ("gmt", "Z"), ("UTC-3:30", "-03:30"), ("한국 시간", "+09:00"), ("CST", None),
     ("Eastern Time", "-05:00"), ("UTC+99", None), ("moon", None)],
)  # fmt: skip
def test_offsets_of_names(name: str, shift: str | None) -> None:
    assert offset(name, datetime(2023, 1, 15, 12)) == shift


FORMS = (
    "%Y-%m-%d %H:%M",
    "%B %d, %Y %H:%M",
    "%d %b %Y, %H:%M",
    "%Y/%m/%d %H:%M",
    "%b %d, %Y at %I:%M %p",
    "%Y년 %m월 %d일 %H시 %M분",
    "%Y年%m月%d日 %H:%M",
    "%H:%M on %d %B %Y",
    "%d/%b/%Y %H:%M",
)


@given(st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1)), st.sampled_from(FORMS))
def test_every_way_of_writing_means_the_same(at: datetime, form: str) -> None:
    text = f"It began on {at.strftime(form)} and nobody knew"
    assert one(text, Near()) == (at.strftime("%Y-%m-%dT%H:%M"), "")


@given(st.text(alphabet="0123456789:/-. JanUTCapm년월일시분(),~", max_size=60))
def test_whatever_is_read_is_a_time_in_its_place(text: str) -> None:
    end = 0
    for found in find_times(text):
        assert found.start >= end
        assert text[found.start : found.end] == found.words
        end = found.end
        at, _ = settle(found, NEAR)
        assert at is None or When(kind=DateKind.STARTED, at=at).at == at
