"""What the caller declares of dates and zones holds in prose as in tables, and nowhere else."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import Problem
from kg.readers.document import Declared
from kg.readers.draft import Draft
from kg.readers.formats.known import FORMATS
from kg.readers.reading import read_documents
from kg.readers.times_in_prose import Near, declared_in_prose, find_times, settle
from tests.helpers.foreign import dates
from tests.helpers.strategies import QUICK

MARKDOWN = """# Checkout outage

Date: 03/04/2024

## Summary
From 09:12 to 10:40 the checkout failed.

## Root cause
A bad deploy.
"""
TEXT = """Summary of the outage

On 03/04/2024, from 09:12 to 09:40, the API failed. Root cause: a bad switch.
"""


def one(path: Path, declared: Declared | None = None) -> Draft:
    (read,) = read_documents([path], FORMATS, declared=declared)
    (item,) = read.items
    assert isinstance(item, Draft)
    return item


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "outage.md"
    path.write_text(MARKDOWN, encoding="utf-8")
    return path


def test_what_nobody_declares_is_left_out_and_the_remedy_named(page: Path) -> None:
    draft = one(page)
    assert dates(draft) == {}
    assert any("03/04/2024: day and month could be swapped" in n.message for n in draft.notes)
    assert any("--dates" in n.message for n in draft.notes)


@pytest.mark.parametrize(
    ("order", "zone", "started"),
    [
        ("day-first", "", "2024-04-03T09:12"),
        ("month-first", "", "2024-03-04T09:12"),
        ("day-first", "+09:00", "2024-04-03T09:12+09:00"),
        ("day-first", "UTC", "2024-04-03T09:12Z"),
        ("month-first", "America/New_York", "2024-03-04T09:12-05:00"),
        ("day-first", "America/New_York", "2024-04-03T09:12-04:00"),
    ],
)
def test_declared_order_and_zone(page: Path, order: str, zone: str, started: str) -> None:
    assert dates(one(page, Declared(order, zone)))["started"] == started


def test_plain_text_is_read_as_declared_too(tmp_path: Path) -> None:
    path = tmp_path / "outage.txt"
    path.write_text(TEXT, encoding="utf-8")
    (read,) = read_documents([path], FORMATS, "text", Declared("day-first", "Asia/Seoul"))
    (draft,) = (item for item in read.items if not isinstance(item, Problem))
    assert isinstance(draft, Draft)
    assert dates(draft)["started"] == "2024-04-03T09:12+09:00"


def test_a_zone_that_is_written_or_stated_goes_before(tmp_path: Path) -> None:
    written = tmp_path / "written.md"
    written.write_text(
        MARKDOWN.replace("10:40", "10:40 PST").replace("09:12", "09:12 PST"), encoding="utf-8"
    )
    stated = tmp_path / "stated.md"
    stated.write_text(MARKDOWN + "\nAll times in UTC.\n", encoding="utf-8")
    declared = Declared("day-first", "+09:00")
    assert dates(one(written, declared))["started"] == "2024-04-03T09:12-08:00"
    assert dates(one(stated, declared))["started"] == "2024-04-03T09:12Z"


def test_a_date_against_the_declared_order_is_told(page: Path) -> None:
    page.write_text(MARKDOWN.replace("03/04", "13/04"), encoding="utf-8")
    draft = one(page, Declared("month-first"))
    assert dates(draft) == {}
    assert any("not in the calendar month-first" in n.message for n in draft.notes)


def test_what_is_declared_for_one_reading_is_not_for_another(page: Path) -> None:
    first = read_documents([page], FORMATS, declared=Declared("day-first", "+09:00"))
    (read,) = first
    items = iter(read.items)
    next(items)
    assert dates(one(page)) == {}
    with pytest.raises(ZeroDivisionError), declared_in_prose(Declared("day-first")):
        raise ZeroDivisionError
    (found,) = find_times("03/04/2024")
    assert found.unclear


@QUICK
@given(
    st.datetimes(datetime(1971, 1, 1), datetime(2037, 1, 1)),
    st.sampled_from(["Asia/Seoul", "America/New_York", "+05:30", "UTC"]),
    st.booleans(),
)
def test_any_time_comes_back_as_it_was_written(at: datetime, zone: str, first: bool) -> None:
    at = at.replace(second=0, microsecond=0)
    order = "day-first" if first else "month-first"
    text = at.strftime("%d/%m/%Y %H:%M" if first else "%m/%d/%Y %H:%M")
    with declared_in_prose(Declared(order, zone)):
        (found,) = find_times(f"It failed on {text} and then")
        read, _ = settle(found, Near())
    assert read is not None
    back = datetime.fromisoformat(read)
    assert back.replace(tzinfo=None) == at
    if "/" in zone:
        assert back.utcoffset() == at.replace(tzinfo=ZoneInfo(zone)).utcoffset()
    else:
        assert read.endswith("+05:30" if zone != "UTC" else "Z")
