"""Jira as CSV ("Export CSV, all fields"): one row an issue, with column names that repeat.

Each row becomes the record that the REST API would give, so that both are read alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from kg.errors import Problem
from kg.readers.columns import Times, cell_text, times_of
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats.format import Format, Reading
from kg.readers.formats.jira import ticket
from kg.readers.jsonrecords import Entry
from kg.readers.jsonvalues import MISSING
from kg.readers.tables import Row, Table, find_table

NAME = "jira-csv"

_KOREAN = {
    "요약": "summary",
    "키": "issue key",
    "이슈 키": "issue key",
    "이슈 id": "issue id",
    "이슈 유형": "issue type",
    "상태": "status",
    "우선 순위": "priority",
    "우선순위": "priority",
    "해결책": "resolution",
    "생성일": "created",
    "만듦": "created",
    "업데이트": "updated",
    "업데이트됨": "updated",
    "해결됨": "resolved",
    "담당자": "assignee",
    "보고자": "reporter",
    "작성자": "creator",
    "설명": "description",
    "환경": "environment",
    "구성 요소": "components",
    "레이블": "labels",
    "댓글": "comment",
}
"""Names of columns where Jira speaks Korean."""

_ALSO = {"component/s": "components", "key": "issue key", "resolution date": "resolved"}
_TIMES = ("created", "updated", "resolved")
_PEOPLE = (
    "assignee",
    "reporter",
    "creator",
    "watchers",
    "assignee id",
    "reporter id",
    "creator id",
)
_LINK = re.compile(r"(inward|outward) issue link \((.+)\)")
_CUSTOM = re.compile(r"custom field \((.+)\)")
_COMMENT = re.compile(r"([^;\n]{6,40});([^;\n]{1,200});(.*)", re.DOTALL)
_KEY = re.compile(r"[A-Z][A-Z0-9_]+-\d+")
_MOST_HEAD = 100_000


def _sure(document: Document) -> float:
    header = document.text[:_MOST_HEAD].partition("\n")[0].lower()
    if "summary" not in header and "요약" not in header:
        return 0.0
    table = _named(find_table(document))
    return 0.95 if table is not None and _is_jira(table) else 0.0


def _is_jira(table: Table) -> bool:
    keyed = table.has("issue key") or table.has("issue id")
    return keyed and table.has("summary") and (table.has("status") or table.has("created"))


def _named(table: Table | None) -> Table | None:
    """The table with the names of its columns in English and in lower case."""
    if table is None:
        return None
    lower = (" ".join(name.lower().split()) for name in table.header)
    return replace(table, header=tuple(_KOREAN.get(n) or _ALSO.get(n) or n for n in lower))


def _read(document: Document) -> Reading:
    table = _named(find_table(document))
    if table is None or not _is_jira(table):
        told = "is no CSV export of Jira (no columns `Summary` and `Issue key`)"
        yield Problem(document.name, 0, "", told, "Export the issues with all fields")
        return
    times = times_of(table, _TIMES)
    yield from times.problems
    for row in table.rows():
        yield row if isinstance(row, Problem) else _draft(table, row, times)


def _draft(table: Table, row: Row, times: Times) -> Draft | Problem:
    key = table.first(row, "issue key", "issue id")
    names: dict[str, str] = {}
    fields = dict(_fields(table, row, times, names))
    record = {"key": key, "self": table.first(row, "project url"), "names": names, "fields": fields}
    made = ticket(Entry(table.document.name, record, line=row.line))
    return replace(made, format=NAME) if isinstance(made, Draft) else made


def _fields(
    table: Table, row: Row, times: Times, names: dict[str, str]
) -> Iterator[tuple[str, Any]]:
    """The fields of the issue, as the REST API has them; names of custom fields go to `names`."""
    for key in ("summary", "description", "environment"):
        yield key, cell_text(table.first(row, key))
    for key in ("priority", "resolution"):
        yield key, {"name": table.first(row, key)}
    for key, column in (
        ("created", "created"),
        ("updated", "updated"),
        ("resolutiondate", "resolved"),
    ):
        yield key, times.read(table.first(row, column))
    yield "components", [{"name": name} for name in table.all(row, "components")]
    yield "labels", list(table.all(row, "labels"))
    yield "comment", {"comments": [_comment(c, times) for c in table.all(row, "comment")]}
    yield "assignee", [name for column in _PEOPLE for name in table.all(row, column)]
    yield "issuelinks", list(_links(table, row))
    for key in ("parent", "parent key"):
        if _KEY.fullmatch(parent := table.first(row, key)):
            yield "parent", {"key": parent}
    yield from _custom(table, row, names)


def _custom(table: Table, row: Row, names: dict[str, str]) -> Iterator[tuple[str, Any]]:
    for number, column in enumerate(dict.fromkeys(table.header)):
        found = _CUSTOM.fullmatch(column)
        cells = [c for c in table.all(row, column) if c not in MISSING] if found else []
        if found and cells:
            key = f"customfield_{number}"
            names[key] = found[1]
            text = cell_text(cells[0])
            yield key, text if len(cells) == 1 else [{"value": cell_text(c)} for c in cells]


def _comment(cell: str, times: Times) -> dict[str, str]:
    """A cell such as `30/Sep/21 17:20;jdoe;text`: when, who, what."""
    found = _COMMENT.fullmatch(cell)
    if found is None or (at := times.read(found[1].strip())) == found[1].strip():
        return {"body": cell_text(cell)}
    return {"created": at, "author": found[2].strip(), "body": cell_text(found[3])}


def _links(table: Table, row: Row) -> Iterator[dict[str, Any]]:
    for column in dict.fromkeys(table.header):
        if found := _LINK.fullmatch(column):
            for key in table.all(row, column):
                yield {"type": {"name": found[2]}, f"{found[1]}Issue": {"key": key}}


FORMAT = Format(
    name=NAME,
    about="Jira as CSV: issues with all fields, or some",
    suffixes=(".csv", ".tsv"),
    sure=_sure,
    read=_read,
)
