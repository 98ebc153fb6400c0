"""One function per word of the command line: ask the library, print, say how it went."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kg.cli import BAD, DONE, NOTHING
from kg.cli import show as views
from kg.cli.output import clean, clean_json, clean_line, clean_xml, complain, say
from kg.errors import BadQuery, LibraryError
from kg.library import Library, build_library, open_library
from kg.library.progress import print_progress
from kg.model.text import language_of
from kg.queries import FACETS, Hits, plain

Options = argparse.Namespace


def build(options: Options) -> int:
    """`kg build PATH… -o FILE`; 2 when cases were left out, even with --keep-going."""
    with build_library(
        options.paths,
        options.output,
        vocabulary=options.vocabulary,
        encoder=options.encoder,
        keep_going=options.keep_going,
        progress=print_progress,
    ) as library:
        problems = library.problems
        built = {"path": str(library.path), "cases": len(library), "problems": plain(problems)}
        _print(options, built, lambda: views.built(library.path, len(library)))
    for problem in problems:
        complain(clean_line(str(problem)))
    return BAD if problems else DONE


def search(options: Options) -> int:
    """`kg search TEXT`."""
    with _open(options) as library:
        text = _given(options.text)
        lang = options.lang or language_of(text)
        hits = library.search(
            text,
            options.k,
            lang=lang,
            diversity=options.diversity,
            **_threshold(options),
            **_facets(options),
        )
        return _print_hits(options, library, hits, lang)


def similar(options: Options) -> int:
    """`kg similar CASE`."""
    with _open(options) as library:
        hits = library.similar(
            options.case, options.k, lang=_lang(options), **_threshold(options), **_facets(options)
        )
        return _print_hits(options, library, hits, _lang(options))


def show(options: Options) -> int:
    """`kg show CASE`."""
    with _open(options) as library:
        case = library.get(options.case)
        _print(options, case.resolved(), lambda: views.case(library, case, _lang(options)))
    return DONE


def list_cases(options: Options) -> int:
    """`kg list`; the JSON is an array of cards unless --page is given."""
    with _open(options) as library:
        page = library.list(
            sort=options.sort,
            offset=options.offset,
            limit=options.limit,
            lang=_lang(options),
            **_facets(options),
        )
        if options.groups:
            groups = library.groups(page.ids, lang=_lang(options))
            _print(options, groups, lambda: views.groups(library, groups, _lang(options)))
        else:
            value = page if options.page else page.items
            _print(options, value, lambda: views.page(library, page, _lang(options)))
    return DONE if page.items else NOTHING


def vocab(options: Options) -> int:
    """`kg vocab [SCHEME]`."""
    with _open(options) as library:
        found = library.vocab(options.scheme, _lang(options))
        _print(options, found, lambda: views.vocab(found, _lang(options)))
    return DONE if found else NOTHING


def topic(options: Options) -> int:
    """`kg topic TERM`."""
    with _open(options) as library:
        found = library.topic(options.term, _lang(options))
        _print(options, found, lambda: views.topic(library, found, _lang(options)))
    return DONE if found.entry.cases else NOTHING


def sql(options: Options) -> int:
    """`kg sql QUERY [VALUE…]`."""
    with _open(options) as library:
        table = library.sql(_given(options.query), options.parameters)
        _print(options, table.dicts(), lambda: str(table))
    return DONE if table.rows else NOTHING


def graph(options: Options) -> int:
    """`kg graph [CASE…] -o FILE`."""
    with _open(options) as library:
        ids = options.cases or library.list(limit=1_000_000, **_facets(options)).ids
        if options.json:
            _print(options, library.result_graph(ids), str)
            return DONE if ids else NOTHING
        picture = library.picture(ids, lang=_lang(options))
    if options.output is None:
        say(clean_xml(picture))
        return DONE
    try:
        Path(options.output).write_text(picture, encoding="utf-8")
    except OSError as error:
        raise LibraryError(f"cannot write {options.output}: {error.strerror}") from error
    say(clean_line(f"wrote {options.output}"))
    return DONE


def _open(options: Options) -> Library:
    return open_library(options.library, progress=print_progress)


def _lang(options: Options) -> str:
    return options.lang or "en"


def _facets(options: Options) -> dict[str, Any]:
    return {name: value for name in FACETS if (value := getattr(options, name)) is not None}


def _threshold(options: Options) -> dict[str, Any]:
    return {} if options.threshold is None else {"threshold": options.threshold}


def _given(text: str) -> str:
    """An argument, or standard input for `-`.

    Raises:
        BadQuery: it is not UTF-8, or standard input is closed.
    """
    if text == "-" and sys.stdin is None:
        raise BadQuery("standard input is closed")
    try:
        given = sys.stdin.read() if text == "-" else text
        given.encode()  # some locales hand over bytes that are no text as halves of pairs
    except UnicodeError as error:
        raise BadQuery("the text is not UTF-8") from error
    return given


def _print_hits(options: Options, library: Library, hits: Hits, lang: str) -> int:
    _print(options, hits, lambda: views.hits(library, hits, lang))
    return DONE if hits.items else NOTHING


def _print(options: Options, value: Any, view: Callable[[], str]) -> None:
    if options.json:
        say(clean_json(json.dumps(plain(value), ensure_ascii=False, indent=2, default=str)))
    else:
        say(clean(view()))
