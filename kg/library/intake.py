"""Adding what others wrote to a library of one's own, taking it out again, and judging its claims.

How a change is written, and what stays after an error, is told in `kg.library.own`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import ValidationError

from embeddings import Encoder
from kg.errors import BadQuery, InputError, LibraryError, Problem
from kg.intake import Merges
from kg.intake.plan import Added, Plan, planned
from kg.library.build import (
    Progress,
    build_snapshot,
    load_vocabulary,
    open_encoder,
    rebuilt,
)
from kg.library.deciding import decided
from kg.library.intake_tags import intake_tags
from kg.library.own import change_own, check_own
from kg.library.progress import no_progress
from kg.model import Action, Case, DateKind, Review, When
from kg.readers.decisions import read_decisions
from kg.readers.document import Declared
from kg.readers.formats import Format
from kg.store import Snapshot, check_target, write_library
from kg.vocab import Told, Vocabulary


@dataclass(frozen=True)
class Intake:
    """What adding did to a library, or, of a dry run, would do.

    Attributes:
        path: the library file.
        done: whether it was written; a dry run is not, nor is what changes nothing.
        items: what became of each document's cases, in the order in which they were read.
        redacted: how many secrets and names were replaced, by kind.
        problems: what could not be read or makes no case; all else is added.
        notes: what was read with doubt or left out.
    """

    path: Path
    done: bool
    items: tuple[Added, ...]
    redacted: dict[str, int]
    problems: tuple[Problem, ...]
    notes: tuple[Problem, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many cases were added, updated and unchanged."""
        return dict(sorted(Counter(str(item.action or "unchanged") for item in self.items).items()))


