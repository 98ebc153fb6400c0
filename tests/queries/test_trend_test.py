"""The test for a trend: judged by trying every way in which the cases could have fallen."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.queries import trend_test
from kg.queries.trend_test import trend_chance, trend_slope
from tests.helpers.strategies import QUICK


def by_trying_all(having: list[int], of: list[int]) -> float:
    """The two-sided exact probability, over every choice of the cases with the term."""
    periods = [i for i, cases in enumerate(of) for _ in range(cases)]
    n, total = sum(having), len(periods)
    middle = n * sum(periods)
    seen = abs(total * sum(i * h for i, h in enumerate(having)) - middle)
    ways = [abs(total * sum(chosen) - middle) >= seen for chosen in combinations(periods, n)]
    return sum(ways) / len(ways)


@st.composite
def counts(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    of = draw(st.lists(st.integers(0, 4), min_size=1, max_size=4))
    return [draw(st.integers(0, o)) for o in of], of


@QUICK
@given(counts())
def test_small_numbers_are_exact(given_counts: tuple[list[int], list[int]]) -> None:
    having, of = given_counts
    wanted = by_trying_all(having, of) if 0 < sum(having) < sum(of) else 1.0
    assert trend_chance(having, of) == pytest.approx(wanted)


@QUICK
@given(counts())
def test_time_run_backwards_and_the_other_cases_are_as_likely(
    given_counts: tuple[list[int], list[int]],
) -> None:
    having, of = given_counts
    p = trend_chance(having, of)
    assert trend_chance(having[::-1], of[::-1]) == pytest.approx(p)
    others = [o - h for h, o in zip(having, of, strict=True)]
    assert trend_chance(others, of) == pytest.approx(p)
    assert trend_slope(others, of) == pytest.approx(-trend_slope(having, of))


def test_a_published_table() -> None:
    # Agresti, Categorical Data Analysis, table 2.7: alcohol and malformations, Cochran-Armitage
    # over equally spaced rows 0 to 4 gives z = 1.35 (chi-square 1.83).
    having, of = [48, 38, 5, 1, 1], [17114, 14502, 793, 127, 38]
    p = trend_chance(having, of)
    assert p == pytest.approx(math.erfc(math.sqrt(1.83 / 2)), abs=0.005)


def test_the_normal_rule_and_the_exact_one_agree_where_both_can_be_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    having, of = [2, 4, 7, 10], [40, 40, 40, 40]
    exact = trend_chance(having, of)
    monkeypatch.setattr(trend_test, "EXACT_UP_TO", 0)
    assert trend_chance(having, of) == pytest.approx(exact, rel=0.25)
    assert trend_chance(having, of) != exact


def test_what_never_or_always_happens_has_no_trend() -> None:
    assert trend_chance([0, 0, 0], [5, 5, 5]) == 1.0
    assert trend_chance([5, 5, 5], [5, 5, 5]) == 1.0
    assert trend_chance([], []) == 1.0


def test_one_period_shows_no_trend() -> None:
    assert trend_chance([3], [9]) == pytest.approx(1.0)
    assert trend_chance([0, 40, 0], [0, 90, 0]) == 1.0
    assert trend_slope([3], [9]) == trend_slope([], []) == 0.0


def test_many_periods_with_few_cases_are_still_answered() -> None:
    of = [3] * 300
    having = [0] * 280 + [1] * 20
    assert trend_chance(having, of) < 1e-10


@QUICK
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=6))
def test_the_slope_is_the_weighted_least_squares_line(pairs: list[tuple[int, int]]) -> None:
    having, of = [min(p) for p in pairs], [max(p) for p in pairs]
    places = [i for i, o in enumerate(of) if o]
    if len(places) < 2:
        assert trend_slope(having, of) == 0.0
        return
    shares = [having[i] / of[i] for i in places]
    line = np.polyfit(places, shares, 1, w=np.sqrt([of[i] for i in places]))
    assert trend_slope(having, of) == pytest.approx(float(line[0]), abs=1e-9)
