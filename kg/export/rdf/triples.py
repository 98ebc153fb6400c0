"""Triples as plain Python values, so that nothing but a graph needs rdflib."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from kg.model import Text
from kg.readers.rdf_names import VALUE, XSD, word


class Lit(NamedTuple):
    """A literal: its text, and either a language or a datatype, or neither for a plain string."""

    text: str
    lang: str = ""
    datatype: str = ""


Triple = tuple[str, str, "str | Lit"]
"""Subject and predicate are IRIs; a `str` as object is an IRI, a `Lit` a literal."""


def boolean(value: bool) -> Lit:
    """`true` or `false`."""
    return Lit("true" if value else "false", datatype=f"{XSD}boolean")


def integer(value: int) -> Lit:
    """A whole number."""
    return Lit(str(value), datatype=f"{XSD}integer")


def number(value: float) -> Lit:
    """A number as a decimal, every digit kept: reading it as a float gives the same float."""
    return Lit(f"{Decimal(repr(value)):f}", datatype=f"{XSD}decimal")


def texts(subject: str, predicate: str, text: Text | None) -> Iterator[Triple]:
    """A text in each of its languages."""
    for lang, said in text.items() if text else ():
        yield subject, predicate, Lit(said, lang)


def in_order(subject: str, name: str, ids: Sequence[str]) -> Iterator[Triple]:
    """The order of a list of ids, where it is not the sorted one: RDF itself keeps none."""
    if list(ids) != sorted(ids):
        yield subject, word("inOrder"), Lit(" ".join([name, *ids]))


def items(subject: str, predicate: str, path: str, values: Iterable[str]) -> Iterator[Triple]:
    """A list of texts: a thing for each, with its place."""
    for position, value in enumerate(values, 1):
        node = f"{subject}/{path}/{position}"
        yield subject, predicate, node
        yield node, word("position"), integer(position)
        yield node, VALUE, Lit(value)
