"""Pages of an incident library as lines, from their text or their HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from kg.readers.blocks import tidy
from kg.readers.document import Document
from kg.readers.htmltext import html_blocks
from kg.readers.markdown import bare_addresses
from kg.readers.shipped import shipped
from kg.readers.vocabularyfile import read_vocabulary
from kg.vocab import Vocabulary

CHIP = "¦"
"""Stands between labels that a page sets apart by style."""

_MARK = re.compile(r"^\s*(?:[-•*]|\d{1,3}\.)\s+")
_HTML = re.compile(r"\s*(?:<!doctype html|<html|<(?:body|main|article|div|section|h1)\b)", re.I)


@dataclass(frozen=True)
class Line:
    """A line of a page.

    Attributes:
        text: its words, without the mark of a list.
        number: line of the document, from 1; 0 when it is HTML.
        numbered: whether it begins an entry of a numbered list.
        links: addresses in it, those within the site too.
    """

    text: str
    number: int = 0
    numbered: bool = False
    links: tuple[str, ...] = ()

    @property
    def said(self) -> str:
        """Its words, "" where they say that nothing is stated."""
        return "" if self.text in ("–", "-", "—") else self.text


def is_html(text: str) -> bool:
    """Whether a text is HTML."""
    return _HTML.match(text) is not None


def page_lines(document: Document) -> list[Line]:
    """The lines of a page that hold something."""
    if is_html(document.head):
        return list(_of_html(document.text))
    found = []
    for i, raw in enumerate(document.text.split("\n"), 1):
        text = tidy(raw)
        mark = _MARK.match(text + " ")
        if text in ("–", "-", "—"):
            mark = None
        bare = text[mark.end() :].strip() if mark else text
        if bare or mark:
            numbered = bool(mark and mark.group().strip()[:1].isdigit())
            found.append(Line(bare, i, numbered, tuple(bare_addresses(bare))))
    return [line for line in found if line.text]


def _of_html(html: str) -> Iterator[Line]:
    for block in html_blocks(html, between=CHIP, line=1, all_links=True):
        for text in block.text.split("\n"):
            yield Line(text, block.line, links=block.links)


@cache
def _vocabulary() -> Vocabulary:
    return read_vocabulary(shipped("vocabulary"))


def chips(text: str, scheme: str) -> list[str] | None:
    """The labels in a text that a page sets apart by style only.

    Labels that lost what stood between them are divided by the vocabulary; None when the text
    cannot be divided so.
    """
    if CHIP in text:
        return [part.strip() for part in text.split(CHIP) if part.strip()]
    if len(text) > 200:
        return None
    return _divided(text.strip(), scheme)


def _divided(text: str, scheme: str) -> list[str] | None:
    if not text:
        return []
    vocabulary = _vocabulary()
    if vocabulary.lookup(text, scheme):
        return [text]
    for end in range(len(text) - 1, 0, -1):
        if vocabulary.lookup(text[:end].strip(), scheme):
            rest = _divided(text[end:].strip(), scheme)
            if rest is not None:
                return [text[:end].strip(), *rest]
    return None
