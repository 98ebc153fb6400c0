"""Cases that tell of one event: merged, taken apart again, told apart for good."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import ValidationError

from kg.errors import BadQuery
from kg.intake import Difference, Merges
from kg.library.build import Progress, rebuilt
from kg.library.own import change_own
from kg.library.progress import no_progress
from kg.model import Apart, Case
from kg.store import Snapshot
from kg.vocab import Told


@dataclass(frozen=True)
class MergeOfCases:
    """What merging two cases did to a library, or, of a dry run, would do.

    Attributes:
        path: the library file.
        done: whether it was written.
        kept: the case that stays, as it is now.
        absorbed: the id of the other, which leads to it now.
        untranslated: text fields whose paragraphs stand in one of their languages only; `[…]`
            stands for them in the others.
        differences: what the two do not say alike, contradictions among their claims included.
    """

    path: Path
    done: bool
    kept: Case
    absorbed: str
    untranslated: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()


def merge_cases(
    path: str | Path,
    keep: str,
    absorb: str,
    *,
    at: str | None = None,
    author: str | None = None,
    note: str | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> MergeOfCases:
    """Let one case of a library absorb another that tells of the same event.

    See `kg.intake.merging.merged` for what becomes of texts and claims. The id of the other case
    and the identifiers of its document go on to serve: its id leads to the case that is kept, and
    its document, read again, changes its part of that case. Its record stays in the history.

    Args:
        path: the library file, one of your own.
        keep: the case that stays.
        absorb: the case that goes into it.
        at: when, as ISO 8601; no clock is read.
        author: who does it.
        note: why.
        dry_run: say what would change, and write nothing.
        progress: called as progress(stage, done, total).

    Raises:
        CaseNotFound: there is no such case.
        BadQuery: they cannot be one case, one of them is in another one already, or somebody told
            them apart.
        LibraryError, LibraryLocked: the library cannot be changed.
    """
    told = _checked(at, author, note)
    found: list[MergeOfCases] = []

    def change(merges: Merges, snapshot: Snapshot) -> None:
        if (kept_apart := _apart_in(snapshot, merges, keep, absorb)) is not None:
            who = kept_apart.author or "somebody"
            raise BadQuery(
                f"{who} told {keep} and {absorb} apart; take that back first: "
                f"kg merges --allow {kept_apart.case_id} {kept_apart.other_id}"
            )
        made = merges.merge(keep, absorb, Told(told.at, told.author, told.note))
        found.append(
            MergeOfCases(
                Path(path), not dry_run, made.case, absorb, made.untranslated, made.differences
            )
        )

    _written(path, change, dry_run, progress)
    return found[0]


def undo_merge(
    path: str | Path, case_id: str, *, dry_run: bool = False, progress: Progress | None = None
) -> tuple[Case, Case]:
    """Take back the last merge of a case: both cases as they were before, to the byte.

    What was done meanwhile, as documents were read again and claims judged, stays with the case
    whose document it concerned.

    Args:
        path: the library file, one of your own.
        case_id: the case that absorbed the other, or the other one.
        dry_run: say what would change, and write nothing.
        progress: called as progress(stage, done, total).

    Returns:
        The case that was kept and the one that it had absorbed.

    Raises:
        CaseNotFound: there is no such case.
        BadQuery: it was not merged, other merges must be undone first, or it names a term that is
            gone.
        LibraryError, LibraryLocked: the library cannot be changed.
    """
    found: list[tuple[Case, Case]] = []

    def change(merges: Merges, _snapshot: Snapshot) -> None:
        found.append(merges.undo(case_id))

    _written(path, change, dry_run, progress)
    return found[0]


def tell_apart(
    path: str | Path,
    case_id: str,
    other_id: str,
    *,
    at: str | None = None,
    author: str | None = None,
    note: str | None = None,
) -> Apart:
    """Decide that two cases tell of different events, so that they are not proposed again.

    The decision stays when documents are read again and when either case is merged with a third.

    Raises:
        CaseNotFound: there is no such case.
        BadQuery: they are one case.
        LibraryError, LibraryLocked: the library cannot be changed.
    """
    told = _checked(at, author, note)
    found: list[Apart] = []

    def change(snapshot: Snapshot) -> Snapshot:
        merges = Merges(snapshot.cases, snapshot.revisions, snapshot.vocabulary)
        tops = [merges.live(merges.top(i)).id for i in (case_id, other_id)]
        if tops[0] == tops[1]:
            raise BadQuery(
                f"{case_id} and {other_id} are one case, {tops[0]}; undo that merge first"
            )
        one, other = sorted((case_id, other_id))
        made = told.model_copy(update={"case_id": one, "other_id": other})
        found.append(made)
        kept = {a.pair: a for a in (*snapshot.apart, made)}
        return replace(snapshot, apart=tuple(kept[k] for k in sorted(kept)))

    change_own(path, change)
    return found[0]


def allow_merge(path: str | Path, case_id: str, other_id: str) -> Apart:
    """Take back that two cases were told apart.

    Raises:
        BadQuery: they were not.
        LibraryError, LibraryLocked: the library cannot be changed.
    """
    found: list[Apart] = []

    def change(snapshot: Snapshot) -> Snapshot:
        merges = Merges(snapshot.cases, snapshot.revisions, snapshot.vocabulary)
        one = _apart_in(snapshot, merges, case_id, other_id)
        if one is None:
            raise BadQuery(f"nobody told {case_id} and {other_id} apart")
        found.append(one)
        return replace(snapshot, apart=tuple(a for a in snapshot.apart if a is not one))

    change_own(path, change)
    return found[0]


def _checked(at: str | None, author: str | None, note: str | None) -> Apart:
    """What the caller says of a step, in a record whose cases are still to be named.

    Raises:
        BadQuery: the time is no time, or a text is empty.
    """
    try:
        return Apart(case_id="a", other_id="b", at=at, author=author, note=note)
    except ValidationError as error:
        wrong = "; ".join(
            f"{e['loc'][-1] if e['loc'] else 'at'}: {e['msg']}" for e in error.errors()
        )
        raise BadQuery(f"what is told of this step cannot be: {wrong}") from error


def _apart_in(snapshot: Snapshot, merges: Merges, one: str, other: str) -> Apart | None:
    """The decision by which the cases in which two ids are now are told apart."""
    wanted = {merges.top(one), merges.top(other)}
    return next(
        (a for a in snapshot.apart if {merges.top(a.case_id), merges.top(a.other_id)} == wanted),
        None,
    )


def _written(
    path: str | Path,
    change: Callable[[Merges, Snapshot], None],
    dry_run: bool,
    progress: Progress | None,
) -> None:
    """Change the cases by their merges."""

    def whole(snapshot: Snapshot) -> Snapshot:
        merges = Merges(snapshot.cases, snapshot.revisions, snapshot.vocabulary)
        change(merges, snapshot)
        return replace(snapshot, cases=tuple(merges.cases.values()), revisions=merges.revisions())

    tell = progress or no_progress
    change_own(path, whole, lambda s: rebuilt(s, tell), dry_run=dry_run)
