"""Time zones as people name them: `PST`, `Pacific Time`, `UTC+9`, `한국 시간`."""

from __future__ import annotations

import re
from datetime import datetime
from zoneinfo import ZoneInfo

from kg.readers.clock import zone_of

_FIXED = {
    "z": "Z", "utc": "Z", "gmt": "Z", "wet": "Z", "협정 세계시": "Z", "협정세계시": "Z",
    "pst": "-08:00", "pdt": "-07:00", "mst": "-07:00", "mdt": "-06:00", "cdt": "-05:00",
    "est": "-05:00", "edt": "-04:00", "akst": "-09:00", "akdt": "-08:00", "hst": "-10:00",
    "cet": "+01:00", "cest": "+02:00", "eet": "+02:00", "eest": "+03:00", "msk": "+03:00",
    "kst": "+09:00", "jst": "+09:00", "sgt": "+08:00", "hkt": "+08:00", "aest": "+10:00",
    "aedt": "+11:00", "nzst": "+12:00", "nzdt": "+13:00",
    "한국 시간": "+09:00", "한국시간": "+09:00", "한국 표준시": "+09:00", "日本時間": "+09:00",
    "日本标准时间": "+09:00", "北京时间": "+08:00", "北京時間": "+08:00",
}  # fmt: skip
"""Names that mean one offset."""

_BY_SEASON = {
    "pt": "America/Los_Angeles", "pacific time": "America/Los_Angeles",
    "us/pacific": "America/Los_Angeles", "et": "America/New_York",
    "eastern time": "America/New_York", "us/eastern": "America/New_York",
    "ct": "America/Chicago", "central time": "America/Chicago", "us/central": "America/Chicago",
    "mt": "America/Denver", "mountain time": "America/Denver",
}  # fmt: skip
"""Names whose offset depends on the day."""

_UNCLEAR = ("cst", "ist", "bst", "ast")
"""Names that mean different offsets in different countries."""

_NAMES = sorted((*_FIXED, *_BY_SEASON, *_UNCLEAR), key=len, reverse=True)
_LATIN = "|".join(re.escape(n) for n in _NAMES if n.isascii() and n not in ("z",))
_OTHER = "|".join(re.escape(n) for n in _NAMES if not n.isascii())

ZONE = (
    rf"(?:(?i:(?:UTC|GMT))\s?[+-]\d{{1,2}}(?::?\d{{2}})?(?!\d)|(?i:{_LATIN})(?![\w/])|Z(?!\w)"
    rf"|{_OTHER}|(?<=\d)\s?[+-]\d{{2}}:?\d{{2}}(?![\d:]))"
)
"""A regular expression for a zone as people write it; no group in it."""

_SHIFT = re.compile(r"(?:UTC|GMT)?\s?([+-])(\d{1,2}):?(\d{2})?", re.I)
_STATED = re.compile(
    rf"\ball (?:of the )?(?:times|timestamps)\b[^.\n]{{0,30}}?({ZONE})"
    rf"|\btimes?(?: are)?(?: given| shown| listed)? in ({ZONE})"
    rf"|(?:모든|아래)\s*(?:시간|시각)[^.\n]{{0,15}}?({ZONE})"
    rf"|(?:시간대|타임존|timezone|time zone)\s*[:：]\s*({ZONE})"
    rf"|(?:時刻|时间)[^。\n]{{0,12}}?({ZONE})",
    re.I,
)


def offset(name: str, at: datetime) -> str | None:
    """The offset of a named zone at a local time, as `When.at` has it; "" for no name.

    None when the name means different offsets in different countries, or is not known.
    """
    key = " ".join(name.lower().split()).strip("()")
    if not key or key in _FIXED:
        return _FIXED.get(key, "")
    if where := _BY_SEASON.get(key):
        return _in_season(where, at)
    if (found := _SHIFT.fullmatch(key)) and int(found[2]) <= 14:
        return zone_of(f"{found[1]}{int(found[2]):02}:{found[3] or '00'}")
    return None


def _in_season(where: str, at: datetime) -> str | None:
    """The offset in a place; None where the machine has no table of zones."""
    try:
        return zone_of(at.replace(tzinfo=ZoneInfo(where)).strftime("%z"))
    except (OSError, ValueError, KeyError):
        return None


def stated_zone(text: str) -> str:
    """The zone that a document states for all its times ("All times in UTC"), "" for none."""
    found = _STATED.search(text)
    return next((g.strip() for g in found.groups() if g), "") if found else ""
