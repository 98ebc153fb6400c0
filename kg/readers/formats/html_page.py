"""Postmortems as web pages: saved from a browser, or exported by a wiki."""

from __future__ import annotations

import re
from html import unescape

from kg.readers.document import Document
from kg.readers.formats.format import Format, Reading
from kg.readers.headings import role_of
from kg.readers.htmltext import html_blocks
from kg.readers.markdown import MOST
from kg.readers.problems import too_long
from kg.readers.series import tells_of_failure
from kg.readers.telling import Telling, told

_SUFFIXES = (".html", ".htm", ".xhtml")
_PAGE = re.compile(r"\s*(?:<!--.{0,2000}?-->\s*)?<(?:!doctype html|html|head|body|article|h1)\b",
                   re.I | re.S)  # fmt: skip
_HEADING = re.compile(r"<h([1-6])\b[^>]*>(.{1,400}?)</h\1\s*>", re.I | re.S)
_TITLE = re.compile(r"<title\b[^>]*>([^<]{1,400})</title", re.I)
_TAG = re.compile(r"<[^<>]*>")


def _sure(document: Document) -> float:
    head = document.head
    if document.suffix not in (*_SUFFIXES, "") or not _PAGE.match(head):
        return 0.0
    headings = [_words(m[2]) for m in _HEADING.finditer(head)]
    named = sum(bool(role_of(h)) for h in headings)
    if named >= 2:
        return 0.7
    speaks = any(map(tells_of_failure, (_title(head), *headings[:1])))
    return 0.55 if named and speaks else 0.0


def _read(document: Document) -> Reading:
    if len(document.text) > MOST:
        yield too_long(document.name, MOST)
        return
    blocks = html_blocks(document.text, line=1, content_only=True)
    outer = any(b.kind == "heading" and b.level == 1 for b in blocks)
    telling = Telling(
        format=FORMAT.name,
        file=document.name,
        blocks=blocks,
        title="" if outer else _title(document.head),
    )
    yield from told(telling)


def _title(head: str) -> str:
    found = _TITLE.search(head)
    return _words(found[1]) if found else ""


def _words(html: str) -> str:
    return " ".join(unescape(_TAG.sub("", html)).split())


FORMAT = Format(
    name="html",
    about="postmortems as web pages, saved or exported",
    suffixes=_SUFFIXES,
    sure=_sure,
    read=_read,
)
