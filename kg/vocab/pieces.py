"""A text in pieces of one thought each, for reading its meaning: sentences, denials apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kg.vocab.checklists import only_checked
from kg.vocab.denial import excludes

MOST_PIECES = 32
"""Of a longer text so many pieces are read, evenly spread, the first and the last among them."""
_LONGEST = 400

_SENTENCE_END = re.compile(r"(?<=[.!?。])[\"')\]]*\s+|\n+")
_CLAUSE_END = re.compile(
    r"(?<=[;,，:])\s|\b(?=(?:but|while|although|though|because)\b)|(?<=지만)\s|(?<=아니라)\s"
    r"|(?<=[았었했났됐])고\s",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A span of a text, and whether it takes what it tells of out of question."""

    start: int
    end: int
    excluded: bool = False


def pieces_of(text: str) -> list[Piece]:
    """The pieces of a text in order; they do not overlap, and none is without a word.

    Lists of what a health check looks for tell of no incident and are left out.
    """
    found = [p for a, b in _split(text, 0, len(text), _SENTENCE_END) for p in _parted(text, a, b)]
    worded = [p for p in found if any(c.isalnum() for c in text[p.start : p.end])]
    if len(worded) <= MOST_PIECES:
        return worded
    last = len(worded) - 1
    return [worded[i * last // (MOST_PIECES - 1)] for i in range(MOST_PIECES)]


def clause_of(text: str, start: int, end: int, pieces: Sequence[Piece]) -> tuple[int, int]:
    """The clause in which a place stands, within its piece; the place itself outside of any."""
    for piece in pieces:
        if piece.start <= start and end <= piece.end:
            clauses = _split(text, piece.start, piece.end, _CLAUSE_END)
            touched = [c for c in clauses if c[0] < end and start < c[1]]
            return touched[0][0], touched[-1][1]
    return start, end


def _parted(text: str, start: int, end: int) -> Iterator[Piece]:
    """A sentence as one piece, or in runs of clauses that all exclude or all do not."""
    last = start + len(text[start:end].rstrip(".!?。 "))
    if only_checked(text, last, last) or only_checked(text, start, start):
        return
    if not excludes(text[start:end]):
        yield from (Piece(a, b) for a, b in _cut(text, start, end))
        return
    run: list[Piece] = []
    for a, b in _split(text, start, end, _CLAUSE_END):
        clause = Piece(a, b, excludes(text[a:b]))
        if run and run[-1].excluded == clause.excluded:
            run[-1] = Piece(run[-1].start, b, clause.excluded)
        else:
            run.append(clause)
    yield from run


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A sentence as it is, or what is too long for one in equal parts between words."""
    while end - start > _LONGEST:
        space = text.rfind(" ", start + _LONGEST // 2, start + _LONGEST)
        middle = space if space > 0 else start + _LONGEST
        yield start, middle
        start = middle
    yield start, end


def _split(text: str, start: int, end: int, breaks: re.Pattern[str]) -> Sequence[tuple[int, int]]:
    """Spans between breaks, without white space around them."""
    spans, at = [], start
    for match in breaks.finditer(text, start, end):
        spans.append((at, match.start()))
        at = match.end()
    spans.append((at, end))
    return [s for a, b in spans if (s := _trimmed(text, a, b))[0] < s[1]]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    inner = text[start:end]
    left = len(inner) - len(inner.lstrip())
    return start + left, start + len(inner.rstrip()) if inner.strip() else start
