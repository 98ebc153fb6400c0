"""Records of JSON exports one by one: a document, a list, a wrapping object, or JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from kg.errors import Problem
from kg.model.text import one_line
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.plainwords import kind_of


@dataclass(frozen=True)
class Entry:
    """One record of an export.

    Attributes:
        file: name of its document.
        record: the record itself.
        path: where it lies in the document, "" for the whole.
        line: its line in JSON Lines, else 0.
        around: the document (or line) that it lies in.
    """

    file: str
    record: dict[str, Any]
    path: str = ""
    line: int = 0
    around: Any = field(default=None, repr=False)

    def problem(self, message: str, remedy: str, at: str = "") -> Problem:
        """What is wrong with this record, or with what lies at `at` in it."""
        place = ".".join(part for part in (self.path, at) if part)
        return Problem(self.file, self.line, place, message, remedy)


Finder = Callable[[Any], Iterator[tuple[str, Any]]]
"""The records in a document, with their paths."""

Builder = Callable[[Entry], Draft | Problem]
"""One record as a draft, or what it is instead of an incident."""


def first_value(document: Document) -> Any:
    """The document as JSON, or its first line where each line is JSON; None for neither."""
    if document.data is not None:
        return document.data
    line = document.text.lstrip()[:1_000_000].partition("\n")[0]
    return _parsed(line) if line.startswith("{") else None


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def entries(document: Document, find: Finder, export: str) -> Iterator[Entry | Problem]:
    """The records of a document in order; what is no record is a problem.

    Args:
        document: JSON, or JSON Lines.
        find: tells the records in a JSON value.
        export: what to export instead when there is no record, as an instruction.
    """
    count = 0
    for line, value in _values(document):
        if isinstance(value, Problem):
            count += 1
            yield value
            continue
        for path, record in find(value):
            count += 1
            if isinstance(record, dict):
                yield Entry(document.name, record, path, line, value)
            else:
                told = f"is {kind_of(record)} where a record is expected"
                yield Problem(document.name, line, path, told, export)
    if not count:
        yield Problem(document.name, 0, "", "there is no incident in it", export)


def _values(document: Document) -> Iterator[tuple[int, Any]]:
    if document.data is not None:
        yield 0, document.data
        return
    if not isinstance(first_value(document), dict):
        yield 0, _not_json(document)
        return
    for number, line in enumerate(document.text.split("\n"), 1):
        if line.strip():
            value = _parsed(line)
            told = "this line is not JSON", "Write one whole JSON object on each line"
            yield number, Problem(document.name, number, "", *told) if value is None else value


def _not_json(document: Document) -> Problem:
    try:
        json.loads(document.text)
    except json.JSONDecodeError as error:
        told = f"not JSON: {error.msg} (column {error.colno})"
        return Problem(document.name, error.lineno, "", told, "Export the file again, whole")
    except RecursionError:
        told = "the JSON is nested too deep"
        return Problem(document.name, 0, "", told, "Export the records without their wrapping")
    except ValueError as error:
        told = f"not JSON: {one_line(str(error))}"
        return Problem(document.name, 0, "", told, "Export the file again")
    return Problem(document.name, 0, "", "holds null", "Export the file again")


def built(
    document: Document, find: Finder, build: Builder, export: str
) -> Iterator[Draft | Problem]:
    """The drafts and problems of a document; one bad record does not keep the others back."""
    for entry in entries(document, find, export):
        if isinstance(entry, Problem):
            yield entry
            continue
        try:
            yield build(entry)
        except RecursionError:
            yield entry.problem("the record is nested too deep", "Export it without its wrapping")
