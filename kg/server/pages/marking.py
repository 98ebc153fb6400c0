"""Places in a text made visible: texts cut into marked and unmarked pieces, and quotations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from kg.model.text import PARAGRAPH_BREAK

ROOM = 140
"""So many characters are shown on each side of a quotation, at most, within its paragraph."""


@dataclass(frozen=True)
class Place:
    """A span of a text that is to be marked: start and end (excluded) in code points, its id."""

    start: int
    end: int
    id: str


@dataclass(frozen=True)
class Piece:
    """A run of text that is marked throughout, or not at all; `ids` are places that begin in it."""

    text: str
    marked: bool
    ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class Quotation:
    """A span of a text between what stands around it.

    Attributes:
        before, quote, after: the text around the span and the span; all of one paragraph, unless
            the span itself goes over several.
        cut_before, cut_after: whether the paragraph goes on there.
        field, lang: where the text stands.
        start, end: the span, in code points of the stored text.
    """

    before: str
    quote: str
    after: str
    cut_before: bool
    cut_after: bool
    field: str
    lang: str
    start: int
    end: int


def pieces(text: str, places: Iterable[Place], offset: int = 0) -> tuple[Piece, ...]:
    """Cut a text at the ends of all places.

    Args:
        text: a text, or a part of one.
        places: spans of the whole text; they may overlap, and reach beyond this part.
        offset: where the part begins in the whole text.

    Returns:
        Pieces that join to `text`; a place's id stands in its first piece in this part.
    """
    end = offset + len(text)
    inside = [p for p in places if p.start < end and p.end > offset and p.start < p.end]
    cuts = {offset, end}
    for place in inside:
        cuts |= {max(place.start, offset), min(place.end, end)}
    ordered = sorted(cuts)
    found = []
    for first, last in pairwise(ordered):
        covering = [p for p in inside if p.start < last and p.end > first]
        ids = tuple(p.id for p in covering if max(p.start, offset) == first)
        run = text[first - offset : last - offset]
        found.append(Piece(run, bool(covering), tuple(dict.fromkeys(ids))))
    return tuple(found)


def paragraphs(text: str, places: Iterable[Place]) -> tuple[tuple[Piece, ...], ...]:
    """The paragraphs of a stored text, each cut into pieces."""
    known, offset, found = list(places), 0, []
    for paragraph in text.split(PARAGRAPH_BREAK):
        found.append(pieces(paragraph, known, offset))
        offset += len(paragraph) + len(PARAGRAPH_BREAK)
    return tuple(found)


def quotation(
    text: str, start: int, end: int, field: str, lang: str, room: int = ROOM
) -> Quotation:
    """A span with what stands around it in its paragraph, at most `room` characters a side."""
    start, end = max(0, min(start, len(text))), max(0, min(end, len(text)))
    head = text.rfind(PARAGRAPH_BREAK, 0, start)
    head = 0 if head < 0 else head + len(PARAGRAPH_BREAK)
    tail = text.find(PARAGRAPH_BREAK, end)
    tail = len(text) if tail < 0 else tail
    first, last = max(head, start - room), min(tail, end + room)
    first = _word_after(text, first, start) if first > head else head
    last = _word_before(text, end, last) if last < tail else tail
    return Quotation(
        before=text[first:start],
        quote=text[start:end],
        after=text[end:last],
        cut_before=first > head,
        cut_after=last < tail,
        field=field,
        lang=lang,
        start=start,
        end=end,
    )


def _word_after(text: str, first: int, start: int) -> int:
    """The beginning of the next word, so that none is cut; `first` where there is none."""
    space = text.find(" ", first, start)
    return space + 1 if space >= 0 else first


def _word_before(text: str, end: int, last: int) -> int:
    """The end of the last whole word; `last` where there is none."""
    space = text.rfind(" ", end, last)
    return space if space >= 0 else last
