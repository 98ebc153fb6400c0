"""Charts at their edges: odd names, times of seconds and of years, few values, open ends."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

from kg.library import Library
from kg.notebook import Drawing, recovery_chart, reliability_chart, trend_chart
from kg.notebook.charts import _plain, _reach
from kg.queries import StatGroup, Statistics
from kg.queries.times import TimeStatistic
from kg.queries.trends import Direction, PeriodCount, Trend, Trends

pytest.importorskip("matplotlib")

NAMES = ["$PATH and $HOME", "$\\frac{1}{2}$", "a_b^c", "<b>&amp;", "100 % of it", "서버 $0 장애"]
DAY = 86_400.0
POINT, SPREAD = "#0072b2", "#56b4e9"
"""How matplotlib writes the colours of a median and of the middle half."""


def times(
    median: float | None, low: float | None = None, high: float | None = None, n: int = 9
) -> TimeStatistic:
    """Times to recover of nine incidents, all of which state it."""
    return TimeStatistic("time_to_recover", n, n, 0.0, low, median, high)


@pytest.fixture(scope="module")
def found(quick: Library) -> Statistics:
    return quick.stats("cause")


def groups(found: Statistics, *own: TimeStatistic) -> Statistics:
    """The answer with groups of such times, named by number."""
    unknown = times(None, n=0)
    made = [StatGroup(f"cause:{n}", 9, (), unknown, t) for n, t in enumerate(own)]
    return replace(found, groups=tuple(made))


def trends_of(quick: Library, number: int) -> Trends:
    """So many terms over three years, in the second of which nothing is dated."""
    counts = (
        PeriodCount("2023", 1, 4, 0.25, 0.1, 0.5, ()),
        PeriodCount("2024", 0, 0, None, 0.0, 1.0, ()),
        PeriodCount("2025", 3, 4, 0.75, 0.4, 0.9, ()),
    )
    made = tuple(
        Trend(f"component:{n}", 9 - n, Direction.RISING, 0.1, 0.01, 0.02, counts, ())
        for n in range(number)
    )
    return replace(quick.trends("component"), items=made[:1], others=made[1:])


def texts(drawing: Drawing) -> list[str]:
    root = ElementTree.fromstring(drawing.svg)  # noqa: S314 - our own output
    return [e.text or "" for e in root.iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_shown_sign_by_sign(found: Statistics, quick: Library, name: str) -> None:
    """What stands between two `$` is no formula."""
    named = replace(groups(found, times(3600.0, 600.0, DAY)), labels={"cause:0": name})
    assert f"{name}  (n = 9 / 9)" in texts(recovery_chart(named))
    named_trends = replace(trends_of(quick, 1), labels={"component:0": name})
    assert any(text.startswith(f"{name} (") for text in texts(trend_chart(named_trends)))


def test_plain_text_keeps_what_is_no_formula() -> None:
    assert _plain("a b") == "a b"
    assert _plain("$x$") == r"\$x\$"


@pytest.mark.parametrize("seconds", [2.0, 20.0, 60.0, 3600.0, 100 * DAY, 800 * DAY])
def test_every_median_lies_within_the_axis(found: Statistics, seconds: float) -> None:
    shown = groups(found, times(seconds, seconds / 2, seconds * 2), times(DAY))
    low, high = _reach(shown.groups)
    assert low < seconds / 2
    assert high > seconds * 2
    assert low <= 30.0
    assert high >= 400 * DAY


def test_the_axis_names_seconds_only_where_there_are_some(found: Statistics) -> None:
    assert "10 s" not in texts(recovery_chart(groups(found, times(3600.0))))
    assert "10 s" in texts(recovery_chart(groups(found, times(5.0))))
    korean = texts(recovery_chart(groups(found, times(0.5)), "ko"))
    assert {"1초", "10초", "1분", "1년"} <= set(korean)


def test_values_with_an_open_end_are_a_dashed_line_and_no_point(found: Statistics) -> None:
    open_end = replace(times(None), between={"median": (600.0, None)})
    both = replace(times(None), between={"median": (600.0, 7200.0)})
    for one in (open_end, both):
        svg = recovery_chart(groups(found, one)).svg
        assert re.search(r"stroke-dasharray[^>]*#d55e00|#d55e00[^>]*stroke-dasharray", svg)
        assert POINT not in svg
    assert "too few" not in texts(recovery_chart(groups(found, both)))


def test_few_values_are_told_and_drawn_as_nothing(found: Statistics) -> None:
    drawing = recovery_chart(groups(found, times(None, n=2)))
    assert POINT not in drawing.svg
    assert any("few" in text for text in texts(drawing))
    assert "cause:0  (n = 2 / 9)" in texts(drawing)


def test_a_median_without_quarters_is_a_point_alone(found: Statistics) -> None:
    alone = recovery_chart(groups(found, times(3600.0))).svg
    spread = recovery_chart(groups(found, times(3600.0, 60.0, DAY))).svg
    assert SPREAD not in alone
    assert SPREAD in spread
    assert POINT in alone


def test_groups_beyond_the_limit_and_those_without_times_stay_out(found: Statistics) -> None:
    many = groups(found, *(times(3600.0) for _ in range(5)), times(None, n=0))
    told = texts(recovery_chart(many, most=3))
    assert [t for t in told if t.startswith("cause:")] == [
        f"cause:{n}  (n = 9 / 9)" for n in (2, 1, 0)
    ]
    assert not any("n = 0" in t for t in texts(recovery_chart(many, most=9)))


def test_points_of_reliability_carry_their_number(quick: Library) -> None:
    del quick
    told = texts(reliability_chart([(0.0, 0.0, 1), (1.0, 1.0, 10_000)]))
    assert {"n = 1", "n = 10000"} <= set(told)
    assert {"probability that was said (%)", "share that was relevant (%)"} <= set(told)


@pytest.mark.parametrize("most", [1, 2, 3])
def test_lines_of_a_trend_stop_at_the_limit(quick: Library, most: int) -> None:
    told = texts(trend_chart(trends_of(quick, 2), most=most))
    assert [t.partition(" (")[0] for t in told if re.search(r"n = \d+\)$", t)] == [
        f"component:{n}" for n in range(min(most, 2))
    ]


def test_a_period_without_incidents_is_a_gap_in_its_place(quick: Library) -> None:
    drawing = trend_chart(trends_of(quick, 1))
    assert [t for t in texts(drawing) if t.startswith("20")] == ["2023", "2024", "2025"]
    lines = re.findall(r'<path d="(M [^"]*)" clip-path[^>]*stroke: #0072b2', drawing.svg)
    assert [("L" in line) for line in lines] == [False]
    assert len(re.findall(r"<use [^>]*fill: #0072b2", drawing.svg)) == 2 + 1  # one in the legend
