"""Decisions about claims, carried out over what a library holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from kg.errors import BadQuery
from kg.intake import Merges, checked_review, claiming, followed, reviewed
from kg.model import Action, Case, Review, Revision
from kg.store import Snapshot
from kg.vocab import Told, Vocabulary
from kg.vocab.evolving import NOTHING_TOLD

Undone = tuple[str, str, str]
"""What a decision was about: case, kind and term."""


@dataclass(frozen=True)
class Decided:
    """What a library holds after decisions.

    Attributes:
        cases: all its cases, sorted by id.
        reviews: all decisions, sorted by case, kind and term.
        revisions: the history of the cases, with a step for each case that is another now.
        changed: the cases that were decided about, as they are now, sorted by id.
    """

    cases: tuple[Case, ...]
    reviews: tuple[Review, ...]
    revisions: tuple[Revision, ...]
    changed: tuple[Case, ...]


def decided(snapshot: Snapshot, given: Sequence[Review], undone: Sequence[Undone]) -> Decided:
    """Carry decisions out, and take others back.

    A decision about a merged case is one about each part of it in which a program claimed that.

    Raises:
        CaseNotFound: a decision names no case.
        BadQuery: no program claimed that, the claim cannot be changed so, or there is no such
            decision to take back.
        TermNotFound, AmbiguousTerm: a new term names none, or several.
    """
    merges = Merges(snapshot.cases, snapshot.revisions, snapshot.vocabulary)
    named = sorted({*(r.case_id for r in given), *(case_id for case_id, _, _ in undone)})
    about = sorted({merges.live(merges.top(i)).id for i in named})
    members = {m.id: m for case_id in about for m in merges.members(case_id)}
    bare = {c.id: c for c in as_read(members.values(), merges, snapshot.reviews)}
    standing, touched = _without(snapshot, undone, merges, bare)
    told: dict[str, Review] = {}
    for review in given:
        for own in _of_parts(review, merges, bare, snapshot.vocabulary):
            standing[own.key] = own
            told.setdefault(own.case_id, own)
    of_case = by_case(standing.values())
    for case_id in sorted({*touched, *told}):
        after = reviewed(bare[case_id], of_case.get(case_id, ()))
        if after != members[case_id]:
            first = told.get(case_id)
            why = Told(first.at, first.author) if first else NOTHING_TOLD
            merges.put(after, Action.REVIEWED, why)
    return Decided(
        tuple(merges.cases[i] for i in sorted(merges.cases)),
        tuple(standing[key] for key in sorted(standing)),
        merges.revisions(),
        tuple(merges.cases[i] for i in about),
    )


def _of_parts(
    review: Review, merges: Merges, bare: Mapping[str, Case], vocabulary: Vocabulary
) -> list[Review]:
    """A decision as one about each part of the case that it is about.

    Those in which it waits; where it waits in none, all whose documents made a program claim it.
    """
    case = merges.live(merges.top(review.case_id))
    members = merges.members(case.id)
    about = review.kind, review.term
    parts = [
        m.id
        for m in members
        if any(c.in_review and (c.kind, c.terms[0]) == about for c in m.claims)
    ] or claiming((bare[m.id] for m in members), review)
    checked = checked_review(review, bare[parts[0]] if parts else case, vocabulary)
    return [checked.model_copy(update={"case_id": part}) for part in parts]


def _without(
    snapshot: Snapshot, undone: Sequence[Undone], merges: Merges, bare: Mapping[str, Case]
) -> tuple[dict[Undone, Review], set[str]]:
    """The decisions that stand, by the ids of now, and the cases of those that are taken back."""
    standing = {r.key: r for r in snapshot.reviews}
    for review in snapshot.reviews:
        for now in followed([review], snapshot.vocabulary):
            if now.key != review.key:
                del standing[review.key]
                standing.setdefault(now.key, now)
    gone: set[Undone] = set()
    for case_id, kind, term in undone:
        now_term = snapshot.vocabulary.current(term)
        keys = [(m.id, kind, now_term) for m in merges.members(case_id)]
        found = [key for key in keys if key in standing]
        if not found:
            raise BadQuery(f"nothing was decided about {term} as a {kind} of {case_id}")
        gone.update(found)
    for key in sorted(gone):
        if bare[key[0]] == merges.own(key[0]):
            raise BadQuery(
                f"{key[0]} was changed since it was read, so that the decision cannot be taken "
                "back; decide otherwise, or remove the case and add its document again"
            )
        del standing[key]
    return standing, {case_id for case_id, _, _ in gone}


def as_read(cases: Iterable[Case], merges: Merges, reviews: Iterable[Review]) -> Iterator[Case]:
    """Each case, by itself, before all decisions since its document was last read.

    The case itself where none was made, or where it was changed since in other ways (its terms
    were split, say), so that the decisions alone do not lead from one to the other.
    """
    decisions = by_case(reviews)
    for case in cases:
        record = _before_decisions(merges.past(case.id))
        if record is None:
            yield case
            continue
        bare = Case.model_validate_json(record)
        yield bare if reviewed(bare, decisions.get(case.id, ())) == case else case


def _before_decisions(past: Sequence[tuple[Action, str | None]]) -> str | None:
    """The record before the first of the decisions with which a history ends."""
    record = None
    for action, before in reversed(past):
        if action is not Action.REVIEWED:
            break
        record = before
    return record


_Of = TypeVar("_Of", Review, Revision)


def by_case(records: Iterable[_Of]) -> dict[str, list[_Of]]:
    """Decisions or steps by their case."""
    found: dict[str, list[_Of]] = {}
    for record in records:
        found.setdefault(record.case_id, []).append(record)
    return found
