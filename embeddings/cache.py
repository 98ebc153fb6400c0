"""Vectors remembered on disk, so that a rebuilt library encodes only what is new."""

from __future__ import annotations

import logging
import os
import sqlite3
import tempfile
import warnings
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from embeddings.vector_file import VectorFile, vector_key
from embeddings.vectors import empty

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from embeddings.encoders import Encoder

    Floats = NDArray[np.float32]
    Progress = Callable[[int, int], None]

T = TypeVar("T")

_LOG = logging.getLogger(__name__)
_TABLE = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID"
_WAIT_SECONDS = 30.0
_SLICE = 500
_ROUND = 2048


def default_cache_dir() -> Path | None:
    """A writable folder for caches, made if need be; None, with a warning, when there is none.

    `INCIDENT_KG_CACHE` when set, else `$XDG_CACHE_HOME/incident-kg`, else `~/.cache/incident-kg`
    (XDG base directory specification: a relative `XDG_CACHE_HOME` is ignored).
    """
    try:
        folder = _wanted_dir()
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except (OSError, RuntimeError) as error:  # RuntimeError: no home folder
        warnings.warn(
            f"no cache, vectors are made anew each time ({error}); set INCIDENT_KG_CACHE",
            RuntimeWarning,
            stacklevel=2,
        )
        return None


def _wanted_dir() -> Path:
    own = os.environ.get("INCIDENT_KG_CACHE")
    if own:
        return Path(own)
    shared = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (shared if shared.is_absolute() else Path.home() / ".cache") / "incident-kg"


class VectorCache:
    """A SQLite file from key to float32 bytes; any number of processes may use it at once.

    A cache is never worth an error: a damaged file is set aside (`*.damaged`) and begun anew,
    and whatever else goes wrong counts as "not there" and is logged.
    """

    def __init__(self, path: Path | str) -> None:
        """`path`: the file; it and its folder are made at the first write."""
        self.path = Path(path)

    def get(self, keys: Iterable[bytes], dimension: int) -> dict[bytes, Floats]:
        """The vectors that are there, of that dimension and finite; others are left out."""
        if not self.path.exists():
            return {}
        rows = self._safely(lambda base: _select(base, list(dict.fromkeys(keys)))) or []
        found: dict[bytes, Floats] = {}
        for key, value in rows:
            if isinstance(value, bytes) and len(value) == 4 * dimension:
                vector = np.frombuffer(value, dtype="<f4").astype(np.float32)
                if np.isfinite(vector).all() and vector.any():
                    found[key] = vector
        return found

    def put(self, vectors: Mapping[bytes, Floats]) -> None:
        """Remember vectors; one transaction, so a killed process leaves all of them or none."""
        rows = [(key, vector.astype("<f4").tobytes()) for key, vector in vectors.items()]
        if rows:
            self._safely(lambda base: _insert(base, rows))

    def __len__(self) -> int:
        """Number of remembered vectors."""
        if not self.path.exists():
            return 0
        return self._safely(_count) or 0

    def _safely(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """Run `work` on a connection of its own; None when the cache cannot serve."""
        for attempt in (1, 2):
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                with closing(sqlite3.connect(self.path, timeout=_WAIT_SECONDS)) as base, base:
                    base.execute(_TABLE)
                    return work(base)
            except (sqlite3.OperationalError, OSError) as error:
                _LOG.warning("vector cache %s not used: %s", self.path, error)
                return None
            except sqlite3.DatabaseError as error:
                _LOG.warning("vector cache %s is damaged, begun anew: %s", self.path, error)
                if attempt == 2 or not self._set_aside():
                    return None
        return None

    def _set_aside(self) -> bool:
        try:
            self.path.replace(f"{self.path}.damaged")
            Path(f"{self.path}-journal").unlink(missing_ok=True)
        except OSError as error:
            _LOG.warning("damaged vector cache %s stays: %s", self.path, error)
            return False
        return True


def _select(base: sqlite3.Connection, keys: list[bytes]) -> list[tuple[bytes, object]]:
    rows: list[tuple[bytes, object]] = []
    for start in range(0, len(keys), _SLICE):  # SQLite allows 999 parameters in old builds
        part = keys[start : start + _SLICE]
        marks = ",".join("?" * len(part))
        rows += base.execute(f"SELECT key, value FROM vectors WHERE key IN ({marks})", part)
    return rows


def _insert(base: sqlite3.Connection, rows: list[tuple[bytes, bytes]]) -> None:
    base.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)


def _count(base: sqlite3.Connection) -> int:
    return int(base.execute("SELECT count(*) FROM vectors").fetchone()[0])


class CachedEncoder:
    """An encoder that looks its texts up first and encodes only what is missing, each text once."""

    def __init__(
        self, encoder: Encoder, cache: VectorCache | None, known: VectorFile | None = None
    ) -> None:
        """`encoder` makes the vectors, `cache` keeps them, `known` has some from the start."""
        self._encoder = encoder
        self._cache = cache
        self._known = known

    @property
    def fingerprint(self) -> str:
        """That of the encoder inside: the cache changes no vector."""
        return self._encoder.fingerprint

    @property
    def dimension(self) -> int:
        """Numbers per vector."""
        return self._encoder.dimension

    def encode_queries(self, texts: Sequence[str]) -> Floats:
        """Unit vectors of questions: float32 (n, dimension)."""
        return self._looked_up(
            "query", texts, lambda part, _: self._encoder.encode_queries(part), None
        )

    def encode_passages(self, texts: Sequence[str], progress: Progress | None = None) -> Floats:
        """Unit vectors of texts to be found: float32 (n, dimension).

        Kept after every 2,048 texts, so an interrupted build goes on where it was.
        """
        return self._looked_up("passage", texts, self._encoder.encode_passages, progress)

    def _looked_up(
        self,
        role: str,
        texts: Sequence[str],
        encode: Callable[[Sequence[str], Progress | None], Floats],
        progress: Progress | None,
    ) -> Floats:
        if not texts:
            return empty(self.dimension)
        keys = [vector_key(self.fingerprint, role, text) for text in texts]
        found = self._get(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        tell = _Tally(progress, len(texts), len(texts) - len(missing))
        todo = list(missing.items())
        for start in range(0, len(todo), _ROUND):
            part = todo[start : start + _ROUND]
            fresh = encode([text for _, text in part], tell.part if progress else None)
            made = {key: fresh[row] for row, (key, _) in enumerate(part)}
            if self._cache is not None:
                self._cache.put(made)
            found |= made
            tell.done += len(part)
        tell.all()
        return np.stack([found[key] for key in keys])

    def _get(self, keys: list[bytes]) -> dict[bytes, Floats]:
        found = self._known.get(keys, self.dimension) if self._known else {}
        if self._cache is not None:
            found |= self._cache.get([k for k in keys if k not in found], self.dimension)
        return found


@dataclass
class _Tally:
    """Progress over all texts, from the progress of each part."""

    progress: Progress | None
    total: int
    done: int

    def part(self, done: int, _: int) -> None:
        """Tell how far a part is; the end is told by `all` alone."""
        if self.progress is not None and self.done + done < self.total:
            self.progress(self.done + done, self.total)

    def all(self) -> None:
        """Tell that everything is done."""
        if self.progress is not None:
            self.progress(self.total, self.total)
