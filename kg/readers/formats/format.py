"""What a format is, and which one a document is in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from kg.errors import Problem
from kg.model import Case
from kg.readers.document import Document
from kg.readers.draft import Draft

Reading = Iterator[Draft | Case | Problem]
"""What a document holds: drafts (or ready cases), and problems with file, line and field."""


@dataclass(frozen=True)
class Format:
    """A format that documents come in.

    Attributes:
        name: one word by which users ask for it, such as `statuspage`.
        about: what it is, in one line, for lists and messages.
        suffixes: endings, in lower case with their dot, that its files usually have.
        sure: how surely a document is in this format, 0 (no) to 1 (a mark that no other format
            has); below 0.5 it is only ever taken when it is asked for. Never raises.
        read: its drafts and problems. Raises nothing for any text whatever.
    """

    name: str
    about: str
    suffixes: tuple[str, ...]
    sure: Callable[[Document], float]
    read: Callable[[Document], Reading]


LEAST = 0.5
"""How sure a format must be of a document to be taken unasked."""


def recognised(document: Document, formats: Iterable[Format]) -> Sequence[tuple[Format, float]]:
    """The formats that a document may be in, surest first, ties by name; empty when none is."""
    found = [(one, one.sure(document)) for one in formats]
    likely = [(one, sure) for one, sure in found if sure >= LEAST]
    return sorted(likely, key=lambda pair: (-pair[1], pair[0].name))
