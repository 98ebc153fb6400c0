"""Pairs of cases that may tell of one event, with a probability and the reasons for it.

Each way of comparing two cases has outcomes, and each outcome a weight: the logarithm of how many
times as often it is met in pairs that tell of one event as in pairs that do not (Fellegi & Sunter
1969, "A theory for record linkage"). The weights and the odds beforehand add up to the log odds.
Both shares of each weight are reasoned, from how status pages, tickets and postmortems are
written; some were corrected after looking at three planted worlds and at the shipped cases, and
none at those on which `docs/merging.md` reports. Nearness of meaning is no reason: on the planted
worlds it spoke for what came back rather than for what was told twice.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from kg.intake.eventmarks import Marks, Rarity, marks_of, rarity_of
from kg.intake.eventpairs import SOON, candidate_pairs
from kg.model import Case, CaseKind

BEFOREHAND = math.log(0.05)
"""Log odds that two cases that are compared at all tell of one event: one in twenty."""

SHARES: Mapping[str, tuple[float, float]] = {
    "begin and end": (0.35, 0.004),
    "begin": (0.45, 0.02),
    "overlap": (0.15, 0.06),
    "same day": (0.30, 0.10),
    "days overlap": (0.20, 0.20),
    "apart in a day": (0.03, 0.30),
    "next day": (0.05, 0.10),
    "told that day": (0.40, 0.09),
    "told soon after": (0.25, 0.25),
    "told much later": (0.08, 0.35),
    "told on other days": (0.15, 0.60),
    "no day": (0.10, 0.15),
    "other day": (0.002, 0.60),
    "services": (0.55, 0.08),
    "service named": (0.45, 0.15),
    "other services": (0.25, 0.45),
    "owner": (0.90, 0.60),
    "other owner": (0.01, 0.30),
    "regions": (0.50, 0.20),
    "other regions": (0.05, 0.35),
    "address": (0.30, 0.002),
    "one report": (0.05, 0.40),
    "identifier": (0.30, 0.003),
    "cited": (0.10, 0.08),
    "duplicate": (0.50, 0.001),
    "one system": (0.05, 0.50),
    "one format": (0.25, 0.55),
    "titles": (0.35, 0.09),
    "title words": (0.30, 0.17),
    "words": (0.40, 0.03),
    "alike on other days": (0.40, 0.20),
    "some words": (0.35, 0.15),
    "other words": (0.25, 0.50),
    "figures": (0.35, 0.04),
    "a figure": (0.25, 0.10),
    "other figures": (0.08, 0.45),
    "length": (0.20, 0.03),
    "other length": (0.10, 0.30),
}
"""Outcome -> its share among pairs of one event, and among other pairs that are compared."""

WEIGHTS: Mapping[str, float] = {
    name: math.log(same / other) for name, (same, other) in SHARES.items()
}
"""Outcome -> what it adds to the log odds: the logarithm of the ratio of its two shares."""

LIKE_TITLES, LIKE_WORDS = (0.5, 0.2), (0.35, 0.18)
"""Cosines from which titles, and texts, are much or somewhat alike."""
UNLIKE_WORDS = 0.06
TOGETHER = timedelta(minutes=20)
"""How far apart two sources may put the same beginning, or end."""
LATE = 90
"""Days within which nearly all postmortems are published; most are within `SOON`."""
FIGURES = 3
"""Numbers that two cases have at least for it to say something that none is the same."""


_AWAY = ("told on other days", "told much later", "other day")
"""Outcomes with which like texts speak rather of an event that came back."""
_MINUTE = "%Y-%m-%d %H:%M UTC"


@dataclass(frozen=True)
class Reason:
    """One outcome of comparing two cases.

    Attributes:
        what: the outcome, of `WEIGHTS`.
        weight: what it adds to the log odds, above 0 for one event.
        told: the days, names, words or numbers that it rests on.
    """

    what: str
    weight: float
    told: tuple[str, ...] = ()


@dataclass(frozen=True)
class SameEvent:
    """Two cases that may tell of one event.

    Attributes:
        case_id, other_id: the cases, the lesser id first.
        probability: that they do, 0 to 1.
        reasons: what speaks for it and against it, the strongest first.
    """

    case_id: str
    other_id: str
    probability: float
    reasons: tuple[Reason, ...]


def same_events(
    cases: Iterable[Case],
    *,
    least: float = 0.5,
    apart: Iterable[tuple[str, str]] = (),
    mixed: bool = False,
) -> list[SameEvent]:
    """Pairs of cases that may tell of one event, the likeliest first.

    Args:
        cases: all cases.
        least: least probability.
        apart: pairs that people told apart, the lesser id first; they are left out.
        mixed: compare an incident with a series or a study as well.
    """
    marks = sorted((marks_of(c) for c in cases), key=lambda m: m.case_id)
    rarity, refused = rarity_of(marks), set(apart)
    found = []
    for one, other in candidate_pairs(marks):
        pair = one.case_id, other.case_id
        if pair in refused or not _comparable(one, other, mixed):
            continue
        proposed = compared(one, other, rarity)
        if proposed.probability >= least:
            found.append(proposed)
    return sorted(found, key=lambda p: (-p.probability, p.case_id, p.other_id))


def compared(one: Marks, other: Marks, rarity: Rarity) -> SameEvent:
    """Two cases compared in every way."""
    reasons = sorted(_reasons(one, other, rarity), key=lambda r: (-abs(r.weight), r.what))
    odds = BEFOREHAND + sum(r.weight for r in reasons)
    return SameEvent(
        one.case_id, other.case_id, round(1 / (1 + math.exp(-odds)), 4), tuple(reasons)
    )


def _comparable(one: Marks, other: Marks, mixed: bool) -> bool:
    if one.kind is not other.kind and not mixed:
        return False
    if one.kind is CaseKind.STUDY and other.kind is CaseKind.STUDY:
        return False
    return one.key is None or one.key != other.key


def _reasons(one: Marks, other: Marks, rarity: Rarity) -> Iterator[Reason]:
    time = _time(one, other)
    yield time
    yield from _names(one, other)
    yield from _links(one, other, time.what)
    yield from _words(one, other, rarity, time.what in _AWAY)
    yield from _figures(one, other, rarity)


def _reason(what: str, told: Iterable[str] = ()) -> Reason:
    return Reason(what, round(WEIGHTS[what], 4), tuple(told))


def _time(one: Marks, other: Marks) -> Reason:
    if one.days and other.days:
        told = [d.isoformat() for d in (one.days[0], other.days[0])]
        gap = max(one.days[0] - other.days[1], other.days[0] - one.days[1]).days
        if one.moments and other.moments:
            a, b = one.moments, other.moments
            apart = max(a[0] - b[1], b[0] - a[1])
            if apart <= timedelta(0) or abs(a[0] - b[0]) <= TOGETHER:
                return _reason(_overlap(a, b), [m[0].strftime(_MINUTE) for m in (a, b)])
            if apart <= timedelta(days=1):
                return _reason("apart in a day", [m[0].strftime("%H:%M UTC") for m in (a, b)])
        elif gap <= 0:
            short = abs((one.days[0] - other.days[0]).days) <= 1
            return _reason("same day" if short else "days overlap", told)
        elif gap == 1:
            return _reason("next day", told)
        return _reason("other day", told)
    for dated, late in ((one, other), (other, one)):
        if dated.days and late.published:
            after = [(p - dated.days[0]).days for p in late.published]
            days = [dated.days[0].isoformat(), late.published[0].isoformat()]
            return _reason(_told_after([n for n in after if n >= 0]), days)
    if one.published and other.published:
        gap = min(abs((a - b).days) for a in one.published for b in other.published)
        days = [one.published[0].isoformat(), other.published[0].isoformat()]
        what = "told that day" if gap <= 1 else "told on other days"
        return _reason(what if gap <= LATE else "other day", days)
    return _reason("no day")


def _overlap(a: tuple[datetime, datetime], b: tuple[datetime, datetime]) -> str:
    begin = abs(a[0] - b[0]) <= TOGETHER
    ended = a[1] > a[0] and b[1] > b[0]
    if begin and ended and abs(a[1] - b[1]) <= TOGETHER:
        return "begin and end"
    return "begin" if begin else "overlap"


def _told_after(days: Sequence[int]) -> str:
    least = min(days, default=LATE + 1)
    if least <= 1:
        return "told that day"
    if least <= SOON:
        return "told soon after"
    return "told much later" if least <= LATE else "other day"


def _names(one: Marks, other: Marks) -> Iterator[Reason]:
    shared = one.names & other.names - one.owners
    named = {
        n
        for a, b in ((one, other), (other, one))
        for n in a.names
        if ":" not in n and f" {n} " in b.plain
    }
    if shared:
        yield _reason("services", sorted(shared))
    elif named:
        yield _reason("service named", sorted(named))
    elif one.names and other.names:
        yield _reason("other services")
    if one.owners and other.owners:
        same = one.owners & other.owners
        yield _reason("owner", sorted(same)) if same else _reason("other owner")
    if one.regions and other.regions:
        both = one.regions & other.regions
        yield _reason("regions", sorted(both)) if both else _reason("other regions")


def _links(one: Marks, other: Marks, time: str) -> Iterator[Reason]:
    systems = [m.key[0] for m in (one, other) if m.key]
    if _duplicates(one, other):
        yield _reason("duplicate", [(one.key or other.key or ("", ""))[0]])
    elif len(systems) == 2 and systems[0] == systems[1]:
        yield _reason("one system", systems[:1])
    elif one.format and one.format == other.format:
        yield _reason("one format", [one.format])
    report = one.own_addresses & other.own_addresses
    addresses = (one.own_addresses & other.addresses) | (other.own_addresses & one.addresses)
    if report and one.format == other.format:
        yield _reason("one report", sorted(report)[:1])
        return  # whoever wrote cases of it saw several events in it
    ids = (one.ids & other.mentioned) | (other.ids & one.mentioned)
    if (addresses or ids) and time in ("other day", "next day"):
        yield _reason("cited", sorted(addresses or ids)[:1])
    elif addresses:
        yield _reason("address", sorted(addresses)[:1])
    elif ids:
        yield _reason("identifier", sorted(ids)[:1])


def _duplicates(one: Marks, other: Marks) -> bool:
    """Whether the system of one of them names the other as the same event."""
    for a, b in ((one, other), (other, one)):
        if a.key and b.key and a.key[0] == b.key[0] and b.key[1] in a.duplicates:
            return True
    return False


def _words(one: Marks, other: Marks, rarity: Rarity, away: bool) -> Iterator[Reason]:
    if not one.languages & other.languages:
        return  # other words are what another language has
    titles = rarity.likeness(one.title, other.title)
    if not away and titles >= LIKE_TITLES[1]:
        shared = sorted({*one.title} & {*other.title}, key=lambda w: (rarity.words.get(w, 0), w))
        yield _reason("titles" if titles >= LIKE_TITLES[0] else "title words", shared[:5])
    likeness = rarity.likeness(one.text, other.text)
    rare = sorted({*one.text} & {*other.text}, key=lambda w: (rarity.words.get(w, 0), w))
    if away and likeness >= LIKE_WORDS[1]:
        yield _reason("alike on other days", rare[:5])
    elif likeness >= LIKE_WORDS[1]:
        yield _reason("words" if likeness >= LIKE_WORDS[0] else "some words", rare[:5])
    elif likeness < UNLIKE_WORDS:
        yield _reason("other words")


def _figures(one: Marks, other: Marks, rarity: Rarity) -> Iterator[Reason]:
    few = max(2, rarity.cases // 50)
    shared = sorted(n for n in one.numbers & other.numbers if rarity.numbers[n] <= few)
    if shared:
        yield _reason("figures" if len(shared) > 1 else "a figure", shared[:5])
    elif not one.numbers & other.numbers and min(len(one.numbers), len(other.numbers)) >= FIGURES:
        yield _reason("other figures")
    if one.recovered and other.recovered:
        short, long = sorted((one.recovered, other.recovered))
        if long <= 1.1 * short:
            yield _reason("length", [f"{short:g} s"])
        elif long >= 3 * short:
            yield _reason("other length", [f"{one.recovered:g} s", f"{other.recovered:g} s"])
