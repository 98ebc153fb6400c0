"""Mapping files: which column or JSON path of somebody's table goes to which field of a case.

The form is told in docs/mapping.md. Everything is checked when the file is read, and every error
names its line.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kg.errors import InputError, Problem
from kg.model import PROSE_FIELDS, CaseKind, ClaimKind, DateKind, Status
from kg.readers.decoding import decoded
from kg.readers.formdates import Order, known_zone
from kg.readers.plainwords import kind_of, shown
from kg.readers.positions import Path as Place
from kg.readers.settings import Settings, read_settings
from kg.readers.textfile import unreadable

GUIDE = "See docs/mapping.md"

LINES = ("id", "title", "system", "severity", "organization", "updated", "address", "lang", "kind")
"""Fields that hold one line."""

PROSE = tuple(field for field in PROSE_FIELDS if field != "title")
TIMES = tuple(str(kind) for kind in DateKind)
DURATIONS = ("time_to_detect", "time_to_recover")
LISTS = ("services", "regions", "duplicates", "related", "people", "links")
FIELDS = (*LINES, *PROSE, *TIMES, *DURATIONS, *LISTS)
"""All that a mapping can fill, beside what the source classifies itself (`given`)."""

FORMATS = ("csv", "tsv", "json", "jsonl")
UNITS: dict[str, float] = {
    "milliseconds": 0.001, "seconds": 1, "minutes": 60, "hours": 3600, "days": 86400,
}  # fmt: skip
CLOCK = "h:mm:ss"
"""The unit of durations such as `1:30:00` or `1:30`."""

MARKUP = ("plain", "markdown", "html", "jira")
_SOURCE_KEYS = ("column", "value", "split", "format", "order", "zone", "unit", "markup", "values")
_TOP_KEYS = ("mapping", "records", "dates", "missing", "none", "fields", "given")


@dataclass(frozen=True)
class Taken:
    """Where the value of a field comes from.

    Attributes:
        columns: columns, or JSON paths; of a text all are taken, of all else the first that has
            something.
        value: the same for all records, instead of columns.
        split: what separates the items of a list.
        format: how times are written, as `strptime` has it; "" to recognise them.
        order, zone: of times.
        unit: of durations; "" where the cells say it.
        markup: how texts are written; "" for plain text or HTML, as each cell is.
        values: what to write instead of what the source writes.
        line: line of the mapping file.
    """

    columns: tuple[str, ...] = ()
    value: str = ""
    split: str = ""
    format: str = ""
    order: Order | None = None
    zone: str = ""
    unit: str = ""
    markup: str = ""
    values: tuple[tuple[str, str], ...] = ()
    line: int = 0


@dataclass(frozen=True)
class Classified:
    """A column in which the source classifies: of which kind its names are, and how sure."""

    kind: ClaimKind
    status: Status
    taken: Taken


@dataclass(frozen=True)
class Mapped:
    """A mapping file, checked.

    Attributes:
        name: its name, for `Draft.format`.
        file: its path, for messages.
        format: csv, tsv, json or jsonl; "" to go by the document.
        path: JSON path of the list of records; "" for the document itself.
        separator: between the cells of a table; "" to find it.
        last_counts: whether records with one id are updates of one event.
        missing: what stands where nothing is stated, beside what programs write.
        none: what says that there is none.
        fields: field → where its value comes from.
        given: what the source classifies.
    """

    name: str
    file: str
    fields: Mapping[str, Taken]
    given: tuple[Classified, ...] = ()
    format: str = ""
    path: str = ""
    separator: str = ""
    last_counts: bool = False
    missing: frozenset[str] = frozenset()
    none: frozenset[str] = frozenset()


def read_mapping(path: str | Path) -> Mapped:
    """A mapping file in YAML or JSON.

    Raises:
        InputError: it cannot be read, or is not in order; all problems, each with its line.
    """
    try:
        text = decoded(Path(path).read_bytes(), str(path))
    except (OSError, ValueError) as error:
        raise InputError([unreadable(Path(path), error)]) from error
    if isinstance(text, Problem):
        raise InputError([text])
    return parse_mapping(text, str(path))


def parse_mapping(text: str, file: str) -> Mapped:
    """A mapping from its text; the name of the file tells whether it is JSON.

    Raises:
        InputError: as `read_mapping`.
    """
    settings = read_settings(text, file)
    if isinstance(settings, Problem):
        raise InputError([settings])
    if not isinstance(settings.data, dict):
        told = f"a mapping is an object, this is {kind_of(settings.data)}"
        raise InputError([settings.problem((), told, GUIDE)])
    reader = _Reader(settings)
    mapped = reader.mapped()
    if reader.problems:
        raise InputError(sorted(reader.problems))
    return mapped


class _Reader:
    """Takes a mapping apart and keeps every problem."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.problems: list[Problem] = []

    def mapped(self) -> Mapped:
        data = self._settings.data
        self._known((), data, _TOP_KEYS)
        records = self._object(("records",), ("format", "path", "separator", "last_counts"))
        dates = self._dates()
        fields = {n: self._taken(("fields", n), v, dates) for n, v in self._fields()}
        kind = fields.get("kind", Taken()).value
        self._one_of(("fields", "kind", "value"), kind or None, list(CaseKind))
        last = records.get("last_counts", False)
        if not isinstance(last, bool):
            self._wrong(("records", "last_counts"), last, "true or false")
        elif last and "id" not in fields:
            told = "records can be updates of one event only by an id"
            self._add(("records", "last_counts"), told, "Add `id` to fields")
        return Mapped(
            name=self._text(("mapping",), data.get("mapping"), "mapping"),
            file=self._settings.file,
            fields=fields,
            given=tuple(self._given(dates)),
            format=self._one_of(("records", "format"), records.get("format"), FORMATS),
            path=self._text(("records", "path"), records.get("path")),
            separator=self._separator(records.get("separator")),
            last_counts=last is True,
            missing=self._words("missing"),
            none=self._words("none"),
        )

    def _fields(self) -> Iterator[tuple[str, Any]]:
        fields = self._object(("fields",), FIELDS)
        listed = self._settings.data.get("fields", {})
        if isinstance(listed, dict) and not any(n in fields for n in ("title", *PROSE)):
            told = "neither a title nor a text is mapped"
            self._add(("fields",), told, "Add `title`, and the texts that there are")
        return ((name, value) for name, value in fields.items() if name in FIELDS)

    def _given(self, dates: Taken) -> Iterator[Classified]:
        given = self._settings.data.get("given")
        if given is None:
            return
        if not isinstance(given, list):
            self._wrong(("given",), given, "a list of objects with kind and column")
            return
        for i, one in enumerate(given):
            place: Place = ("given", i)
            if not isinstance(one, dict):
                self._wrong(place, one, "an object with kind and column")
                continue
            kind = self._one_of((*place, "kind"), one.get("kind"), list(ClaimKind), needed=True)
            status = self._one_of((*place, "status"), one.get("status"), list(Status))
            rest = {k: v for k, v in one.items() if k not in ("kind", "status")}
            taken = self._taken(place, rest, dates)
            if kind:
                yield Classified(ClaimKind(kind), Status(status or Status.CONFIRMED), taken)

    def _dates(self) -> Taken:
        dates = self._object(("dates",), ("order", "zone", "format"))
        return self._times(("dates",), dates, Taken())

    def _times(self, place: Place, given: Mapping[str, Any], usual: Taken) -> Taken:
        order = self._one_of((*place, "order"), given.get("order"), list(Order))
        zone = self._text((*place, "zone"), given.get("zone"))
        if zone and not known_zone(zone):
            told = f"no time zone {shown(zone)}"
            self._add((*place, "zone"), told, "Write it like UTC, +09:00 or Asia/Seoul")
        form = self._text((*place, "format"), given.get("format"))
        if form and (fault := _format_fault(form)):
            self._add((*place, "format"), *fault)
        return Taken(
            format=form or usual.format,
            order=Order(order) if order else usual.order,
            zone=zone or usual.zone,
        )

    def _taken(self, place: Place, value: Any, dates: Taken) -> Taken:
        line = self._settings.line(place)
        if isinstance(value, str | list):
            value = {"column": value}
            column: Place = place
        else:
            column = (*place, "column")
        if not isinstance(value, dict):
            self._wrong(place, value, "a column, a list of columns, or an object")
            return Taken(line=line)
        self._known(place, value, _SOURCE_KEYS)
        if ("column" in value) == ("value" in value):
            self._add(place, "must have a column or a value, one of the two", GUIDE)
        times = self._times(place, value, dates)
        units = (*UNITS, CLOCK)
        return Taken(
            columns=tuple(self._columns(column, value.get("column"))),
            value=self._text((*place, "value"), value.get("value")),
            split=self._text((*place, "split"), value.get("split")),
            format=times.format,
            order=times.order,
            zone=times.zone,
            unit=self._one_of((*place, "unit"), value.get("unit"), units),
            markup=self._one_of((*place, "markup"), value.get("markup"), MARKUP),
            values=tuple(self._values((*place, "values"), value.get("values"))),
            line=line,
        )

    def _columns(self, place: Place, value: Any) -> Iterator[str]:
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, str | int) and not isinstance(one, bool) and str(one).strip():
                yield str(one).strip()
            elif one is not None or isinstance(value, list):
                self._wrong(place, one, "the name of a column")

    def _values(self, place: Place, value: Any) -> Iterator[tuple[str, str]]:
        if value is None:
            return
        if not isinstance(value, dict):
            self._wrong(place, value, "an object of values and what they are to be")
            return
        for key, to in value.items():
            yield key, self._text((*place, key), to)

    def _separator(self, value: Any) -> str:
        text = value if isinstance(value, str) else self._text(("records", "separator"), value)
        text = {"tab": "\t", "\\t": "\t"}.get(text, text)
        if len(text) > 1 or text in ('"', "\n", "\r", "\\"):
            self._wrong(("records", "separator"), text, "one sign, or `tab`")
            return ""
        return text

    def _words(self, key: str) -> frozenset[str]:
        value = self._settings.data.get(key, [])
        items = value if isinstance(value, list) else [value]
        return frozenset(self._text((key, i), one).casefold() for i, one in enumerate(items))

    def _object(self, place: Place, keys: Sequence[str]) -> Mapping[str, Any]:
        value = self._settings.data.get(place[0])
        if value is None:
            return {}
        if not isinstance(value, dict):
            self._wrong(place, value, f"an object with {', '.join(keys[:4])} …")
            return {}
        self._known(place, value, keys)
        return value

    def _known(self, place: Place, value: Mapping[str, Any], keys: Sequence[str]) -> None:
        for key in value:
            if key not in keys:
                near = difflib.get_close_matches(key, keys, n=1)
                remedy = f"Did you mean {near[0]!r}?" if near else f"Known are {', '.join(keys)}"
                self._add((*place, key), f"no such key {shown(key)}", remedy)

    def _text(self, place: Place, value: Any, usual: str = "") -> str:
        if value is None:
            return usual
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            self._wrong(place, value, "a text")
            return usual
        return str(value)

    def _one_of(
        self, place: Place, value: Any, words: Iterable[str], *, needed: bool = False
    ) -> str:
        names = [str(w) for w in words]
        if (value is None and not needed) or value in names:
            return value or ""
        self._wrong(place, value, f"one of {', '.join(names)}")
        return ""

    def _wrong(self, place: Place, value: Any, wanted: str) -> None:
        self._add(place, f"must be {wanted}, not {shown(value)}", GUIDE)

    def _add(self, place: Place, message: str, remedy: str) -> None:
        self.problems.append(self._settings.problem(place, message, remedy))


def _format_fault(form: str) -> tuple[str, str] | None:
    """What is wrong with a format of times, and what to do."""
    if not ("%Y" in form or "%y" in form or "%s" in form):
        return "the format has no year", "Put %Y into it; a time without a year cannot be placed"
    sample = datetime(2003, 11, 25, 16, 7, 9, tzinfo=UTC)
    try:
        again = datetime.strptime(sample.strftime(form), form)
    except ValueError as error:
        return f"not a format of times: {error}", "Write it like %d/%m/%Y %H:%M"
    if (again.month, again.day) != (11, 25):
        return "the format does not tell month and day", "Write it like %d/%m/%Y %H:%M"
    return None
