"""Where the middle of an encoder's space is, and vectors seen from there.

Vectors of one encoder lie in a narrow cone, and questions and passages, Korean and English, each
around a middle of their own (Mu & Viswanath 2018, "All-but-the-top"; Yang et al. 2021, "A simple
and effective method to eliminate the self language bias"). Cosines then mostly say that a question
is a question. Seen from the two middles, nearest passages across languages are found far more
often; docs/quality.md has the figures.
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

FILE = Path(__file__).with_name("e5_centre.npz")
OWN_SHARE = 200
"""The fixed middle weighs as much as so many passages: a small corpus has no middle of its own."""
_SHORTEST = 1e-6


@dataclass(frozen=True, eq=False)
class Centre:
    """The middle of questions and that of passages, each float32 (dimension,)."""

    query: Floats
    passage: Floats

    def queries(self, vectors: Floats) -> Floats:
        """Question vectors seen from the middle of questions, unit length, (n, dimension)."""
        return _seen_from(vectors, self.query)

    def passages(self, vectors: Floats) -> Floats:
        """Passage vectors seen from the middle of their corpus, unit length, (n, dimension)."""
        count = len(vectors)
        own = vectors.sum(axis=0, dtype=np.float64)
        middle = (own + OWN_SHARE * self.passage) / (count + OWN_SHARE)
        return _seen_from(vectors, middle.astype(np.float32))


def centre_of(fingerprint: str) -> Centre | None:
    """The centre measured for an encoder; None for one that was not measured."""
    known = _shipped()
    return known[1] if known and known[0] == fingerprint else None


def write_centre(path: Path, fingerprint: str, centre: Centre) -> None:
    """Write a centre so that `centre_of` finds it."""
    np.savez(path, fingerprint=np.array(fingerprint), query=centre.query, passage=centre.passage)


def forget_centre() -> None:
    """Read the file anew at the next use."""
    _shipped.cache_clear()


@lru_cache(maxsize=1)
def _shipped() -> tuple[str, Centre] | None:
    try:
        with np.load(FILE, allow_pickle=False) as file:
            return str(file["fingerprint"]), Centre(file["query"], file["passage"])
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile):
        return None


def _seen_from(vectors: Floats, middle: Floats) -> Floats:
    """Differences scaled to length one; a vector at the very middle keeps its own direction."""
    moved = vectors - middle
    length = np.linalg.norm(moved, axis=1, keepdims=True)
    result: Floats = np.where(length > _SHORTEST, moved / np.maximum(length, _SHORTEST), vectors)
    return result.astype(np.float32)
