"""Changing the vocabulary of a library file: rename, merge, split, and the way back.

Each writes the file whole, as a build does: until the end, and after any error, the old one stays
as it was, and who has it open keeps it. Passages and vectors come from the texts of the cases and
stay; the computed neighbours, which read terms and their names, are computed anew; what the
tagger embeds of the terms is made from them when a library is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kg.errors import BadQuery
from kg.library.build import Progress, with_neighbours
from kg.library.own import change_own
from kg.library.progress import no_progress
from kg.model import Change, Retag, Term
from kg.store import Snapshot
from kg.vocab import (
    Contradiction,
    Evolution,
    Told,
    undo_last,
)
from kg.vocab import (
    merge_terms as merge,
)
from kg.vocab import (
    rename_term as rename,
)
from kg.vocab import (
    split_term as split,
)


@dataclass(frozen=True)
class Evolved:
    """What a change did to a library, or, of a dry run, would do.

    Attributes:
        path: the file.
        done: whether it was written.
        number: the number of the change in the history, from 1.
        change: the change.
        undone: whether it was taken back rather than made.
        retags: the claims re-tagged, from how they were to how they are now.
        undecided: of a split, claims that still name the term since nobody decided them.
        stayed: those that were decided to stay there.
        contradictions: cases that now say of one term that it holds and that it does not.
    """

    path: Path
    done: bool
    number: int
    change: Change
    undone: bool
    retags: tuple[Retag, ...]
    undecided: tuple[str, ...] = ()
    stayed: tuple[str, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()


def rename_term(
    path: str | Path,
    old: str,
    new: str,
    *,
    label: Mapping[str, str] | None = None,
    at: str | None = None,
    author: str | None = None,
    note: str | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Evolved:
    """Give a term of a library another id; the old one goes on to serve.

    Args:
        path: the library file, one of your own.
        old: the term, by id or any spelling.
        new: the new id, or its slug.
        label: new labels by language; those that they replace become aliases.
        at: when, as ISO 8601; no clock is read.
        author: who does it.
        note: why.
        dry_run: say what would change, and write nothing.
        progress: called as progress(stage, done, total).

    Raises:
        TermNotFound, AmbiguousTerm: `old` names no term, or several.
        BadQuery: the new id or a label cannot be used, or is taken.
        LibraryError, LibraryLocked: the library cannot be changed; see `kg.store.update_library`.
    """
    told = Told(at, author, note)
    return _evolve(
        path,
        lambda s: rename(s.cases, s.vocabulary, old, new, label=label, told=told),
        dry_run,
        progress,
    )


def merge_terms(
    path: str | Path,
    terms: Sequence[str],
    into: str,
    *,
    described: Term | None = None,
    keep_both: bool = False,
    at: str | None = None,
    author: str | None = None,
    note: str | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Evolved:
    """Make one term of several of a library; the old ids go on to serve.

    A target that is a term keeps its label and meaning. A new one has those of `described`, else
    of the first of the terms. Labels of the others become aliases, their broader and related
    terms are added, and their exact matches become close ones.

    Args:
        path: the library file, one of your own.
        terms: the terms, by id or any spelling; the target may be among them.
        into: the target, a term or a new id.
        described: label, definition and the rest of a new target.
        keep_both: also when a case states one of the terms and rules another out. It then says
            both of the target, each claim with its evidence; else the merge is refused.
        at: when, as ISO 8601; no clock is read.
        author: who does it.
        note: why.
        dry_run: say what would change, and write nothing.
        progress: called as progress(stage, done, total).

    Raises:
        TermNotFound, AmbiguousTerm: a name of no term, or of several.
        BadQuery: the terms cannot be one: other schemes, a taken target, a ring of broader terms,
            a case that would contradict itself.
        LibraryError, LibraryLocked: the library cannot be changed; see `kg.store.update_library`.
    """
    told = Told(at, author, note)

    def change(s: Snapshot) -> Evolution:
        return merge(
            s.cases, s.vocabulary, terms, into,
            described=described, keep_both=keep_both, told=told,
        )  # fmt: skip

    return _evolve(path, change, dry_run, progress)


def split_term(
    path: str | Path,
    term: str,
    into: Sequence[str],
    by: Mapping[str, Sequence[str] | str],
    *,
    described: Iterable[Term] = (),
    keep_both: bool = False,
    at: str | None = None,
    author: str | None = None,
    note: str | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Evolved:
    """Split terms off a term of a library; the term stays, above those that are new.

    Only what is decided is re-tagged. Claims that nobody decided stay on the term, which is true
    of them still, and are listed.

    Args:
        path: the library file, one of your own.
        term: the term, by id or any spelling.
        into: the terms that it is split into.
        by: for a case or a claim, the terms it is to have, such as `{"A-1": "cause:x",
            "A-2#cause-1": ["cause:x", "cause:y"]}`; the term itself says that it stays.
        described: label, definition and the rest of each new term.
        keep_both: also when a case is given a term that it rules out elsewhere.
        at: when, as ISO 8601; no clock is read.
        author: who does it.
        note: why.
        dry_run: say what would change, and write nothing.
        progress: called as progress(stage, done, total).

    Raises:
        TermNotFound, AmbiguousTerm, CaseNotFound: a name of nothing here, or of several terms.
        BadQuery: a target or an assignment that cannot be, or a case that would contradict itself.
        LibraryError, LibraryLocked: the library cannot be changed; see `kg.store.update_library`.
    """
    told, new = Told(at, author, note), tuple(described)

    def change(s: Snapshot) -> Evolution:
        return split(
            s.cases, s.vocabulary, term, into, by, described=new, keep_both=keep_both, told=told
        )

    return _evolve(path, change, dry_run, progress)


def undo_change(
    path: str | Path, *, steps: int = 1, dry_run: bool = False, progress: Progress | None = None
) -> tuple[Evolved, ...]:
    """Take back the last changes of a library's vocabulary, the last one first.

    Terms, claims and history are as they were before, to the byte of every export. All steps are
    done, or none.

    Args:
        path: the library file, one of your own.
        steps: how many changes.
        dry_run: say what would change, and write nothing.
        progress: called as progress(stage, done, total).

    Raises:
        BadQuery: there are not so many changes, or what was done since would be lost.
        LibraryError, LibraryLocked: the library cannot be changed; see `kg.store.update_library`.
    """
    if steps < 1:
        raise BadQuery(f"undo at least one change, not {steps}")
    found: list[Evolved] = []

    def change(snapshot: Snapshot) -> Snapshot:
        if steps > (there := len(snapshot.vocabulary.history)) > 0:
            raise BadQuery(f"of changes to undo there is {there}, not {steps}")
        for _ in range(steps):
            number = len(snapshot.vocabulary.history)
            undone = undo_last(snapshot.cases, snapshot.vocabulary)
            snapshot = replace(snapshot, cases=undone.cases, vocabulary=undone.vocabulary)
            found.append(
                Evolved(Path(path), not dry_run, number, undone.change, True, undone.retags)
            )
        return snapshot

    _written(path, change, dry_run, progress)
    return tuple(found)


def _evolve(
    path: str | Path,
    do: Callable[[Snapshot], Evolution],
    dry_run: bool,
    progress: Progress | None,
) -> Evolved:
    found: list[Evolved] = []

    def change(snapshot: Snapshot) -> Snapshot:
        done = do(snapshot)
        number = len(done.vocabulary.history)
        found.append(
            Evolved(
                Path(path),
                not dry_run,
                number,
                done.change,
                False,
                done.change.retags,
                done.undecided,
                done.stayed,
                done.contradictions,
            )
        )
        return replace(snapshot, cases=done.cases, vocabulary=done.vocabulary)

    _written(path, change, dry_run, progress)
    return found[0]


def _written(
    path: str | Path,
    change: Callable[[Snapshot], Snapshot],
    dry_run: bool,
    progress: Progress | None,
) -> None:
    tell = progress or no_progress

    def linked(snapshot: Snapshot) -> Snapshot:
        tell("linking", 0, len(snapshot.cases))
        made = with_neighbours(snapshot)
        tell("linking", len(snapshot.cases), len(snapshot.cases))
        return made

    change_own(path, change, linked, dry_run=dry_run)
