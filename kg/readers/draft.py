"""A draft: what one foreign document says of one event, before terms and claims.

Every reader of a foreign format ends here, so that all that comes after (redaction, tagging,
identity) is written once. A draft keeps the words of its source and adds none.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kg.errors import Problem
from kg.model import CaseKind, ClaimKind, Duration, Link, SourceKind, Status, When


@dataclass(frozen=True)
class Passage:
    """A piece of text of the source.

    Attributes:
        field: the text field of a case that it belongs to (`kg.model.PROSE_FIELDS`).
        text: its paragraphs, an empty line between them; plain text, no mark-up.
        heading: the heading or key above it in the source, "" without one.
        line: line of the document where it begins, from 1; 0 when lines mean nothing there.
        lang: BCP 47 tag of the text where it is not that of the draft, else "".
    """

    field: str
    text: str
    heading: str = ""
    line: int = 0
    lang: str = ""


@dataclass(frozen=True)
class Given:
    """Something that the source itself classifies: a label, a service, a cause category.

    Attributes:
        kind: what it is about.
        name: its name as the source writes it, such as `payments-api` or `DNS`.
        status: how far the source stands behind it.
        key: the key, column or heading that gave it, such as `root_cause_category`.
    """

    kind: ClaimKind
    name: str
    status: Status = Status.CONFIRMED
    key: str = ""


@dataclass(frozen=True)
class Draft:
    """One event as one document tells it.

    None and empty mean "not stated"; a field that the source states to be empty is in `none`.

    Attributes:
        format: name of the format that it was read in.
        file: path of the document as the caller gave it; with `archive.zip!/member` inside one.
        line: line of the document where the event begins, from 1; 0 when it is the whole file.
        source_id: id in the system that it comes from, such as `PM2021-011` or `AC-123`; "" when
            there is none. With `system` it tells whether a later document is the same event.
        system: the system, tenant or site that gives the id, such as `status.example.com` or
            `jira`; "" when not known.
        title: one line.
        passages: the texts, in order of the source.
        none: text fields that the source states to be none ("Impact: none").
        lang: BCP 47 tag of the texts.
        kind: one event, a series, or a study.
        dates: times with their kinds, with a zone where the source gives one.
        time_to_detect, time_to_recover: as the source states them, never computed here.
        severity: as the source writes it.
        services: names of affected services and components, as the source writes them.
        regions: places, as the source writes them.
        given: what the source itself classifies.
        source: kind and title of the document, for the citation, and its address if it has one.
        links: further addresses in the document that belong to the event.
        duplicates, related: ids, in the same system, of the same and of other events.
        people: names found in fields of authors and assignees. They are redacted everywhere.
        domain: the field that the source sorts it into, such as `ai-infra`; "" when not stated.
        organization: who owns the affected system, as the source writes it; "" when not stated.
        updated: when the source last changed it, as ISO 8601; "" when not stated.
        notes: what was read with doubt or left out; the draft is good all the same.
    """

    format: str
    file: str
    title: str
    line: int = 0
    source_id: str = ""
    system: str = ""
    passages: tuple[Passage, ...] = ()
    none: tuple[str, ...] = ()
    lang: str = "en"
    kind: CaseKind = CaseKind.INCIDENT
    dates: tuple[When, ...] = ()
    time_to_detect: Duration | None = None
    time_to_recover: Duration | None = None
    severity: str | None = None
    services: tuple[str, ...] = ()
    regions: tuple[str, ...] = ()
    given: tuple[Given, ...] = ()
    source: Cited | None = None
    links: tuple[Link, ...] = ()
    duplicates: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    organization: str = ""
    domain: str = ""
    updated: str = ""
    notes: tuple[Problem, ...] = field(default=(), compare=False)

    def text(self, name: str) -> str:
        """All passages of a field, an empty line between them; "" without any."""
        return "\n\n".join(p.text for p in self.passages if p.field == name)


@dataclass(frozen=True)
class Cited:
    """The document as a source: its kind, title and address ("" where it has none)."""

    kind: SourceKind
    title: str
    address: str = ""
