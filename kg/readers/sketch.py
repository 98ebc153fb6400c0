"""A draft while it is being made: collects what a record says, once each, in order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kg.errors import Problem
from kg.model import ClaimKind, DateKind, Duration, Link, SourceKind, Status, When
from kg.model.days import moment_of
from kg.model.values import Precision
from kg.readers.clock import moment
from kg.readers.draft import Cited, Draft, Given, Passage
from kg.readers.headings import field_of
from kg.readers.jsonrecords import Entry
from kg.readers.jsonvalues import address, named, prose, word, words
from kg.readers.plaintext import BOLD, Block, Plain, marked_text, tidy
from kg.readers.stated import stated_none

PERSON_KEYS = ("name", "full_name", "displayName", "display_name", "summary", "email",
               "emailAddress", "email_address", "username", "key", "user_name")  # fmt: skip
"""Keys under which systems name a person; every spelling is taken."""

_NOBODY = words(
    "admin administrator anonymous automation bot employee guest itil me monitoring n/a nobody "
    "none root system unassigned unknown user username"
)
_OPAQUE = re.compile(r"\d+|(?=.*\d)[0-9a-fA-F-]{16,}|[0-9A-HJKMNP-TV-Z]{26}|\d+:[0-9a-fA-F-]{36}")
"""Ids that name nothing: numbers, hexadecimal ones, ULIDs, account ids."""


class Sketch:
    """What one record says, on its way to a draft.

    Args:
        format: name of the format.
        entry: the record, for places in messages.
        title: one line; "" when the record has none.
    """

    def __init__(self, format: str, entry: Entry, title: object = "") -> None:
        self.entry = entry
        self.title = word(title)
        self.severity = ""
        self.organization = ""
        self.source_id = ""
        self.system = ""
        self.updated = ""
        self.running = False
        """Whether the texts are news of an event under way: what they call none may come yet."""
        self.meanings: Mapping[str, str] = {}
        """Labels that mean another field in this format than elsewhere, in lower case."""
        self.address = ""
        self.time_to_detect: Duration | None = None
        self.time_to_recover: Duration | None = None
        self._format = format
        self._passages: list[Passage] = []
        self._none: list[str] = []
        self._dates: list[When] = []
        self._lists: dict[str, list[Any]] = {}

    def say(self, field: str, value: object, heading: str = "") -> None:
        """A text, Markdown or HTML, as it stands in a key of the record."""
        self.read(field, marked_text(prose(value)), heading)

    def say_plain(self, field: str, value: object, heading: str = "") -> None:
        """A text without mark-up."""
        self._put(field, tidy(prose(value)), heading)

    def read(self, field: str, plain: Plain, heading: str = "") -> None:
        """A text that was read already; its sections go to the fields that they speak of."""
        for target in plain.links:
            self.link(target)
        self.people(*plain.people)
        for place, block in _placed(field, plain.blocks, self.meanings):
            self._put(place, block.text, ", ".join(h for h in (block.heading, heading) if h))

    def _put(self, field: str, text: str, heading: str) -> None:
        if text and stated_none(text):
            if self.running and heading:
                label = heading.partition(", ")[0]
                self._put("summary", f"{label}: {text}", "")
            elif field not in ("title", "summary"):
                self._add("none", field)
        elif text and not any(p.field == field and p.text == text for p in self._passages):
            self._passages.append(Passage(field, text, heading))

    def when(self, kind: DateKind, value: object) -> None:
        """A time; the first of a kind counts. What is no time and not empty is noted."""
        at = moment(value)
        if at is None:
            if word(value):
                told = f"{word(value)[:40]!r} is not a time that can be read"
                self.note(told, "Write it as ISO 8601, such as 2026-08-06T10:00:00+09:00")
        elif not any(d.kind is kind for d in self._dates):
            self._dates.append(When(kind=kind, at=at))

    def add_date(self, when: When) -> None:
        """A time that was read already."""
        self._dates.append(when)

    def services(self, names: Iterable[str]) -> None:
        """Names of services; ids that name nothing are left out."""
        for name in names:
            if not _OPAQUE.fullmatch(name):
                self._add("services", name)

    def has_services(self) -> bool:
        """Whether any service has a name so far."""
        return bool(self._lists.get("services"))

    def regions(self, names: Iterable[str]) -> None:
        """Names of places."""
        for name in names:
            self._add("regions", name)

    def given(
        self, kind: ClaimKind, names: Iterable[str], key: str, status: Status = Status.CONFIRMED
    ) -> None:
        """What the source classifies under a key."""
        for name in names:
            if name.lower() not in ("unknown", "other", "na", "n/a", "none"):
                self._add("given", Given(kind, name, status, key))

    def labels(self, names: Iterable[str], key: str) -> None:
        """Labels of any kind: of what they are about nothing is said, so they stay suspected."""
        self.given(ClaimKind.COMPONENT, names, key, Status.SUSPECTED)

    def people(self, *values: object) -> None:
        """People in any shape: names, addresses, objects with names, lists of these."""
        for value in values:
            for one in value if isinstance(value, list) else [value]:
                inner = one.get("user") if isinstance(one, dict) else None
                spellings = (
                    [word(one.get(k)) for k in PERSON_KEYS]
                    if isinstance(one, dict)
                    else [word(one)]
                )
                if isinstance(inner, dict | str):
                    self.people(inner)
                for spelling in spellings:
                    if len(spelling) > 1 and not _is_nobody(spelling):
                        self._add("people", spelling)

    def link(self, value: object) -> None:
        """A further address, if it is one of the web."""
        if target := address(value):
            self._add("links", target)

    def duplicates(self, ids: Iterable[str]) -> None:
        """Ids of the same event."""
        for name in ids:
            self._add("duplicates", name)

    def related(self, ids: Iterable[str]) -> None:
        """Ids of other events."""
        for name in ids:
            self._add("related", name)

    def note(self, message: str, remedy: str, at: str = "") -> None:
        """Something read with doubt, or left out."""
        self._add("notes", self.entry.problem(message, remedy, at))

    def _turn_down_end(self) -> None:
        """Leaves out an end that is before the beginning; the source contradicts itself."""
        times = {when.kind: when for when in self._dates}
        begun, ended = times.get(DateKind.STARTED), times.get(DateKind.ENDED)
        if begun and ended and _before(ended, begun):
            told = f"it ends ({ended.at}) before it begins ({begun.at}); the end is left out"
            self.note(told, "Correct one of the two in the source")
            self._dates.remove(ended)

    def _add(self, name: str, value: Any) -> None:
        known = self._lists.setdefault(name, [])
        if value and value not in known:
            known.append(value)

    def _all(self, name: str) -> tuple[Any, ...]:
        return tuple(self._lists.get(name, ()))

    def draft(self, kind: SourceKind, cited: str = "") -> Draft | Problem:
        """The draft; a problem when there is neither title nor text.

        Args:
            kind: what kind of document the record is.
            cited: its title for citations; the title of the event without one.
        """
        worded = any(c.isalpha() for c in self.title)
        title = self.title if worded else _first_line(self._passages)
        if not title:
            told = f"its title {self.title[:40]!r} has no word" if self.title else "it has no title"
            return self.entry.problem(
                f"{told}, and there is no text",
                "Export the record with its texts, or leave it out",
            )
        self._turn_down_end()
        stated = {p.field for p in self._passages}
        links = (t for t in self._all("links") if t != self.address)
        return Draft(
            format=self._format,
            file=self.entry.file,
            line=self.entry.line,
            title=title,
            source_id=self.source_id,
            system=self.system,
            passages=tuple(self._passages),
            none=tuple(f for f in self._all("none") if f not in stated),
            lang=language((title, *(p.text for p in self._passages))),
            dates=tuple(self._dates),
            time_to_detect=self.time_to_detect,
            time_to_recover=self.time_to_recover,
            severity=self.severity or None,
            services=self._all("services"),
            regions=self._all("regions"),
            given=self._all("given"),
            source=Cited(kind, cited or title, self.address),
            links=tuple(Link(rel="related", href=target) for target in links),
            duplicates=tuple(d for d in self._all("duplicates") if d != self.source_id),
            related=tuple(r for r in self._all("related") if r != self.source_id),
            people=self._all("people"),
            organization=self.organization,
            updated=self.updated,
            notes=self._all("notes"),
        )


def _placed(
    field: str, blocks: Sequence[Block], meanings: Mapping[str, str]
) -> Iterable[tuple[str, Block]]:
    """Each block with its field: that of its heading, else of the heading that it lies under."""
    above: list[tuple[int, str]] = [(0, field)]
    for block in blocks:
        if block.heading:
            while len(above) > 1 and above[-1][0] >= block.level:
                above.pop()
            known = meanings.get(block.heading.lower()) or field_of(block.heading)
            above.append((block.level, known or above[-1][1]))
            if not known and block.level == BOLD:  # as often a sentence as a heading
                block = Block(f"{block.heading}\n\n{block.text}".strip(), "", block.level)
        yield above[-1][1], block


def _before(first: When, second: When) -> bool:
    """Whether a time is before another one, as far as both are known."""
    at = moment_of(first), moment_of(second)
    if all(one.tzinfo for one in at) or not any(one.tzinfo for one in at):
        exact = all(
            when.precision in (Precision.MINUTE, Precision.SECOND) for when in (first, second)
        )
        if exact:
            return at[0] < at[1]
    return first.earliest() < second.earliest()


def _is_nobody(name: str) -> bool:
    return name.lower() in _NOBODY or _OPAQUE.fullmatch(name) is not None


def _first_line(passages: Sequence[Passage], most: int = 120) -> str:
    """The first sentence of a text that has no title, cut at a word."""
    text = " ".join(passages[0].text.split()) if passages else ""
    sentence = re.split(r"(?<=[.!?。])\s", text, maxsplit=1)[0].rstrip(".")
    if len(sentence) <= most:
        return sentence
    cut = sentence[:most].rstrip()
    return (cut.rpartition(" ")[0] or cut) + " …"


def language(texts: Iterable[str]) -> str:
    """`ko`, `ja`, `zh` or `en`, by the letters of the texts; Latin ones count little."""
    joined = " ".join(texts)
    if joined.isascii():
        return "en"
    hangul = len(re.findall("[가-힣]", joined))
    kana = len(re.findall("[ぁ-ヿ]", joined))
    han = len(re.findall("[一-鿿]", joined))
    latin = len(re.findall("[A-Za-z]", joined))
    most, lang = max((hangul, "ko"), (kana * 2, "ja"), (han if kana == 0 else 0, "zh"))
    return lang if most * 5 > latin and most > 1 else "en"


def labelled(sketch: Sketch, label: str, value: object, key: str) -> bool:
    """A custom field by its name: text to a field, names to services, places or labels.

    Returns:
        whether the name was understood.
    """
    plain = " ".join(label.lower().replace("_", " ").split())
    names = named(value, "value", "name", "displayName", "display_value", "title", "label")
    if plain in _SERVICES:
        sketch.services(names)
    elif plain in _REGIONS:
        sketch.regions(names)
    elif plain in _SEVERITIES:
        sketch.severity = sketch.severity or (names[0] if names else "")
    elif plain in _CATEGORIES:
        sketch.given(_CATEGORIES[plain], names, key)
    elif field := field_of(label):
        for name in [value] if isinstance(value, str) else names:
            sketch.say(field, name, label)
    else:
        return not names
    return True


_SERVICES = words(
    "service|services|affected service|affected services|impacted service|impacted services|"
    "component|components|affected components|application|system|product|서비스|영향 서비스|"
    "영향받은 서비스|장애 서비스|시스템|구성 요소",
    "|",
)
_REGIONS = words(
    "region|regions|affected region|affected regions|location|datacenter|data center|zone|site|"
    "리전|지역|데이터센터|센터",
    "|",
)
_SEVERITIES = words("severity|incident severity|심각도|장애 등급|등급", "|")
_CATEGORIES = {
    "root cause category": ClaimKind.CAUSE,
    "cause category": ClaimKind.CAUSE,
    "cause type": ClaimKind.CAUSE,
    "원인 분류": ClaimKind.CAUSE,
    "원인 유형": ClaimKind.CAUSE,
    "contributing factors": ClaimKind.FACTOR,
    "contributing factor": ClaimKind.FACTOR,
    "detected by": ClaimKind.DETECTION,
    "detection source": ClaimKind.DETECTION,
}
