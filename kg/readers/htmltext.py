"""HTML as blocks of plain text: no scripts, nothing hidden, entities decoded once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from html.parser import HTMLParser

from kg.readers.blocks import Block, clean_code, table_row, tidy

_UNSEEN = {"script", "style", "template", "noscript", "head", "svg", "iframe", "object", "button"}
_VOID = {"br", "img", "hr", "input", "meta", "link", "wbr", "source", "col", "area", "base"}
_AROUND = {"nav", "footer", "aside", "form"}
"""What stands around the content of a page."""
_BREAKS = {
    "p", "div", "section", "article", "ul", "ol", "dl", "table", "thead", "tbody", "header", "main",
    "footer", "nav", "aside", "form", "details", "summary", "blockquote", "figure", "figcaption",
    "address", "body", "html",
}  # fmt: skip
_HEADING = re.compile(r"h([1-6])")
_CHIPS = {"a", "span", "button", "mark"}
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_DEEPEST = 300
"""Elements inside one another that are told apart; below that all is taken as text."""


def html_blocks(
    html: str,
    *,
    between: str = "",
    line: int = 0,
    all_links: bool = False,
    content_only: bool = False,
) -> list[Block]:
    """The blocks of a page or of a piece of one.

    Args:
        html: the mark-up. Broken mark-up is read as far as it goes.
        between: what to write between two inline elements that follow each other at once, so
            that labels which the page sets apart by style stay apart.
        line: line of the document where the piece begins, 0 when lines mean nothing.
        all_links: whether links within the site are kept too, and not only absolute ones.
        content_only: whether menus, footers, side columns and forms are left out.
    """
    reader = _Reader(between, line, all_links, _UNSEEN | _AROUND if content_only else _UNSEEN)
    try:
        reader.feed(html)
        reader.close()
    except (AssertionError, ValueError, RecursionError):
        # What the parser of the standard library does not survive; what was read stays.
        pass
    reader.flush()
    return reader.blocks


def html_text(html: str) -> str:
    """The plain text of a piece of HTML, an empty line between paragraphs."""
    return "\n\n".join(b.text for b in html_blocks(html))


class _Reader(HTMLParser):
    """Collects text until a block ends."""

    def __init__(self, between: str, line: int, all_links: bool, unread: Set[str]) -> None:
        super().__init__(convert_charrefs=True)
        self._unread = unread
        self.blocks: list[Block] = []
        self._between, self._base, self._all_links = between, line, all_links
        self._text: list[str] = []
        self._links: list[str] = []
        self._bold: list[str] | None = None
        self._label, self._ended = "", ""
        self._kind, self._level, self._line = "text", 0, 0
        self._lists = 0
        self._unseen: list[str] = []
        self._cells: list[str] | None = None
        self._head = False
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {k: v or "" for k, v in attrs}
        if tag not in _VOID:
            self._depth += 1
            if self._unseen or self._hides(tag, values):
                self._unseen.append(tag)
        if self._unseen or self._depth > _DEEPEST:
            return
        if tag == "br":
            self._text.append("\n")
        elif found := _HEADING.fullmatch(tag):
            self._begin("heading", int(found[1]))
        elif tag in ("ul", "ol"):
            self.flush()
            self._lists += 1
        elif tag in ("li", "dt", "dd"):
            self._begin("item", max(1, self._lists))
        elif tag == "pre":
            self._begin("code", 0)
        elif tag == "tr":
            self.flush()
            self._cells, self._head = [], True
        elif tag in ("td", "th"):
            self._head = self._head and tag == "th"
            self._cell()
        elif tag in _BREAKS and self._cells is None and not self._opens_item(tag):
            self._begin("text", 0)
        else:
            self._inline(tag, values)

    def _hides(self, tag: str, values: Mapping[str, str]) -> bool:
        gone = "hidden" in values or values.get("aria-hidden") == "true"
        return tag in self._unread or gone or bool(_HIDDEN.search(values.get("style", "")))

    def _opens_item(self, tag: str) -> bool:
        """Whether a paragraph is the beginning of a list item, and no block of its own."""
        return tag == "p" and self._kind == "item" and not "".join(self._text).strip()

    def _inline(self, tag: str, values: Mapping[str, str]) -> None:
        if tag in _CHIPS and self._ended in _CHIPS and self._between:
            self._text.append(self._between)
        href = values.get("href", "") if tag == "a" else ""
        if href.startswith(("http://", "https://")) or (href and self._all_links):
            self._links.append(href)
        if tag in ("strong", "b") and not "".join(self._text).strip():
            self._bold = []

    def handle_endtag(self, tag: str) -> None:
        if tag in _VOID:
            return
        self._depth = max(0, self._depth - 1)
        if self._unseen:
            if tag in self._unseen:
                while self._unseen and self._unseen.pop() != tag:
                    pass
            return
        if tag in ("td", "th"):
            self._cell()
        elif tag == "tr":
            self._row()
        elif tag in ("ul", "ol"):
            self.flush()
            self._lists = max(0, self._lists - 1)
        elif self._cells is None and (
            tag in _BREAKS or tag in ("li", "dt", "dd", "pre") or _HEADING.fullmatch(tag)
        ):
            self.flush()
        elif tag in ("strong", "b") and self._bold is not None:
            self._label, self._bold = tidy("".join(self._bold)), None
        self._ended = tag

    def handle_data(self, data: str) -> None:
        if self._unseen:
            return
        if not "".join(self._text).strip() and data.strip():
            self._line = self._base + self.getpos()[0] - 1 if self._base else 0
        self._text.append(data if self._kind == "code" else re.sub(r"\s+", " ", data))
        if self._bold is not None:
            self._bold.append(data)
        if data:
            self._ended = ""

    def _begin(self, kind: str, level: int) -> None:
        self.flush()
        self._kind, self._level = kind, level

    def _cell(self) -> None:
        """Ends a cell of a row, if one is open, or what stands outside of rows."""
        if self._cells is None:
            return
        text = tidy("".join(self._text)).replace("\n", " ")
        if self._kind == "cell":
            self._cells.append(text)
        self._text = []
        self._kind = "text" if self._kind == "cell" else "cell"

    def _row(self) -> None:
        cells = tuple(self._cells or ())
        if self._kind == "cell":
            self._cell()
            cells = tuple(self._cells or ())
        self._cells, self._kind = None, "text"
        if any(cells):
            self.blocks.append(table_row(cells, self._line, self._links, head=self._head))
        self._text, self._links = [], []

    def flush(self) -> None:
        """Ends the block that is being read."""
        if self._cells is not None:
            self._row()
        joined = "".join(self._text)
        text = clean_code(joined) if self._kind == "code" else tidy(joined)
        if text:
            if self._kind == "heading":
                text = text.replace("\n", " ")
            label = self._label if text.startswith(self._label) else ""
            self.blocks.append(
                Block(
                    self._kind, text, self._line, self._level, label=label, links=tuple(self._links)
                )
            )
        self._text, self._links, self._label, self._bold = [], [], "", None
        self._kind, self._level, self._ended = "text", 0, ""
