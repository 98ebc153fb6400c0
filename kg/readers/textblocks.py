"""Plain text as blocks: a title, paragraphs, list items, and short lines that are headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kg.readers.blocks import Block, tidy
from kg.readers.headings import role_of
from kg.readers.markdown import bare_addresses
from kg.readers.times_in_prose import find_times

_BULLET = re.compile(r"^\s*(?:[•*‣▪◦·–-]|\d{1,2}[.)])\s+(?=\S)")
_END = re.compile(r"[.!?。:;,…][\"”’)]*$")
_UNDERLINE = re.compile(r"^\s*[=\-~_*]{3,}\s*$")
_LONGEST = 110
"""Characters of the longest line that may be a heading."""


def text_blocks(text: str) -> list[Block]:
    """The blocks of a plain text.

    The first line is the title where it is short and no sentence. A short line that stands alone
    is a heading where it names a part of a report, asks a question, begins with a date, or is
    underlined.
    """
    lines = text.split("\n")
    return list(_merged(_lines(lines), lines))


def _lines(lines: Sequence[str]) -> Iterator[Block]:
    first = next((i for i, line in enumerate(lines) if line.strip()), len(lines))
    for i, line in enumerate(lines):
        said = tidy(line)
        if not said or _UNDERLINE.match(line):
            continue
        kind, level = _kind(lines, i, said, first)
        if kind == "item":
            said = _BULLET.sub("", said)
        yield Block(kind, said, i + 1, level, links=tuple(bare_addresses(said)))


def _kind(lines: Sequence[str], i: int, said: str, first: int) -> tuple[str, int]:
    if _BULLET.match(lines[i]):
        return "item", 1
    if len(said) > _LONGEST:
        return "text", 0
    below = lines[i + 1] if i + 1 < len(lines) else ""
    alone = not below.strip() and (i == 0 or not lines[i - 1].strip())
    sentence = _END.search(said) is not None
    if i == first and not sentence and not _only_date(said) and len(lines) > 1:
        return "heading", 1
    if _UNDERLINE.match(below) and below.strip():
        return "heading", 2
    if role_of(said.rstrip(":：")) and (alone or not sentence):
        return "heading", 2
    if alone and len(said.split()) <= 16:
        times = find_times(said[:60])
        if times and times[0].dated and times[0].start < 3 and not _only_date(said):
            return "heading", 3
        if said.endswith("?") or (not sentence and said[:1].isupper()):
            return "heading", 2
    return "text", 0


def _only_date(said: str) -> bool:
    times = find_times(said)
    return len(times) == 1 and len(times[0].words) >= len(said) - 2


def _merged(found: Iterator[Block], lines: Sequence[str]) -> Iterator[Block]:
    """Lines that were wrapped in the middle of a sentence as one paragraph."""
    last: Block | None = None
    for block in found:
        if last and _continues(last, block, lines):
            text = f"{last.text}\n{block.text}"
            last = Block(last.kind, text, last.line, last.level, links=(*last.links, *block.links))
            continue
        if last:
            yield last
        last = block
    if last:
        yield last


def _continues(last: Block, block: Block, lines: Sequence[str]) -> bool:
    end = last.line + last.text.count("\n")
    near = block.line == end + 1 and block.kind == "text" and last.kind in ("text", "item")
    before = lines[end - 1]
    wrapped = 40 <= len(before) <= 120 and not _END.search(before.strip())
    return near and wrapped


def prose_share(text: str) -> float:
    """How much of a text stands in lines that read like sentences, 0 to 1."""
    total = good = 0
    for line in text.split("\n"):
        said = line.strip()
        total += len(said)
        letters = sum(c.isalpha() or c in " ,.'’-;:()%" for c in said)
        words = len(said.split())
        wordy = words >= 7 or (
            words >= 3 and any("가" <= c <= "힣" or "぀" <= c <= "鿿" for c in said)
        )
        if wordy and letters >= 0.86 * len(said) and not re.match(r"[\[{<#/\d\"']", said):
            good += len(said)
    return good / total if total else 0.0
