"""Oxigraph under the questions in SPARQL: the same answers in a fraction of the time.

The store is in memory and is only asked: `Store.query` runs no update, and a text that might send
it to another machine never reaches it.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kg.errors import BadQuery
from kg.export.rdf.write import Parts, ntriples_blocks

if TYPE_CHECKING:
    from pyoxigraph import Store
    from rdflib.term import Identifier

_TOKENS = re.compile(
    r"""(?P<keep>
        <[^<>"{}|^`\\\x00-\x20]*>                     # an IRI
        | \"\"\"(?:[^"\\]|\\.|"(?!""))*\"\"\"         # texts, long and short
        | '''(?:[^'\\]|\\.|'(?!''))*'''
        | "(?:[^"\\\n\r]|\\.)*" | '(?:[^'\\\n\r]|\\.)*'
        | \#[^\n\r]*                                  # a comment
        | \\.                                         # an escape in a local name
    ) | [?$](?P<variable>\w+)""",
    re.VERBOSE | re.DOTALL,
)
_ELSEWHERE = re.compile(r"service|\\u", re.IGNORECASE)
"""What SERVICE can be spelt with: an escape may stand for any letter of it."""

_STRING = "http://www.w3.org/2001/XMLSchema#string"


class CannotSay(Exception):
    """The question is for rdflib: Oxigraph cannot be asked it, or not in the same meaning."""


def store_of(parts: Parts) -> Store:
    """All triples in one store in memory."""
    from pyoxigraph import RdfFormat, Store

    store = Store()
    text = b"".join(block.encode() for block in ntriples_blocks(parts))
    store.bulk_load(input=text, format=RdfFormat.N_TRIPLES)
    return store


def ask_store(
    store: Store,
    query: str,
    columns: Sequence[str],
    values: Mapping[str, Identifier],
    prefixes: Mapping[str, str],
) -> list[tuple[Any, ...]]:
    """The rows of a question that rdflib has read and found harmless, as terms of rdflib.

    Raises:
        CannotSay: rdflib has to answer this one.
        BadQuery: it cannot be answered.
    """
    if _ELSEWHERE.search(query):
        raise CannotSay
    text = _with_values(query, values)

    def run() -> list[tuple[Any, ...]]:
        try:
            found: Any = store.query(text, prefixes=dict(prefixes))
        except SyntaxError as error:
            # A value where only a variable may stand, or a form that one of the two reads.
            raise CannotSay from error
        except (OSError, RuntimeError, ValueError) as error:
            raise BadQuery(f"SPARQL: {error}") from error
        if not hasattr(found, "variables"):
            return [(bool(found),)]
        known = {v.value for v in found.variables}
        return [tuple(_term(row[c]) if c in known else None for c in columns) for row in found]

    return _interruptible(run)


def _with_values(query: str, values: Mapping[str, Identifier]) -> str:
    """The query with the variables that have a value replaced by it, as a whole term.

    Where a variable must stand (behind AS, in BOUND) no term may: Oxigraph refuses to read it.
    """
    if not values:
        return query
    terms = {name: _written(value) for name, value in values.items()}

    def replaced(match: re.Match[str]) -> str:
        return terms.get(match["variable"] or "", match.group())

    return _TOKENS.sub(replaced, query)


def _written(value: Identifier) -> str:
    """A term as Oxigraph writes it, escaped."""
    import pyoxigraph as ox
    from rdflib import Literal, URIRef

    try:
        if isinstance(value, URIRef):
            return str(ox.NamedNode(str(value)))
        if isinstance(value, Literal):
            if value.language:
                return str(ox.Literal(str(value), language=value.language))
            datatype = ox.NamedNode(str(value.datatype or _STRING))
            return str(ox.Literal(str(value), datatype=datatype))
    except ValueError as error:  # no IRI, no language, half a character
        raise CannotSay from error
    raise CannotSay


def _term(node: Any) -> Identifier | None:
    import pyoxigraph as ox
    from rdflib import BNode, Literal, URIRef

    if node is None:
        return None
    if isinstance(node, ox.NamedNode):
        return URIRef(node.value)
    if isinstance(node, ox.Literal):
        datatype = node.datatype.value
        kept = None if node.language or datatype == _STRING else URIRef(datatype)
        return Literal(node.value, node.language, kept, normalize=False)
    return BNode(str(node.value))


def _interruptible(run: Callable[[], list[tuple[Any, ...]]]) -> list[tuple[Any, ...]]:
    """Run it beside this thread, so that Ctrl-C is heard: Oxigraph itself does not listen."""
    results: list[list[tuple[Any, ...]]] = []
    failures: list[BaseException] = []

    def work() -> None:
        try:
            results.append(run())
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join()
    if failures:
        raise failures[0]
    return results[0]
