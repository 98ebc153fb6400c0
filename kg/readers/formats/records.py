"""Records of no known system whose keys or columns name fields of a case: CSV, JSON, JSON Lines.

Only names that say it themselves are taken (`title`, `root cause`, `started_at`, `원인`); what else
there is, is named in a note. For all other names there are mapping files (docs/mapping.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from kg.errors import Problem
from kg.model import DateKind, SourceKind, parse_duration
from kg.readers.columns import Times, cell_text, declared_times, times_of
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats.format import LEAST, Format, Reading
from kg.readers.headings import field_of
from kg.readers.jsonrecords import Entry, entries, first_value
from kg.readers.jsonvalues import named, unwrapped, word
from kg.readers.sketch import Sketch, labelled
from kg.readers.tables import Row, Table, find_table

NAME = "records"
MAP = "Write a mapping file that says what is what (docs/mapping.md), and give it with --mapping"

_TITLES = (
    "title",
    "제목",
    "subject",
    "headline",
    "incident title",
    "incident name",
    "장애명",
    "장애 제목",
)
_IDS = ("id", "incident id", "incident number", "number", "key", "번호", "장애 번호", "사건 번호")
_PEOPLE = (
    "author",
    "authors",
    "assignee",
    "reporter",
    "owner",
    "creator",
    "created by",
    "작성자",
    "담당자",
)
_LINKS = ("url", "link", "permalink", "html url", "링크")
_TIMES: dict[str, DateKind] = {
    name: kind
    for kind, names in {
        DateKind.STARTED: "started at|start time|started|start|began at|"
        "시작 시각|발생 시각|발생 일시|시작",
        DateKind.DETECTED: "detected at|detected|detection time|감지 시각|인지 시각|탐지 시각",
        DateKind.MITIGATED: "mitigated at|mitigated|완화 시각",
        DateKind.ENDED: "ended at|end time|ended|resolved at|resolved|"
        "복구 시각|종료 시각|해결 시각|종료",
        DateKind.PUBLISHED: "published at|published|created at|created|opened at|작성일|등록일",
    }.items()
    for name in names.split("|")
}
_LENGTHS = {
    "time to detect": "time_to_detect", "ttd": "time_to_detect",
    "감지까지 걸린 시간": "time_to_detect",
    "time to recover": "time_to_recover", "time to resolve": "time_to_recover",
    "ttr": "time_to_recover", "복구까지 걸린 시간": "time_to_recover",
}  # fmt: skip
_WRAPPERS = ("incidents", "records", "items", "data", "results", "postmortems", "cases")
_MOST_KEYS = 12


def _plain(key: str) -> str:
    return " ".join(key.replace("_", " ").replace("-", " ").lower().split())


def _sure(document: Document) -> float:
    return LEAST if _is_table(document) or _is_records(document) else 0.0


def _is_table(document: Document) -> bool:
    if document.suffix not in (".csv", ".tsv"):
        return False
    table = find_table(document)
    return table is not None and len(table.header) > 1


def _is_records(document: Document) -> bool:
    if document.suffix not in (".json", ".jsonl") and document.head.lstrip()[:1] not in ("{", "["):
        return False
    found = unwrapped(first_value(document), *_WRAPPERS)
    return any(isinstance(r, dict) and _tells(r) for _, r in islice(found, 5))


def _tells(keys: Any) -> bool:
    """Whether there is a title, and a text beside it."""
    plain = [_plain(str(key)) for key in keys]
    titled = any(name in plain for name in _TITLES)
    return titled and any(field_of(name) for name in plain if name not in _TITLES)


def _read(document: Document) -> Reading:
    if document.suffix in (".csv", ".tsv"):
        table = find_table(document)
        if table is None:
            told = "no table: its records have different numbers of cells"
            yield Problem(document.name, 0, "", told, MAP)
        elif not _tells(table.header):
            shown = ", ".join(table.header[:_MOST_KEYS])
            told = f"a table whose columns name no title and text of an incident: {shown}"
            yield Problem(document.name, 1, "", told, MAP)
        else:
            yield from _rows(table)
        return
    times = declared_times(document)
    for entry in entries(document, lambda value: unwrapped(value, *_WRAPPERS), MAP):
        yield entry if isinstance(entry, Problem) else _draft(entry, times)


def _rows(table: Table) -> Reading:
    times = times_of(table, [name for name in table.header if _plain(name) in _TIMES])
    yield from times.problems
    for row in table.rows():
        if isinstance(row, Row):
            cells = ((name, [cell_text(c) for c in table.all(row, name)]) for name in table.header)
            record = {n: c[0] if len(c) == 1 else c for n, c in cells if c}
            yield _draft(Entry(table.document.name, record, line=row.line), times)
        else:
            yield row


def _draft(entry: Entry, times: Times) -> Draft | Problem:
    by_name = {_plain(str(key)): value for key, value in entry.record.items()}
    sketch = Sketch(NAME, entry, next((word(by_name[n]) for n in _TITLES if n in by_name), ""))
    sketch.source_id = next((i for n in _IDS if (i := word(by_name.get(n)))), "")
    left = list(_unread(sketch, entry, times))
    if left:
        shown = ", ".join(left[:_MOST_KEYS]) + (", …" if len(left) > _MOST_KEYS else "")
        sketch.note(f"not read: {shown}", MAP)
    return sketch.draft(SourceKind.DOCUMENT)


def _unread(sketch: Sketch, entry: Entry, times: Times) -> Iterator[str]:
    """Put every value in its place; the keys whose names say nothing are left over."""
    for key, value in entry.record.items():
        name = _plain(str(key))
        if value in (None, "", [], {}) or name in (*_TITLES, *_IDS):
            continue
        if name in _TIMES:
            _time(sketch, _TIMES[name], value, times)
        elif name in _LENGTHS:
            _length(sketch, _LENGTHS[name], value)
        elif name in _PEOPLE:
            sketch.people(value)
        elif name in _LINKS:
            for one in named(value):
                sketch.link(one)
        elif not labelled(sketch, name, value, str(key)):
            yield str(key)


def _time(sketch: Sketch, kind: DateKind, value: object, times: Times) -> None:
    sketch.when(kind, times.read(word(value)))


def _length(sketch: Sketch, name: str, value: object) -> None:
    length = parse_duration(word(value))
    if length is None:
        told = f"{word(value)[:40]!r} is no duration with a unit; it is left out"
        sketch.note(told, "Write it like 2 h 15 min", name)
    else:
        setattr(sketch, name, length)


FORMAT = Format(
    name=NAME,
    about="CSV, JSON or JSON Lines whose columns or keys name the fields of a case",
    suffixes=(".csv", ".tsv", ".json", ".jsonl"),
    sure=_sure,
    read=_read,
)
