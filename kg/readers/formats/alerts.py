"""Alarms: Prometheus Alertmanager, Grafana, and CloudWatch (with or without its SNS wrapping).

An alarm goes off when a rule holds: that is when something was detected, not when it began.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from kg.errors import Problem
from kg.model import DateKind, SourceKind
from kg.readers.clock import moment
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats.format import Format, Reading
from kg.readers.jsonrecords import Entry, built, first_value
from kg.readers.jsonvalues import address, host, inside, joined, named, unwrapped, word, words
from kg.readers.sketch import Sketch

NAME = "alerts"
EXPORT = "Save the JSON that Alertmanager, Grafana or CloudWatch sends when an alarm goes off"

_SOURCE = re.compile(r"\A\s*[A-Z_]+ = \{\s*\"[^\"\n]*\": \{\s*(\"service\": [^\n]*\s*)?\"payload\"")
_TEXTS = words("description message runbook details")
_SERVICES = ("service", "service_name", "app", "application", "app_kubernetes_io_name")
_REGIONS = ("region", "zone", "availability_zone", "datacenter")


def sure(document: Document) -> float:
    """How surely a document holds alarms."""
    if _SOURCE.match(document.head):
        return 0.6
    record = next((r for _, r in _found(first_value(document))), None)
    if not isinstance(record, dict):
        return 0.0
    if isinstance(record.get("labels"), dict) and ("startsAt" in record or "activeAt" in record):
        return 0.95
    if "AlarmName" in record:
        return 0.9
    return (
        0.6 if isinstance(record.get("detail"), dict) and "alarmName" in record["detail"] else 0.0
    )


def read(document: Document) -> Reading:
    """The alarms of a document."""
    if _SOURCE.match(document.head):
        told = "is the source of a program with templates of alarms, so there is no alarm in it"
        yield Problem(document.name, 0, "", told, EXPORT)
        return
    yield from built(document, _found, _draft, EXPORT)


def _found(value: Any) -> Iterator[tuple[str, Any]]:
    for path, record in unwrapped(value, "alerts", "data", "Records"):
        yield _unpacked(path, record)


def _unpacked(path: str, record: Any) -> tuple[str, Any]:
    """An alarm of CloudWatch is a text of JSON within the message that carries it."""
    at = (
        next((k for k in ("Sns", "Message") if k in record), "") if isinstance(record, dict) else ""
    )
    if at == "Sns":
        return _unpacked(joined(path, at), record[at])
    inner = inside(record, "Message")
    if isinstance(inner, str):
        try:
            inner = json.loads(inner)
        except (ValueError, RecursionError):
            inner = None
    return (joined(path, at), inner) if isinstance(inner, dict) else (path, record)


def _draft(entry: Entry) -> Draft | Problem:
    record = entry.record
    if isinstance(record.get("labels"), dict):
        return _prometheus(entry)
    detail = record.get("detail")
    if "AlarmName" in record or (isinstance(detail, dict) and "alarmName" in detail):
        return _cloudwatch(entry)
    return entry.problem("is no alarm that can be read", EXPORT)


def _prometheus(entry: Entry) -> Draft | Problem:
    record = entry.record
    labels: dict[str, Any] = record["labels"]
    notes = record.get("annotations")
    notes = notes if isinstance(notes, dict) else {}
    alarm = word(labels.get("alertname"))
    sketch = Sketch(NAME, entry, notes.get("summary") or alarm)
    url = record.get("generatorURL") or inside(entry.around, "externalURL")
    begun = moment(record.get("startsAt") or record.get("activeAt"))
    print_ = word(record.get("fingerprint"))
    sketch.source_id = f"{print_}-{begun}" if print_ and begun else ""  # it may go off again
    sketch.system, sketch.address = host(url) or NAME, address(url)
    sketch.severity = word(labels.get("severity"))
    sketch.when(DateKind.DETECTED, begun)
    state = word(record.get("status")) or word(inside(record, "status", "state"))
    end = moment(record.get("endsAt"))
    if state == "resolved" and end and end > "1970":  # the year 1 stands for "not yet"
        sketch.when(DateKind.ENDED, end)
    sketch.say_plain("detection", alarm, "alertname")
    for key in sorted(_TEXTS & set(notes)):
        sketch.say("symptom", notes.get(key), key)
    for key in ("dashboardURL", "panelURL", "runbook_url"):
        sketch.link(record.get(key) or notes.get(key))
    sketch.services(n for key in _SERVICES for n in named(labels.get(key)))
    sketch.regions(n for key in _REGIONS for n in named(labels.get(key)))
    skipped = {"alertname", "severity", *_SERVICES, *_REGIONS}
    rest = {k: word(v) for k, v in labels.items() if k not in skipped and word(v)}
    sketch.labels([f"{key}: {value}" for key, value in rest.items()], "labels")
    return sketch.draft(SourceKind.LOG)


def _cloudwatch(entry: Entry) -> Draft | Problem:
    record, detail = entry.record, entry.record.get("detail")
    event = detail if isinstance(detail, dict) else {}
    name = word(record.get("AlarmName")) or word(event.get("alarmName"))
    state = word(record.get("NewStateValue")) or word(inside(event, "state", "value"))
    if state not in ("", "ALARM"):
        told = f"says that the alarm {name!r} is {state}; nothing went off"
        return entry.problem(told, "Leave it out")
    sketch = Sketch(NAME, entry, record.get("AlarmDescription") or name)
    at = record.get("StateChangeTime") or inside(event, "state", "timestamp")
    arn = word(record.get("AlarmArn")) or name
    sketch.source_id = f"{arn}-{moment(at)}" if moment(at) else ""
    sketch.system = "cloudwatch"
    sketch.when(DateKind.DETECTED, at)
    sketch.say_plain("detection", name, "AlarmName")
    reason = record.get("NewStateReason") or inside(event, "state", "reason")
    sketch.say_plain("symptom", reason, "NewStateReason")
    trigger = record.get("Trigger")
    metric = word(inside(trigger, "MetricName")) or word(record.get("MetricName"))
    sketch.say_plain("detection", metric, "MetricName")
    space = inside(trigger, "Namespace") or record.get("Namespace")
    sketch.labels(named(space), "Namespace")
    sketch.services(named(record.get("Application")))
    sketch.regions(named(record.get("Region") or record.get("region")))
    return sketch.draft(SourceKind.LOG)


FORMAT = Format(
    name=NAME,
    about="alarms of Prometheus Alertmanager, Grafana and CloudWatch",
    suffixes=(".json", ".jsonl"),
    sure=sure,
    read=read,
)
