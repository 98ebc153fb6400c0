"""Times to detect and to recover: quantiles with n and the share that is not stated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kg.model import Case, CaseKind

FLOOR = 3
"""Below this many values no quantile is given; a median of two is no median."""


@dataclass(frozen=True)
class TimeStatistic:
    """One measure over a set of cases, in seconds.

    Attributes:
        measure: `time_to_detect` or `time_to_recover`.
        incidents: cases of kind incident; studies and series never enter.
        n: incidents that state the measure.
        unknown_share: share of the incidents that do not (None when there are none).
        p25, median, p75: quantiles (linear interpolation); None when n is below `FLOOR`.
    """

    measure: str
    incidents: int
    n: int
    unknown_share: float | None
    p25: float | None
    median: float | None
    p75: float | None


def time_statistics(cases: Iterable[Case]) -> tuple[TimeStatistic, TimeStatistic]:
    """Statistics of the times to detect and to recover."""
    incidents = [c for c in cases if c.kind is CaseKind.INCIDENT]
    detect = [c.time_to_detect.seconds for c in incidents if c.time_to_detect]
    recover = [c.time_to_recover.seconds for c in incidents if c.time_to_recover]
    return (
        _statistic("time_to_detect", len(incidents), detect),
        _statistic("time_to_recover", len(incidents), recover),
    )


def _statistic(measure: str, incidents: int, values: Sequence[float]) -> TimeStatistic:
    n = len(values)
    enough = n >= FLOOR
    ordered = sorted(values)
    return TimeStatistic(
        measure=measure,
        incidents=incidents,
        n=n,
        unknown_share=1 - n / incidents if incidents else None,
        p25=_quantile(ordered, 0.25) if enough else None,
        median=_quantile(ordered, 0.5) if enough else None,
        p75=_quantile(ordered, 0.75) if enough else None,
    )


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
