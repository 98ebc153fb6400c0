"""From passages to documents: cosines of many passages -> one dense score a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Scores = NDArray[np.float64]
    Rows = NDArray[np.int64]


class PassagePool:
    """Which passages belong to which document, laid out for fast pooling.

    Attributes:
        bounds: passages `bounds[i]` to `bounds[i + 1]` are those of document i, (documents + 1,).
    """

    def __init__(self, owners: Rows, documents: int) -> None:
        """`owners`: the document of each passage, (passages,), ascending.

        Raises:
            ValueError: the owners are not ascending, or name a document that is not there.
        """
        if len(owners) and (owners[0] < 0 or (np.diff(owners) < 0).any()):
            raise ValueError("passages must lie document by document, numbered from 0")
        if len(owners) and owners[-1] >= documents:
            raise ValueError(f"passage of document {owners[-1]}, but there are {documents}")
        self.bounds = np.searchsorted(owners, np.arange(documents + 1)).astype(np.int64)
        sizes = np.diff(self.bounds)
        # Documents of like size lie in one table, a row each, so that a very long one does not
        # widen the rows of all. Places beyond a last passage point at one that is never the best.
        self._tables: list[tuple[Rows, Rows, Rows]] = []
        width = 1
        while (sizes > width // 2).any():
            group = np.flatnonzero((sizes > width // 2) & (sizes <= width))
            columns = np.arange(width)
            inside = columns < sizes[group, None]
            places = np.where(inside, self.bounds[group, None] + columns, len(owners))
            self._tables.append((group, places, sizes[group]))
            width *= 2

    def best(self, values: Floats, share: float, count: int) -> Scores:
        """The score of each document: mostly its best passage, a little of its best few.

        Args:
            values: one number a passage, (passages,), or such lines, (lines, passages).
            share: weight of the best passage; the rest is the mean of the best ones.
            count: how many best ones, at least 1.

        Returns:
            (documents,), or (lines, documents); -1 for a document without passages.
        """
        scores: Scores = np.full((*values.shape[:-1], len(self.bounds) - 1), -1.0)
        padded = np.full((*values.shape[:-1], values.shape[-1] + 1), -np.inf)
        padded[..., :-1] = values
        for group, places, sizes in self._tables:
            scores[..., group] = _pooled(padded[..., places], sizes, share, count)
        return scores

    def best_where(
        self, line: Rows, passage: Rows, value: Floats, floors: Floats, share: float, count: int
    ) -> Scores:
        """`best` of many lines at once, in each of which most passages have one low value.

        The scores are the very numbers that `best` gives; documents without a passage of their own
        in a line cost nothing.

        Args:
            line: the line of each passage that stands out, (found,).
            passage: which passage it is, (found,); none twice in a line.
            value: its number, (found,).
            floors: the number of all other passages of each line, (lines,).
            share: as for `best`.
            count: as for `best`.

        Returns:
            (lines, documents); -1 for a document without passages.
        """
        documents = len(self.bounds) - 1
        scores: Scores = np.full((len(floors), documents), -1.0)
        owners = np.searchsorted(self.bounds, passage, side="right") - 1
        pairs, place = np.unique(line * documents + owners, return_inverse=True)
        lines, documents_of = np.divmod(pairs, max(1, documents))
        every = np.diff(self.bounds)
        for group, places, sizes in self._tables:
            if not len(group):
                continue
            scores[:, group] = self._floor(floors, places.shape[1], sizes, share, count)
            mine = np.isin(documents_of, group)
            if not mine.any():
                continue
            wide = every[documents_of[mine]]
            inside = np.arange(places.shape[1]) < wide[:, None]
            table = np.where(inside, floors[lines[mine], None].astype(np.float64), -np.inf)
            chosen = mine[place]
            at = np.cumsum(mine)[place[chosen]] - 1
            table[at, passage[chosen] - self.bounds[owners[chosen]]] = value[chosen]
            scores[lines[mine], documents_of[mine]] = _pooled(table, wide, share, count)
        return scores

    def _floor(self, floors: Floats, width: int, sizes: Rows, share: float, count: int) -> Scores:
        """The scores of documents all of whose passages have the low value: (lines, documents)."""
        different, which = np.unique(np.minimum(sizes, count), return_inverse=True)
        columns = [
            _pooled(
                np.where(np.arange(width) < size, floors[:, None].astype(np.float64), -np.inf),
                np.full(len(floors), size), share, count,
            )
            for size in different.tolist()
        ]  # fmt: skip
        found: Scores = np.stack(columns, axis=1)[:, which]
        return found

    def best_rows(self, document: int, values: Floats, count: int) -> Rows:
        """The `count` best passages of a document, best first, ties by place: passage numbers."""
        start, end = self.bounds[document], self.bounds[document + 1]
        order = np.argsort(-values[start:end], kind="stable")[:count]
        result: Rows = order + start
        return result

    def best_of(self, documents: Rows, values: Floats, count: int) -> tuple[Rows, Rows]:
        """`best_rows` of many documents, in any order: the document and the number of each passage.

        Args:
            documents: (n,), each once.
            values: one number a passage, (passages,).
            count: how many of each document, at least 1.

        Returns:
            documents and passages, (found,) each.
        """
        begins = self.bounds[documents]
        sizes = self.bounds[documents + 1] - begins
        ends = np.cumsum(sizes)
        owners = np.repeat(documents, sizes)
        passages = np.arange(len(owners)) + np.repeat(begins - (ends - sizes), sizes)
        order = np.lexsort((passages, -values[passages], np.repeat(np.arange(len(sizes)), sizes)))
        kept = order[np.arange(len(order)) - np.repeat(ends - sizes, sizes) < count]
        return owners[kept], passages[kept]


def _pooled(table: Scores, sizes: Rows, share: float, count: int) -> Scores:
    """A score a row: rows hold the numbers of a document's passages, minus infinity behind them."""
    if table.shape[-1] > count:
        table = np.partition(table, -count, axis=-1)[..., -count:]
    mean = np.where(np.isfinite(table), table, 0.0).sum(axis=-1) / np.minimum(sizes, count)
    pooled: Scores = share * table.max(axis=-1) + (1 - share) * mean
    return pooled
