"""The library as JSON Lines: the records themselves, as `kg build` reads them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kg.model import Apart, Case, Change, Review, Revision
from kg.readers import dump_case, dump_scheme
from kg.readers.exported import (
    APART_LINES,
    CASE_LINES,
    HISTORY,
    REVIEW_LINES,
    REVISION_LINES,
    VOCABULARY,
)
from kg.store import Snapshot

_BREAKS = re.compile("[\x7f-\x9f\u2028\u2029]")
"""What JSON lets stand, though some programs end a line there."""


def write_records(snapshot: Snapshot, folder: Path) -> dict[str, Any]:
    """Write each case as a line of `cases.jsonl`, and each scheme as a file in `vocabulary`.

    A vocabulary that was changed has its history beside, each change as a line; so have cases that
    were read from elsewhere, decisions about their claims, and cases that were told apart.
    """
    write_lines(folder / CASE_LINES, map(case_line, snapshot.cases))
    (folder / VOCABULARY).mkdir()
    for name, scheme in snapshot.vocabulary.schemes.items():
        (folder / VOCABULARY / f"{name}.json").write_bytes(dump_scheme(scheme).encode())
    if snapshot.vocabulary.history:
        write_lines(folder / VOCABULARY / HISTORY, map(change_line, snapshot.vocabulary.history))
    if snapshot.reviews:
        write_lines(folder / REVIEW_LINES, map(record_line, snapshot.reviews))
    if snapshot.revisions:
        write_lines(folder / REVISION_LINES, map(record_line, snapshot.revisions))
    if snapshot.apart:
        write_lines(folder / APART_LINES, map(record_line, snapshot.apart))
    return {}


def record_line(record: Review | Revision | Apart) -> str:
    """A decision about a claim or two cases, or a step in a history, as one line of JSON."""
    return json_line(record.model_dump(mode="json", exclude_defaults=True))


def change_line(change: Change) -> str:
    """A change of the vocabulary as one line of JSON."""
    return json_line(change.model_dump(mode="json", exclude_defaults=True))


def case_line(case: Case) -> str:
    """A case as one line of JSON, the same content in the same order as its canonical file."""
    return json_line(json.loads(dump_case(case)))


def json_line(value: Any) -> str:
    """JSON on one line, whatever a program takes for the end of a line."""
    text = json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
    return _BREAKS.sub(lambda m: f"\\u{ord(m.group()):04x}", text)


def write_lines(file: Path, lines: Iterable[str]) -> None:
    """Write a text file line by line: UTF-8, a line feed after each."""
    with file.open("w", encoding="utf-8", newline="\n") as opened:
        opened.writelines(f"{line}\n" for line in lines)
