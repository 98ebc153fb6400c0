"""Our own case files: one JSON object a file, or JSON Lines with one case a line."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from kg.errors import InputError, Problem
from kg.model import (
    Case,
    Claim,
    ClaimKind,
    Duration,
    Figure,
    Link,
    Made,
    Origin,
    Source,
    Span,
    When,
)
from kg.readers.exported import Exported, case_texts, find_export
from kg.readers.textfile import files_in, read_text
from kg.readers.validation import Form, parse_record

SUFFIXES = (".json", ".jsonl")
_CASE = Form(
    model=Case,
    name="a case",
    shape="Write one case a file, or use .jsonl",
    guide="docs/case-format.md",
    within={
        "dates": When,
        "time_to_detect": Duration,
        "time_to_recover": Duration,
        "claims": Claim,
        "evidence": Span,
        "figures": Figure,
        "sources": Source,
        "references": Source,
        "links": Link,
        "made": Made,
        "origin": Origin,
    },
)


def read_cases(paths: Iterable[str | Path]) -> Iterator[tuple[str, Case | Problem]]:
    """Read case files, folders (recursively) and exports of a library in sorted order.

    Yields:
        The path and either a valid case or one problem with it. A record that is not valid
        yields every one of its problems and no case. Terms are not checked here.
    """
    done: set[str] = set()
    for path in sorted({str(p) for p in paths}):
        if (export := find_export(path)) is not None:
            yield from _read_export(export)
            continue
        for found in _found(Path(path)):
            if isinstance(found, Problem):
                yield found.file, found
            # A file named twice, or inside a named folder, is one file.
            elif (real := os.path.realpath(found)) not in done:
                done.add(real)
                yield from ((str(found), item) for item in _read_file(found))


def _found(path: Path) -> Iterator[Path | Problem]:
    if not os.path.isdir(path):  # noqa: PTH112 - where Path raises, reading tells why
        yield path
        return
    empty = True
    for file in files_in(path, SUFFIXES):
        empty = False
        yield file
    if empty:
        yield Problem(
            str(path), 0, "", "this folder holds no case files",
            "Give a folder with *.json (one case a file) or *.jsonl (one case a line)",
        )  # fmt: skip


def _read_file(path: Path) -> Iterator[Case | Problem]:
    text = read_text(path)
    if isinstance(text, Problem):
        yield text
    elif path.suffix.lower() == ".jsonl":
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                yield from parse_case(line, str(path), first_line=number)
    else:
        yield from parse_case(text, str(path))


def _read_export(export: Exported) -> Iterator[tuple[str, Case | Problem]]:
    try:
        for file, number, text in case_texts(export):
            yield from ((file, item) for item in parse_case(text, file, number))
    except InputError as error:
        yield from ((problem.file, problem) for problem in error.problems)


def parse_case(text: str, file: str, first_line: int = 1) -> Iterator[Case | Problem]:
    """Parse one case from JSON text.

    Yields:
        The case, or all problems of the text with file, line and field.
    """
    return parse_record(_CASE, text, file, first_line)


def dump_case(case: Case) -> str:
    """A case as the canonical text of its file; reading it gives an equal case.

    Keys in the order of the model, defaults left out, whole numbers without a point, two spaces,
    one newline at the end. `cause` is an explicit null where no cause is claimed.
    """
    stated = case.model_dump(mode="json", exclude_defaults=True, exclude_none=True)
    data = {"id": case.id, "kind": str(case.kind), **stated}
    if not any(c.kind is ClaimKind.CAUSE for c in case.claims):
        # That no cause is known is worth saying: an explicit null, in its place.
        data = {f: data.get(f) for f in Case.model_fields if f in data or f == "cause"}
    return json.dumps(_whole_numbers(data), ensure_ascii=False, indent=2) + "\n"


def _whole_numbers(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _whole_numbers(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_whole_numbers(v) for v in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
