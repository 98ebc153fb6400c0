"""Our own case files: one JSON object a file, or JSON Lines with one case a line."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from kg.errors import Problem
from kg.model import Case, Claim, Duration, Figure, Link, Source, Span, When
from kg.model.text import Record
from kg.readers.positions import Positions, syntax_place

SUFFIXES = (".json", ".jsonl")
_RECORDS: dict[str, type[Record]] = {
    "dates": When,
    "time_to_detect": Duration,
    "time_to_recover": Duration,
    "claims": Claim,
    "evidence": Span,
    "figures": Figure,
    "sources": Source,
    "references": Source,
    "links": Link,
}
"""The record that stands in each field of a case that holds records."""
_PLACED = re.compile(r"^([a-z_]+(?:\.[a-z0-9_]+)*): (.*)$", re.DOTALL)


def read_cases(paths: Iterable[str | Path]) -> Iterator[tuple[str, Case | Problem]]:
    """Read case files and folders (recursively) in sorted order.

    Yields:
        The path and either a valid case or one problem with it. A record that is not valid
        yields every one of its problems and no case. Terms are not checked here.
    """
    done: set[Path] = set()
    for path in sorted({str(p) for p in paths}):
        yield from _read_path(Path(path), done)


def _read_path(path: Path, done: set[Path]) -> Iterator[tuple[str, Case | Problem]]:
    if path.is_dir():
        files = sorted(f for f in path.rglob("*") if f.suffix in SUFFIXES and f.is_file())
        if not files:
            yield str(path), Problem(
                str(path), 0, "", "this folder holds no case files",
                "Give a folder with *.json (one case a file) or *.jsonl (one case a line)",
            )  # fmt: skip
    else:
        files = [path]
    for file in files:
        # A file named twice, or inside a named folder, is one file.
        if file.resolve() not in done:
            done.add(file.resolve())
            yield from ((str(file), item) for item in _read_file(file))


def _read_file(path: Path) -> Iterator[Case | Problem]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        yield Problem(str(path), 0, "", f"not UTF-8 (byte {error.start})", "Save the file as UTF-8")
        return
    except OSError as error:
        reason = error.strerror or str(error)
        yield Problem(
            str(path), 0, "", f"cannot be read: {reason}", "Check the path and its rights"
        )
        return
    if not text.strip():
        yield Problem(str(path), 0, "", "the file is empty", "Write a case into it, or remove it")
    elif path.suffix == ".jsonl":
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                yield from parse_case(line, str(path), first_line=number)
    else:
        yield from parse_case(text, str(path))


def parse_case(text: str, file: str, first_line: int = 1) -> Iterator[Case | Problem]:
    """Parse one case from JSON text.

    Yields:
        The case, or all problems of the text with file, line and field.
    """
    try:
        data = json.loads(text, parse_constant=_refuse_constant)
        positions = Positions(text)
    except json.JSONDecodeError as error:
        yield Problem(
            file, first_line + error.lineno - 1, "", f"not valid JSON: {error.msg}",
            f"Look at column {error.colno} of this line",
        )  # fmt: skip
        return
    except (ValueError, RecursionError) as error:
        yield Problem(file, first_line, "", f"not valid JSON: {error}", "Mend the value")
        return
    if not isinstance(data, dict):
        kind = type(data).__name__
        yield Problem(
            file, first_line, "", f"a case is a JSON object, this is a {kind}",
            "Write one case a file, or use .jsonl",
        )  # fmt: skip
        return
    given = data.get("id")
    case_id = given if isinstance(given, str) and given.isprintable() else ""
    problems = [
        Problem(file, first_line + line - 1, key, "the key stands twice in one object",
                "Keep one of them", case_id)
        for line, key in positions.repeated
    ]  # fmt: skip
    try:
        case = Case.model_validate_json(text)
    except ValidationError as error:
        problems += _from_validation(error, data, positions, file, first_line, case_id)
        yield from problems
        return
    if problems:
        yield from problems
    else:
        yield case


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def _from_validation(
    error: ValidationError, data: Any, positions: Positions, file: str, first: int, case_id: str
) -> Iterator[Problem]:
    seen: set[tuple[str, str]] = set()
    for entry in error.errors(include_url=False):
        if entry["type"] == "json_invalid":
            yield _invalid(entry["msg"], file, first, case_id)
            continue
        path = _real_path(entry["loc"], data)
        for field, message in _messages(path, entry):
            if (field, message) in seen:
                continue
            seen.add((field, message))
            steps = tuple(int(s) if s.isdigit() else s for s in field.split(".") if s)
            line = first + positions.line(steps) - 1
            yield Problem(file, line, field, message, _remedy(entry, field), case_id)


def _invalid(message: str, file: str, first: int, case_id: str) -> Problem:
    """JSON that only pydantic's stricter parser refuses, such as half of a surrogate pair."""
    line, column, what = syntax_place(message)
    advice = f"Look at column {column} of this line"
    return Problem(file, first + line - 1, "", what, advice, case_id)


def _real_path(loc: tuple[int | str, ...], data: Any) -> tuple[int | str, ...]:
    """The part of a validation path that exists in the data (plus a missing last key)."""
    kept: list[int | str] = []
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


def _messages(path: tuple[int | str, ...], entry: Any) -> Iterator[tuple[str, str]]:
    field = ".".join(map(str, path))
    message = entry["msg"].removeprefix("Value error, ")
    if entry["type"] != "value_error":
        yield field, _plain(entry, message)
        return
    for part in message.split("\n"):
        placed = _PLACED.match(part)
        if placed and not path:
            yield placed.group(1), placed.group(2)
        else:
            yield field, part


def _plain(entry: Any, message: str) -> str:
    if entry["type"] == "missing":
        return "this field is required"
    if entry["type"] == "extra_forbidden":
        return "no such field"
    shown = repr(entry["input"])
    return (
        f"{message[0].lower()}{message[1:]}, not {shown if len(shown) < 60 else shown[:57] + '…'}"
    )


def _remedy(entry: Any, field: str) -> str:
    if entry["type"] == "missing":
        return "Add it"
    if entry["type"] == "extra_forbidden":
        name = field.rpartition(".")[2]
        near = difflib.get_close_matches(name, _record_at(field).model_fields, n=1)
        return f"Did you mean {near[0]!r}?" if near else "Remove it"
    if entry["type"] == "value_error":
        return "Correct it"
    return "See docs/case-format.md for the form of this field"


def _record_at(field: str) -> type[Record]:
    """The kind of record that a field path such as `claims.3.evidence.0.quot` lies in."""
    within = [s for s in field.split(".")[:-1] if not s.isdigit()]
    return _RECORDS.get(within[-1], Case) if within else Case


def dump_case(case: Case) -> str:
    """A case as the canonical text of its file; reading it gives an equal case.

    Keys in the order of the model, defaults left out, whole numbers without a point, two spaces,
    one newline at the end.
    """
    stated = case.model_dump(mode="json", exclude_defaults=True, exclude_none=True)
    data = {"id": case.id, "kind": str(case.kind), **stated}
    return json.dumps(_whole_numbers(data), ensure_ascii=False, indent=2) + "\n"


def _whole_numbers(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _whole_numbers(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_whole_numbers(v) for v in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
