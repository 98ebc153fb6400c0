"""The `history.json` of a status page: months with incidents, their times without a year."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from kg.errors import Problem
from kg.model import DateKind, SourceKind
from kg.readers.draft import Draft
from kg.readers.jsonrecords import Entry
from kg.readers.jsonvalues import inside, joined, objects, word
from kg.readers.plaintext import html_text
from kg.readers.sketch import Sketch

_DAY = r"([A-Z][a-z]{2}) (\d{1,2}), "
_SPAN = re.compile(rf"{_DAY}(\d\d:\d\d)(?: - (?:{_DAY})?(\d\d:\d\d))?(?: ([A-Z]{{2,5}}))?")


def history_months(value: object) -> list[tuple[str, Any]]:
    """The incidents of all months with their paths; empty when a value is no history."""
    found: list[tuple[str, Any]] = []
    months = inside(value, "months")
    for i, month in enumerate(months if isinstance(months, list) else []):
        if "year" in (month if isinstance(month, dict) else {}):
            found += [
                (
                    joined(f"months.{i}.incidents", j),
                    {**one, "year": month["year"], "month": month.get("name")},
                )
                for j, one in enumerate(objects(month.get("incidents")))
            ]
    return found


def history_draft(format: str, entry: Entry) -> Draft | Problem:
    """One incident of a history; its year is that of its month."""
    record = entry.record
    if record.get("impact") == "maintenance":
        return entry.problem(
            "is scheduled maintenance, not an incident", "Nothing needs to be done"
        )
    sketch = Sketch(format, entry, html_text(word(record.get("name"))).text)
    sketch.source_id = word(record.get("code"))
    sketch.severity = word(record.get("impact"))
    sketch.say("summary", record.get("message"), "message")
    written = html_text(word(record.get("timestamp"))).text
    found = _SPAN.search(" ".join(written.split()))
    year = word(record.get("year"))
    if not found or not re.fullmatch(r"\d{4}", year):
        sketch.note(
            f"the time {written[:60]!r} is not understood", "Use incidents.json of the page"
        )
        return sketch.draft(SourceKind.DOCUMENT)
    month, day, begin, last_month, last_day, end, zone = found.groups()
    zoned = "Z" if zone in ("UTC", "GMT") else ""
    if not zoned:
        told = f"the zone {zone or '(none)'!r} is not one fixed offset; the times stay without one"
        sketch.note(told, "Use incidents.json of the page, which has offsets")
    if month == "Dec" and word(record.get("month")).startswith("Jan"):
        year = str(int(year) - 1)  # listed in the month in which it ended
    sketch.when(DateKind.STARTED, _at(year, month, day, begin) + zoned)
    if end:
        turned = str(int(year) + 1) if (month, last_month) == ("Dec", "Jan") else year
        sketch.when(DateKind.ENDED, _at(turned, last_month or month, last_day or day, end) + zoned)
    return sketch.draft(SourceKind.DOCUMENT)


def _at(year: str, month: str, day: str, minute: str) -> str:
    try:
        return (
            datetime.strptime(f"{year} {month} {day}", "%Y %b %d").strftime("%Y-%m-%d")
            + f"T{minute}"
        )
    except ValueError:
        return f"{month} {day} {year}, {minute}"
