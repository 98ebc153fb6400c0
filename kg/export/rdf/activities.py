"""What changes, decisions and steps of histories have in common: who, when, why, and the record."""

from __future__ import annotations

from collections.abc import Iterator

from kg.export.rdf.triples import Lit, Triple
from kg.model import Apart, Change, Review, Revision
from kg.readers.rdf_names import DCTERMS, PROV, RDFS, TYPE, word


def activity(
    iri: str, kind: str, told: Change | Review | Revision | Apart, record: str
) -> Iterator[Triple]:
    """A PROV activity of a class of ours.

    Args:
        iri: its address.
        kind: the name of the class.
        told: what is told of it.
        record: the whole of it as JSON, which reading it back needs. It is no statement about
            cases or terms of now.
    """
    yield iri, TYPE, word(kind)
    yield iri, TYPE, f"{PROV}Activity"
    if told.at is not None:
        yield iri, f"{DCTERMS}date", Lit(told.at)
    if told.author is not None:
        yield iri, word("author"), Lit(told.author)
    if told.note is not None:
        yield iri, f"{RDFS}comment", Lit(told.note)
    yield iri, word("record"), Lit(record)
