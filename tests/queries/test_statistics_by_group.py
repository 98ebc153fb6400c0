"""Times by group, what a stated duration fixes, and quantiles that hang on open ends."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import BadQuery
from kg.graph import IncidentGraph
from kg.model import Case, Duration
from kg.model.values import parse_duration
from kg.queries import time_statistics
from kg.queries.bounds import Bounds, bounds_of, quantile_bounds
from kg.queries.stats import Statistics, statistics
from kg.queries.times import FLOOR_OF_P90
from tests.helpers.strategies import QUICK
from tests.helpers.tiny import make_case, tiny_vocabulary

VOCABULARY = tiny_vocabulary()


@pytest.mark.parametrize(
    ("text", "seconds", "least", "most"),
    [
        ("at least 3 h", 10800, 10800, math.inf),
        ("more than 2 h 30 min", 9000, 9000, math.inf),
        ("over an hour", 3600, 3600, math.inf),
        ("over half an hour", 1800, 1800, math.inf),
        ("3시간 30분 이상", 12600, 12600, math.inf),
        ("최소 2일", 172800, 172800, math.inf),
        ("> 5 min", 300, 300, math.inf),
        ("At least 1,200 s (by the log, 25 min)", 1200, 1200, math.inf),
        ("within 2 minutes", 120, 0, 120),
        ("within one minute", 60, 0, 60),
        ("up to 14 days", 1209600, 0, 1209600),
        ("less than 10 s", 10, 0, 10),
        ("10분 이내", 600, 0, 600),
        ("최대 30분", 1800, 0, 1800),
        ("about 5 minutes", 300, 300, 300),
        ("almost 9 hours", 32400, 32400, 32400),
        ("127시간 33분", 459180, 459180, 459180),
        # Words that say nothing of the amount itself.
        ("07:32 to 17:07, 9h 35m; the report counts 7h within support hours", 34500, 34500, 34500),
        ("from 08:00 up to 10:53, 173 min", 10380, 10380, 10380),
        ("handed over a day later, 1 h in all", 3600, 3600, 3600),
        ("at least 1 h, at most 1 h", 3600, 3600, 3600),
        ("", 5, 5, 5),
    ],
)
def test_the_words_of_the_source_say_what_is_fixed(
    text: str, seconds: float, least: float, most: float
) -> None:
    assert bounds_of(Duration(seconds=seconds, text=text)) == Bounds(least, most)


def test_a_duration_without_words_is_what_it_says() -> None:
    assert bounds_of(Duration(seconds=5)) == Bounds(5, 5)
    assert bounds_of(Duration(seconds=5)).exact


open_values = st.builds(
    lambda s, how: {"exact": Bounds(s, s), "least": Bounds(s, math.inf), "most": Bounds(0, s)}[how],
    st.integers(0, 1000).map(float),
    st.sampled_from(["exact", "exact", "least", "most"]),
)


@QUICK
@given(st.lists(open_values, min_size=1, max_size=12), st.sampled_from([0.25, 0.5, 0.9]))
def test_the_quantile_of_the_true_values_lies_between_the_bounds(
    values: list[Bounds], share: float
) -> None:
    found = quantile_bounds(values, share)
    chance = random.Random(len(values))
    for _ in range(20):
        true = [
            v.least if v.exact else chance.uniform(v.least, min(v.most, v.least + 5000))
            for v in values
        ]
        q = float(np.quantile(true, share))
        assert found.least - 1e-6 <= q <= found.most + 1e-6


def timed(*texts: str | int, **fields: Any) -> list[Case]:
    return [
        make_case(
            f"T-{i:02}",
            time_to_recover={"seconds": t} if isinstance(t, int) else _duration(t),
            **fields,
        )
        for i, t in enumerate(texts)
    ]


def _duration(text: str) -> dict[str, Any]:
    found = parse_duration(text)
    assert found is not None
    return found.model_dump()


def test_an_open_end_far_above_the_median_leaves_it_fixed() -> None:
    _, found = time_statistics(timed(10, 20, 30, 40, "at least 1 h"))
    assert (found.n, found.at_least, found.at_most) == (5, 1, 0)
    assert (found.p25, found.median, found.p75) == (20, 30, 40)
    assert found.between == {}


def test_a_quantile_that_hangs_on_an_open_end_is_not_told_as_a_number() -> None:
    _, found = time_statistics(timed(10, "at least 20 s", "at least 30 s"))
    assert found.median is None
    assert found.between["median"] == (20, None)
    _, low = time_statistics(timed("within 20 s", 30, 40, 50))
    assert (low.p25, low.median, low.at_most) == (None, 35, 1)
    assert low.between["p25"] == (22.5, 27.5)


def test_approximate_values_enter_as_they_stand_and_are_counted() -> None:
    _, found = time_statistics(timed("about 5 min", 300, "약 5분"))
    assert (found.median, found.approximate) == (300, 2)
    assert (found.unknown, found.unknown_share) == (0, 0.0)


def test_the_ninety_percent_quantile_needs_more_values() -> None:
    _, few = time_statistics(timed(*range(FLOOR_OF_P90 - 1)))
    assert few.p75 is not None
    assert few.p90 is None
    _, enough = time_statistics(timed(*range(FLOOR_OF_P90)))
    assert enough.p90 == pytest.approx(np.quantile(range(FLOOR_OF_P90), 0.9))


def test_the_interval_of_the_median_is_given_from_six_values_on() -> None:
    _, few = time_statistics(timed(1, 2, 3, 4, 5))
    assert (few.median_low, few.median_high) == (None, None)
    _, six = time_statistics(timed(6, 5, 4, 3, 2, 1))
    assert (six.median_low, six.median_high) == (1, 6)
    _, ten = time_statistics(timed(*range(10)))
    assert (ten.median_low, ten.median_high) == (1, 8)
    _, opened = time_statistics(timed(1, 2, 3, 4, 5, "over 6 s"))
    assert (opened.median_low, opened.median_high) == (1, None)


CASES = [
    make_case("A-1", ("cause", "cause:ecc-error"), time_to_recover={"seconds": 100}, severity="S1",
              dates=[{"kind": "started", "at": "2023-05"}]),
    make_case("A-2", ("cause", "cause:gpu-fault"), time_to_recover={"seconds": 200},
              dates=[{"kind": "started", "at": "2023"}], domain="web"),
    make_case("A-3", ("cause", "cause:link-down"), ("cause", "cause:race"),
              time_to_recover={"seconds": 300}, dates=[{"kind": "published", "at": "2024-01-01"}]),
    make_case("A-4", ("cause", "cause:race", "suspected"), time_to_detect={"seconds": 5},
              dates=[{"kind": "started", "at": "2024-11-30"}]),
    make_case("S-1", ("cause", "cause:race"), kind="study", time_to_recover={"seconds": 9}),
]  # fmt: skip


def ask(group_by: str, **asked: Any) -> Statistics:
    return statistics(IncidentGraph(CASES, VOCABULARY), VOCABULARY, CASES, group_by, **asked)


def grouped(found: Statistics) -> dict[str | None, tuple[str, ...]]:
    return {g.key: g.cases for g in found.groups}


def test_a_broader_cause_holds_the_narrower_ones() -> None:
    found = ask("cause")
    assert grouped(found) == {
        "cause:hardware": ("A-1", "A-2", "A-3"),
        "cause:gpu-fault": ("A-1", "A-2"),
        "cause:ecc-error": ("A-1",),
        "cause:link-down": ("A-3",),
        "cause:race": ("A-3",),
        None: ("A-4",),
    }
    assert (found.overlapping, found.dated, found.incidents) == (True, None, 4)
    hardware = found.groups[0]
    assert (hardware.n, hardware.recover.median, hardware.detect.n) == (3, 200, 0)
    assert found.groups[1].recover.median is None


def test_plain_groups_do_not_overlap() -> None:
    assert grouped(ask("severity")) == {"S1": ("A-1",), None: ("A-2", "A-3", "A-4")}
    assert grouped(ask("domain")) == {"ai-infra": ("A-1", "A-3", "A-4"), "web": ("A-2",)}
    assert not ask("domain").overlapping


def test_periods_go_by_one_kind_of_date_and_never_by_another() -> None:
    found = ask("year")
    assert list(grouped(found).items()) == [
        ("2023", ("A-1", "A-2")),
        ("2024", ("A-4",)),
        (None, ("A-3",)),
    ]
    assert str(found.dated) == "started"
    assert grouped(ask("year", dated="published")) == {
        "2024": ("A-3",),
        None: ("A-1", "A-2", "A-4"),
    }
    # A year is too coarse for a quarter.
    assert grouped(ask("quarter")) == {
        "2023-Q2": ("A-1",),
        "2024-Q4": ("A-4",),
        None: ("A-2", "A-3"),
    }


def test_the_whole_is_told_beside_the_groups() -> None:
    found = ask("cause", lang="ko")
    assert (found.recover.n, found.recover.median, found.recover.unknown_share) == (3, 200, 0.25)
    assert (found.detect.n, found.detect.median) == (1, None)
    assert found.note.startswith("적혀 있는 시간만")


def test_what_cannot_be_grouped_by_is_refused() -> None:
    with pytest.raises(BadQuery, match="cannot group by 'colour'; there are cause, trigger"):
        ask("colour")
    with pytest.raises(BadQuery, match="no kind of date 'begun'; there are published, started"):
        ask("year", dated="begun")
