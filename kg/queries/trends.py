"""Trends: how the share of each term among the incidents of a period changes over time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from kg.errors import BadQuery
from kg.graph import Edge, IncidentGraph
from kg.model import Case, CaseKind, DateKind
from kg.queries.chance import ALPHA, adjusted, wilson
from kg.queries.holding import check_kind, evidence_of, holders, says_no_more
from kg.queries.notes import note
from kg.queries.periods import check_dated, check_period, period_of, periods_between
from kg.queries.shown import Shown
from kg.queries.trend_test import trend_chance, trend_slope
from kg.vocab import Vocabulary

LEAST = 5
"""Below this many incidents a term is not tested for a trend."""


class Direction(StrEnum):
    """Where a share goes; `unclear` when it may well be chance, `few` when there are too few."""

    RISING = "rising"
    FALLING = "falling"
    UNCLEAR = "unclear"
    FEW = "few"


@dataclass(frozen=True)
class PeriodCount:
    """How many incidents of one period confirm a term.

    `n` of the `of` incidents dated in the period do, `cases` are they; `share` is n / of with its
    95 % Wilson interval `low` to `high`, None where no incident is dated in the period.
    """

    period: str
    n: int
    of: int
    share: float | None
    low: float
    high: float
    cases: tuple[str, ...]


@dataclass(frozen=True)
class Trend:
    """One term over time.

    Attributes:
        term: the term; narrower ones count in it.
        n: incidents with it, over all periods.
        direction: see `Direction`.
        slope: change of the share from one period to the next (least squares).
        p: probability of so strong a lean, either way, without a trend (Cochran-Armitage, exact
            for small numbers); None when it is not tested.
        q: the same, corrected for all terms tested (Benjamini and Hochberg 1995).
        counts: one for each period.
        evidence: the edges behind it.
    """

    term: str
    n: int
    direction: Direction
    slope: float
    p: float | None
    q: float | None
    counts: tuple[PeriodCount, ...]
    evidence: tuple[Edge, ...]


@dataclass(frozen=True)
class Trends(Shown):
    """Terms of one kind over time. Iterating gives those that rise or fall, surest first.

    Attributes:
        kind, by, dated: what is counted, by which periods, by which kind of date.
        items: terms that rise or fall beyond chance (q of at most 5 %).
        others: the other terms, most incidents first: unclear ones and those with too few.
        periods: every period from the first to the last, with the incidents dated in it.
        incidents: how many incidents were looked at; series and studies never are.
        undated: of these, those that state no date of this kind; ids.
        coarse: those whose date is known too coarsely for such periods; ids.
        minimum: the least number of incidents for a test; `tested` terms have it.
        note: what this does not mean.
    """

    kind: str
    by: str
    dated: DateKind
    items: tuple[Trend, ...]
    others: tuple[Trend, ...]
    periods: tuple[tuple[str, int], ...]
    incidents: int
    undated: tuple[str, ...]
    coarse: tuple[str, ...]
    minimum: int
    tested: int
    note: str

    def __iter__(self) -> Iterator[Trend]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: int) -> Trend:
        return self.items[index]


def trends(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    cases: Iterable[Case],
    kind: str = "cause",
    by: str = "year",
    dated: str = DateKind.STARTED,
    minimum: int = LEAST,
    lang: str = "en",
) -> Trends:
    """Confirmed terms of a kind by period, over the incidents among `cases`.

    Incidents are counted in the period of one kind of date; those that lack it are counted apart,
    never by another kind. A broader term is told only where it covers more incidents than each
    term below it.

    Raises:
        BadQuery: a kind, period, kind of date or minimum that cannot be used.
    """
    check_kind(kind)
    check_period(by)
    date_kind = check_dated(dated)
    if minimum < 1:
        raise BadQuery(f"minimum must be 1 or more, not {minimum}")
    incidents = {c.id: c for c in cases if c.kind is CaseKind.INCIDENT}
    placed, undated, coarse = _placed(incidents, by, date_kind)
    held = holders(graph, vocabulary, sorted(placed), kind)
    periods = _periods(placed)
    found = [
        _trend(graph, vocabulary, kind, term, ids, placed, periods, minimum)
        for term, ids in held.items()
        if not says_no_more(vocabulary, term, ids, held)
    ]
    judged = _judged(found)
    return Trends(
        kind=kind,
        by=by,
        dated=date_kind,
        items=tuple(t for t in judged if t.direction in (Direction.RISING, Direction.FALLING)),
        others=tuple(
            sorted(
                (t for t in judged if t.direction in (Direction.UNCLEAR, Direction.FEW)),
                key=lambda t: (-t.n, t.term),
            )
        ),
        periods=tuple(periods.items()),
        incidents=len(incidents),
        undated=undated,
        coarse=coarse,
        minimum=minimum,
        tested=sum(t.p is not None for t in judged),
        note=note("trends", lang),
    )


def _placed(
    incidents: Mapping[str, Case], by: str, dated: DateKind
) -> tuple[dict[str, str], tuple[str, ...], tuple[str, ...]]:
    """Case id → its period; the ids without such a date; those whose date is too coarse."""
    placed: dict[str, str] = {}
    undated, coarse = [], []
    for case_id in sorted(incidents):
        when = incidents[case_id].when(dated)
        period = period_of(when, by) if when else None
        if when is None:
            undated.append(case_id)
        elif period is None:
            coarse.append(case_id)
        else:
            placed[case_id] = period
    return placed, tuple(undated), tuple(coarse)


def _periods(placed: Mapping[str, str]) -> dict[str, int]:
    """Every period from the first to the last with its number of incidents."""
    if not placed:
        return {}
    counts = dict.fromkeys(periods_between(min(placed.values()), max(placed.values())), 0)
    for period in placed.values():
        counts[period] += 1
    return counts


def _trend(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    kind: str,
    term: str,
    ids: Iterable[str],
    placed: Mapping[str, str],
    periods: Mapping[str, int],
    minimum: int,
) -> Trend:
    by_period: dict[str, list[str]] = {period: [] for period in periods}
    for case_id in sorted(ids):
        by_period[placed[case_id]].append(case_id)
    having, of = [len(c) for c in by_period.values()], list(periods.values())
    n = sum(having)
    return Trend(
        term=term,
        n=n,
        direction=Direction.FEW,
        slope=trend_slope(having, of),
        p=trend_chance(having, of) if n >= minimum else None,
        q=None,
        counts=tuple(_count(p, by_period[p], periods[p]) for p in periods),
        evidence=evidence_of(graph, vocabulary, term, kind, ids),
    )


def _count(period: str, cases: Sequence[str], of: int) -> PeriodCount:
    low, high = wilson(len(cases), of)
    share = len(cases) / of if of else None
    return PeriodCount(period, len(cases), of, share, low, high, tuple(cases))


def _judged(found: Sequence[Trend]) -> list[Trend]:
    """The trends with q and direction, the surest first."""
    chances = {t.term: t.p for t in found if t.p is not None}
    qs = dict(zip(chances, adjusted(list(chances.values()), len(chances)), strict=True))
    judged = [
        replace(t, q=qs[t.term], direction=_direction(t.slope, qs[t.term])) if t.term in qs else t
        for t in found
    ]
    return sorted(judged, key=lambda t: (t.p is None, t.p or 0.0, -t.n, t.term))


def _direction(slope: float, q: float) -> Direction:
    if q > ALPHA or slope == 0:
        return Direction.UNCLEAR
    return Direction.RISING if slope > 0 else Direction.FALLING
