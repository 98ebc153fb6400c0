"""Where a case was read from, and how far a program had a part in its claims."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints, field_validator

from kg.model.text import Line, Record

Confidence = Annotated[float, Field(ge=0, le=1)]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class MadeBy(StrEnum):
    """What a program went by when it made a claim."""

    NAME = "name"
    """A spelling of the term stands in the text."""
    MEANING = "meaning"
    """The text tells of the term in other words."""
    FIELD = "field"
    """A field of the source names it, such as a list of affected services."""
    RULE = "rule"
    """A fixed rule, as for codes in logs."""


class Made(Record):
    """How a program came to a claim.

    Until a person has reviewed it, such a claim is suspected or ruled out, never a fact.

    Attributes:
        by: what the program went by.
        confidence: how sure it was, 0 to 1.
        reviewed: a person has accepted the claim, as it is or after a change.
    """

    by: MadeBy
    confidence: Confidence
    reviewed: bool = False


class Origin(Record):
    """The document that a case was read from, for those that were not written as case files.

    Attributes:
        format: the format it was read in, such as `statuspage`.
        system: the site or tenant that gave the identifier; None when not known.
        identifier: the id of the event there; None when it has none.
        file: the name of the file, without folders.
        digest: SHA-256 of what was read, to tell a changed document from the same one.
        updated: when the source last changed it, as it says itself.
        duplicates: ids of the same event in that system, as the source names them.
    """

    format: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]*$")]
    system: Line | None = None
    identifier: Line | None = None
    file: Line | None = None
    digest: Digest
    updated: Line | None = None
    duplicates: tuple[Line, ...] = ()

    @field_validator("duplicates")
    @classmethod
    def _in_order(cls, ids: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted(set(ids)))

    @property
    def key(self) -> tuple[str, str] | None:
        """System and identifier; None without an identifier, when only the content can tell."""
        return (self.system or self.format, self.identifier) if self.identifier else None
