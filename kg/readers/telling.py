"""From the blocks of a document to its drafts: one event, or a series and its events."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import PurePath
from typing import Any

from kg.errors import Problem
from kg.model import CaseKind, DateKind, SourceKind
from kg.readers.blocks import Block, Section, sections
from kg.readers.draft import Cited, Draft
from kg.readers.frontmatter import as_text
from kg.readers.gathering import LABELLED, Gathering
from kg.readers.headings import FIELDS, role_of
from kg.readers.markdown import markdown_blocks
from kg.readers.problems import no_text, unfilled
from kg.readers.report import OTHER, Placed, file_date, placed, tell
from kg.readers.series import Dated, dated_parts, tells_of_failure
from kg.readers.spoken import kind_by_words
from kg.readers.stated import id_in_title, people_in, placeholder
from kg.readers.times_in_prose import Near

LONGEST_TITLE = 300
"""Characters of the longest heading that is a title."""

_NO_NAME = ("readme", "index", "postmortem", "post-mortem", "incident", "report", "main", "doc")
_LASTING = re.compile(r"\blast(?:ing|ed)\b|\bfor \w+ (?:minutes?|hours?)\b|지속|동안", re.I)
_FIRST = re.compile(r"^.{10,140}?(?:[.!?。](?=\s|$)|$)", re.S)


@dataclass(frozen=True)
class Telling:
    """A document in blocks, with what stands beside its text.

    Attributes:
        format: name of the format.
        file: path of the document.
        blocks: its blocks.
        values: its front matter, or what a feed says of an entry.
        problem: why its front matter could not be read, "" when it was.
        title: its title where another place than the text gives one.
        source_id, system: the id of the event and where the id comes from.
        address: the address of the document.
        cited: what kind of document it is.
        near: day, year and zone for times that leave them out.
        line: line where it begins.
        whole_file: whether it is all of its file, so that the file's name may name it.
    """

    format: str
    file: str
    blocks: Sequence[Block]
    values: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""
    title: str = ""
    source_id: str = ""
    system: str = ""
    address: str = ""
    cited: SourceKind = SourceKind.POSTMORTEM
    near: Near = field(default_factory=Near)
    line: int = 0
    whole_file: bool = True


def told(telling: Telling) -> Iterator[Draft | Problem]:
    """The drafts of a document: one for one event; the series and its events for many.

    An unfilled template and a document without text are problems.
    """
    parts = sections(telling.blocks)
    title = telling.title or _front_title(telling.values) or _heading_title(parts)
    named = file_date(telling.file) if telling.whole_file else None
    events, kept_whole = dated_parts(parts, Near(year=named.year if named else None))
    inside = {id(s) for d in events if d.failed for s in d.sections}
    rest = [s for s in parts if id(s) not in inside]
    into = _begun(telling, title)
    ours = {id(s) for d in events for s in d.sections[:1]}
    place = [
        Placed(p.section, "summary") if id(p.section) in ours else p for p in placed(rest, title)
    ]
    _kind(into, place, series=bool(inside or kept_whole))
    if kept_whole:
        into.note(f"not divided into its events: {kept_whole}", "Divide it by hand", about="kind")
    _front(into, telling)
    tell(into, place, lead_is_all=_undivided(parts, title))
    if not events and (problem := _empty(telling, into, place)):
        yield problem
        return
    _finish(into, telling)
    if into.passages or not inside:
        yield into.draft()
    for event in events:
        if event.failed:
            yield _event(telling, into, event)


def _begun(telling: Telling, title: str) -> Gathering:
    into = Gathering(telling.format, telling.file, near=telling.near, title=title)
    into.line = telling.line
    into.named = telling.file if telling.whole_file else ""
    into.source_id, into.system = telling.source_id, telling.system
    if telling.problem:
        into.note(
            f"the front matter could not be read: {telling.problem}",
            "Correct its YAML; the text below it was read",
            line=1,
        )
    return into


def _kind(into: Gathering, place: Sequence[Placed], *, series: bool) -> None:
    """Whether the document tells of one event, of many, or of statistics."""
    texts = [b.text for p in place[:3] if p.role in ("summary", OTHER) for b in p.section.blocks]
    into.kind = (
        CaseKind.SERIES
        if series
        else kind_by_words(f"{into.title}\n{PurePath(into.named).stem}", "\n".join(texts[:4]))
    )
    if into.kind is not CaseKind.INCIDENT:
        told_by = "its dated headings" if series else "the words of its beginning"
        into.note(
            f"taken for a {into.kind} and not for one incident, by {told_by}",
            "Say so if it tells of one incident",
            about="kind",
        )


def _finish(into: Gathering, telling: Telling) -> None:
    stem = PurePath(telling.file).stem if telling.whole_file else ""
    into.source_id = into.source_id or id_in_title(into.title) or id_in_title(stem)
    if not into.title or role_of(into.title) == "title":
        into.title = _name(into, telling.file if telling.whole_file else "")
    address = telling.address or next(
        (str(v) for k, v in telling.values.items() if k.lower() in ("url", "link", "source")), ""
    )
    good = address.startswith(("http://", "https://")) and not re.search(r"\s", address)
    into.source = Cited(telling.cited, into.title, address if good else "")
    into.link([address] if good else [])


def _event(telling: Telling, whole: Gathering, event: Dated) -> Draft:
    """One event of a series."""
    own = event.sections[0]
    title = own.heading if event.words else f"{whole.title}: {own.heading}"
    into = Gathering(telling.format, telling.file, title=title, line=own.line)
    into.system, into.organization = whole.system, whole.organization
    into.people, into.source = list(whole.people), whole.source
    near = Near(zone=whole.near.zone)
    if len(event.at) >= 10:
        near = Near(date.fromisoformat(event.at[:10]), zone=near.zone, where="the heading")
    into.near = near
    place = [Placed(s, "summary" if s is own else p.role) for s, p in _with_roles(event, title)]
    tell(into, place, of_series=True)
    if DateKind.STARTED not in into.times:
        happened = tells_of_failure(event.words) or _LASTING.search(event.words)
        kind = DateKind.STARTED if happened else DateKind.PUBLISHED
        into.when(kind, event.at, LABELLED)
        if event.at[:4] not in own.heading:
            told_by = f"{own.heading[:40]}: the year {event.at[:4]} is taken from the file name"
            into.told(told_by, own.line, read=True)
    return into.draft()


def _with_roles(event: Dated, title: str) -> Iterator[tuple[Section, Placed]]:
    yield from zip(event.sections, placed(event.sections, title), strict=True)


def _front_title(values: Mapping[str, Any]) -> str:
    found = (v for k, v in values.items() if role_of(k) == "title" and isinstance(v, str))
    return " ".join(next(found, "").split())


def _heading_title(parts: Sequence[Section]) -> str:
    """The first heading where it is the title: alone in its depth, and no part of a report."""
    first = next((s for s in parts if s.heading), None)
    if first is None or role_of(first.heading) or len(first.heading) > LONGEST_TITLE:
        return ""
    alone = sum(s.level == first.level for s in parts if s.heading) == 1
    deeper = any(s.level > first.level for s in parts)
    return first.heading if alone or (first.level == 1 and deeper) else ""


def _undivided(parts: Sequence[Section], title: str) -> bool:
    """Whether no heading but the title divides the text."""
    return all(not s.heading or s.heading == title for s in parts)


def _name(into: Gathering, file: str) -> str:
    """A title for a document without one: its file name, else its first sentence."""
    path = PurePath(file.rpartition("!/")[2] or file)
    if path.stem.lower() not in _NO_NAME and path.stem:
        return path.stem
    text = into.passages[0].text if into.passages else ""
    found = _FIRST.match(text)
    return " ".join((found.group() if found else text[:140]).split()) or path.stem or "untitled"


def _front(into: Gathering, telling: Telling) -> None:
    """Takes the values of front matter by their keys."""
    for key, value in telling.values.items():
        role, text = role_of(key), as_text(value)
        if role == "people":
            into.person(_front_people(value))
        elif text is None or role is None or role == OTHER:
            if value not in (None, "", [], {}):
                into.left_out.append(key)
        elif role in FIELDS or role == "timeline":
            for block in markdown_blocks(text):
                into.link(block.links)
            plain = "\n\n".join(b.text for b in markdown_blocks(text))
            into.add(role if role in FIELDS else "summary", plain, key, 1)
        elif role != "title" and key.lower() not in ("uuid",):
            into.value(role, key, text, 1)
        elif key.lower() == "uuid" and not placeholder(text):
            into.source_id = into.source_id or text.strip()


def _front_people(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [n for v in value.values() if isinstance(v, str) for n in people_in(v)]
    if isinstance(value, list):
        return [n for v in value for n in _front_people(v)]
    return people_in(str(value)) if value else []


def _empty(telling: Telling, into: Gathering, place: Sequence[Placed]) -> Problem | None:
    """What is wrong with a document that tells of nothing."""
    headed = [p for p in place if p.section.heading and p.role != OTHER]
    headed = [p for p in headed if p.section.heading != into.title]
    said = [p for p in into.passages if p.heading or p.field != "summary"]
    lead = sum(len(p.text) for p in into.passages)
    if len(headed) >= 3 and not said and lead < 400:
        return unfilled(telling.file, len(headed))
    return None if into.passages else no_text(telling.file)
