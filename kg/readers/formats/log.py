"""Logs: recognised so that it can be said what to do with them; they report no incident."""

from __future__ import annotations

from kg.errors import Problem
from kg.readers.document import Document
from kg.readers.formats.format import Format, Reading
from kg.readers.logs import log_findings, looks_like_log

_SEEN = 3
_LOOKED_AT = 1_000_000


def _sure(document: Document) -> float:
    if document.data is not None or document.suffix in (".csv", ".tsv"):
        return 0.0
    return 0.9 if looks_like_log(document.text) else 0.0


def _read(document: Document) -> Reading:
    found = log_findings(document.text[:_LOOKED_AT])
    told = ", ".join(f"{one.name} (line {one.line})" for one in found[:_SEEN])
    seen = f"; it holds {told}" + (" and more" if len(found) > _SEEN else "") if told else ""
    yield Problem(
        document.name, found[0].line if found else 0, "",
        f"a log, not the report of an incident{seen}",
        'Ask with it: kg diagnose "$(cat FILE)". To keep it, add the report and name the log in it',
    )  # fmt: skip


FORMAT = Format(
    name="log",
    about="log lines; they are no incident, and are asked with instead of added",
    suffixes=(".log", ".txt"),
    sure=_sure,
    read=_read,
)
