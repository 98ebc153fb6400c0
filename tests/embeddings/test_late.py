"""MaxSim over int8 token vectors, judged by plain Python."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embeddings import BadVector, TokenBasis, TokenTable
from embeddings.late import LARGEST, decode, fit_basis, quantise

SEEDS = st.integers(0, 10_000)
SIZES = st.lists(st.integers(0, 9), max_size=12)


def _rows(seed: int, count: int, dimension: int = 6) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(count, dimension))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def _passages(seed: int, sizes: list[int], dimension: int = 6) -> list[np.ndarray]:
    return [quantise(_rows(seed + i, size, dimension)) for i, size in enumerate(sizes)]


def _cosine(a: list[float], b: list[float]) -> float:
    lengths = math.sqrt(sum(x * x for x in a)) * math.sqrt(sum(y * y for y in b))
    return sum(x * y for x, y in zip(a, b, strict=True)) / lengths if lengths else 0.0


def _twin(query: np.ndarray, passage: np.ndarray) -> float:
    """The slow obvious MaxSim of one passage."""
    if not len(query) or not len(passage):
        return 0.0
    best = [max(_cosine(q, p) for p in passage.tolist()) for q in query.tolist()]
    return sum(best) / len(best)


@settings(max_examples=60, deadline=None)
@given(SEEDS, SIZES, st.integers(0, 7), st.data())
def test_maxsim_is_what_plain_python_says(
    seed: int, sizes: list[int], tokens: int, data: st.DataObject
) -> None:
    passages = _passages(seed, sizes)
    table = TokenTable.of(passages, 6)
    query = _rows(seed + 999, tokens)
    places = st.integers(0, max(len(sizes) - 1, 0))
    rows = data.draw(st.lists(places, max_size=20 if sizes else 0))
    scores = table.maxsim(query, np.array(rows, dtype=np.int64))
    assert scores.dtype == np.float32
    assert scores.shape == (len(rows),)
    judge = [_twin(query, passages[row]) for row in rows]
    assert np.allclose(scores, judge, atol=1e-5)


@pytest.mark.parametrize("block", [1, 3, 10, 1000])
def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    passages = _passages(3, [4, 0, 1, 9, 2, 0, 7])
    table, query = TokenTable.of(passages), _rows(5, 4)
    monkeypatch.setattr("embeddings.late._BLOCK_TOKENS", block)
    rows = np.array([6, 3, 3, 1, 0, 5, 2, 4])
    judge = [_twin(query, passages[row]) for row in rows]
    assert np.allclose(table.maxsim(query, rows), judge, atol=1e-5)


def test_a_passage_that_holds_the_query_scores_one() -> None:
    query = _rows(1, 5)
    passages = [_rows(2, 8), np.concatenate([_rows(3, 4), query]), _rows(4, 1)]
    scores = TokenTable.of([quantise(p) for p in passages]).maxsim(query, np.arange(3))
    assert scores.argmax() == 1
    assert scores[1] == pytest.approx(1, abs=1e-3)
    assert (np.abs(scores) <= 1 + 1e-6).all()


def test_more_tokens_never_lower_a_score() -> None:
    query, long = _rows(1, 5), quantise(_rows(2, 12))
    table = TokenTable.of([long[:3], long[:7], long])
    scores = table.maxsim(query, np.arange(3))
    assert list(scores) == sorted(scores)


def test_equal_passages_have_equal_scores_wherever_they_stand() -> None:
    one = quantise(_rows(8, 11, 48))
    others = _passages(20, [5, 30, 17], 48)
    table = TokenTable.of([one, *others, one, one])
    scores = table.maxsim(_rows(9, 13, 48), np.array([0, 1, 4, 2, 5]))
    assert scores[[2, 4]] == pytest.approx([scores[0]] * 2, abs=1e-6)


def test_nothing_to_compare_scores_zero() -> None:
    table = TokenTable.of(_passages(1, [3, 0]))
    assert table.maxsim(_rows(2, 0), np.array([0, 1, 0])).tolist() == [0, 0, 0]
    assert table.maxsim(_rows(2, 4), np.array([1])).tolist() == [0]
    assert table.maxsim(_rows(2, 4), np.array([], dtype=np.int64)).shape == (0,)
    zero = TokenTable.of([np.zeros((2, 6), dtype=np.int8)])
    assert zero.maxsim(_rows(2, 4), np.array([0])).tolist() == [0]


@pytest.mark.parametrize("rows", [[-1], [0, 2], [7]])
def test_a_passage_that_is_not_there_is_an_error(rows: list[int]) -> None:
    table = TokenTable.of(_passages(1, [3, 4]))
    with pytest.raises(IndexError, match="of 2"):
        table.maxsim(_rows(2, 4), np.array(rows))
    with pytest.raises(IndexError, match="of 2"):
        table.codes_of(rows[-1])


@pytest.mark.parametrize("query", [np.zeros((2, 5), "f4"), np.zeros(6, "f4")])
def test_a_query_of_another_dimension_is_an_error(query: np.ndarray) -> None:
    with pytest.raises(BadVector, match="rows of 6 numbers"):
        TokenTable.of(_passages(1, [3])).maxsim(query, np.array([0]))


@settings(max_examples=30, deadline=None)
@given(SEEDS, SIZES)
def test_a_table_gives_back_its_passages(seed: int, sizes: list[int]) -> None:
    passages = _passages(seed, sizes)
    table = TokenTable.of(passages, 6)
    assert len(table) == len(sizes)
    assert table.dimension == 6
    assert table.codes.shape == (sum(sizes), 6)
    assert (table.codes.dtype, table.starts.dtype) == (np.int8, np.int64)
    for row, passage in enumerate(passages):
        assert np.array_equal(table.codes_of(row), passage)


def test_a_table_of_nothing() -> None:
    assert len(TokenTable.of([])) == 0
    assert TokenTable.of([], 48).maxsim(_rows(1, 2, 48), np.zeros(0, np.int64)).shape == (0,)


def test_passages_of_different_dimensions_are_refused() -> None:
    with pytest.raises(BadVector, match=r"\[5, 6\]"):
        TokenTable.of([*_passages(1, [2], 6), *_passages(1, [2], 5)])


@pytest.mark.parametrize("starts", [[], [0], [0, 2], [1, 3], [0, 2, 1, 3], [0, 4], [[0, 3]]])
def test_starts_that_do_not_fit_are_refused(starts: list[int]) -> None:
    with pytest.raises(BadVector, match="cover"):
        TokenTable(np.zeros((3, 6), np.int8), np.array(starts, dtype=np.int64))


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(1, 9), st.integers(1, 64), st.floats(1e-6, 1e6))
def test_codes_use_the_whole_range_and_keep_the_direction(
    seed: int, count: int, dimension: int, scale: float
) -> None:
    rows = _rows(seed, count, dimension) * np.float32(scale)
    codes = quantise(rows)
    assert codes.dtype == np.int8
    assert (np.abs(codes.astype(int)).max(axis=1) == LARGEST).all()
    for row, code in zip(rows.tolist(), codes.tolist(), strict=True):
        largest = max(map(abs, row))
        assert all(abs(c - 127 * x / largest) <= 0.501 for c, x in zip(code, row, strict=True))
        assert _cosine(row, code) > 0.999


def test_at_48_numbers_a_token_is_nearly_what_it_was() -> None:
    rows = _rows(1, 500, 48)
    assert (rows * decode(quantise(rows))).sum(axis=1).min() > 0.9998


def test_decoding_gives_unit_rows_and_coding_them_again_the_same_codes() -> None:
    codes = quantise(_rows(4, 30, 48))
    rows = decode(codes)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-6)
    assert np.array_equal(quantise(rows), codes)


def test_rows_without_direction_stay_zero() -> None:
    rows = np.array([[0, 0, 0], [0, -2, 1]], dtype=np.float32)
    assert quantise(rows).tolist() == [[0, 0, 0], [0, -127, 64]]
    assert decode(quantise(rows))[0].tolist() == [0, 0, 0]
    assert quantise(rows[:0]).shape == decode(quantise(rows[:0])).shape == (0, 3)


def _states(seed: int, count: int = 60) -> np.ndarray:
    """Hidden states of ten numbers that share a part and vary most along a few directions."""
    random = np.random.default_rng(seed)
    spread = np.array([9, 7, 5, 3, 1, 0.5, 0.3, 0.2, 0.1, 0.05])
    turn = np.linalg.qr(random.normal(size=(10, 10)))[0]
    return (4 + random.normal(size=(count, 10)) * spread @ turn).astype(np.float32)


def test_a_basis_centres_turns_and_scales_to_length_one() -> None:
    states = _states(1)
    basis = fit_basis(states, 3)
    found = basis.project(states)
    for state, row in zip(states[:20].astype(float), found[:20], strict=True):
        turned = [float((state - basis.mean) @ axis) for axis in basis.axes.T]
        length = math.sqrt(sum(x * x for x in turned))
        assert row.tolist() == pytest.approx([x / length for x in turned], abs=1e-5)
    assert np.array_equal(basis.encode(states), quantise(found))
    assert basis.dimension == 3
    assert basis.project(states[:0]).shape == basis.encode(states[:0]).shape == (0, 3)


def test_the_axes_are_the_principal_ones_strongest_first() -> None:
    states = _states(2, 400)
    basis = fit_basis(states, 4)
    assert np.allclose(basis.mean, states.mean(axis=0), atol=1e-4)
    assert np.allclose(basis.axes.T @ basis.axes, np.eye(4), atol=1e-5)
    values, vectors = np.linalg.eigh(np.cov(states.T.astype(float)))
    for axis, judge in zip(basis.axes.T, vectors.T[::-1], strict=False):
        assert abs(float(axis @ judge)) == pytest.approx(1, abs=1e-3)
    variances = ((states - basis.mean) @ basis.axes).var(axis=0, ddof=1)
    assert np.allclose(variances, values[::-1][:4], rtol=1e-3)


def test_the_direction_of_an_axis_is_by_convention() -> None:
    states = _states(3)
    for some in (states, states[::-1], 2 * states.mean(axis=0) - states):
        axes = fit_basis(some, 5).axes
        assert (axes[np.abs(axes).argmax(axis=0), np.arange(5)] > 0).all()
        assert np.allclose(axes, fit_basis(states, 5).axes, atol=1e-3)


def test_all_axes_keep_the_cosines_of_centred_states() -> None:
    states = _states(4)
    rows = fit_basis(states, 10).project(states)
    centred = states.astype(float) - states.mean(axis=0)
    judge = [[_cosine(a, b) for b in centred.tolist()] for a in centred[:6].tolist()]
    assert np.allclose(rows[:6] @ rows.T, judge, atol=1e-4)


def test_the_mean_itself_has_no_direction() -> None:
    basis = TokenBasis(np.ones(4, "f4"), np.eye(4, 2, dtype="f4"))
    assert basis.project(np.ones((1, 4), "f4")).tolist() == [[0, 0]]


def test_a_mean_and_axes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(BadVector, match="do not fit"):
        TokenBasis(np.ones(3, "f4"), np.eye(4, dtype="f4"))
