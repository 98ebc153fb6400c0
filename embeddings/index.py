"""Vectors -> nearest neighbours over FAISS: exact, or approximate where there are very many.

FAISS finds the candidates; their scores are then computed again one row at a time and sorted by
(-score, row). FAISS alone returns ties highest row first, pads with row -1, and its last digits
depend on how many queries came together: none of that reaches the caller.
"""

from __future__ import annotations

import importlib
import json
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

import numpy as np

from embeddings.approximate import PLANS, Lists, Plan
from embeddings.errors import BadIndexFolder, EncoderMismatch, MissingExtra
from embeddings.index_files import (
    FORMAT,
    META,
    check_kinds,
    read_array,
    read_meta,
    write_array,
    write_atomically,
)
from embeddings.vectors import checked

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float32]
    Rows = NDArray[np.int64]
    Array = NDArray[Any]

Kind = Literal["auto", "exact", "approximate"]

EXACT_UP_TO = 250_000
"""The number of vectors, or of allowed rows, up to which an index answers exactly by itself.

CPU time of one query for 10 hits on one core, faiss-cpu 1.15.1, windows of real passages under
multilingual-e5-small (384 numbers), 100 real queries; benchmarks/index.py measures the like again:

=======  =====  ===============  =========  ===========
vectors  exact  with lists       recall@10  lists built
=======  =====  ===============  =========  ===========
100,000  16 ms  2.9 ms           0.990      6 s
250,000  34 ms  3.6 ms           1.000      15 s
468,000  63 ms  5.4 ms           0.999      31 s
=======  =====  ===============  =========  ===========

So lists pay after some 500 queries, whatever the size, and until then a new process waits longer
for its first answer. For 2,000 hits they save nothing at 100,000 vectors and half at 250,000.
For comparison at 100,000: IVF-Flat 4.7 ms for the same recall and the vectors twice in memory; HNSW
(M = 32) 2.2 ms after 57 s of building; Panorama after PCA exact in 6 ms, but no faster than the
flat index for 2,000 hits, and limited to as many as fit into one of its batches.
"""

_ROWS_AT_ONCE = 4096
_MARGIN = 16
_FEW = 10
"""An index that is approximate by request answers exactly within a tenth of its rows."""
_TOLERANCE = 1e-4
"""More than FAISS's float32 sums can be wrong by, relative to the lengths of both vectors."""


@dataclass(frozen=True, slots=True)
class Neighbor:
    """One hit: the row of the index, and its score (inner product; higher is nearer)."""

    row: int
    score: float


