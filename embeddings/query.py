"""A query of any size -> the few short parts that are embedded, and the text that is searched.

A pasted log of thousands of lines must neither take minutes nor drown its one decisive line:
lines that differ only in changing numbers count once, and what is embedded is bounded.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

WHOLE_QUERY = 600
"""Queries up to this many characters are embedded whole."""
PART = 350
MOST_PARTS = 8
"""Longer ones are embedded in at most so many parts of at most so many characters. Characters,
not words: a word of a log is many tokens, and time goes by tokens (about 1,000 a second a core)."""

CONDENSED = 20_000
"""Texts up to this many characters are searched as they are, longer ones by their lines."""
LOOKED_AT = 1_000_000
"""Of a text beyond this many characters the beginning and the end are looked at."""

_SENTENCE = re.compile(r".*(?:[.!?;][\])\"']?\s|[。！？])", re.DOTALL)
_WORD = re.compile(r".*\s", re.DOTALL)
# What such a number or name begins with is looked at first: most places of a text are passed over.
_CHANGING = re.compile(
    r"(?=[\da-f])(?:0x[0-9a-f]+|\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b"
    r"|\b(?=[a-f]{0,15}\d)[0-9a-f]{6,}\b|\d+)",
    re.I,
)
_LISTED = re.compile(r"#(?:[^\w#]{0,4}#)+")
_CODE = re.compile(
    r"\b(?=[sxecr])(?:s?xid|errno|error|code|status|exit|signal|rc)[ \t=:#]{0,3}"
    r"(?:\([^()\n]{1,40}\):?[ \t]?)?(\d{1,5})\b",
    re.I,
)


def query_parts(text: str) -> list[str]:
    """A query as it is, or what is embedded of a long one: never many parts, never long ones.

    Of lines that differ in numbers only (a log) the first is taken; of what remains,
    `MOST_PARTS` parts, evenly spread from the beginning to the end.
    """
    if len(text) <= WHOLE_QUERY:
        return [text]
    parts = _packed(_distinct(_lines(condense(text))))
    return _spread(parts, MOST_PARTS) or [text[:PART]]


def distinct_lines(text: str) -> str:
    """A query as its words are searched: of a long one, lines that differ in numbers only are one.

    Otherwise what a log repeats would count most, and its one decisive line next to nothing.
    """
    if len(text) <= WHOLE_QUERY:
        return text
    return "\n".join(_distinct(_lines(condense(text)))) or text[:PART]


def condense(text: str) -> str:
    """A text as it is, or, of one beyond `CONDENSED` characters, its distinct lines up to that.

    Lines that differ only in numbers, addresses and times are one line, the first, unless the
    number is an error code. When too many remain, they are taken evenly spread, the first and
    the last among them. A line of more than `PART` characters counts as several.
    """
    if len(text) <= CONDENSED:
        return text
    if len(text) > LOOKED_AT:
        text = text[: LOOKED_AT // 2] + "\n" + text[-LOOKED_AT // 2 :]
    lines = _distinct(_lines(text))
    count, lengths = len(lines), np.array([len(line) + 1 for line in lines], dtype=np.int64)
    while lengths[_places(len(lines), count)].sum() > CONDENSED:
        count = count * 9 // 10
    return "\n".join(_spread(lines, count))


def _distinct(lines: Iterable[str]) -> list[str]:
    """The first line of each kind, in order; lines without a letter or digit are left out."""
    kinds: dict[tuple[str, ...], str] = {}
    for line in lines:
        if any(c.isalnum() for c in line):
            kinds.setdefault(_kind(line), line)
    return list(kinds.values())


def _kind(line: str) -> tuple[str, ...]:
    """What lines of a kind have in common: all but changing numbers, and their error codes."""
    return _LISTED.sub("#", _CHANGING.sub("#", line)), *_CODE.findall(line)


def _lines(text: str) -> Iterator[str]:
    """The lines of a text; one of more than `PART` characters in pieces of at most that."""
    for line in text.splitlines():
        start = 0
        while start < len(line):
            end = start + _length(line[start : start + PART + 1])
            if piece := line[start:end].strip():
                yield piece
            start = end


def _length(line: str) -> int:
    """How much of a line is taken: to the last end of a sentence, else of a word, else all."""
    if len(line) <= PART:
        return len(line)
    ends = (m.end() for m in (_SENTENCE.match(line), _WORD.match(line)) if m)
    return next((end for end in ends if PART // 2 < end <= PART), PART)


def _packed(lines: Iterable[str]) -> list[str]:
    """Lines joined as long as at most `PART` characters come together."""
    parts: list[str] = []
    for line in lines:
        if parts and len(parts[-1]) + 1 + len(line) <= PART:
            parts[-1] += "\n" + line
        else:
            parts.append(line)
    return parts


def _spread(items: Sequence[str], count: int) -> list[str]:
    """At most `count` (two or more) items, evenly spread, the first and the last among them."""
    return [items[place] for place in _places(len(items), count).tolist()]


def _places(length: int, count: int) -> NDArray[np.int64]:
    """Which of so many items are taken, in order."""
    if length <= count:
        return np.arange(length)
    return np.arange(count) * (length - 1) // (count - 1)
