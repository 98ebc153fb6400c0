"""Times as exports and forms write them: `30/Sep/21 17:20`, `29-02-2016 01:16`, `3/4/2021 5:20 PM`.

Whether 03-04 is the third of April or the fourth of March is never guessed: it is declared, or
another time of the same column proves it (`29-02-2016`), or the time is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from kg.readers.clock import moment, zone_of


class Order(StrEnum):
    """Which of two numbers is the day."""

    DAY_FIRST = "day-first"
    MONTH_FIRST = "month-first"


_CLOCK = (
    r"(?:,?[T\s]+(?:at\s+)?(?P<before>AM|PM|오전|오후)?\s*"
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d+)?)?"
    r"\s*(?P<after>AM|PM|오전|오후)?\s*(?P<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?"
)
_MONTHS = (
    *("", "January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_SIGN = r"[/.\- ]"
_NAMED = re.compile(
    rf"(?:[A-Z][a-z]+,?\s+)?(?P<day>\d{{1,2}}){_SIGN}\s?(?:(?P<month>[A-Z][a-z]+)\.?|(?P<no>\d{{1,2}})월)"
    rf"{_SIGN}?\s?(?P<year>\d{{4}}|\d{{2}}){_CLOCK}",
    re.I,
)
_MONTH_NAMED = re.compile(
    rf"(?:[A-Z][a-z]+,\s+)?(?P<month>[A-Z][a-z]+)\.?{_SIGN}(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?{_SIGN}"
    rf"\s?(?P<year>\d{{4}}|\d{{2}}){_CLOCK}",
    re.I,
)
_NUMBERED = re.compile(
    rf"(?P<one>\d{{1,2}})(?P<sign>[/.-])(?P<two>\d{{1,2}})(?P=sign)(?P<year>\d{{4}}|\d{{2}}){_CLOCK}",
    re.I,
)
_YEAR_FIRST = re.compile(
    rf"(?P<year>\d{{4}})(?:[/.-]|년)\s?(?P<no>\d{{1,2}})(?:[/.-]|월)\s?(?P<day>\d{{1,2}})(?:\.|일)?{_CLOCK}",
    re.I,
)
_AFTERNOON = ("pm", "오후")
_CENTURY = 69
"""Two digits below are of this century, as POSIX has it."""


@dataclass(frozen=True)
class Reckoning:
    """How the times of a column are read.

    Attributes:
        order: which number is the day where a time does not say; None when it is not known.
        zone: where the clock stood, such as `Asia/Seoul` or `+09:00`, for times without a zone;
            "" when it is not known.
    """

    order: Order | None = None
    zone: str = ""


def written_time(text: str, how: Reckoning | None = None) -> str | None:
    """A time in the form of `When.at`; None when it is none, or can mean two days.

    Args:
        text: ISO 8601, seconds since 1970, a date with the name of its month (English or
            Korean), year first, or three numbers; with a clock of 24 hours or of 12.
        how: what is known of the column.

    Between two numbers of up to 12, only `how` tells the day; equal ones, and one above 12, tell it
    themselves, but not against `how`. Years of two digits are 1969 to 2068, as POSIX reads them.
    """
    how = how or Reckoning()
    text = " ".join(text.split())
    for form in (_YEAR_FIRST, _NUMBERED, _NAMED, _MONTH_NAMED):
        if found := form.fullmatch(text):
            day = _day_of(found, how.order)
            return day and zoned(day + _clock_of(found), how.zone)
    at = moment(text)
    return at and zoned(at, how.zone)


def can_mean_two_days(text: str) -> bool:
    """Whether a time has two numbers that can both be the month, and are not the same."""
    found = _NUMBERED.fullmatch(" ".join(text.split()))
    numbers = {int(found["one"]), int(found["two"])} if found else set()
    return len(numbers) == 2 and max(numbers) <= 12 and min(numbers) > 0


@dataclass(frozen=True)
class Proof:
    """What the times of a column prove of their order.

    Attributes:
        order: the order; None when nothing proves it, or there is proof for both.
        example: a time that proves it, "" without one.
        against: a time that proves the contrary, "" without one.
        doubtful: a time that can mean two days, "" without one.
    """

    order: Order | None
    example: str = ""
    against: str = ""
    doubtful: str = ""


def proven_order(texts: Iterable[str]) -> Proof:
    """Which order the times of a column have, by those in which one number is above 12."""
    proofs: dict[Order, str] = {}
    doubtful = ""
    for text in dict.fromkeys(texts):  # updates of one ticket repeat its times
        found = _NUMBERED.fullmatch(" ".join(text.split()))
        if found is None:
            continue
        one, two = int(found["one"]), int(found["two"])
        if one > 12 >= two:
            proofs.setdefault(Order.DAY_FIRST, text)
        elif two > 12 >= one:
            proofs.setdefault(Order.MONTH_FIRST, text)
        elif one != two:
            doubtful = doubtful or text
    examples = [*proofs.values(), ""]
    if len(proofs) != 1:
        return Proof(None, examples[0], examples[1] if len(proofs) == 2 else "", doubtful)
    return Proof(next(iter(proofs)), examples[0], "", doubtful)


def known_zone(name: str) -> bool:
    """Whether a zone is one: `Z`, `UTC`, an offset (`+09:00`), or a name (`Asia/Seoul`)."""
    return bool(_offset(name)) or _named_zone(name) is not None


def _day_of(found: re.Match[str], order: Order | None) -> str | None:
    parts = found.groupdict()
    if "one" in parts:
        one, two = int(found["one"]), int(found["two"])
        order = order or _told_order(one, two)
        if order is None:
            return None
        day, month = (one, two) if order is Order.DAY_FIRST else (two, one)
    else:
        day = int(found["day"])
        month = int(parts["no"]) if parts.get("no") else _month(parts["month"])
    year = int(found["year"])
    if len(found["year"]) == 2:
        year += 2000 if year < _CENTURY else 1900
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def _told_order(one: int, two: int) -> Order | None:
    """The order that two numbers tell by themselves."""
    if one > 12 or one == two:
        return Order.DAY_FIRST
    return Order.MONTH_FIRST if two > 12 else None


def _month(name: str) -> int:
    """The number of a month by its name or the first three letters of it; 0 when it is none."""
    lower = name.lower()
    names = enumerate(_MONTHS)
    return next((i for i, m in names if m and lower in (m.lower(), m.lower()[:3])), 0) or (
        9 if lower == "sept" else 0
    )


def _clock_of(found: re.Match[str]) -> str:
    """`T17:20`, with seconds and zone where they are written; "" without a clock or a true one."""
    if not found["hour"]:
        return ""
    hour, half = int(found["hour"]), (found["before"] or found["after"] or "").lower()
    if half:
        hour = hour % 12 + (12 if half in _AFTERNOON else 0)
    second = f":{found['second']}" if found["second"] else ""
    zone = zone_of((found["zone"] or "").upper().replace("GMT", "UTC"))
    return f"T{hour:02}:{found['minute']}{second}{zone}"


def zoned(at: str, zone: str) -> str | None:
    """A time of `When.at`, with the zone if it has a clock and none of its own.

    `zone`: as `Reckoning` has it. None where there is no such time.
    """
    try:
        local = datetime.fromisoformat(at.replace("Z", "+00:00"))
    except ValueError:
        return None
    if "T" not in at or local.tzinfo is not None or not zone:
        return at
    if offset := _offset(zone):
        return at + offset
    named = _named_zone(zone)
    if named is None:
        return at
    written = local.replace(tzinfo=named).strftime("%z")
    return at + zone_of(written[:5])


def _offset(zone: str) -> str:
    known = re.fullmatch(r"Z|UTC|[+-](?:0\d|1[0-4]):?[0-5]\d", zone)
    return zone_of(zone) if known else ""


@lru_cache(maxsize=64)
def _named_zone(name: str) -> ZoneInfo | None:
    # A name is looked up among files: nothing that could lead elsewhere is.
    if not re.fullmatch(r"[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*", name):
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
