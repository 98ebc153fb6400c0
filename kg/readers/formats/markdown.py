"""Markdown postmortems and diaries, with or without front matter, after any common template."""

from __future__ import annotations

import re

from kg.readers.document import Document
from kg.readers.formats.format import Format, Reading
from kg.readers.frontmatter import split_front_matter
from kg.readers.headings import role_of
from kg.readers.markdown import MOST, markdown_blocks
from kg.readers.problems import too_long
from kg.readers.telling import Telling, told

_SUFFIXES = (".md", ".markdown", ".mdx", ".mkd")
_HEADING = re.compile(r"^#{1,6}\s+\S", re.M)
_UNDERLINED = re.compile(r"^\S.*\n(?:={3,}|-{3,})\s*$", re.M)


def _sure(document: Document) -> float:
    head = document.head
    begins = head.lstrip()[:1]
    if begins in ("<", "{") and not _HEADING.search(head):
        return 0.0
    marks = len(_HEADING.findall(head)) + len(_UNDERLINED.findall(head))
    front = head.startswith(("---\n", "+++\n"))
    if document.suffix in _SUFFIXES:
        return 0.75 if marks or front else 0.6
    if document.suffix not in (".txt", ".text", ""):
        return 0.0
    named = [h for h in re.findall(r"^#{1,6}\s+(.+)$", head, re.M) if role_of(h)]
    return 0.65 if len(named) >= 2 or (front and marks) else 0.0


def _read(document: Document) -> Reading:
    if len(document.text) > MOST:
        yield too_long(document.name, MOST)
        return
    front = split_front_matter(document.text)
    telling = Telling(
        format="markdown",
        file=document.name,
        blocks=markdown_blocks(front.body, front.lines),
        values=front.values,
        problem=front.problem,
    )
    yield from told(telling)


FORMAT = Format(
    name="markdown",
    about="Markdown postmortems and diaries, with or without front matter",
    suffixes=_SUFFIXES,
    sure=_sure,
    read=_read,
)
