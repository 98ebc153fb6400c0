"""Which days and which moment a time can mean that is known to the year, month, day or minute."""

from __future__ import annotations

import calendar
from datetime import UTC, date, datetime, timedelta

from kg.model.values import Precision, When


def days_of(when: When) -> tuple[date, date]:
    """The first and the last day that a time can mean.

    A time with a zone is taken in UTC, one without as it is written. An approximate time may be
    off by one unit of its precision on either side, a day at least.
    """
    first = moment_of(when).date() if moment_of(when).tzinfo else when.earliest()
    last = first
    if when.precision is Precision.YEAR:
        last = date(first.year, 12, 31)
    elif when.precision is Precision.MONTH:
        last = _end_of_month(first)
    return (_back(first, when), _forth(last, when)) if when.approx else (first, last)


def moment_of(when: When) -> datetime:
    """A time as a moment: in UTC with a zone, without one as it is written."""
    if when.precision not in (Precision.MINUTE, Precision.SECOND):
        return datetime.combine(when.earliest(), datetime.min.time())
    moment = datetime.fromisoformat(when.at.replace("Z", "+00:00"))
    try:
        return moment.astimezone(UTC) if moment.tzinfo else moment
    except OverflowError:  # the first or last day of the calendar
        return moment.replace(tzinfo=UTC)


def _end_of_month(day: date) -> date:
    return day.replace(day=calendar.monthrange(day.year, day.month)[1])


def _back(day: date, when: When) -> date:
    if when.precision is Precision.YEAR:
        return date(max(day.year - 1, date.min.year), 1, 1)
    if when.precision is Precision.MONTH:
        return (day - timedelta(days=1)).replace(day=1) if day > date(1, 1, 31) else date.min
    return day - timedelta(days=1) if day > date.min else day


def _forth(day: date, when: When) -> date:
    if when.precision is Precision.YEAR:
        return date(min(day.year + 1, date.max.year), 12, 31)
    if when.precision is Precision.MONTH:
        return _end_of_month(day + timedelta(days=1)) if day < date(9999, 12, 1) else date.max
    return day + timedelta(days=1) if day < date.max else day
