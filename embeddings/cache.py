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
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from embeddings.encoders import token_encoder
from embeddings.late import LARGEST
from embeddings.token_file import PASSAGE_TOKENS, TokenFile
from embeddings.vector_file import VectorFile, vector_key
from embeddings.vectors import empty

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from embeddings.encoders import Encoder, TokenEncoder

    Codes = NDArray[np.int8]
    Floats = NDArray[np.float32]
    Progress = Callable[[int, int], None]
    Shelves = Mapping[str, Callable[[list[bytes]], dict[bytes, Any]]]

T = TypeVar("T")

_LOG = logging.getLogger(__name__)
_TABLE = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID"
_QUERY_TOKENS = "query tokens/1"
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
    """A SQLite file from key to the bytes of numbers; any number of processes may use it at once.

    A cache is never worth an error: a damaged file is set aside (`*.damaged`) and begun anew,
    and whatever else goes wrong counts as "not there" and is logged.
    """

    def __init__(self, path: Path | str) -> None:
        """`path`: the file; it and its folder are made at the first write."""
        self.path = Path(path)

    def get(self, keys: Iterable[bytes], dimension: int) -> dict[bytes, Floats]:
        """The vectors that are there, of that dimension and finite; others are left out."""
        found: dict[bytes, Floats] = {}
        for key, value in self._read(keys):
            if len(value) == 4 * dimension:
                vector = np.frombuffer(value, dtype="<f4").astype(np.float32)
                if np.isfinite(vector).all() and vector.any():
                    found[key] = vector
        return found

    def get_tokens(self, keys: Iterable[bytes], dimension: int) -> dict[bytes, Floats]:
        """The token vectors that are there, float32 (tokens, dimension), as `get`."""
        found: dict[bytes, Floats] = {}
        for key, value in self._read(keys):
            if len(value) % (4 * dimension) == 0:
                rows = np.frombuffer(value, dtype="<f4").astype(np.float32).reshape(-1, dimension)
                if np.isfinite(rows).all():
                    found[key] = rows
        return found

    def get_codes(self, keys: Iterable[bytes], dimension: int) -> dict[bytes, Codes]:
        """The codes of token vectors that are there, int8 (tokens, dimension), as `get`."""
        found: dict[bytes, Codes] = {}
        for key, value in self._read(keys):
            if len(value) % dimension == 0:
                rows = np.frombuffer(value, dtype=np.int8).reshape(-1, dimension)
                if (np.abs(rows.astype(np.int16)).max(axis=1) == LARGEST).all():
                    found[key] = rows
        return found

    def put(self, vectors: Mapping[bytes, Floats | Codes]) -> None:
        """Remember vectors, of texts or of tokens, or codes of tokens.

        One transaction, so a killed process leaves all of them or none.
        """
        rows = [
            (key, vector.astype(vector.dtype.newbyteorder("<"), copy=False).tobytes())
            for key, vector in vectors.items()
        ]
        if rows:
            self._safely(lambda base: _insert(base, rows))

    def _read(self, keys: Iterable[bytes]) -> list[tuple[bytes, bytes]]:
        if not self.path.exists():
            return []
        rows = self._safely(lambda base: _select(base, list(dict.fromkeys(keys)))) or []
        return [(key, value) for key, value in rows if isinstance(value, bytes)]

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
    """An encoder that looks its texts up first and encodes only what is missing, each text once.

    It has token vectors when the encoder inside has them: ask `token_encoder`.
    """

    def __init__(
        self,
        encoder: Encoder,
        cache: VectorCache | None,
        known: VectorFile | None = None,
        known_tokens: TokenFile | None = None,
        questions: bool = True,
    ) -> None:
        """`encoder` makes the vectors, `cache` keeps them, `known…` have some from the start.

        `questions=False` keeps questions out of the cache: those of somebody who asks one after
        the other come once, cost less than the writing, and need not be left on a disk.
        """
        self._encoder = encoder
        self._cache = cache
        self._known = known
        self._known_tokens = known_tokens
        self._questions = questions

    @property
    def fingerprint(self) -> str:
        """That of the encoder inside: the cache changes no vector."""
        return self._encoder.fingerprint

    @property
    def dimension(self) -> int:
        """Numbers per vector."""
        return self._encoder.dimension

    @property
    def token_dimension(self) -> int:
        """Numbers per token vector; 0 when the encoder inside has none."""
        inner = token_encoder(self._encoder)
        return inner.token_dimension if inner else 0

    def encode_queries(self, texts: Sequence[str]) -> Floats:
        """Unit vectors of questions: float32 (n, dimension)."""
        if not self._questions:
            return self._encoder.encode_queries(texts)
        shelves: Shelves = {"query": self._vectors}
        inner = self._encoder
        (rows,) = self._looked_up(shelves, texts, lambda t, _: (inner.encode_queries(t),), None)
        return np.stack(rows) if rows else empty(self.dimension)

    def encode_passages(self, texts: Sequence[str], progress: Progress | None = None) -> Floats:
        """Unit vectors of texts to be found: float32 (n, dimension).

        Kept after every 2,048 texts, so an interrupted build goes on where it was.
        """
        shelves: Shelves = {"passage": self._vectors}
        inner = self._encoder
        (rows,) = self._looked_up(
            shelves, texts, lambda t, tell: (inner.encode_passages(t, tell),), progress
        )
        return np.stack(rows) if rows else empty(self.dimension)

    def encode_queries_with_tokens(self, texts: Sequence[str]) -> tuple[Floats, list[Floats]]:
        """The vectors of `encode_queries`, and of each text its tokens: float32 (tokens, d).

        Raises:
            TypeError: the encoder inside has no token vectors.
        """
        inner = self._with_tokens()
        if not self._questions:
            return inner.encode_queries_with_tokens(texts)
        shelves: Shelves = {"query": self._vectors, _QUERY_TOKENS: self._token_rows}
        rows, tokens = self._looked_up(
            shelves, texts, lambda t, _: inner.encode_queries_with_tokens(t), None
        )
        return np.stack(rows) if rows else empty(self.dimension), tokens

    def encode_passages_with_tokens(
        self, texts: Sequence[str], progress: Progress | None = None
    ) -> tuple[Floats, list[Codes]]:
        """The vectors of `encode_passages`, and of each text its codes: int8 (tokens, d).

        Where only the one is known, both are made and the known one is kept.

        Raises:
            TypeError: the encoder inside has no token vectors.
        """
        inner = self._with_tokens()
        shelves: Shelves = {"passage": self._vectors, PASSAGE_TOKENS: self._token_codes}
        rows, codes = self._looked_up(shelves, texts, inner.encode_passages_with_tokens, progress)
        return np.stack(rows) if rows else empty(self.dimension), codes

    def _looked_up(
        self,
        shelves: Shelves,
        texts: Sequence[str],
        encode: Callable[[Sequence[str], Progress | None], Sequence[Any]],
        progress: Progress | None,
    ) -> list[list[Any]]:
        """For each shelf, by role, what stands there for each text.

        `shelves` find by key; `encode` makes, of some texts, what belongs on each of them.
        """
        if not texts:
            return [[] for _ in shelves]
        keys = [[vector_key(self.fingerprint, r, t) for t in texts] for r in shelves]
        found = [find(own) for find, own in zip(shelves.values(), keys, strict=True)]
        missing: dict[str, tuple[bytes, ...]] = {}
        for text, *own in zip(texts, *keys, strict=True):
            if any(key not in shelf for key, shelf in zip(own, found, strict=True)):
                missing[text] = tuple(own)
        tell = _Tally(progress, len(texts), len(texts) - len(missing))
        todo = list(missing)
        for start in range(0, len(todo), _ROUND):
            part = todo[start : start + _ROUND]
            fresh = encode(part, tell.part if progress else None)
            made: dict[bytes, Any] = {}
            for number, shelf in enumerate(found):
                own_keys = [missing[text][number] for text in part]
                values = zip(own_keys, fresh[number], strict=True)
                new = {key: value for key, value in values if key not in shelf}
                shelf |= new
                made |= new
            if self._cache is not None:
                self._cache.put(made)
            tell.done += len(part)
        tell.all()
        return [[s[key] for key in own] for s, own in zip(found, keys, strict=True)]

    def _with_tokens(self) -> TokenEncoder:
        inner = token_encoder(self._encoder)
        if inner is None:
            raise TypeError(f"the encoder {self.fingerprint} has no token vectors")
        return inner

    def _vectors(self, keys: list[bytes]) -> dict[bytes, Floats]:
        found = self._known.get(keys, self.dimension) if self._known is not None else {}
        if self._cache is not None:
            found |= self._cache.get([k for k in keys if k not in found], self.dimension)
        return found

    def _token_rows(self, keys: list[bytes]) -> dict[bytes, Floats]:
        if self._cache is None:
            return {}
        return self._cache.get_tokens(keys, self.token_dimension)

    def _token_codes(self, keys: list[bytes]) -> dict[bytes, Codes]:
        known = self._known_tokens
        found = known.get(keys, self.token_dimension) if known is not None else {}
        if self._cache is not None:
            rest = [k for k in keys if k not in found]
            found |= self._cache.get_codes(rest, self.token_dimension)
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
