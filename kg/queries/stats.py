"""Times to detect and to recover, group by group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kg.errors import BadQuery
from kg.graph import IncidentGraph
from kg.model import Case, CaseKind, DateKind
from kg.queries.holding import KINDS, holders, says_no_more
from kg.queries.notes import note
from kg.queries.periods import PERIODS, check_dated, period_of
from kg.queries.shown import Shown
from kg.queries.times import TimeStatistic, time_statistics
from kg.vocab import Vocabulary

GROUPS = (*KINDS, "domain", "severity", *PERIODS)
"""What incidents can be grouped by."""


@dataclass(frozen=True)
class StatGroup:
    """The times of one group of incidents.

    Attributes:
        key: term, domain, severity or period; None for those that state none (a term of the
            kind, a severity, or a date that falls in one period).
        n: incidents in the group; `cases` are they.
        detect, recover: their times to detect and to recover.
    """

    key: str | None
    n: int
    cases: tuple[str, ...]
    detect: TimeStatistic
    recover: TimeStatistic


@dataclass(frozen=True)
class Statistics(Shown):
    """Times to detect and to recover of incidents, by group.

    Attributes:
        group_by: what they are grouped by.
        dated: which kind of date decides the period; None unless they are grouped by one.
        overlapping: whether an incident may stand in several groups, as it does under each of
            its terms and the broader ones.
        groups: periods in order of time; the others largest first, then by key. The one without
            key comes last.
        detect, recover: over all the incidents.
        incidents: how many there are; series and studies never enter.
        note: what this does not mean.
    """

    group_by: str
    dated: DateKind | None
    overlapping: bool
    groups: tuple[StatGroup, ...]
    detect: TimeStatistic
    recover: TimeStatistic
    incidents: int
    note: str


def statistics(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    cases: Iterable[Case],
    group_by: str = "cause",
    dated: str = DateKind.STARTED,
    lang: str = "en",
) -> Statistics:
    """Quantiles of the times of the incidents among `cases`, by group.

    A broader term is a group of its own only where it covers more incidents than each term
    below it. Suspected claims put no incident into a group.

    Raises:
        BadQuery: they cannot be grouped by this, or there is no such kind of date.
    """
    if group_by not in GROUPS:
        raise BadQuery(f"cannot group by {group_by!r}; there are {', '.join(GROUPS)}")
    kind_of_date = check_dated(dated)
    incidents = {c.id: c for c in cases if c.kind is CaseKind.INCIDENT}
    members = _members(graph, vocabulary, incidents, group_by, kind_of_date)
    rest = set(incidents) - {i for ids in members.values() for i in ids}
    ranked = sorted(members, key=lambda k: k if group_by in PERIODS else (-len(members[k]), k))
    groups = [_group(incidents, key, members[key]) for key in ranked]
    if rest:
        groups.append(_group(incidents, None, rest))
    detect, recover = time_statistics(incidents.values())
    return Statistics(
        group_by=group_by,
        dated=kind_of_date if group_by in PERIODS else None,
        overlapping=group_by in KINDS,
        groups=tuple(groups),
        detect=detect,
        recover=recover,
        incidents=len(incidents),
        note=note("stats", lang),
    )


def _members(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    incidents: Mapping[str, Case],
    group_by: str,
    dated: DateKind,
) -> dict[str, set[str]]:
    if group_by in KINDS:
        held = holders(graph, vocabulary, sorted(incidents), group_by)
        return {t: ids for t, ids in held.items() if not says_no_more(vocabulary, t, ids, held)}
    found: dict[str, set[str]] = {}
    for case in incidents.values():
        key = _key(case, group_by, dated)
        if key is not None:
            found.setdefault(key, set()).add(case.id)
    return found


def _key(case: Case, group_by: str, dated: DateKind) -> str | None:
    if group_by in PERIODS:
        when = case.when(dated)
        return period_of(when, group_by) if when else None
    return case.domain if group_by == "domain" else case.severity


def _group(incidents: Mapping[str, Case], key: str | None, ids: Iterable[str]) -> StatGroup:
    chosen = tuple(sorted(ids))
    detect, recover = time_statistics(incidents[i] for i in chosen)
    return StatGroup(key, len(chosen), chosen, detect, recover)
