"""SPARQL over a graph in memory: questions only, with values bound and nothing fetched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import TYPE_CHECKING, Any

from kg.errors import BadQuery
from kg.export.rdf.write import prefixes
from kg.store import Table

if TYPE_CHECKING:
    from rdflib import Graph
    from rdflib.plugins.sparql.sparql import Query
    from rdflib.term import Identifier

_READING = {"SelectQuery", "AskQuery"}
_FETCHING = {
    "ServiceGraphPattern": "SERVICE would ask another machine; take it out",
    "DatasetClause": "FROM would load a file or an address; take it out, the library is asked",
}


def ask_graph(graph: Graph, query: str, values: Mapping[str, Any] | None, base: str) -> Table:
    """Answer one SELECT or ASK over a graph.

    Args:
        graph: what is asked; it is not changed.
        query: the text; the prefixes of `prefixes` need not be declared.
        values: a value for each variable to be bound, by its name without the question mark: a
            text, number, truth value, day, or a term of rdflib. They never become query text.
        base: what the addresses of the graph begin with.

    Returns:
        The rows, as Python values; an IRI is a text, an unbound variable None. They are sorted
        where the query does not order them. An ASK gives one row of one truth value.

    Raises:
        BadQuery: it is no question, cannot be read or answered, or would fetch something.
    """
    prepared = _prepared(query, base)
    bindings = _bindings({} if values is None else values)
    try:
        result = graph.query(prepared, initBindings=bindings)
        if result.askAnswer is not None:
            return Table(("ask",), ((bool(result.askAnswer),),))
        columns = tuple(map(str, result.vars or ()))
        rows = [tuple(row) for row in result]  # type: ignore[arg-type]
    except Exception as error:  # rdflib raises whatever its evaluation met
        raise BadQuery(f"SPARQL: {_short(error)}") from error
    if not _is_ordered(prepared.algebra):
        rows.sort(key=lambda row: [_sort_key(cell) for cell in row])
    return Table(columns, tuple(tuple(_python(cell) for cell in row) for row in rows))


def _prepared(query: object, base: str) -> Query:
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
    try:
        return translateQuery(parsed, initNs=prefixes(base))
    except Exception as error:  # rdflib raises a bare one for an unknown prefix
        raise BadQuery(f"SPARQL: {_short(error)}") from error


def _is_update(query: str) -> bool:
    from rdflib.plugins.sparql.parser import parseUpdate

    try:
        return bool(parseUpdate(query).request)
    except Exception:
        return False


def _check_harmless(parsed: Any) -> None:
    names = set(_names(parsed))
    for name, advice in _FETCHING.items():
        if name in names:
            raise BadQuery(f"SPARQL: {advice}")
    if not names & _READING or names & {"ConstructQuery", "DescribeQuery"}:
        raise BadQuery("SPARQL: only SELECT and ASK are run; lib.to_rdf() gives the graph itself")


def _names(parsed: Any) -> Iterator[str]:
    """The names of all parts of a parsed query, at any depth."""
    from rdflib.plugins.sparql.parserutils import CompValue

    waiting: list[Any] = [parsed]
    while waiting:
        part = waiting.pop()
        if isinstance(part, CompValue):
            yield part.name
            waiting.extend(part.values())
        elif not isinstance(part, str):
            try:
                waiting.extend(part)
            except TypeError:
                continue


def _bindings(values: object) -> dict[str, Identifier]:
    if not isinstance(values, Mapping):
        raise BadQuery(f"SPARQL: give the values by name, not as {type(values).__name__}")
    return {_variable(name): _term(name, value) for name, value in values.items()}


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
