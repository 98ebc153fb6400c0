"""`kg add`, `kg remove`, `kg review`: a library of one's own, out of what others wrote.

What reads documents is loaded only where documents are read: every other word starts without it.
"""

from __future__ import annotations

import argparse
from typing import Any

from kg.cli import BAD, DONE, NOTHING
from kg.cli.asking import Options, language, opened, own_library, print_answer, share
from kg.cli.output import clean_line, complain
from kg.cli.show_intake import added, decided, queue, reviewed
from kg.intake import KINDS
from kg.library import Library
from kg.library.progress import print_progress
from kg.library.reviewing import (
    Waiting,
    decided_about,
    decisions,
    review_of,
    reviews_above,
    waiting,
)
from kg.model import Decision, Review
from kg.queries import plain
from kg.readers.document import Declared
from kg.readers.formdates import Order


def add_words(words: Any, reading: Any) -> None:
    """Add the words that change a library of one's own."""
    _add(reading(words, "add", "add incidents from files of any known format to a library"))
    _remove(reading(words, "remove", "take cases out of a library"))
    _review(reading(words, "review", "judge what a program claimed: list, accept, change, reject"))


def _add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="files, folders, zip archives")
    parser.add_argument(
        "--format", metavar="NAME", help="read all in this format, see docs/your-incidents.md"
    )
    parser.add_argument("--mapping", metavar="FILE", help="what the columns or keys mean")
    parser.add_argument(
        "--dates",
        choices=tuple(map(str, Order)),
        help="order of day and month in 03/04/2021",
    )
    parser.add_argument("--zone", help="zone of times that state none, such as +09:00")
    parser.add_argument("--domain", default="own", help="what the cases are filed under")
    parser.add_argument(
        "--keep", action="append", default=[], choices=KINDS, metavar="KIND",
        help=f"do not replace these: {', '.join(KINDS)}; may be given again",
    )  # fmt: skip
    parser.add_argument("--vocabulary", metavar="FOLDER", help="terms of a new library")
    parser.add_argument("--encoder", help="encoder of a new library (default: the shipped one)")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done")
    _told(parser)
    parser.set_defaults(run=add)


def _remove(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("cases", nargs="+", metavar="CASE")
    parser.set_defaults(run=remove)


def _review(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("case", nargs="?", metavar="CASE", help="default: all that wait")
    parser.add_argument("--kind", help="only this kind of claim, such as cause")
    parser.add_argument("--least", type=share, default=0.0, help="only from this confidence")
    parser.add_argument("--limit", type=int, default=50, help="most to list (default 50)")
    for name in Decision:
        parser.add_argument(
            f"--{name}", action="append", default=[], metavar="CLAIM",
            help=f"{name} this claim, such as X-1#cause-1{'=cause:y' if name == 'change' else ''}",
        )  # fmt: skip
    parser.add_argument(
        "--accept-above", type=share, metavar="P", help="accept all that wait from this confidence"
    )
    parser.add_argument(
        "--undo", action="append", default=[], metavar="CASE#TERM",
        help="take back what was decided about a term of a case, so that it waits again",
    )  # fmt: skip
    parser.add_argument("--decided", action="store_true", help="list what was decided")
    parser.add_argument("--role", help="the role of what is accepted, such as primary")
    parser.add_argument("--suspected", action="store_true", help="accept as suspected, not as fact")
    _told(parser)
    parser.set_defaults(run=review)


def _told(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--at", metavar="DAY", help="when, for the history")
    parser.add_argument("--author", help="by whom, for the history")


def add(options: Options) -> int:
    """`kg add PATH… --library FILE`; 2 when something could not be read."""
    from kg.library.intake import add_documents
    from kg.readers.mapped import mapping_format
    from kg.readers.mapping import read_mapping

    wanted = mapping_format(read_mapping(options.mapping)) if options.mapping else options.format
    found = add_documents(
        own_library(options),
        options.paths,
        wanted=wanted,
        declared=Declared(order=options.dates or "", zone=options.zone or ""),
        domain=options.domain,
        keep=options.keep,
        vocabulary=options.vocabulary,
        encoder=options.encoder,
        at=options.at,
        author=options.author,
        dry_run=options.dry_run,
        progress=print_progress,
    )
    print_answer(options, plain(found) | {"counts": found.counts}, lambda: added(found))
    for problem in (*found.notes, *found.problems):
        complain(clean_line(str(problem)))
    return BAD if found.problems else DONE


def remove(options: Options) -> int:
    """`kg remove CASE… --library FILE`."""
    from kg.library.intake import remove_cases

    gone = remove_cases(own_library(options), options.cases, progress=print_progress)
    print_answer(options, {"removed": list(gone)}, lambda: f"removed {', '.join(gone)}")
    return DONE


def review(options: Options) -> int:
    """`kg review [CASE] --library FILE`: list what waits, or decide."""
    from kg.library.intake import review_claims

    path = own_library(options)
    with opened(options) as library:
        if options.decided:
            made = decisions(library, options.case)
            print_answer(options, made, lambda: decided(made))
            return DONE if made else NOTHING
        given = _decisions(options, waiting(library), library)
        made = decisions(library)
        undone = [k for name in options.undo for k in decided_about(made, name, library.merged)]
        if not given and not undone and options.accept_above is None:
            found = waiting(library, options.case, options.kind, options.least)
            shown = found[: options.limit]
            print_answer(
                options, shown, lambda: queue(shown, len(found), library, language(options))
            )
            return DONE if found else NOTHING
    if not given and not undone:
        print_answer(options, {"decided": [], "undone": []}, lambda: reviewed(given, undone, ()))
        return NOTHING
    cases = review_claims(path, given, undo=undone, progress=print_progress)
    told = {"decided": plain(given), "undone": [list(key) for key in undone]}
    print_answer(options, told, lambda: reviewed(given, undone, cases))
    return DONE


def _decisions(options: Options, queued: list[Waiting], library: Library) -> list[Review]:
    """The decisions that the options tell."""
    told = {
        "role": options.role, "suspected": options.suspected, "at": options.at,
        "author": options.author,
    }  # fmt: skip
    given = [
        review_of(queued, claim, decision, library.vocabulary, **told)
        for decision in Decision
        for claim in getattr(options, decision)
    ]
    if options.accept_above is not None:
        given += reviews_above(queued, options.accept_above, options.case, options.kind, **told)
    return given
