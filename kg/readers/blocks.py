"""A document as blocks under headings, whatever mark-up it came in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from kg.readers.headings import role_of

_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\u200b\ufeff]")
_HALVES = re.compile(r"[\ud800-\udfff]")
_SPACES = re.compile(r"[ \t\r\f\v\u00a0]+")


@dataclass(frozen=True)
class Block:
    """A piece of a document, as plain text.

    Attributes:
        kind: `heading`, `text`, `item` (of a list), `row` (of a table) or `code`.
        text: its words; of a row, its cells with ` | ` between.
        line: line of the document where it begins, from 1; 0 when lines mean nothing there.
        level: depth of a heading (1 to 6) or of a list item (1 for the outermost); 1 for the head
            row of a table.
        cells: the cells of a row.
        label: the words that begin it in bold, "" for none.
        links: addresses in it.
    """

    kind: str
    text: str
    line: int = 0
    level: int = 0
    cells: tuple[str, ...] = ()
    label: str = ""
    links: tuple[str, ...] = ()


def table_row(cells: Sequence[str], line: int, links: Iterable[str], *, head: bool) -> Block:
    """A row of a table."""
    text = " | ".join(c for c in cells if c)
    return Block("row", text, line, int(head), tuple(cells), links=tuple(links))


@dataclass
class Section:
    """What stands under a heading, up to the next one.

    Attributes:
        heading: its words, "" for what stands before the first heading.
        level: its depth; 0 before the first heading.
        line: line of the heading.
        above: the headings that it stands under, outermost first.
        blocks: its blocks.
    """

    heading: str = ""
    level: int = 0
    line: int = 0
    above: tuple[str, ...] = ()
    blocks: list[Block] = field(default_factory=list)


def sections(blocks: Iterable[Block]) -> list[Section]:
    """The blocks by heading, in order; the first section has no heading."""
    found = [Section()]
    path: list[Section] = []
    for block in map(_bold_heading, blocks):
        if block.kind != "heading":
            found[-1].blocks.append(block)
            continue
        while path and path[-1].level >= block.level:
            path.pop()
        above = tuple(s.heading for s in path)
        found.append(Section(block.text, block.level, block.line, above))
        path.append(found[-1])
    return found


def _bold_heading(block: Block) -> Block:
    """A paragraph in bold that names a part of a report is the heading of that part."""
    whole = block.kind == "text" and block.label == block.text and len(block.text) < 100
    if whole and role_of(block.text.rstrip(":： ")):
        return replace(block, kind="heading", level=6, text=block.text.rstrip(":： "))
    return block


def tidy(text: str) -> str:
    """A text with single spaces, no space at its lines' ends, and no empty lines around it.

    Control characters go, and halves of characters become a mark of replacement.
    """
    text = _HALVES.sub("\ufffd", _CONTROLS.sub("", text))
    lines = [_SPACES.sub(" ", line).strip() for line in text.split("\n")]
    return re.sub(r"\n{2,}", "\n", "\n".join(lines)).strip()


def clean_code(text: str) -> str:
    """A listing with its spaces and lines, without what is no character of a text."""
    return _HALVES.sub("\ufffd", _CONTROLS.sub("", text)).strip("\n").rstrip()
