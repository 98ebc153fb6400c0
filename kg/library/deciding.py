"""Decisions about claims, carried out over what a library holds; and the history of its cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from kg.errors import BadQuery, CaseNotFound
from kg.intake import checked_review, followed, reviewed
from kg.model import Action, Case, Review, Revision
from kg.store import Snapshot

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

    Raises:
        CaseNotFound: a decision names no case.
        BadQuery: no program claimed that, the claim cannot be changed so, or there is no such
            decision to take back.
        TermNotFound, AmbiguousTerm: a new term names none, or several.
    """
    cases = {c.id: c for c in snapshot.cases}
    about = sorted({*(r.case_id for r in given), *(case_id for case_id, _, _ in undone)})
    for case_id in about:
        if case_id not in cases:
            raise CaseNotFound(case_id)
    bare = {c.id: c for c in as_read([cases[i] for i in about], snapshot)}
    standing = _without(snapshot, undone, cases, bare)
    for review in given:
        checked = checked_review(review, bare[review.case_id], snapshot.vocabulary)
        standing[checked.key] = checked
    steps = list(snapshot.revisions)
    of_case = by_case(standing.values())
    for case_id in about:
        before = cases[case_id]
        after = reviewed(bare[case_id], of_case.get(case_id, ()))
        if after != before:
            told = next((r for r in given if r.case_id == case_id), None)
            at, author = (told.at, told.author) if told else (None, None)
            steps.append(next_step(before, steps, Action.REVIEWED, at, author))
        cases[case_id] = after
    return Decided(
        tuple(cases[i] for i in sorted(cases)),
        tuple(standing[key] for key in sorted(standing)),
        tuple(steps),
        tuple(cases[i] for i in about),
    )


def _without(
    snapshot: Snapshot,
    undone: Sequence[Undone],
    cases: dict[str, Case],
    bare: dict[str, Case],
) -> dict[Undone, Review]:
    """The decisions that stand, by the ids of now, without those that are taken back."""
    standing = {r.key: r for r in snapshot.reviews}
    for review in snapshot.reviews:
        for now in followed([review], snapshot.vocabulary):
            if now.key != review.key:
                del standing[review.key]
                standing.setdefault(now.key, now)
    for case_id, kind, term in undone:
        key = case_id, kind, snapshot.vocabulary.current(term)
        if key not in standing:
            raise BadQuery(f"nothing was decided about {term} as a {kind} of {case_id}")
        if bare[case_id] is cases[case_id]:
            raise BadQuery(
                f"{case_id} was changed since it was read, so that the decision cannot be taken "
                "back; decide otherwise, or remove the case and add its document again"
            )
        del standing[key]
    return standing


def as_read(cases: Iterable[Case], snapshot: Snapshot) -> Iterator[Case]:
    """Each case before all decisions since its document was last read.

    The case itself where none was made, or where it was changed since in other ways (its terms
    were split, say), so that the decisions alone do not lead from one to the other.
    """
    steps, reviews = by_case(snapshot.revisions), by_case(snapshot.reviews)
    for case in cases:
        first = _first_decision(steps.get(case.id, ()))
        if first is None or first.before is None:
            yield case
            continue
        bare = Case.model_validate_json(first.before)
        yield bare if reviewed(bare, reviews.get(case.id, ())) == case else case


def _first_decision(steps: Sequence[Revision]) -> Revision | None:
    """The first of the decisions with which a history ends."""
    first: Revision | None = None
    for step in sorted(steps, key=lambda r: -r.number):
        if step.action is not Action.REVIEWED:
            break
        first = step
    return first


_Of = TypeVar("_Of", Review, Revision)


def by_case(records: Iterable[_Of]) -> dict[str, list[_Of]]:
    """Decisions or steps by their case."""
    found: dict[str, list[_Of]] = {}
    for record in records:
        found.setdefault(record.case_id, []).append(record)
    return found


def first_step(case_id: str, at: str | None, author: str | None) -> Revision:
    """The beginning of a case's history."""
    return Revision(case_id=case_id, number=1, action=Action.ADDED, at=at, author=author)


def next_step(
    before: Case, steps: Sequence[Revision], action: Action, at: str | None, author: str | None
) -> Revision:
    """The next step of a case's history, which keeps the record as it was before."""
    number = 1 + max((r.number for r in steps if r.case_id == before.id), default=0)
    record = before.model_dump_json(exclude_defaults=True)
    return Revision(
        case_id=before.id, number=number, action=action, before=record, at=at, author=author
    )
