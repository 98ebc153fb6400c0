"""Dates and times as people write them: `Nov 25th, 2020`, `9:37AM PST`, `9월 30일 오후 2시`.

What a writer left out (the year, the day, the zone) is taken only from where the document states
it, and a note says so. A date whose day and month could be swapped is read only in an order that
the caller declares, and the zone that he declares is that of times which neither write nor state
one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from kg.readers.document import Declared
from kg.readers.formdates import Order, zoned
from kg.readers.zones import ZONE, offset

FIRST_YEAR, LAST_YEAR = 1970, 2100
"""Years in which incidents are; other numbers that look like dates are none."""

_MONTHS = {
    name: i
    for i, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
         "august aug", "september sept sep", "october oct", "november nov", "december dec"), 1)
    for name in names.split()
}  # fmt: skip
_MONTH = "(?:" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")(?![a-z])\.?"
_TH = r"(?:st|nd|rd|th)?"
_DATES = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        r"(?<![\w./-])(?P<y>\d{4})(?P<s>[-/.])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})(?!\d|[./]\d|-\d)",
        r"(?:(?<!\d)(?P<y>\d{4})\s?[년年]\s?)?(?<!\d)(?P<m>\d{1,2})\s?[월月]\s?(?P<d>\d{1,2})\s?[일日号]"
        r"(?:\s?[(（][월화수목금토일月火水木金土日][)）])?",
        rf"(?<![\w-])(?P<name>{_MONTH}),?\s+(?P<d>\d{{1,2}}){_TH}(?![\d:])"
        rf"(?:\s?[-–]\s?\d{{1,2}}{_TH}(?![\d:]))?(?:,?\s+(?P<y>\d{{4}})(?!\d))?",
        rf"(?<![\w./:-])(?P<d>\d{{1,2}}){_TH}\s+(?:of\s+)?(?P<name>{_MONTH})(?:,?\s+(?P<y>\d{{4}})(?!\d))?",
        rf"(?<![\w./:-])(?P<d>\d{{1,2}})(?P<s>[/-])(?P<name>{_MONTH})(?P=s)(?P<y>\d{{4}}|\d{{2}})(?!\d)",
        r"(?<![\w./:-])(?P<a>\d{1,2})(?P<s>[/.-])(?P<b>\d{1,2})(?P=s)(?P<y>\d{4})(?![\w./-]\d|\d)",
    )
)
_AM = r"[ap]\.?m\b\.?"
_CLOCKS = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"(?:(?<![\w:.,+])(?<!\.\d\d-)|(?<=\dT))(?:(?P<half>오전|오후|午前|午後|上午|下午)\s?)?(?P<h>[01]?\d|2[0-3]):(?P<m>[0-5]\d)"
        rf"(?::(?P<s>[0-5]\d)(?:[.,]\d+)?)?(?!\d|:\d)(?:\s?(?P<am>{_AM}))?(?:\s?\(?(?P<z>{ZONE})\)?)?",
        rf"(?<![\w:.,])(?P<h>1[0-2]|0?[1-9])\s?(?P<am>{_AM})(?:\s?\(?(?P<z>{ZONE})\)?)?",
        rf"(?:(?P<half>오전|오후|午前|午後|上午|下午|새벽|밤|저녁|아침)\s?)?(?<!\d)(?P<h>[01]?\d|2[0-3])\s?"
        rf"(?:시(?!간)|時(?!間)|时(?!间)|点)(?:\s?(?P<m>[0-5]?\d)\s?[분分])?(?:\s?\(?(?P<z>{ZONE})\)?)?",
    )
)
_ABOUT = re.compile(
    r"(?:~|≈|\babout|\baround|\bapproximately|\broughly|\bapprox\.?|\bcirca|약)\s?$", re.I
)
_TIME_ENDS = re.compile(r"[\dA-Z)분시일]\s*$")
_JOIN = re.compile(r"\s*(?:,|at|on|,\s*at|T|에|um|·|@|-|\|)?\s*", re.I)
_LATE = ("오후", "午後", "下午", "밤", "저녁")


_NOTHING = Declared()
_declared: ContextVar[Declared] = ContextVar("declared", default=_NOTHING)
"""Every reader of prose finds times in many places; what the caller declares holds in all."""


@contextmanager
def declared_in_prose(declared: Declared) -> Iterator[None]:
    """While it lasts, dates and times of day in prose are read as declared."""
    before = _declared.set(declared)
    try:
        yield
    finally:
        _declared.reset(before)


@dataclass(frozen=True)
class Written:
    """A date, a time of day, or both, at a place of a text.

    Attributes:
        start, end: where it stands, end excluded.
        words: its own words.
        year, month, day, hour, minute, second: None where it does not say.
        zone: the zone as written, "" for none.
        approx: whether the text says "about".
        unclear: whether day and month could be swapped; then it has neither.
    """

    start: int
    end: int
    words: str
    year: int | None = None
    month: int | None = None
    day: int | None = None
    hour: int | None = None
    minute: int | None = None
    second: int | None = None
    zone: str = ""
    approx: bool = False
    unclear: bool = False

    @property
    def dated(self) -> bool:
        """Whether it names a day."""
        return self.day is not None

    @property
    def timed(self) -> bool:
        """Whether it names a time of day."""
        return self.hour is not None

    def on(self) -> date | None:
        """Its day, where the year is written too."""
        if self.year is None or self.month is None or self.day is None:
            return None
        return _day(self.year, self.month, self.day)


@dataclass(frozen=True)
class Near:
    """What a document states for times that leave it out.

    Attributes:
        day: the day that times without a day belong to, and `where` it is stated.
        year: the year of dates without one, when it is known and the day is not.
        zone: the zone of times without one, as written.
        where: what states the day or the year, for the note: "the title".
    """

    day: date | None = None
    year: int | None = None
    zone: str = ""
    where: str = ""

    def years(self) -> int | None:
        """The year of dates without one."""
        return self.day.year if self.day else self.year


def find_times(text: str) -> list[Written]:
    """All dates and times of day in a text, in order; a date beside a time makes one."""
    found: list[Written] = []
    for one in sorted([*_dates(text), *_clocks(text)], key=lambda w: (w.start, -w.end)):
        if found and one.start < found[-1].end:
            continue
        if found and (joined := _joined(text, found[-1], one)):
            found[-1] = joined
        else:
            found.append(one)
    return found


def _dates(text: str) -> Iterator[Written]:
    for pattern in _DATES:
        for found in pattern.finditer(text):
            parts = found.groupdict()
            if one := _ordered(found) if "a" in parts else _named(found, parts):
                yield _about(text, one)


def _named(found: re.Match[str], parts: dict[str, str | None]) -> Written | None:
    written = (parts.get("name") or "").rstrip(".")
    if written == "may":
        return None
    name = written.lower()
    month = _MONTHS[name] if name else int(parts.get("m") or 0)
    year, day = int(parts.get("y") or 0), int(parts.get("d") or 0)
    if len(parts.get("y") or "") == 2:
        year += 2000 if year < 70 else 1900
    if year and not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    # A leap year stands for a year that is not known: 29 February is possible then.
    if _day(year or 2000, month, day) is None:
        return None
    return Written(found.start(), found.end(), found.group(), year or None, month, day)


def _ordered(found: re.Match[str]) -> Written | None:
    """A date in figures with the year last, where one order is declared or in the calendar."""
    a, b, year = int(found["a"]), int(found["b"]), int(found["y"])
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    place = Written(found.start(), found.end(), found.group())
    orders = {Order.MONTH_FIRST: (a, b), Order.DAY_FIRST: (b, a)}
    days = {order: one for order, one in orders.items() if _day(year, *one)}
    declared = _declared.get().order
    meant = {one for order, one in days.items() if declared in ("", order)}
    if len(meant) == 1:
        ((month, day),) = meant
        return replace(place, year=year, month=month, day=day)
    return replace(place, unclear=True) if days else None


def _clocks(text: str) -> Iterator[Written]:
    for pattern in _CLOCKS:
        for found in pattern.finditer(text):
            parts = found.groupdict()
            hour = _hour(int(found["h"]), parts.get("half"), parts.get("am"))
            if hour is None:
                continue
            second = parts.get("s")
            yield _about(
                text,
                Written(
                    found.start(),
                    found.end(),
                    found.group(),
                    hour=hour,
                    minute=int(parts.get("m") or 0),
                    second=int(second) if second else None,
                    zone=(parts.get("z") or "").strip(),
                ),
            )


def _hour(hour: int, half: str | None, am: str | None) -> int | None:
    late = bool(am and am[0] in "pP") or half in _LATE
    early = bool(am) or half in ("오전", "午前", "上午", "새벽", "아침")
    if not late and not early:
        return hour
    if hour > 12 or (hour == 0 and am):
        return None if am else hour
    return hour % 12 + (12 if late else 0)


def _joined(text: str, first: Written, second: Written) -> Written | None:
    """One from a date and the time beside it, in either order."""
    if first.unclear or second.unclear or not _JOIN.fullmatch(text[first.end : second.start]):
        return None
    if first.dated and not first.timed and second.timed and not second.dated:
        date_, clock = first, second
    elif first.timed and not first.dated and second.dated and not second.timed:
        date_, clock = second, first
    else:
        return None
    return replace(
        clock,
        start=first.start,
        end=second.end,
        words=text[first.start : second.end],
        year=date_.year,
        month=date_.month,
        day=date_.day,
        approx=first.approx or second.approx,
    )


def _about(text: str, one: Written) -> Written:
    before = text[max(0, one.start - 15) : one.start]
    said = _ABOUT.search(before)
    # Between two times a tilde means "to".
    between = said and said.group().strip() in "~≈" and _TIME_ENDS.search(before[: said.start()])
    return replace(one, approx=True) if said and not between else one


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def settle(one: Written, near: Near) -> tuple[str | None, str]:
    """A written time in the form of `When.at`, and a note on what was added or is missing.

    Args:
        one: the time.
        near: what the document states for times that leave it out.

    Returns:
        The time, None when the document does not state enough of it; and a note, "" when it
        was read as it stands.
    """
    told = " ".join(one.words.split())
    if one.unclear:
        return None, f"{told}: {_doubt()}"
    if one.dated:
        return _settled_date(one, near, told)
    if near.day is None:
        return None, f"{told}: no day is stated"
    at, note = _at(one, near.day, near)
    return at, note or f"{told}: the day is taken from {near.where or 'the text before it'}"


def _doubt() -> str:
    if declared := _declared.get().order:
        return f"not in the calendar {declared}"
    return "day and month could be swapped; say which with --dates"


def _settled_date(one: Written, near: Near, told: str) -> tuple[str | None, str]:
    year = one.year or near.years()
    if year is None:
        return None, f"{told}: no year is stated"
    if (day := _day(year, one.month or 0, one.day or 0)) is None:
        return None, f"{told}: not in the calendar of {year}"
    at, note = _at(one, day, near)
    added = f"{told}: the year {year} is taken from {near.where or 'the text before it'}"
    return at, note or ("" if one.year else added)


def _at(one: Written, day: date, near: Near) -> tuple[str, str]:
    if one.hour is None:
        return day.isoformat(), ""
    at = datetime(day.year, day.month, day.day, one.hour, one.minute or 0, one.second or 0)
    shift = offset(one.zone or near.zone, at)
    form = "%H:%M:%S" if one.second is not None else "%H:%M"
    note = "" if shift is not None else f"{one.words}: the zone means more than one offset"
    local = f"{day.isoformat()}T{at.strftime(form)}{shift or ''}"
    return (zoned(local, _declared.get().zone) if shift == "" else None) or local, note


def day_in(times: Iterable[Written], near: Near) -> date | None:
    """The first day among written times, its year from what is near where it is left out."""
    for one in times:
        if one.dated:
            at, _ = settle(replace(one, hour=None), near)
            if at:
                return date.fromisoformat(at)
    return None


def nearest_year(one: Written, to: date) -> int | None:
    """The year in which a date without one lies nearest to a day; None for no date."""
    days = [
        d
        for y in (to.year - 1, to.year, to.year + 1)
        if one.month and one.day and (d := _day(y, one.month, one.day))
    ]
    return min(days, key=lambda d: abs(d - to)).year if days else None


def next_day(at: str) -> str:
    """The same time of `When.at` a day later."""
    return (date.fromisoformat(at[:10]) + timedelta(days=1)).isoformat() + at[10:]
