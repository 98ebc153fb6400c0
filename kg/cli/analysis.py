"""The words of the command `kg` that ask about many cases at once."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from kg.cli import DONE, NOTHING
from kg.cli import show_analysis as views
from kg.cli import show_over_time as over_time
from kg.cli.asking import given, language, opened, print_answer
from kg.errors import BadQuery
from kg.library import Library
from kg.queries import FACETS, Hits
from kg.queries.combinations import LARGEST
from kg.queries.holding import KINDS
from kg.queries.patterns import PATTERN_KINDS
from kg.queries.periods import PERIODS
from kg.queries.stats import GROUPS
from kg.queries.trends import LEAST

Options = argparse.Namespace
_Parser = argparse.ArgumentParser

Reading = Callable[[Any, str, str], _Parser]
"""Adds a word that reads a library: the words, its name, what it does."""
Facets = Callable[[_Parser, str | None], None]
"""Adds the facets: the parser, and the name of the option for the kind of a case, if any."""

_ONLY_INCIDENTS = None
"""Where only incidents count, the kind of a case is nothing to choose."""


def add_words(words: Any, reading: Reading, facets: Facets) -> None:
    """Add `causes`, `patterns`, `recurrences`, `what-if`, `stats` and `trends`."""
    _causes(reading(words, "causes", "root causes (or others) that cases share, by lift"), facets)
    _patterns(reading(words, "patterns", "what comes together in incidents beyond chance"), facets)
    parser = reading(words, "recurrences", "the same cause again in the same organisation")
    facets(parser, _ONLY_INCIDENTS)
    parser.set_defaults(run=recurrences)
    _what_if(reading(words, "what-if", "which incidents stay explained without one thing"), facets)
    _stats(reading(words, "stats", "times to detect and to recover, by group"), facets)
    _trends(reading(words, "trends", "what rises and falls over the years"), facets)


def _causes(parser: _Parser, facets: Facets) -> None:
    parser.add_argument("cases", nargs="*", metavar="CASE", help="default: all that match")
    parser.add_argument("--search", metavar="TEXT", help="the cases like a text; - reads it")
    parser.add_argument("-k", type=int, default=20, help="with --search: at most so many cases")
    parser.add_argument(
        "--kind", default="cause", metavar="KIND", help=f"{', '.join(KINDS)} (default cause)"
    )
    parser.add_argument("--minimum", type=int, default=2, help="cases per term (default 2)")
    facets(parser, "--case-kind")
    parser.set_defaults(run=causes)


def _patterns(parser: _Parser, facets: Facets) -> None:
    parser.add_argument(
        "--of",
        nargs="+",
        default=list(PATTERN_KINDS),
        metavar="KIND",
        help=f"of {', '.join(KINDS)} (default {', '.join(PATTERN_KINDS)})",
    )
    parser.add_argument(
        "--size",
        nargs="+",
        type=int,
        default=list(range(2, LARGEST + 1)),
        metavar="N",
        help=f"terms in a combination, 2 to {LARGEST} (default all)",
    )
    parser.add_argument(
        "--minimum", type=int, help="incidents per pattern (default 3, or one in 200 if more)"
    )
    parser.add_argument("--limit", type=int, default=20, help="at most so many (default 20)")
    facets(parser, _ONLY_INCIDENTS)
    parser.set_defaults(run=patterns)


def _what_if(parser: _Parser, facets: Facets) -> None:
    parser.add_argument(
        "--without",
        required=True,
        metavar="TERM",
        help="a cause, trigger, factor, component or mitigation; what lies below it goes too",
    )
    facets(parser, _ONLY_INCIDENTS)
    parser.set_defaults(run=what_if)


def _stats(parser: _Parser, facets: Facets) -> None:
    parser.add_argument(
        "--by", default="cause", metavar="KIND", help=f"{', '.join(GROUPS)} (default cause)"
    )
    _dated(parser)
    facets(parser, _ONLY_INCIDENTS)
    parser.set_defaults(run=stats)


def _trends(parser: _Parser, facets: Facets) -> None:
    parser.add_argument(
        "--kind", default="cause", metavar="KIND", help=f"{', '.join(KINDS)} (default cause)"
    )
    parser.add_argument(
        "--by", default="year", metavar="PERIOD", help=f"{', '.join(PERIODS)} (default year)"
    )
    _dated(parser)
    parser.add_argument(
        "--minimum", type=int, default=LEAST, help=f"incidents for a test (default {LEAST})"
    )
    facets(parser, _ONLY_INCIDENTS)
    parser.set_defaults(run=trends)


def _dated(parser: _Parser) -> None:
    parser.add_argument(
        "--dated",
        default="started",
        metavar="DATE",
        help="the date that counts: started, detected, mitigated, ended or published",
    )


def causes(options: Options) -> int:
    """`kg causes [CASE…] [--search TEXT] [--kind KIND]`."""
    with opened(options) as library:
        found = library.common(
            _chosen(options, library),
            options.kind,
            minimum=options.minimum,
            case_kind=options.case_kind,
            lang=language(options),
            **_facets(options),
        )
        print_answer(options, found, lambda: views.common(library, found, language(options)))
    return DONE if found.items else NOTHING


def patterns(options: Options) -> int:
    """`kg patterns`."""
    with opened(options) as library:
        found = library.patterns(
            kinds=options.of,
            sizes=options.size,
            minimum=options.minimum,
            limit=options.limit,
            lang=language(options),
            **_facets(options),
        )
        print_answer(options, found, lambda: views.patterns(library, found, language(options)))
    return DONE if found.items else NOTHING


def recurrences(options: Options) -> int:
    """`kg recurrences`; those whose order is not proven count as found, and are told apart."""
    with opened(options) as library:
        found = library.recurrences(lang=language(options), **_facets(options))
        print_answer(options, found, lambda: views.recurrences(library, found, language(options)))
    return DONE if found.items or found.unsure else NOTHING


def what_if(options: Options) -> int:
    """`kg what-if --without TERM`."""
    with opened(options) as library:
        found = library.what_if(options.without, lang=language(options), **_facets(options))
        print_answer(options, found, lambda: views.what_if(library, found, language(options)))
    return DONE if found.touched else NOTHING


def stats(options: Options) -> int:
    """`kg stats --by KIND`."""
    with opened(options) as library:
        found = library.stats(
            options.by, dated=options.dated, lang=language(options), **_facets(options)
        )
        print_answer(options, found, lambda: over_time.stats(library, found, language(options)))
    return DONE if found.incidents else NOTHING


def trends(options: Options) -> int:
    """`kg trends`."""
    with opened(options) as library:
        found = library.trends(
            options.kind,
            options.by,
            dated=options.dated,
            minimum=options.minimum,
            lang=language(options),
            **_facets(options),
        )
        print_answer(options, found, lambda: over_time.trends(library, found, language(options)))
    return DONE if found.items or found.others else NOTHING


def _chosen(options: Options, library: Library) -> list[str] | Hits | None:
    """The cases that were named, or those like the text.

    Raises:
        BadQuery: both were given.
    """
    if options.search is None:
        return options.cases or None
    if options.cases:
        raise BadQuery("give either cases or --search, not both")
    return library.search(given(options.search), options.k)


def _facets(options: Options) -> dict[str, Any]:
    """The facets that were given; the kind of a case is none of them here."""
    names = (n for n in FACETS if n != "kind")
    return {name: value for name in names if (value := getattr(options, name)) is not None}
