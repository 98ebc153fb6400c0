"""Which cases have each column, and how weights climb from terms to broader ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kg.graph.csr import grouped, picked, spans
from kg.vocab import Vocabulary

STEP_DECAY = 0.5
"""Weight of a broader term relative to the term itself, for each step up the hierarchy."""


@dataclass(frozen=True)
class Postings:
    """A sparse matrix by column: CSC, cases ascending within a column.

    Attributes:
        starts: cells of column j are starts[j] to starts[j + 1], (columns + 1,).
        cases: the case of each cell, (cells,).
        weights: its weight, (cells,); halves of halves of 1, which float32 holds exactly.
    """

    starts: NDArray[np.int64]
    cases: NDArray[np.int32]
    weights: NDArray[np.float32]

    def column(self, j: int) -> slice:
        """The cells of a column."""
        return slice(int(self.starts[j]), int(self.starts[j + 1]))


def postings(
    starts: NDArray[np.int64], cases: NDArray[np.int32], weights: NDArray[np.float32]
) -> Postings:
    """Cells by column, of which a case may have several in one: the largest of them counts.

    Cells of weight 0 are dropped. `weights` is taken over and written to.
    """
    same = cases[1:] == cases[:-1]
    between = starts[1:-1]
    same[between[(between > 0) & (between < len(cases))] - 1] = False
    again = np.flatnonzero(same) + 1
    if len(again):
        # Few cells repeat, so only these are touched; a run of several goes to its first cell.
        begins = np.ones(len(again), dtype=bool)
        np.not_equal(again[1:], again[:-1] + 1, out=begins[1:])
        firsts = again[begins][np.cumsum(begins) - 1] - 1
        np.maximum.at(weights, firsts, weights[again])
        weights[again] = 0.0
    kept = np.flatnonzero(weights > 0)
    if len(kept) == len(weights):
        return Postings(starts, cases, weights)
    starts = np.searchsorted(kept, starts)
    return Postings(starts, picked(cases, kept), picked(weights, kept))


class Ups:
    """From the nodes that cases state to columns: the term itself and all broader ones.

    Attributes:
        terms: the columns, sorted ids.
    """

    def __init__(
        self, nodes: Sequence[str], used: Sequence[int], vocabulary: Vocabulary | None
    ) -> None:
        """`nodes`: sorted ids; `used`: places of those that are stated, ascending."""
        names = [nodes[j] for j in used]
        above = [vocabulary.broader_steps(n) for n in names] if vocabulary else []
        self._flat = all(len(up) == 1 for up in above)
        every = names if self._flat else sorted({t for up in above for t in up})
        self.terms: tuple[str, ...] = tuple(every)
        # Without broader terms the columns are the nodes that are stated, in their order.
        self._column = dict(zip(used, range(len(used)), strict=True))
        self._links: dict[int, tuple[tuple[int, float], ...]] = {}
        if not self._flat:
            at = {t: i for i, t in enumerate(self.terms)}
            self._links = {
                j: tuple((at[t], STEP_DECAY**steps) for t, steps in up.items())
                for j, up in zip(used, above, strict=True)
            }

    def of(self, node: int) -> tuple[tuple[int, float], ...]:
        """The columns of a stated node, each with its share of the weight."""
        return ((self._column[node], 1.0),) if self._flat else self._links[node]

    def widened(self, stated: Postings, cases: int) -> Postings:
        """What cases state, by node, as a matrix over the columns; the strongest way up counts."""
        if self._flat:
            used = np.fromiter(self._column, dtype=np.int64)
            starts = np.append(stated.starts[used], stated.starts[-1])
            return Postings(starts, stated.cases, stated.weights)
        links = [(node, *link) for node, up in self._links.items() for link in up]
        node, column, share = (np.array(c) for c in zip(*links, strict=True))
        lengths = np.diff(stated.starts)[node]
        cells, link = spans(stated.starts[node], lengths)
        _, order = grouped(stated.cases[cells], cases)
        columns = column[link[order]]
        starts, by_column = grouped(columns, len(self.terms))
        order = order[by_column]
        weights = stated.weights[cells[order]] * share[link[order]].astype(np.float32)
        return postings(starts, stated.cases[cells[order]], weights)
