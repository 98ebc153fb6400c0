"""Exact neighbours: FAISS against numpy, ties, filters, refusals, saving."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embeddings import BadIndexFolder, BadVector, EncoderMismatch, Neighbor, VectorIndex
from embeddings.index import exact_scores

if TYPE_CHECKING:
    from pathlib import Path


def twin(vectors: np.ndarray, query: np.ndarray, k: int, allowed: object) -> list[Neighbor]:
    """All scores in plain Python, sorted by (-score, row)."""
    scored = []
    for row, vector in enumerate(vectors):
        if allowed is None or row in allowed:  # type: ignore[operator]
            total = np.float32((vector.astype(np.float64) * query.astype(np.float64)).sum())
            scored.append((-float(total), row))
    return [Neighbor(row, -score) for score, row in sorted(scored)[:k]]


def make(vectors: np.ndarray, fingerprint: str = "test/1") -> VectorIndex:
    index = VectorIndex(vectors.shape[1], fingerprint)
    index.add(vectors)
    return index


def unit_rows(count: int, dimension: int, seed: int) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@st.composite
def problems(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int, list[int] | None]:
    """Few distinct values on purpose: many exact ties, also at the k boundary."""
    dimension = draw(st.integers(1, 6))
    count = draw(st.integers(1, 80))
    values = st.sampled_from([-1.0, -0.5, 0.25, 0.5, 1.0])
    row = st.lists(values, min_size=dimension, max_size=dimension)
    pool = draw(st.lists(row, min_size=1, max_size=4))
    rows = draw(st.lists(st.sampled_from(pool), min_size=count, max_size=count))
    queries = draw(st.lists(row, min_size=1, max_size=3))
    allowed = draw(st.none() | st.lists(st.integers(0, count - 1), max_size=count))
    as_array = np.array(rows, np.float32), np.array(queries, np.float32)
    return *as_array, draw(st.integers(0, count + 5)), allowed


@settings(max_examples=200, deadline=None)
@given(problems())
def test_search_equals_the_twin(
    problem: tuple[np.ndarray, np.ndarray, int, list[int] | None],
) -> None:
    vectors, queries, k, allowed = problem
    found = make(vectors).search(queries, k, None if allowed is None else np.array(allowed, int))
    assert found == [twin(vectors, query, k, allowed) for query in queries]


@pytest.mark.parametrize("queries", [1, 3, 40])
def test_search_equals_the_twin_on_real_sizes(queries: int) -> None:
    vectors = unit_rows(700, 48, seed=1)
    vectors[100:200] = vectors[0]  # a hundred copies: a tie far wider than k
    asked = np.concatenate([vectors[:1], unit_rows(queries, 48, seed=2)])[:queries]
    allowed = np.arange(50, 600)
    index = make(vectors)
    for some in (None, allowed):
        expected = [twin(vectors, query, 7, some) for query in asked]
        assert index.search(asked, 7, some) == expected


def test_one_query_alone_scores_as_in_company() -> None:
    vectors = unit_rows(500, 32, seed=3)
    asked = unit_rows(64, 32, seed=4)
    index = make(vectors)
    together = index.search(asked, 5)
    assert together == [index.search(query, 5)[0] for query in asked]


def test_scores_of_all_rows_are_the_very_numbers_of_search() -> None:
    vectors = unit_rows(300, 16, seed=5)
    index = make(vectors)
    scores = index.scores(vectors[7])
    assert scores.shape == (300,)
    assert scores.dtype == np.float32
    assert [n.score for n in index.search(vectors[7], 300)[0]] == sorted(scores.tolist())[::-1]
    assert np.allclose(scores, vectors @ vectors[7], atol=1e-6)


def test_equal_rows_score_equal_wherever_they_stand() -> None:
    row = unit_rows(1, 384, seed=6)
    scores = exact_scores(np.repeat(row, 9001, axis=0), unit_rows(1, 384, seed=7)[0])
    assert len(set(scores.tolist())) == 1


def test_more_than_there_are_and_none_at_all() -> None:
    index = make(unit_rows(3, 4, seed=8))
    assert len(index.search(np.ones(4), 10)[0]) == 3
    assert index.search(np.ones((2, 4)), 0) == [[], []]
    assert index.search(np.ones(4), 5, np.array([], int)) == [[]]
    assert index.search(np.zeros((0, 4)), 5) == []
    assert VectorIndex(4, "x").search(np.ones(4), 5) == [[]]
    assert VectorIndex(4, "x").scores(np.ones(4)).shape == (0,)


def test_allowed_rows_are_chosen_before_ranking() -> None:
    vectors = np.eye(6, dtype=np.float32) + 0.1
    found = make(vectors).search(vectors[0], 2, [5, 5, 4])
    assert [n.row for n in found[0]] == [4, 5]


@pytest.mark.parametrize("allowed", [[-1], [3], [0, 99]])
def test_a_row_that_is_not_there_is_refused(allowed: list[int]) -> None:
    with pytest.raises(ValueError, match="allowed rows"):
        make(np.eye(3, dtype=np.float32)).search(np.ones(3), 1, allowed)


@pytest.mark.parametrize(
    "bad", [np.zeros(3), np.ones(4), [1, np.nan, 0], [1, np.inf, 0], np.ones((1, 1, 3))]
)
def test_bad_vectors_are_refused_everywhere_and_change_nothing(bad: object) -> None:
    index = make(np.eye(3, dtype=np.float32))
    with pytest.raises(BadVector):
        index.add(bad)  # type: ignore[arg-type]
    with pytest.raises(BadVector):
        index.search(bad, 1)  # type: ignore[arg-type]
    with pytest.raises(BadVector):
        index.scores(bad)  # type: ignore[arg-type]
    assert len(index) == 3


def test_bad_arguments() -> None:
    index = make(np.eye(3, dtype=np.float32))
    with pytest.raises(ValueError, match="negative"):
        index.search(np.ones(3), -1)
    with pytest.raises(ValueError, match="one query"):
        index.scores(np.ones((2, 3)))


def test_vectors_can_be_read_but_not_written() -> None:
    index = make(np.eye(3, dtype=np.float32))
    assert np.array_equal(index.vectors, np.eye(3))
    with pytest.raises(ValueError, match="read-only"):
        index.vectors[0, 0] = 5
    index.add(np.ones(3))
    assert index.vectors.shape == (4, 3)


@pytest.mark.parametrize("count", [0, 1, 20])
def test_saved_and_loaded_it_is_the_same(tmp_path: Path, count: int) -> None:
    vectors = unit_rows(count, 8, seed=9)
    make(vectors).save(tmp_path / "a" / "index")
    loaded = VectorIndex.load(tmp_path / "a" / "index", "test/1")
    assert (len(loaded), loaded.dimension, loaded.fingerprint) == (count, 8, "test/1")
    assert np.array_equal(loaded.vectors, vectors)
    assert loaded.search(np.ones(8), 3) == make(vectors).search(np.ones(8), 3)


def test_saving_is_byte_stable_and_leaves_nothing_behind(tmp_path: Path) -> None:
    index = make(unit_rows(5, 4, seed=10))
    index.save(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    index.save(tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    index.add(np.ones(4))
    index.save(tmp_path)
    assert len(list(tmp_path.iterdir())) == 2
    assert len(VectorIndex.load(tmp_path)) == 6


def test_a_killed_save_leaves_the_old_index_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = make(unit_rows(5, 4, seed=11))
    index.save(tmp_path)
    index.add(np.ones(4))

    def killed(*args: object, **kwargs: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("embeddings.index.json.dumps", killed)
    with pytest.raises(KeyboardInterrupt):
        index.save(tmp_path)
    assert len(VectorIndex.load(tmp_path)) == 5


def test_vectors_of_another_encoder_are_refused(tmp_path: Path) -> None:
    make(unit_rows(5, 4, seed=12), "encoder/1").save(tmp_path)
    with pytest.raises(EncoderMismatch, match="encoder/2") as caught:
        VectorIndex.load(tmp_path, "encoder/2")
    assert caught.value.found == "encoder/1"


def _break(folder: Path, how: str) -> None:
    meta = folder / "meta.json"
    data = next(folder.glob("vectors-*.npy"))
    facts = json.loads(meta.read_text())
    raw = data.read_bytes()
    if how == "no meta":
        meta.unlink()
    elif how == "meta cut":
        meta.write_bytes(meta.read_bytes()[:20])
    elif how == "meta is a list":
        meta.write_text("[]")
    elif how == "meta lacks a key":
        meta.write_text(json.dumps({k: v for k, v in facts.items() if k != "sha256"}))
    elif how == "meta of the future":
        meta.write_text(json.dumps(facts | {"format": 2}))
    elif how == "no vectors":
        data.unlink()
    elif how == "vectors cut":
        data.write_bytes(raw[:-5])
    elif how == "one bit":
        data.write_bytes(raw[:-1] + bytes([raw[-1] ^ 1]))
    elif how == "other count":
        meta.write_text(json.dumps(facts | {"count": 4}))
    elif how == "other file":
        meta.write_text(json.dumps(facts | {"file": "../../etc/hosts"}))


@pytest.mark.parametrize(
    "how",
    [
        "no meta",
        "meta cut",
        "meta is a list",
        "meta lacks a key",
        "meta of the future",
        "no vectors",
        "vectors cut",
        "one bit",
        "other count",
        "other file",
    ],
)
def test_a_damaged_folder_is_a_clear_error(tmp_path: Path, how: str) -> None:
    make(unit_rows(5, 4, seed=13)).save(tmp_path)
    _break(tmp_path, how)
    with pytest.raises(BadIndexFolder, match="build the index again"):
        VectorIndex.load(tmp_path)
