"""Periods of time: which year, quarter or month a time falls in, if it says that much."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from kg.errors import BadQuery
from kg.model import DateKind, When
from kg.model.values import Precision

PERIODS = ("year", "quarter", "month")
"""The lengths of time that cases can be counted by."""

_PER_YEAR = {"year": 1, "quarter": 4, "month": 12}


def check_period(by: str) -> str:
    """The length, if it is one of `PERIODS`.

    Raises:
        BadQuery: it is not.
    """
    if by not in PERIODS:
        raise BadQuery(f"no period {by!r}; there are {', '.join(PERIODS)}")
    return by


def check_dated(dated: str) -> DateKind:
    """The kind of date by which cases are counted.

    Raises:
        BadQuery: there is no such kind.
    """
    try:
        return DateKind(dated)
    except ValueError as error:
        kinds = ", ".join(DateKind)
        raise BadQuery(f"no kind of date {dated!r}; there are {kinds}") from error


def period_of(when: When, by: str) -> str | None:
    """The period in which a time falls, as it is written; None when it is too coarse to say.

    `2024`, `2024-Q3`, `2024-07`.
    """
    if by == "year":
        return f"{when.earliest().year:04}"
    if when.precision is Precision.YEAR:
        return None
    return _name(when.earliest(), by)


def periods_between(first: str, last: str) -> Iterator[str]:
    """All periods from one to another, both included, in order; they are of one length."""
    by = "quarter" if "Q" in first else "month" if "-" in first else "year"
    for number in range(_number(first, by), _number(last, by) + 1):
        year, part = divmod(number, _PER_YEAR[by])
        yield _name(date(year, part * 12 // _PER_YEAR[by] + 1, 1), by)


def _name(day: date, by: str) -> str:
    if by == "year":
        return f"{day.year:04}"
    if by == "quarter":
        return f"{day.year:04}-Q{(day.month + 2) // 3}"
    return f"{day.year:04}-{day.month:02}"


def _number(period: str, by: str) -> int:
    """Periods since the year 0."""
    year, _, part = period.partition("-")
    return int(year) * _PER_YEAR[by] + (int(part.lstrip("Q")) - 1 if part else 0)
