"""Rootly: incidents and retrospectives of its JSON:API, and its webhooks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kg.errors import Problem
from kg.model import ClaimKind, DateKind, SourceKind
from kg.readers.clock import moment
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats.format import Format, Reading
from kg.readers.jsonrecords import Entry, built, first_value
from kg.readers.jsonvalues import address, host, inside, named, objects, unwrapped, word
from kg.readers.sketch import Sketch

NAME = "rootly"
EXPORT = "Export the incidents: GET /v1/incidents?include=causes,action_items,events"

_TIMES = {
    "started_at": DateKind.STARTED,
    "detected_at": DateKind.DETECTED,
    "mitigated_at": DateKind.MITIGATED,
    "resolved_at": DateKind.ENDED,
}
_TEXTS = {
    "summary": "summary",
    "mitigation_message": "mitigation",
    "resolution_message": "mitigation",
    "cancellation_message": "summary",
    "content": "summary",
}
_USERS = ("user", "started_by", "in_triage_by", "mitigated_by", "resolved_by", "closed_by",
          "cancelled_by")  # fmt: skip
_MARKS = ("sequential_id", "mitigation_message", "in_triage_at", "retrospective_progress_status",
          "show_timeline")  # fmt: skip
_ADDRESSES = ("jira_issue_url", "github_issue_url", "confluence_page_url", "google_drive_url",
              "pagerduty_incident_url", "service_now_incident_url",
              "opsgenie_incident_url")  # fmt: skip
_UNREAL = ("test", "test_sub", "example", "example_sub")


def sure(document: Document) -> float:
    """How surely a document is of Rootly."""
    value = first_value(document)
    record = next((r for _, r in unwrapped(value, "data")), None)
    if not isinstance(record, dict):
        return 0.0
    if isinstance(record.get("attributes"), dict) and _is_incident(record):
        return 0.95 if _own(record["attributes"]) else 0.6
    if word(inside(value, "event", "type")).startswith("incident.") and _own(record):
        return 0.95
    return 0.0


def _is_incident(record: dict[str, Any]) -> bool:
    return word(record.get("type")) in ("incidents", "incident", "incident_post_mortems")


def _own(attributes: dict[str, Any]) -> bool:
    return any(key in attributes for key in _MARKS)


def read(document: Document) -> Reading:
    """The incidents and retrospectives of Rootly."""
    return built(document, _found, _draft, EXPORT)


def _found(value: Any) -> Iterator[tuple[str, Any]]:
    yield from unwrapped(value, "data")


def _draft(entry: Entry) -> Draft | Problem:
    inner = entry.record.get("attributes")
    record: dict[str, Any] = {**entry.record, **inner} if isinstance(inner, dict) else entry.record
    if isinstance(inner, dict) and not _is_incident(entry.record):
        told = f"is {word(entry.record.get('type')) or 'something'} of Rootly, not an incident"
        return entry.problem(told, EXPORT)
    if word(record.get("kind")) in _UNREAL:
        return entry.problem("is a test or an example, not an incident", "Nothing needs to be done")
    if word(record.get("kind")).startswith("scheduled"):
        return entry.problem(
            "is scheduled maintenance, not an incident", "Nothing needs to be done"
        )
    sketch = Sketch(NAME, entry, record.get("title"))
    sketch.source_id = word(entry.record.get("id"))
    sketch.address = address(record.get("url"))
    sketch.system = host(record.get("url")) or NAME
    sketch.severity = _first(_names(record.get("severity")))
    sketch.updated = moment(record.get("updated_at")) or ""
    for key, kind in _TIMES.items():
        sketch.when(kind, record.get(key))
    sketch.when(DateKind.PUBLISHED, record.get("created_at"))
    if word(record.get("status")) == "cancelled":
        sketch.note(
            "it was cancelled: it may not have been an incident", "Leave it out if so", "status"
        )
    for key, field in _TEXTS.items():
        sketch.say(field, record.get(key), key)
    _classes(sketch, record)
    _included(sketch, entry)
    for key in _USERS:
        sketch.people(*_objects(record.get(key)))
    sketch.duplicates(named(record.get("duplicate_incident_id")))
    sketch.related(named(record.get("parent_incident_id")))
    for key in _ADDRESSES:
        sketch.link(record.get(key))
    return sketch.draft(SourceKind.POSTMORTEM if "show_timeline" in record else SourceKind.TICKET)


def _objects(value: object) -> list[dict[str, Any]]:
    """Objects of a relation: flat, or under `data` with their values under `attributes`."""
    inner = inside(value, "data")
    return [
        one["attributes"] if isinstance(one.get("attributes"), dict) else one
        for one in objects(value if inner is None else inner)
    ]


def _names(value: object) -> list[str]:
    return [word(value)] if word(value) else named(_objects(value), "name", "title")


def _first(names: list[str]) -> str:
    return names[0] if names else ""


def _classes(sketch: Sketch, record: dict[str, Any]) -> None:
    sketch.services(_names(record.get("services")) + _names(record.get("functionalities")))
    sketch.given(ClaimKind.CAUSE, _names(record.get("causes")), "causes")
    sketch.labels(_names(record.get("incident_types")), "incident_types")
    sketch.labels(_names(record.get("environments")), "environments")
    labels = record.get("labels")
    if isinstance(labels, dict):
        sketch.labels([f"{k}: {word(v)}" for k, v in labels.items() if word(v)], "labels")
    for label in objects(labels) if isinstance(labels, list) else []:
        sketch.labels([f"{word(label.get('key'))}: {word(label.get('value'))}"], "labels")


def _included(sketch: Sketch, entry: Entry) -> None:
    """What the answer carries beside the incident: events, action items, causes."""
    mine = {
        word(one.get("id"))
        for name in ("events", "action_items", "causes")
        for one in objects(inside(entry.record, "relationships", name, "data"))
    }
    for one in objects(inside(entry.around, "included")):
        attributes = one.get("attributes")
        if word(one.get("id")) not in mine or not isinstance(attributes, dict):
            continue
        kind = word(one.get("type"))
        if "action_item" in kind:
            text = attributes.get("description") or attributes.get("summary")
            sketch.say("follow_up", text, "action_items")
        elif "event" in kind:
            heading = f"event {word(attributes.get('occurred_at'))}".strip()
            sketch.say("summary", attributes.get("event"), heading)
        elif "cause" in kind:
            sketch.given(ClaimKind.CAUSE, named(attributes, "name"), "causes")


FORMAT = Format(
    name=NAME,
    about="Rootly incidents and retrospectives: JSON:API and webhooks",
    suffixes=(".json", ".jsonl"),
    sure=sure,
    read=read,
)
