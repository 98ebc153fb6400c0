"""Writing a library file whole: built beside, then renamed over the old one."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kg.errors import LibraryError, LibraryLocked
from kg.store.read import is_library
from kg.store.snapshot import Snapshot
from kg.store.tables import Row, rows_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def write_library(snapshot: Snapshot, path: str | Path) -> Path:
    """Write a library so that at every instant `path` is the old file or the new one, whole.

    Readers that hold the old file keep it.

    Raises:
        LibraryLocked: another process is writing this library.
        LibraryError: the folder is missing or not writable, or `path` is a file that is not a
            library and must not be overwritten.
    """
    target = Path(path)
    check_target(target)
    with _writing(target):
        temporary = target.with_name(f".{target.name}.{os.getpid()}.building")
        try:
            _fill(snapshot, temporary)
            temporary.replace(target)
        finally:
            _remove(temporary)
    return target


def check_target(target: Path) -> None:
    """Refuse early a path that a library cannot be written to.

    Raises:
        LibraryError: the folder is missing, or the file there is something else.
    """
    if not target.parent.is_dir():
        raise LibraryError(f"the folder {target.parent} does not exist; create it first")
    if target.is_dir():
        raise LibraryError(f"{target} is a folder; give the name of a file in it")
    if target.exists() and target.stat().st_size > 0 and not is_library(target):
        raise LibraryError(
            f"{target} exists and is not an incident-kg library; it is left as it is. "
            "Give another name with -o, or move the file away."
        )


@contextmanager
def _writing(target: Path) -> Iterator[None]:
    """Hold the lock of a library; the lock file is left behind, as removing it would race."""
    lock = target.with_name(f".{target.name}.lock")
    try:
        handle = lock.open("a")
    except OSError as error:
        raise LibraryError(f"cannot write in {target.parent}: {error.strerror}") from error
    with handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise LibraryLocked(
                f"another process is writing {target}; wait for it to end and try again"
            ) from error
        for left_over in target.parent.glob(f".{target.name}.*.building*"):
            _remove(left_over)
        yield


def _remove(temporary: Path) -> None:
    temporary.unlink(missing_ok=True)
    temporary.with_name(temporary.name + ".wal").unlink(missing_ok=True)


def _fill(snapshot: Snapshot, path: Path) -> None:
    import duckdb

    try:
        with duckdb.connect(str(path)) as connection:
            schema = files("kg.store").joinpath("schema.sql").read_text(encoding="utf-8")
            connection.execute(schema.replace("{dimension}", str(snapshot.vectors.shape[1])))
            for table, rows in rows_of(snapshot):
                _insert(connection, table, rows)
            _insert_vectors(connection, snapshot)
            connection.execute("CHECKPOINT")
    except duckdb.Error as error:
        raise LibraryError(f"the library could not be written: {error}") from error
    with path.open("rb") as written:
        os.fsync(written.fileno())


def _insert(connection: DuckDBPyConnection, table: str, rows: Iterable[Row]) -> None:
    """Insert rows column by column, which is far faster than row by row."""
    columns = list(zip(*rows, strict=True))
    if not columns:
        return
    described = connection.execute(
        "SELECT data_type FROM duckdb_columns() WHERE table_name = ? ORDER BY column_index", [table]
    ).fetchall()
    parts = ", ".join(f"unnest(${i}::{t}[])" for i, (t,) in enumerate(described, 1))
    connection.execute(f"INSERT INTO {table} SELECT {parts}", [list(c) for c in columns])


def _insert_vectors(connection: DuckDBPyConnection, snapshot: Snapshot) -> None:
    count, dimension = snapshot.vectors.shape
    if not count:
        return
    cells = {
        "place": np.arange(count * dimension),
        "number": np.ascontiguousarray(snapshot.vectors).ravel(),
    }
    # DuckDB finds `cells` by its name in this scope.
    connection.execute(
        f"INSERT INTO vectors SELECT place // {dimension} AS passage, "
        f"list(number ORDER BY place)::FLOAT[{dimension}] FROM cells "
        "GROUP BY passage ORDER BY passage"
    )
    del cells
