"""Documents read by a mapping file: tables, JSON and JSON Lines of anybody's own form."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from kg.errors import Problem
from kg.model import CaseKind, DateKind, Duration, SourceKind, When, parse_duration
from kg.model.text import LANG_PATTERN, quoted
from kg.readers.columns import SAY_ORDER, cell_text
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats.format import Format, Reading
from kg.readers.formdates import Order, Reckoning, proven_order, written_time
from kg.readers.jiratext import wiki_text
from kg.readers.jsonrecords import Entry, entries
from kg.readers.jsonvalues import MISSING, clean, word
from kg.readers.mapping import CLOCK, DURATIONS, PROSE, TIMES, UNITS, Mapped, Taken
from kg.readers.plaintext import html_text
from kg.readers.sketch import Sketch
from kg.readers.tables import Row, find_table

Values = Callable[[Entry, str], list[str]]
"""What stands in a column, or under a JSON path, of a record."""

_STEP = re.compile(r'"((?:[^"\\]|\\.)*)"|([^."]+)')
_CLOCK = re.compile(r"(\d{1,5}):([0-5]\d)(?::([0-5]\d))?")
_NUMBER = re.compile(r"\d{1,12}(?:\.\d{1,6})?")
_LANG = re.compile(LANG_PATTERN)
_ADD = "Correct the mapping file, or the document"


def mapping_format(mapping: Mapped) -> Format:
    """The mapping as a format; it is taken only when it is asked for."""
    return Format(
        name=mapping.name,
        about=f"records as {mapping.file} maps them",
        suffixes=(),
        sure=lambda _: 0.0,
        read=lambda document: _read(document, mapping),
    )


@dataclass(frozen=True)
class _Source:
    """The records of a document, read anew each time, and how a value in one is found."""

    records: Callable[[], Iterator[Entry | Problem]]
    values: Values
    faults: tuple[Problem, ...] = ()


def _read(document: Document, mapping: Mapped) -> Reading:
    kind = mapping.format or _kind_of(document)
    table = kind in ("csv", "tsv")
    source = _table(document, mapping, kind) if table else _json(document, mapping)
    if source.faults:
        yield from source.faults
        return
    times = _times(source, mapping, document)
    yield from times.problems
    last: dict[str, Entry] = {}
    for entry in source.records():
        if isinstance(entry, Problem):
            yield entry
        elif mapping.last_counts and (name := _first(entry, mapping.fields["id"], source.values)):
            last[name] = entry
        else:
            yield _draft(entry, source.values, mapping, times)
    for entry in last.values():
        yield _draft(entry, source.values, mapping, times)


def _kind_of(document: Document) -> str:
    if document.suffix in (".csv", ".tsv"):
        return document.suffix[1:]
    return "json" if document.head.lstrip()[:1] in ("{", "[") else "csv"


def _table(document: Document, mapping: Mapped, kind: str) -> _Source:
    table = find_table(document, mapping.separator or ("\t" if kind == "tsv" else ""))
    if table is None:
        told = "no table: no sign separates its records into as many cells as the first"
        remedy = f"Say the sign in {mapping.file}: records: {{separator: …}}"
        return _Source(
            lambda: iter(()), lambda *_: [], (Problem(document.name, 0, "", told, remedy),)
        )
    wanted = [(n, c, t.line) for n, t in _all_taken(mapping) for c in t.columns]
    faults = tuple(
        Problem(
            document.name, 1, column,
            f"no such column ({mapping.file}:{line}, {name}); there are {', '.join(table.header)}",
            _ADD,
        )
        for name, column, line in wanted
        if not table.has(column)
    )  # fmt: skip

    def records() -> Iterator[Entry | Problem]:
        for row in table.rows():
            if isinstance(row, Problem):
                yield row
            else:
                yield Entry(document.name, {"": row}, line=row.line)

    def values(entry: Entry, column: str) -> list[str]:
        row = entry.record[""]
        return list(table.all(row, column)) if isinstance(row, Row) else []

    return _Source(records, values, faults)


def _json(document: Document, mapping: Mapped) -> _Source:
    steps = _steps(mapping.path)

    def found(value: Any) -> Iterator[tuple[str, Any]]:
        for inner in _under(value, steps):
            if isinstance(inner, list):
                yield from ((f"{mapping.path}.{i}".lstrip("."), r) for i, r in enumerate(inner))
            else:
                yield mapping.path, inner

    def values(entry: Entry, path: str) -> list[str]:
        return [text for one in _under(entry.record, _steps(path)) for text in _texts(one)]

    export = f"Correct records.path in {mapping.file}"
    return _Source(lambda: entries(document, found, export), values)


def _steps(path: str) -> list[str]:
    """The keys of a JSON path: `updates.*.body`, `0` for the first, quotes around a dotted key."""
    return [a.replace('\\"', '"') if a else b.strip() for a, b in _STEP.findall(path)]


def _under(value: Any, steps: Sequence[str]) -> Iterator[Any]:
    """All that lies at the end of the way; a list on the way is gone through only by `*`."""
    if not steps:
        yield value
        return
    step, rest = steps[0], steps[1:]
    if step == "*" and isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _under(one, rest)
    elif isinstance(value, dict) and step in value:
        yield from _under(value[step], rest)
    elif isinstance(value, list) and step.isdecimal() and int(step[:9]) < len(value):
        yield from _under(value[int(step[:9])], rest)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for one in value:
            if not isinstance(one, list | dict):
                yield from _texts(one)
    elif isinstance(value, bool):
        yield json.dumps(value)
    elif isinstance(value, str):
        yield value.strip()
    elif isinstance(value, int | float):
        yield word(value)


def _all_taken(mapping: Mapped) -> Iterator[tuple[str, Taken]]:
    yield from mapping.fields.items()
    yield from ((f"given {one.kind}", one.taken) for one in mapping.given)


@dataclass(frozen=True)
class _Times:
    """The order of each field of times, where it is known; and the zone that is declared."""

    orders: dict[str, Order | None]
    zone: str
    problems: tuple[Problem, ...]


def _times(source: _Source, mapping: Mapped, document: Document) -> _Times:
    """The orders: as the mapping says, as the caller declares, else as the column proves."""
    declared = Order(document.declared.order) if document.declared.order else None
    orders: dict[str, Order | None] = {}
    problems: list[Problem] = []
    for name in (*TIMES, "updated"):
        taken = mapping.fields.get(name)
        if taken is None or taken.format or not taken.columns:
            continue
        orders[name] = taken.order or declared
        if orders[name] is None:
            cells = (c for e in source.records() if isinstance(e, Entry)
                     for c in _cells(e, taken, source.values, mapping))  # fmt: skip
            proof = proven_order(cells)
            orders[name] = proof.order
            if proof.doubtful and proof.order is None:
                told = f"{quoted(proof.doubtful)} can mean two days; such times are left out"
                remedy = f"Say dates: {{order: …}} in {mapping.file}. {SAY_ORDER}"
                problems.append(Problem(document.name, 0, name, told, remedy))
    return _Times(orders, document.declared.zone, tuple(problems))


def _cells(entry: Entry, taken: Taken, values: Values, mapping: Mapped) -> Iterator[str]:
    """What stands in the columns, translated; without what says that nothing is stated."""
    to = dict(taken.values)
    for column in taken.columns:
        for cell in values(entry, column):
            text = to.get(cell, cell)
            if text and text not in MISSING and text.casefold() not in mapping.missing:
                yield text


def _first(entry: Entry, taken: Taken, values: Values, mapping: Mapped | None = None) -> str:
    cells = _cells(entry, taken, values, mapping or Mapped("", "", {}))
    return taken.value or next((word(cell_text(c)) for c in cells), "")


def _draft(entry: Entry, values: Values, mapping: Mapped, times: _Times) -> Draft | Problem:
    def first(name: str) -> str:
        taken = mapping.fields.get(name)
        return _first(entry, taken, values, mapping) if taken else ""

    sketch = Sketch(mapping.name, entry, first("title"))
    sketch.source_id, sketch.system = first("id"), first("system")
    sketch.severity, sketch.organization = first("severity"), first("organization")
    sketch.address = (
        first("address") if first("address").startswith(("http://", "https://")) else ""
    )
    for name, taken in mapping.fields.items():
        cells = [taken.value] if taken.value else list(_cells(entry, taken, values, mapping))
        if name in PROSE:
            _text(sketch, name, entry, taken, values, mapping)
        elif name in TIMES:
            for cell in cells[:1]:
                _time(sketch, name, cell, taken, times)
        elif name in DURATIONS:
            for cell in cells[:1]:
                _duration(sketch, name, cell, taken)
        else:
            _list(sketch, name, [i for c in cells for i in _items(c, taken)])
    for one in mapping.given:
        cells = list(_cells(entry, one.taken, values, mapping))
        key = ", ".join(one.taken.columns)
        sketch.given(one.kind, [i for c in cells for i in _items(c, one.taken)], key, one.status)
    updated = mapping.fields.get("updated")
    if updated is not None:
        sketch.updated = _read_time(first("updated"), "updated", updated, times) or ""
    return _finished(sketch, first("kind"), first("lang"), mapping)


def _finished(sketch: Sketch, kind: str, lang: str, mapping: Mapped) -> Draft | Problem:
    made = sketch.draft(SourceKind.DOCUMENT)
    if not isinstance(made, Draft):
        return made
    if kind and kind not in list(CaseKind):
        told = f"{quoted(kind)} is no kind of case"
        remedy = f"Map it with values to {', '.join(CaseKind)} in {mapping.file}"
        return sketch.entry.problem(told, remedy, "kind")
    if lang and not _LANG.match(lang):
        return sketch.entry.problem(f"{quoted(lang)} is no language tag", _ADD, "lang")
    return replace(made, kind=CaseKind(kind or made.kind), lang=lang or made.lang)


def _text(
    sketch: Sketch, name: str, entry: Entry, taken: Taken, values: Values, mapping: Mapped
) -> None:
    """All that its columns hold, each under the name of its column."""
    if taken.value:
        _say(sketch, name, taken.value, taken, mapping)
    for column in taken.columns:
        one = replace(taken, columns=(column,))
        for cell in _cells(entry, one, values, mapping):
            _say(sketch, name, cell, one, mapping)


def _say(sketch: Sketch, field: str, cell: str, taken: Taken, mapping: Mapped) -> None:
    heading = ", ".join(taken.columns)
    if cell.casefold() in mapping.none:
        sketch.say_plain(field, "none", heading)
    elif taken.markup == "markdown":
        sketch.say(field, cell, heading)
    elif taken.markup == "jira":
        sketch.read(field, wiki_text(cell), heading)
    elif taken.markup == "html":
        sketch.read(field, html_text(cell), heading)
    elif taken.markup == "plain":
        sketch.say_plain(field, clean(cell), heading)
    else:
        sketch.say_plain(field, cell_text(cell), heading)


def _time(sketch: Sketch, name: str, cell: str, taken: Taken, times: _Times) -> None:
    at = _read_time(cell, name, taken, times)
    if at is None:
        told = f"{quoted(cell, 40)} is not a time that can be read; it is left out"
        remedy = "Say how times are written in the mapping file: dates: {format: …} or {order: …}"
        sketch.note(told, remedy, name)
    else:
        sketch.add_date(When(kind=DateKind(name), at=at))


def _read_time(cell: str, name: str, taken: Taken, times: _Times) -> str | None:
    zone = taken.zone or times.zone
    text = " ".join(cell_text(cell).split())
    if not taken.format:
        return written_time(text, Reckoning(times.orders.get(name), zone))
    try:
        at = datetime.strptime(text, taken.format)
    except ValueError:
        return None
    exact = next((f for sign, f in _EXACT if sign in taken.format), "%Y-%m-%d")
    written = at.strftime(exact)
    if at.tzinfo is not None and exact != "%Y-%m-%d":
        return written_time(written + at.strftime("%z")[:5])
    return written_time(written, Reckoning(None, zone))


_EXACT = (
    *((sign, "%Y-%m-%dT%H:%M:%S") for sign in ("%S", "%T", "%c", "%X", "%s")),
    *((sign, "%Y-%m-%dT%H:%M") for sign in ("%H", "%I", "%R")),
)
"""By the signs of a format, how exactly it tells a time."""


def _duration(sketch: Sketch, name: str, cell: str, taken: Taken) -> None:
    text = word(cell_text(cell))
    length = _length(text, taken.unit)
    if length is None:
        told = f"{quoted(text, 40)} is not a duration that can be read; it is left out"
        sketch.note(told, "Say its unit in the mapping file, such as unit: minutes", name)
    elif name == "time_to_detect":
        sketch.time_to_detect = length
    else:
        sketch.time_to_recover = length


def _length(text: str, unit: str) -> Duration | None:
    if unit == CLOCK and (found := _CLOCK.fullmatch(text)):
        hours, minutes, seconds = (int(part or 0) for part in found.groups())
        return Duration(seconds=hours * 3600 + minutes * 60 + seconds, text=text)
    plain = text.replace(",", "")
    if unit in UNITS and _NUMBER.fullmatch(plain):
        return Duration(seconds=float(plain) * UNITS[unit], text=f"{text} {unit}")
    return parse_duration(text) if not unit else None


def _items(cell: str, taken: Taken) -> list[str]:
    parts = cell.split(taken.split) if taken.split else [cell]
    return [name for part in parts if (name := word(cell_text(part)))]


def _list(sketch: Sketch, name: str, items: list[str]) -> None:
    if name == "services":
        sketch.services(items)
    elif name == "regions":
        sketch.regions(items)
    elif name == "duplicates":
        sketch.duplicates(items)
    elif name == "related":
        sketch.related(items)
    elif name == "people":
        sketch.people(*items)
    elif name == "links":
        for one in items:
            sketch.link(one)
