"""Triples out of RDF files: by Oxigraph where the extra `rdf` is installed, else by rdflib.

Nothing is fetched: a JSON-LD file must carry its context.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.errors import InputError, Problem
from kg.readers.rdf_names import DEFAULT_BASE
from kg.readers.textfile import read_text

if TYPE_CHECKING:
    from rdflib import Graph

SUFFIXES: Mapping[str, str] = {
    ".ttl": "turtle",
    ".nt": "nt",
    ".jsonld": "json-ld",
    ".trig": "trig",
}
"""The endings of file names, and what rdflib calls each format."""

_OXIGRAPH = {"turtle": "TURTLE", "nt": "N_TRIPLES", "json-ld": "JSON_LD", "trig": "TRIG"}

Triples = Iterable[tuple[Any, Any, Any]]


class Said(str):
    """An IRI or a literal as text; `language` is that of a literal, or None."""

    __slots__ = ("language",)

    def __new__(cls, text: str, language: str | None = None) -> Said:
        """A text in a language."""
        made = super().__new__(cls, text)
        made.language = language
        return made

    language: str | None


def is_rdf(path: str | Path) -> bool:
    """Whether a path names an RDF file, by its ending."""
    return Path(path).suffix.lower() in SUFFIXES


def has_oxigraph() -> bool:
    """Whether the extra `rdf` is installed; nothing is loaded."""
    try:
        return find_spec("pyoxigraph") is not None
    except ValueError:  # sys.modules says that it must not be had
        return False


def read_triples(path: Path) -> Triples | Problem:
    """The triples of a file, each once, all graphs of it together, or what is wrong with it.

    Subjects, predicates and objects are texts; an object has `language`.
    """
    text = _checked(path)
    if isinstance(text, Problem):
        return text
    if not has_oxigraph():
        graph = _parsed(path, text)
        return graph if isinstance(graph, Problem) else triples_of(graph)
    import pyoxigraph as ox

    form = getattr(ox.RdfFormat, _OXIGRAPH[_form(path)])
    try:
        return list(_told(ox.parse(text, form, base_iri=DEFAULT_BASE)))
    except (SyntaxError, ValueError) as error:
        return _invalid(path, error, getattr(error, "lineno", None) or 0)


def _told(quads: Iterable[Any]) -> Iterator[tuple[str, str, Said]]:
    seen = set()
    for quad in quads:
        if quad.triple not in seen:
            seen.add(quad.triple)
            # What it is of, if a triple is told of a triple, is no name of ours.
            s, p, o = (getattr(n, "value", str(n)) for n in quad.triple)
            yield s, p, Said(o, getattr(quad.object, "language", None))


def read_graph(path: str | Path) -> Graph:
    """The triples of a file as an rdflib graph.

    Raises:
        InputError: it cannot be read, or is not RDF.
    """
    file = Path(path)
    text = _checked(file)
    graph = text if isinstance(text, Problem) else _parsed(file, text)
    if isinstance(graph, Problem):
        raise InputError([graph])
    return graph


def triples_of(graph: Graph) -> Triples:
    """The triples of an rdflib graph or dataset, each once."""
    import rdflib

    if isinstance(graph, rdflib.Dataset):
        return dict.fromkeys((s, p, o) for s, p, o, _ in graph.quads())
    return graph


def _parsed(path: Path, text: str) -> Graph | Problem:
    import rdflib

    form = _form(path)
    graph = rdflib.Dataset(default_union=True) if form == "trig" else rdflib.Graph()
    # Of a value that does not fit its datatype rdflib logs a trace; it is kept as it is written,
    # and whoever reads it tells what is wrong.
    logger = logging.getLogger("rdflib.term")
    logger.addFilter(_quiet)
    try:
        return graph.parse(data=text, format=form, publicID=DEFAULT_BASE)
    except Exception as error:  # each parser of rdflib has errors of its own
        return _invalid(path, error)
    finally:
        logger.removeFilter(_quiet)


def _quiet(record: logging.LogRecord) -> bool:
    return "lexical form" not in str(record.msg)


def _form(path: Path) -> str:
    return SUFFIXES[path.suffix.lower()]


def _checked(path: Path) -> str | Problem:
    """The text of a file that may be parsed."""
    text = read_text(path)
    if isinstance(text, Problem):
        return text
    if not is_rdf(path):
        advice = f"Give a file that ends in {', '.join(SUFFIXES)}"
        return Problem(str(path), 0, "", "is no RDF file, by its ending", advice)
    problem = _remote_context(text, str(path)) if _form(path) == "json-ld" else None
    return problem or text


def _invalid(path: Path, error: Exception, line: int = 0) -> Problem:
    told = " ".join(str(error).split())[:200] or type(error).__name__
    return Problem(str(path), line, "", f"not valid {_form(path)}: {told}", "Correct the file")


def _remote_context(text: str, file: str) -> Problem | None:
    """The problem of a JSON-LD file that would have something fetched from elsewhere."""
    try:
        waiting = [json.loads(text)]
    except (ValueError, RecursionError) as error:
        return Problem(file, 0, "", f"not valid JSON: {error}", "Correct the file")
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            context = part.get("@context", {})
            given = context if isinstance(context, list) else [context]
            if "@import" in part or any(isinstance(c, str) for c in given):
                told = "its @context is an address, and nothing is fetched"
                return Problem(file, 0, "@context", told, "Put the context itself into the file")
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)
    return None
