"""Tables whose columns are known by name: cells as text, columns of times in one order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kg.errors import Problem
from kg.model.text import quoted
from kg.readers.document import Document
from kg.readers.formdates import Order, Proof, Reckoning, proven_order, written_time
from kg.readers.jsonvalues import MISSING, clean
from kg.readers.plaintext import has_html, html_text
from kg.readers.tables import Row, Table

SAY_ORDER = "Say which with --dates day-first or --dates month-first"


def cell_text(cell: str) -> str:
    """A cell as plain text: HTML read, "" for what programs write where they have nothing."""
    text = clean(cell).strip()
    if text in MISSING:
        return ""
    return html_text(text).text if has_html(text) else text


@dataclass(frozen=True)
class Times:
    """How the times of a table are read.

    Attributes:
        how: the order and the zone.
        problems: that some times can mean two days, or that they prove both orders.
    """

    how: Reckoning
    problems: tuple[Problem, ...] = ()

    def read(self, cell: str) -> str:
        """A time as `When.at`; the cell as it stands when it cannot be read."""
        return written_time(cell, self.how) or cell


def declared_times(document: Document) -> Times:
    """How the times of a document are read when nothing but what the caller declares is known."""
    order = document.declared.order
    return Times(Reckoning(Order(order) if order else None, document.declared.zone))


def times_of(table: Table, columns: Sequence[str]) -> Times:
    """How the times in some columns of a table are read.

    The columns come from one program that writes all its times alike, so that one time with a day
    above 12 tells the order for all of them. What the caller declares goes before.
    """
    declared = declared_times(table.document)
    if declared.how.order:
        return declared
    proof = proven_order(_cells(table, columns))
    how = Reckoning(proof.order, declared.how.zone)
    return Times(how, tuple(_doubts(table.document, proof)))


def _cells(table: Table, columns: Sequence[str]) -> Iterator[str]:
    places = table.places(columns)
    for row in table.rows():
        if isinstance(row, Row):
            for at in places:
                yield row.cells[at]


def _doubts(document: Document, proof: Proof) -> Iterator[Problem]:
    if proof.against:
        told = f"{quoted(proof.example)} and {quoted(proof.against)} put day and month differently"
        remedy = f"{SAY_ORDER}; times that can mean two days are left out"
        yield Problem(document.name, 0, "", told, remedy)
    elif proof.doubtful and proof.order is None:
        told = f"{quoted(proof.doubtful)} can mean two days, and no other time tells which"
        yield Problem(document.name, 0, "", f"{told}; such times are left out", SAY_ORDER)
