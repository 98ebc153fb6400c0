"""CSV and TSV as rows with their lines: which sign separates the cells is found, not assumed.

`csv.Sniffer` decides by how often signs occur, and is led astray by prose in cells. Here a sign
separates when the first records, read with it, all have as many cells as the first.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from kg.errors import Problem
from kg.readers.document import Document

SEPARATORS = (",", ";", "\t", "|")
"""The signs that are tried."""

MOST_CELL = 50_000_000
"""A cell of more characters ends the reading of its file."""

_LOOKED_AT = 200
"""Records by which it is decided."""

_QUOTE = '"'


@dataclass(frozen=True)
class Shape:
    """How the cells of a table are separated and quoted.

    Attributes:
        separator: one sign.
        escape: the sign before a quotation mark inside a quoted cell; "" when it is doubled.
    """

    separator: str
    escape: str = ""


@dataclass(frozen=True)
class Row:
    """A record of a table.

    Attributes:
        line: line of the document where it begins, from 1.
        cells: its cells, as many as the table has columns.
    """

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """A document as a table.

    Attributes:
        document: where it stands.
        shape: how its cells are separated and quoted.
        header: the names of the columns, trimmed; a name may stand more than once.
    """

    document: Document
    shape: Shape
    header: tuple[str, ...]

    @cached_property
    def _places(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, list[int]] = {}
        for place, name in enumerate(self.header):
            found.setdefault(name.casefold(), []).append(place)
        return {name: tuple(places) for name, places in found.items()}

    def has(self, *names: str) -> bool:
        """Whether there are columns of all these names, in capitals or not."""
        return all(n.casefold() in self._places for n in names)

    def places(self, names: Iterable[str]) -> tuple[int, ...]:
        """Where the columns of these names stand in a row, for whoever reads many rows."""
        return tuple(at for name in names for at in self._places.get(name.casefold(), ()))

    def all(self, row: Row, name: str) -> tuple[str, ...]:
        """What stands in all columns of a name, trimmed, without empty cells; () without any."""
        cells = (row.cells[place].strip() for place in self._places.get(name.casefold(), ()))
        return tuple(cell for cell in cells if cell)

    def first(self, row: Row, *names: str) -> str:
        """The first of these columns in which something stands; "" when there is none."""
        return next((cell for name in names for cell in self.all(row, name)), "")

    def rows(self) -> Iterator[Row | Problem]:
        """The records after the header, read anew and one at a time; empty lines are left out.

        A record with more or fewer cells than the header is a problem (empty ones beyond the
        header do not count). A quoted cell that does not end is a problem too, and the last of its
        table.
        """
        name = self.document.name
        for item in islice(_records(self.document, self.shape), 1, None):
            if isinstance(item, Problem):
                yield item
                continue
            cells = _fitted(item.cells, len(self.header))
            if cells is None:
                message = f"{len(item.cells)} cells, but {len(self.header)} columns"
                remedy = "Put cells with a separator or a line end between quotation marks"
                yield Problem(name, item.line, "", message, remedy)
            else:
                yield Row(item.line, cells)


def find_table(document: Document, separator: str = "") -> Table | None:
    """The table that a document holds; None when its records do not agree on one.

    Args:
        document: any text.
        separator: the sign between cells, where it is known; else each of `SEPARATORS` is tried.

    A table has a header of two or more names and records with as many cells. When several signs
    make one, the sign that makes most columns does; a tie makes none. A first line `sep=;` (as
    spreadsheets write it) says the sign.
    """
    if declared := _declared(document.text):
        separator = separator or declared
    tried = (separator,) if separator else SEPARATORS
    tables = [t for sign in tried if (t := _as_table(document, sign, sure=bool(separator)))]
    tables.sort(key=lambda t: -len(t.header))
    if not tables or (len(tables) > 1 and len(tables[0].header) == len(tables[1].header)):
        return None
    return tables[0]


def _as_table(document: Document, separator: str, *, sure: bool) -> Table | None:
    """The document read with a separator, if its first records are alike (or it is certain)."""
    doubled, escaped = (Shape(separator, escape) for escape in ("", "\\"))
    first = list(islice(_records(document, doubled), _LOOKED_AT))
    header = _header(first)
    if not header or (len(header) < 2 and not sure):
        return None
    odd = _odd(first, header)
    if any(isinstance(r, Problem) for r in first):
        # Quotation marks that are not doubled: do they all have a backslash?
        again = list(islice(_records(document, escaped), _LOOKED_AT))
        if _header(again) and not _odd(again, _header(again)):
            return Table(document, escaped, _header(again))
        odd -= 1
    return Table(document, doubled, header) if sure or odd <= len(first) // 20 else None


def _header(records: Sequence[Row | Problem]) -> tuple[str, ...]:
    """The names of the columns; () when the first record is none of names."""
    if not records or isinstance(records[0], Problem):
        return ()
    names = tuple(name.strip() for name in records[0].cells)
    while names and not names[-1]:
        names = names[:-1]
    return () if not all(names) or any("\n" in name for name in names) else names


def _odd(records: Sequence[Row | Problem], header: Sequence[str]) -> int:
    """How many records cannot be read or do not fit the header."""
    wide = len(header)
    return sum(isinstance(r, Problem) or _fitted(r.cells, wide) is None for r in records)


def _fitted(cells: Sequence[str], width: int) -> tuple[str, ...] | None:
    """The cells of a record, without empty ones beyond the header; None when they do not fit."""
    if len(cells) > width and not any(c.strip() for c in cells[width:]):
        return tuple(cells[:width])
    return tuple(cells) if len(cells) == width else None


def _records(document: Document, shape: Shape) -> Iterator[Row | Problem]:
    csv.field_size_limit(max(MOST_CELL, csv.field_size_limit()))
    before = 1 if _declared(document.text) else 0
    lines = lines_of(document.text, skip=before)
    reader = csv.reader(
        lines,
        delimiter=shape.separator,
        quotechar=_QUOTE,
        doublequote=not shape.escape,
        escapechar=shape.escape or None,
        strict=True,
    )
    while True:
        line = before + reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            message, remedy = _told(str(error))
            yield Problem(document.name, line, "", message, remedy)
            return
        if any(cell.strip() for cell in cells):
            yield Row(line, tuple(cells))


def _told(error: str) -> tuple[str, str]:
    if "end of data" in error:
        return "a quoted cell does not end", "Close it with a quotation mark; nothing after is read"
    if "expected after" in error:
        message = "something stands after the end of a quoted cell"
        return message, "Double the quotation marks inside the cell; nothing after is read"
    return f"cannot be read as a table: {error}", "Correct the record; nothing after is read"


def _declared(text: str) -> str:
    """The separator of a first line such as `sep=;`."""
    start = text[:6].lower()
    return text[4] if start.startswith("sep=") and text[5:6] in ("\n", "") and text[4:5] else ""


def lines_of(text: str, skip: int = 0) -> Iterator[str]:
    """The lines of a text with their line feeds, one at a time and without a second copy of it."""
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        if skip:
            skip -= 1
        else:
            yield text[start:end]
        start = end
