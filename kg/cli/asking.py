"""What the words of the command line share: opening, reading what is given, printing."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any

from kg.cli.output import clean, clean_json, say
from kg.errors import BadQuery, LibraryError
from kg.library import Library, open_library
from kg.library.own import COPY
from kg.library.progress import print_progress
from kg.queries import FACETS, plain

Options = argparse.Namespace


def opened(options: Options) -> Library:
    """The library that the options name."""
    return open_library(options.library, progress=print_progress)


def own_library(options: Options) -> str:
    """The library that is to be changed, which must be named.

    Raises:
        LibraryError: none is named, and the shipped one is read-only.
    """
    if options.library is None:
        raise LibraryError(
            "the library of the shipped cases is read-only; "
            f"name one of your own with --library FILE. {COPY}"
        )
    return str(options.library)


def language(options: Options) -> str:
    """The language of the answer."""
    return options.lang or "en"


def facets(options: Options) -> dict[str, Any]:
    """The facets among the options."""
    return {name: value for name in FACETS if (value := getattr(options, name)) is not None}


def threshold(options: Options) -> dict[str, Any]:
    """The threshold among the options, if it is given."""
    return {} if options.threshold is None else {"threshold": options.threshold}


def given(text: str) -> str:
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


def share(text: str) -> float:
    """An argument that is a number from 0 to 1, for argparse."""
    try:
        score = float(text)
    except ValueError:
        score = -1
    if not 0 <= score <= 1:
        raise argparse.ArgumentTypeError(f"give a number from 0 to 1, not {text!r}")
    return score


def print_answer(options: Options, value: Any, view: Callable[[], str]) -> None:
    """Print a value as JSON, or its view, as the options say."""
    if options.json:
        say(clean_json(json.dumps(plain(value), ensure_ascii=False, indent=2, default=str)))
    else:
        say(clean(view()))
