"""All scores in one pass of FAISS: the best are those of `nearest`, the others near enough."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from embeddings import BadVector, VectorIndex
from embeddings.index import exact_scores
from tests.embeddings.test_index import make, problems, unit_rows


@settings(max_examples=150, deadline=None)
@given(problems())
def test_the_best_are_those_of_nearest_and_the_others_are_there(
    problem: tuple[np.ndarray, np.ndarray, int, list[int] | None],
) -> None:
    vectors, queries, k, allowed = problem
    index, some = make(vectors), None if allowed is None else np.array(allowed, int)
    found = index.every(queries, k, some)
    assert found.shape == (len(queries), len(vectors))
    for line, query, (rows, scores) in zip(
        found, queries, index.nearest(queries, k, some), strict=True
    ):
        assert line[rows].tolist() == scores.tolist()
        assert np.allclose(line, exact_scores(vectors, query), atol=1e-5)
        among = np.arange(len(vectors)) if some is None else np.unique(some)
        best = among[np.lexsort((among, -line[among]))][:k]
        assert best.tolist() == rows.tolist()


def test_so_it_is_at_the_size_of_a_library_with_a_tie_wider_than_k() -> None:
    vectors = unit_rows(2000, 96, seed=1)
    vectors[300:400] = vectors[7]
    queries = np.concatenate([vectors[7:8], unit_rows(30, 96, seed=2)])
    index = make(vectors)
    found = index.every(queries, 10)
    for line, (rows, scores) in zip(found, index.nearest(queries, 10), strict=True):
        assert line[rows].tolist() == scores.tolist()
        assert np.lexsort((np.arange(len(line)), -line))[:10].tolist() == rows.tolist()


def test_equal_rows_have_equal_scores_wherever_they_stand() -> None:
    vectors = unit_rows(500, 64, seed=3)
    vectors[[10, 250, 499]] = vectors[0]
    line = make(vectors).every(unit_rows(1, 64, seed=4), 1)[0]
    assert len(set(line[[0, 10, 250, 499]].tolist())) == 1


def test_an_empty_index_gives_empty_lines() -> None:
    assert VectorIndex(8, "test/1").every(unit_rows(2, 8, seed=5), 3).shape == (2, 0)


def test_no_query_gives_no_line() -> None:
    index = make(unit_rows(4, 8, seed=6))
    assert index.every(np.zeros((0, 8), np.float32), 3).shape == (0, 4)


def test_a_row_that_is_not_there_and_a_bad_vector_are_refused() -> None:
    index = make(unit_rows(4, 8, seed=7))
    with pytest.raises(ValueError, match="index has 4"):
        index.every(unit_rows(1, 8, seed=8), 2, [9])
    with pytest.raises(BadVector):
        index.every(np.full((1, 8), np.nan, np.float32), 2)
