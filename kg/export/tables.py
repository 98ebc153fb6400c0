"""The tables of a library as files: Parquet, CSV, or a DuckDB file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.errors import LibraryError
from kg.readers.exported import DATABASE
from kg.store import Snapshot, write_library

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_COPY = {
    "parquet": "FORMAT parquet, COMPRESSION zstd",
    "csv": "FORMAT csv, HEADER true, DELIMITER ',', QUOTE '\"', ESCAPE '\"', NULLSTR ''",
}


@dataclass(frozen=True)
class _Table:
    """A table of the library file: its name, the columns of its key, and all with their types."""

    name: str
    key: tuple[str, ...]
    columns: Mapping[str, str]


def write_duckdb(snapshot: Snapshot, folder: Path) -> dict[str, Any]:
    """Write the library file itself into a folder: views, comments and keys included.

    Its bytes are equal for equal cases, see `kg.store.same_bytes`.
    """
    file = write_library(snapshot, folder / DATABASE)
    (folder / f".{DATABASE}.lock").unlink(missing_ok=True)
    with _opened(file) as connection:
        return {"tables": {t.name: _told(connection, t) for t in _tables(connection)}}


def write_tables(snapshot: Snapshot, folder: Path, form: str) -> dict[str, Any]:
    """Write each table of the library file into a file of its own, rows sorted by their key.

    Args:
        snapshot: the library, or a part of it.
        folder: where the files go.
        form: `parquet` (compressed by zstd) or `csv` (a header; an empty cell is NULL, an empty
            text is `""`).

    Returns:
        For the manifest: of each table its key, its columns with their types in DuckDB, and the
        number of its rows.
    """
    file = write_library(snapshot, folder / DATABASE, views=False)
    try:
        with _opened(file) as connection:
            return {"tables": dict(_copied(connection, folder, form))}
    finally:
        for made in (file, folder / f".{DATABASE}.lock"):
            made.unlink(missing_ok=True)


def copy_table(connection: DuckDBPyConnection, name: str, key: str, file: Path, form: str) -> None:
    """Write one table of an open database in order of its key; equal rows give equal bytes."""
    quoted = str(file).replace("'", "''")
    connection.execute(f"COPY (FROM {name} ORDER BY {key}) TO '{quoted}' ({_COPY[form]})")


def _copied(
    connection: DuckDBPyConnection, folder: Path, form: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    for table in _tables(connection):
        copy_table(
            connection, table.name, ", ".join(table.key), folder / f"{table.name}.{form}", form
        )
        yield table.name, _told(connection, table)


@contextmanager
def _opened(file: Path) -> Iterator[DuckDBPyConnection]:
    """A library file, read by one thread, so that files are cut into the same pieces each time."""
    import duckdb

    try:
        with duckdb.connect(str(file), read_only=True, config={"threads": 1}) as connection:
            connection.execute("SET enable_progress_bar = false")
            yield connection
    except duckdb.Error as error:
        raise LibraryError(f"the export could not be written: {error}") from error


def _tables(connection: DuckDBPyConnection) -> list[_Table]:
    keys = connection.execute(
        "SELECT table_name, constraint_column_names FROM duckdb_constraints() "
        "WHERE constraint_type = 'PRIMARY KEY'"
    ).fetchall()
    columns: dict[str, dict[str, str]] = {}
    for table, column, kind in connection.execute(
        "SELECT table_name, column_name, data_type FROM duckdb_columns() "
        "SEMI JOIN duckdb_tables() USING (table_name) ORDER BY table_name, column_index"
    ).fetchall():
        columns.setdefault(table, {})[column] = kind
    key_of = {name: tuple(key) for name, key in keys}
    # A table without a key is sorted by all that it holds.
    return [_Table(name, key_of.get(name, tuple(found)), found) for name, found in columns.items()]


def _told(connection: DuckDBPyConnection, table: _Table) -> dict[str, Any]:
    (count,) = connection.execute(f"SELECT count(*) FROM {table.name}").fetchone() or (0,)
    return {"rows": count, "key": list(table.key), "columns": dict(table.columns)}
