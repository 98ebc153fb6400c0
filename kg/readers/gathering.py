"""What a reader of prose gathers from a document before it becomes a draft."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date

from kg.errors import Problem
from kg.model import CaseKind, DateKind, Duration, Link, When
from kg.model.days import moment_of
from kg.readers.draft import Cited, Draft, Given, Passage
from kg.readers.spoken import spoken_language
from kg.readers.stated import id_in, names_in, people_in, placeholder, stated_duration, stated_none
from kg.readers.timelines import spans
from kg.readers.times_in_prose import Near, Written, find_times, next_day, settle

LABELLED, RANGE, ENTRY, SENTENCE, NAMED = range(5)
"""How a time was found, the surest first: a field for it, a stretch of time, an entry of a
timeline, a sentence, a title or file name."""

_DATE_ROLES = {str(kind): kind for kind in DateKind}
_TIMED_TOO = {
    "detection": DateKind.DETECTED,
    "mitigation": DateKind.MITIGATED,
    "follow_up": None,
}


@dataclass
class Gathering:
    """Passages, times and names of one event, added to as a document is read.

    Attributes:
        format: name of the format.
        file: path of the document.
        near: what the document states for times that leave their day, year or zone out.
        named: the name of the file where it tells of this event alone, else "".
    """

    format: str
    file: str
    near: Near = field(default_factory=Near)
    named: str = ""
    title: str = ""
    line: int = 0
    source_id: str = ""
    system: str = ""
    kind: CaseKind = CaseKind.INCIDENT
    passages: list[Passage] = field(default_factory=list)
    none: list[str] = field(default_factory=list)
    times: dict[DateKind, tuple[int, When]] = field(default_factory=dict)
    time_to_detect: Duration | None = None
    time_to_recover: Duration | None = None
    severity: str | None = None
    services: list[str] = field(default_factory=list)
    regions: list[str] = field(default_factory=list)
    given: list[Given] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    related: list[str] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    organization: str = ""
    updated: str = ""
    source: Cited | None = None
    day_of_label: str = ""
    left_out: list[str] = field(default_factory=list)
    unplaced: list[str] = field(default_factory=list)
    notes: list[Problem] = field(default_factory=list)

    def note(self, message: str, remedy: str, *, line: int = 0, about: str = "") -> None:
        """Says what was read with doubt or not at all; each only once."""
        problem = Problem(self.file, line, about, message, remedy)
        if problem not in self.notes:
            self.notes.append(problem)

    def add(self, name: str, text: str, heading: str = "", line: int = 0) -> bool:
        """Adds a text to a field; a placeholder is not stated, "none" is stated none.

        Returns:
            Whether there was something to add.
        """
        said = text.strip()
        if stated_none(said):
            if name not in self.none:
                self.none.append(name)
            return True
        if placeholder(said):
            return False
        last = self.passages[-1] if self.passages else None
        if last and (last.field, last.heading) == (name, heading):
            self.passages[-1] = replace(last, text=f"{last.text}\n\n{said}")
        else:
            self.passages.append(Passage(name, said, heading, line))
        return True

    def link(self, addresses: Iterable[str], rel: str = "related") -> None:
        """Adds addresses that are not there yet."""
        for href in addresses:
            safe = href.startswith(("http://", "https://")) and not re.search(r"\s", href)
            if safe and all(one.href != href for one in self.links):
                self.links.append(Link(rel=rel, href=href))

    def person(self, names: Iterable[str]) -> None:
        """Adds names of people."""
        self.people += [n for n in names if n not in self.people]

    def when(self, kind: DateKind, at: str, rank: int, *, approx: bool = False) -> None:
        """Keeps a time: the surest of its kind, of equals the first (of ends the last)."""
        known = self.times.get(kind)
        if known and (known[0] < rank or (known[0] == rank and kind is not DateKind.ENDED)):
            return
        if known and known[0] == rank != ENTRY:
            return
        self.times[kind] = (rank, When(kind=kind, at=at, approx=approx))

    def time(self, kind: DateKind, one: Written, rank: int, line: int = 0) -> str | None:
        """Keeps a written time; what it leaves out comes from the document, and a note says so."""
        at, note = settle(one, self.near)
        self.told(note, line, read=at is not None)
        if at:
            self.when(kind, at, rank, approx=one.approx)
        return at

    def told(self, note: str, line: int, *, read: bool) -> None:
        """Keeps a note on a time."""
        if note:
            remedy = "Write the time with its day, year and zone, such as 2021-09-30 14:05 UTC"
            message = f"a time was {'read with help' if read else 'not read'}: {note}"
            self.note(message, remedy, line=line, about="dates")

    def stretch(self, text: str, rank: int, line: int = 0) -> bool:
        """Keeps the first stretch of time in a text as start and end.

        Returns:
            Whether there was one that could be read.
        """
        for span in spans(text):
            if not (span.start.timed or span.start.dated) or not (span.end.timed or span.end.dated):
                continue
            start, told = settle(span.start, self.near)
            if start is None:
                self.told(told, line, read=False)
                continue
            near = Near(day=_day_of(start), zone=self.near.zone, where="the start")
            end, _ = settle(span.end, near)
            self.told(told, line, read=True)
            if end and span.end.timed and not span.end.dated and end[:16] < start[:16]:
                end = next_day(end)
                self.told(f"{span.end.words}: taken for the next day", line, read=True)
            if end is None or (end[:10] < start[:10]):
                continue
            self.when(DateKind.STARTED, start, rank, approx=span.start.approx)
            self.when(DateKind.ENDED, end, rank, approx=span.end.approx)
            return True
        return False

    def value(self, role: str, label: str, text: str, line: int = 0) -> bool:
        """Takes the value of a label or field by its role.

        Returns:
            False when the role is none that has a value of this kind.
        """
        said = text.strip()
        if role in _DATE_ROLES or role in ("date", "updated"):
            return self._date(role, label, said, line)
        if role in ("ttd", "ttr"):
            self._duration(role, label, said, line)
        elif role == "duration":
            if self.kind is CaseKind.INCIDENT:
                self.stretch(said, LABELLED, line)
            if not stated_none(said):
                self.add("impact", said, label, line)
        elif role in ("services", "regions"):
            self._names(role, label, said, line)
        elif role == "people":
            self.person(people_in(said))
        elif not self._plain(role, label, said):
            return self._timed(role, said, line)
        return True

    def _plain(self, role: str, label: str, said: str) -> bool:
        if role in ("severity", "organization", "title", "id"):
            if placeholder(said) or stated_none(said):
                return True
            if role == "id":
                self.source_id = self.source_id or id_in(said)
            elif len(said) > 80 or "\n" in said:
                self.left_out.append(label)
            elif role == "severity":
                self.severity = self.severity or said
            elif role == "organization":
                self.organization = self.organization or said
            else:
                self.title = self.title or said
            return True
        if role == "state" and len(said.split()) > 4 and not re.match(r"\w+(?: \w+)?[,;(]", said):
            return False
        if role in ("labels", "state", "nothing"):
            if not placeholder(said) and not stated_none(said):
                self.left_out.append(label)
            return True
        return role == "links"

    def _timed(self, role: str, said: str, line: int) -> bool:
        """`Detection: 14:05` is a time, though the same word above a paragraph is not."""
        kind = _TIMED_TOO.get(role)
        times = find_times(said)
        if kind is None or len(times) != 1 or times[0].words.strip() != said.strip(" .~"):
            return False
        self.time(kind, times[0], LABELLED, line)
        return True

    def _date(self, role: str, label: str, said: str, line: int) -> bool:
        if placeholder(said) or stated_none(said):
            return True
        if role in ("date", "started") and self.stretch(said, LABELLED, line):
            return True
        times = find_times(said)
        if not times and stated_duration(said)[0]:  # "장애 시간: 47분" is how long, not when
            return self.value("duration", label, said, line)
        if not times or len(said) > len(times[0].words) + 60:
            if role in ("date", "updated") or len(said) < 40:
                self.note(
                    f"{label}: no date that can be read in {said[:60]!r}",
                    "Write it as 2021-09-30 14:05 UTC",
                    line=line,
                    about="dates",
                )
                return True
            return False
        if role == "updated":
            self.updated = self.updated or (settle(times[0], self.near)[0] or "")
        elif role == "date":
            self.day_of_label = self.day_of_label or (settle(times[0], self.near)[0] or "")
            if times[0].unclear:
                self.time(DateKind.PUBLISHED, times[0], LABELLED, line)
        else:
            self.time(_DATE_ROLES[role], times[0], LABELLED, line)
        return True

    def _duration(self, role: str, label: str, said: str, line: int) -> None:
        found, why = stated_duration(said)
        name = "time_to_detect" if role == "ttd" else "time_to_recover"
        if found and getattr(self, name) is None:
            setattr(self, name, found)
        if why:
            self.note(
                f"{label} was not read: {why}", "Write it as 2 h 15 min", line=line, about=name
            )

    def _names(self, role: str, label: str, said: str, line: int) -> None:
        found = names_in(said)
        kept = self.services if role == "services" else self.regions
        kept += [n for n in found if n not in kept]
        if not found and not placeholder(said) and not stated_none(said):
            self.add("impact", said, label, line)

    def draft(self) -> Draft:
        """The draft, with its times in order of their kinds."""
        if self.left_out:
            names = ", ".join(dict.fromkeys(self.left_out))
            self.note(f"left out, since no field fits: {names}", "Nothing needs to be done")
        if self.unplaced:
            few = list(dict.fromkeys(self.unplaced))
            names = "; ".join(few[:8]) + (f" and {len(few) - 8} more" if len(few) > 8 else "")
            self.note(
                f"kept in the summary, since the heading names no field: {names}",
                "A heading such as Impact or Root cause places a text",
            )
        stated = {p.field for p in self.passages}
        self._date_of_what()
        return Draft(
            format=self.format,
            file=self.file,
            title=_one_line(self.title),
            line=self.line,
            source_id=self.source_id,
            system=self.system,
            passages=tuple(self.passages),
            none=tuple(f for f in self.none if f not in stated),
            lang=spoken_language(" ".join([self.title, *(p.text for p in self.passages)])),
            kind=self.kind,
            dates=self._in_order(),
            time_to_detect=self.time_to_detect,
            time_to_recover=self.time_to_recover,
            severity=self.severity,
            services=tuple(self.services),
            regions=tuple(self.regions),
            given=tuple(self.given),
            source=self.source,
            links=tuple(self.links),
            related=tuple(self.related),
            people=tuple(self.people),
            organization=self.organization,
            updated=self.updated,
            notes=tuple(self.notes),
        )

    def _date_of_what(self) -> None:
        """A field that is only called "Date": of the incident where other times are of that day."""
        at, known = self.day_of_label, {k: w.at[:10] for k, (_, w) in self.times.items()}
        if not at:
            return
        if at[:10] in known.values():
            self.when(DateKind.STARTED, at, SENTENCE)
            return
        self.when(DateKind.PUBLISHED, at, LABELLED)
        self.told(f"{at}: does not say of what; taken for that of the document", 0, read=True)

    def _in_order(self) -> tuple[When, ...]:
        """The times by kind; an end before the start is left out with a note."""
        start, end = self.times.get(DateKind.STARTED), self.times.get(DateKind.ENDED)
        if start and end and _before(end[1], start[1]):
            weaker = DateKind.ENDED if end[0] >= start[0] else DateKind.STARTED
            _, left = self.times.pop(weaker)
            other = start[1] if weaker is DateKind.ENDED else end[1]
            told = f"the time when it {weaker} ({left.at}) does not agree with {other.at}"
            self.note(f"{told}; left out", "Correct the times in the document", about="dates")
        seen = self.times.get(DateKind.DETECTED)
        if start and seen and _before(seen[1], start[1]):
            told = f"it was detected ({seen[1].at}) before it started ({start[1].at})"
            self.note(told, "Correct the times in the document", about="dates")
        return tuple(self.times[k][1] for k in DateKind if k in self.times)


def _before(one: When, other: When) -> bool:
    """Whether a time surely lies before another: by the day unless both tell the moment."""
    first, second = moment_of(one), moment_of(other)
    if "T" in one.at and "T" in other.at and bool(first.tzinfo) == bool(second.tzinfo):
        return first < second
    return one.earliest() < other.earliest()


def _day_of(at: str) -> date:
    return date.fromisoformat(at[:10])


def _one_line(text: str) -> str:
    return " ".join(text.split())
