"""ServiceNow as CSV: lists of the incident table, and its audit log with one row per update.

Of the rows of one number the last counts: by `sys_mod_count`, without one by when it was updated,
else by its place. Columns go by their names in the table (`short_description`) or their labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from kg.errors import Problem
from kg.readers.columns import Times, cell_text, times_of
from kg.readers.document import Document
from kg.readers.draft import Draft, Passage
from kg.readers.formats.format import Format, Reading
from kg.readers.formats.servicenow import ticket
from kg.readers.jsonrecords import Entry
from kg.readers.tables import Row, Table, find_table

NAME = "servicenow-csv"

_LABELS = {
    "opened": "opened_at",
    "resolved": "resolved_at",
    "closed": "closed_at",
    "created": "sys_created_on",
    "sys_created_at": "sys_created_on",
    "updated": "sys_updated_on",
    "sys_updated_at": "sys_updated_on",
    "created by": "sys_created_by",
    "updated by": "sys_updated_by",
    "updates": "sys_mod_count",
    "configuration item": "cmdb_ci",
    "service": "business_service",
    "incident_state": "state",
    "incident state": "state",
    "caller": "caller_id",
    "resolution notes": "close_notes",
    "resolution code": "close_code",
    "additional comments": "comments",
    "problem": "problem_id",
    "change request": "rfc",
    "caused by change": "caused_by",
    "root cause": "u_root_cause",
    "symptom": "u_symptom",
}
"""Labels and other names of columns; any other label is its name with spaces."""

_TIMES = ("opened_at", "resolved_at", "closed_at", "sys_created_on", "sys_updated_on")
_PEOPLE = ("caller_id", "opened_by", "assigned_to", "resolved_by", "closed_by", "reopened_by",
           "sys_created_by", "sys_updated_by")  # fmt: skip
_MARKS = (
    *("state", "short_description", "opened_at", "sys_created_on", "sys_updated_on"),
    *("assignment_group", "caller_id", "sys_mod_count", "made_sla", "close_notes"),
)
_NUMBER = re.compile(r"[A-Z]{2,8}\d{4,}")
_MOST_HEAD = 20_000


@dataclass(frozen=True)
class _Last:
    """The last row of a ticket so far, and everybody named in any of them."""

    order: tuple[int, str, int]
    row: Row
    people: dict[str, None]


def _sure(document: Document) -> float:
    header = document.text[:_MOST_HEAD].partition("\n")[0].lower()
    if "number" not in header:
        return 0.0
    table = _named(find_table(document))
    if table is None or not table.has("number"):
        return 0.0
    marks = sum(table.has(mark) for mark in _MARKS)
    first = next((r for r in table.rows() if isinstance(r, Row)), None)
    numbered = first is None or _NUMBER.fullmatch(table.first(first, "number"))
    return 0.95 if marks >= 2 and numbered else 0.0


def _named(table: Table | None) -> Table | None:
    """The table with its columns by their names in ServiceNow."""
    if table is None:
        return None
    lower = [" ".join(name.lower().split()) for name in table.header]
    return replace(table, header=tuple(_LABELS.get(n, n.replace(" ", "_")) for n in lower))


def _read(document: Document) -> Reading:
    table = _named(find_table(document))
    if table is None or not table.has("number"):
        told = "is no table of ServiceNow (no column `number`)"
        yield Problem(document.name, 0, "", told, "Export the incident list with its numbers")
        return
    times = times_of(table, _TIMES)
    yield from times.problems
    last: dict[str, _Last] = {}
    for row in table.rows():
        if isinstance(row, Problem):
            yield row
        elif not (number := cell_text(table.first(row, "number"))):
            remedy = "Export it with its number, or leave it out"
            yield Problem(document.name, row.line, "number", "a row without number", remedy)
        else:
            last[number] = _later(table, row, times, last.get(number))
    for one in last.values():
        yield _draft(table, one, times)


def _later(table: Table, row: Row, times: Times, known: _Last | None) -> _Last:
    count = table.first(row, "sys_mod_count")
    if count.isascii() and count.isdecimal():
        order = (int(count[:9]), "", row.line)
    else:
        order = (-1, times.read(table.first(row, "sys_updated_on")), row.line)
    people = known.people if known else {}
    people |= {row.cells[at]: None for at in table.places(_PEOPLE)}
    if known is not None and known.order > order:
        return replace(known, people=people)
    return _Last(order, row, people)


def _draft(table: Table, last: _Last, times: Times) -> Draft | Problem:
    record = dict(_record(table, last.row, times))
    record["sys_updated_by"] = list(last.people)
    # An audit log has no texts: its tickets are called by their numbers.
    record.setdefault("short_description", record["number"])
    entry = Entry(table.document.name, record, line=last.row.line)
    made = ticket(entry)
    if not isinstance(made, Draft):
        return made
    people = tuple(dict.fromkeys((*made.people, *_people(last))))
    related = tuple(dict.fromkeys((*made.related, *_changes(record))))
    symptom = record.get("u_symptom", "")
    passages = (*made.passages, *((Passage("symptom", symptom, "u_symptom"),) if symptom else ()))
    return replace(made, format=NAME, people=people, related=related, passages=passages)


def _people(last: _Last) -> Iterator[str]:
    return (name for cell in last.people if (name := " ".join(cell_text(cell).split())))


def _changes(record: dict[str, Any]) -> list[str]:
    change = record.get("rfc", "")
    return [change] if _NUMBER.fullmatch(change) else []


def _record(table: Table, row: Row, times: Times) -> Iterator[tuple[str, Any]]:
    """The row as a record of the Table API."""
    for name in dict.fromkeys(table.header):
        cells = [text for cell in table.all(row, name) if (text := cell_text(cell))]
        if cells:
            yield name, times.read(cells[0]) if name in _TIMES else "\n\n".join(cells)


FORMAT = Format(
    name=NAME,
    about="ServiceNow as CSV: incident lists, and the audit log with one row per update",
    suffixes=(".csv", ".tsv"),
    sure=_sure,
    read=_read,
)
