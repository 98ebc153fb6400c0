"""Answers about many cases as HTML: tables with counts, intervals and what they do not mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kg.model import FieldState
from kg.model.html import Markup, bar, heading, paragraph, table
from kg.queries.common import Common, CommonTerm
from kg.queries.patterns import Part, Pattern, Patterns
from kg.queries.recurrences import Recurrence, Recurrences
from kg.queries.stats import StatGroup, Statistics
from kg.queries.times import TimeStatistic
from kg.queries.trends import Trends
from kg.queries.view_words import chance_text, say, time_text
from kg.queries.what_if import WhatIf

FEW = 12
"""At most so many rows of the same sort are shown; the result itself has all."""


_DAY = len("2026-08-06")


def _ids(ids: Sequence[str]) -> str:
    more = len(ids) - FEW
    return ", ".join(ids[:FEW]) + (f" +{more}" if more > 0 else "")


def _words(keys: Iterable[str], lang: str) -> list[str]:
    return [say(key, lang) for key in keys]


def common_view(found: Common) -> str:
    """What chosen cases share: n of, interval, lift, what chance gives, and the cases."""
    if not found.items:
        return paragraph(say("nothing shared", found.lang))
    head = _words(("term", "n of", "share", "lift", "expected", "q", "cases"), found.lang)
    rows = [_common_row(found, item) for item in found.items[:FEW]]
    return table(head, rows) + paragraph(found.note, faint=True)


def _common_row(found: Common, item: CommonTerm) -> tuple[object, ...]:
    interval = (
        f'<span style="white-space:nowrap">{bar(item.share)}{item.share:.0%} '
        f"[{item.low:.0%}–{item.high:.0%}]</span>"
    )
    return (
        found.label(item.term),
        f"{item.n} / {item.of}",
        Markup(interval),
        round(item.lift, 2),
        round(item.expected, 2),
        chance_text(item.q),
        _ids(item.cases),
    )


def patterns_view(found: Patterns) -> str:
    """Combinations beyond chance, then the nearest of those that may well be chance."""
    parts = []
    if found.items:
        parts += [heading(say("beyond", found.lang)), _pattern_table(found, found.items[:FEW])]
    else:
        parts.append(paragraph(say("nothing beyond", found.lang)))
    if found.weaker:
        told = f"{say('perhaps chance', found.lang)} ({found.total_weaker})"
        parts += [heading(told), _pattern_table(found, found.weaker[:3])]
    return "".join(parts) + paragraph(found.note, faint=True)


def _pattern_table(found: Patterns, items: Sequence[Pattern]) -> str:
    head = _words(("pattern", "n of", "expected", "lift", "q", "cases"), found.lang)

    def named(parts: Iterable[Part]) -> str:
        return " + ".join(f"{found.label(p.term)} ({say(p.kind, found.lang)})" for p in parts)

    rows = [
        (
            named(item.terms),
            f"{item.n} / {item.of}",
            round(item.expected, 2),
            round(item.lift, 1),
            chance_text(item.q),
            _ids(item.cases),
        )
        for item in items
    ]
    return table(head, rows)


def recurrences_view(found: Recurrences) -> str:
    """Incidents that had happened to their owner before, proven ones first."""
    parts = []
    if found.items:
        parts.append(_recurrence_table(found, found.items))
    else:
        parts.append(paragraph(say("nothing recurs", found.lang)))
    if found.unsure:
        parts += [heading(say("unsure", found.lang)), _recurrence_table(found, found.unsure[:FEW])]
    return "".join(parts) + paragraph(found.note, faint=True)


def _recurrence_table(found: Recurrences, items: Sequence[Recurrence]) -> str:
    keys = ("organization", "cause", "time", "earlier", "later", "days", "follow-ups")
    rows = [
        (
            found.label(item.organization),
            ", ".join(map(found.label, item.causes)),
            item.times,
            f"{item.earlier} ({item.order.earlier_at[:_DAY]})",
            f"{item.later} ({item.order.later_at[:_DAY]})",
            _days(item),
            _follow_ups(found, item),
        )
        for item in items
    ]
    return table(_words(keys, found.lang), rows)


def _days(item: Recurrence) -> str:
    least, most = item.order.least_days, item.order.most_days
    return f"{least}" if least == most else f"{least}–{most}"


def _follow_ups(found: Recurrences, item: Recurrence) -> str:
    done = item.follow_ups
    if done.state is not FieldState.STATED:
        return say(str(done.state), found.lang)
    names = dict.fromkeys(found.label(edge.target) for edge in done.edges)
    return ", ".join(names) or say("in words", found.lang)


def statistics_view(found: Statistics) -> str:
    """Times to recover by group, each with the n that it rests on."""
    keys = ("group", "incidents", "stated", "median", "interval", "middle")
    shown = [g for g in found.groups if g.recover.n][:FEW]
    rows = [_group_row(found, group) for group in shown]
    everything = StatGroup(None, found.incidents, (), found.detect, found.recover)
    rows.append(("Σ", *_group_row(found, everything)[1:]))
    return table(_words(keys, found.lang), rows) + paragraph(found.note, faint=True)


def _group_row(found: Statistics, group: StatGroup) -> tuple[object, ...]:
    times = group.recover

    def between(low: float | None, high: float | None) -> str | None:
        ends = [time_text(x, found.lang) for x in (low, high)]
        return None if None in ends else f"{ends[0]} – {ends[1]}"

    return (
        say("undated", found.lang) if group.key is None else found.label(group.key),
        group.n,
        times.n,
        _median(times, found.lang),
        between(times.median_low, times.median_high),
        between(times.p25, times.p75),
    )


def _median(times: TimeStatistic, lang: str) -> str | None:
    """The median; where only its bounds are known, these; else that there are too few values."""
    if times.median is not None or not times.n:
        return time_text(times.median, lang)
    if "median" not in times.between:
        return say("too few", lang)
    low, high = (time_text(x, lang) for x in times.between["median"])
    return f"≥ {low}" if high is None else f"{low} … {high}"


def trends_view(found: Trends) -> str:
    """Terms that rise or fall, then the most frequent of the others, with counts by period."""
    none = "" if found.items else paragraph(say("nothing trends", found.lang))
    shown = [*found.items, *sorted(found.others, key=lambda t: (-t.n, t.term))][:FEW]
    if not shown:
        return none + paragraph(found.note, faint=True)
    head = _words(("term", "incidents", "direction", "q", "periods"), found.lang)
    rows = [
        (
            found.label(item.term),
            item.n,
            say(str(item.direction), found.lang),
            None if item.q is None else chance_text(item.q),
            " · ".join(f"{c.period}: {c.n}/{c.of}" for c in item.counts if c.of),
        )
        for item in shown
    ]
    return none + table(head, rows) + paragraph(found.note, faint=True)


def what_if_view(found: WhatIf) -> str:
    """What becomes of each incident when a term is struck out of the records."""
    groups = ("gone", "remaining", "weakened", "spared")
    rows = []
    for name in groups:
        some = getattr(found, name)
        if some:
            rows.append((say(name, found.lang), len(some), _ids([x.case for x in some])))
    head = _words(("what happens", "incidents", "cases"), found.lang)
    share = (
        f"{found.label(found.term)}: {len(found.gone)} / {found.of} "
        f"({found.share:.0%} [{found.low:.0%}–{found.high:.0%}])"
        if found.share is not None
        else found.label(found.term)
    )
    return heading(share) + table(head, rows) + paragraph(found.note, faint=True)
