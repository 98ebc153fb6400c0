"""Claims: what a case says about one trigger, cause, component and so on, with its evidence."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints

from kg.model.origin import Made
from kg.model.text import Record, Text
from kg.model.values import Span

TermId = Annotated[str, StringConstraints(pattern=r"^[a-z]+:[a-z0-9][a-z0-9.-]*$")]


class ClaimKind(StrEnum):
    """What a claim is about."""

    TRIGGER = "trigger"
    CAUSE = "cause"
    FACTOR = "factor"
    COMPONENT = "component"
    SYMPTOM = "symptom"
    DETECTION = "detection"
    MITIGATION = "mitigation"
    FOLLOW_UP = "follow_up"
    ORGANIZATION = "organization"
    CHECK = "check"


class Status(StrEnum):
    """How far the source stands behind a claim. Only `confirmed` ones count as fact."""

    CONFIRMED = "confirmed"
    SUSPECTED = "suspected"
    RULED_OUT = "ruled_out"


class Role(StrEnum):
    """The part that a term plays in a claim; which roles a kind may take is in `ROLES`."""

    PRIMARY = "primary"
    SECONDARY = "secondary"
    FAILED = "failed"
    AFFECTED = "affected"
    INVOLVED = "involved"
    WATCHED = "watched"
    CHANGED = "changed"
    CONDITION = "condition"
    SUBJECT = "subject"
    DETECTED = "detected"
    DIAGNOSED = "diagnosed"
    MISSED = "missed"
    CHECK_ITEM = "check_item"
    OWNER = "owner"
    VENDOR = "vendor"
    RESEARCHER = "researcher"
    EXPOSURE_CHECK = "exposure_check"
    AGENT_HOST = "agent_host"
    PLATFORM = "platform"


ROLES: dict[ClaimKind, tuple[Role, ...]] = {
    ClaimKind.TRIGGER: (),
    ClaimKind.CAUSE: (Role.PRIMARY, Role.SECONDARY),
    ClaimKind.FACTOR: (),
    ClaimKind.COMPONENT: (
        Role.FAILED,
        Role.AFFECTED,
        Role.INVOLVED,
        Role.WATCHED,
        Role.CHANGED,
        Role.CONDITION,
        Role.SUBJECT,
    ),
    ClaimKind.SYMPTOM: (),
    ClaimKind.DETECTION: (Role.DETECTED, Role.DIAGNOSED, Role.MISSED, Role.CHECK_ITEM),
    ClaimKind.MITIGATION: (),
    ClaimKind.FOLLOW_UP: (),
    ClaimKind.ORGANIZATION: (Role.OWNER, Role.VENDOR, Role.RESEARCHER),
    ClaimKind.CHECK: (Role.EXPOSURE_CHECK, Role.AGENT_HOST, Role.PLATFORM),
}
"""The roles each kind of claim may take; a kind with roles must have one."""


class Result(StrEnum):
    """What a mitigation achieved, as far as the source says."""

    WORKED = "worked"
    PARTLY = "partly"
    FAILED = "failed"
    UNKNOWN = "unknown"


class Claim(Record):
    """One statement of a case about one of its parts.

    Attributes:
        kind: what it is about; decides the edge in the graph.
        terms: the vocabulary terms that it names, at least one.
        status: confirmed, suspected or ruled out.
        role: the part the terms play, see `ROLES`.
        statement: the claim in our words; where it is absent, the evidence speaks.
        evidence: where the case's stored text says so; at least one span.
        value: a setting's value, kept apart from its name (`1` of `CUDA_LAUNCH_BLOCKING=1`).
        figures: ids of the case's figures that belong to the claim.
        result, outcome, conditions, caveat: for mitigations, what came of it and when it holds.
        addresses: causes that a mitigation or follow-up acts on.
        made: how a program came to it; None where a person wrote it.
    """

    kind: ClaimKind
    terms: Annotated[tuple[TermId, ...], Field(min_length=1)]
    status: Status = Status.CONFIRMED
    role: Role | None = None
    statement: Text | None = None
    evidence: Annotated[tuple[Span, ...], Field(min_length=1)]
    value: str | None = None
    figures: tuple[str, ...] = ()
    result: Result | None = None
    outcome: Text | None = None
    conditions: Text | None = None
    caveat: Text | None = None
    addresses: tuple[TermId, ...] = ()
    made: Made | None = None

    @property
    def in_review(self) -> bool:
        """Whether a program made the claim and no person has judged it yet."""
        return self.made is not None and not self.made.reviewed

    def span(self, lang: str) -> Span:
        """The first evidence span in `lang`, else the first of any language."""
        return next((s for s in self.evidence if s.lang == lang), self.evidence[0])
