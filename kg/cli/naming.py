"""`kg vocab proposals|accept`: names that no term has, and making them spellings of one."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any

from pydantic import ValidationError

from kg.cli import DONE, NOTHING
from kg.cli.asking import Options, language, opened, own_library, print_answer
from kg.cli.words import phrase
from kg.errors import BadQuery
from kg.intake.names import UnknownName
from kg.library.naming import AcceptedName, accept_name
from kg.library.progress import print_progress
from kg.model import Term
from kg.model.text import language_of
from kg.queries import plain

Reading = Callable[[Any, str, str], argparse.ArgumentParser]

_CASES = 5
"""How many cases of a name are listed."""


def add_proposals(actions: Any, reading: Reading) -> argparse.ArgumentParser:
    """Add `kg vocab proposals`."""
    parser = reading(
        actions, "proposals", "names of services and labels that no term has, and what they may be"
    )
    parser.add_argument("--limit", type=int, default=50, help="most to list (default 50)")
    parser.add_argument(
        "--meaning", action=argparse.BooleanOptionalAction, default=None,
        help="terms that mean the same as well (default: with the default encoder)",
    )  # fmt: skip
    parser.set_defaults(run=proposals)
    return parser


def add_accept(actions: Any, reading: Reading) -> argparse.ArgumentParser:
    """Add `kg vocab accept`."""
    parser = reading(actions, "accept", "make a name a spelling of a term, or of a new one")
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("term", metavar="TERM", help="the term; with --new the id of a new one")
    parser.add_argument("--new", action="store_true", help="add the term")
    parser.add_argument(
        "--label", action="append", default=[], metavar="TEXT", help="of a new term (default: NAME)"
    )
    parser.add_argument(
        "--definition", action="append", default=[], metavar="TEXT", help="of a new term"
    )
    parser.add_argument("--at", metavar="DAY", help="when, for the history")
    parser.add_argument("--author", help="by whom, for the history")
    parser.set_defaults(run=accept)
    return parser


def proposals(options: Options) -> int:
    """`kg vocab proposals`; 1 when every name has a term."""
    with opened(options) as library:
        found = library.unknown_names(meaning=options.meaning)
        shown = found[: options.limit]
        print_answer(options, shown, lambda: _names(shown, len(found), language(options)))
    return DONE if found else NOTHING


def accept(options: Options) -> int:
    """`kg vocab accept NAME TERM`."""
    path = own_library(options)
    term = _new(options) if options.new else options.term
    done = accept_name(
        path, options.name, term,
        at=options.at, author=options.author, progress=print_progress,
    )  # fmt: skip
    told = plain(done) | {"term": done.term.id}
    print_answer(options, told, lambda: _accepted(done, language(options)))
    return DONE


def _new(options: Options) -> Term:
    if not options.definition:
        raise BadQuery("say what the new term means: --definition TEXT")
    texts = {
        "label": {language_of(t): t for t in options.label or [options.name]},
        "definition": {language_of(t): t for t in options.definition},
    }
    try:
        return Term.model_validate({"id": options.term, **texts})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise BadQuery(f"{options.term} cannot be a new term: {first['msg']}") from error


def _names(shown: Sequence[UnknownName], count: int, lang: str) -> str:
    if not shown:
        return phrase("no unknown names", lang)
    lines = [phrase("unknown names", lang, count, len(shown))]
    for name in shown:
        cases = ", ".join(name.cases[:_CASES]) + (" …" if len(name.cases) > _CASES else "")
        lines.append(f"{' '.join(name.name.split())}  ({name.field}, {len(name.cases)}: {cases})")
        lines += [f"    {c.likeness:.2f}  {c.term}  ({c.spelling})" for c in name.candidates]
    return "\n".join(lines)


def _accepted(done: AcceptedName, lang: str) -> str:
    name = " ".join(done.name.split())
    head = phrase("name added" if done.new else "name accepted", lang, name, done.term.id)
    return head + "\n  " + phrase("claims to review", lang, len(done.cases), ", ".join(done.cases))
