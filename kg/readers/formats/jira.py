"""Jira: issues of its REST API, search results and webhooks, in wiki mark-up or ADF.

`created` is when the ticket was written. `resolutiondate` is the end only where the resolution says
that something was resolved; times spent on work are not times to recover.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kg.errors import Problem
from kg.model import DateKind, Duration, SourceKind
from kg.readers.clock import moment
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats.format import Format, Reading
from kg.readers.headings import field_of
from kg.readers.jiratext import document_text, wiki_text
from kg.readers.jsonrecords import Entry, built, first_value
from kg.readers.jsonvalues import host, inside, named, objects, unwrapped, word
from kg.readers.sketch import Sketch, labelled

NAME = "jira"
EXPORT = "Export the issues: GET /rest/api/2/search?jql=…&expand=names,changelog"

_NOT_AN_END = re.compile(
    r"duplicate|won.?t|cannot|can.?t|invalid|incomplete|not a|declined|abandoned|obsolete|"
    r"중복|재현|무효|보류",
    re.IGNORECASE,
)
_PEOPLE = ("assignee", "reporter", "creator")
_DETECT = ("time to detect", "ttd", "mttd", "감지까지", "감지 시간")
_RECOVER = ("time to recover", "time to resolve", "time to resolution", "time to restore", "ttr",
            "mttr", "복구까지", "복구 시간")  # fmt: skip
_UNITS = {"ms": 0.001, "milliseconds": 0.001, "s": 1, "sec": 1, "seconds": 1, "초": 1, "m": 60,
          "min": 60, "minutes": 60, "분": 60, "h": 3600, "hours": 3600, "시간": 3600}  # fmt: skip


def sure(document: Document) -> float:
    """How surely a document is of Jira."""
    record = next((r for _, r in _found(first_value(document))), None)
    fields = inside(record, "fields")
    if not isinstance(fields, dict) or not word(inside(record, "key")):
        return 0.0
    marks = ("issuetype", "issuelinks", "resolutiondate", "project")
    return 0.95 if any(mark in fields for mark in marks) else 0.6 if "summary" in fields else 0.0


def read(document: Document) -> Reading:
    """The issues of Jira."""
    return built(document, _found, ticket, EXPORT)


def _found(value: Any) -> Iterator[tuple[str, Any]]:
    yield from unwrapped(value, "issues", "issue")


def ticket(entry: Entry) -> Draft | Problem:
    """One record as a draft, or what it is instead."""
    record, fields = entry.record, entry.record.get("fields")
    if not isinstance(fields, dict):
        return entry.problem("is no issue of Jira (no fields)", EXPORT)
    sketch = Sketch(NAME, entry, fields.get("summary"))
    sketch.source_id = word(record.get("key")) or word(record.get("id"))
    site = host(record.get("self"))
    sketch.system = site or NAME
    if site and sketch.source_id:
        sketch.address = f"https://{site}/browse/{sketch.source_id}"
    sketch.updated = moment(fields.get("updated")) or ""
    _say(sketch, "summary", fields.get("description"), "description")
    _say(sketch, "summary", fields.get("environment"), "environment")
    _custom(sketch, entry, fields)
    sketch.severity = sketch.severity or word(inside(fields, "priority", "name"))
    _times(sketch, record, fields)
    for comment in objects(inside(fields, "comment", "comments")):
        at = f"comment {word(comment.get('created'))}".strip()
        _say(sketch, "summary", comment.get("body"), at)
        sketch.people(comment.get("author"), comment.get("updateAuthor"))
    sketch.services(named(fields.get("components")))
    sketch.labels(named(fields.get("labels")), "labels")
    sketch.people(*(fields.get(key) for key in _PEOPLE))
    histories = objects(inside(record, "changelog", "histories"))
    sketch.people(*(h.get("author") for h in histories), inside(entry.around, "user"))
    _links(sketch, fields)
    return sketch.draft(SourceKind.TICKET)


def _say(sketch: Sketch, field: str, value: object, heading: str) -> None:
    if isinstance(value, dict):
        sketch.read(field, document_text(value), heading)
    elif isinstance(value, str):
        sketch.read(field, wiki_text(value), heading)


def _times(sketch: Sketch, record: dict[str, Any], fields: dict[str, Any]) -> None:
    sketch.when(DateKind.PUBLISHED, fields.get("created"))
    for history in objects(inside(record, "changelog", "histories")):
        for item in objects(history.get("items")):
            to = word(item.get("toString")).lower()
            if word(item.get("field")) == "status" and to in ("mitigated", "완화됨"):
                sketch.when(DateKind.MITIGATED, history.get("created"))
    resolution = word(inside(fields, "resolution", "name"))
    if _NOT_AN_END.search(resolution):
        told = f"resolved as {resolution!r}: that is not taken as the end of the incident"
        sketch.note(told, "Add the end, if you know it", "fields.resolutiondate")
    else:
        sketch.when(DateKind.ENDED, fields.get("resolutiondate"))


def _links(sketch: Sketch, fields: dict[str, Any]) -> None:
    for link in objects(fields.get("issuelinks")):
        kind = inside(link, "type")
        words = " ".join(word(inside(kind, key)) for key in ("name", "inward", "outward"))
        keys = [word(inside(link, side, "key")) for side in ("outwardIssue", "inwardIssue")]
        if re.search("duplicat|중복", words, re.IGNORECASE):
            sketch.duplicates(k for k in keys if k)
        else:
            sketch.related(k for k in keys if k)
    sketch.related(named(fields.get("parent"), "key"))
    sketch.related(named(fields.get("subtasks"), "key"))


def _custom(sketch: Sketch, entry: Entry, fields: dict[str, Any]) -> None:
    """Custom fields by the names that `expand=names` gives them."""
    names = inside(entry.around, "names") or inside(entry.record, "names")
    names = names if isinstance(names, dict) else {}
    unnamed = 0
    for key, value in fields.items():
        if not key.startswith("customfield_") or value in (None, "", [], {}):
            continue
        label = word(names.get(key)) or word(inside(value, "name"))
        if not label:
            unnamed += 1
        elif not _duration(sketch, label, value):
            if field_of(label) and isinstance(value, str | dict) and inside(value, "value") is None:
                _say(sketch, field_of(label), value, label)
            else:
                labelled(sketch, label, value, label)
    if unnamed:
        told = f"{unnamed} custom field{'s' * (unnamed != 1)} without a name left out"
        sketch.note(told, "Export with expand=names", "fields")


def _duration(sketch: Sketch, label: str, value: object) -> bool:
    """A time to detect or to recover: a number with its unit in the name, or an SLA."""
    plain = re.sub(r"[^\w\s]", " ", label.lower())
    words = plain.split()
    # A unit is a word after the name ("TTR (min)"), not part of it.
    name = next((n for n in (*_DETECT, *_RECOVER) if " ".join(words).startswith(n)), "")
    if not name:
        return False
    detected = name in _DETECT
    unit = next((u for u in " ".join(words).removeprefix(name).split() if u in _UNITS), "")
    cycles = inside(value, "completedCycles")
    millis = inside(cycles, -1, "elapsedTime", "millis")
    seconds: float | None = None
    text = word(inside(cycles, -1, "elapsedTime", "friendly"))
    if isinstance(millis, int | float) and 0 <= millis < 1e15:
        seconds = millis / 1000
    elif isinstance(value, int | float) and unit and 0 <= value < 1e12:
        seconds, text = value * _UNITS[unit], f"{value} {unit}"
    if seconds is None:
        told = f"{label!r} is no number with a unit; it is left out"
        sketch.note(told, "Put the unit into the name of the field, such as 'TTR (min)'", "fields")
    elif detected:
        sketch.time_to_detect = Duration(seconds=seconds, text=text or None)
    else:
        sketch.time_to_recover = Duration(seconds=seconds, text=text or None)
    return True


FORMAT = Format(
    name=NAME,
    about="Jira issues in JSON: REST API, search results, webhooks",
    suffixes=(".json", ".jsonl"),
    sure=sure,
    read=read,
)
