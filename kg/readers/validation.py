"""From JSON text to a valid record, or to every `Problem` with it: file, line, field, remedy.

Case files and vocabulary files are read in this one way, so that they speak alike.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from kg.errors import Problem
from kg.model.text import Record, one_line
from kg.readers.plainwords import kind_of, plain_message
from kg.readers.positions import Positions, syntax_place

R = TypeVar("R", bound=Record)
Step = int | str

_PLACED = re.compile(r"^([a-z_]+(?:\.[a-z0-9_]+)*): (.*)$", re.DOTALL)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?Infinity|NaN|-?\d+')


@dataclass(frozen=True)
class Form(Generic[R]):
    """A kind of record that files hold.

    Attributes:
        model: the record.
        name: what a message calls it, such as `a case`.
        shape: what to do when the text is no object.
        guide: the page that tells its form.
        within: the records that stand in its fields, at any depth.
    """

    model: type[R]
    name: str
    shape: str
    guide: str
    within: Mapping[str, type[Record]]


@dataclass(frozen=True)
class _Place:
    """Where a record stands: the file, its first line, and its id when that is known."""

    file: str
    first: int
    case_id: str = ""

    def problem(self, line: int, field: str, message: str, remedy: str) -> Problem:
        return Problem(self.file, self.first + line - 1, field, message, remedy, self.case_id)


class _Refused(ValueError):
    """JSON that we do not take, though Python would."""

    def __init__(self, token: str, message: str, remedy: str) -> None:
        super().__init__(message)
        self.token = token
        self.remedy = remedy


def parse_record(form: Form[R], text: str, file: str, first_line: int = 1) -> Iterator[R | Problem]:
    """Parse one record from JSON text.

    Yields:
        The record, or all problems of the text.
    """
    place = _Place(file, first_line)
    objects = _Objects()
    try:
        data = json.loads(
            text,
            parse_constant=_refuse_constant,
            parse_int=_whole_number,
            object_pairs_hook=objects,
        )
        read = list(_record(form, text, data, objects.repeated, place))
    except json.JSONDecodeError as error:
        advice = f"Look at column {error.colno} of this line"
        yield place.problem(error.lineno, "", f"not valid JSON: {error.msg}", advice)
    except _Refused as error:
        line = _line_of(error.token, text)
        yield place.problem(line, "", f"not valid JSON: {error}", error.remedy)
    except RecursionError:
        message = "lists and objects stand too deep inside one another"
        yield place.problem(1, "", f"not valid JSON: {message}", "Make it flatter")
    else:
        yield from read


class _Objects:
    """Makes objects of their keys and values, and tells whether a key stood twice in one."""

    def __init__(self) -> None:
        self.repeated = False

    def __call__(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        self.repeated |= len(made) < len(pairs)
        return made


def _refuse_constant(name: str) -> Any:
    raise _Refused(name, f"{name} is not a JSON number", "Write a number, or null")


def _whole_number(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        message = f"a number of {len(digits)} digits is too long"
        raise _Refused(digits, message, "Write a shorter number") from None


def _line_of(token: str, text: str) -> int:
    at = next((m.start() for m in _TOKEN.finditer(text) if m.group() == token), 0)
    return text.count("\n", 0, at) + 1


def _record(
    form: Form[R], text: str, data: Any, repeated: bool, place: _Place
) -> Iterator[R | Problem]:
    if not isinstance(data, dict):
        message = f"{form.name} is a JSON object, this is {kind_of(data)}"
        yield place.problem(1, "", message, form.shape)
        return
    given = data.get("id")
    if isinstance(given, str) and given.isprintable():
        place = _Place(place.file, place.first, given)
    try:
        record = form.model.model_validate_json(text)
    except ValidationError as error:
        positions = Positions(text)
        yield from _repeated(positions, place)
        yield from _problems(form, error, data, positions, place)
        return
    if repeated:  # where each value stands is found out only for whoever has to be told
        yield from _repeated(Positions(text), place)
    else:
        yield record


def _repeated(positions: Positions, place: _Place) -> Iterator[Problem]:
    for line, key in positions.repeated:
        message = "the key stands twice in one object"
        yield place.problem(line, one_line(key), message, "Keep one of them")


def _problems(
    form: Form[R], error: ValidationError, data: Any, positions: Positions, place: _Place
) -> Iterator[Problem]:
    entries = error.errors(include_url=False)
    places = [e["loc"] for e in entries]
    seen: set[tuple[tuple[Step, ...], str]] = set()
    for entry in entries:
        if entry["type"] == "json_invalid":
            # JSON that only pydantic's stricter parser refuses, such as half of a surrogate pair.
            line, column, what = syntax_place(entry["msg"])
            yield place.problem(line, "", what, f"Look at column {column} of this line")
        elif not _follows(entry, places):
            for steps, message, remedy in _told(form, entry, _real_path(entry["loc"], data)):
                if (steps, message) not in seen:
                    seen.add((steps, message))
                    yield place.problem(positions.line(steps), _field(steps), message, remedy)


def _follows(entry: Any, places: Sequence[tuple[Step, ...]]) -> bool:
    """Whether a list is only too short because its entries were refused."""
    loc = entry["loc"]
    within = (p for p in places if len(p) > len(loc) and p[: len(loc)] == loc)
    return entry["type"] == "too_short" and any(within)


def _real_path(loc: tuple[Step, ...], data: Any) -> tuple[Step, ...]:
    """The part of a validation path that exists in the data (plus a missing last key)."""
    kept: list[Step] = []
    for step in loc:
        if isinstance(data, dict) and isinstance(step, str):
            kept.append(step)
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            kept.append(step)
            data = data[step]
        else:
            break
    return tuple(kept)


def _told(
    form: Form[R], entry: Any, path: tuple[Step, ...]
) -> Iterator[tuple[tuple[Step, ...], str, str]]:
    """Path, message and remedy of each thing that an entry tells."""
    if entry["type"] != "value_error":
        message = plain_message(entry["type"], entry.get("ctx", {}), entry["input"])
        yield path, message, _remedy(form, entry["type"], path)
        return
    # Our own rules say `what is wrong; what to do`; those between fields name the place first.
    for part in entry["msg"].removeprefix("Value error, ").split("\n"):
        placed = None if path else _PLACED.match(part)
        steps = _steps(placed.group(1)) if placed else path
        message, sign, advice = (placed.group(2) if placed else part).rpartition("; ")
        if not sign:
            message, advice = advice, f"see {form.guide}"
        yield steps, message, advice[:1].upper() + advice[1:]


def _remedy(form: Form[R], kind: str, path: tuple[Step, ...]) -> str:
    if kind == "missing":
        return "Add it"
    if kind == "extra_forbidden":
        fields = _record_at(form, path).model_fields
        near = difflib.get_close_matches(str(path[-1]), fields, n=1)
        return f"Did you mean {near[0]!r}?" if near else "Remove it"
    return f"See {form.guide} for the form of this field"


def _record_at(form: Form[R], path: tuple[Step, ...]) -> type[Record]:
    """The kind of record that a path such as `claims, 3, evidence, 0, quot` lies in."""
    within = [s for s in path[:-1] if isinstance(s, str)]
    return form.within.get(within[-1], form.model) if within else form.model


def _steps(field: str) -> tuple[Step, ...]:
    return tuple(int(s) if s.isdigit() else s for s in field.split("."))


def _field(steps: tuple[Step, ...]) -> str:
    return ".".join(one_line(str(s)) for s in steps)
