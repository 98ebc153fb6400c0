"""`kg vocab rename|merge|split|undo|history`: changing the terms of a library of one's own."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from kg.cli import DONE, NOTHING
from kg.cli.asking import language, opened, own_library, print_answer
from kg.cli.commands import vocab
from kg.cli.naming import add_accept, add_proposals
from kg.cli.show_evolving import evolved, history
from kg.errors import BadQuery
from kg.library.evolution import (
    Evolved,
    merge_terms,
    rename_term,
    split_term,
    undo_change,
)
from kg.library.progress import print_progress
from kg.model import Term
from kg.model.text import language_of
from kg.vocab import parse_assignments

Options = argparse.Namespace
Reading = Callable[[Any, str, str], argparse.ArgumentParser]
"""Adds a word that reads a library: the words, its name, what it does."""

_LIST = "list"


class _Actions(argparse._SubParsersAction):  # type: ignore[type-arg]
    """What `kg vocab` does; anything that is no word of its own is the name of a scheme."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        # argparse would else refuse the names of schemes
        self.choices = None  # type: ignore[assignment]

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option: str | None = None,
    ) -> None:
        if values[0] not in self._name_parser_map:
            values = [_LIST, *values]
        super().__call__(parser, namespace, values, option)


def add_words(words: Any, reading: Reading) -> None:
    """Add `vocab` with all that it does."""
    parser = reading(words, "vocab", "the terms of a scheme with their cases, and changes of terms")
    parser.set_defaults(run=vocab, scheme=None)
    actions = parser.add_subparsers(
        action=_Actions,
        metavar="SCHEME | rename | merge | split | undo | history | proposals | accept",
    )
    for add in (_list, _rename, _merge, _split, _undo, _history, add_proposals, add_accept):
        # Both parsers take the options; what is given to the outer one must not be set back.
        _keep_given(add(actions, reading))


def _keep_given(parser: argparse.ArgumentParser) -> None:
    for action in parser._actions:
        if action.dest in ("json", "library", "lang"):
            action.default = argparse.SUPPRESS


def _list(actions: Any, reading: Reading) -> argparse.ArgumentParser:
    parser = reading(actions, _LIST, "the terms of a scheme with their number of cases")
    parser.add_argument("scheme", nargs="?", metavar="SCHEME")
    parser.set_defaults(run=vocab)
    return parser


def _rename(actions: Any, reading: Reading) -> argparse.ArgumentParser:
    parser = reading(actions, "rename", "give a term another id; the old one goes on to serve")
    parser.add_argument("old", metavar="OLD")
    parser.add_argument("new", metavar="NEW", help="id or slug")
    parser.add_argument(
        "--label", action="append", default=[], metavar="TEXT", help="new label; may be given again"
    )
    _telling(parser)
    parser.set_defaults(run=rename)
    return parser


def _merge(actions: Any, reading: Reading) -> argparse.ArgumentParser:
    parser = reading(actions, "merge", "make one term of several; the old ids go on to serve")
    parser.add_argument("terms_given", nargs="+", metavar="TERM")
    parser.add_argument("--into", required=True, metavar="TERM", help="one of them, or a new id")
    _describing(parser)
    _telling(parser)
    parser.set_defaults(run=merge)
    return parser


def _split(actions: Any, reading: Reading) -> argparse.ArgumentParser:
    parser = reading(
        actions,
        "split",
        "split terms off a term, which stays; only cases that you decide are re-tagged",
    )
    parser.add_argument("term", metavar="TERM")
    parser.add_argument("--into", required=True, nargs="+", metavar="TERM")
    parser.add_argument(
        "--by",
        nargs="+",
        default=[],
        metavar="CASE=TERM",
        help="or CLAIM=TERM, CASE=TERM+TERM, or a file with one such pair a line; - reads it",
    )
    _describing(parser)
    _telling(parser)
    parser.set_defaults(run=split)
    return parser


def _undo(actions: Any, reading: Reading) -> argparse.ArgumentParser:
    parser = reading(actions, "undo", "take back the last change of terms")
    parser.add_argument("--steps", type=int, default=1, metavar="N", help="how many (default 1)")
    parser.add_argument("--dry-run", action="store_true", help="say what would change")
    parser.set_defaults(run=undo)
    return parser


def _history(actions: Any, reading: Reading) -> argparse.ArgumentParser:
    parser = reading(actions, "history", "what was renamed, merged and split")
    parser.set_defaults(run=show_history)
    return parser


def _telling(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--at", metavar="WHEN", help="day or moment, as 2026-03-04; never the clock"
    )
    parser.add_argument("--author", metavar="NAME")
    parser.add_argument("--note", metavar="TEXT", help="why")
    parser.add_argument("--dry-run", action="store_true", help="say what would change")


