"""A new library file from a snapshot: tables, rows, views.

An empty library, tables and views and their comments, is always the same bytes but for the length
of its vectors. It is laid out once a process and kept: each further file begins as its copy, which
halves the time that a small library takes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kg.errors import LibraryError
from kg.store.read import CLOSED
from kg.store.same_bytes import name_by_content
from kg.store.snapshot import Snapshot
from kg.store.tables import Row, rows_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from numpy.typing import NDArray

_MOST_KEPT = 8


class _Empty(NamedTuple):
    """A library without rows: its bytes, and the types of the columns of each table."""

    content: bytes
    types: dict[str, list[str]]


_kept: dict[tuple[int, tuple[str, ...]], _Empty] = {}


def fill(snapshot: Snapshot, path: Path, views: Sequence[str]) -> None:
    """Write a snapshot into a file that is not there yet, down to the disk.

    Args:
        snapshot: what the library holds.
        path: where; the caller removes what a failure leaves.
        views: names of the files of views and macros, in their order.

    Raises:
        LibraryError: the disk is full, or the file cannot be written.
    """
    import duckdb

    try:
        types = _begin(path, int(snapshot.vectors.shape[1]), tuple(views))
        with duckdb.connect(str(path), config=CLOSED) as connection:
            connection.execute("SET enable_progress_bar = false")
            connection.execute("BEGIN")  # one commit for all, rather than one for each statement
            for table, rows in rows_of(snapshot):
                _insert(connection, table, rows, types[table])
            _insert_vectors(connection, snapshot)
            connection.execute("COMMIT")
            connection.execute("CHECKPOINT")
        name_by_content(path)
        with path.open("rb") as written:
            os.fsync(written.fileno())
    except (duckdb.Error, OSError) as error:
        raise LibraryError(f"the library could not be written: {error}") from error


def _begin(path: Path, dimension: int, views: tuple[str, ...]) -> dict[str, list[str]]:
    """Put an empty library there; the types of its columns."""
    key = dimension, views
    if (known := _kept.get(key)) is None:
        types = _lay_out(path, dimension, views)
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()
        known = _kept[key] = _Empty(path.read_bytes(), types)
    else:
        path.write_bytes(known.content)
    return known.types


def _lay_out(path: Path, dimension: int, views: Sequence[str]) -> dict[str, list[str]]:
    import duckdb

    with duckdb.connect(str(path), config=CLOSED) as connection:
        connection.execute("SET enable_progress_bar = false")
        connection.execute("BEGIN")
        connection.execute(_sql_of("schema").replace("{dimension}", str(dimension)))
        types = _column_types(connection)
        for name in views:
            connection.execute(_sql_of(name))
        connection.execute("COMMIT")
        connection.execute("CHECKPOINT")
    return types


def _sql_of(name: str) -> str:
    return files("kg.store").joinpath(f"{name}.sql").read_text(encoding="utf-8")


def _column_types(connection: DuckDBPyConnection) -> dict[str, list[str]]:
    """The types of the columns of each table, in order."""
    types: dict[str, list[str]] = {}
    for table, kind in connection.execute(
        "SELECT table_name, data_type FROM duckdb_columns() WHERE NOT internal "
        "ORDER BY table_name, column_index"
    ).fetchall():
        types.setdefault(table, []).append(kind)
    return types


def _insert(
    connection: DuckDBPyConnection,
    table: str,
    rows: Iterable[Row],
    types: Sequence[str] | None = None,
) -> None:
    """Insert rows column by column, which is far faster than row by row.

    `types`: those of the columns; looked up where not given.
    """
    cells = {f"c{i}": _column(c) for i, c in enumerate(zip(*rows, strict=True))}
    if not cells:
        return
    types = types or _column_types(connection)[table]
    parts = ", ".join(f"c{i}::{t}" for i, t in enumerate(types))
    # Else the first rows of a column would decide what the others are.
    connection.execute("SET pandas_analyze_sample = 0")
    # DuckDB finds `cells` by its name in this scope, which is faster than a list of values.
    connection.execute(f"INSERT INTO {table} SELECT {parts} FROM cells")
    del cells


def _column(values: tuple[Any, ...]) -> NDArray[np.object_]:
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


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
        "INSERT INTO vectors SELECT passage, vector, blob FROM ("
        f"SELECT place // {dimension} AS passage, "
        f"list(number ORDER BY place)::FLOAT[{dimension}] AS vector FROM cells GROUP BY passage"
        ") JOIN (SELECT unnest(range($1)) AS passage, unnest($2::BLOB[]) AS blob) USING (passage) "
        "ORDER BY passage",
        [count, _token_blobs(snapshot)],
    )
    del cells


def _token_blobs(snapshot: Snapshot) -> list[bytes | None]:
    """The token vectors of each passage as bytes."""
    codes, starts = snapshot.token_codes, snapshot.token_starts
    if codes is None or starts is None:
        return [None] * len(snapshot.passages)
    return [codes[start:end].tobytes() for start, end in pairwise(starts.tolist())]
