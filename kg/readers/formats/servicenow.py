"""ServiceNow: records of the Table API (incident, problem).

A field is a text, or an object of `display_value` and `value`. Times come without a zone: they are
in UTC or in the zone of whoever exported them. The record does not tell which, so none is added.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from kg.errors import Problem
from kg.model import DateKind, Duration, SourceKind, parse_duration
from kg.readers.clock import moment
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats.format import Format, Reading
from kg.readers.jsonrecords import Entry, built, first_value
from kg.readers.jsonvalues import host, inside, unwrapped, word
from kg.readers.plaintext import html_text
from kg.readers.sketch import Sketch

NAME = "servicenow"
EXPORT = "Export the incident table: GET /api/now/table/incident?sysparm_display_value=all"

_CODES = {"6": "resolved", "7": "closed", "8": "canceled"}
"""The states of an incident that matter here, as ServiceNow ships them."""

_OVER = ("resolved", "closed", "closed complete", "해결됨", "종료", "종료됨", "닫힘")
_TEXTS = {
    "description": "symptom",
    "business_impact": "impact",
    "cause": "cause",
    "cause_notes": "cause",
    "u_root_cause": "cause",
    "workaround": "mitigation",
    "close_notes": "mitigation",
    "fix_notes": "mitigation",
    "comments": "summary",
    "work_notes": "summary",
    "comments_and_work_notes": "summary",
}
_SERVICES = ("business_service", "service_offering", "cmdb_ci")
_PEOPLE = ("caller_id", "opened_by", "assigned_to", "resolved_by", "closed_by", "reopened_by",
           "sys_created_by", "sys_updated_by")  # fmt: skip
_CODE_BLOCK = re.compile(r"\[code\](.*?)\[/code\]", re.DOTALL)
_AUTHOR = re.compile(r"^\d[\d/. -]* [\d:]+(?: [AP]M)? - (.+?) \([^()\n]*\)$", re.M)
_ZONED = re.compile(r"(?:Z|[+-]\d\d:?\d\d)$")
_AFTER_1970 = re.compile(r"(19[78]\d-\d\d-\d\d) (\d\d:\d\d:\d\d)")


def sure(document: Document) -> float:
    """How surely a document is of the Table API of ServiceNow."""
    record = next((r for _, r in unwrapped(first_value(document), "result")), None)
    if not isinstance(record, dict):
        return 0.0
    if "sys_id" in record and ("short_description" in record or "number" in record):
        return 0.95
    return 0.8 if "sys_created_on" in record or "short_description" in record else 0.0


def read(document: Document) -> Reading:
    """The records of the Table API."""
    return built(document, lambda value: unwrapped(value, "result"), ticket, EXPORT)


def ticket(entry: Entry) -> Draft | Problem:
    """One record as a draft, or what it is instead."""
    record = entry.record
    if "short_description" not in record and "description" not in record:
        return entry.problem("is no ticket of ServiceNow (no short_description)", EXPORT)
    sketch = Sketch(NAME, entry, _shown(record, "short_description"))
    sketch.source_id = _shown(record, "number") or _raw(record, "sys_id")
    sketch.system = _host(record) or NAME
    sketch.severity = _shown(record, "severity") or _shown(record, "priority")
    sketch.organization = _name(record, "company")
    sketch.updated = moment(_raw(record, "sys_updated_on")) or ""
    for key, field in _TEXTS.items():
        _say(sketch, field, key, record)
    _times(sketch, record)
    sketch.services(name for key in _SERVICES if (name := _name(record, key)))
    if any(_raw(record, key) for key in _SERVICES) and not sketch.has_services():
        told = "the services are given by sys_id only; they are left out"
        sketch.note(told, "Export with sysparm_display_value=all", "business_service")
    sketch.regions(name for key in ("location",) if (name := _name(record, key)))
    for key in ("category", "subcategory"):
        sketch.labels([n for n in [_name(record, key)] if n], key)
    sketch.related(
        n for key in ("parent_incident", "problem_id", "caused_by") if (n := _ticket(record, key))
    )
    sketch.duplicates(n for n in [_ticket(record, "duplicate_of")] if n)
    sketch.people(*(_name(record, key) for key in _PEOPLE))
    return sketch.draft(SourceKind.TICKET)


def _shown(record: dict[str, Any], key: str) -> str:
    value = record.get(key)
    return word(inside(value, "display_value")) or word(inside(value, "value")) or word(value)


def _raw(record: dict[str, Any], key: str) -> str:
    value = record.get(key)
    return word(inside(value, "value")) or word(value)


def _name(record: dict[str, Any], key: str) -> str:
    """The name of what a field refers to; "" when there is only its sys_id."""
    shown = _shown(record, key)
    return "" if re.fullmatch(r"[0-9a-f]{32}", shown) else shown


def _ticket(record: dict[str, Any], key: str) -> str:
    return name if re.fullmatch(r"[A-Z]{2,8}\d{4,}", name := _name(record, key)) else ""


def _host(record: dict[str, Any]) -> str:
    return next((h for value in record.values() if (h := host(inside(value, "link")))), "")


def _say(sketch: Sketch, field: str, key: str, record: dict[str, Any]) -> None:
    value = record.get(key)
    text = (
        inside(value, "display_value") or inside(value, "value")
        if isinstance(value, dict)
        else value
    )
    if isinstance(text, str):
        sketch.people(*_AUTHOR.findall(text))
    if isinstance(text, str) and _CODE_BLOCK.search(text):  # journal entries carry HTML so
        sketch.read(field, html_text(_CODE_BLOCK.sub(r"\1", text)), key)
    else:
        sketch.say_plain(field, text, key)


def _times(sketch: Sketch, record: dict[str, Any]) -> None:
    sketch.when(DateKind.PUBLISHED, _raw(record, "opened_at") or _raw(record, "sys_created_on"))
    code = _raw(record, "state") or _raw(record, "incident_state")
    state = _CODES.get(code, _shown(record, "state").lower())
    over = state in _OVER or not state
    ended = _raw(record, "resolved_at")
    if over:
        sketch.when(DateKind.ENDED, ended)
    elif ended:
        told = f"resolved_at is given, but its state is {state!r}: it is not taken as the end"
        sketch.note(told, "Export it again when it is resolved", "resolved_at")
    if over and not ended and _raw(record, "closed_at"):
        told = "closed_at is when the ticket was closed, not when the incident ended"
        sketch.note(told, "Add the end, if you know it", "closed_at")
    given = [_raw(record, key) for key in ("opened_at", "sys_created_on", "resolved_at")]
    if any(at and not _ZONED.search(at) for at in given):
        told = "times of ServiceNow come without a zone and are kept without"
        sketch.note(told, "Export raw values, which are in UTC, and say so", "opened_at")
    if over:
        sketch.time_to_recover = _resolve_time(record)


def _resolve_time(record: dict[str, Any]) -> Duration | None:
    """`calendar_stc`, the resolve time in seconds; else `calendar_duration`, its other form."""
    seconds = _raw(record, "calendar_stc")
    if re.fullmatch(r"\d{1,10}", seconds):
        return Duration(seconds=float(seconds), text=f"{seconds} s")
    written = _raw(record, "calendar_duration")
    if found := _AFTER_1970.fullmatch(written):  # a length of time as a moment after 1970
        try:
            since = datetime.fromisoformat(written) - datetime(1970, 1, 1)
        except ValueError:
            return None
        return Duration(seconds=since.total_seconds(), text=found[0])
    return parse_duration(_shown(record, "calendar_duration"))


FORMAT = Format(
    name=NAME,
    about="ServiceNow records of the Table API in JSON",
    suffixes=(".json", ".jsonl"),
    sure=sure,
    read=read,
)
