"""Late interaction: token vectors in one byte a number, and MaxSim over them.

A text is many vectors, one a token, and a query token counts by the passage token that is
nearest to it (Khattab & Zaharia 2020, "ColBERT"). Contextual token vectors of one model share a
large common part and lie in few directions (Ethayarajh 2019), so the common part is subtracted
and the strongest axes are kept: a `TokenBasis`, made once from fixed texts. What remains is
stored as int8. Values of MaxSim may be compared within one query only: use ranks or standard
scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from embeddings.errors import BadVector

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Codes = NDArray[np.int8]
    Floats = NDArray[np.float32]
    Rows = NDArray[np.int64]

LARGEST = 127
"""The largest absolute number of every row of codes."""

_BLOCK_TOKENS = 1 << 14
"""Passage tokens that are compared at once: 3 MB of float32 at 48 numbers a token."""


@dataclass(frozen=True, eq=False)
class TokenBasis:
    """Where the token vectors of an encoder lie: what they share, and their strongest axes.

    Attributes:
        mean: float32 (hidden,), subtracted from each hidden state.
        axes: float32 (hidden, dimension), orthonormal columns, the strongest first.
    """

    mean: Floats
    axes: Floats

    def __post_init__(self) -> None:
        """Raises BadVector when mean and axes do not fit each other."""
        if self.mean.ndim != 1 or self.axes.ndim != 2 or len(self.mean) != len(self.axes):
            raise BadVector(f"mean {self.mean.shape} and axes {self.axes.shape} do not fit")

    @property
    def dimension(self) -> int:
        """Numbers per token vector."""
        return int(self.axes.shape[1])

    def project(self, hidden: Floats) -> Floats:
        """Unit rows float32 (tokens, dimension) of hidden states (tokens, hidden).

        A state that is the mean itself has no direction: its row is zero, and like nothing.
        """
        centred: Floats = hidden - self.mean
        turned: Floats = centred @ self.axes
        return _unit_rows(turned)

    def encode(self, hidden: Floats) -> Codes:
        """The projected rows as int8 (tokens, dimension), see `quantise`."""
        return quantise(self.project(hidden))


def fit_basis(hidden: Floats, dimension: int) -> TokenBasis:
    """The basis of hidden states (tokens, hidden): their mean and their first principal axes.

    Of the two directions of an axis the one is taken whose largest number is positive. Last bits
    still differ between machines, and axes of nearly equal strength may turn into each other, so
    vectors of two fits must not be compared: fit once and keep the result.
    """
    exact = hidden.astype(np.float64)
    mean = exact.mean(axis=0)
    axes = np.linalg.svd(exact - mean, full_matrices=False)[2][:dimension]
    largest = np.abs(axes).argmax(axis=1)
    axes *= np.sign(axes[np.arange(len(axes)), largest])[:, None]
    return TokenBasis(mean.astype(np.float32), np.ascontiguousarray(axes.T, dtype=np.float32))


def quantise(rows: Floats) -> Codes:
    """Rows as int8 of the same shape, each scaled so that its largest absolute number is 127.

    The scale is not kept, for `decode` gives unit rows anyway: at 48 numbers a row the cosine of
    a row with what comes back is above 0.9998. Rows of zeros stay zero.
    """
    if not rows.size:
        return np.zeros(rows.shape, dtype=np.int8)
    largest = np.abs(rows).max(axis=1, keepdims=True)
    scaled = rows * (LARGEST / np.where(largest > 0, largest, 1))
    codes: Codes = np.rint(scaled).astype(np.int8)
    return codes


def decode(codes: Codes) -> Floats:
    """The unit rows that codes stand for: float32 of the same shape; zero rows stay zero."""
    return _unit_rows(codes.astype(np.float32))


@dataclass(frozen=True, eq=False)
class TokenTable:
    """The token vectors of many passages, end to end.

    Attributes:
        codes: int8 (tokens, dimension).
        starts: int64 (passages + 1,): the tokens of passage i are codes[starts[i]:starts[i + 1]].
    """

    codes: Codes
    starts: Rows

    def __post_init__(self) -> None:
        """Raises BadVector when the starts do not cover the codes in order."""
        good = self.codes.ndim == 2 and self.starts.ndim == 1 and len(self.starts) > 0
        good = good and self.starts[0] == 0 and self.starts[-1] == len(self.codes)
        if not (good and (np.diff(self.starts) >= 0).all()):
            raise BadVector(f"codes {self.codes.shape}: the starts do not cover them in order")

    @classmethod
    def of(cls, passages: Sequence[Codes], dimension: int = 0) -> TokenTable:
        """The table of passages, each int8 (tokens, dimension); some may have no tokens.

        `dimension` is needed only where there is no passage to tell it.

        Raises:
            BadVector: passages of different dimensions.
        """
        widths = {codes.shape[1] for codes in passages} or {dimension}
        if len(widths) > 1:
            raise BadVector(f"token vectors of different dimensions: {sorted(widths)}")
        codes = np.zeros((0, widths.pop()), dtype=np.int8)
        starts = np.cumsum([0, *map(len, passages)], dtype=np.int64)
        return cls(np.concatenate([codes, *passages]), starts)

    def __len__(self) -> int:
        """Number of passages."""
        return len(self.starts) - 1

    @property
    def dimension(self) -> int:
        """Numbers per token vector."""
        return int(self.codes.shape[1])

    def codes_of(self, row: int) -> Codes:
        """The codes of one passage: int8 (tokens, dimension).

        Raises:
            IndexError: there is no such passage.
        """
        if not 0 <= row < len(self):
            raise IndexError(f"passage {row} of {len(self)}")
        return self.codes[self.starts[row] : self.starts[row + 1]]

    def maxsim(self, query: Floats, rows: Rows) -> Floats:
        """For each passage named: the mean over query tokens of the best cosine with its tokens.

        `query`: unit rows float32 (tokens, dimension). `rows`: int64 (n,), in any order, also
        repeated. Returns float32 (n,), each within -1 and 1; 0 for a passage without tokens, and
        for all when the query has none. 150 passages of 50 tokens with 40 query tokens take about
        1 ms on one core.

        Raises:
            BadVector: the query is of another dimension.
            IndexError: there is no such passage.
        """
        if query.ndim != 2 or query.shape[1] != self.dimension:
            raise BadVector(f"query {query.shape}: expected rows of {self.dimension} numbers")
        if len(rows) and not 0 <= rows.min() <= rows.max() < len(self):
            raise IndexError(f"passages {rows.min()} to {rows.max()} of {len(self)}")
        scores = np.zeros(len(rows), dtype=np.float32)
        if not len(query):
            return scores
        begins = self.starts[rows]
        lengths = self.starts[rows + 1] - begins
        filled = np.flatnonzero(lengths)
        for block in _blocks(lengths[filled]):
            part = filled[block]
            scores[part] = self._best(query, begins[part], lengths[part])
        return scores

    @cached_property
    def _inverse_lengths(self) -> Floats:
        """1 / length of the codes of each token, (tokens,): four bytes a token."""
        inverse = np.zeros(len(self.codes), dtype=np.float32)
        for start in range(0, len(self.codes), _BLOCK_TOKENS):
            part = slice(start, start + _BLOCK_TOKENS)
            inverse[part] = _inverse_lengths(self.codes[part].astype(np.float32))
        return inverse

    def _best(self, query: Floats, begins: Rows, lengths: Rows) -> Floats:
        """`maxsim` of passages that all have tokens."""
        cuts = np.cumsum(lengths) - lengths
        places = np.arange(lengths.sum()) + np.repeat(begins - cuts, lengths)
        codes = self.codes.take(places, axis=0).astype(np.float32)
        codes *= self._inverse_lengths[places, None]
        cosines = query @ codes.T
        best: Floats = np.maximum.reduceat(cosines, cuts, axis=1).mean(axis=0)
        return best


def _blocks(lengths: Rows) -> Iterator[slice]:
    """Neighbouring passages, as many as have `_BLOCK_TOKENS` together, at least one."""
    ends = np.cumsum(lengths)
    start = done = 0
    while start < len(lengths):
        end = max(start + 1, int(np.searchsorted(ends, done + _BLOCK_TOKENS, side="right")))
        yield slice(start, end)
        start, done = end, int(ends[end - 1])


def _inverse_lengths(rows: Floats) -> Floats:
    """1 / length of each row; 0 for a row of zeros."""
    squares = np.einsum("ij,ij->i", rows, rows)
    inverse: Floats = np.zeros(len(rows), dtype=np.float32)
    np.divide(1, np.sqrt(squares), out=inverse, where=squares > 0)
    return inverse


def _unit_rows(rows: Floats) -> Floats:
    unit: Floats = rows * _inverse_lengths(rows)[:, None]
    return unit
