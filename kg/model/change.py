"""Changes of a vocabulary: what was renamed, merged or split, and the claims re-tagged by it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints, field_validator, model_validator

from kg.model.claim import TermId
from kg.model.term import Term
from kg.model.text import Line, Record
from kg.model.values import DateKind, When

ClaimId = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*#[a-z_]+-[1-9][0-9]*$")
]


class Operation(StrEnum):
    """What was done to terms."""

    RENAME = "rename"
    MERGE = "merge"
    SPLIT = "split"


class Part(StrEnum):
    """Where in a claim a term stands."""

    TERMS = "terms"
    ADDRESSES = "addresses"


class Retag(Record):
    """The terms of one claim, before and after a change. All else of the claim stayed.

    Attributes:
        claim: the id of the claim, `<case>#<kind>-<n>`.
        part: which of its two lists of terms.
        before, after: that list, whole and in order.
    """

    claim: ClaimId
    part: Part = Part.TERMS
    before: tuple[TermId, ...]
    after: tuple[TermId, ...]

    @property
    def case_id(self) -> str:
        """The case of the claim."""
        return self.claim.partition("#")[0]


class Change(Record):
    """One step in the history of a vocabulary.

    Attributes:
        operation: rename, merge or split.
        at: when, as ISO 8601 cut to what is known; None when nobody said so. No clock is read.
        author: who did it; None when nobody said so.
        note: why, in the words of the author.
        old: the terms that ended (rename, merge), or the one that was split and stays.
        new: the term that stands for them now, or those that were split off.
        before: each term that the change touched, as it was, sorted by id. Of a rename or merge
            that another program told of, none is known, and it cannot be undone.
        after: these terms as they were made, sorted by id.
        retags: the claims re-tagged, sorted by claim and part.
    """

    operation: Operation
    at: str | None = None
    author: Line | None = None
    note: Line | None = None
    old: Annotated[tuple[TermId, ...], Field(min_length=1)]
    new: Annotated[tuple[TermId, ...], Field(min_length=1)]
    before: tuple[Term, ...] = ()
    after: tuple[Term, ...] = ()
    retags: tuple[Retag, ...] = ()

    @field_validator("at")
    @classmethod
    def _a_time(cls, at: str | None) -> str | None:
        if at is not None:
            When(kind=DateKind.PUBLISHED, at=at)  # a time is checked as those of cases are
        return at

    @model_validator(mode="after")
    def _fits(self) -> Change:
        most_old, most_new = _MOST[self.operation]
        if len(self.old) > most_old or len(self.new) > most_new:
            raise ValueError(
                f"a {self.operation} leads from {most_old if most_old == 1 else 'several'} to "
                f"{most_new if most_new == 1 else 'several'}; correct old and new"
            )
        if both := sorted({*self.old} & {*self.new}):
            raise ValueError(f"{both[0]} is in old and in new; keep it in one of them")
        return self

    @property
    def retired(self) -> tuple[str, ...]:
        """The ids that are no longer those of a term; of a split none, since its term stays."""
        return () if self.operation is Operation.SPLIT else self.old

    @property
    def cases(self) -> tuple[str, ...]:
        """The cases with a claim that was re-tagged, sorted."""
        return tuple(sorted({r.case_id for r in self.retags}))


_MANY = 1 << 30
_MOST = {
    Operation.RENAME: (1, 1),
    Operation.MERGE: (_MANY, 1),
    Operation.SPLIT: (1, _MANY),
}
"""The most terms on each side of an operation."""