class VectorIndex:
    """An index of vectors, in the order they were added; row numbers start at 0.

    Scores are inner products: cosines when vectors have length one, as all encoders here give.
    They are exact in either kind of index, and equal scores stand by row; an approximate one may
    overlook a neighbour (recall@10 at least 0.98, or it answers exactly after all).
    """

    def __init__(self, dimension: int, fingerprint: str, kind: Kind = "auto") -> None:
        """An empty index for vectors of one encoder.

        Args:
            dimension: numbers in a vector.
            fingerprint: of the encoder.
            kind: `exact`, `approximate`, or by the number of vectors, see `EXACT_UP_TO`.

        Raises:
            MissingExtra: faiss is not installed.
            ValueError: there is no such kind.
        """
        if kind not in get_args(Kind):
            raise ValueError(f"kind must be one of {', '.join(get_args(Kind))}, got {kind!r}")
        self.dimension = dimension
        self.fingerprint = fingerprint
        self._wanted = kind
        self._lists: Lists | None = None
        self._settled = False  # whether lists, or their absence, are those of the present vectors
        self._faiss = _faiss()
        self._index = self._faiss.IndexFlatIP(dimension)
        self._longest = 0.0  # length of the longest vector, for the tolerance of ties

    def __len__(self) -> int:
        """Number of vectors."""
        return int(self._index.ntotal)

    @property
    def kind(self) -> Kind:
        """How it answers, `exact` or `approximate`; builds what is needed for that first."""
        return "approximate" if self._ready_lists() else "exact"

    @property
    def vectors(self) -> Floats:
        """The vectors, float32 (n, dimension): a view of the index, gone stale after `add`."""
        if not len(self):
            return np.zeros((0, self.dimension), dtype=np.float32)
        flat = self._faiss.rev_swig_ptr(self._index.get_xb(), len(self) * self.dimension)
        view: Floats = flat.reshape(len(self), self.dimension)
        view.flags.writeable = False
        return view

    def add(self, vectors: ArrayLike) -> None:
        """Append vectors (n, dimension), all or none.

        Raises:
            BadVector: wrong dimension, zero, NaN or infinite.
        """
        matrix = checked(vectors, self.dimension)
        if len(matrix):
            self._index.add(matrix)
            self._lists, self._settled = None, False
            squares = np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64)
            self._longest = max(self._longest, float(np.sqrt(squares.max())))

    def search(
        self, queries: ArrayLike, k: int, allowed: ArrayLike | None = None
    ) -> list[list[Neighbor]]:
        """For each query the `k` best rows (fewer when there are fewer), best first, ties by row.

        The first search after `add` builds the lists of an approximate index: seconds to minutes.

        Args:
            queries: (m, dimension), or one vector.
            k: how many; 0 gives empty lists.
            allowed: row numbers to choose from, before ranking; None means all.

        Raises:
            BadVector: as `add`.
            ValueError: k is negative, or `allowed` names a row that is not there.
        """
        return [
            [Neighbor(*found) for found in zip(rows.tolist(), scores.tolist(), strict=True)]
            for rows, scores in self.nearest(queries, k, allowed)
        ]

    def nearest(
        self, queries: ArrayLike, k: int, allowed: ArrayLike | None = None
    ) -> list[tuple[Rows, Floats]]:
        """What `search` finds as arrays: for each query rows and scores, (found,) each.

        Raises:
            BadVector, ValueError: as `search`.
        """
        matrix = checked(queries, self.dimension)
        if k < 0:
            raise ValueError(f"k must not be negative, got {k}")
        rows = None if allowed is None else self._checked_rows(allowed)
        lists = self._ready_lists() if self._many(rows) else None
        return self._search(lists, matrix, k, rows)

    def every(self, queries: ArrayLike, k: int, allowed: ArrayLike | None = None) -> Floats:
        """Scores of each query with every row, (m, n), in one pass of FAISS, lists or not.

        Those of the `k` best (of the `allowed` ones, where given) are the very numbers that
        `nearest` gives; the others may differ from what it would give in their last digits.

        Raises:
            BadVector, ValueError: as `search`.
        """
        matrix = checked(queries, self.dimension)
        rows = np.arange(len(self)) if allowed is None else self._checked_rows(allowed)
        found = np.empty((len(matrix), len(self)), dtype=np.float32)
        if not len(self) or not len(matrix):
            return found
        limits, scores, places = self._index.range_search(matrix, -np.inf)
        for n, (start, end) in enumerate(pairwise(limits.tolist())):
            found[n, places[start:end]] = scores[start:end]
        if k > 0 and len(rows):
            for line, query in zip(found, matrix, strict=True):
                near = self._near(line, rows, k, query)
                line[near] = exact_scores(self.vectors[near], query)
        return found

    def _near(self, scores: Floats, rows: Rows, k: int, query: Floats) -> Rows:
        """All of `rows` that can be among their `k` best, by FAISS's own scores of all rows."""
        if k >= len(rows):
            return rows
        own = scores[rows]
        least = np.partition(own, -k)[-k] - 2 * self._margin(query)
        near: Rows = rows[own >= least]
        return near

    def _margin(self, query: Floats) -> float:
        """More than FAISS's own score of a row can be wrong by."""
        return _TOLERANCE * self._longest * float(np.linalg.norm(query.astype(float)))

    def scores(self, query: ArrayLike) -> Floats:
        """Scores of one query with every row, float32 (n,), the very numbers `search` gives.

        Raises:
            BadVector: as `add`, or more than one query.
        """
        matrix = checked(query, self.dimension)
        if len(matrix) != 1:
            raise ValueError(f"scores takes one query, got {len(matrix)}")
        return exact_scores(self.vectors, matrix[0])

    def save(self, folder: Path | str) -> None:
        """Write the index to a folder, made if need be; an older one there is replaced whole."""
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        lists = self._ready_lists()
        meta = {
            "format": FORMAT,
            "fingerprint": self.fingerprint,
            "dimension": self.dimension,
            "count": len(self),
            **write_array(target, "vectors", self.vectors),
        }
        if lists:
            written = write_array(target, "lists", lists.assignment)
            meta["lists"] = {**asdict(lists.plan), "count": lists.count, **written}
        text = json.dumps(meta, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
        write_atomically(target / META, lambda file: file.write(text.encode()))
        keep = {meta["file"], meta.get("lists", {}).get("file")}
        for old in [*target.glob("vectors-*.npy"), *target.glob("lists-*.npy")]:
            if old.name not in keep:
                old.unlink(missing_ok=True)

    @classmethod
    def load(cls, folder: Path | str, fingerprint: str | None = None, kind: Kind = "auto") -> Self:
        """Read an index that `save` wrote.

        Args:
            folder: where it lies.
            fingerprint: of the encoder at hand; None takes whatever the folder says.
            kind: as for a new index; lists in the folder are used where it calls for them.

        Raises:
            EncoderMismatch: the vectors are those of another encoder.
            BadIndexFolder: files are missing, cut short or altered.
        """
        source = Path(folder)
        meta = read_meta(source)
        if fingerprint is not None and meta["fingerprint"] != fingerprint:
            raise EncoderMismatch(f"index {source}", fingerprint, meta["fingerprint"])
        shape = (meta["count"], meta["dimension"])
        index = cls(meta["dimension"], meta["fingerprint"], kind)
        index.add(read_array(source, meta, shape, np.float32))
        if meta.get("lists") and kind != "exact" and index._many(None):
            index._lists = _read_lists(source, meta["lists"], index.vectors)
            index._settled = True
        return index

    def _checked_rows(self, allowed: ArrayLike) -> Rows:
        """The rows in order, each once."""
        rows = np.asarray(allowed, dtype=np.int64).reshape(-1)
        if len(rows) and not 0 <= rows.min() <= rows.max() < len(self):
            raise ValueError(f"allowed rows {rows.min()} to {rows.max()}, index has {len(self)}")
        return np.flatnonzero(self._mask(rows))

    def _mask(self, rows: Rows) -> NDArray[np.bool_]:
        mask = np.zeros(len(self), dtype=bool)
        mask[rows] = True
        return mask

    def _selector(self, rows: Rows | None) -> Any:
        if rows is None:
            return None
        return self._faiss.IDSelectorBitmap(np.packbits(self._mask(rows), bitorder="little"))

    def _many(self, rows: Rows | None) -> bool:
        """Whether so many rows are allowed that lists are worth while, were there any.

        Few rows are scored exactly as fast, and lists would miss more of them.
        """
        most = EXACT_UP_TO if self._wanted == "auto" else len(self) // _FEW
        return (len(self) if rows is None else len(rows)) > most

    def _ready_lists(self) -> Lists | None:
        """The lists over the present vectors, built at need; None where exact is the answer."""
        if not self._settled and self._wanted != "exact" and self._many(None):
            self._lists = Lists.build(self.vectors, self._best_scores)
        self._settled = True
        return self._lists

    def _best_scores(self, lists: Lists | None, queries: Floats, k: int) -> list[list[float]]:
        return [scores.tolist() for _, scores in self._search(lists, queries, k, None)]

    def _search(
        self, lists: Lists | None, queries: Floats, k: int, rows: Rows | None
    ) -> list[tuple[Rows, Floats]]:
        """The `k` best of `rows`, which lie in order, with the help of lists or exactly."""
        available = len(self) if rows is None else len(rows)
        k = min(k, available)
        if k == 0 or not len(queries):
            nothing = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
            return [nothing for _ in queries]
        selector = self._selector(rows)
        count = min(lists.enough_for(k) if lists else k + k // 10 + _MARGIN, available)
        first = zip(queries, *self._candidates(lists, queries, count, selector), strict=True)
        return [
            self._settle(lists, query, k, available, selector, *found) for query, *found in first
        ]

    def _candidates(
        self, lists: Lists | None, queries: Floats, count: int, selector: Any
    ) -> tuple[Floats, Rows]:
        """FAISS's scores and rows, each (m, count), best first, by estimate or exactly.

        Exactly also where the lists looked into hold too few allowed rows, or numbers are too
        large for an estimate.
        """
        if lists:
            scores, rows = lists.ask(queries, count, selector)
            if (rows >= 0).all():
                return scores, rows
        return self._ask(queries, count, selector)

    def _ask(self, queries: Floats, count: int, selector: Any) -> tuple[Floats, Rows]:
        """FAISS's own exact answer: scores and rows, each (m, count), best first."""
        if selector is None:
            scores, rows = self._index.search(queries, count)
        else:
            parameters = self._faiss.SearchParameters(sel=selector)
            scores, rows = self._index.search(queries, count, params=parameters)
        return scores, rows

    def _settle(
        self,
        lists: Lists | None,
        query: Floats,
        k: int,
        available: int,
        selector: Any,
        scores: Floats,
        rows: Rows,
    ) -> tuple[Rows, Floats]:
        """Rank exactly; widen until no row that was left out can be better than one kept.

        With lists, until none left out is equal to one kept: equal vectors have equal estimates.
        """
        margin = self._margin(query)
        while True:
            exact = exact_scores(self.vectors[rows], query)
            best = np.lexsort((rows, -exact))[:k]
            last = scores[-1]
            clear = last not in scores[best] if lists else last < scores[best[-1]] - margin
            if clear or len(rows) >= available:
                return rows[best], exact[best]
            count = min(2 * len(rows), available)
            wider = self._candidates(lists, query[None], count, selector)
            scores, rows = wider[0][0], wider[1][0]


def exact_scores(vectors: Floats, query: Floats) -> Floats:
    """Inner products, float32 (n,), each row summed by itself in float64.

    Equal rows have equal scores wherever they stand; with BLAS the last digit depends on that.
    """
    scores = np.empty(len(vectors), dtype=np.float32)
    wide = query.astype(np.float64)
    for start in range(0, len(vectors), _ROWS_AT_ONCE):
        part = vectors[start : start + _ROWS_AT_ONCE]
        scores[start : start + len(part)] = (part * wide).sum(axis=1)
    return scores


def _faiss() -> Any:
    """The faiss module, imported when an index is made."""
    try:
        return importlib.import_module("faiss")
    except ImportError as error:
        raise MissingExtra("faiss-cpu", "a vector index") from error


def _read_lists(folder: Path, facts: Any, vectors: Floats) -> Lists:
    kinds = {"count": int, "share": float, "candidates": int, "file": str, "sha256": str}
    check_kinds(folder, facts, kinds)
    rows = read_array(folder, facts, (len(vectors),), np.int64)
    plan = Plan(facts["share"], facts["candidates"])
    if not 0 <= rows.min() <= rows.max() < facts["count"] <= len(vectors) or plan not in PLANS:
        raise BadIndexFolder(str(folder), f"{META} and its lists do not fit together")
    return Lists(vectors, rows, facts["count"], plan)
