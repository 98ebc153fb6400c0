"""Datadog incidents: answers of its API (JSON:API), one or many.

Its durations are seconds, 0 where none is known. Time to recover is taken from `time_to_repair`,
the length of the impact on customers; `time_to_resolve` runs from the report, and is not taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kg.errors import Problem
from kg.model import DateKind, Duration, SourceKind
from kg.readers.clock import moment
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats.format import Format, Reading
from kg.readers.jsonrecords import Entry, built, first_value
from kg.readers.jsonvalues import inside, named, objects, unwrapped, word
from kg.readers.sketch import Sketch, labelled

NAME = "datadog"
EXPORT = "Export the incidents: GET /api/v2/incidents?include=users"

_MARKS = (
    "customer_impacted", "customer_impact_scope", "customer_impact_start",
    "customer_impact_duration", "time_to_internal_response", "notification_handles",
)  # fmt: skip
_TIMES = {
    "customer_impact_start": DateKind.STARTED,
    "detected": DateKind.DETECTED,
    "customer_impact_end": DateKind.MITIGATED,
    "resolved": DateKind.ENDED,
    "created": DateKind.PUBLISHED,
}
_LENGTHS = {"time_to_detect": "time_to_detect", "time_to_repair": "time_to_recover"}
_SHOWN = ("state", "teams")
"""Fields of the form that say nothing of the event itself."""


def _sure(document: Document) -> float:
    record = next((r for _, r in unwrapped(first_value(document), "data")), None)
    if not isinstance(record, dict) or word(record.get("type")) != "incidents":
        return 0.0
    attributes = record.get("attributes")
    if not isinstance(attributes, dict):
        return 0.0
    return 0.97 if any(mark in attributes for mark in _MARKS) else 0.0


def _read(document: Document) -> Reading:
    return built(document, lambda value: unwrapped(value, "data"), _draft, EXPORT)


def _draft(entry: Entry) -> Draft | Problem:
    kind, record = word(entry.record.get("type")), entry.record.get("attributes")
    if kind != "incidents" or not isinstance(record, dict):
        return entry.problem(f"is {kind or 'something'} of Datadog, not an incident", EXPORT)
    if record.get("is_test") is True:
        return entry.problem("is a test, not an incident", "Nothing needs to be done")
    sketch = Sketch(NAME, entry, record.get("title"))
    sketch.source_id, sketch.system = word(entry.record.get("id")), NAME
    sketch.severity = _severity(record)
    sketch.updated = moment(record.get("modified")) or ""
    for key, date in _TIMES.items():
        sketch.when(date, record.get(key))
    for key, field in _LENGTHS.items():
        setattr(sketch, field, _length(record.get(key)))
    sketch.say("impact", record.get("customer_impact_scope"), "customer_impact_scope")
    _fields(sketch, record.get("fields"))
    _people(sketch, entry, record)
    return sketch.draft(SourceKind.TICKET)


def _severity(record: Mapping[str, Any]) -> str:
    stated = word(record.get("severity")) or word(inside(record, "fields", "severity", "value"))
    return "" if stated == "UNKNOWN" else stated


def _length(value: object) -> Duration | None:
    known = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e10
    return Duration(seconds=round(value)) if known and isinstance(value, int | float) else None


def _fields(sketch: Sketch, fields: object) -> None:
    """The form that each organisation lays out as it likes: `name: {type, value}`."""
    if not isinstance(fields, dict):
        return
    for name, held in fields.items():
        value = held.get("value") if isinstance(held, dict) else None
        if name in (*_SHOWN, "severity") or value in (None, "", []):
            continue
        if not labelled(sketch, str(name), value, f"fields.{name}"):
            shown = ", ".join(named(value)) or word(value)
            sketch.note(f"not read: {name} ({shown[:60]})", "Write a mapping file for it")


def _people(sketch: Sketch, entry: Entry, record: Mapping[str, Any]) -> None:
    for key in ("commander", "created_by", "last_modified_by"):
        sketch.people(record.get(key))
    for handle in objects(record.get("notification_handles")):
        sketch.people(word(handle.get("display_name")), word(handle.get("handle")))
    for one in objects(inside(entry.around, "included")):
        if word(one.get("type")) == "users":
            sketch.people(one.get("attributes"))


FORMAT = Format(
    name=NAME,
    about="Datadog incidents: JSON:API",
    suffixes=(".json", ".jsonl"),
    sure=_sure,
    read=_read,
)
