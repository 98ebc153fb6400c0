"""Times as exports write them: read where they say what they mean, never guessed."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.model import DateKind, When
from kg.readers.formdates import (
    Order,
    Reckoning,
    can_mean_two_days,
    known_zone,
    proven_order,
    written_time,
)
from tests.helpers.strategies import QUICK

DAYS = st.dates(date(1970, 1, 1), date(2068, 12, 31))


@pytest.mark.parametrize(
    ("written", "at"),
    [
        ("30/Sep/21 17:20", "2021-09-30T17:20"),
        ("30/Sep/21 5:20 PM", "2021-09-30T17:20"),
        ("30/9월/21 5:20 오후", "2021-09-30T17:20"),
        ("30-Sep-2021 17:20:05", "2021-09-30T17:20:05"),
        ("Sep 30, 2021, 12:05 AM", "2021-09-30T00:05"),
        ("3 Mar 2021 12:05 PM", "2021-03-03T12:05"),
        ("Thursday, September 30, 2021 at 5:20 PM", "2021-09-30T17:20"),
        ("9 Sept 2021", "2021-09-09"),
        ("2021년 9월 30일 오후 5:20", "2021-09-30T17:20"),
        ("2021. 9. 30. 오전 5:20", "2021-09-30T05:20"),
        ("2021/09/30 17:20", "2021-09-30T17:20"),
        ("2021-09-30 17:20:05.123", "2021-09-30T17:20:05"),
        ("2021-09-30T17:20:05+0900", "2021-09-30T17:20:05+09:00"),
        ("Thu, 30 Sep 2021 17:20:05 GMT", "2021-09-30T17:20:05Z"),
        ("29-02-2016 01:16", "2016-02-29T01:16"),
        ("02/29/2016 1:16 PM", "2016-02-29T13:16"),
        ("03.03.2016", "2016-03-03"),
        ("1633022405", "2021-09-30T17:20:05Z"),
        ("  30/Sep/21\n17:20 ", "2021-09-30T17:20"),
    ],
)
def test_is_read(written: str, at: str) -> None:
    assert written_time(written) == at
    assert When(kind=DateKind.STARTED, at=at).at == at


@pytest.mark.parametrize(
    "written",
    ["", "soon", "31/Feb/21", "30/Foo/21 17:20", "2021-13-01", "30/Sep/21 25:00", "32-01-2020",
     "5 Ma 2020", "10:05", "30/02/2016", "Sep 2021", "0/0/2020"],
)  # fmt: skip
def test_is_no_time(written: str) -> None:
    assert written_time(written) is None


def test_two_small_numbers_are_not_read_unless_the_order_is_known() -> None:
    assert written_time("03-04-2016 10:00") is None
    assert can_mean_two_days("03-04-2016 10:00")
    assert written_time("03-04-2016", Reckoning(Order.DAY_FIRST)) == "2016-04-03"
    assert written_time("03-04-2016", Reckoning(Order.MONTH_FIRST)) == "2016-03-04"


@pytest.mark.parametrize("written", ["03-03-2016", "13-04-2016", "30/Sep/21", "2016-03-04", "x"])
def test_other_times_cannot_mean_two_days(written: str) -> None:
    assert not can_mean_two_days(written)


def test_a_time_against_the_declared_order_is_not_read() -> None:
    assert written_time("02/29/2016", Reckoning(Order.DAY_FIRST)) is None


def test_a_zone_is_given_only_to_clocks_without_one() -> None:
    seoul = Reckoning(zone="Asia/Seoul")
    assert written_time("30/Sep/21 17:20", seoul) == "2021-09-30T17:20+09:00"
    assert written_time("30/Sep/21", seoul) == "2021-09-30"
    assert written_time("2021-09-30T17:20:00Z", seoul) == "2021-09-30T17:20:00Z"
    assert written_time("30/Sep/21 17:20", Reckoning(zone="UTC")) == "2021-09-30T17:20Z"


def test_a_named_zone_knows_its_summer() -> None:
    york = Reckoning(zone="America/New_York")
    assert written_time("2021-07-01 10:00", york) == "2021-07-01T10:00-04:00"
    assert written_time("2021-12-01 10:00", york) == "2021-12-01T10:00-05:00"


@pytest.mark.parametrize("zone", ["UTC", "Z", "+09:00", "-0330", "Asia/Seoul", "Etc/GMT+5"])
def test_is_a_zone(zone: str) -> None:
    assert known_zone(zone)


@pytest.mark.parametrize("zone", ["", "Mars", "+25:00", "../etc/passwd", "/etc/localtime", "KST9"])
def test_is_no_zone(zone: str) -> None:
    assert not known_zone(zone)


def test_one_time_proves_the_order_of_its_column() -> None:
    proof = proven_order(["03-04-2016", "x", "29-02-2016 10:00"])
    assert (proof.order, proof.example) == (Order.DAY_FIRST, "29-02-2016 10:00")
    assert proven_order(["03/04/2016", "02/29/2016"]).order is Order.MONTH_FIRST


def test_nothing_proves_the_order_of_small_numbers() -> None:
    proof = proven_order(["03-04-2016", "05-05-2016", "2016-01-29"])
    assert (proof.order, proof.doubtful, proof.against) == (None, "03-04-2016", "")


def test_proofs_of_both_orders_prove_neither() -> None:
    proof = proven_order(["14-03-2016", "03-14-2016"])
    assert (proof.order, proof.example, proof.against) == (None, "14-03-2016", "03-14-2016")


@QUICK
@given(DAYS, st.sampled_from("/.-"), st.sampled_from(Order))
def test_a_declared_order_reads_back_every_day(day: date, sign: str, order: Order) -> None:
    parts = (day.day, day.month) if order is Order.DAY_FIRST else (day.month, day.day)
    text = f"{parts[0]:02}{sign}{parts[1]:02}{sign}{day.year}"
    assert written_time(text, Reckoning(order)) == day.isoformat()
    assert written_time(text) in (day.isoformat(), None)
    assert (written_time(text) is None) == can_mean_two_days(text)


@QUICK
@given(DAYS)
def test_years_of_two_digits_are_read_as_posix_does(day: date) -> None:
    assert written_time(day.strftime("%d/%b/%y")) == day.isoformat()


@QUICK
@given(st.lists(DAYS, max_size=8), st.sampled_from(Order))
def test_a_column_is_never_proven_wrongly(days: list[date], order: Order) -> None:
    form = "%d/%m/%Y" if order is Order.DAY_FIRST else "%m/%d/%Y"
    proof = proven_order([day.strftime(form) for day in days])
    assert proof.order in (order, None)
    assert (proof.order is None) == all(day.day <= 12 for day in days)


@QUICK
@given(st.text(alphabet="0123456789/.-: APMSepJan,년월일오후Z+\u0661"))
def test_no_text_raises(text: str) -> None:
    at = written_time(text, Reckoning(Order.DAY_FIRST, "Asia/Seoul"))
    assert at is None or When(kind=DateKind.STARTED, at=at)
