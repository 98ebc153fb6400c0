"""What people decided about claims that a program made, and how a case came to be as it is."""

from __future__ import annotations

from enum import StrEnum

from pydantic import model_validator

from kg.model.case import CaseId
from kg.model.claim import ClaimKind, Role, Status, TermId
from kg.model.text import Line, Record
from kg.model.values import DateKind, When


class Decision(StrEnum):
    """What a person decided about a claim."""

    ACCEPT = "accept"
    CHANGE = "change"
    REJECT = "reject"


class Review(Record):
    """A decision about what a program claimed of a case; it holds whenever it is claimed again.

    Attributes:
        case_id: the case.
        kind, term: what was claimed.
        decision: accept it, accept it as something else, or drop it.
        status: how the claim stands when accepted.
        role: the role of the claim then; None leaves it.
        new_kind, new_term: of a change, what is claimed instead; None leaves it.
        at: when, as ISO 8601; None when nobody said so. No clock is read.
        author: who decided.
        note: why.
    """

    case_id: CaseId
    kind: ClaimKind
    term: TermId
    decision: Decision
    status: Status = Status.CONFIRMED
    role: Role | None = None
    new_kind: ClaimKind | None = None
    new_term: TermId | None = None
    at: str | None = None
    author: Line | None = None
    note: Line | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        """What the decision is about: case, kind and term."""
        return self.case_id, self.kind, self.term

    @model_validator(mode="after")
    def _fits(self) -> Review:
        if self.at is not None:
            When(kind=DateKind.PUBLISHED, at=self.at)
        changed = self.new_kind is not None or self.new_term is not None
        if changed != (self.decision is Decision.CHANGE):
            raise ValueError("a change says what is claimed instead; give new_kind or new_term")
        return self


class Action(StrEnum):
    """What was done to a case."""

    ADDED = "added"
    UPDATED = "updated"
    REVIEWED = "reviewed"
    MERGED = "merged"


class Revision(Record):
    """One step in the history of a case.

    Attributes:
        case_id: the case.
        number: which step, from 1.
        action: what was done.
        before: the record as it was; None for the first step.
        absorbed: of a merge, the record that went into the case; of a later step of a merged case,
            the record of the part that was changed, as it is since.
        at, author, note: when, who and why, as far as told.
    """

    case_id: CaseId
    number: int
    action: Action
    before: str | None = None
    absorbed: str | None = None
    at: str | None = None
    author: Line | None = None
    note: Line | None = None


class Apart(Record):
    """A person's decision that two cases tell of different events; they are not proposed again.

    Attributes:
        case_id, other_id: the cases, the lesser id first.
        at, author, note: when, who and why, as far as told.
    """

    case_id: CaseId
    other_id: CaseId
    at: str | None = None
    author: Line | None = None
    note: Line | None = None

    @model_validator(mode="after")
    def _two_in_order(self) -> Apart:
        if self.at is not None:
            When(kind=DateKind.PUBLISHED, at=self.at)
        if self.case_id >= self.other_id:
            raise ValueError("name two cases, the lesser id first")
        return self

    @property
    def pair(self) -> tuple[str, str]:
        """Both ids, in order."""
        return self.case_id, self.other_id
