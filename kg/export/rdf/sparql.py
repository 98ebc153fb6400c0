"""SPARQL over the triples of a library: questions only, with values bound and nothing fetched.

rdflib reads and checks every question. Oxigraph answers it where the extra `rdf` is installed,
rdflib elsewhere and where the two might not mean the same; the tests hold one against the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any

from kg.errors import BadQuery
from kg.export.rdf.graph import as_graph
from kg.export.rdf.oxigraph import CannotSay, ask_store, store_of
from kg.export.rdf.write import Parts, prefixes
from kg.readers.rdf_files import has_oxigraph
from kg.store import Table

if TYPE_CHECKING:
    from pyoxigraph import Store
    from rdflib import Graph
    from rdflib.plugins.sparql.sparql import Query
    from rdflib.term import Identifier

_READING = {"SelectQuery", "AskQuery"}
_EXISTS = {"Builtin_EXISTS", "Builtin_NOTEXISTS"}
_FETCHING = {
    "ServiceGraphPattern": "SERVICE would ask another machine; take it out",
    "DatasetClause": "FROM would load a file or an address; take it out, the library is asked",
    "GraphGraphPattern": "GRAPH is not needed, the library is asked as one graph; take it out",
}


@dataclass(frozen=True)
class _Question:
    """A question that may be asked: its text, its algebra and the names of its columns."""

    text: str
    query: Query
    columns: tuple[str, ...]
    every: bool
    """It begins with SELECT *."""

    @property
    def is_ask(self) -> bool:
        return self.query.algebra.name == "AskQuery"

    @property
    def is_slow(self) -> bool:
        """Whether Oxigraph would be slow: a path that may have no step, inside (NOT) EXISTS.

        It does not see there what is known from outside, and walks from every thing of the library.
        """
        inside = (p for p in _within(self.query.algebra) if _name(p) in _EXISTS)
        return any(getattr(p, "mod", "") in ("*", "?") for e in inside for p in _within(e))


class Asked:
    """The triples that are asked; what answers is made when first needed.

    Args:
        parts: gives the triples.
        base: what their addresses begin with.
        oxigraph: False has rdflib answer everything.
    """

    def __init__(self, parts: Callable[[], Parts], base: str, *, oxigraph: bool = True) -> None:
        self._make, self._base = parts, base
        self._oxigraph = oxigraph and has_oxigraph()

    @cached_property
    def _store(self) -> Store:
        return store_of(self._make())

    @cached_property
    def _graph(self) -> Graph:
        return as_graph(self._make(), self._base)

    def ask(self, query: str, values: Mapping[str, Any] | None) -> Table:
        """Answer one SELECT or ASK; see `ask_graph`."""
        question, bound = _question(query, self._base), _bindings(values, query)
        if self._oxigraph and not (question.every and bound) and not question.is_slow:
            try:
                text, columns = question.text, question.columns
                rows = ask_store(self._store, text, columns, bound, prefixes(self._base))
                return _table(question, rows)
            except CannotSay:
                pass
        return _from_graph(self._graph, question, bound)


def ask_graph(graph: Graph, query: str, values: Mapping[str, Any] | None, base: str) -> Table:
    """Answer one SELECT or ASK over an rdflib graph.

    Args:
        graph: what is asked; it is not changed.
        query: the text; the prefixes of `prefixes` need not be declared.
        values: a value for each variable to be bound, by its name without the question mark: a
            text, number, truth value, day, or a term of rdflib. They never act as query text.
        base: what the addresses of the graph begin with.

    Returns:
        The rows, as Python values; an IRI is a text, an unbound variable None. They are sorted
        where the query does not order them. An ASK gives one row of one truth value.

    Raises:
        BadQuery: it is no question, cannot be read or answered, would fetch something, or has no
            variable of a name that is given a value.
    """
    question = _question(query, base)
    return _from_graph(graph, question, _bindings(values, query))


_VARIABLE = re.compile(r"[?$](\w+)")
Row = tuple[Any, ...]
"""The terms of a row, as those of rdflib; of an ASK one truth value."""


def _from_graph(graph: Graph, question: _Question, bound: Mapping[str, Identifier]) -> Table:
    try:
        result = graph.query(question.query, initBindings=dict(bound))
        if question.is_ask:
            return _table(question, [(bool(result.askAnswer),)])
        rows = [tuple(row.get(c) for c in question.columns) for row in _by_name(result)]
    except Exception as error:  # rdflib raises whatever its evaluation met
        raise BadQuery(f"SPARQL: {_short(error)}") from error
    return _table(question, rows)


def _by_name(result: Any) -> Iterator[Mapping[str, Any]]:
    for row in result:
        yield {str(name): value for name, value in row.asdict().items()}


def _table(question: _Question, rows: list[Row]) -> Table:
    if question.is_ask:
        return Table(("ask",), tuple(rows))
    if not _is_ordered(question.query.algebra):
        rows.sort(key=lambda row: [_sort_key(cell) for cell in row])
    return Table(question.columns, tuple(tuple(_python(cell) for cell in row) for row in rows))


def _question(query: object, base: str) -> _Question:
    if not isinstance(query, str):
        raise BadQuery(f"SPARQL: give the query as text, not {type(query).__name__}")
    if any("\ud800" <= c <= "\udfff" for c in query):
        raise BadQuery("SPARQL: the query holds half a character (a lone surrogate)")
    from rdflib.plugins.sparql.algebra import translateQuery
    from rdflib.plugins.sparql.parser import parseQuery

    try:
        parsed = parseQuery(query)
    except Exception as error:  # pyparsing's own, and RecursionError
        if _is_update(query):
            told = "this would change something; only SELECT and ASK are run"
            raise BadQuery(f"SPARQL: {told}") from error
        raise BadQuery(f"SPARQL: cannot be read: {_short(error)}") from error
    _check_harmless(parsed)
    # Not by get, which gives the name of what is absent.
    every = _name(parsed[1]) == "SelectQuery" and "projection" not in parsed[1]
    try:
        prepared = translateQuery(parsed, initNs=prefixes(base))
    except Exception as error:  # rdflib raises a bare one for an unknown prefix
        raise BadQuery(f"SPARQL: {_short(error)}") from error
    columns = [str(name) for name in prepared.algebra["PV"]] if "PV" in prepared.algebra else []
    # The names behind * come out of a set.
    return _Question(query, prepared, tuple(sorted(columns) if every else columns), every)


def _is_update(query: str) -> bool:
    from rdflib.plugins.sparql.parser import parseUpdate

    try:
        return bool(parseUpdate(query).request)
    except Exception:
        return False


def _check_harmless(parsed: Any) -> None:
    names = {_name(part) for part in _within(parsed)}
    for name, advice in _FETCHING.items():
        if name in names:
            raise BadQuery(f"SPARQL: {advice}")
    if not names & _READING or names & {"ConstructQuery", "DescribeQuery"}:
        raise BadQuery("SPARQL: only SELECT and ASK are run; lib.to_rdf() gives the graph itself")


def _within(part: Any) -> Iterator[Any]:
    """A part of a query and all parts of it, at any depth."""
    from pyparsing import ParseResults
    from rdflib.paths import MulPath, Path

    waiting: list[Any] = [part]
    while waiting:
        part = waiting.pop()
        yield part
        if isinstance(part, MulPath):
            waiting.append(part.path)
        elif isinstance(part, Path):
            waiting.extend(getattr(part, "args", [getattr(part, "arg", None)]))
        elif isinstance(part, dict):
            waiting.extend(part.values())
        elif isinstance(part, list | tuple | set | ParseResults):
            waiting.extend(part)


def _name(part: Any) -> str:
    return str(getattr(part, "name", ""))


def _bindings(values: object, query: str) -> dict[str, Identifier]:
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        raise BadQuery(f"SPARQL: give the values by name, not as {type(values).__name__}")
    bound = {_variable(name): _term(name, value) for name, value in values.items()}
    if unknown := sorted(bound.keys() - set(_VARIABLE.findall(query))):
        raise BadQuery(f"SPARQL: the query has no variable ?{unknown[0]}")
    return bound


def _variable(name: object) -> str:
    text = str(name).removeprefix("?")
    if not text.isidentifier():
        raise BadQuery(f"SPARQL: {text!r} is not the name of a variable")
    return text


def _term(name: object, value: Any) -> Identifier:
    from rdflib import Literal
    from rdflib.term import Identifier

    if isinstance(value, Identifier):
        return value
    if isinstance(value, str | bool | int | float | date):
        return Literal(value)
    told = f"the value of {name} is a {type(value).__name__}"
    raise BadQuery(f"SPARQL: {told}; give a text, a number, a truth value or a day")


def _is_ordered(part: Any) -> bool:
    """Whether the rows come in an order that the query asks for."""
    while part is not None and hasattr(part, "get"):
        if getattr(part, "name", "") == "OrderBy":
            return True
        part = part.get("p")
    return False


def _sort_key(cell: Any) -> tuple[bool, str]:
    return cell is not None, "" if cell is None else cell.n3()


def _python(cell: Any) -> Any:
    from rdflib import Literal

    if cell is None:
        return None
    if not isinstance(cell, Literal):
        return str(cell)
    value = cell.toPython()
    return str(cell) if isinstance(value, Literal) else value


def _short(error: BaseException) -> str:
    if isinstance(error, RecursionError):
        return "the parts stand too deep inside one another"
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
