"""FireHydrant: incidents of its API and their retrospectives.

Its milestones say when it started, was detected, mitigated and resolved. The duration of a
milestone is that of one phase, neither time to detect nor time to recover.
"""

from __future__ import annotations

from typing import Any

from kg.errors import Problem
from kg.model import ClaimKind, DateKind, SourceKind
from kg.readers.clock import moment
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats.format import Format, Reading
from kg.readers.jsonrecords import Entry, built, first_value
from kg.readers.jsonvalues import address, host, inside, named, objects, unwrapped, word
from kg.readers.sketch import Sketch, labelled

NAME = "firehydrant"
EXPORT = "Export the incidents: GET /v1/incidents"

_MILESTONES = {
    "started": DateKind.STARTED,
    "detected": DateKind.DETECTED,
    "mitigated": DateKind.MITIGATED,
    "resolved": DateKind.ENDED,
}


def sure(document: Document) -> float:
    """How surely a document is of FireHydrant."""
    record = next((r for _, r in unwrapped(first_value(document), "data", "incidents")), None)
    if not isinstance(record, dict):
        return 0.0
    if "milestones" in record and "name" in record:
        return 0.95
    if "current_milestone" in record or _is_service(record):
        return 0.9
    return 0.0


def _is_service(record: dict[str, Any]) -> bool:
    return "service_tier" in record and "slug" in record and "active_incidents" in record


def read(document: Document) -> Reading:
    """The incidents of FireHydrant."""
    return built(document, lambda value: unwrapped(value, "data", "incidents"), _draft, EXPORT)


def _draft(entry: Entry) -> Draft | Problem:
    record = entry.record
    if _is_service(record):
        return entry.problem("is a service of FireHydrant, not an incident", EXPORT)
    if "milestones" not in record and "current_milestone" not in record:
        return entry.problem("is no incident of FireHydrant (no milestones)", EXPORT)
    sketch = Sketch(NAME, entry, record.get("name"))
    sketch.source_id = word(record.get("id"))
    sketch.address = address(record.get("incident_url"))
    sketch.system = host(record.get("incident_url")) or NAME
    sketch.severity = word(record.get("severity")) or word(record.get("priority"))
    sketch.organization = word(inside(record, "organization", "name"))
    sketch.updated = moment(record.get("updated_at")) or ""
    _times(sketch, record)
    _texts(sketch, record)
    for key in ("services", "functionalities"):
        sketch.services(named(record.get(key)))
    sketch.services(named([inside(i, "impact") for i in objects(record.get("impacts"))]))
    sketch.labels(named(record.get("tag_list")), "tag_list")
    sketch.labels(named(record.get("environments")), "environments")
    sketch.people(record.get("created_by"))
    sketch.people(*(r.get("user") for r in objects(record.get("role_assignments"))))
    for ticket in [*objects(record.get("incident_tickets")), *objects(record.get("ticket"))]:
        sketch.link(ticket.get("link") or ticket.get("url"))
    return sketch.draft(SourceKind.TICKET)


def _times(sketch: Sketch, record: dict[str, Any]) -> None:
    reached = {word(m.get("type")): m.get("occurred_at") for m in objects(record.get("milestones"))}
    sketch.when(DateKind.STARTED, reached.get("started") or record.get("started_at"))
    for name, kind in _MILESTONES.items():
        sketch.when(kind, reached.get(name))
    sketch.when(DateKind.PUBLISHED, record.get("created_at"))


def _texts(sketch: Sketch, record: dict[str, Any]) -> None:
    sketch.say("summary", record.get("summary"), "summary")
    sketch.say("summary", record.get("description"), "description")
    sketch.say("impact", record.get("customer_impact_summary"), "customer_impact_summary")
    for impact in objects(record.get("impacts")):
        what, condition = (
            word(inside(impact, "impact", "name")),
            word(inside(impact, "condition", "name")),
        )
        if what and condition:
            sketch.say_plain("impact", f"{what}: {condition}", "impacts")
    if (count := word(record.get("customers_impacted"))) not in ("", "0"):
        sketch.say_plain("affected_users", count, "customers_impacted")
    for key in ("last_update", "last_note"):
        note = record.get(key)
        sketch.say("summary", inside(note, "body") if isinstance(note, dict) else note, key)
    for factor in objects(record.get("contributing_factors")):
        sketch.say("summary", factor.get("summary"), "contributing_factors")
        sketch.given(ClaimKind.FACTOR, named(factor, "summary"), "contributing_factors")
    sketch.say("lesson", record.get("lessons_learned"), "lessons_learned")
    for question in objects(record.get("questions")):
        labelled(sketch, word(question.get("title")), question.get("body"), "questions")
    for custom in objects(record.get("custom_fields")):
        name = word(custom.get("display_name")) or word(custom.get("name"))
        labelled(sketch, name, custom.get("value_string") or custom.get("value"), name)


FORMAT = Format(
    name=NAME,
    about="FireHydrant incidents",
    suffixes=(".json", ".jsonl"),
    sure=sure,
    read=read,
)
