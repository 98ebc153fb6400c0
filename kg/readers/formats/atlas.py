"""Case studies of MITRE ATLAS in YAML (or JSON): one, a list, or a whole data file.

An exercise of a red team is no incident; it is read as a study, so that it enters no statistics.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

import yaml

from kg.errors import Problem
from kg.model import CaseKind, ClaimKind, DateKind, SourceKind, When
from kg.model.text import one_line
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats.format import Format, Reading
from kg.readers.jsonrecords import Entry
from kg.readers.jsonvalues import address, inside, joined, named, objects, word
from kg.readers.plainwords import kind_of
from kg.readers.sketch import Sketch

NAME = "atlas"
EXPORT = "Save a case study of MITRE ATLAS as YAML, or ATLAS.yaml as a whole"

_MARK = re.compile(
    r"^[ \t-]*[\"']?(object-type[\"']?:[ \t]*[\"']?case-study\b|"
    r"(case-studies|case-study-type|incident-date-granularity)[\"']?:)",
    re.MULTILINE,
)
_TEMPLATE = re.compile(r"\{\{\s*([\w.-]+?)(?:\.id)?\s*\}\}")
_DIGITS = {"YEAR": 4, "MONTH": 7, "DATE": 10}
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DEEP = 200
_MARKS_IN_A_ROW = re.compile(rf"(?:[-?:][ \t]+){{{_DEEP}}}")
_NOT_YAML = (yaml.YAMLError, ValueError, TypeError, LookupError, AttributeError, OverflowError,
             RecursionError)  # fmt: skip
"""All that the parser raises for texts that are no YAML."""


def sure(document: Document) -> float:
    """How surely a document holds case studies of ATLAS."""
    return 0.9 if _MARK.search(document.text) else 0.0


def read(document: Document) -> Reading:
    """The case studies of ATLAS."""
    parts = _parsed(document)
    if isinstance(parts, Problem):
        yield parts
        return
    count = 0
    for i, part in enumerate(parts):
        for path, record in _found(part):
            count += 1
            place = path if len(parts) == 1 else joined(str(i), path) if path else str(i)
            if isinstance(record, dict):
                yield _safely(Entry(document.name, record, place, 0, part))
            else:
                told = f"is {kind_of(record)} where a case study is expected"
                yield Problem(document.name, 0, place, told, EXPORT)
    if not count:
        yield Problem(document.name, 0, "", "there is no case study in it", EXPORT)


def _parsed(document: Document) -> list[Any] | Problem:
    """The documents of a YAML stream; nothing in them is executed."""
    if _nested(document.text):
        told = f"the YAML is nested more than {_DEEP} deep"
        return Problem(document.name, 0, "", told, "Save the case study without its wrapping")
    try:
        return list(yaml.load_all(document.text, Loader=_LOADER))
    except _NOT_YAML as error:
        line = getattr(getattr(error, "problem_mark", None), "line", None)
        told = f"not YAML: {one_line(str(getattr(error, 'problem', None) or error))}"
        number = line + 1 if isinstance(line, int) else 0
        return Problem(document.name, number, "", told, "Save the file again, whole")


def _nested(text: str) -> bool:
    """Whether brackets or list marks are nested too deep; the parser is slow or fails there."""
    depth = 0
    for sign in re.finditer(r"[\[{\]}]", text):
        depth = depth + 1 if sign[0] in "[{" else max(0, depth - 1)
        if depth > _DEEP:
            return True
    return _MARKS_IN_A_ROW.search(text) is not None


def _safely(entry: Entry) -> Draft | Problem:
    try:
        return _draft(entry)
    except RecursionError:  # YAML can name itself
        return entry.problem("the record is nested too deep, or within itself", EXPORT)


def _found(value: Any) -> Iterator[tuple[str, Any]]:
    listed = inside(value, "case-studies")
    if isinstance(listed, list):
        yield from ((joined("case-studies", i), one) for i, one in enumerate(listed))
    elif isinstance(inside(value, "study"), dict):
        yield "study", value["study"]
    elif isinstance(value, list):
        yield from ((str(i), one) for i, one in enumerate(value))
    elif value is not None:
        yield "", value


def _draft(entry: Entry) -> Draft | Problem:
    record = entry.record
    if "procedure" not in record and "incident-date" not in record and "summary" not in record:
        return entry.problem("is no case study of ATLAS (no procedure, no incident-date)", EXPORT)
    sketch = Sketch(NAME, entry, record.get("name"))
    sketch.source_id = word(record.get("id"))
    sketch.system = "atlas.mitre.org"
    sketch.updated = _day(record.get("modified_date") or record.get("modified-date"))
    sketch.say("summary", _plain(record.get("summary")), "summary")
    for step in objects(record.get("procedure")):
        technique = _plain(step.get("technique"))
        sketch.say(
            "summary",
            _plain(step.get("description")),
            f"{_plain(step.get('tactic'))} {technique}".strip(),
        )
        sketch.given(ClaimKind.TRIGGER, [technique] if technique else [], "procedure.technique")
    if when := _when(record):
        sketch.add_date(when)
    published = _day(record.get("created_date") or record.get("created-date"))
    sketch.when(DateKind.PUBLISHED, published)
    sketch.services(named(record.get("target")))
    for reference in objects(record.get("references")):
        url = reference.get("url")
        sketch.address = sketch.address or address(url)
        sketch.link(url)
    exercise = word(record.get("case-study-type")) == "exercise"
    if exercise:
        sketch.note(
            "it is an exercise, not an incident; read as a study", "Nothing needs to be done"
        )
    draft = sketch.draft(SourceKind.DOCUMENT)
    return replace(draft, kind=CaseKind.STUDY) if exercise and isinstance(draft, Draft) else draft


def _plain(value: object) -> str:
    """A text with its references (`{{ name.id }}`) as the names that they hold."""
    return _TEMPLATE.sub(lambda m: m[1], value) if isinstance(value, str) else word(value)


def _day(value: object) -> str:
    return value.isoformat()[:10] if isinstance(value, date) else word(value)


def _when(record: dict[str, Any]) -> When | None:
    """The date of the incident, no finer than it is said to be known."""
    known = word(record.get("incident-date-granularity")).upper()
    try:
        at = _day(record.get("incident-date"))[: _DIGITS.get(known, 10)]
        return When(kind=DateKind.STARTED, at=at)
    except ValueError:
        return None


FORMAT = Format(
    name=NAME,
    about="case studies of MITRE ATLAS in YAML",
    suffixes=(".yaml", ".yml", ".json"),
    sure=sure,
    read=read,
)
