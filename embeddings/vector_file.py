"""Vectors that come with the data: one file of keys and half-precision vectors, read only.

Embedding a few thousand passages takes minutes on a small machine. Whoever ships texts may ship
their vectors too; they are found by the same key as in the cache, so a changed text is simply
not there and is embedded anew.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from embeddings.vectors import unit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

KEY_BYTES = 32
"""Length of what `vector_key` gives."""


def vector_key(fingerprint: str, role: str, text: str) -> bytes:
    """sha256 over the three; each is preceded by its length, so none runs into the next."""
    digest = hashlib.sha256()
    for part in (fingerprint, role, text):
        raw = part.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "little") + raw)
    return digest.digest()


class VectorFile:
    """Vectors in a file that `write_vectors` made.

    A file that is missing, damaged or of another dimension holds nothing: whatever is not found
    is embedded, so it is never worth an error.
    """

    def __init__(self, path: Path | str) -> None:
        """`path`: the file; its vectors are read when the first one that it holds is asked for."""
        self.path = Path(path)

    def get(self, keys: Iterable[bytes], dimension: int) -> dict[bytes, Floats]:
        """The vectors that are there, scaled back to length one: float32 (dimension,) each."""
        stored = self.stored(keys, dimension)
        if not stored:
            return {}
        rows = np.stack(list(stored.values())).astype(np.float32)
        return dict(zip(stored, unit(rows, dimension), strict=True))

    def stored(self, keys: Iterable[bytes], dimension: int) -> dict[bytes, NDArray[np.float16]]:
        """As `get`, but as they stand in the file: written again they change no byte."""
        wanted = [key for key in dict.fromkeys(keys) if key in self._keys]
        if not wanted:
            return {}
        places, vectors = self._content
        if not len(vectors) or vectors.shape[1] != dimension:
            return {}
        return {key: vectors[places[key]] for key in wanted if key in places}

    def __len__(self) -> int:
        """Number of vectors."""
        return len(self._content[0])

    @cached_property
    def _keys(self) -> frozenset[bytes]:
        return read_keys(self.path)

    @cached_property
    def _content(self) -> tuple[dict[bytes, int], NDArray[np.float16]]:
        try:
            with np.load(self.path, allow_pickle=False) as file:
                keys, vectors = file["keys"], file["vectors"]
            if keys.shape != (len(vectors), KEY_BYTES) or not np.isfinite(vectors).all():
                return {}, np.zeros((0, 0), np.float16)
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return {}, np.zeros((0, 0), np.float16)
        return {key.tobytes(): row for row, key in enumerate(keys)}, vectors


def read_keys(path: Path) -> frozenset[bytes]:
    """The keys of a file alone, which say whether the rest of it is worth reading."""
    try:
        with np.load(path, allow_pickle=False) as file:
            return frozenset(key.tobytes() for key in file["keys"])
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return frozenset()


def write_vectors(path: Path | str, vectors: Mapping[bytes, Floats | NDArray[np.float16]]) -> None:
    """Write vectors by key, in half precision, sorted by key; equal vectors give equal bytes.

    Half precision moves a unit vector by less than 0.001; the cosine of the two is above 0.999999.
    """
    ordered = sorted(vectors)
    keys = np.frombuffer(b"".join(ordered), dtype=np.uint8).reshape(len(ordered), KEY_BYTES)
    rows = np.array([vectors[key] for key in ordered], dtype=np.float16)
    buffer = io.BytesIO()
    np.savez(buffer, keys=keys, vectors=rows)
    Path(path).write_bytes(buffer.getvalue())
