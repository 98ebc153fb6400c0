"""Judged sets in the BEIR layout (Thakur et al. 2021): each document of `corpus.jsonl` is a draft.

A document has `_id`, `title` and `text`; of `metadata` our own sets tell the kind of the case. The
questions and judgements of a set are for measuring (`kg eval`) and are no cases.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from kg.errors import Problem
from kg.model import CaseKind, SourceKind
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats.format import Format, Reading
from kg.readers.jsonrecords import Entry
from kg.readers.jsonvalues import inside, objects, word
from kg.readers.sketch import Sketch
from kg.readers.tables import lines_of

NAME = "beir"
_QUESTIONS = "queries.jsonl"


def _first(document: Document) -> Any:
    line = next((one for one in lines_of(document.text) if one.strip()), "")
    return _parsed(line)


def _parsed(line: str) -> Any:
    try:
        return json.loads(line) if line.lstrip().startswith("{") else None
    except (ValueError, RecursionError):
        return None


def _sure(document: Document) -> float:
    record = _first(document)
    if not isinstance(record, dict) or not {"_id", "text"} <= record.keys():
        return 0.0
    whole = all(isinstance(record[key], str) for key in ("_id", "text"))
    known = PurePath(document.name).name in ("corpus.jsonl", _QUESTIONS)
    return 0.95 if whole and (known or "title" in record) else 0.0


def _read(document: Document) -> Reading:
    if PurePath(document.name).name == _QUESTIONS:
        remedy = "Measure with them: kg eval FOLDER; the documents are in corpus.jsonl"
        yield Problem(document.name, 0, "", "questions of a judged set, not cases", remedy)
        return
    for number, line in enumerate(lines_of(document.text), 1):
        if line.strip():
            yield _draft(document.name, number, _parsed(line))


def _draft(file: str, number: int, record: Any) -> Draft | Problem:
    if not isinstance(record, dict):
        remedy = "Write one whole JSON object on each line"
        return Problem(file, number, "", "this line is no JSON object", remedy)
    sketch = Sketch(NAME, Entry(file, record, line=number), record.get("title"))
    sketch.source_id = word(record.get("_id"))
    # Whatever a set holds in its text is taken as it stands: it was made for search.
    sketch.say_plain("summary", record.get("text"))
    for metadata in objects(record.get("metadata")):
        sketch.link(metadata.get("url"))
    made = sketch.draft(SourceKind.DOCUMENT)
    kind = word(inside(record, "metadata", "kind"))
    if isinstance(made, Draft) and kind in list(CaseKind):
        return replace(made, kind=CaseKind(kind))
    return made


FORMAT = Format(
    name=NAME,
    about="judged sets in the BEIR layout: the documents of corpus.jsonl",
    suffixes=(".jsonl",),
    sure=_sure,
    read=_read,
)
