"""`kg merges`, `kg merge`: cases that tell of one event, proposed, merged, taken apart."""

from __future__ import annotations

import argparse
from typing import Any

from kg.cli import DONE, NOTHING
from kg.cli.asking import Options, language, opened, own_library, print_answer, share
from kg.cli.show_merging import apart, merged, proposals, taken_apart
from kg.errors import BadQuery
from kg.intake.reasons import reason_text
from kg.library.merging import allow_merge, merge_cases, tell_apart, undo_merge
from kg.library.progress import print_progress
from kg.queries import plain


def add_words(words: Any, reading: Any) -> None:
    """Add `merges` and `merge`."""
    _merges(reading(words, "merges", "cases that may tell of one event, with reasons"))
    _merge(reading(words, "merge", "let a case absorb another of the same event; or undo it"))


def _merges(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--least", type=share, default=0.5, help="least probability (default 0.5)")
    parser.add_argument("--limit", type=int, default=50, help="most to list (default 50)")
    parser.add_argument(
        "--mixed", action="store_true", help="propose incidents with series and studies as well"
    )
    decision = parser.add_mutually_exclusive_group()
    decision.add_argument(
        "--reject", nargs=2, metavar="CASE", help="these are two events: do not propose them again"
    )
    decision.add_argument("--allow", nargs=2, metavar="CASE", help="take such a decision back")
    _told(parser)
    parser.set_defaults(run=merges)


def _merge(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("cases", nargs="*", metavar="CASE", help="the case to keep, and the other")
    parser.add_argument("--undo", metavar="CASE", help="take back the last merge of this case")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done")
    _told(parser)
    parser.set_defaults(run=merge)


def _told(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--at", metavar="DAY", help="when, for the history")
    parser.add_argument("--author", help="by whom, for the history")
    parser.add_argument("--note", help="why, for the history")


def _history(options: Options) -> dict[str, Any]:
    return {"at": options.at, "author": options.author, "note": options.note}


def merges(options: Options) -> int:
    """`kg merges`: list proposals, or decide that two cases are two events."""
    lang = language(options)
    if pair := options.reject or options.allow:
        path = own_library(options)
        made = (
            tell_apart(path, *pair, **_history(options))
            if options.reject
            else allow_merge(path, *pair)
        )
        print_answer(options, made, lambda: apart(made, bool(options.reject), lang))
        return DONE
    with opened(options) as library:
        found = library.same_events(options.least, mixed=options.mixed)
        shown = found[: options.limit]
        told = [plain(p) | {"told": [reason_text(r, lang) for r in p.reasons]} for p in shown]
        print_answer(options, told, lambda: proposals(shown, len(found), library.cases, lang))
    return DONE if found else NOTHING


def merge(options: Options) -> int:
    """`kg merge KEEP OTHER` or `kg merge --undo CASE`."""
    path, lang = own_library(options), language(options)
    if options.undo is not None:
        if options.cases:
            raise BadQuery("give either two cases to merge, or --undo CASE")
        kept, other = undo_merge(
            path, options.undo, dry_run=options.dry_run, progress=print_progress
        )
        answer = {"kept": kept.id, "restored": other.id, "done": not options.dry_run}
        print_answer(options, answer, lambda: taken_apart(kept, other, not options.dry_run, lang))
        return DONE
    if len(options.cases) != 2:
        raise BadQuery("give the case to keep and the one that goes into it: kg merge KEEP OTHER")
    done = merge_cases(
        path, *options.cases, dry_run=options.dry_run, progress=print_progress, **_history(options)
    )
    told = {
        "done": done.done, "kept": done.kept.id, "absorbed": done.absorbed,
        "untranslated": done.untranslated, "differences": plain(done.differences),
    }  # fmt: skip
    print_answer(options, told, lambda: merged(done, lang))
    return DONE
