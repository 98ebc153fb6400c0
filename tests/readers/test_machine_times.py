"""Times as machines write them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.model import DateKind, When
from kg.readers.clock import moment, zone_of


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("2021-09-30", "2021-09-30"),
        ("2021-09-30T17:20", "2021-09-30T17:20"),
        ("2021-09-30 17:20:05", "2021-09-30T17:20:05"),
        ("2021-09-30T17:20:05.123Z", "2021-09-30T17:20:05Z"),
        ("2021-09-30T17:20:05.123456+0000", "2021-09-30T17:20:05Z"),
        ("2021-09-30T17:20:05-05:00", "2021-09-30T17:20:05-05:00"),
        ("2021-09-30T17:20:05+09", "2021-09-30T17:20:05+09:00"),
        ("2021-09-30 17:20:05 UTC", "2021-09-30T17:20:05Z"),
        ("Thu, 30 Sep 2021 17:20:05 +0900", "2021-09-30T17:20:05+09:00"),
        ("30 Sep 2021 17:20:05 GMT", "2021-09-30T17:20:05Z"),
        ("1633022405", "2021-09-30T17:20:05Z"),
        (1633022405, "2021-09-30T17:20:05Z"),
        (1633022405.9, "2021-09-30T17:20:05Z"),
        ("1633022405123", "2021-09-30T17:20:05Z"),
    ],
)
def test_is_read(written: object, read: str) -> None:
    assert moment(written) == read
    assert When(kind=DateKind.STARTED, at=read).at == read


@pytest.mark.parametrize(
    "written",
    [
        "", "?", "soon", None, True, [], {}, "2021-13-01", "2021-02-30T10:00Z", "30/09/2021",
        "10/11/2021 10:00", "2021", "12:30", "1", "99999999999999999999", "nan",
        "Thu, 99 Sep 2021 17:20:05 +0900", "2021-09-30T25:00Z",
        "Thu, 30 Sep 2021 17:20:05 +99999999999999999999",
    ],
)  # fmt: skip
def test_is_none(written: object) -> None:
    assert moment(written) is None


@given(st.datetimes(datetime(1990, 1, 1), datetime(2200, 1, 1)))
def test_every_way_of_writing_a_moment_means_the_same(at: datetime) -> None:
    at = at.replace(microsecond=0, tzinfo=UTC)
    wanted = at.strftime("%Y-%m-%dT%H:%M:%SZ")
    assert moment(at.isoformat()) == wanted
    assert moment(at.strftime("%a, %d %b %Y %H:%M:%S +0000")) == wanted
    assert moment(at.timestamp()) == wanted
    assert moment(str(int(at.timestamp() * 1000))) == wanted


@given(st.one_of(st.text(), st.integers(), st.floats()))
def test_whatever_is_read_is_a_time(value: object) -> None:
    read = moment(value)
    assert read is None or When(kind=DateKind.STARTED, at=read).at == read


@pytest.mark.parametrize(("written", "read"), [("", ""), ("Z", "Z"), ("-0330", "-03:30")])
def test_zones(written: str, read: str) -> None:
    assert zone_of(written) == read
