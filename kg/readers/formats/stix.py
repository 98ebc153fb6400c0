"""STIX 2.1 bundles: incidents with the incident extension, and the objects that they refer to.

What attackers did is told in the summary; what defenders did goes to detection and mitigation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from kg.errors import Problem
from kg.model import ClaimKind, DateKind, SourceKind, Status
from kg.readers.clock import moment
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats.format import Format, Reading
from kg.readers.jsonrecords import Entry, built, first_value
from kg.readers.jsonvalues import inside, joined, named, objects, word
from kg.readers.sketch import Sketch

NAME = "stix"
EXPORT = "Export a STIX 2.1 bundle with objects of the type incident"

_DEFENCE = {"discovery": "detection", "detection": "detection"}
"""Activities of defenders that are no mitigation."""


def sure(document: Document) -> float:
    """How surely a document is of STIX."""
    value = first_value(document)
    kind, name = word(inside(value, "type")), word(inside(value, "id"))
    if kind == "bundle" and name.startswith("bundle--"):
        return 0.95
    return 0.9 if kind == "incident" and name.startswith("incident--") else 0.0


def read(document: Document) -> Reading:
    """The incidents of a bundle."""
    return built(document, _found, _draft, EXPORT)


def _found(value: Any) -> Iterator[tuple[str, Any]]:
    if word(inside(value, "type")) == "incident":
        yield "", value
    listed = inside(value, "objects")
    for i, one in enumerate(listed if isinstance(listed, list) else []):
        if word(inside(one, "type")) == "incident":
            yield joined("objects", i), one


class _Bundle:
    """The objects of a bundle, by their ids."""

    def __init__(self, around: object) -> None:
        self.all = objects(inside(around, "objects"))
        self._by_id = {word(one.get("id")): one for one in self.all}

    def get(self, ref: object) -> dict[str, Any]:
        return self._by_id.get(word(ref), {})

    def referred(self, refs: object) -> list[dict[str, Any]]:
        """Objects that a list of ids, or of objects with an id in a key `…_ref`, leads to."""
        found: list[dict[str, Any]] = []
        for ref in refs if isinstance(refs, list) else []:
            inner = ref if isinstance(ref, dict) else {"ref": ref}
            targets = (value for key, value in inner.items() if key.endswith("ref"))
            found += [one for target in targets if (one := self.get(target))]
        return found

    def related(self, name: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """Relations of an object: their type, the id at the other end, what lies there."""
        for one in self.all:
            if word(one.get("type")) != "relationship":
                continue
            ends = word(one.get("source_ref")), word(one.get("target_ref"))
            if name in ends:
                other = ends[1] if ends[0] == name else ends[0]
                yield word(one.get("relationship_type")), other, self.get(other)


def _draft(entry: Entry) -> Draft | Problem:
    record, bundle = entry.record, _Bundle(entry.around)
    extension = _extension(record)
    sketch = Sketch(NAME, entry, record.get("name"))
    sketch.source_id = word(record.get("id"))
    sketch.system = NAME
    sketch.severity = word(extension.get("criticality"))
    sketch.updated = moment(record.get("modified")) or ""
    sketch.say_plain("summary", record.get("description"), "description")
    status = _status(sketch, extension)
    sketch.say_plain(
        "detection", ", ".join(named(extension.get("detection_methods"))), "detection_methods"
    )
    _activities(sketch, extension, bundle, status)
    _events(sketch, extension, bundle)
    _impacts(sketch, extension, bundle)
    sketch.when(DateKind.PUBLISHED, record.get("created"))
    sketch.labels(named(extension.get("incident_types")), "incident_types")
    sketch.labels(named(record.get("labels")), "labels")
    _author(sketch, bundle.get(record.get("created_by_ref")))
    for reference in objects(record.get("external_references")):
        sketch.link(reference.get("url"))
    for kind, other, what in bundle.related(sketch.source_id):
        _relation(sketch, kind, other, what, status)
    return sketch.draft(SourceKind.DOCUMENT)


def _extension(record: dict[str, Any]) -> dict[str, Any]:
    """Keys of all extensions of an incident, and those that stand beside its own."""
    extensions = record.get("extensions")
    merged: dict[str, Any] = dict(record)
    for one in objects(list(extensions.values()) if isinstance(extensions, dict) else []):
        merged.update(one)
    return merged


def _status(sketch: Sketch, extension: dict[str, Any]) -> Status:
    determination = word(extension.get("determination"))
    if determination in ("", "confirmed", "successful", "low-value"):
        return Status.CONFIRMED
    told = f"its determination is {determination!r}: it may not have been an incident"
    sketch.note(told, "Leave it out if so", "extensions")
    return Status.SUSPECTED


def _activities(sketch: Sketch, extension: dict[str, Any], bundle: _Bundle, status: Status) -> None:
    begun: list[str] = []
    for act in objects(extension.get("attacker_activities")):
        sketch.say_plain("summary", act.get("description"), "attacker_activities")
        begun += [at for at in [moment(act.get("start_time"))] if at]
        patterns = named([bundle.get(act.get("pattern_ref"))], "name")
        sketch.given(ClaimKind.TRIGGER, patterns, "attacker_activities", status)
    for at in sorted(begun)[:1]:
        sketch.when(DateKind.STARTED, at)
    for act in objects(extension.get("defender_activities")):
        kind = word(act.get("type")).lower()
        sketch.say_plain(_DEFENCE.get(kind, "mitigation"), act.get("description"), kind)
        if kind in _DEFENCE:
            sketch.when(DateKind.DETECTED, act.get("time") or act.get("start_time"))


def _events(sketch: Sketch, extension: dict[str, Any], bundle: _Bundle) -> None:
    events = bundle.referred(extension.get("event_refs") or extension.get("events"))
    for event in sorted(events, key=lambda e: moment(e.get("start_time")) or "~"):
        text = ": ".join(t for t in (word(event.get("name")), word(event.get("description"))) if t)
        sketch.say_plain("summary", text, f"event {word(event.get('start_time'))}".strip())
        sketch.when(DateKind.STARTED, event.get("start_time"))
    for task in bundle.referred(extension.get("task_refs") or extension.get("tasks")):
        text = ": ".join(t for t in (word(task.get("name")), word(task.get("description"))) if t)
        kinds = " ".join(named(task.get("task_types")))
        sketch.say_plain("detection" if "detect" in kinds else "mitigation", text, kinds or "task")


def _impacts(sketch: Sketch, extension: dict[str, Any], bundle: _Bundle) -> None:
    impacts = bundle.referred(extension.get("impact_refs") or extension.get("impacts"))
    for impact in impacts:
        text = word(impact.get("description")) or word(impact.get("impact_category"))
        sketch.say_plain("impact", text, word(impact.get("impact_category")))
    ends = [moment(impact.get("end_time")) for impact in impacts]
    closed = word(extension.get("investigation_status")) == "closed"
    if closed and ends and all(ends):
        sketch.when(DateKind.ENDED, max(end for end in ends if end))


def _author(sketch: Sketch, identity: dict[str, Any]) -> None:
    # Whoever wrote it down is not the owner of the system; only people have to be known.
    if word(identity.get("identity_class")) == "individual":
        sketch.people(identity.get("name"))


def _relation(sketch: Sketch, kind: str, other: str, what: dict[str, Any], status: Status) -> None:
    if other.startswith("incident--"):
        add = sketch.duplicates if kind == "duplicate-of" else sketch.related
        add([other])
        return
    names: Iterable[str] = named(what)
    type_ = word(what.get("type"))
    if type_ == "location":
        sketch.regions([*names] or named(what, "region", "country"))
    elif type_ == "infrastructure":
        sketch.services(names)
    elif type_ == "attack-pattern":
        sketch.given(ClaimKind.TRIGGER, names, kind, status)
    elif type_ == "identity" and kind in ("targets", "impacts") and not sketch.organization:
        sketch.organization = next(iter(names), "")


FORMAT = Format(
    name=NAME,
    about="STIX 2.1 bundle with incidents",
    suffixes=(".json", ".stix"),
    sure=sure,
    read=read,
)
