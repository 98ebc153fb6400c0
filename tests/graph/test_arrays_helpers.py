"""The numpy helpers behind the arrays, judged by plain Python."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.graph.csr import counted, distinct, grouped, offsets, picked, spans
from kg.graph.postings import postings
from tests.helpers.strategies import QUICK

codes = st.lists(st.integers(0, 9), max_size=80)


@QUICK
@given(codes)
def test_offsets_bound_each_code(given_codes: list[int]) -> None:
    bounds = offsets(np.array(given_codes, dtype=np.int32), 10)
    ordered = sorted(given_codes)
    assert [ordered[bounds[c] : bounds[c + 1]] for c in range(10)] == [
        [c] * given_codes.count(c) for c in range(10)
    ]


@pytest.mark.parametrize("size", [10, 400, 1 << 20])
@QUICK
@given(given_codes=codes)
def test_groups_keep_the_order_of_equal_codes(size: int, given_codes: list[int]) -> None:
    spread = np.array(given_codes, dtype=np.int32) * ((size - 1) // 9)
    bounds, places = grouped(spread, size)
    assert places.tolist() == sorted(range(len(spread)), key=lambda i: given_codes[i])
    assert bounds.tolist() == offsets(spread, size).tolist()


def test_many_cells_of_few_codes_are_grouped_by_lookup() -> None:
    random = np.random.default_rng(3)
    numbers = random.integers(0, 7, 5_000).astype(np.int32)
    bounds, places = grouped(numbers, 7)
    assert places.tolist() == np.argsort(numbers, kind="stable").tolist()
    assert bounds.tolist() == [0, *np.cumsum(np.bincount(numbers, minlength=7)).tolist()]


def test_many_cells_of_many_codes_need_wide_numbers() -> None:
    random = np.random.default_rng(4)
    numbers = random.integers(0, 1 << 20, 6_000)
    bounds, places = grouped(numbers, 1 << 20)
    assert places.tolist() == np.argsort(numbers, kind="stable").tolist()
    assert bounds[-1] == 6_000


@QUICK
@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 4)), max_size=12))
def test_spans_are_ranges_one_after_the_other(given_spans: list[tuple[int, int]]) -> None:
    starts = np.array([s for s, _ in given_spans], dtype=np.int64)
    lengths = np.array([n for _, n in given_spans], dtype=np.int64)
    places, span = spans(starts, lengths)
    assert places.tolist() == [s + i for s, n in given_spans for i in range(n)]
    assert span.tolist() == [j for j, (_, n) in enumerate(given_spans) for _ in range(n)]


@pytest.mark.parametrize("size", [10, 5_000])
@QUICK
@given(given_codes=codes)
def test_distinct_codes_are_a_sorted_set(size: int, given_codes: list[int]) -> None:
    assert distinct(np.array(given_codes, dtype=np.int32), size).tolist() == sorted({*given_codes})


@pytest.mark.parametrize("size", [10, 5_000, 1 << 40])
@QUICK
@given(given_codes=codes)
def test_keys_are_counted_as_a_counter_does(size: int, given_codes: list[int]) -> None:
    step = (size - 1) // 9
    keys, n = counted(np.array(given_codes, dtype=np.int64) * step, size)
    assert dict(zip(keys.tolist(), n.tolist(), strict=True)) == Counter(
        c * step for c in given_codes
    )
    assert keys.tolist() == sorted(keys.tolist())


def test_values_are_picked_by_place() -> None:
    assert picked(np.array([5.0, 6.0, 7.0]), np.array([2, 0, 0])).tolist() == [7.0, 5.0, 5.0]


@QUICK
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from([0.0, 0.25, 0.5, 1.0])),
        max_size=40,
    )
)
def test_the_largest_weight_of_a_case_in_a_column_counts(
    cells: list[tuple[int, int, float]],
) -> None:
    ordered = sorted(cells, key=lambda cell: cell[:2])
    columns = np.array([c for c, _, _ in ordered], dtype=np.int64)
    found = postings(
        offsets(columns, 4),
        np.array([case for _, case, _ in ordered], dtype=np.int32),
        np.array([weight for *_, weight in ordered]),
    )
    judge: dict[tuple[int, int], float] = {}
    for column, case, weight in cells:
        judge[column, case] = max(weight, judge.get((column, case), 0.0))
    held = {
        (column, int(found.cases[i])): float(found.weights[i])
        for column in range(4)
        for i in range(found.column(column).start, found.column(column).stop)
    }
    assert held == {cell: weight for cell, weight in judge.items() if weight > 0}
    assert len(found.cases) == len(held)
