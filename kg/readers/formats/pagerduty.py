"""PagerDuty: incidents of the REST API, webhooks of version 3 and 2.

An incident is created when an alarm or a person triggers it: that is when it was detected; when it
began is not stated. `last_status_change_at` is the end only of an incident that is resolved.
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
from kg.readers.jsonvalues import address, host, inside, joined, named, objects, unwrapped, word
from kg.readers.sketch import Sketch, labelled

NAME = "pagerduty"
EXPORT = "Export the incidents: GET /incidents of the REST API, or a webhook with incident events"

_INNER = ("incident", "data", "service")
_OWN = frozenset(("incident_number", "incident_key", "title", "escalation_policy"))
"""Keys of an incident, which has keys such as `service` of its own and is not taken apart."""

_OTHERS = ("service", "user", "team", "schedule", "escalation_policy", "alert", "log_entry",
           "incident_note", "incident_workflow_instance")  # fmt: skip


def sure(document: Document) -> float:
    """How surely a document is of PagerDuty."""
    value = first_value(document)
    event = inside(value, "event")
    if isinstance(event, dict) and "resource_type" in event and "event_type" in event:
        return 0.95
    record = next((r for _, r in _found(value)), None)
    if not isinstance(record, dict):
        return 0.0
    kind = word(record.get("type")).removesuffix("_reference")
    at_home = any(host(record.get(k)).endswith("pagerduty.com") for k in ("self", "html_url"))
    if kind == "incident" and ("incident_number" in record or "incident_key" in record or at_home):
        return 0.95
    return 0.9 if at_home and kind in _OTHERS else 0.0


def read(document: Document) -> Reading:
    """The incidents of PagerDuty."""
    return built(document, _found, _draft, EXPORT)


def _found(value: Any) -> Iterator[tuple[str, Any]]:
    for path, record in unwrapped(value, "incidents", "messages", "event", "services"):
        inner = ""
        if isinstance(record, dict) and not _OWN.intersection(record):
            inner = next((k for k in _INNER if isinstance(record.get(k), dict)), "")
        yield (joined(path, inner), record[inner]) if inner else (path, record)


def _draft(entry: Entry) -> Draft | Problem:
    record = entry.record
    kind = word(record.get("type")).removesuffix("_reference")
    if kind not in ("incident", "") or not ("title" in record or "summary" in record):
        told = (
            f"is {_a(kind)} of PagerDuty, not an incident" if kind in _OTHERS else "is no incident"
        )
        return entry.problem(told, EXPORT)
    title = word(record.get("title")) or word(record.get("summary"))
    sketch = Sketch(NAME, entry, title)
    sketch.source_id = word(record.get("id"))
    sketch.address = address(record.get("html_url"))
    sketch.system = host(record.get("html_url")) or NAME
    sketch.severity = next(iter(named(record.get("priority"), "summary", "name")), "")
    sketch.severity = sketch.severity or word(record.get("urgency"))
    sketch.updated = moment(record.get("updated_at")) or ""
    sketch.services(named(record.get("service"), "summary", "name"))
    sketch.services(named(record.get("impacted_services"), "summary", "name"))
    _times(sketch, record)
    _texts(sketch, record, title)
    _people(sketch, record)
    sketch.duplicates(named(inside(record, "resolve_reason", "incident"), "id"))
    return sketch.draft(SourceKind.TICKET)


def _a(kind: str) -> str:
    return ("an " if kind[:1] in "aeiou" else "a ") + kind.replace("_", " ")


def _times(sketch: Sketch, record: dict[str, Any]) -> None:
    sketch.when(DateKind.DETECTED, record.get("created_at") or record.get("created_on"))
    if word(inside(record, "resolve_reason", "type")) == "merge_resolve_reason":
        told = "it was merged into another one; that is not taken as its end"
        sketch.note(told, "Nothing needs to be done", "resolve_reason")
    elif word(record.get("status")) == "resolved":
        ends = (
            word(record.get(key))
            for key in ("resolved_at", "last_status_change_at", "last_status_change_on")
        )
        event = inside(sketch.entry.around, "event")
        told = (
            inside(event, "occurred_at")
            if inside(event, "event_type") == "incident.resolved"
            else ""
        )
        end = next((at for at in (*ends, word(told)) if at), "")
        sketch.when(DateKind.ENDED, end)
        if not end:
            sketch.note(
                "it is resolved, but not when", "Export it from the REST API", "resolved_at"
            )


def _texts(sketch: Sketch, record: dict[str, Any], title: str) -> None:
    if word(record.get("description")) != title:
        sketch.say("symptom", record.get("description"), "description")
    body = inside(record, "body", "details")
    sketch.say("symptom", body, "body")
    if isinstance(body, dict):
        for key, value in body.items():
            sketch.say_plain("symptom", f"{key}: {word(value)}" if word(value) else "", "body")
    first = record.get("first_trigger_log_entry")
    sketch.say("detection", inside(first, "summary"), "first_trigger_log_entry")
    sketch.say("symptom", inside(first, "channel", "details"), "first_trigger_log_entry")
    for note in [*objects(record.get("notes")), *objects(record.get("incident_notes"))]:
        sketch.say("summary", note.get("content"), f"note {word(note.get('created_at'))}".strip())
        sketch.people(note.get("user"))
    for custom in objects(record.get("custom_fields")):
        name = word(custom.get("display_name")) or word(custom.get("name"))
        labelled(sketch, name, custom.get("value"), name)


def _people(sketch: Sketch, record: dict[str, Any]) -> None:
    sketch.people(*(inside(a, "assignee") for a in objects(record.get("assignments"))))
    sketch.people(*(inside(a, "acknowledger") for a in objects(record.get("acknowledgements"))))
    sketch.people(
        record.get("assignees"), record.get("assigned_to_user"), record.get("resolved_by_user")
    )
    sketch.people(inside(sketch.entry.around, "event", "agent"))
    if word(inside(record, "last_status_change_by", "type")).startswith("user"):
        sketch.people(record.get("last_status_change_by"))


FORMAT = Format(
    name=NAME,
    about="PagerDuty incidents: REST API, webhooks of version 3 and 2",
    suffixes=(".json", ".jsonl"),
    sure=sure,
    read=read,
)
