"""How far a count may be chance: exact tests and corrections, judged by counting everything."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.queries.chance import adjusted, median_ranks, overlap_chance
from tests.helpers.strategies import QUICK


def exactly(n: int, first: int, second: int, of: int) -> Fraction:
    """The hypergeometric tail in whole numbers."""
    ways = sum(
        math.comb(first, k) * math.comb(of - first, second - k)
        for k in range(max(n, 0), min(first, second) + 1)
        if second - k <= of - first
    )
    return Fraction(ways, math.comb(of, second))


def test_the_lady_tasting_tea() -> None:
    # Fisher 1935: all four cups of eight named rightly by chance, one in seventy.
    assert overlap_chance(4, 4, 4, 8) == pytest.approx(1 / 70)
    assert overlap_chance(3, 4, 4, 8) == pytest.approx(17 / 70)


@QUICK
@given(st.integers(1, 60), st.data())
def test_the_tail_is_that_of_counting_all_ways(of: int, data: st.DataObject) -> None:
    first, second = data.draw(st.integers(0, of)), data.draw(st.integers(0, of))
    n = data.draw(st.integers(0, of))
    wanted = float(exactly(n, first, second, of))
    assert overlap_chance(n, first, second, of) == pytest.approx(wanted, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize(
    ("n", "first", "second", "of"),
    [(60, 300, 400, 5000), (5, 300, 400, 5000), (24, 300, 400, 5000), (1, 2000, 2500, 5000)],
)
def test_large_numbers_lose_nothing(n: int, first: int, second: int, of: int) -> None:
    wanted = float(exactly(n, first, second, of))
    assert overlap_chance(n, first, second, of) == pytest.approx(wanted, rel=1e-8)


def test_a_hundred_thousand_cases_are_no_trouble() -> None:
    low = overlap_chance(1000, 5000, 6000, 100_000)
    assert 0 < low < 1e-50
    assert overlap_chance(300, 5000, 6000, 100_000) == pytest.approx(0.5, abs=0.03)
    assert overlap_chance(10, 5000, 6000, 100_000) == pytest.approx(1.0)


def test_both_sides_may_change_places() -> None:
    assert overlap_chance(7, 20, 9, 50) == pytest.approx(overlap_chance(7, 9, 20, 50))


def benjamini_hochberg(chances: list[float], looked_at: int) -> list[float]:
    """By the definition: the least level at which the step-up procedure rejects each."""
    level = {p: p * looked_at / sum(q <= p for q in chances) for p in chances}
    return [min([1.0, *(level[q] for q in chances if q >= p)]) for p in chances]


@QUICK
@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.integers(0, 30))
def test_adjusted_chances_follow_the_step_up_rule(chances: list[float], more: int) -> None:
    looked_at = len(chances) + more
    found = adjusted(chances, looked_at)
    assert found == pytest.approx(benjamini_hochberg(chances, looked_at))
    assert all(p <= q + 1e-12 and q <= 1 for p, q in zip(chances, found, strict=True))


def test_the_published_example_of_the_false_discovery_rate() -> None:
    # Benjamini and Hochberg 1995, section 3: 15 comparisons, four rejected at 0.05.
    chances = [
        0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
        0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000,
    ]  # fmt: skip
    assert sum(q <= 0.05 for q in adjusted(chances, 15)) == 4


def test_of_nothing_nothing_is_adjusted() -> None:
    assert adjusted([], 10) == []


def coverage(r: int, n: int) -> Fraction:
    """The chance that the median lies between value r from below and from above (from 0)."""
    outside = 2 * sum(math.comb(n, k) for k in range(r + 1))
    return 1 - Fraction(outside, 2**n)


@pytest.mark.parametrize("n", range(41))
def test_the_interval_of_the_median_is_the_narrowest_that_covers(n: int) -> None:
    fits = [r for r in range(n // 2) if coverage(r, n) >= Fraction(95, 100)]
    found = median_ranks(n)
    assert found == ((max(fits), n - 1 - max(fits)) if fits else None)


def test_six_values_are_the_fewest_for_an_interval() -> None:
    assert median_ranks(5) is None
    assert median_ranks(6) == (0, 5)
    # Tables of order statistics: 10 values, second smallest to second largest.
    assert median_ranks(10) == (1, 8)


def test_many_values_give_the_interval_of_the_normal_rule() -> None:
    low, high = median_ranks(10_000) or (0, 0)
    assert (low, high) == (pytest.approx(5000 - 98, abs=2), pytest.approx(5000 + 98, abs=2))
