"""Opsgenie: incidents and alerts of its API, alerts of its webhooks.

An alert is created when it fires: that is when something was detected. An incident states when its
impact began and ended; where it does not, its creation is only when it was written down.
"""

from __future__ import annotations

import re
from typing import Any

from kg.errors import Problem
from kg.model import DateKind, SourceKind
from kg.readers.clock import moment
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats.format import Format, Reading
from kg.readers.jsonrecords import Entry, built, first_value
from kg.readers.jsonvalues import address, host, inside, named, objects, unwrapped, word
from kg.readers.sketch import Sketch, labelled

NAME = "opsgenie"
EXPORT = "Export the incidents (GET /v1/incidents) or alerts (GET /v2/alerts)"

_MARKS = ("tinyId", "impactedServices", "ownerTeam", "ownerTeamId", "responders", "integrationName")
_MILLIS = re.compile(r"\d{16,19}")


def sure(document: Document) -> float:
    """How surely a document is of Opsgenie."""
    record = next((r for _, r in unwrapped(first_value(document), "data", "alert")), None)
    if not isinstance(record, dict):
        return 0.0
    if "message" in record and any(mark in record for mark in _MARKS):
        return 0.9
    return 0.9 if _is_service(record) else 0.0


def _is_service(record: dict[str, Any]) -> bool:
    return "teamId" in record and host(inside(record, "links", "api")).endswith("opsgenie.com")


def read(document: Document) -> Reading:
    """The incidents and alerts of Opsgenie."""
    return built(document, lambda value: unwrapped(value, "data", "alert"), _draft, EXPORT)


def _draft(entry: Entry) -> Draft | Problem:
    record = entry.record
    if "message" not in record:
        told = (
            "is a service of Opsgenie, not an incident" if _is_service(record) else "is no incident"
        )
        return entry.problem(told, EXPORT)
    sketch = Sketch(NAME, entry, record.get("message"))
    sketch.source_id = word(record.get("id")) or word(record.get("alertId"))
    web = inside(record, "links", "web")
    sketch.address, sketch.system = address(web), host(web) or NAME
    sketch.severity = word(record.get("priority"))
    sketch.updated = moment(record.get("updatedAt")) or ""
    alert = "impactedServices" not in record and "impactStartDate" not in record
    created = DateKind.DETECTED if alert else DateKind.PUBLISHED
    sketch.when(created, _seconds(record.get("createdAt")))
    sketch.when(DateKind.STARTED, record.get("impactStartDate"))
    sketch.when(DateKind.ENDED, record.get("impactEndDate"))
    sketch.say("symptom" if alert else "summary", record.get("description"), "description")
    sketch.services(named(record.get("impactedServices"), "name"))
    if named(record.get("impactedServices"), "name", "id") and not sketch.has_services():
        told = "the services are given by id only; they are left out"
        sketch.note(
            told, "Write their names in place of the ids, if you want them", "impactedServices"
        )
    sketch.services(named(record.get("entity")))
    sketch.labels(named(record.get("tags")), "tags")
    for key in ("extraProperties", "details"):
        extra = record.get(key)
        for name, value in (extra if isinstance(extra, dict) else {}).items():
            labelled(sketch, name, value, key)
    for note in objects(record.get("notes")):
        sketch.say("summary", note.get("note"), f"note {word(note.get('createdAt'))}".strip())
        sketch.people(note.get("owner"))
    _people(sketch, record)
    return sketch.draft(SourceKind.TICKET)


def _seconds(value: object) -> object:
    """Webhooks write times in nanoseconds as well."""
    text = word(value)
    return text[:10] if _MILLIS.fullmatch(text) else value


def _people(sketch: Sketch, record: dict[str, Any]) -> None:
    sketch.people(record.get("owner"), record.get("username"))
    sketch.people(inside(record, "report", "acknowledgedBy"), inside(record, "report", "closedBy"))
    if "@" in word(record.get("source")):
        sketch.people(record["source"])
    for responder in objects(record.get("responders")):
        if word(responder.get("type")) == "user":
            sketch.people(responder.get("name"), responder.get("username"))


FORMAT = Format(
    name=NAME,
    about="Opsgenie incidents and alerts: API and webhooks",
    suffixes=(".json", ".jsonl"),
    sure=sure,
    read=read,
)
