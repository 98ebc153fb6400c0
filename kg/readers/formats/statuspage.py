"""Status pages in the JSON of Atlassian Statuspage: the page's own API, webhooks, the manage API.

The first update is the beginning, where the page gives no `started_at`; a `resolved` one, with no
other after it, is the end. `identified` and `monitoring` are no times of detection or mitigation.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from kg.errors import Problem
from kg.model import DateKind, SourceKind, When
from kg.model.days import moment_of
from kg.readers.clock import moment
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats.format import Format, Reading
from kg.readers.formats.statushistory import history_draft, history_months
from kg.readers.jsonrecords import Entry, built, first_value
from kg.readers.jsonvalues import address, host, inside, joined, objects, unwrapped, word
from kg.readers.sketch import Sketch

NAME = "statuspage"
EXPORT = "Export /api/v2/incidents.json of the page, or /v1/pages/PAGE/incidents of the manage API"

_FIELDS = {"investigating": "symptom", "monitoring": "mitigation"}
"""Where the text of an update belongs; all others are told in the summary."""

_NO_COMPONENT = "No components were affected"
"""What pages write in place of the name of a component where there is none."""

_OVER = ("resolved", "postmortem", "completed")


def sure(document: Document) -> float:
    """How surely a document is of Statuspage."""
    value = first_value(document)
    if isinstance(value, dict) and "page" in value and _is_page(value):
        return 0.95
    record = next((r for _, r in unwrapped(value, "incidents", "incident")), None)
    if not isinstance(record, dict):
        return 0.0
    if history_months(value):
        return 0.9
    if isinstance(record.get("incident_updates"), list):
        return 0.95
    return 0.9 if ("page_id" in record and "id" in record) or _is_update(record) else 0.0


def _is_page(value: dict[str, Any]) -> bool:
    parts = ("incidents", "incident", "scheduled_maintenances", "components", "status",
             "component_update")  # fmt: skip
    return isinstance(value["page"], dict) and any(part in value for part in parts)


def _is_update(record: dict[str, Any]) -> bool:
    return "incident_id" in record and "body" in record and "display_at" in record


def read(document: Document) -> Reading:
    """The incidents of a status page."""
    return built(document, _found, _draft, EXPORT)


def _found(value: Any) -> Iterator[tuple[str, Any]]:
    if months := history_months(value):
        yield from months
    elif not isinstance(value, dict) or "incidents" in value or "incident" in value:
        yield from unwrapped(value, "incidents", "incident")
    elif isinstance(value.get("scheduled_maintenances"), list):
        for i, one in enumerate(value["scheduled_maintenances"]):
            yield joined("scheduled_maintenances", i), one
    elif "page" not in value or "component_update" in value:
        yield "", value


def _draft(entry: Entry) -> Draft | Problem:
    record = entry.record
    if "timestamp" in record and "code" in record:
        return history_draft(NAME, entry)
    if problem := _misfit(entry):
        return problem
    page = inside(entry.around, "page")
    sketch = Sketch(NAME, entry, record.get("name"))
    sketch.running = True
    sketch.source_id = word(record.get("id"))
    sketch.system = host(inside(page, "url")) or word(record.get("page_id") or inside(page, "id"))
    sketch.severity = word(record.get("impact_override") or record.get("impact"))
    sketch.organization = word(inside(page, "name"))
    sketch.address = address(record.get("shortlink"))
    sketch.updated = moment(record.get("updated_at")) or ""
    updates = _in_order(record.get("incident_updates"))
    for update in updates:
        status = word(update.get("status"))
        sketch.say(_FIELDS.get(status, "summary"), update.get("body"), _heading(update))
    _times(sketch, record, updates)
    sketch.services(_services(record, updates))
    sketch.running = False
    sketch.say("summary", record.get("postmortem_body"), "postmortem")
    return sketch.draft(
        SourceKind.POSTMORTEM if word(record.get("postmortem_body")) else SourceKind.DOCUMENT
    )


def _misfit(entry: Entry) -> Problem | None:
    record = entry.record
    if _is_update(record) and "name" not in record:
        told = (
            f"is one update of the incident {word(record['incident_id'])!r}, without the incident"
        )
        return entry.problem(told, EXPORT)
    if record.get("impact") == "maintenance" or word(record.get("scheduled_for")):
        return entry.problem(
            "is scheduled maintenance, not an incident", "Nothing needs to be done"
        )
    if "incident_updates" in record or "impact" in record:
        return None
    if "component_update" in record or "group_id" in record or "automation_email" in record:
        return entry.problem("is a component of a status page, not an incident", EXPORT)
    return entry.problem("is no incident of a status page (no incident_updates)", EXPORT)


def _in_order(updates: object) -> list[dict[str, Any]]:
    """Updates by time, the oldest first; pages write the newest first. Those without come last."""
    late = datetime.max.isoformat()

    def at(update: dict[str, Any]) -> str:
        written = moment(update.get("display_at")) or moment(update.get("created_at"))
        if not written:
            return late
        return moment_of(When(kind=DateKind.STARTED, at=written)).replace(tzinfo=None).isoformat()

    oldest_first = objects(updates)[::-1]
    return sorted(oldest_first, key=at)


def _heading(update: dict[str, Any]) -> str:
    return f"{word(update.get('status'))} {_shown(update)}".strip()


def _shown(update: dict[str, Any]) -> str:
    return word(update.get("display_at")) or word(update.get("created_at"))


def _times(sketch: Sketch, record: dict[str, Any], updates: list[dict[str, Any]]) -> None:
    sketch.when(DateKind.PUBLISHED, record.get("created_at"))
    first = updates[0] if updates else {}
    if word(record.get("started_at")):
        sketch.when(DateKind.STARTED, record["started_at"])
    elif word(first.get("status")) in _OVER:
        told = "the first update says already that it is resolved, so no beginning is stated"
        sketch.note(told, "Add the time when it began, if you know it", "incident_updates")
    else:
        sketch.when(DateKind.STARTED, _shown(first) or record.get("created_at"))
    sketch.when(DateKind.ENDED, _end(record, updates))


def _end(record: dict[str, Any], updates: list[dict[str, Any]]) -> str:
    """When it was resolved, if it stayed so."""
    if word(record.get("status")) not in (*_OVER, ""):
        return ""
    last = ""
    for update in reversed(updates):
        if word(update.get("status")) not in _OVER:
            break
        if word(update.get("status")) != "postmortem":
            last = _shown(update)
    return last or word(record.get("resolved_at"))


def _services(record: dict[str, Any], updates: list[dict[str, Any]]) -> list[str]:
    """Components; the updates write `group - name` for one that the incident names alone."""
    names = {word(c.get("id")): word(c.get("name")) for c in objects(record.get("components"))}
    for update in updates:
        for component in objects(update.get("affected_components")):
            code = word(component.get("code"))
            if code == "placeholder" or word(component.get("name")).startswith(_NO_COMPONENT):
                continue
            names.setdefault(code or word(component.get("name")), word(component.get("name")))
    return [name for name in names.values() if name]


FORMAT = Format(
    name=NAME,
    about="status page of Atlassian Statuspage in JSON: incidents.json, history.json, manage API",
    suffixes=(".json", ".jsonl"),
    sure=sure,
    read=read,
)
