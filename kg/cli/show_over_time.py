"""Times by group and terms over the years, as text for a terminal."""

from __future__ import annotations

from kg.cli.view import FEW, View, wrap
from kg.cli.words import word
from kg.library import Library
from kg.queries import Direction, StatGroup, Statistics, TimeStatistic, Trend, Trends
from kg.queries.times import FLOOR


def stats(library: Library, found: Statistics, lang: str) -> str:
    """Quantiles by group; groups with too few stated times are counted together."""
    view = View(library, lang)
    dated = ""
    if found.dated is not None:
        dated = view.say(f" ({found.dated} dates)", f" ({word(found.dated, lang)} 날짜)")
    lines = [view.incidents(found.incidents) + dated]
    lines += [x for s in (found.detect, found.recover) for x in _times(view, s)]
    few = [g for g in found.groups if max(g.detect.n, g.recover.n) < FLOOR]
    for group in found.groups:
        if group not in few:
            lines += ["", f"{_group_name(view, found, group)}: {view.incidents(group.n)}"]
            lines += [x for s in (group.detect, group.recover) for x in _times(view, s)]
    if few:
        told = view.say(
            f"{len(few)} more with fewer than {FLOOR} stated times of each sort",
            f"적힌 시간이 {FLOOR}건 미만인 묶음 {len(few)}개 더 있음",
        )
        lines += ["", told]
    if found.overlapping:
        told = view.say(
            "An incident may stand in several groups.", "한 사고가 여러 묶음에 들 수 있습니다."
        )
        lines += ["", told]
    return "\n".join([*lines, *([] if found.overlapping else [""]), *wrap(found.note, 0)])


def _group_name(view: View, found: Statistics, group: StatGroup) -> str:
    if group.key is None:
        return word("not_stated", view.lang)
    return view.named(group.key) if found.overlapping else group.key


def _times(view: View, found: TimeStatistic) -> list[str]:
    name = word(found.measure.replace("_", " "), view.lang)
    if found.unknown_share is None:
        return []
    known = view.say(
        f"{found.n} stated, {found.unknown} not ({found.unknown_share:.0%})",
        f"{found.n}건 적힘, {found.unknown}건은 적혀 있지 않음({found.unknown_share:.0%})",
    )
    parts = [known, *_quantiles(view, found), *_marks(view, found)]
    return wrap(f"{name}: {'; '.join(parts)}", 2)


def _quantiles(view: View, found: TimeStatistic) -> list[str]:
    if found.n < FLOOR:
        return [view.say("too few for quantiles", "분위수를 말하기에는 너무 적음")]
    told = []
    for name, en, ko in (
        ("median", "median {0}", "중앙값 {0}"),
        ("p25", "a quarter within {0}", "4분의 1은 {0} 안"),
        ("p75", "three quarters within {0}", "4분의 3은 {0} 안"),
        ("p90", "90 % within {0}", "90 %는 {0} 안"),
    ):
        value = getattr(found, name)
        if value is not None:
            told.append(view.say(en, ko).format(view.time(value)))
        elif name in found.between:
            told.append(view.say(en, ko).format(_between(view, *found.between[name])))
        if name == "median" and found.median_low is not None:
            ends = _between(view, found.median_low, found.median_high)
            told[-1] += f" [{ends}]"
    return told


def _between(view: View, least: float, most: float | None) -> str:
    if most is None:
        return view.say(f"at least {view.time(least)}", f"{view.time(least)} 이상")
    return f"{view.time(least)}–{view.time(most)}"


def _marks(view: View, found: TimeStatistic) -> list[str]:
    return [
        view.say(f"{n} {en}", f"{ko} {n}건")
        for n, en, ko in (
            (found.approximate, "approximate", "어림값"),
            (found.at_least, "known as at least", "하한만 앎"),
            (found.at_most, "known as at most", "상한만 앎"),
        )
        if n
    ]


def trends(library: Library, found: Trends, lang: str) -> str:
    """What rises and falls, then the most frequent of the rest."""
    view = View(library, lang)
    dated = sum(n for _, n in found.periods)
    lines = wrap(
        view.say(
            f"{view.incidents(found.incidents)}: {dated} by the date on which they were "
            f"{found.dated}, {len(found.undated)} without such a date, {len(found.coarse)} too "
            "coarse",
            f"{view.incidents(found.incidents)}: {word(found.dated, lang)} 날짜가 있는 것 "
            f"{dated}건, 없는 것 {len(found.undated)}건, 너무 대강인 것 {len(found.coarse)}건",
        ),
        0,
    )
    if not found.items:
        lines.append(
            view.say("Nothing is shown to rise or fall.", "늘거나 준다고 할 만한 것이 없습니다.")
        )
    for item in found.items:
        lines += ["", *_trend(view, item, found)]
    unclear = [t for t in found.others if t.direction is Direction.UNCLEAR]
    few = len(found.others) - len(unclear)
    if unclear:
        lines += ["", view.say("No trend is shown for:", "추세가 보이지 않는 것:")]
        lines += [x for item in unclear[:FEW] for x in _slope(view, item, found)]
    if few:
        told = view.say(
            f"{few} with fewer than {found.minimum} incidents were not tested",
            f"사고가 {found.minimum}건 미만이라 검정하지 않은 것 {few}개",
        )
        lines += ["", told]
    return "\n".join([*lines, "", *wrap(found.note, 0)])


def _trend(view: View, item: Trend, found: Trends) -> list[str]:
    counts = [f"{c.period} {c.n}/{c.of}" for c in item.counts if c.of]
    return _slope(view, item, found) + wrap(" · ".join(counts), 4)


def _slope(view: View, item: Trend, found: Trends) -> list[str]:
    names = {
        Direction.RISING: view.say("rising", "늘어남"),
        Direction.FALLING: view.say("falling", "줄어듦"),
        Direction.UNCLEAR: view.say("unclear", "분명하지 않음"),
        Direction.FEW: view.say("too few", "너무 적음"),
    }
    period = {"year": ("year", "해"), "quarter": ("quarter", "분기"), "month": ("month", "달")}
    each = view.say(*period[found.by])
    return wrap(
        f"{view.named(item.term)}: {view.incidents(item.n)}, {names[item.direction]}, "
        + view.say(
            f"{100 * item.slope:+.1f} points a {each}", f"{each}마다 {100 * item.slope:+.1f}%p"
        )
        + (f", q {view.chance(item.q)}" if item.q is not None else ""),
        0,
    )
