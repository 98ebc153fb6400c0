"""Which of two cases came first, as far as their dates say; and what was compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from itertools import product

from kg.model import Case, DateKind
from kg.model.days import days_of, moment_of

EVENT_KINDS = (DateKind.STARTED, DateKind.DETECTED, DateKind.MITIGATED, DateKind.ENDED)
"""Times of the event itself, in the order in which they are compared; publication is none."""

_KINDS = (*EVENT_KINDS, DateKind.PUBLISHED)


@dataclass(frozen=True)
class Order:
    """Two cases in order of time, and what that rests on.

    Attributes:
        earlier, later: case ids.
        earlier_kind, earlier_at, later_kind, later_at: the two times that were compared, of
            which kind and as they are written.
        same_kind: whether both are of one kind.
        sure: whether these times show that the one event came before the other: two times of the
            events of one kind, or any time of one case before the start of the other. Two dates of
            publication only show which was published first.
        least_days, most_days: days between the two times; they differ where a time is known to
            the month or year only, or is approximate.
    """

    earlier: str
    later: str
    earlier_kind: DateKind
    earlier_at: str
    later_kind: DateKind
    later_at: str
    same_kind: bool
    sure: bool
    least_days: int
    most_days: int


@dataclass(frozen=True)
class Times:
    """The times of a case, made ready for comparing it with many others.

    `at` holds them as they are written, `days` the first and last day that each can mean,
    `moments` those that are exact and have a zone, in UTC.
    """

    case: str
    at: Mapping[DateKind, str]
    days: Mapping[DateKind, tuple[date, date]]
    moments: Mapping[DateKind, datetime]


Kinds = tuple[DateKind, DateKind]
"""The kind of the time of the earlier case that is compared, and that of the later one."""


def times_of(case: Case) -> Times:
    """The first time of each kind that a case states."""
    stated = {kind: when for kind in DateKind if (when := case.when(kind))}
    moments = {kind: moment_of(when) for kind, when in stated.items() if not when.approx}
    return Times(
        case=case.id,
        at={kind: when.at for kind, when in stated.items()},
        days={kind: days_of(when) for kind, when in stated.items()},
        moments={kind: moment for kind, moment in moments.items() if moment.tzinfo},
    )


def order_of(a: Case, b: Case) -> Order | None:
    """The order of two cases, by the best pair of their times; None when none tells them apart.

    Times of the events of one kind are preferred, then any time before a start, then two dates
    of publication, then other pairs. Times that overlap within their precision tell nothing.
    """
    x, y = times_of(a), times_of(b)
    found = first_of(x, y)
    return None if found is None else make_order(*((x, y) if found[0] else (y, x)), found[1])


def first_of(x: Times, y: Times) -> tuple[bool, Kinds] | None:
    """Whether the first of two cases came first, and what says so; None when nothing does."""
    for kinds in _PAIRS:
        one, other = _lies_before(x, y, kinds), _lies_before(y, x, kinds)
        if one is not other:  # both ways round it would tell nothing
            return one, kinds
    return None


def _lies_before(x: Times, y: Times, kinds: Kinds) -> bool:
    """Whether a time of `x` lies wholly before one of `y`."""
    first, second = x.days.get(kinds[0]), y.days.get(kinds[1])
    if first is None or second is None:
        return False
    if first[1] < second[0]:
        return True
    # Within a day moments decide, if both are exact and their zones are known.
    moments = x.moments.get(kinds[0]), y.moments.get(kinds[1])
    return moments[0] is not None and moments[1] is not None and moments[0] < moments[1]


def gap_of(x: Times, y: Times, kinds: Kinds) -> tuple[int, int]:
    """The least and the most days between a time of the earlier case and one of the later."""
    first, second = x.days[kinds[0]], y.days[kinds[1]]
    return (second[0] - first[1]).days, (second[1] - first[0]).days


def is_sure(kinds: Kinds) -> bool:
    """Whether one time of these kinds before the other proves the order of the events."""
    return kinds[1] is DateKind.STARTED or kinds[0] is kinds[1] is not DateKind.PUBLISHED


def make_order(x: Times, y: Times, kinds: Kinds) -> Order:
    """The order of an earlier and a later case by times of these kinds."""
    least, most = gap_of(x, y, kinds)
    return Order(
        earlier=x.case,
        later=y.case,
        earlier_kind=kinds[0],
        earlier_at=x.at[kinds[0]],
        later_kind=kinds[1],
        later_at=y.at[kinds[1]],
        same_kind=kinds[0] is kinds[1],
        sure=is_sure(kinds),
        least_days=least,
        most_days=most,
    )


def _pairs() -> tuple[Kinds, ...]:
    """Pairs of kinds, the ones that prove more first."""
    same = [(k, k) for k in EVENT_KINDS]
    before_start = [(k, DateKind.STARTED) for k in _KINDS if k is not DateKind.STARTED]
    first = [*same, *before_start, (DateKind.PUBLISHED, DateKind.PUBLISHED)]
    return (*first, *(p for p in product(_KINDS, _KINDS) if p not in first))


_PAIRS = _pairs()
