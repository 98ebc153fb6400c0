"""From paths to drafts and cases: each document in its format, or a reason why not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kg.errors import BadQuery, Problem
from kg.model import Case
from kg.readers.casefile import read_cases
from kg.readers.document import Declared, Document
from kg.readers.draft import Draft
from kg.readers.exported import Exported
from kg.readers.formats.format import LEAST, Format, Reading, recognised
from kg.readers.formdates import Order, known_zone
from kg.readers.openfiles import open_documents
from kg.readers.times_in_prose import declared_in_prose

EXPORT = "export"
"""What `ReadDocument.format` says of a folder that `kg export` wrote."""

_MOST_NAMED = 12


@dataclass(frozen=True)
class ReadDocument:
    """A document and what it holds.

    Attributes:
        name: its path as given, with `archive.zip!/member` inside an archive.
        format: the format that was taken; "" when none was, and `items` says why.
        also: other formats that it may be in, surest first; `--format NAME` takes one of them.
        named: whether the caller named it; else it was found in a folder or an archive, where
            something that is no document need not alarm anybody.
        items: its drafts, ready cases and problems, in order; read as they are taken, and once.
    """

    name: str
    format: str
    also: tuple[str, ...]
    named: bool
    items: Iterator[Draft | Case | Problem]


def read_documents(
    paths: Iterable[str | Path],
    formats: Sequence[Format],
    wanted: str | Format | None = None,
    declared: Declared | None = None,
) -> Iterator[ReadDocument]:
    """Read files, folders and zip archives, each document in the format that it is in.

    Args:
        paths: what the caller named.
        formats: the formats to choose from.
        wanted: the name of a format, or a format (such as a mapping file makes), in which every
            document is to be read; None to recognise each.
        declared: the order of day and month, and the zone, where documents do not say them.

    Yields:
        Every document in sorted order, with the format taken and what it holds. A folder that
        `kg export` wrote is one document. What cannot be opened, or is in no known format, has one
        problem.

    Raises:
        BadQuery: `wanted` is no format, or what is declared cannot be; before anything is read.
    """
    chosen = _chosen(formats, wanted)
    given = declared or Declared()
    _check(given)
    return _read_each(paths, formats, chosen, given)


def _read_each(
    paths: Iterable[str | Path],
    formats: Sequence[Format],
    chosen: Format | None,
    declared: Declared,
) -> Iterator[ReadDocument]:
    for opened in open_documents(paths):
        what = opened.what
        if isinstance(what, Problem):
            yield ReadDocument(opened.name, "", (), opened.named, iter((what,)))
        elif isinstance(what, Exported):
            items = (item for _, item in read_cases([what.folder]))
            yield ReadDocument(opened.name, EXPORT, (), opened.named, items)
        else:
            document = replace(what, declared=declared)
            yield _read(document, opened.named, formats, chosen)


def _read(
    document: Document, named: bool, formats: Sequence[Format], chosen: Format | None
) -> ReadDocument:
    if chosen is not None:
        return ReadDocument(document.name, chosen.name, (), named, _guarded(chosen, document))
    likely = recognised(document, [_careful(one) for one in formats])
    if not likely:
        items: Reading = iter((_unknown(document, formats),))
        return ReadDocument(document.name, "", (), named, items)
    taken = likely[0][0]
    also = tuple(one.name for one, _ in likely[1:])
    return ReadDocument(document.name, taken.name, also, named, _guarded(taken, document))


def _chosen(formats: Sequence[Format], wanted: str | Format | None) -> Format | None:
    if wanted is None or isinstance(wanted, Format):
        return wanted
    for one in formats:
        if one.name == wanted:
            return one
    names = ", ".join(sorted(one.name for one in formats))
    raise BadQuery(f"no format {wanted!r}; the formats are {names}")


def _check(declared: Declared) -> None:
    if declared.order and declared.order not in list(Order):
        raise BadQuery(f"no order {declared.order!r}; say {' or '.join(Order)}")
    if declared.zone and not known_zone(declared.zone):
        example = "say it like UTC, +09:00 or Asia/Seoul"
        raise BadQuery(f"no time zone {declared.zone!r}; {example}")


def _careful(one: Format) -> Format:
    """The format, not sure of a document that its judgement fails on."""

    def sure(document: Document) -> float:
        try:
            return one.sure(document)
        except Exception:
            return 0.0

    return replace(one, sure=sure)


def _declaring(items: Reading, declared: Declared) -> Reading:
    """The same, each read as declared; between them nothing is declared for anyone else."""
    while True:
        with declared_in_prose(declared):
            item = next(items, None)
        if item is None:
            return
        yield item


def _guarded(one: Format, document: Document) -> Reading:
    """What a format reads; a fault of ours ends the document, not the batch of them."""
    try:
        yield from _declaring(one.read(document), document.declared)
    except Exception as error:
        message = f"reading it as {one.name} failed: {type(error).__name__}: {error}"
        remedy = "A fault of this program; what came before it is read. Please report it"
        yield Problem(document.name, 0, "", message, remedy)


def _unknown(document: Document, formats: Sequence[Format]) -> Problem:
    near = [one for one in formats if document.suffix in one.suffixes] or list(formats)
    names = sorted(one.name for one in near)
    told = ", ".join(names[:_MOST_NAMED]) + (", …" if len(names) > _MOST_NAMED else "")
    message = f"in no known format; tried {len(formats)}: {told}" if formats else "no format known"
    remedy = "Say it with --format NAME, or write a mapping file (docs/mapping.md)"
    return Problem(document.name, 0, "", message, remedy)


__all__ = ["EXPORT", "LEAST", "ReadDocument", "read_documents"]
