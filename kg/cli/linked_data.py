"""The words of the command `kg` that speak RDF: `rdf` writes it, `sparql` asks it."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from kg.cli import BAD, DONE, NOTHING
from kg.cli.asking import given, language, opened, print_answer
from kg.cli.output import clean, clean_line, say
from kg.errors import BadQuery, LibraryError
from kg.export.rdf import DOCUMENTS, FORMATS, RdfCheck, check_graph, document
from kg.queries import plain
from kg.readers.rdf_files import read_graph
from kg.readers.rdf_names import DEFAULT_BASE

Options = argparse.Namespace
Reading = Callable[[Any, str, str], argparse.ArgumentParser]
"""Adds a word that reads a library: the words, its name, what it does."""

_DATA = "data"
_TOLD = {
    "en": ("{cases} cases, {triples:,} triples: they conform", "{faults} faults in {cases} cases:"),
    "ko": (
        "사례 {cases}건, 트리플 {triples:,}개: 모두 규칙에 맞습니다",
        "사례 {cases}건에서 어긋난 곳 {faults}군데:",
    ),
}


def add_words(words: Any, reading: Reading) -> None:
    """Add `rdf` and `sparql`."""
    parser = reading(words, "rdf", "write vocabulary and cases as RDF")
    parser.add_argument("cases", nargs="*", metavar="CASE", help="default: all")
    parser.add_argument("-o", "--output", metavar="FILE", help="default: standard output")
    parser.add_argument(
        "--format",
        choices=tuple(FORMATS),
        help="default: by the ending of FILE; turtle on standard output",
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
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing: hold the data against the SHACL shapes (needs the extra 'rdf')",
    )
    parser.add_argument(
        "--file", metavar="RDF", help="with --check: an RDF file instead of the library"
    )
    parser.set_defaults(run=rdf)
    parser = reading(words, "sparql", "answer a SPARQL question (SELECT or ASK); nothing changes")
    parser.add_argument("query", help="- reads standard input")
    parser.add_argument(
        "values", nargs="*", metavar="NAME=VALUE", help="values of variables, as texts"
    )
    parser.set_defaults(run=sparql)


def rdf(options: Options) -> int:
    """`kg rdf [CASE…] -o FILE`, or `kg rdf --check`: 2 when the data do not conform."""
    if options.check:
        return _check(options)
    if options.file is not None:
        raise BadQuery("--file goes with --check; to build from an RDF file: kg build FILE -o …")
    if options.output is None:
        say(clean(_text(options)).removesuffix("\n"))
        return DONE
    if options.part == _DATA:
        with opened(options) as library:
            ids = options.cases or None
            library.write_rdf(options.output, options.format, options.base, case_ids=ids)
    else:
        _write(options.output, document(options.part))
    print_answer(options, {"path": options.output}, lambda: clean_line(f"wrote {options.output}"))
    return DONE


def _write(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise LibraryError(f"cannot write {path}: {error.strerror}") from error


def _text(options: Options) -> str:
    if options.part != _DATA:
        return document(options.part)
    with opened(options) as library:
        format = options.format or "turtle"
        return library.rdf_text(format, options.base, case_ids=options.cases or None)


def _check(options: Options) -> int:
    lang = language(options)
    if options.output is not None or options.part != _DATA:
        raise BadQuery("--check writes nothing: leave -o and --part out")
    if options.file is None:
        with opened(options) as library:
            found = library.check_rdf(case_ids=options.cases or None, lang=lang)
    elif options.cases:
        raise BadQuery("give cases of the library or --file, not both")
    else:
        found = check_graph(read_graph(options.file), lang)
    value = {"conforms": found.conforms, **plain(found)}
    print_answer(options, value, lambda: _told(found, lang))
    return DONE if found.conforms else BAD


def _told(found: RdfCheck, lang: str) -> str:
    good, bad = _TOLD[lang]
    head = (good if found.conforms else bad).format(
        cases=found.cases, triples=found.triples, faults=len(found.faults)
    )
    return "\n  ".join([head, *(clean_line(str(f)) for f in found.faults)])


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
