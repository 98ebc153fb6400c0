"""Whether a share rises or falls over periods: the trend test, exact where numbers are small."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

EXACT_UP_TO = 30
"""Up to so many cases with (or without) the term the exact distribution is used."""

_EXACT_SIZE = 3_000
"""Beyond this number of cases × periods the exact distribution is not built."""


def trend_slope(having: Sequence[int], of: Sequence[int]) -> float:
    """The change of the share from one period to the next, by least squares weighted with `of`.

    0 where the cases lie in fewer than two periods.
    """
    total, n = sum(of), sum(having)
    if total == 0:
        return 0.0
    middle = sum(i * o for i, o in enumerate(of)) / total
    spread = sum(o * (i - middle) ** 2 for i, o in enumerate(of))
    if spread == 0:
        return 0.0
    lean = sum(
        (i - middle) * (h - o * n / total) for i, (h, o) in enumerate(zip(having, of, strict=True))
    )
    return lean / spread


def trend_chance(having: Sequence[int], of: Sequence[int]) -> float:
    """The probability of a lean over time as strong as this, either way, if there were no trend.

    The Cochran-Armitage test (Cochran 1954, Armitage 1955) with the number of the period as
    score, given how many cases lie in each period and how many have the term in all. Exact by
    the conditional distribution (Agresti 1992) for small numbers, else by the normal
    approximation.

    Args:
        having: cases with the term, by period.
        of: all cases, by period; the periods are equally far apart.
    """
    total, n = sum(of), sum(having)
    if not 0 < n < total:
        return 1.0
    # Those without the term lean the other way by as much; the smaller side is cheaper.
    few = list(having) if 2 * n <= total else [o - h for h, o in zip(having, of, strict=True)]
    if sum(few) <= EXACT_UP_TO and sum(few) * (len(of) - 1) <= _EXACT_SIZE:
        return _exact(few, of)
    return _normal(few, of)


def _exact(having: Sequence[int], of: Sequence[int]) -> float:
    """P(|T - E T| >= |t - E t|), T the sum of the periods of the cases with the term."""
    n, total = sum(having), sum(of)
    chances = _distribution(n, of)
    # In units of 1 / total the deviations are whole numbers, so that nothing hangs on rounding.
    middle = n * sum(i * o for i, o in enumerate(of))
    seen = abs(total * sum(i * h for i, h in enumerate(having)) - middle)
    far = [abs(total * t - middle) >= seen for t in range(len(chances))]
    return min(1.0, float(chances[np.array(far)].sum() / chances.sum()))


def _distribution(n: int, of: Sequence[int]) -> NDArray[np.float64]:
    """Weights of each value of T over all ways to draw `n` of the cases, shape (most T + 1,)."""
    most = n * (len(of) - 1)
    ways = np.zeros((n + 1, most + 1))
    ways[0, 0] = 1.0
    for period, cases in enumerate(of):
        wider = ways.copy()
        for drawn in range(1, min(cases, n) + 1):
            shift = drawn * period
            if shift <= most:
                part = ways[: n + 1 - drawn, : most + 1 - shift]
                wider[drawn:, shift:] += float(math.comb(cases, drawn)) * part
        ways = wider / wider.max()
    return np.asarray(ways[n])


def _normal(having: Sequence[int], of: Sequence[int]) -> float:
    total, n = sum(of), sum(having)
    middle = sum(i * o for i, o in enumerate(of)) / total
    spread = sum(o * (i - middle) ** 2 for i, o in enumerate(of))
    if spread == 0:
        return 1.0
    lean = sum((i - middle) * h for i, h in enumerate(having))
    variance = n * (total - n) * spread / (total * (total - 1))
    return math.erfc(abs(lean) / math.sqrt(2 * variance))
