"""Scores nearer to each other than float32 sums can tell, and copies of one vector."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embeddings import VectorIndex


def _ranked(vectors: np.ndarray, query: np.ndarray, k: int) -> list[int]:
    """Rows by (-score, row); scores summed in float64, then rounded to float32."""
    scores = (vectors.astype(np.float64) * query.astype(np.float64)).sum(axis=1)
    rounded = scores.astype(np.float32).tolist()
    return sorted(range(len(vectors)), key=lambda row: (-rounded[row], row))[:k]


def _near_copies(count: int, noise: float, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    base = random.normal(size=384)
    rows = base / np.linalg.norm(base) + noise * random.normal(size=(count, 384))
    return rows.astype(np.float32)


@pytest.mark.parametrize("noise", [1e-8, 1e-7, 1e-6])
@pytest.mark.parametrize("queries", [1, 30])
def test_near_ties_rank_by_their_exact_scores(noise: float, queries: int) -> None:
    """FAISS alone orders these by rounding errors, and differently for 1 and for 30 queries."""
    vectors = _near_copies(800, noise, seed=1)
    index = VectorIndex(384, "x")
    index.add(vectors)
    asked = _near_copies(queries, 1e-3, seed=2)
    for query, hits in zip(asked, index.search(asked, 5), strict=True):
        assert [hit.row for hit in hits] == _ranked(vectors, query, 5)


def test_long_vectors_that_nearly_cancel() -> None:
    """The tolerance follows the lengths of the vectors, not the size of the scores."""
    random = np.random.default_rng(3)
    vectors = (1000 * random.normal(size=(600, 64))).astype(np.float32)
    query = random.normal(size=64).astype(np.float32)
    vectors -= np.outer(vectors @ query, query) / (query @ query)  # all scores close to zero
    index = VectorIndex(64, "x")
    index.add(vectors)
    assert [hit.row for hit in index.search(query, 9)[0]] == _ranked(vectors, query, 9)


@settings(max_examples=40, deadline=None)
@given(st.permutations(range(12)))
def test_the_order_of_adding_moves_rows_and_nothing_else(order: list[int]) -> None:
    random = np.random.default_rng(4)
    vectors = random.normal(size=(12, 5)).astype(np.float32)
    query = random.normal(size=5).astype(np.float32)
    first, second = VectorIndex(5, "x"), VectorIndex(5, "x")
    first.add(vectors)
    second.add(vectors[order])
    before = [(hit.row, hit.score) for hit in first.search(query, 12)[0]]
    after = [(order[hit.row], hit.score) for hit in second.search(query, 12)[0]]
    assert before == after


def test_adding_in_parts_is_adding_at_once() -> None:
    vectors = _near_copies(100, 0.1, seed=5)
    whole, parts = VectorIndex(384, "x"), VectorIndex(384, "x")
    whole.add(vectors)
    for start in range(0, 100, 7):
        parts.add(vectors[start : start + 7])
    assert np.array_equal(whole.vectors, parts.vectors)
    assert whole.search(vectors[3], 10) == parts.search(vectors[3], 10)
