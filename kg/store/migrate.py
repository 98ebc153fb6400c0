"""A library of an older schema version, written anew in this one."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from kg.store.read import connect, read_snapshot
from kg.store.snapshot import OLDER, SCHEMA_VERSION
from kg.store.write import write_library


def migrate_library(path: str | Path, target: str | Path) -> Path:
    """Write the library at `path` in this schema version to `target`; `path` is only read.

    Cases, terms, vectors and neighbours are taken over as they are; nothing is computed anew.

    Args:
        path: a library of this schema version or one of `OLDER`.
        target: the file to write, as in `write_library`.

    Raises:
        LibraryVersionError: it is of another version.
        LibraryError: it cannot be read, is damaged, or `target` cannot be written.
    """
    with closing(connect(path, (*OLDER, SCHEMA_VERSION))) as connection:
        snapshot = read_snapshot(connection)
    return write_library(snapshot, target)
