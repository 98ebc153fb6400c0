"""Vectors -> nearest neighbours, exact, over `faiss.IndexFlatIP`.

FAISS finds the candidates; their scores are then computed again one row at a time and sorted by
(-score, row). FAISS alone returns ties highest row first, pads with row -1, and its last digits
depend on how many queries came together: none of that reaches the caller.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from embeddings.errors import BadIndexFolder, EncoderMismatch, MissingExtra
from embeddings.vectors import checked

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float32]
    Rows = NDArray[np.int64]

_FORMAT = 1
_META = "meta.json"
_ROWS_AT_ONCE = 4096
_MARGIN = 16
_TOLERANCE = 1e-4
"""More than FAISS's float32 sums can be wrong by, relative to the lengths of both vectors."""


@dataclass(frozen=True, slots=True)
class Neighbor:
    """One hit: the row of the index, and its score (inner product; higher is nearer)."""

    row: int
    score: float


class VectorIndex:
    """An exact index of vectors, in the order they were added; row numbers start at 0.

    Scores are inner products: cosines when vectors have length one, as all encoders here give.
    """

    def __init__(self, dimension: int, fingerprint: str) -> None:
        """An empty index for vectors of one encoder.

        Raises:
            MissingExtra: faiss is not installed.
        """
        self.dimension = dimension
        self.fingerprint = fingerprint
        self._faiss = _faiss()
        self._index = self._faiss.IndexFlatIP(dimension)
        self._longest = 0.0  # length of the longest vector, for the tolerance of ties

    def __len__(self) -> int:
        """Number of vectors."""
        return int(self._index.ntotal)

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
            self._longest = max(self._longest, float(np.linalg.norm(matrix, axis=1).max()))

    def search(
        self, queries: ArrayLike, k: int, allowed: ArrayLike | None = None
    ) -> list[list[Neighbor]]:
        """For each query the `k` best rows (fewer when there are fewer), best first, ties by row.

        Args:
            queries: (m, dimension), or one vector.
            k: how many; 0 gives empty lists.
            allowed: row numbers to choose from, before ranking; None means all.

        Raises:
            BadVector: as `add`.
            ValueError: k is negative, or `allowed` names a row that is not there.
        """
        matrix = checked(queries, self.dimension)
        if k < 0:
            raise ValueError(f"k must not be negative, got {k}")
        rows = None if allowed is None else self._checked_rows(allowed)
        available = len(self) if rows is None else len(rows)
        k = min(k, available)
        if k == 0:
            return [[] for _ in matrix]
        selector = None if rows is None else self._selector(rows)
        first = self._ask(matrix, min(k + _MARGIN, available), selector)
        return [
            self._settle(query, k, available, selector, *found)
            for query, found in zip(matrix, zip(*first, strict=True), strict=True)
        ]

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
        vectors = self.vectors
        digest = _digest(vectors)
        name = f"vectors-{digest[:16]}.npy"
        _write_atomically(target / name, lambda file: np.save(file, vectors, allow_pickle=False))
        meta = {
            "format": _FORMAT,
            "fingerprint": self.fingerprint,
            "dimension": self.dimension,
            "count": len(self),
            "file": name,
            "sha256": digest,
        }
        text = json.dumps(meta, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
        _write_atomically(target / _META, lambda file: file.write(text.encode()))
        for old in target.glob("vectors-*.npy"):
            if old.name != name:
                old.unlink(missing_ok=True)

    @classmethod
    def load(cls, folder: Path | str, fingerprint: str | None = None) -> Self:
        """Read an index that `save` wrote.

        Args:
            folder: where it lies.
            fingerprint: of the encoder at hand; None takes whatever the folder says.

        Raises:
            EncoderMismatch: the vectors are those of another encoder.
            BadIndexFolder: files are missing, cut short or altered.
        """
        source = Path(folder)
        meta = _read_meta(source)
        if fingerprint is not None and meta["fingerprint"] != fingerprint:
            raise EncoderMismatch(f"index {source}", fingerprint, meta["fingerprint"])
        vectors = _read_vectors(source, meta)
        index = cls(meta["dimension"], meta["fingerprint"])
        index.add(vectors)
        return index

    def _checked_rows(self, allowed: ArrayLike) -> Rows:
        rows = np.unique(np.asarray(allowed, dtype=np.int64).reshape(-1))
        if len(rows) and not 0 <= rows[0] <= rows[-1] < len(self):
            raise ValueError(f"allowed rows {rows[0]} to {rows[-1]}, index has {len(self)}")
        return rows

    def _selector(self, rows: Rows) -> Any:
        mask = np.zeros(len(self), dtype=bool)
        mask[rows] = True
        return self._faiss.IDSelectorBitmap(np.packbits(mask, bitorder="little"))

    def _ask(self, queries: Floats, count: int, selector: Any) -> tuple[Floats, Rows]:
        """FAISS's own answer: scores and rows, each (m, count), best first."""
        if selector is None:
            scores, rows = self._index.search(queries, count)
        else:
            parameters = self._faiss.SearchParameters(sel=selector)
            scores, rows = self._index.search(queries, count, params=parameters)
        return scores, rows

    def _settle(
        self, query: Floats, k: int, available: int, selector: Any, scores: Floats, rows: Rows
    ) -> list[Neighbor]:
        """Widen until the last candidate is clearly below the k-th, then rank exactly."""
        margin = _TOLERANCE * self._longest * float(np.linalg.norm(query))
        while len(rows) < available and scores[-1] >= scores[k - 1] - margin:
            wider = self._ask(query[None], min(2 * len(rows), available), selector)
            scores, rows = wider[0][0], wider[1][0]
        rows = np.sort(rows[rows >= 0])
        exact = exact_scores(self.vectors[rows], query)
        best = np.argsort(-exact, kind="stable")[:k]
        return [Neighbor(int(rows[i]), float(exact[i])) for i in best]


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


def _digest(vectors: Floats) -> str:
    return hashlib.sha256(np.ascontiguousarray(vectors, dtype="<f4").data).hexdigest()


def _write_atomically(path: Path, write: Any) -> None:
    """Write beside and rename, so that a killed process leaves the old file whole."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _read_meta(folder: Path) -> dict[str, Any]:
    kinds = {"fingerprint": str, "dimension": int, "count": int, "file": str, "sha256": str}
    try:
        meta = json.loads((folder / _META).read_bytes())
    except (OSError, ValueError) as error:
        raise BadIndexFolder(str(folder), f"{_META} cannot be read ({error})") from error
    if not isinstance(meta, dict) or meta.get("format") != _FORMAT:
        raise BadIndexFolder(str(folder), f"{_META} is not of format {_FORMAT}")
    for key, kind in kinds.items():
        if not isinstance(meta.get(key), kind):
            raise BadIndexFolder(str(folder), f"{_META} lacks a valid {key!r}")
    return meta


def _read_vectors(folder: Path, meta: dict[str, Any]) -> Floats:
    try:
        # Only the name: a meta.json from elsewhere must not point out of its folder.
        vectors = np.load(folder / Path(meta["file"]).name, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise BadIndexFolder(str(folder), f"{meta['file']} cannot be read ({error})") from error
    if vectors.shape != (meta["count"], meta["dimension"]) or vectors.dtype != np.float32:
        raise BadIndexFolder(str(folder), f"{meta['file']} has shape {vectors.shape}")
    if _digest(vectors) != meta["sha256"]:
        raise BadIndexFolder(str(folder), f"{meta['file']} does not match its checksum")
    result: Floats = vectors
    return result
