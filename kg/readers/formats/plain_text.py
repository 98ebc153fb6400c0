"""Reports in plain text, such as post-event summaries and status histories of vendors."""

from __future__ import annotations

import re

from kg.model import SourceKind
from kg.readers.document import Document
from kg.readers.formats.format import Format, Reading
from kg.readers.markdown import MOST
from kg.readers.problems import too_long
from kg.readers.telling import Telling, told
from kg.readers.textblocks import prose_share, text_blocks

_SUFFIXES = (".txt", ".text")
_NO_PROSE = re.compile(
    r"\s*(?:[\[{]|<[?!a-zA-Z])|.*^(?:import |from \S+ import |def |class )", re.M
)


def _sure(document: Document) -> float:
    head = document.head
    if document.suffix not in (*_SUFFIXES, "") or _NO_PROSE.match(head):
        return 0.0
    return 0.55 if prose_share(head) >= 0.5 else 0.2


def _read(document: Document) -> Reading:
    if len(document.text) > MOST:
        yield too_long(document.name, MOST)
        return
    telling = Telling(
        format="text",
        file=document.name,
        blocks=text_blocks(document.text),
        cited=SourceKind.DOCUMENT,
    )
    yield from told(telling)


FORMAT = Format(
    name="text",
    about="reports in plain text",
    suffixes=_SUFFIXES,
    sure=_sure,
    read=_read,
)