def add_documents(
    path: str | Path,
    documents: Iterable[str | Path] | str | Path,
    *,
    wanted: str | Format | None = None,
    declared: Declared | None = None,
    domain: str = "own",
    keep: Iterable[str] = (),
    vocabulary: str | Path | Vocabulary | None = None,
    encoder: str | Encoder | None = None,
    at: str | None = None,
    author: str | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Intake:
    """Read documents of any known format and add their cases to a library; make it if need be.

    A document that was added before updates its case: by the identifier of its source, else by
    its content, else by the name of its file and its title. Decisions about its claims stay.

    Args:
        path: the library file, one of your own.
        documents: files, folders, archives.
        wanted: the format to read them in, by name or as a mapping file makes it; each document's
            is recognised where not given.
        declared: order of day and month, and zone, where documents do not say them.
        domain: what the cases are filed under.
        keep: kinds of secrets that are kept, see `kg.intake.KINDS`; everything found is replaced
            by default.
        vocabulary: the terms of a new library; the shipped ones by default.
        encoder: the encoder of a new library; one that is there takes the one it was made with.
        at: when, for the history of the cases, as ISO 8601; no clock is read.
        author: by whom.
        dry_run: say what would be done, and write nothing.
        progress: called as progress(stage, done, total).

    Raises:
        BadQuery: there is no such format, kind to keep or time; or a library that is there has
            other terms or another encoder.
        InputError: not one case could be read, and there are problems.
        LibraryError, LibraryLocked: the library cannot be written.
    """
    tell = progress or no_progress
    target = Path(path)
    _check_day(at)
    check_own(target)
    check_target(target)
    given = [documents] if isinstance(documents, str | Path) else list(documents)
    found: list[Plan] = []

    def plan(snapshot: Snapshot | None) -> Plan:
        if snapshot is not None:
            _check_made_so(snapshot, vocabulary, encoder)
        words = snapshot.vocabulary if snapshot else load_vocabulary(vocabulary)
        name = snapshot.encoder if snapshot else encoder
        tags = intake_tags(words, name if isinstance(name, str) or name is None else None)
        made = planned(
            given,
            snapshot.cases if snapshot else (),
            words,
            tags,
            domain=domain,
            wanted=wanted,
            declared=declared,
            keep=keep,
            reviews=snapshot.reviews if snapshot else (),
            revisions=snapshot.revisions if snapshot else (),
            told=Told(at, author),
            progress=tell,
        )
        found.append(made)
        return made

    def change(snapshot: Snapshot) -> Snapshot:
        made = plan(snapshot)
        if not made.items and made.problems:
            raise InputError(made.problems)
        if not any(item.action for item in made.items):
            return snapshot
        reviews = _reviews(snapshot.reviews, given, made)
        return replace(snapshot, cases=made.cases, reviews=reviews, revisions=made.revisions)

    if target.exists() and target.stat().st_size:
        change_own(target, change, lambda s: rebuilt(s, tell, encoder), dry_run=dry_run)
    else:
        made = plan(None)
        if not made.cases:
            raise InputError(made.problems or (_nothing(),))
        if not dry_run:
            reviews = _reviews((), given, made)
            _create(target, made, reviews, vocabulary, encoder, tell)
    last = found[-1]
    done = not dry_run and any(item.action for item in last.items)
    return Intake(target, done, last.items, last.redacted, last.problems, last.notes)


def _check_day(at: str | None) -> None:
    if at is not None:
        try:
            When(kind=DateKind.PUBLISHED, at=at)
        except ValidationError as error:
            told = "; ".join(e["msg"] for e in error.errors())
            raise BadQuery(f"the time of the history cannot be {at!r}: {told}") from error


def _check_made_so(
    snapshot: Snapshot, vocabulary: str | Path | Vocabulary | None, encoder: str | Encoder | None
) -> None:
    """Refuse to seem to change the terms or the encoder of a library that is there."""
    given = None if vocabulary is None else load_vocabulary(vocabulary)
    own = snapshot.vocabulary
    if given is not None and (given.schemes, given.history) != (own.schemes, own.history):
        raise BadQuery("this library has its own terms already; kg vocab changes them")
    if isinstance(encoder, str) and encoder != snapshot.encoder:
        raise BadQuery(
            f"this library was made with the encoder {snapshot.encoder!r}, not {encoder!r}; "
            "leave it out, or build another library"
        )


def _nothing() -> Problem:
    return Problem("(input)", 0, "", "no documents were given", "Name files or folders")


def _create(
    target: Path,
    made: Plan,
    reviews: tuple[Review, ...],
    vocabulary: str | Path | Vocabulary | None,
    encoder: str | Encoder | None,
    tell: Progress,
) -> None:
    name, maker = open_encoder(encoder)
    words = load_vocabulary(vocabulary)
    snapshot = build_snapshot(made.cases, words, maker, name, tell)
    write_library(replace(snapshot, reviews=reviews, revisions=made.revisions), target)


def _reviews(held: Sequence[Review], given: Sequence[str | Path], made: Plan) -> tuple[Review, ...]:
    """The decisions of the library, and those that exports among the documents hold of new cases.

    Raises:
        InputError: an export holds something else in the place of its decisions.
    """
    new = {item.case_id for item in made.items if item.action is Action.ADDED}
    brought = (r for r in read_decisions(given, new).reviews if r.case_id in new)
    decided = {r.key: r for r in (*brought, *held)}
    return tuple(decided[key] for key in sorted(decided))


def remove_cases(
    path: str | Path, case_ids: Sequence[str], *, progress: Progress | None = None
) -> tuple[str, ...]:
    """Take cases out of a library, with their claims, vectors, decisions and history.

    What is left is what would have been built without them. With a merged case goes all that it
    absorbed.

    Raises:
        CaseNotFound: an id is not in the library.
        BadQuery: a case is part of another one since a merge.
        LibraryError, LibraryLocked: the library cannot be written, or would be empty.
    """
    wanted = tuple(dict.fromkeys(case_ids))

    def change(snapshot: Snapshot) -> Snapshot:
        merges = Merges(snapshot.cases, snapshot.revisions, snapshot.vocabulary)
        gone: set[str] = set()
        for case_id in wanted:
            if case_id in merges.into:
                raise BadQuery(
                    f"{case_id} was merged into {merges.top(case_id)}; undo that to remove it "
                    f"alone (kg merge --undo {case_id}), or remove the whole case"
                )
            gone |= merges.forget(merges.live(case_id).id)
        if not merges.cases:
            raise LibraryError("a library needs a case; to remove the last one, delete the file")
        return replace(
            snapshot,
            cases=tuple(merges.cases.values()),
            reviews=tuple(r for r in snapshot.reviews if r.case_id not in gone),
            revisions=merges.revisions(),
            apart=tuple(a for a in snapshot.apart if gone.isdisjoint(a.pair)),
        )

    change_own(path, change, lambda s: rebuilt(s, progress or no_progress))
    return wanted


def review_claims(
    path: str | Path,
    reviews: Iterable[Review] = (),
    *,
    undo: Iterable[tuple[str, str, str]] = (),
    progress: Progress | None = None,
) -> tuple[Case, ...]:
    """Decide about claims that a program made; the decisions stay when documents are read again.

    A claim that was decided can be decided otherwise, or wait again.

    Args:
        path: the library file, one of your own.
        reviews: the decisions.
        undo: decisions to take back, by case, kind and term of what was claimed.
        progress: called as progress(stage, done, total).

    Returns:
        The cases as they are now, sorted by id.

    Raises:
        CaseNotFound: a review names no case.
        BadQuery: no program claimed that, or the claim cannot be changed so.
        TermNotFound, AmbiguousTerm: a new term names none, or several.
        LibraryError, LibraryLocked: the library cannot be written.
    """
    given, undone = tuple(reviews), tuple(undo)
    changed: list[Case] = []

    def change(snapshot: Snapshot) -> Snapshot:
        made = decided(snapshot, given, undone)
        changed.extend(made.changed)
        return replace(snapshot, cases=made.cases, reviews=made.reviews, revisions=made.revisions)

    change_own(path, change, lambda s: rebuilt(s, progress or no_progress))
    return tuple(changed)
