"""The word of the command `kg` that explains: two cases, or a text and a case."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kg.cli import DONE, NOTHING
from kg.cli.asking import given, opened, print_answer
from kg.cli.output import clean_line, say
from kg.cli.show_explanation import explanation
from kg.errors import BadQuery, LibraryError
from kg.library import Library
from kg.library.explanations import Explained

Options = argparse.Namespace
Reading = Callable[[Any, str, str], argparse.ArgumentParser]
"""Adds a word that reads a library: the words, its name, what it does."""


def add_words(words: Any, reading: Reading) -> None:
    """Add `explain`."""
    parser = reading(words, "explain", "why two cases are alike, with evidence, and what differs")
    parser.add_argument(
        "sides",
        nargs="+",
        metavar="CASE",
        help="two cases, or a text of several words and a case; one case with --text",
    )
    parser.add_argument("--text", help="what was seen, beside one case; - reads standard input")
    parser.add_argument("--html", metavar="FILE", help="also write a page with all the evidence")
    parser.add_argument("--svg", metavar="FILE", help="also write a picture")
    parser.set_defaults(run=explain)


def explain(options: Options) -> int:
    """`kg explain CASE CASE`; 1 when nothing is found in a text."""
    wanted = 1 if options.text is not None else 2
    if len(options.sides) != wanted:
        raise BadQuery("give two cases, or a text and a case: kg explain --text TEXT CASE")
    with opened(options) as library:
        found = _explained(options, library)
        print_answer(options, found, lambda: explanation(library, found))
    for file, make in ((options.html, found.to_html), (options.svg, found.to_svg)):
        if file is not None:
            _write(Path(file), make())
            if not options.json:
                say(clean_line(f"wrote {file}"))
    return NOTHING if found.query is not None and not found.understood else DONE


def _explained(options: Options, library: Library) -> Explained:
    if options.text is not None:
        return library.explain_text(given(options.text), options.sides[0], options.lang)
    one, other = map(given, options.sides)
    return library.explain(one, other, options.lang)


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise LibraryError(f"cannot write {file}: {error.strerror}") from error
