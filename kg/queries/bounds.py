"""Quantiles of durations of which some are only known to lie between two ends."""

from __future__ import annotations

from collections.abc import Sequence

from kg.model.bounds import Bounds, bounds_of

__all__ = ["Bounds", "bounds_of", "quantile", "quantile_bounds"]


def quantile(ordered: Sequence[float], share: float) -> float:
    """The quantile of ascending values, by linear interpolation between ranks.

    Type 7 of Hyndman and Fan (1996), to the microsecond. Infinite values stand for "more than can
    be told".
    """
    place = share * (len(ordered) - 1)
    low = int(place)
    part, high = place - low, min(low + 1, len(ordered) - 1)
    if part == 0 or ordered[low] == ordered[high]:
        return ordered[low]
    return round(ordered[low] + (ordered[high] - ordered[low]) * part, 6)


def quantile_bounds(values: Sequence[Bounds], share: float) -> Bounds:
    """Between what the quantile of partly known values lies.

    The quantile rises with each value, so the least and the most of all values bound it.
    """
    least = quantile(sorted(v.least for v in values), share)
    most = quantile(sorted(v.most for v in values), share)
    return Bounds(least, most)
