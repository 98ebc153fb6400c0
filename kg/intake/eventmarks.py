"""What tells an event apart from others: its days, its names, its addresses, its words and numbers.

Everything that two cases are compared by is taken out of each case once, so that a pair costs
little.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from kg.model import PROSE_FIELDS, Case, CaseKind, ClaimKind, DateKind, Status, When
from kg.model.days import days_of, moment_of
from kg.model.text import OMITTED
from kg.model.values import Precision
from kg.vocab.spelling import normal, words

_EXACT = (Precision.MINUTE, Precision.SECOND)
_COARSE = (Precision.YEAR, Precision.MONTH)
_TOLD = ("title", "summary", "impact", "symptom", "trigger", "cause", "detection", "mitigation")
_NUMBER = re.compile(r"(?<![\w.:-])\d[\d,]*(?:\.\d+)?(?::\d\d)?(?![\w-])")
_YEAR = re.compile(r"(?:19|20)\d\d")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\d[A-Za-z0-9._-]*")
_ADDRESS = re.compile(r"https?://[^\s<>\"')\]}]+", re.I)
_LEAST_ID, _LEAST_NUMBER = 4, 8
"""Characters that an identifier, and one of digits only, has at least to be looked for."""


@dataclass(frozen=True)
class Marks:
    """What a case is compared by.

    Attributes:
        case_id, kind: of the case.
        key: system and identifier of its document; None where it has none.
        format: in which its document was read; "" for a case file.
        duplicates: identifiers in that system of the same event, as the source names them.
        days: first and last day of the event, None where no time of it is told to the day.
        moments: begin and end in UTC, where both or the begin are told to the minute with a zone.
        published: the days on which it was told of.
        names: services as their words, and ids of components and organisations.
        owners: ids of the organisations whose system broke.
        regions: as their words.
        addresses: of sources and links, and in texts; without scheme.
        own_addresses: of sources and links alone.
        ids: identifiers of the case and of its document.
        mentioned: words of its texts that may be identifiers.
        languages: of its texts.
        title: words of the title with their counts.
        text: words of the texts with their counts.
        plain: the texts' words joined by blanks, to look names up in.
        numbers: numbers and clock times of its texts, years aside.
        recovered: seconds to recover; None where not stated.
    """

    case_id: str
    kind: CaseKind
    key: tuple[str, str] | None
    format: str
    duplicates: frozenset[str]
    days: tuple[date, date] | None
    moments: tuple[datetime, datetime] | None
    published: tuple[date, ...]
    names: frozenset[str]
    owners: frozenset[str]
    regions: frozenset[str]
    addresses: frozenset[str]
    own_addresses: frozenset[str]
    ids: frozenset[str]
    mentioned: frozenset[str]
    languages: frozenset[str]
    title: Mapping[str, int]
    text: Mapping[str, int]
    plain: str
    numbers: frozenset[str]
    recovered: float | None


def marks_of(case: Case) -> Marks:
    """The marks of a case."""
    texts = [
        (field, text.replace(OMITTED, " "), lang)
        for field, lang, text in case.texts()
        if field in PROSE_FIELDS
    ]
    whole = "\n".join(text for _, text, _ in texts)
    told = [text for field, text, _ in texts if field in _TOLD]
    own = {_bare(a) for a in _own_addresses(case)} - {""}
    forms = [w.form for text in told for w in words(text)]
    origin = case.origin
    ids = {case.id, *([origin.identifier] if origin and origin.identifier else [])}
    return Marks(
        case_id=case.id,
        kind=case.kind,
        key=origin.key if origin else None,
        format=origin.format if origin else "",
        duplicates=frozenset(origin.duplicates if origin else ()),
        days=_days(case),
        moments=_moments(case),
        published=tuple(sorted({days_of(d)[0] for d in case.dates if _told_of(d)})),
        names=frozenset(_names(case)),
        owners=frozenset(_terms(case, ClaimKind.ORGANIZATION, "owner")),
        regions=frozenset(" ".join(normal(r)) for r in case.regions or ()),
        addresses=frozenset(own | {_bare(a) for a in _ADDRESS.findall(whole)} - {""}),
        own_addresses=frozenset(own),
        ids=frozenset(filter(_telling, ids)),
        mentioned=frozenset(m.strip("._-") for m in _ID.findall(whole)),
        languages=frozenset(lang for _, _, lang in texts),
        title=Counter(w.stem for f, t, _ in texts if f == "title" for w in words(t)),
        text=Counter(w.stem for text in told for w in words(text)),
        plain=f" {' '.join(forms)} ",
        numbers=frozenset(_numbers(whole)),
        recovered=case.time_to_recover.seconds if case.time_to_recover else None,
    )


def _telling(identifier: str) -> bool:
    """Whether an identifier in a text can hardly be anything else; short numbers can."""
    short = _LEAST_NUMBER if identifier.isdigit() else _LEAST_ID
    return len(identifier) >= short and any(c.isdigit() for c in identifier)


def _told_of(when: When) -> bool:
    return when.kind is DateKind.PUBLISHED and when.precision not in _COARSE


def _event_dates(case: Case) -> list[When]:
    return [
        d for d in case.dates if d.kind is not DateKind.PUBLISHED and d.precision not in _COARSE
    ]


def _days(case: Case) -> tuple[date, date] | None:
    spans = [days_of(d) for d in _event_dates(case)]
    return (min(a for a, _ in spans), max(b for _, b in spans)) if spans else None


def _moments(case: Case) -> tuple[datetime, datetime] | None:
    """Begin and end of the event, told to the minute with a zone; begin twice without an end."""
    exact = [
        (d.kind, moment_of(d))
        for d in _event_dates(case)
        if d.precision in _EXACT and not d.approx and moment_of(d).tzinfo is not None
    ]
    if not exact:
        return None
    moments = [m for _, m in exact]
    return min(moments), max(moments)


def _names(case: Case) -> Iterable[str]:
    yield from (name for s in case.services or () if (name := " ".join(normal(s))))
    yield from _terms(case, ClaimKind.COMPONENT)
    yield from _terms(case, ClaimKind.ORGANIZATION)


def _terms(case: Case, kind: ClaimKind, role: str | None = None) -> Iterable[str]:
    for claim in case.claims:
        stated = claim.kind is kind and claim.status is not Status.RULED_OUT
        if stated and role in (None, claim.role):
            yield from claim.terms


def _own_addresses(case: Case) -> Iterable[str]:
    sources = (*(case.sources or ()), *(case.references or ()))
    for locator in (*(s.locator for s in sources), *(link.href for link in case.links)):
        yield from _ADDRESS.findall(locator)


def _bare(address: str) -> str:
    """An address as it is compared; "" for the front page of a site, which tells no event."""
    found = re.sub(r"^https?://(www\.)?", "", address.lower()).rstrip("/.,;:#?")
    return found if "/" in found else ""


def _numbers(text: str) -> Iterable[str]:
    for match in _NUMBER.finditer(text):
        number = match.group().replace(",", "").rstrip(".")
        if len(number) > 1 and not _YEAR.fullmatch(number):
            yield number


@dataclass(frozen=True)
class Rarity:
    """In how many cases each name, word and number stands.

    Attributes:
        cases: how many cases there are.
        names, words, numbers: counts of cases.
    """

    cases: int
    names: Mapping[str, int]
    words: Mapping[str, int]
    numbers: Mapping[str, int]

    def weight(self, count: int) -> float:
        """log((N + 1) / (n + 0.5)): how much sharing something says that n cases have."""
        return math.log((self.cases + 1) / (count + 0.5))

    def likeness(self, one: Mapping[str, int], other: Mapping[str, int]) -> float:
        """Cosine of two texts by their words, rare ones weighing more (tf-idf), 0 to 1."""
        if len(other) < len(one):
            one, other = other, one
        shared = sum(self._square(w) for w in one if w in other)
        size = math.sqrt(self._size(one) * self._size(other))
        return shared / size if size else 0.0

    def _square(self, word: str) -> float:
        return self.weight(self.words.get(word, 0)) ** 2

    def _size(self, text: Mapping[str, int]) -> float:
        return sum(map(self._square, text))


def rarity_of(marks: Iterable[Marks]) -> Rarity:
    """How rare things are among cases."""
    known = list(marks)
    return Rarity(
        len(known),
        Counter(n for m in known for n in m.names),
        Counter(w for m in known for w in m.text),
        Counter(n for m in known for n in m.numbers),
    )


def days_between(first: date, last: date, most: int) -> Iterable[date]:
    """The days from one to another, at most so many."""
    for i in range(min(most, (last - first).days + 1)):
        yield first + timedelta(days=i)
