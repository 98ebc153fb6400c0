"""incident.io: incidents of its API (versions 1 and 2) and of its webhooks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kg.errors import Problem
from kg.model import DateKind, Duration, SourceKind
from kg.readers.clock import moment
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats.format import Format, Reading
from kg.readers.jsonrecords import Entry, built, first_value
from kg.readers.jsonvalues import address, host, inside, joined, named, objects, unwrapped, word
from kg.readers.sketch import Sketch, labelled

NAME = "incidentio"
EXPORT = "Export the incidents: GET /v2/incidents"

_TIMES = {
    "impact started": DateKind.STARTED,
    "started at": DateKind.STARTED,
    "incident started": DateKind.STARTED,
    "detected at": DateKind.DETECTED,
    "identified at": DateKind.DETECTED,
    "reported at": DateKind.PUBLISHED,
    "declared at": DateKind.PUBLISHED,
    "mitigated at": DateKind.MITIGATED,
    "fixed at": DateKind.MITIGATED,
    "impact ended": DateKind.ENDED,
    "resolved at": DateKind.ENDED,
}
"""The times that incident.io offers; others have names of the user's own."""

_UNREAL = ("test", "tutorial")
_OTHER = ("declined", "canceled", "cancelled", "merged")


def sure(document: Document) -> float:
    """How surely a document is of incident.io."""
    value = first_value(document)
    event = word(inside(value, "event_type"))
    if event.startswith(("public_incident.", "private_incident.")):
        return 0.95
    record = next((r for _, r in _found(value)), None)
    if not isinstance(record, dict):
        return 0.0
    marks = ("incident_status", "incident_timestamp_values", "incident_role_assignments")
    return 0.95 if any(mark in record for mark in marks) and "id" in record else 0.0


def read(document: Document) -> Reading:
    """The incidents of incident.io."""
    return built(document, _found, _draft, EXPORT)


def _found(value: Any) -> Iterator[tuple[str, Any]]:
    event = word(inside(value, "event_type"))
    if event and isinstance(value, dict) and event in value:
        inner = inside(value, event, "incident")
        yield (
            (joined(event, "incident"), inner) if isinstance(inner, dict) else (event, value[event])
        )
    else:
        yield from unwrapped(value, "incidents", "incident")


def _draft(entry: Entry) -> Draft | Problem:
    record = entry.record
    if not word(record.get("name")):
        told = "names no incident; private ones come with their id only"
        return entry.problem(told, EXPORT)
    if word(record.get("mode")) in _UNREAL:
        return entry.problem(f"is a {record['mode']}, not an incident", "Nothing needs to be done")
    sketch = Sketch(NAME, entry, record.get("name"))
    sketch.source_id = word(record.get("id"))
    sketch.address = address(record.get("permalink"))
    sketch.system = host(record.get("permalink")) or NAME
    sketch.severity = word(inside(record, "severity", "name"))
    sketch.updated = moment(record.get("updated_at")) or ""
    category = word(inside(record, "incident_status", "category"))
    if category in _OTHER:
        sketch.note(
            f"its status is {category}: it may not have been an incident", "Leave it out if so"
        )
    sketch.say("summary", record.get("summary"), "summary")
    sketch.say("summary", inside(record, "postmortem_document", "content"), "postmortem")
    _times(sketch, record)
    for custom in objects(record.get("custom_field_entries")):
        _custom(sketch, custom)
    sketch.labels(named(record.get("incident_type")), "incident_type")
    sketch.people(inside(record, "creator", "user"))
    sketch.people(*(r.get("assignee") for r in objects(record.get("incident_role_assignments"))))
    sketch.link(record.get("postmortem_document_url"))
    sketch.link(inside(record, "external_issue_reference", "issue_permalink"))
    return sketch.draft(SourceKind.TICKET)


def _times(sketch: Sketch, record: dict[str, Any]) -> None:
    stamps = objects(record.get("incident_timestamp_values")) or objects(record.get("timestamps"))
    for stamp in stamps:
        name = word(inside(stamp, "incident_timestamp", "name")) or word(stamp.get("name"))
        value = inside(stamp, "value", "value") or stamp.get("last_occurred_at")
        if kind := _TIMES.get(name.lower()):
            sketch.when(kind, value)
    sketch.when(DateKind.PUBLISHED, record.get("created_at"))
    for metric in objects(record.get("duration_metrics")):
        name = word(inside(metric, "duration_metric", "name")).lower()
        seconds = metric.get("value_seconds")
        if (
            isinstance(seconds, bool)
            or not isinstance(seconds, int | float)
            or not 0 <= seconds < 1e12
        ):
            continue
        duration = Duration(seconds=float(seconds), text=f"{seconds} s")
        if name in ("time to detect", "time to detection"):
            sketch.time_to_detect = duration
        elif name in (
            "time to resolve",
            "time to recover",
            "time to resolution",
            "incident duration",
        ):
            sketch.time_to_recover = duration


def _custom(sketch: Sketch, custom: dict[str, Any]) -> None:
    name = word(inside(custom, "custom_field", "name"))
    values: list[Any] = []
    for value in objects(custom.get("values")):
        option = inside(value, "value_option", "value") or inside(
            value, "value_catalog_entry", "name"
        )
        values.append(option or value.get("value_text") or value.get("value_numeric"))
        sketch.link(value.get("value_link"))
    if values and not labelled(sketch, name, values, name):
        sketch.labels([f"{name}: {one}" for one in named(values)], name)


FORMAT = Format(
    name=NAME,
    about="incident.io incidents: API and webhooks",
    suffixes=(".json", ".jsonl"),
    sure=sure,
    read=read,
)
