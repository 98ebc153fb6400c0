"""The words of the command `kg` that speak RDF: `rdf` writes it, `sparql` asks it."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from kg.cli import DONE, NOTHING
from kg.cli.asking import given, opened, print_answer
from kg.cli.output import clean, clean_line, say
from kg.errors import BadQuery, LibraryError
from kg.export.rdf import DOCUMENTS, FORMATS, document
from kg.readers.rdf_names import DEFAULT_BASE

Options = argparse.Namespace
Reading = Callable[[Any, str, str], argparse.ArgumentParser]
"""Adds a word that reads a library: the words, its name, what it does."""

_DATA = "data"
_ENDINGS = {".ttl": "turtle", ".nt": "ntriples", ".jsonld": "jsonld", ".trig": "trig"}


def add_words(words: Any, reading: Reading) -> None:
    """Add `rdf` and `sparql`."""
    parser = reading(words, "rdf", "write vocabulary and cases as RDF")
    parser.add_argument("cases", nargs="*", metavar="CASE", help="default: all")
    parser.add_argument("-o", "--output", metavar="FILE", help="default: standard output")
    parser.add_argument(
        "--format", choices=tuple(FORMATS), help="default: by the ending of FILE, else turtle"
    )
    parser.add_argument(
        "--base", metavar="IRI", default=DEFAULT_BASE, help="what addresses begin with"
    )
    parser.add_argument(
        "--part",
        choices=(_DATA, *DOCUMENTS),
        default=_DATA,
        help="instead of the data: our ontology, the SHACL shapes or the JSON-LD context",
    )
    parser.set_defaults(run=rdf)
    parser = reading(words, "sparql", "answer a SPARQL question (SELECT or ASK); nothing changes")
    parser.add_argument("query", help="- reads standard input")
    parser.add_argument(
        "values", nargs="*", metavar="NAME=VALUE", help="values of variables, as texts"
    )
    parser.set_defaults(run=sparql)


def rdf(options: Options) -> int:
    """`kg rdf [CASE…] -o FILE`."""
    text = _text(options) if options.part == _DATA else document(options.part)
    if options.output is None:
        say(clean(text).removesuffix("\n"))
        return DONE
    try:
        Path(options.output).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise LibraryError(f"cannot write {options.output}: {error.strerror}") from error
    print_answer(options, {"path": options.output}, lambda: clean_line(f"wrote {options.output}"))
    return DONE


def _text(options: Options) -> str:
    ending = Path(options.output or "").suffix.lower()
    format = options.format or _ENDINGS.get(ending, "turtle")
    with opened(options) as library:
        return library.rdf_text(format, options.base, case_ids=options.cases or None)


def sparql(options: Options) -> int:
    """`kg sparql QUERY [NAME=VALUE…]`; 1 when there is no row, or an ASK says no."""
    values = _values(options.values)
    with opened(options) as library:
        table = library.sparql(given(options.query), values)
    print_answer(options, table.dicts(), lambda: str(table))
    return DONE if table.rows and table.rows != ((False,),) else NOTHING


def _values(given: Sequence[str]) -> dict[str, str]:
    pairs = [text.partition("=") for text in given]
    if bad := next((name for name, sign, _ in pairs if not sign or not name), None):
        raise BadQuery(f"{bad!r} is not of the form NAME=VALUE")
    return {name: value for name, _, value in pairs}
