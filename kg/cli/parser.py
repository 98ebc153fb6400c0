"""The words and options of the command `kg`."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from kg.cli import (
    analysis,
    commands,
    diagnosis,
    evolving,
    explaining,
    exporting,
    intake,
    linked_data,
    merging,
    notebooks,
    serving,
    site,
)
from kg.cli.asking import share
from kg.cli.demo import demo
from kg.cli.output import clean, complain, say
from kg.library.text_lanes import LANES

_LIBRARY = "INCIDENT_KG_LIBRARY"
_FACETS = {
    "cause": "root cause",
    "trigger": "trigger",
    "factor": "contributing factor",
    "symptom": "symptom",
    "component": "component",
    "mitigation": "mitigation or follow-up",
    "organization": "organisation",
    "tool": "detection tool",
}


class _Parser(argparse.ArgumentParser):
    """Shows bad arguments without what they could do to a terminal."""

    def _print_message(self, message: str, file: Any = None) -> None:
        # argparse would keep silent when the stream cannot be written.
        if file is not None and file is sys.stdout:
            say(clean(message).removesuffix("\n"))
        else:
            complain(clean(message).removesuffix("\n"))


def make_parser() -> argparse.ArgumentParser:
    """The whole command line."""
    parser: argparse.ArgumentParser = _Parser(
        prog="kg",
        description="Have we seen this incident? Why did it happen then, and what fixed it?",
        epilog="Exit code: 0 done, 1 nothing found, 2 bad use or input.",
    )
    words = parser.add_subparsers(dest="word", required=True, metavar="COMMAND")
    _build(words)
    _search(words)
    _similar(words)
    intake.add_words(words, _reading)
    merging.add_words(words, _reading)
    explaining.add_words(words, _reading)
    analysis.add_words(words, _reading, _facets)
    diagnosis.add_words(words, _reading)
    exporting.add_words(words, _reading, _facets)
    notebooks.add_words(words, _reading)
    _show(words)
    _list(words)
    evolving.add_words(words, _reading)
    _topic(words)
    _sql(words)
    linked_data.add_words(words, _reading)
    _graph(words)
    _eval(words)
    serving.add_words(words, _library)
    site.add_words(words, _reading)
    _demo(words)
    return parser


_Words = argparse._SubParsersAction


def _word(words: _Words[argparse.ArgumentParser], name: str, text: str) -> argparse.ArgumentParser:
    parser = words.add_parser(name, help=text, description=text)
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _reading(
    words: _Words[argparse.ArgumentParser], name: str, text: str
) -> argparse.ArgumentParser:
    parser = _word(words, name, text)
    _library(parser)
    return parser


def _library(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-l",
        "--library",
        metavar="FILE",
        default=os.environ.get(_LIBRARY),
        help=f"library file (default: ${_LIBRARY}, else the shipped cases)",
    )
    parser.add_argument("--lang", choices=("en", "ko"), help="language of the answer")


def _facets(parser: argparse.ArgumentParser, kind: str | None = "--kind") -> None:
    group = parser.add_argument_group("only cases with")
    for name, text in _FACETS.items():
        group.add_argument(f"--{name}", action="append", metavar="TERM", help=text)
    if kind:
        group.add_argument(kind, help="incident, series or study")
    group.add_argument("--domain")
    group.add_argument("--severity")
    group.add_argument("--since", metavar="DAY", help="dated this day or later")
    group.add_argument("--before", metavar="DAY", help="dated before this day")


def _hits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-k", type=int, default=5, help="at most this many hits (default 5)")
    parser.add_argument(
        "--threshold",
        type=share,
        help="least probability of a hit (of a case: least score), from 0 to 1",
    )
    _facets(parser)


def _build(words: _Words[argparse.ArgumentParser]) -> None:
    parser = _word(words, "build", "build a library file from case files")
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", help="case files, folders, exports or RDF files"
    )
    parser.add_argument("-o", "--output", required=True, metavar="FILE")
    parser.add_argument(
        "--vocabulary",
        metavar="FOLDER",
        help="schemes: a folder, an export or an RDF file (default: of the input, else shipped)",
    )
    parser.add_argument("--encoder", help="model name or folder (default: the shipped one)")
    parser.add_argument("--keep-going", action="store_true", help="leave bad cases out")
    parser.set_defaults(run=commands.build)


def _search(words: _Words[argparse.ArgumentParser]) -> None:
    parser = _reading(words, "search", "find cases like a text: symptoms, log lines, a question")
    parser.add_argument("text", help="what was seen; - reads standard input")
    parser.add_argument(
        "--diversity", type=share, default=0.0, help="0 to 1: less of the same (default 0)"
    )
    _hits(parser)
    parser.set_defaults(run=commands.search)


def _similar(words: _Words[argparse.ArgumentParser]) -> None:
    parser = _reading(words, "similar", "find cases like a case")
    parser.add_argument("case", metavar="CASE")
    _hits(parser)
    parser.set_defaults(run=commands.similar)


def _show(words: _Words[argparse.ArgumentParser]) -> None:
    parser = _reading(words, "show", "print a case with its claims and evidence")
    parser.add_argument("case", metavar="CASE")
    parser.set_defaults(run=commands.show)


def _list(words: _Words[argparse.ArgumentParser]) -> None:
    parser = _reading(words, "list", "list cases by facet, newest first")
    _facets(parser)
    parser.add_argument("--sort", default="recent", help="recent, oldest or id")
    parser.add_argument("--offset", type=int, default=0)
    parser.add_argument("--limit", type=int, default=1_000_000)
    parser.add_argument("--groups", action="store_true", help="group by root cause")
    parser.add_argument("--page", action="store_true", help="with --json: the whole page object")
    parser.set_defaults(run=commands.list_cases)


def _topic(words: _Words[argparse.ArgumentParser]) -> None:
    parser = _reading(words, "topic", "everything about one term")
    parser.add_argument("term", metavar="TERM")
    parser.set_defaults(run=commands.topic)


def _sql(words: _Words[argparse.ArgumentParser]) -> None:
    parser = _reading(words, "sql", "run a read-only SQL query on the library file")
    parser.add_argument("query", help="- reads standard input")
    parser.add_argument("parameters", nargs="*", metavar="VALUE", help="values for ? in the query")
    parser.set_defaults(run=commands.sql)


def _graph(words: _Words[argparse.ArgumentParser]) -> None:
    parser = _reading(words, "graph", "draw cases with their causes and symptoms as SVG")
    parser.add_argument("cases", nargs="*", metavar="CASE", help="default: all that match")
    parser.add_argument("-o", "--output", metavar="FILE", help="default: standard output")
    _facets(parser)
    parser.set_defaults(run=commands.graph)


def _eval(words: _Words[argparse.ArgumentParser]) -> None:
    parser = _word(words, "eval", "measure search on a folder of judged queries (BEIR layout)")
    parser.add_argument("set", metavar="SET", help="folder with corpus, queries and judgements")
    parser.add_argument(
        "--lane",
        action="append",
        choices=(*LANES, "hybrid"),
        help="only this lane; may be given again",
    )
    parser.add_argument("--split", default="test", help="which judgements (default test)")
    parser.add_argument("--encoder", help="model name or folder (default: the shipped one)")
    parser.set_defaults(run=_evaluate)


def _evaluate(options: argparse.Namespace) -> int:
    from kg.cli.evaluate import evaluate  # other commands need nothing of it

    return evaluate(options)


def _demo(words: _Words[argparse.ArgumentParser]) -> None:
    text = "build the shipped library in a folder and ask it everything once"
    parser = words.add_parser("demo", help=text, description=text)
    parser.add_argument("folder", nargs="?", default="out", help="default: out")
    parser.set_defaults(run=demo)
