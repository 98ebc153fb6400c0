"""The case: one record of the library."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import Field, StringConstraints, field_serializer, model_validator

from kg.model.claim import ROLES, Claim, ClaimKind, Status
from kg.model.origin import Origin
from kg.model.text import Line, Prose, Record, Text, quoted
from kg.model.values import DateKind, Duration, Figure, Span, When, arithmetic_error

PROSE_FIELDS = (
    "title",
    "summary",
    "impact",
    "affected_users",
    "symptom",
    "trigger",
    "cause",
    "detection",
    "mitigation",
    "follow_up",
    "lesson",
    "check",
)
"""The text fields of a case, in reading order."""

SOURCE_FIELD = "sources"
RELATED_FIELD = "related"
SERVICES_FIELD = "services"
LABELS_FIELD = "labels"
LINE_FIELDS = (SOURCE_FIELD, RELATED_FIELD, SERVICES_FIELD, LABELS_FIELD)
"""Pseudo-fields that hold the source lines, the curated ids, the services and the labels, one a
line, so that what rests on them has a span as well. They are in no language (`zxx`)."""

_NAMING = ("title", "summary")
"""The fields by which a case is shown; they cannot be stated as none."""

_EVIDENCE_FIELDS = (*PROSE_FIELDS, *LINE_FIELDS)

CaseId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=100)]


class CaseKind(StrEnum):
    """What a record is about.

    `incident` is one event, `series` one report on many events, `study` statistics over many
    jobs. Only incidents enter time statistics and recurrence counts.
    """

    INCIDENT = "incident"
    SERIES = "series"
    STUDY = "study"


class SourceKind(StrEnum):
    """What kind of document a source is."""

    PAPER = "paper"
    POSTMORTEM = "postmortem"
    BLOG = "blog"
    LOG = "log"
    LIBRARY = "library"
    TALK = "talk"
    TICKET = "ticket"
    DOCUMENT = "document"


class Source(Record):
    """Where the facts come from.

    `locator` is an address, or `owner/repo@commit : path#section`; `archived` says that the
    reference library keeps a copy.
    """

    kind: SourceKind
    title: Line
    locator: Line
    archived: bool = False

    @property
    def line(self) -> str:
        """The source as one line of the stored text."""
        return f"{self.title} — {self.locator}"


class Link(Record):
    """A machine-readable address beside the case; never a source."""

    rel: Annotated[str, Field(pattern=r"^[a-z][a-z-]*$")]
    href: Line


class FieldState(StrEnum):
    """Whether a field is stated, stated as none, or not stated."""

    STATED = "stated"
    NONE = "none"
    NOT_STATED = "not_stated"


class Case(Record):
    """One incident, series or study, with its texts, claims and evidence.

    Text fields (`PROSE_FIELDS`) are null when the source does not state them and `[]` when it
    states that there is nothing. Every claim and figure points at spans of these texts; a
    span whose quote is not there is refused.

    `services` and `labels` are names as the source writes them: what was affected, and what it
    files the case under.
    """

    id: CaseId
    kind: CaseKind = CaseKind.INCIDENT
    domain: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]
    dates: tuple[When, ...] = ()
    severity: str | None = None
    regions: tuple[str, ...] | None = None
    services: tuple[Line, ...] | None = None
    labels: tuple[Line, ...] | None = None
    time_to_detect: Duration | None = None
    time_to_recover: Duration | None = None
    title: Prose
    summary: Prose
    impact: Prose | None = None
    affected_users: Prose | None = None
    symptom: Prose | None = None
    trigger: Prose | None = None
    cause: Prose | None = None
    detection: Prose | None = None
    mitigation: Prose | None = None
    follow_up: Prose | None = None
    lesson: Prose | None = None
    check: Prose | None = None
    claims: tuple[Claim, ...] = ()
    figures: tuple[Figure, ...] = ()
    arithmetic: tuple[str, ...] = ()
    sources: tuple[Source, ...] | None = None
    references: tuple[Source, ...] | None = None
    related: tuple[CaseId, ...] | None = None
    links: tuple[Link, ...] = ()
    origin: Origin | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Case:
        """All that is wrong between the fields, a line each: `place: what is wrong; what to do`."""
        errors = [*self._name_errors(), *self._span_errors(), *self._claim_errors()]
        errors += [*self._figure_errors(), *self._date_errors(), *self._related_errors()]
        if errors:
            raise ValueError("\n".join(errors))
        return self

    def _name_errors(self) -> Iterator[str]:
        for field in _NAMING:
            if self.field_state(field) is FieldState.NONE:
                yield f"{field}: every case has a {field}, it cannot be none; write at least a line"

    def _span_errors(self) -> Iterator[str]:
        for place, span in self.spans():
            if span.field not in _EVIDENCE_FIELDS:
                fields = ", ".join(_EVIDENCE_FIELDS)
                yield f"{place}: {quoted(span.field)} is not a text field; use one of {fields}"
                continue
            if span.field in _NAMING and self.field_state(span.field) is FieldState.NONE:
                continue
            problem = _span_problem(span, self.text(span.field, span.lang))
            if problem:
                yield f"{place}: {problem}"

    def _claim_errors(self) -> Iterator[str]:
        ids = self.figures_by_id()
        for place, claim in ((f"claims.{i}", c) for i, c in enumerate(self.claims)):
            if problem := _role_problem(claim):
                yield f"{place}.role: {problem}"
            if claim.in_review and claim.status is Status.CONFIRMED:
                told = "a program made this claim and nobody has reviewed it"
                yield f"{place}.status: {told}; make it suspected, or set made.reviewed"
            twice = [t for t, count in Counter(claim.terms).items() if count > 1]
            if twice:
                yield f"{place}.terms: {twice[0]!r} stands more than once; keep one"
            missing = [f for f in claim.figures if f not in ids]
            if missing:
                told = quoted(missing[0])
                yield f"{place}.figures: no figure {told} in this case; add it to figures"
        primary = [c for c in self.claims_of(ClaimKind.CAUSE) if c.role == "primary"]
        if len(primary) > 1:
            yield "claims: more than one confirmed cause is primary; make the others secondary"

    def _figure_errors(self) -> Iterator[str]:
        for name, count in Counter(f.id for f in self.figures).items():
            if count > 1:
                yield f"figures: id {name!r} is used {count} times; give each its own"
        for i, statement in enumerate(self.arithmetic):
            if problem := arithmetic_error(statement, self.figures_by_id()):
                yield f"arithmetic.{i}: {problem}"

    def _date_errors(self) -> Iterator[str]:
        started, ended = self.when(DateKind.STARTED), self.when(DateKind.ENDED)
        if started and ended and started.earliest() > ended.earliest():
            told = f"it ended ({ended.at}) before it started ({started.at})"
            yield f"dates: {told}; correct one of the two"

    def _related_errors(self) -> Iterator[str]:
        for other, count in Counter(self.related or ()).items():
            if other == self.id:
                yield "related: a case is not related to itself; remove its own id"
            elif count > 1:
                yield f"related: {other!r} stands {count} times; keep one"

    def text(self, field: str, lang: str) -> str:
        """The stored text of a field or pseudo-field in a language, "" when it is absent."""
        if field == SOURCE_FIELD:
            return "\n".join(s.line for s in self.sources or ()) if lang == "zxx" else ""
        if field in LINE_FIELDS:
            return "\n".join(getattr(self, field) or ()) if lang == "zxx" else ""
        prose: Prose | None = getattr(self, field)
        return prose.text(lang) if prose else ""

    def texts(self) -> Iterator[tuple[str, str, str]]:
        """All stored texts as (field, language, text), in reading order."""
        for field in PROSE_FIELDS:
            prose: Prose | None = getattr(self, field)
            for lang in prose.languages if prose else ():
                yield field, lang, prose.text(lang) if prose else ""
        for field in LINE_FIELDS:
            if text := self.text(field, "zxx"):
                yield field, "zxx", text

    def spans(self) -> Iterator[tuple[str, Span]]:
        """Every evidence span with the path of its place in the record."""
        groups: dict[str, tuple[Claim | Figure, ...]] = {
            "claims": self.claims,
            "figures": self.figures,
        }
        for group, records in groups.items():
            for i, record in enumerate(records):
                for j, span in enumerate(record.evidence):
                    yield f"{group}.{i}.evidence.{j}", span

    def locate(self, span: Span) -> tuple[int, int]:
        """Start and end (excluded) of a span in its stored text.

        Raises:
            ValueError: the quote does not stand there.
        """
        text = self.text(span.field, span.lang)
        start = span.start
        if start is None:
            start = text.find(span.quote) if span.end is None else span.end - len(span.quote)
        if start < 0 or text[start : start + len(span.quote)] != span.quote:
            raise ValueError(f"{quoted(span.quote)} is not in {span.field}.{span.lang}")
        return start, start + len(span.quote)

    def field_state(self, field: str) -> FieldState:
        """Whether a field is stated, stated as none, or not stated."""
        value = getattr(self, field)
        if value is None:
            return FieldState.NOT_STATED
        empty = value.stated_none if isinstance(value, Prose) else value == ()
        return FieldState.NONE if empty else FieldState.STATED

    def claims_of(self, kind: ClaimKind, status: Status | None = Status.CONFIRMED) -> list[Claim]:
        """The claims of a kind with a status (None: any), in order."""
        return [c for c in self.claims if c.kind == kind and status in (None, c.status)]

    def claim_ids(self) -> Iterator[tuple[str, Claim]]:
        """Claims with their ids `<case>#<kind>-<n>`, numbered within their kind from 1."""
        seen: Counter[str] = Counter()
        for claim in self.claims:
            seen[claim.kind] += 1
            yield f"{self.id}#{claim.kind}-{seen[claim.kind]}", claim

    def figures_by_id(self) -> dict[str, Figure]:
        """The figures by id."""
        return {f.id: f for f in self.figures}

    def when(self, kind: DateKind) -> When | None:
        """The first time of this kind, or None when it is not stated."""
        return next((d for d in self.dates if d.kind == kind), None)

    def sorted_by(self) -> When | None:
        """The time by which lists are ordered: published, else started, else the first stated."""
        chosen = self.when(DateKind.PUBLISHED) or self.when(DateKind.STARTED)
        return chosen or (self.dates[0] if self.dates else None)

    def sort_date(self) -> date:
        """The first day of `sorted_by`; `date.min` when no time is stated."""
        chosen = self.sorted_by()
        return chosen.earliest() if chosen else date.min

    def name(self, lang: str = "en") -> str:
        """The title in `lang`, else in English, else in what there is."""
        return self.title.best(lang)

    @field_serializer(*PROSE_FIELDS)
    def _dump_prose(self, value: Prose | None) -> Any:
        return None if value is None else value.dump()

    def resolved(self) -> Case:
        """The same case with `start` and `end` filled in on every span; made once."""
        return self._resolved

    @cached_property
    def _resolved(self) -> Case:
        def fill(span: Span) -> Span:
            start, end = self.locate(span)
            return span.model_copy(update={"start": start, "end": end})

        def each(records: tuple[Any, ...]) -> tuple[Any, ...]:
            return tuple(
                r.model_copy(update={"evidence": tuple(map(fill, r.evidence))}) for r in records
            )

        return self.model_copy(update={"claims": each(self.claims), "figures": each(self.figures)})

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """As pydantic copies a record; what was computed of the old one is left behind."""
        copied = super().model_copy(update=update, deep=deep)
        copied.__dict__.pop("_resolved", None)
        return copied


def _span_problem(span: Span, text: str) -> str | None:
    where = f"{span.field}.{span.lang}"
    if span.quote not in text:
        told = quoted(span.quote)
        return f"the quote {told} is not in {where}; copy it exactly from the text of the case"
    if span.start is None and span.end is None:
        return None
    start = span.start if span.start is not None else (span.end or 0) - len(span.quote)
    end = span.end if span.end is not None else start + len(span.quote)
    if start < 0 or text[start:end] != span.quote:
        told = quoted(span.quote)
        return f"{where} from {start} to {end} is not the quote {told}; leave start and end out"
    return None


def _role_problem(claim: Claim) -> str | None:
    allowed, whose = ROLES[claim.kind], f"a claim of kind {claim.kind}"
    if claim.role is None:
        return f"{whose} must have a role; give one of {', '.join(allowed)}" if allowed else None
    if not allowed:
        return f"{whose} has no role; leave it out"
    if claim.role not in allowed:
        told = f"{claim.role} is no role of {whose}"
        return f"{told}; give one of {', '.join(allowed)}"
    return None


__all__ = [
    "PROSE_FIELDS",
    "RELATED_FIELD",
    "SOURCE_FIELD",
    "Case",
    "CaseKind",
    "FieldState",
    "Link",
    "Source",
    "SourceKind",
    "Text",
]
