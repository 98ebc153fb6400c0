"""VERIS: incidents of the VERIS schema, as in the community database VCDB.

`timeline.discovery` counts from the start; `timeline.containment` counts from discovery, so it is
no time to recover. The duration of lost availability is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kg.errors import Problem
from kg.model import ClaimKind, DateKind, Duration, SourceKind, Status, When
from kg.readers.clock import moment
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats.format import Format, Reading
from kg.readers.jsonrecords import Entry, built, first_value
from kg.readers.jsonvalues import address, inside, named, objects, unwrapped, word
from kg.readers.sketch import Sketch

NAME = "veris"
EXPORT = "Export incidents of the VERIS schema, one JSON object each"

_UNITS = {"Seconds": 1, "Minutes": 60, "Hours": 3600, "Days": 86400, "Weeks": 604800,
          "Months": 2629746, "Years": 31556952}  # fmt: skip
"""In seconds; a month and a year are a twelfth and the whole of a mean Gregorian year."""

_ACTIONS = {"error": ClaimKind.CAUSE}
"""What a category of action is; those of attackers and of nature set an incident off."""

_EMPTY = ("Unknown", "Other", "NA", "N/A", "")


def sure(document: Document) -> float:
    """How surely a document is of VERIS."""
    record = next((r for _, r in _found(first_value(document))), None)
    if not isinstance(record, dict) or not isinstance(record.get("action"), dict):
        return 0.0
    return (
        0.95
        if any(key in record for key in ("security_incident", "victim", "schema_version"))
        else 0.0
    )


def read(document: Document) -> Reading:
    """The incidents of VERIS."""
    return built(document, _found, _draft, EXPORT)


def _found(value: Any) -> Iterator[tuple[str, Any]]:
    yield from unwrapped(value, "incidents")


def _draft(entry: Entry) -> Draft | Problem:
    record = entry.record
    if not isinstance(record.get("action"), dict):
        return entry.problem("is no incident of VERIS (no action)", EXPORT)
    sketch = Sketch(NAME, entry)
    sketch.source_id = word(record.get("incident_id"))
    sketch.system = word(record.get("source_id")) or NAME
    sketch.severity = word(inside(record, "impact", "overall_rating"))
    sketch.updated = moment(inside(record, "plus", "modified")) or ""
    status = (
        Status.CONFIRMED
        if word(record.get("security_incident")) == "Confirmed"
        else Status.SUSPECTED
    )
    if status is Status.SUSPECTED:
        said = word(record.get("security_incident"))
        told = f"security_incident is {said!r}, so it is only suspected"
        sketch.note(told, "Leave it out if you count confirmed incidents only", "security_incident")
    _texts(sketch, record)
    sketch.title = sketch.title or _title(record)
    _times(sketch, record)
    _classes(sketch, record, status)
    for victim in objects(record.get("victim")):
        sketch.organization = sketch.organization or _known(victim.get("victim_id"))
        sketch.regions(c for c in named(victim.get("country")) if c not in _EMPTY)
        sketch.regions(s for s in named(victim.get("state")) if s not in _EMPTY)
    for one in word(record.get("reference")).replace(";", " ").split():
        sketch.address = sketch.address or address(one)
        sketch.link(one)
    sketch.people(inside(record, "plus", "analyst"))
    return sketch.draft(SourceKind.DOCUMENT)


def _known(value: object) -> str:
    return "" if word(value) in _EMPTY else word(value)


def _title(record: dict[str, Any]) -> str:
    """Where there is no summary: the id, since a title is needed and none is made up."""
    return "" if word(record.get("summary")) else word(record.get("incident_id"))


def _texts(sketch: Sketch, record: dict[str, Any]) -> None:
    sketch.say_plain("summary", record.get("summary"), "summary")
    sketch.say_plain("summary", record.get("notes"), "notes")
    for name, action in record["action"].items():
        field = "cause" if name in _ACTIONS else "trigger"
        sketch.say_plain(field, inside(action, "notes"), f"action.{name}.notes")
    sketch.say_plain("impact", inside(record, "impact", "notes"), "impact.notes")
    sketch.say_plain("cause", record.get("control_failure"), "control_failure")
    sketch.say_plain("follow_up", record.get("corrective_action"), "corrective_action")
    sketch.say_plain("detection", inside(record, "discovery_notes"), "discovery_notes")
    for name in ("confidentiality", "integrity", "availability"):
        sketch.say_plain(
            "impact", inside(record, "attribute", name, "notes"), f"attribute.{name}.notes"
        )


def _times(sketch: Sketch, record: dict[str, Any]) -> None:
    if when := _began(inside(record, "timeline", "incident")):
        sketch.add_date(when)
    sketch.when(DateKind.PUBLISHED, inside(record, "plus", "created"))
    sketch.time_to_detect = _length(
        sketch, inside(record, "timeline", "discovery"), "timeline.discovery"
    )
    lost = inside(record, "attribute", "availability", "duration")
    sketch.time_to_recover = _length(sketch, lost, "attribute.availability.duration")
    if (held := inside(record, "timeline", "containment")) and word(inside(held, "value")):
        length = f"{word(inside(held, 'value'))} {word(inside(held, 'unit'))}"
        told = f"containment ({length}) counts from discovery"
        sketch.note(f"{told}; it is no time to recover", "Add the end, if you know it", "timeline")


def _began(value: object) -> When | None:
    """Year, month, day and time as far as they are given; `time` without a zone."""
    parts = [inside(value, key) for key in ("year", "month", "day")]
    numbers: list[int] = []
    for part in parts:
        if isinstance(part, bool) or not isinstance(part, int) or not 0 < part < 10000:
            break
        numbers.append(part)
    if not numbers:
        return None
    at = "-".join([f"{numbers[0]:04}", *(f"{n:02}" for n in numbers[1:])])
    clock = word(inside(value, "time"))[:5]
    for written in ([f"{at}T{clock}"] if len(numbers) == 3 and clock else []) + [
        at,
        at[:7],
        at[:4],
    ]:
        try:
            return When(kind=DateKind.STARTED, at=written)
        except ValueError:
            continue
    return None


def _length(sketch: Sketch, value: object, at: str) -> Duration | None:
    unit, number = word(inside(value, "unit")), inside(value, "value")
    if unit not in _UNITS or isinstance(number, bool) or not isinstance(number, int | float):
        if unit and unit not in _EMPTY and unit != "Never":
            sketch.note(
                f"{at} says {unit!r} without a number; it is no duration", "Add the value", at
            )
        return None
    if not 0 <= number < 1e9:
        return None
    return Duration(
        seconds=number * _UNITS[unit], text=f"{number} {unit}", approx=unit in ("Months", "Years")
    )


def _classes(sketch: Sketch, record: dict[str, Any], status: Status) -> None:
    for name, action in record["action"].items():
        kind = _ACTIONS.get(name, ClaimKind.TRIGGER)
        for key in ("variety", "vector"):
            sketch.given(kind, named(inside(action, key)), f"action.{name}.{key}", status)
    assets = named(inside(record, "asset", "assets"), "variety")
    sketch.given(ClaimKind.COMPONENT, assets, "asset.assets", status)
    for name in ("confidentiality", "integrity", "availability"):
        found = named(inside(record, "attribute", name, "variety"))
        sketch.given(ClaimKind.SYMPTOM, found, f"attribute.{name}.variety", status)
    method = record.get("discovery_method")
    if isinstance(method, str):
        sketch.given(ClaimKind.DETECTION, named(method), "discovery_method", status)
    for name, how in (method if isinstance(method, dict) else {}).items():
        found = named(inside(how, "variety"))
        sketch.given(ClaimKind.DETECTION, found, f"discovery_method.{name}", status)


FORMAT = Format(
    name=NAME,
    about="VERIS incidents, as in the community database VCDB",
    suffixes=(".json", ".jsonl"),
    sure=sure,
    read=read,
)
