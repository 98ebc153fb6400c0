"""Opening a library of an older schema version: as a copy in this one, kept in the cache."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from embeddings import default_cache_dir
from kg.errors import LibraryError, LibraryVersionError
from kg.library.facade import Library
from kg.store import OLDER, SCHEMA_VERSION, locked, migrate_library

if TYPE_CHECKING:
    from embeddings import Encoder

WAIT_SECONDS = 600.0
"""How long to wait for another process that makes the same copy."""


def open_any(path: str | Path, encoder: str | Encoder | None) -> Library:
    """The library at `path`, or its copy in this schema version.

    Raises:
        LibraryVersionError: its version is none that can be taken over, or there is no cache
            folder for the copy.
    """
    try:
        return Library(path, encoder)
    except LibraryVersionError as error:
        folder = default_cache_dir()
        if error.found not in OLDER or folder is None:
            raise
    return Library(_copy_of(Path(path), folder), encoder)


def _copy_of(path: Path, folder: Path) -> Path:
    """The copy of a library in this schema version, made when it is first asked for."""
    target = folder / f"migrated-{SCHEMA_VERSION}-{_content_of(path)}.duckdb"
    busy = f"another process has been copying {path} for long; end it and try again"
    with locked(target.with_name(f".{target.name}.first-use"), busy, wait=WAIT_SECONDS):
        if not _is_whole(target):
            target.unlink(missing_ok=True)  # cut short; the name in the cache is ours
            migrate_library(path, target)
    return target


def _content_of(path: Path) -> str:
    """A short hash of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


def _is_whole(path: Path) -> bool:
    if not path.exists():
        return False
    try:
        Library(path).close()
    except LibraryError:
        return False
    return True
