"""Our own case files: one JSON object, or JSON Lines with one case a line."""

from __future__ import annotations

import json
import re
from typing import Any

from kg.model import PROSE_FIELDS, CaseKind
from kg.model.text import LANG_PATTERN
from kg.readers.casefile import parse_case
from kg.readers.document import Document
from kg.readers.formats.format import Format, Reading
from kg.readers.tables import lines_of

_LANG = re.compile(LANG_PATTERN)


def _sure(document: Document) -> float:
    marks = _marks(_first(document))
    return 1.0 if marks >= 2 else 0.6 if marks else 0.0


def _first(document: Document) -> Any:
    """The object that the document is, or that its first line is."""
    if document.head[:1] not in "{ \n\t":
        return None
    if document.suffix != ".jsonl" and isinstance(document.data, dict):
        return document.data
    line = next((one for one in lines_of(document.text) if one.strip()), "")
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _marks(value: Any) -> int:
    """How many things an object has that cases have and records of others hardly do."""
    if not isinstance(value, dict) or "id" not in value:
        return 0
    texts = sum(_by_language(value.get(field)) for field in PROSE_FIELDS)
    kinds = value.get("kind") in list(CaseKind)
    claims = value.get("claims")
    claimed = isinstance(claims, list) and any("terms" in c for c in claims if isinstance(c, dict))
    return texts + int(kinds) + int(claimed)


def _by_language(value: Any) -> bool:
    return isinstance(value, dict) and bool(value) and all(_LANG.match(str(k)) for k in value)


def _read(document: Document) -> Reading:
    if document.suffix != ".jsonl" and isinstance(document.data, dict):
        yield from parse_case(document.text, document.name)
        return
    for number, line in enumerate(lines_of(document.text), 1):
        if line.strip():
            yield from parse_case(line, document.name, first_line=number)


FORMAT = Format(
    name="case",
    about="case files of this project (docs/case-format.md): JSON, or JSON Lines",
    suffixes=(".json", ".jsonl"),
    sure=_sure,
    read=_read,
)
