"""What counts as a usable vector."""

from __future__ import annotations

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from embeddings import BadVector
from embeddings.vectors import checked, empty, unit


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e300])
def test_a_number_that_float32_cannot_hold_is_refused_with_its_row(bad: float) -> None:
    with pytest.raises(BadVector, match="vector 1 holds"):
        checked([[1.0, 2.0], [bad, 0.0]], 2)


def test_a_zero_vector_is_refused_with_its_row() -> None:
    with pytest.raises(BadVector, match="vector 2 is zero"):
        checked([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]], 2)


@pytest.mark.parametrize("shape", [(3,), (2, 3), (1, 2, 2), (0, 3)])
def test_a_wrong_dimension_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(BadVector, match="vectors of 2 numbers"):
        checked(np.ones(shape), 2)


def test_one_vector_is_one_row_and_nothing_is_no_row() -> None:
    assert checked([3.0, 4.0], 2).shape == (1, 2)
    assert checked([], 2).shape == (0, 2)
    assert empty(5).shape == (0, 5)
    assert empty(5).dtype == np.float32


@given(hnp.arrays(np.float32, (3, 4), elements=st.floats(-(2.0**120), 2.0**120, width=32)))
def test_unit_vectors_have_length_one_and_keep_their_direction(matrix: np.ndarray) -> None:
    assume(matrix.any(axis=1).all())
    scaled = unit(matrix, 4)
    assert scaled.dtype == np.float32
    assert np.allclose(np.linalg.norm(scaled.astype(np.float64), axis=1), 1, atol=1e-6)
    assert np.array_equal(np.sign(scaled) * np.sign(matrix) >= 0, np.ones_like(matrix, dtype=bool))
