"""A report in sections as one event: sections to fields, labels to values, timelines to times."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise
from pathlib import PurePath

from kg.model import CaseKind, DateKind
from kg.readers.blocks import Block, Section
from kg.readers.gathering import ENTRY, LABELLED, NAMED, RANGE, SENTENCE, Gathering
from kg.readers.headings import FIELDS, hinted_role, role_of
from kg.readers.opening import field_by_opening
from kg.readers.stated import people_in, placeholder
from kg.readers.timelines import (
    entry_of,
    kind_in_sentence,
    kind_of_entry,
    sentences,
    settled,
    tells_harm,
)
from kg.readers.times_in_prose import Near, day_in, find_times
from kg.readers.zones import stated_zone

OTHER = "other"
"""The role of a section that no heading places."""

_OPEN_TO_LABELS = ("summary", "impact", "timing", "timeline", "detection", "symptom", OTHER)
"""Roles of sections in which a label begins something of its own."""

_TEMPLATE = re.compile(r"(?:sample )?template (?:from|by|based)\b.{0,200}$", re.I | re.S)
_LENGTHS = ("ttd", "ttr")
_LABEL = re.compile(r"^[*_]*([^\W\d_][^:：\n]{0,48}?)\s*[:：]\s*[*_]*(.*)", re.S)
_RUN_IN = re.compile(r"(?:^|(?<=[.!?]\s)|(?<=[.!?]\s\s))([A-Z][A-Za-z'/ ]{2,44}?)\s?:\s+")
_HAPPENED = re.compile(
    r"\b(?:experienc\w+|suffer\w*|occurr\w+|happen\w*|took place|was hit)\b|발생|겪", re.I
)
_FILE_DATE = re.compile(
    r"(?<!\d)((?:19|20)\d{2})[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])(?!\d)"
)
_YEAR = re.compile(r"(?<![\d.,/-])((?:19|20)\d{2})(?![\d/-]|\.\d)")
_OWNER = re.compile(r"owner|who|assignee|name|lead|담당|책임|이름|担当|负责", re.I)


@dataclass(frozen=True)
class Placed:
    """A section with its role."""

    section: Section
    role: str


def file_date(name: str) -> date | None:
    """The date in a file name such as `2025-10-20 AWS.md`, None without one."""
    found = _FILE_DATE.search(PurePath(name).name)
    try:
        return date(int(found[1]), int(found[2]), int(found[3])) if found else None
    except ValueError:
        return None


def placed(parts: Sequence[Section], title: str) -> list[Placed]:
    """The role of each section: by its heading, else by those above it, else by a word in it."""
    found = []
    for part in parts:
        if not part.heading or part.heading == title:
            role: str | None = "summary"
        else:
            above = [r for h in reversed(part.above) if h != title and (r := role_of(h))]
            role = role_of(part.heading) or next(iter(above), None) or hinted_role(part.heading)
        found.append(Placed(part, role or OTHER))
    return found


def tell(
    into: Gathering, parts: Sequence[Placed], *, lead_is_all: bool = False, of_series: bool = False
) -> None:
    """Adds what sections say to a gathering.

    Args:
        into: what is being gathered; its title, and what is known of its day, are set.
        parts: the sections with their roles, in order.
        lead_is_all: whether no heading divides the text, so that paragraphs are placed by their
            opening words.
        of_series: whether it is one event of a series, whose day the heading of its part states.
    """
    into.near = _near(into, parts)
    many = into.kind is CaseKind.SERIES
    for i, part in enumerate(parts):
        # Of many events, only the beginning speaks of all of them.
        _Teller(into, part, lead_is_all, timed=not many or i < 2).tell()
    if not of_series:
        _named_day(into)


def _named_day(into: Gathering) -> None:
    """The day in the title: of the incident where it speaks of one, else of the document."""
    times = find_times(into.title)
    day = next((t.on() for t in times if t.on()), None)
    if day is not None and tells_harm(into.title):
        into.when(DateKind.STARTED, day.isoformat(), NAMED)
    elif day is not None:
        into.when(DateKind.PUBLISHED, day.isoformat(), NAMED)
        into.told(f"{day}: the day in the title is taken for that of the document", 0, read=True)
    elif not into.times and (day := file_date(into.named)):
        into.when(DateKind.PUBLISHED, day.isoformat(), NAMED)
        told = f"{day}: the day in the file name is taken for that of the document"
        into.told(told, 0, read=True)


def _near(into: Gathering, parts: Sequence[Placed]) -> Near:
    """Day, year and zone that the document states for times that leave them out."""
    zone = into.near.zone or next((z for t in _all_texts(parts) if (z := stated_zone(t))), "")
    if into.near.day:
        return replace(into.near, zone=zone)
    for where, text in _where_days_are(into, parts):
        if day := next((t.on() for t in find_times(text) if t.on()), None):
            return Near(day=day, zone=zone, where=where)
    if into.near.year:
        return replace(into.near, zone=zone)
    named = file_date(into.named)
    if named and not any(t.dated for text in _all_texts(parts) for t in find_times(text)):
        return Near(day=named, zone=zone, where="the file name")
    if named:
        return Near(year=named.year, zone=zone, where="the file name")
    year = _YEAR.search(into.title) or _YEAR.search(PurePath(into.named).stem)
    if year:
        return Near(year=int(year[1]), zone=zone, where="the title")
    return Near(zone=zone)


def _where_days_are(into: Gathering, parts: Sequence[Placed]) -> Iterator[tuple[str, str]]:
    """The places that state the day of an incident, the surest first."""
    yield "the title", into.title
    for part in parts:
        if part.role in ("date", "started"):
            yield "the date of the incident", " ".join(b.text for b in part.section.blocks[:2])
        for block in part.section.blocks:
            label = _LABEL.match(block.text)
            if label and role_of(label[1]) in ("date", "started"):
                yield "the date of the incident", label[2]
    for part in parts:
        if part.role == "timeline":
            yield "the heading of the timeline", part.section.heading
    for part in parts[:3]:
        if part.role == "summary":
            for block in part.section.blocks[:3]:
                for sentence in sentences(block.text[:2000]):
                    if tells_harm(sentence):
                        yield "the first paragraphs", sentence


def _all_texts(parts: Sequence[Placed]) -> Iterator[str]:
    for part in parts:
        yield part.section.heading
        for block in part.section.blocks:
            if block.kind != "code":
                yield block.text


class _Teller:
    """Adds one section to a gathering."""

    def __init__(self, into: Gathering, part: Placed, by_opening: bool, *, timed: bool) -> None:
        self._timed = timed
        self._into, self._part, self._by_opening = into, part, by_opening
        self._heading = part.section.heading if part.section.heading != into.title else ""
        self._role, self._label = part.role, self._heading
        self._texts: list[str] = []
        self._line = 0

    def tell(self) -> None:
        blocks = self._part.section.blocks
        for block in blocks:
            self._into.link(block.links)
        if self._role in FIELDS or self._role in (*_OPEN_TO_LABELS, "links"):
            self._walk(blocks)
        elif text := "\n".join(b.text for b in blocks if b.text):
            if self._role == "people":
                self._people(blocks)
            elif not self._into.value(self._role, self._heading, text, blocks[0].line):
                self._as_text(text, blocks[0].line)
        self._end()
        if self._timed:
            self._times(blocks)

    def _people(self, blocks: Sequence[Block]) -> None:
        for block in blocks:
            if not block.level or block.kind != "row":
                self._into.person(people_in(block.cells[0] if block.cells else block.text))

    def _as_text(self, text: str, line: int) -> None:
        """A section such as `Detected` that holds prose after all."""
        name = {"detected": "detection", "mitigated": "mitigation", "ended": "mitigation"}
        self._into.add(name.get(self._role, "summary"), text, self._heading, line)

    def _walk(self, blocks: Sequence[Block]) -> None:
        head: tuple[str, ...] = ()
        for block in blocks:
            if block.kind == "row":
                head = block.cells if block.level else head
                self._row(block, head)
                continue
            for text in self._lines(block):
                if self._is_date(text):
                    self._into.value("date", "Date", text, block.line)
                elif not self._labelled(block, text):
                    self._append(text, block.line)

    def _lines(self, block: Block) -> Iterable[str]:
        """A block in pieces that a label may begin."""
        lines = block.text.split("\n")
        if block.kind == "code":
            return [block.text]
        if self._part.role not in _OPEN_TO_LABELS:
            lengths = any((m := _LABEL.match(x)) and role_of(m[1]) in _LENGTHS for x in lines)
            return lines if lengths else [block.text]
        cuts = [m.start(1) for m in _RUN_IN.finditer(block.text) if role_of(m[1])]
        if len(cuts) > 1:
            edges = sorted({0, *cuts, len(block.text)})
            return [block.text[a:b].strip() for a, b in pairwise(edges)]
        labels = sum(bool((m := _LABEL.match(line)) and role_of(m[1])) for line in lines)
        return lines if labels and len(lines) > 1 else [block.text]

    def _labelled(self, block: Block, text: str) -> bool:
        """Whether a piece of text is a label with its value, or begins a part of its own."""
        found = _LABEL.match(text)
        if block.kind == "code" or found is None or entry_of(block):
            return False
        role = role_of(found[1])
        if self._part.role not in _OPEN_TO_LABELS:
            return role in _LENGTHS and self._into.value(role, found[1], found[2], block.line)
        if role is None:
            if block.label.rstrip().endswith((":", "：")) and block.kind != "item":
                self._begin(self._part.role, self._heading)
            return False
        value = found[2].strip()
        if not value and (role in FIELDS or role in ("timeline", "links")):
            self._begin(role, found[1].strip(" *_"))
            return True
        if self._into.value(role, found[1].strip(" *_"), value, block.line):
            return True
        if role in FIELDS and (block.label or len(block.text) > len(found[1])):
            self._into.add(role, value, found[1].strip(" *_"), block.line)
            return True
        return False

    def _is_date(self, text: str) -> bool:
        """Whether a line of the beginning is a date and nothing else."""
        if self._part.role != "summary" or len(text) > 40:
            return False
        times = find_times(text)
        return len(times) == 1 and times[0].dated and len(times[0].words) >= len(text) - 2

    def _row(self, block: Block, head: tuple[str, ...]) -> None:
        if self._part.role in ("summary", "timing", OTHER) and self._pairs(block):
            return
        if block.level:
            return
        for name, cell in zip(head, block.cells, strict=False):
            if _OWNER.search(name):
                self._into.person(people_in(cell, loose=False))
        if all(placeholder(c) for c in block.cells):
            return
        self._append(block.text, block.line)

    def _pairs(self, block: Block) -> bool:
        """Takes a row as labels with their values beside them; whether it held one."""
        cells, took, i = block.cells, False, 0
        while i < len(cells):
            role = role_of(cells[i])
            beside = i + 1 if i + 1 < len(cells) and cells[i + 1].strip() else None
            i += 1
            if role is None:
                continue
            took = True
            if beside is not None and role_of(cells[beside]) is None:
                value = cells[beside]
                if not self._into.value(role, cells[i - 1], value, block.line) and role in FIELDS:
                    self._into.add(role, value, cells[i - 1], block.line)
                i = beside + 1
        return took

    def _append(self, text: str, line: int) -> None:
        if placeholder(text) or (len(text) < 80 and stated_zone(text)) or _TEMPLATE.match(text):
            return
        if self._by_opening and self._role == "summary":
            place = field_by_opening(text) or "summary"
            self._into.add(place, text, self._heading, line)
            return
        self._line = self._line or line
        self._texts.append(text)

    def _begin(self, role: str, label: str) -> None:
        self._end()
        self._role, self._label = role, label

    def _end(self) -> None:
        """Adds what was read since the last label."""
        text, line = "\n\n".join(self._texts), self._line
        self._texts, self._line = [], 0
        if not text or self._role == "links":
            return
        into, role = self._into, self._role
        if role not in FIELDS:
            if role == OTHER and self._heading:
                into.unplaced.append(self._heading)
            role = "summary"
        into.add(role, text, self._label, line)

    def _times(self, blocks: Sequence[Block]) -> None:
        found = [e for b in blocks if (e := entry_of(b))]
        of_timeline = self._part.role == "timeline" or len(found) >= 3
        for entry, at, note in settled(found if of_timeline else [], self._zoned(blocks)):
            kind = kind_of_entry(entry.words)
            if kind:
                self._into.told(note, entry.line, read=at is not None)
            if kind and at:
                self._into.when(kind, at, ENTRY, approx=entry.when.approx)
        if self._part.role in ("summary", "impact", "symptom", "detection", OTHER):
            entry_lines = {e.line for e in found}
            for block in blocks:
                if block.kind in ("text", "item") and block.line not in entry_lines:
                    self._prose(block)
        elif self._part.role in FIELDS:
            for said in (s for b in blocks if b.kind != "code" for s in sentences(b.text)):
                # Elsewhere only a stretch with both of its days is surely that of the incident.
                whole = [t for t in find_times(said) if t.on() and t.timed]
                if len(whole) == 2 and tells_harm(said):
                    self._into.stretch(said, RANGE, self._part.section.line)

    def _zoned(self, blocks: Sequence[Block]) -> Near:
        """What times of a timeline leave out, with the zone that its head states."""
        head = " ".join([self._heading, *(b.text for b in blocks if b.kind == "row" and b.level)])
        found = re.search(
            r"\((?:all times )?(?:in )?([A-Za-z/가-힣 ]{2,15}(?:[+-]\d{1,2})?)\)", head
        )
        zone = stated_zone(f"times in {found[1]}") if found else ""
        return replace(self._into.near, zone=zone) if zone else self._into.near

    def _prose(self, block: Block) -> None:
        """Times in sentences that say what happened then."""
        into, known = self._into, self._into.near
        for sentence in sentences(block.text):
            times = find_times(sentence)
            if day := day_in(times, known):
                into.near = replace(known, day=day, where="the sentence before it")
            if (
                times and tells_harm(sentence) and not into.stretch(sentence, RANGE, block.line)
            ) or times:
                self._single(sentence, block.line)
        into.near = known

    def _single(self, sentence: str, line: int) -> None:
        times = find_times(sentence)
        clocks = [t for t in times if t.timed]
        kind = kind_in_sentence(sentence)
        if len(clocks) == 1 and kind:
            self._into.time(kind, clocks[0], SENTENCE, line)
        elif not clocks and len(times) == 1 and tells_harm(sentence) and _HAPPENED.search(sentence):
            self._into.time(DateKind.STARTED, times[0], NAMED, line)


__all__ = ["LABELLED", "OTHER", "Placed", "file_date", "placed", "tell"]
