"""Small rules about float32 vectors that several rooms of this package share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from embeddings.errors import BadVector

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float32]


def empty(dimension: int) -> Floats:
    """No vectors: float32 of shape (0, dimension)."""
    return np.zeros((0, dimension), dtype=np.float32)


def checked(vectors: ArrayLike, dimension: int) -> Floats:
    """The vectors as a C-contiguous float32 matrix (n, dimension); one vector becomes one row.

    Raises:
        BadVector: wrong dimension, NaN, infinite, or zero; names the first bad row.
    """
    with np.errstate(over="ignore"):  # a double too large for float32 is reported as not finite
        matrix = np.ascontiguousarray(vectors, dtype=np.float32)
    if matrix.ndim == 1:
        matrix = matrix.reshape(1, -1) if matrix.size else matrix.reshape(0, dimension)
    if matrix.ndim != 2 or matrix.shape[1] != dimension:
        raise BadVector(f"expected vectors of {dimension} numbers, got shape {matrix.shape}")
    _refuse(np.isfinite(matrix).all(axis=1), "holds NaN or infinity")
    _refuse(matrix.any(axis=1), "is zero and has no direction")
    return matrix


def unit(vectors: ArrayLike, dimension: int) -> Floats:
    """The vectors scaled to length one, float32 (n, dimension).

    Raises:
        BadVector: as `checked`.
    """
    matrix = checked(vectors, dimension)
    # Largest number first: squares of very small or very large float32 leave the range.
    scaled: NDArray[Any] = matrix / np.abs(matrix).max(axis=1, keepdims=True)
    lengths = np.sqrt(np.square(scaled, dtype=np.float64).sum(axis=1, keepdims=True))
    result: Floats = (scaled / lengths).astype(np.float32)
    return result


def _refuse(good: Any, why: str) -> None:
    """Raise for the first row not marked good."""
    if not good.all():
        raise BadVector(f"vector {int(good.argmin())} {why}")
