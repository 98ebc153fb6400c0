"""Ridge regression of causes on cases, with what it says when one case is left out.

Rows are cases, columns are numbers told of a case. The prediction at a point x is the mean plus
Σᵢ (x · xᵢ) αᵢ: each case adds its likeness to the text times its coefficient (Saunders et al.
1998, "Ridge regression learning algorithm in dual variables"), so that what speaks for a cause can
be told case by case. One decomposition serves every strength of the ridge, and leaving a case out
costs nothing (Allen 1974, the predicted residual sum of squares).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]

_LEAST = 1e-10
"""Directions whose share of the largest is less than this are rounding."""


class Ridge:
    """The decomposition of the rows of cases.

    Attributes:
        axes: (columns, axes), orthonormal: the directions in which the cases differ.
        rows: the cases along them, (cases, axes).
    """

    def __init__(self, rows: Scores) -> None:
        """`rows`: (cases, columns); no cases, or no columns, are allowed."""
        count, width = rows.shape
        if count <= width:
            values, left = np.linalg.eigh(rows @ rows.T)
            kept = values > _LEAST * max(values.max(initial=0.0), 1e-300)
            self.axes: Scores = rows.T @ left[:, kept] / np.sqrt(values[kept])
        else:
            values, right = np.linalg.eigh(rows.T @ rows)
            kept = values > _LEAST * max(values.max(initial=0.0), 1e-300)
            self.axes = right[:, kept]
        self._values: Scores = values[kept]
        self.rows: Scores = rows @ self.axes

    def solve(self, targets: Scores, strength: float) -> RidgeFit:
        """Fit targets (cases, outputs) that have mean 0, with a ridge above 0."""
        scale = 1.0 / (self._values + strength)
        weights = scale[:, None] * (self.rows.T @ targets)
        return RidgeFit(self, targets, weights, scale, strength)


class RidgeFit:
    """One fit.

    Attributes:
        coefficients: what each case adds to each output for a likeness of 1, (cases, outputs).
    """

    def __init__(
        self, ridge: Ridge, targets: Scores, weights: Scores, scale: Scores, strength: float
    ) -> None:
        self._ridge, self._weights, self._scale = ridge, weights, scale
        self._residuals: Scores = targets - ridge.rows @ weights
        self.coefficients: Scores = self._residuals / strength

    def at(self, points: Scores) -> Scores:
        """Predictions at points (n, columns): (n, outputs)."""
        return np.asarray(points @ self._ridge.axes @ self._weights, dtype=np.float64)

    def likeness(self, point: Scores) -> Scores:
        """The likeness x · xᵢ of one point (columns,) with every case, (cases,)."""
        return np.asarray(self._ridge.rows @ (point @ self._ridge.axes), dtype=np.float64)

    def without(self, points: Scores, left_out: NDArray[np.int64]) -> Scores:
        """Predictions at points, for each of which one case was never seen: (n, outputs).

        Args:
            points: (n, columns).
            left_out: the number of the case that is left out for each point, (n,).
        """
        along = points @ self._ridge.axes
        rows = self._ridge.rows
        lever = 1.0 - np.einsum("ij,ij,j->i", rows, rows, self._scale)
        pull = np.einsum("ij,ij,j->i", along, rows[left_out], self._scale) / lever[left_out]
        predicted: Scores = along @ self._weights - pull[:, None] * self._residuals[left_out]
        return predicted
