"""A page that lists cases of an incident library: cards, and groups by cause with ids."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from kg.model import CaseKind, ClaimKind, DateKind, SourceKind
from kg.readers.draft import Cited, Draft, Given
from kg.readers.gathering import LABELLED, Gathering
from kg.readers.libraryline import CHIP, Line, chips
from kg.readers.spoken import kind_by_words

_FIELDS = {
    "증상": "symptom", "symptom": "symptom", "symptoms": "symptom", "촉발": "trigger",
    "trigger": "trigger", "원인": "cause", "cause": "cause", "causes": "cause",
    "구성 요소": "component", "components": "component", "기여 요인": "factor",
    "contributing factors": "factor", "감지": "detection", "detection": "detection",
    "조치": "mitigation", "mitigation": "mitigation", "후속 조치": "follow_up",
    "follow-up": "follow_up", "교훈": "lesson", "lesson": "lesson", "lessons": "lesson",
}  # fmt: skip
_KINDS = {
    "symptom": ClaimKind.SYMPTOM, "cause": ClaimKind.CAUSE, "component": ClaimKind.COMPONENT,
    "factor": ClaimKind.FACTOR,
}  # fmt: skip
_ENTRY = re.compile(r"([A-Z]{2,6}-\d{1,8})[\s¦]+(\S.*)")
_GROUP = re.compile(r"(\D{2,40}?)[\s¦]*(\d{1,5})\s?(?:건|cases?)")
_OWNER = re.compile(r"(.*\D)[\s¦·]*((?:19|20)\d{2})")
_END = re.compile(r"(?:내 클러스터에도|check your own|원인별|by cause)", re.I)
_MARGIN = 1.3
"""How many times as much as the next title a card must share with its own."""


@dataclass
class _Card:
    """A card of the list: its lines by field, and the label above them."""

    line: int
    fields: dict[str, list[Line]] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    source_id: str = ""
    title: str = ""

    @property
    def text(self) -> str:
        return " ".join(t.text for lines in self.fields.values() for t in lines)


@dataclass
class _Entry:
    """A case in a group: its id and title, and what stands below it."""

    source_id: str
    title: str
    cause: str
    organization: str = ""
    year: str = ""


def is_list(lines: Sequence[Line]) -> bool:
    """Whether the lines are a page that lists cases: two cards at least."""
    return len(_cards(lines)) >= 2


def listed(name: str, lines: Sequence[Line], system: str) -> Iterator[Draft]:
    """The cases of a list, one draft each, in its order."""
    cards, entries = _cards(lines), _entries(lines)
    known = {c.source_id for c in cards if c.source_id}
    ties = _ties(
        [c for c in cards if not c.source_id], [e for e in entries if e.source_id not in known]
    )
    by_id = {e.source_id: e for e in entries}
    for card in cards:
        entry = by_id.get(card.source_id) or ties.get(id(card))
        yield _draft(name, card, entry, system)


def _cards(lines: Sequence[Line]) -> list[_Card]:
    cards: list[_Card] = []
    place, before = "", Line("")
    for line in lines:
        key = line.text.lower().rstrip(":")
        if cards and _END.match(line.text):
            break
        if key in _FIELDS:
            place = _FIELDS[key]
            if place == "symptom":
                cards.append(_begun(line, before))
            if cards:
                cards[-1].fields.setdefault(place, [])
                cards[-1].labels.setdefault(place, line.text)
        elif cards and place and not _ENTRY.fullmatch(line.text):
            cards[-1].fields[place].append(line)
        before = line
    return [c for c in cards if len(c.fields) >= 2 and c.fields.get("symptom")]


def _begun(line: Line, before: Line) -> _Card:
    """A card, with the id and title that stand above it."""
    found = _ENTRY.fullmatch(before.text)
    return _Card(line.number, {}, {}, found[1] if found else "", found[2] if found else "")


def _entries(lines: Sequence[Line]) -> list[_Entry]:
    """The ids and titles below the cards, by cause, with owner and year where they stand there."""
    found: list[_Entry] = []
    cause = ""
    for line in lines:
        if entry := _ENTRY.fullmatch(line.text):
            found.append(_Entry(entry[1], entry[2].replace(CHIP, " ").strip(), cause))
        elif group := _GROUP.fullmatch(line.text):
            cause = group[1].strip(f" {CHIP}")
        elif found and (owner := _OWNER.fullmatch(line.text)) and len(line.text) < 60:
            found[-1].organization, found[-1].year = owner[1].strip(f" ·{CHIP}"), owner[2]
    return found


def _ties(cards: Sequence[_Card], entries: Sequence[_Entry]) -> dict[int, _Entry]:
    """Which entry a card belongs to, where the page does not say so.

    A card belongs to the title with which it shares the most words, rare ones first, when that is
    so from both sides and clearly so; else it stays without id.
    """
    titles = [_words(e.title) for e in entries]
    texts = [_words(c.text) for c in cards]
    spread = Counter(w for words in (*titles, *texts) for w in words)
    total = len(titles) + len(texts) + 1

    def shared(a: set[str], b: set[str]) -> float:
        weight = {w: math.log(total / spread[w]) for w in a}
        return sum(weight[w] for w in a & b) / math.sqrt(sum(weight.values()) or 1)

    scores = [[shared(title, text) for title in titles] for text in texts]
    found: dict[int, _Entry] = {}
    for i, row in enumerate(scores):
        best = max(range(len(row)), key=lambda j: (row[j], -j), default=None)
        if best is None:
            continue
        others = [
            *(s for j, s in enumerate(row) if j != best),
            *(scores[k][best] for k in range(len(scores)) if k != i),
        ]
        if row[best] > 0 and row[best] >= _MARGIN * max(others, default=0):
            found[id(cards[i])] = entries[best]
    return found


def _words(text: str) -> set[str]:
    """Numbers, Latin words, and pairs of Korean syllables."""
    latin = set(re.findall(r"\d[\d,.]*\d|\d+|[a-z][a-z0-9_-]+", text.lower()))
    korean = re.findall(r"[가-힣]+", text)
    return latin | {word[i : i + 2] for word in korean for i in range(len(word) - 1)}


def _draft(name: str, card: _Card, entry: _Entry | None, system: str) -> Draft:
    into = Gathering("library-page", name, system=system, line=card.line)
    into.source_id = card.source_id or (entry.source_id if entry else "")
    for place, lines in card.fields.items():
        _field(into, place, card.labels[place], lines)
    symptom = next((p.text for p in into.passages if p.field == "symptom"), "")
    into.title = (entry.title if entry else card.title) or symptom.split(". ")[0].split("\n")[0]
    if entry is not None:
        into.organization = entry.organization
        if entry.year:
            into.when(DateKind.PUBLISHED, entry.year, LABELLED)
        if entry.cause:
            into.given.append(Given(ClaimKind.CAUSE, entry.cause, key="원인별"))
    if entry is not None and not card.source_id:
        into.note(
            f"the page does not tie this card to an id; {entry.source_id} by the words they share",
            "Read the page of the case instead, if it is another",
            line=card.line,
        )
    elif entry is None and not card.source_id:
        into.note(
            "the page does not tie this card to an id",
            "Read the page of the case instead",
            line=card.line,
        )
    into.kind = kind_by_words(into.title, symptom)
    if into.kind is not CaseKind.INCIDENT:
        told = f"taken for a {into.kind} and not for one incident, by its words"
        into.note(told, "Say so if it tells of one incident", line=card.line, about="kind")
    into.source = Cited(SourceKind.LIBRARY, into.title)
    return into.draft()


def _field(into: Gathering, place: str, label: str, lines: Sequence[Line]) -> None:
    kind = _KINDS.get(place)
    if kind is not None and place != "symptom":
        for line in lines:
            found = chips(line.text, str(kind)) if line.said else None
            if found is None and line.said:
                into.add("cause", line.text, label, line.number)
            into.given += [Given(kind, n, key=label) for n in found or ()]
        return
    texts = [t for t in lines if t.said]
    if texts:
        joined = "\n\n".join(t.text.replace(CHIP, ", ") for t in texts)
        into.add(place, joined, label, texts[0].number)
