"""OpenTelemetry logs in JSON: recognised, to say that log records are no incident."""

from __future__ import annotations

from kg.errors import Problem
from kg.readers.document import Document
from kg.readers.formats.format import Format, Reading
from kg.readers.jsonrecords import first_value
from kg.readers.jsonvalues import inside, objects

NAME = "otel"

_KINDS = {"resourceLogs": "log records", "resourceSpans": "spans", "resourceMetrics": "metrics"}


def sure(document: Document) -> float:
    """How surely a document is an export of OpenTelemetry."""
    value = first_value(document)
    return 0.95 if any(isinstance(inside(value, key), list) for key in _KINDS) else 0.0


def read(document: Document) -> Reading:
    """One problem that says what the document is."""
    value = first_value(document)
    kind = next((key for key in _KINDS if isinstance(inside(value, key), list)), "")
    records = [
        record
        for resource in objects(inside(value, kind))
        for scope in objects(resource.get("scopeLogs"))
        for record in objects(scope.get("logRecords"))
    ]
    count = f"{len(records)} " if records else ""
    told = f"holds {count}{_KINDS.get(kind, 'nothing')} of OpenTelemetry, not an incident"
    yield Problem(document.name, 0, kind, told, "Ask with its lines instead: kg diagnose")


FORMAT = Format(
    name=NAME,
    about="OpenTelemetry logs: no incidents; refused with a reason",
    suffixes=(".json", ".jsonl"),
    sure=sure,
    read=read,
)
