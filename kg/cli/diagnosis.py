"""The words of the command `kg` for an incident that is under way: diagnose, verify."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.cli import DONE, NOTHING
from kg.cli.asking import given, opened, print_answer, threshold
from kg.cli.output import clean, say
from kg.cli.view import wrap
from kg.errors import BadQuery
from kg.library import Library
from kg.library.diagnosis import CASES
from kg.model.text import language_of
from kg.queries import plain

if TYPE_CHECKING:
    from kg.rca import AnswerReport, Diagnosis

Options = argparse.Namespace
_Parser = argparse.ArgumentParser

Reading = Callable[[Any, str, str], _Parser]
"""Adds a word that reads a library: the words, its name, what it does."""


def add_words(words: Any, reading: Reading) -> None:
    """Add `diagnose` and `verify`."""
    parser = reading(
        words, "diagnose", "what may be behind an incident, what to check, what helped"
    )
    parser.add_argument("text", help="what was seen; - reads standard input")
    _asking(parser)
    parser.add_argument(
        "--prompt", action="store_true", help="print a prompt for a language model instead"
    )
    parser.set_defaults(run=diagnose)
    parser = reading(words, "verify", "whether an answer keeps to the evidence of a diagnosis")
    parser.add_argument("answer", metavar="FILE", help="what the model wrote; - reads it")
    parser.add_argument(
        "--text", required=True, help="the text that was diagnosed; - reads standard input"
    )
    _asking(parser)
    parser.add_argument(
        "--key", help="key of the prompt's evidence; another one is refused (default: any)"
    )
    parser.set_defaults(run=verify)


def _asking(parser: _Parser) -> None:
    parser.add_argument(
        "--observed",
        action="append",
        default=[],
        metavar="TERM",
        help="also seen, looked at or tried; may be given again",
    )
    parser.add_argument(
        "--ruled-out",
        action="append",
        default=[],
        metavar="TERM",
        help="out of question; may be given again",
    )
    parser.add_argument(
        "-k", type=int, default=CASES, help=f"at most so many similar cases (default {CASES})"
    )
    parser.add_argument("--threshold", type=float, help="least probability of a similar case")


def diagnose(options: Options) -> int:
    """`kg diagnose TEXT`; 1 when no hypothesis is offered.

    Where terms are added, the answer also says what they changed.
    """
    with opened(options) as library:
        found = _diagnosis(options, library, given(options.text))
        if options.prompt:
            say(clean(library.to_prompt(found)).removesuffix("\n"))
        else:
            print_answer(options, _json(found), lambda: _view(str(found)))
    return DONE if found.hypotheses else NOTHING


def verify(options: Options) -> int:
    """`kg verify FILE --text TEXT`; 1 when a sentence is refused."""
    if options.answer == options.text == "-":
        raise BadQuery("answer and text cannot both be read from standard input")
    answer = given("-") if options.answer == "-" else Path(options.answer).read_text("utf-8")
    with opened(options) as library:
        found = _diagnosis(options, library, given(options.text))
        if options.key not in (None, found.key):
            raise BadQuery(
                f"the evidence of this diagnosis has the key {found.key}, not {options.key}: the "
                "library or the facts are others than those of the prompt; make a new prompt"
            )
        report = library.verify_answer(answer, found)
        print_answer(options, _report(report), lambda: _view(str(report)))
    return DONE if report.ok else NOTHING


def _diagnosis(options: Options, library: Library, text: str) -> Diagnosis:
    lang = options.lang or language_of(text)
    asked: dict[str, Any] = {"k": options.k, "lang": lang, **threshold(options)}
    added = {"observed": options.observed, "ruled_out": options.ruled_out}
    before = library.diagnose(text, **asked) if any(added.values()) else None
    return library.diagnose(text, **added, previous=before, **asked)


def _json(found: Diagnosis) -> dict[str, Any]:
    """All parts, and which claim each number cites."""
    citations = [s.claim_id for s in found.evidence]
    return {**plain(found), "citations": citations, "key": found.key}


def _report(report: AnswerReport) -> dict[str, Any]:
    told = [
        {**plain(s), "reasons": [f.text(report.lang) for f in s.findings]} for s in report.sentences
    ]
    return {"ok": report.ok, "sentences": told}


def _view(text: str) -> str:
    """The lines as they are, long ones wrapped under their own indent."""
    lines = []
    for line in text.split("\n"):
        lines += wrap(line, len(line) - len(line.lstrip()))
    return "\n".join(lines)