def _describing(parser: argparse.ArgumentParser) -> None:
    for name in ("label", "definition"):
        parser.add_argument(
            f"--{name}",
            action="append",
            default=[],
            metavar="TERM=TEXT",
            help=f"{name} of a new term; may be given again for the other language",
        )
    parser.add_argument(
        "--terms",
        dest="terms_file",
        metavar="FILE",
        help="new terms as JSON, in the form of vocabulary files",
    )
    parser.add_argument(
        "--keep-both", action="store_true", help="also where a case states and rules out one term"
    )


def rename(options: Options) -> int:
    """`kg vocab rename OLD NEW`."""
    label = {language_of(text): text for text in options.label}
    if len(label) < len(options.label):
        raise BadQuery("give one label a language")
    done = rename_term(
        own_library(options), options.old, options.new, label=label, progress=print_progress,
        **_told(options),
    )  # fmt: skip
    return _print(options, [done])


def merge(options: Options) -> int:
    """`kg vocab merge TERM… --into TERM`."""
    scheme = options.terms_given[0].partition(":")[0] if ":" in options.terms_given[0] else ""
    found = _described(options, [options.into], scheme)
    done = merge_terms(
        own_library(options), options.terms_given, options.into,
        described=found[0] if found else None, keep_both=options.keep_both,
        progress=print_progress, **_told(options),
    )  # fmt: skip
    return _print(options, [done])


def split(options: Options) -> int:
    """`kg vocab split TERM --into TERM… --by CASE=TERM…`."""
    scheme = options.term.partition(":")[0] if ":" in options.term else ""
    done = split_term(
        own_library(options), options.term, options.into, parse_assignments(_pairs(options.by)),
        described=_described(options, options.into, scheme), keep_both=options.keep_both,
        progress=print_progress, **_told(options),
    )  # fmt: skip
    return _print(options, [done])


def undo(options: Options) -> int:
    """`kg vocab undo`."""
    path = own_library(options)
    done = undo_change(path, steps=options.steps, dry_run=options.dry_run, progress=print_progress)
    return _print(options, done)


def show_history(options: Options) -> int:
    """`kg vocab history`; 1 when nothing was ever changed."""
    with opened(options) as library:
        found = library.history
        print_answer(options, found, lambda: history(library.vocabulary, language(options)))
    return DONE if found else NOTHING


def _print(options: Options, done: Iterable[Evolved]) -> int:
    found = list(done)
    shown = lambda: "\n".join(evolved(one, language(options)) for one in found)  # noqa: E731
    print_answer(options, found if options.run is undo else found[0], shown)
    return DONE


def _told(options: Options) -> dict[str, Any]:
    return {name: getattr(options, name) for name in ("at", "author", "note", "dry_run")}


def _pairs(given: Iterable[str]) -> list[str]:
    """Pairs as they are given, and those of files: a line each, `=` or a comma between."""
    found: list[str] = []
    for one in given:
        if "=" in one:
            found.append(one)
        else:
            lines = (sys.stdin.read() if one == "-" else _text(one)).splitlines()
            told = (line.strip() for line in lines)
            found += [_pair(t) for t in told if t and not t.startswith("#") and t != "case,term"]
    return found


def _pair(line: str) -> str:
    return line if "=" in line else line.replace(",", "=", 1)


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadQuery(
            f"{path} is no CASE=TERM pair and no file that can be read: {reason}"
        ) from error


def _described(options: Options, into: Iterable[str], scheme: str) -> list[Term]:
    """The new terms that the options describe."""
    known = [t if ":" in t or not scheme else f"{scheme}:{t}" for t in into]
    data: dict[str, dict[str, Any]] = {}
    for name in ("label", "definition"):
        for given in getattr(options, name):
            term, sign, text = given.partition("=")
            whole = term if ":" in term or not scheme else f"{scheme}:{term}"
            if not sign or whole not in known:
                raise BadQuery(
                    f"--{name} {given!r}: write TERM=TEXT, with one of {', '.join(known)}"
                )
            data.setdefault(whole, {"id": whole}).setdefault(name, {})[language_of(text)] = text
    found = list(data.values())
    if options.terms_file is not None:
        found += _listed(options.terms_file)
    try:
        return [Term.model_validate(d) for d in found]
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(map(str, first["loc"]))
        raise BadQuery(
            f"a new term needs id, label and definition: {field}: {first['msg']}"
        ) from error


def _listed(path: str) -> list[Any]:
    """Terms in a file: a list of them, one alone, or a whole scheme."""
    try:
        data = json.loads(_text(path))
    except (ValueError, RecursionError) as error:
        raise BadQuery(f"{path} is not JSON: {error}") from error
    if isinstance(data, dict):
        data = data.get("terms", [data])
    return data if isinstance(data, list) else [data]
