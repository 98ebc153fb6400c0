"""Status dashboards of Google Cloud and Google Workspace: `incidents.json`."""

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
from kg.readers.jsonvalues import named, objects, prose, unwrapped, word
from kg.readers.plaintext import marked_text
from kg.readers.sketch import Sketch

NAME = "gcp"
EXPORT = "Save https://status.cloud.google.com/incidents.json"

_CLOUD = "https://status.cloud.google.com"
_WORKSPACE = "https://www.google.com/appsstatus/dashboard"
_OFFICE = re.compile(
    r"gmail|(google )?(calendar|chat|docs|drive|forms|groups|keep|meet|sheets|slides|sites|tasks|"
    r"voice|vault|workspace.*|classroom)|admin console|apps script|classic hangouts",
    re.IGNORECASE,
)


def sure(document: Document) -> float:
    """How surely a document is a status dashboard of Google."""
    record = next((r for _, r in unwrapped(first_value(document), "incidents")), None)
    if not isinstance(record, dict) or "external_desc" not in record:
        return 0.0
    return 0.95 if "begin" in record or "service_name" in record else 0.0


def read(document: Document) -> Reading:
    """The incidents of a dashboard."""
    return built(document, lambda value: unwrapped(value, "incidents"), _draft, EXPORT)


def _draft(entry: Entry) -> Draft | Problem:
    record = entry.record
    if "external_desc" not in record:
        return entry.problem("is no incident of a Google dashboard (no external_desc)", EXPORT)
    said = prose(record.get("external_desc"))
    blocks = marked_text(said).text.split("\n")
    sketch = Sketch(NAME, entry, blocks[0])
    sketch.running = True
    sketch.meanings = {"diagnosis": "symptom"}  # what customers may see
    if "\n" in said:
        sketch.say("summary", said, "external_desc")
    sketch.source_id = word(record.get("id")) or _old_id(record)
    sketch.severity = word(record.get("severity"))
    sketch.updated = moment(record.get("modified")) or ""
    sketch.when(DateKind.STARTED, record.get("begin"))
    sketch.when(DateKind.ENDED, record.get("end"))
    sketch.when(DateKind.PUBLISHED, record.get("created"))
    products = named(record.get("affected_products"), "title", "name")
    sketch.services(products or named(record.get("service_name")))
    _site(sketch, record, products)
    for update in sorted(objects(record.get("updates")), key=_at):
        heading = f"{word(update.get('status'))} {word(update.get('when'))}".strip()
        sketch.say("summary", update.get("text"), heading)
        sketch.regions(named(update.get("affected_locations"), "title", "id"))
    for key in ("currently_affected_locations", "previously_affected_locations"):
        sketch.regions(named(record.get(key), "title", "id"))
    return sketch.draft(SourceKind.DOCUMENT)


def _old_id(record: dict[str, Any]) -> str:
    """Before 2020 a number counted the incidents of one service."""
    parts = (word(record.get("service_key")), word(record.get("number")))
    return "-".join(part for part in parts if part)


def _at(update: dict[str, Any]) -> str:
    # These dashboards write all their times in UTC.
    return moment(update.get("when")) or moment(update.get("created")) or "~"


def _site(sketch: Sketch, record: dict[str, Any], products: list[str]) -> None:
    names = products or [word(record.get("service_name"))]
    site = _WORKSPACE if all(_OFFICE.fullmatch(name) for name in names) else _CLOUD
    sketch.system = site.removeprefix("https://").removesuffix("/dashboard")
    if uri := word(record.get("uri")).lstrip("/"):
        sketch.address = f"{site}/{uri}"


FORMAT = Format(
    name=NAME,
    about="status dashboard of Google Cloud or Google Workspace (incidents.json)",
    suffixes=(".json",),
    sure=sure,
    read=read,
)
