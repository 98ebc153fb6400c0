"""How far a count may be chance: intervals, exact tests, and the correction for many looks."""

from __future__ import annotations

import math
from collections.abc import Sequence

ALPHA = 0.05
"""What is called beyond chance: an adjusted probability of at most this."""

_NEGLIGIBLE = 1e-18
"""Terms of a sum below this share of it are left out."""


def wilson(n: int, of: int, z: float = 1.959964) -> tuple[float, float]:
    """The Wilson score interval of a proportion (Wilson 1927), 95 % by default."""
    if of == 0:
        return 0.0, 1.0
    p, square = n / of, z * z
    centre = (p + square / (2 * of)) / (1 + square / of)
    half = z * math.sqrt(p * (1 - p) / of + square / (4 * of * of)) / (1 + square / of)
    return (centre - half if n else 0.0), (centre + half if n < of else 1.0)


def overlap_chance(n: int, first: int, second: int, of: int) -> float:
    """The probability that two unrelated sets of cases have at least `n` in common.

    The upper tail of the hypergeometric distribution, which is Fisher's exact test, one-sided
    (Fisher 1935): `first` of the `of` cases are marked, and `second` are drawn.
    """
    least, most = max(0, first + second - of), min(first, second)
    if n <= least:
        return 1.0
    if n > most:
        return 0.0
    # Summing away from the middle starts at the largest term, so that nothing is lost.
    if n * of > first * second:
        return min(1.0, _run_of_terms(n, most, first, second, of))
    return max(0.0, 1.0 - _run_of_terms(n - 1, least, first, second, of))


def _run_of_terms(start: int, end: int, first: int, second: int, of: int) -> float:
    """The hypergeometric probabilities from `start` to `end`, up or down, summed."""
    term = math.exp(
        _log_choose(first, start)
        + _log_choose(of - first, second - start)
        - _log_choose(of, second)
    )
    rest = of - first - second
    total, k = term, start
    while k != end and term > _NEGLIGIBLE * total:
        if end > start:
            term *= (first - k) * (second - k) / ((k + 1) * (rest + k + 1))
            k += 1
        else:
            term *= k * (rest + k) / ((first - k + 1) * (second - k + 1))
            k -= 1
        total += term
    return total


def _log_choose(of: int, n: int) -> float:
    return math.lgamma(of + 1) - math.lgamma(n + 1) - math.lgamma(of - n + 1)


def adjusted(chances: Sequence[float], looked_at: int) -> list[float]:
    """Probabilities corrected for the number of things that were looked at, in the given order.

    Of those with an adjusted value of at most 5 %, about one in twenty is expected to be chance
    (the false discovery rate of Benjamini and Hochberg 1995). `looked_at` may be more than are
    given: what is left out counts as having shown nothing.
    """
    order = sorted(range(len(chances)), key=lambda i: chances[i])
    found, least = [1.0] * len(chances), 1.0
    for rank in range(len(order), 0, -1):
        i = order[rank - 1]
        least = min(least, chances[i] * max(looked_at, len(chances)) / rank)
        found[i] = least
    return found


def median_ranks(n: int, confidence: float = 0.95) -> tuple[int, int] | None:
    """Which of `n` ordered values bound the median, counted from 0; None when n is too small.

    The interval from order statistics, true for any distribution (Thompson 1936): value r from
    below and from above, r the largest for which both tails of Binomial(n, ½) stay within
    1 - confidence. Six values are the fewest for 95 %.
    """
    tail, below = (1 - confidence) / 2, 0.0
    for k in range(n // 2 + 1):
        below += math.exp(_log_choose(n, k) - n * math.log(2))
        if below > tail:
            return (k - 1, n - k) if k else None
    return None
