"""Times as machines write them: ISO 8601, RFC 2822, seconds or milliseconds since 1970.

What a person wrote (`30/Sep/21 17:20`, `Oct 3, 14:05 UTC`) is not read here.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

_ISO = re.compile(
    r"(?P<day>\d{4}-\d{2}-\d{2})"
    r"(?:[T ](?P<minute>\d{2}:\d{2})(?P<second>:\d{2})?(?:[.,]\d+)?"
    r"\s?(?P<zone>Z|UTC|[+-]\d{2}:?(?:\d{2})?)?)?"
)
_EPOCH = re.compile(r"-?\d{9,10}(?:\.\d+)?|\d{12,13}")
_MILLISECONDS = 10**11
_RFC = re.compile(r"(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}")


def moment(value: object) -> str | None:
    """A time in the form of `When.at`, with the zone that it was written in; None if it is none.

    Args:
        value: a text, or a number of seconds (or, from 10**11, milliseconds) since 1970, also as
            text. A number is read so only here: whoever calls knows that the field is a time.

    Fractions of a second are dropped. A time without zone stays without. What is not in the
    calendar is none.
    """
    text = str(value).strip() if isinstance(value, str | int | float) else ""
    if isinstance(value, bool) or not text:
        return None
    if _EPOCH.fullmatch(text):
        return _since_1970(float(text))
    if found := _ISO.fullmatch(text):
        return _possible("".join(_iso_parts(found)))
    return _rfc(text) if _RFC.match(text) else None


def _iso_parts(found: re.Match[str]) -> list[str]:
    if not found["minute"]:
        return [found["day"]]
    return [found["day"], "T", found["minute"], found["second"] or "", zone_of(found["zone"] or "")]


def zone_of(written: str) -> str:
    """A zone as `When.at` has it: `Z` or `+09:00`; "" for none."""
    if written in ("Z", "UTC"):
        return "Z"
    digits = written.replace(":", "")
    if not digits:
        return ""
    zone = f"{digits[:3]}:{digits[3:] or '00'}"
    return "Z" if zone == "+00:00" else zone


def _since_1970(number: float) -> str | None:
    seconds = number / 1000 if abs(number) >= _MILLISECONDS else number
    try:
        at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=int(seconds))
    except (OverflowError, ValueError):
        return None
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def _rfc(text: str) -> str | None:
    try:
        at = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    written = at.strftime("%Y-%m-%dT%H:%M:%S")
    return written + (zone_of(at.strftime("%z")) if at.tzinfo else "")


def _possible(at: str) -> str | None:
    try:
        datetime.fromisoformat(at.replace("Z", "+00:00"))
    except ValueError:
        return None
    return at
