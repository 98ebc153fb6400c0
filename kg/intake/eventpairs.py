"""Which pairs of cases are worth comparing: of one day, naming each other, or with rare things.

Comparing all pairs of a library would take its square; two cases of one event nearly always meet
in one of these ways.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import combinations

from kg.intake.eventmarks import Marks, days_between

LONGEST = 14
"""Days of an event by which it is looked up; of a longer one the first so many."""
SOON = 14
"""Days before its publication in which the event of a case is looked for by names and words."""
CROWD = 40
"""Cases of one day from which on only those are compared that share a name, word or number."""
RARE = 5
"""Cases that have a name, title word or number at most for it to bring undated ones together."""

_Pairs = set[tuple[int, int]]


def candidate_pairs(marks: Sequence[Marks]) -> Iterator[tuple[Marks, Marks]]:
    """Pairs of cases, given in order of their ids; each once, the lesser id first."""
    found: _Pairs = set()
    for group in _by_day(marks).values():
        found |= _within(sorted(group), marks)
    found |= _naming(marks)
    found |= _published_after(marks)
    found |= _undated(marks)
    for i, j in sorted(found):
        yield marks[i], marks[j]


def _by_day(marks: Sequence[Marks]) -> Mapping[date, set[int]]:
    """The cases of each day and of the day before, so that those at midnight meet.

    A case that tells no day of its event stands with the day on which it was published.
    """
    found: dict[date, set[int]] = defaultdict(set)
    for i, m in enumerate(marks):
        spans = [m.days] if m.days else [(day, day) for day in m.published]
        for first, last in spans:
            for day in days_between(first, last, LONGEST):
                found[day].add(i)
                if day < date.max:
                    found[day + timedelta(days=1)].add(i)
    return found


def _within(group: Sequence[int], marks: Sequence[Marks]) -> _Pairs:
    """The pairs of a day; of a crowded one, those that share something that is not common."""
    if len(group) <= CROWD:
        return set(combinations(group, 2))
    return _sharing(group, marks, len(group) // 2)


def _naming(marks: Sequence[Marks]) -> _Pairs:
    """Pairs of which one has an identifier or address of the other."""
    own: dict[str, list[int]] = defaultdict(list)
    for i, m in enumerate(marks):
        for name in {*m.ids, *m.own_addresses, *_keys(m, [m.key[1]] if m.key else [])}:
            own[name].append(i)
    found: _Pairs = set()
    for i, m in enumerate(marks):
        named = {*m.mentioned, *m.addresses, *m.ids, *_keys(m, m.duplicates)}
        for name in named & own.keys():
            if len(own[name]) <= CROWD:
                found |= {(min(i, j), max(i, j)) for j in own[name] if j != i}
    return found


def _keys(m: Marks, identifiers: Iterable[str]) -> list[str]:
    """Identifiers with the system that gave them."""
    return [f"{m.key[0]} {i}" for i in identifiers] if m.key else []


def _published_after(marks: Sequence[Marks]) -> _Pairs:
    """Cases that tell only when they were published, with events shortly before of like names."""
    begun: dict[tuple[date, str], list[int]] = defaultdict(list)
    for i, m in enumerate(marks):
        if m.days:
            for name in _shareable(m):
                begun[m.days[0], name].append(i)
    found: _Pairs = set()
    for i, m in enumerate(marks):
        for day in () if m.days else m.published:
            for back in range(min(SOON, (day - date.min).days) + 1):
                for name in _shareable(m):
                    others = begun.get((day - timedelta(days=back), name), ())
                    found |= {(min(i, j), max(i, j)) for j in others if len(others) <= CROWD}
    return found


def _undated(marks: Sequence[Marks]) -> _Pairs:
    """Pairs with something rare in common of which one tells no day of its event."""
    dateless = {i for i, m in enumerate(marks) if not m.days}
    if not dateless:
        return set()
    return {p for p in _sharing(range(len(marks)), marks, RARE) if not dateless.isdisjoint(p)}


def _sharing(group: Iterable[int], marks: Sequence[Marks], most: int) -> _Pairs:
    """Those of a group that have a name, title word or number that so many have at most."""
    having: dict[str, list[int]] = defaultdict(list)
    for i in group:
        for name in {*_shareable(marks[i]), *(f"number {n}" for n in marks[i].numbers)}:
            having[name].append(i)
    found: _Pairs = set()
    for members in having.values():
        if 1 < len(members) <= most:
            found.update(combinations(sorted(members), 2))
    return found


def _shareable(m: Marks) -> set[str]:
    return {f"name {n}" for n in m.names} | {f"word {w}" for w in m.title}
