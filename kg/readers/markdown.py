"""Markdown as blocks of plain text, by markdown-it (CommonMark, with tables)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from kg.readers.blocks import Block, clean_code, table_row, tidy
from kg.readers.htmltext import html_blocks

MOST = 4_000_000
"""Characters of Markdown that are read; a longer document is no report of an incident."""

_COMMENT = re.compile(r"<!--.*?-->", re.S)
_HTTP = ("http://", "https://")


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"maxNesting": 30}).enable(["table", "strikethrough"])


def markdown_blocks(text: str, line: int = 0) -> list[Block]:
    """The blocks of a Markdown text; images and comments are left out.

    Args:
        text: the Markdown.
        line: how many lines of the document stand before it.
    """
    try:
        tokens = _parser().parse(_COMMENT.sub(lambda m: "\n" * m.group().count("\n"), text))
    except (RecursionError, ValueError, IndexError):
        return [Block("text", tidy(p), line + 1) for p in text.split("\n\n") if p.strip()]
    return list(_walk(tokens, line))


def _walk(tokens: Sequence[Token], base: int) -> Iterator[Block]:
    kind, level, depth = "text", 0, 0
    cells: list[str] | None = None
    links: list[str] = []
    fresh = False
    for token in tokens:
        line = base + token.map[0] + 1 if token.map else 0
        match token.type:
            case "heading_open":
                kind, level = "heading", int(token.tag[1])
            case "heading_close":
                kind, level = "text", 0
            case "list_item_open":
                depth, fresh = depth + 1, True
            case "list_item_close":
                depth -= 1
            case "tr_open":
                cells, links, row_line = [], [], line
            case "thead_open" | "tbody_open":
                level = 1 if token.type == "thead_open" else 0
            case "tr_close":
                if cells and any(cells):
                    yield table_row(cells, row_line, links, head=level == 1)
                cells = None
            case "table_close":
                level = 0
            case "fence" | "code_block":
                if code := clean_code(token.content):
                    yield Block("code", code, line)
            case "html_block":
                yield from html_blocks(token.content, line=line)
            case "inline":
                text, label, found = _inline(token)
                if cells is not None:
                    cells.append(text.replace("\n", " "))
                    links += found
                elif text or found:
                    told = kind if kind == "heading" else "item" if depth else "text"
                    if not fresh and told == "item":
                        told = "text"
                    at = level or (depth if told == "item" else 0)
                    text = text.replace("\n", " ") if kind == "heading" else text
                    yield Block(told, text, line, at, label=label, links=tuple(found))
                    fresh = False


def _inline(token: Token) -> tuple[str, str, list[str]]:
    """The plain text of an inline token, its bold beginning, and its addresses."""
    parts: list[str] = []
    links: list[str] = []
    label, bold = "", -1
    for child in token.children or ():
        match child.type:
            case "text" | "code_inline":
                parts.append(child.content)
            case "softbreak" | "hardbreak":
                parts.append("\n")
            case "strong_open" if bold < 0 and not label and not "".join(parts).strip():
                bold = len(parts)
            case "strong_close" if bold >= 0:
                label, bold = tidy("".join(parts[bold:])), -1
            case "link_open":
                href = str(child.attrGet("href") or "")
                if href.startswith(_HTTP):
                    links.append(href)
            case "html_inline" if child.content.lower().startswith("<br"):
                parts.append("\n")
    text = tidy("".join(parts))
    links += [a for a in bare_addresses(text) if a not in links]
    return text, label if text.startswith(label) else "", links


_ADDRESS = re.compile(r"https?://[^\s<>\"'`|)\]}]+", re.I)


def bare_addresses(text: str) -> list[str]:
    """The http(s) addresses that stand in a text, without the full stop behind them."""
    return [found.rstrip(".,;:!?") for found in _ADDRESS.findall(text)]
