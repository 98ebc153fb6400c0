"""Times to detect and to recover: quantiles with n and the share that is not stated."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from kg.model import Case, CaseKind, Duration
from kg.queries.bounds import Bounds, bounds_of, quantile_bounds
from kg.queries.chance import median_ranks

FLOOR = 3
"""Below this many values no quantile is given; a median of two is no median."""

FLOOR_OF_P90 = 10
"""Below this many values the 90 % quantile is little else than the largest one."""

_SHARES = {"p25": 0.25, "median": 0.5, "p75": 0.75, "p90": 0.9}
_FLOORS = {name: FLOOR_OF_P90 if name == "p90" else FLOOR for name in _SHARES}


@dataclass(frozen=True)
class TimeStatistic:
    """One measure over a set of cases, in seconds.

    Attributes:
        measure: `time_to_detect` or `time_to_recover`.
        incidents: cases of kind incident; studies and series never enter.
        n: incidents that state the measure.
        unknown_share: share of the incidents that do not (None when there are none).
        p25, median, p75, p90: quantiles (linear interpolation); None when n is below `FLOOR`
            (`FLOOR_OF_P90` for the last), or when the quantile hangs on a value of which only an
            end is stated, see `between`.
        median_low, median_high: 95 % interval of the median by order statistics (Thompson 1936);
            None when n is below 6, or when that end is open.
        approximate: of the n, those that the source calls approximate; they enter as they stand.
        at_least, at_most: of the n, those of which only the lower or upper end is stated.
        between: quantile → the least and the most that it can be (None: no upper end), for the
            quantiles that values with an open end leave unfixed.
    """

    measure: str
    incidents: int
    n: int
    unknown_share: float | None
    p25: float | None
    median: float | None
    p75: float | None
    p90: float | None = None
    median_low: float | None = None
    median_high: float | None = None
    approximate: int = 0
    at_least: int = 0
    at_most: int = 0
    between: Mapping[str, tuple[float, float | None]] = field(default_factory=dict)

    @property
    def unknown(self) -> int:
        """How many incidents do not state the measure."""
        return self.incidents - self.n


def time_statistics(cases: Iterable[Case]) -> tuple[TimeStatistic, TimeStatistic]:
    """Statistics of the times to detect and to recover, as the cases state them.

    They are not reckoned from dates: an end of an incident need not be its recovery.
    """
    incidents = [c for c in cases if c.kind is CaseKind.INCIDENT]
    detect = [c.time_to_detect for c in incidents if c.time_to_detect]
    recover = [c.time_to_recover for c in incidents if c.time_to_recover]
    return (
        _statistic("time_to_detect", len(incidents), detect),
        _statistic("time_to_recover", len(incidents), recover),
    )


def _statistic(measure: str, incidents: int, stated: Sequence[Duration]) -> TimeStatistic:
    n = len(stated)
    values = [bounds_of(d) for d in stated]
    found = {
        name: quantile_bounds(values, share)
        for name, share in _SHARES.items()
        if n >= _FLOORS[name]
    }
    low, high = _median_interval(values)
    return TimeStatistic(
        measure=measure,
        incidents=incidents,
        n=n,
        unknown_share=1 - n / incidents if incidents else None,
        **{name: _fixed(found.get(name)) for name in _SHARES},
        median_low=low,
        median_high=high,
        approximate=sum(d.approx for d in stated),
        at_least=sum(v.most == math.inf for v in values),
        at_most=sum(not v.exact and v.most < math.inf for v in values),
        between={name: (b.least, _finite(b.most)) for name, b in found.items() if not b.exact},
    )


def _fixed(found: Bounds | None) -> float | None:
    return found.least if found is not None and found.exact else None


def _finite(seconds: float) -> float | None:
    return None if seconds == math.inf else seconds


def _median_interval(values: Sequence[Bounds]) -> tuple[float | None, float | None]:
    ranks = median_ranks(len(values))
    if ranks is None:
        return None, None
    least = sorted(v.least for v in values)
    most = sorted(v.most for v in values)
    return least[ranks[0]], _finite(most[ranks[1]])
