"""AWS Health: answers of its API, events on EventBridge, and the public status data.

The public data write `[RESOLVED]` before the summary of the message that ends an event; their
times are seconds since 1970 as text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kg.errors import Problem
from kg.model import DateKind, SourceKind
from kg.readers.clock import moment
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats.format import Format, Reading
from kg.readers.jsonrecords import Entry, built, first_value
from kg.readers.jsonvalues import inside, joined, named, objects, unwrapped, word
from kg.readers.plaintext import html_text
from kg.readers.sketch import Sketch

NAME = "awshealth"
EXPORT = (
    "Export `aws health describe-event-details`, or save the public events of the AWS status page"
)

_RESOLVED = "[RESOLVED]"
_CATEGORIES = {
    "accountNotification": "is a notice to an account, not an incident",
    "scheduledChange": "is a scheduled change, not an incident",
}


def sure(document: Document) -> float:
    """How surely a document is of AWS Health."""
    record = next((r for _, r in _found(first_value(document))), None)
    if not isinstance(record, dict):
        return 0.0
    if word(record.get("source")) == "aws.health" or "eventTypeCode" in _event(record):
        return 0.95
    public = "service_name" in record and ("event_log" in record or "region_name" in record)
    old = "service_name" in record and "description" in record and "details" in record
    return 0.9 if public or old else 0.0


def read(document: Document) -> Reading:
    """The events of AWS Health."""
    return built(document, _found, _draft, EXPORT)


def _found(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict) and value and all(_is_log(v) for v in value.values()):
        for service, events in value.items():  # the public history, by service
            for i, one in enumerate(events):
                yield joined(service, i), one
    elif isinstance(value, dict) and isinstance(value.get("archive"), list):
        for key in ("current", "archive"):
            for i, one in enumerate(objects(value.get(key))):
                yield joined(key, i), one
    elif not (isinstance(value, dict) and value.get("events") == []):
        yield from unwrapped(value, "successfulSet", "events", "currentEvents")


def _is_log(value: object) -> bool:
    first = inside(value, 0)
    return isinstance(first, dict) and "service_name" in first


def _event(record: dict[str, Any]) -> dict[str, Any]:
    inner = record.get("event") or record.get("detail")
    return inner if isinstance(inner, dict) else record


def _draft(entry: Entry) -> Draft | Problem:
    if "service_name" in entry.record:
        return _public(entry)
    event = _event(entry.record)
    if "eventTypeCode" not in event:
        return entry.problem("is no event of AWS Health (no eventTypeCode)", EXPORT)
    if other := _CATEGORIES.get(word(event.get("eventTypeCategory"))):
        return entry.problem(other, "Nothing needs to be done; issues are read")
    sketch = Sketch(NAME, entry, event.get("eventTypeCode"))
    sketch.source_id = word(event.get("arn") or event.get("eventArn"))
    sketch.system = "aws"
    sketch.updated = moment(event.get("lastUpdatedTime")) or ""
    sketch.when(DateKind.STARTED, event.get("startTime"))
    if word(event.get("statusCode")) in ("closed", ""):
        sketch.when(DateKind.ENDED, event.get("endTime"))
    sketch.services(named(event.get("service")))
    sketch.regions(named(event.get("region") or event.get("eventRegion")))
    sketch.regions(named(event.get("availabilityZone")))
    descriptions = event.get("eventDescription") or entry.record.get("eventDescription")
    for one in objects(descriptions):
        sketch.say_plain("summary", one.get("latestDescription"), "eventDescription")
    if not objects(descriptions):
        told = "the event has no description; describe-events leaves it out"
        sketch.note(told, "Export `aws health describe-event-details` as well")
    return sketch.draft(SourceKind.DOCUMENT)


def _public(entry: Entry) -> Draft | Problem:
    record = entry.record
    summary = word(record.get("summary"))
    title = summary.removeprefix(_RESOLVED).strip()
    sketch = Sketch(NAME, entry, title)
    sketch.source_id = word(record.get("arn")) or "-".join(
        part for part in (word(record.get("service")), word(record.get("date"))) if part
    )
    sketch.system = "aws"
    sketch.running = True
    log = sorted(objects(record.get("event_log")), key=lambda e: moment(e.get("timestamp")) or "~")
    sketch.when(DateKind.STARTED, record.get("date") or inside(log, 0, "timestamp"))
    over = (e for e in log if word(e.get("summary")).startswith(_RESOLVED))
    sketch.when(DateKind.ENDED, next(over, {}).get("timestamp"))
    sketch.services(named(record.get("service_name")))
    sketch.regions(named(record.get("region_name")))
    for one in log:
        sketch.read(
            "summary", html_text(word(one.get("message"))), moment(one.get("timestamp")) or ""
        )
    sketch.read("summary", html_text(word(record.get("description"))), "description")
    if summary.startswith(_RESOLVED) and not log:
        told = "its texts name times of day only; when it was resolved is not read from them"
        sketch.note(told, "Add the end, if you know it")
    return sketch.draft(SourceKind.DOCUMENT)


FORMAT = Format(
    name=NAME,
    about="AWS Health: describe-events, describe-event-details, EventBridge, public status data",
    suffixes=(".json", ".jsonl"),
    sure=sure,
    read=read,
)
