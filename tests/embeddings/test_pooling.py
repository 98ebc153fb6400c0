"""Passages to documents: the pool against loops, and what its layout promises."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embeddings import PassagePool

SIZES = st.lists(st.integers(0, 9), max_size=12)
SEEDS = st.integers(0, 10_000)
SHARES = st.sampled_from([0.0, 0.3, 0.7, 1.0])
COUNTS = st.integers(1, 12)


def pool_of(sizes: list[int]) -> PassagePool:
    owners = np.repeat(np.arange(len(sizes)), sizes).astype(np.int64)
    return PassagePool(owners, len(sizes))


def cosines(seed: int, sizes: list[int]) -> np.ndarray:
    """Few different numbers, so that ties are common."""
    return (np.random.default_rng(seed).integers(-5, 6, sum(sizes)) / 5).astype(np.float32)


def twin(values: list[float], sizes: list[int], share: float, count: int) -> list[float]:
    """Document by document: sort, take the first, take the mean of the first few."""
    scores, start = [], 0
    for size in sizes:
        own = sorted(values[start : start + size], reverse=True)
        start += size
        few = own[:count]
        scores.append(share * own[0] + (1 - share) * sum(few) / len(few) if own else -1.0)
    return scores


@settings(deadline=None)
@given(SEEDS, SIZES, SHARES, COUNTS)
def test_the_best_equal_the_twin(seed: int, sizes: list[int], share: float, count: int) -> None:
    values = cosines(seed, sizes)
    found = pool_of(sizes).best(values, share, count)
    assert found.dtype == np.float64
    assert found.shape == (len(sizes),)
    assert found.tolist() == pytest.approx(twin(values.tolist(), sizes, share, count), abs=1e-12)


@settings(deadline=None)
@given(SEEDS, SIZES, SHARES, COUNTS, st.integers(0, 4))
def test_many_lines_are_pooled_as_each_by_itself(
    seed: int, sizes: list[int], share: float, count: int, lines: int
) -> None:
    pool, shape = pool_of(sizes), (lines, sum(sizes))
    values = np.array([cosines(seed + n, sizes) for n in range(lines)]).reshape(shape)
    found = pool.best(values, share, count)
    assert found.shape == (lines, len(sizes))
    for line, alone in zip(found, values, strict=True):
        assert line.tolist() == pool.best(alone, share, count).tolist()


@settings(deadline=None)
@given(SEEDS, SIZES, SHARES, COUNTS, st.integers(1, 4), st.integers(0, 20))
def test_what_stands_out_of_a_floor_is_pooled_to_the_same_bits(
    seed: int, sizes: list[int], share: float, count: int, lines: int, kept: int
) -> None:
    pool, draw = pool_of(sizes), np.random.default_rng(seed)
    whole = draw.normal(size=(lines, sum(sizes))).astype(np.float32)
    found: list[tuple[int, int, float]] = []
    floors = np.full(lines, -0.3, dtype=np.float32)
    for number, values in enumerate(whole):
        best = np.argsort(-values)[:kept]
        if len(best):
            floors[number] = values[best[-1]]
        values[np.argsort(-values)[kept:]] = floors[number]
        found += [(number, int(row), float(values[row])) for row in best]
    line, passage = (np.array([f[i] for f in found], dtype=np.int64) for i in (0, 1))
    value = np.array([f[2] for f in found], dtype=np.float32)
    got = pool.best_where(line, passage, value, floors, share, count)
    slow = [pool.best(values, share, count).tolist() for values in whole]
    assert got.tolist() == slow


@settings(deadline=None)
@given(SEEDS, SIZES, COUNTS)
def test_best_rows_equal_a_stable_sort(seed: int, sizes: list[int], count: int) -> None:
    values, pool, start = cosines(seed, sizes), pool_of(sizes), 0
    for document, size in enumerate(sizes):
        own = range(start, start + size)
        slow = sorted(own, key=lambda row: (-values[row], row))[:count]
        assert pool.best_rows(document, values, count).tolist() == slow
        start += size


@settings(deadline=None)
@given(SEEDS, SIZES, COUNTS, st.randoms())
def test_best_of_many_documents_equal_those_of_each(
    seed: int, sizes: list[int], count: int, random: Any
) -> None:
    values, pool = cosines(seed, sizes), pool_of(sizes)
    chosen = [document for document in range(len(sizes)) if random.random() < 0.6]
    random.shuffle(chosen)
    owners, rows = pool.best_of(np.array(chosen, dtype=np.int64), values, count)
    for document in chosen:
        expected = pool.best_rows(document, values, count).tolist()
        assert rows[owners == document].tolist() == expected
    assert set(owners.tolist()) <= set(chosen)


@settings(deadline=None)
@given(SEEDS, SIZES)
def test_bounds_say_where_passages_lie(seed: int, sizes: list[int]) -> None:
    bounds = pool_of(sizes).bounds
    assert bounds.dtype == np.int64
    assert np.diff(bounds).tolist() == sizes
    assert bounds[0] == 0


@settings(deadline=None)
@given(SEEDS, SIZES, SHARES, COUNTS, st.randoms())
def test_the_order_of_documents_and_of_their_passages_does_not_matter(
    seed: int, sizes: list[int], share: float, count: int, random: Any
) -> None:
    values, start, own = cosines(seed, sizes), 0, []
    for size in sizes:
        own.append(values[start : start + size].tolist())
        start += size
    order = list(range(len(sizes)))
    random.shuffle(order)
    for passages in own:
        random.shuffle(passages)
    moved = np.array([v for d in order for v in own[d]], dtype=np.float32)
    after = pool_of([sizes[d] for d in order]).best(moved, share, count)
    before = pool_of(sizes).best(values, share, count)
    assert after.tolist() == pytest.approx([before[d] for d in order], abs=1e-12)


@settings(deadline=None)
@given(SEEDS, SIZES, SHARES, COUNTS)
def test_a_better_passage_never_lowers_a_document(
    seed: int, sizes: list[int], share: float, count: int
) -> None:
    values, pool = cosines(seed, sizes), pool_of(sizes)
    before = pool.best(values, share, count)
    for row in range(len(values)):
        better = values.copy()
        better[row] += 0.5
        assert (pool.best(better, share, count) >= before - 1e-12).all()


def test_by_hand() -> None:
    values = np.array([0.2, 0.8, 0.5, 0.9], dtype=np.float32)
    found = pool_of([3, 0, 1]).best(values, 0.7, 2)
    assert found.tolist() == pytest.approx([0.7 * 0.8 + 0.3 * 0.65, -1, 0.9], abs=1e-7)


def test_all_of_it_is_the_best_and_none_of_it_is_the_mean() -> None:
    values = np.array([0.25, 0.75, -0.5], dtype=np.float32)
    assert pool_of([2, 1]).best(values, 1.0, 2).tolist() == [0.75, -0.5]
    assert pool_of([2, 1]).best(values, 0.0, 2).tolist() == [0.5, -0.5]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("sizes", [[], [0], [0, 0, 0]])
def test_documents_without_passages(sizes: list[int]) -> None:
    found = pool_of(sizes).best(np.zeros(0, np.float32), 0.0, 3)
    assert found.tolist() == [-1.0] * len(sizes)
    assert all(len(pool_of(sizes).best_rows(d, np.zeros(0), 3)) == 0 for d in range(len(sizes)))


def test_a_document_without_passages_is_below_all_others() -> None:
    scores = pool_of([0, 2]).best(np.array([-0.99, -0.99], np.float32), 0.5, 2)
    assert scores[0] < scores[1]


@pytest.mark.parametrize(
    ("owners", "documents", "what"),
    [
        ([1, 0], 2, "document by document"),
        ([-1, 0], 2, "document by document"),
        ([0, 2], 2, "passage of document 2, but there are 2"),
        ([0], 0, "passage of document 0, but there are 0"),
    ],
)
def test_owners_that_do_not_fit_are_refused(owners: list[int], documents: int, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        PassagePool(np.array(owners, dtype=np.int64), documents)


def test_one_very_long_document_does_not_slow_down_all() -> None:
    """Padding every document to the longest one took 0.7 s here, and 120 MB."""
    sizes = [4] * 5000
    sizes[7] = 3000
    pool, values = pool_of(sizes), cosines(1, sizes)
    begun = time.process_time()
    found = pool.best(values, 0.7, 3)
    assert time.process_time() - begun < 0.2
    assert found[7] == pytest.approx(1.0)
    assert math.isclose(found[8], twin(values[3028:3032].tolist(), [4], 0.7, 3)[0])
