"""Reading a library file back, and asking it in SQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kg.errors import BadQuery, LibraryError, LibraryLocked, LibraryVersionError
from kg.model import Case, Scheme, Term
from kg.store.snapshot import SCHEMA_VERSION, Passage, SimilarRow, Snapshot
from kg.vocab import Vocabulary

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


@dataclass(frozen=True)
class Table:
    """The answer to a SQL query: column names and rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    def dicts(self) -> list[dict[str, Any]]:
        """The rows as dictionaries."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def __str__(self) -> str:
        cells = [self.columns, *(tuple(_shown(v) for v in row) for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = [
            "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip()
            for row in cells
        ]
        return "\n".join([lines[0], "  ".join("─" * w for w in widths), *lines[1:]])


def _shown(value: Any) -> str:
    return "–" if value is None else str(value).replace("\n", " ")


_READING = ("SELECT", "EXPLAIN", "MULTI")
"""Kinds of SQL statements that only read; `MULTI` is PIVOT."""


def connect(path: str | Path) -> DuckDBPyConnection:
    """Open a library file read-only, with no way out of it: no files, no network, no settings.

    Each call opens the file anew (DuckDB would else hand out one instance per path and process),
    so a file that was replaced is seen as it is now, and older connections keep what they had.

    Raises:
        LibraryError: it is missing, cannot be read, or is not a library.
        LibraryLocked: another program holds it open for writing.
        LibraryVersionError: it was written by another schema version.
    """
    import duckdb

    if not Path(path).is_file():
        raise LibraryError(f"no library at {path}; build one with: kg build PATH -o {path}")
    connection = duckdb.connect(config={"allow_community_extensions": "false"})
    try:
        _attach(connection, Path(path))
    except LibraryError:
        connection.close()
        raise
    return connection


def _attach(connection: DuckDBPyConnection, path: Path) -> None:
    import duckdb

    quoted = str(path.absolute()).replace("'", "''")
    try:
        connection.execute(f"ATTACH '{quoted}' AS library (READ_ONLY)")
    except duckdb.Error as error:
        if "lock on file" in str(error):
            raise LibraryLocked(f"another program holds {path} open for writing") from error
        raise LibraryError(
            f"{path} is not an incident-kg library, or is damaged: {error}"
        ) from error
    try:
        connection.execute("USE library")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        _check_version(connection, str(path))
    except duckdb.Error as error:
        raise LibraryError(f"{path} is a DuckDB file but not an incident-kg library") from error


def is_library(path: Path) -> bool:
    """Whether a file is an incident-kg library of any version.

    Raises:
        LibraryLocked: another program holds it open for writing, so that nobody can tell.
    """
    try:
        connect(path).close()
    except LibraryVersionError:
        return True
    except LibraryLocked:
        raise
    except LibraryError:
        return False
    return True


def read_snapshot(connection: DuckDBPyConnection) -> Snapshot:
    """Everything in a library file.

    Raises:
        LibraryError: the file is damaged.
    """
    import duckdb

    try:
        return _read(connection)
    except (duckdb.Error, ValueError, KeyError) as error:
        raise LibraryError(f"the library is damaged, build it again: {error}") from error


def _read(connection: DuckDBPyConnection) -> Snapshot:
    builds = dict(connection.execute("SELECT key, value FROM builds").fetchall())
    cases = connection.execute("SELECT record FROM cases ORDER BY case_id").fetchall()
    passages = connection.execute(
        "SELECT case_id, field, lang, start_char, end_char, text FROM passages ORDER BY passage_id"
    ).fetchall()
    similar = connection.execute(
        "SELECT case_id, rank, other_id, score, dense, words, graph, same_cause "
        "FROM similarity ORDER BY case_id, rank"
    ).fetchall()
    return Snapshot(
        cases=tuple(Case.model_validate_json(record) for (record,) in cases),
        vocabulary=_read_vocabulary(connection),
        passages=tuple(Passage(*row) for row in passages),
        vectors=_read_vectors(connection, int(builds["dimension"])),
        encoder=builds["encoder"],
        fingerprint=builds["fingerprint"],
        background=(float(builds["background_mean"]), float(builds["background_sd"])),
        similar=tuple(SimilarRow(*row) for row in similar),
    )


def run_sql(connection: DuckDBPyConnection, query: str, parameters: Sequence[Any] = ()) -> Table:
    """Run one read-only SQL statement.

    Raises:
        BadQuery: it is not one statement that only reads, or DuckDB refuses it.
    """
    import duckdb

    try:
        kinds = [s.type.name for s in connection.extract_statements(query)]
        if len(kinds) != 1 or kinds[0] not in _READING:
            raise BadQuery("SQL: give one statement that only reads, such as SELECT … FROM cases")
        cursor = connection.cursor()
        cursor.execute("USE library")
        answer = cursor.execute(query, list(parameters))
        columns = tuple(d[0] for d in answer.description or ())
        return Table(columns, tuple(answer.fetchall()) if columns else ())
    except duckdb.Error as error:
        raise BadQuery(f"SQL: {error}") from error


def _check_version(connection: DuckDBPyConnection, path: str) -> None:
    row = connection.execute("SELECT value FROM builds WHERE key = 'schema_version'").fetchone()
    found = int(row[0]) if row and str(row[0]).isdecimal() else 0
    if found != SCHEMA_VERSION:
        raise LibraryVersionError(path, found, SCHEMA_VERSION)


def _read_vocabulary(connection: DuckDBPyConnection) -> Vocabulary:
    terms: dict[str, list[Term]] = {}
    for scheme, record in connection.execute(
        "SELECT scheme, record FROM terms ORDER BY term_id"
    ).fetchall():
        terms.setdefault(scheme, []).append(Term.model_validate_json(record))
    schemes = connection.execute("SELECT scheme, record FROM schemes ORDER BY scheme").fetchall()
    return Vocabulary(
        Scheme.model_validate_json(record).model_copy(update={"terms": tuple(terms.get(name, ()))})
        for name, record in schemes
    )


def _read_vectors(connection: DuckDBPyConnection, dimension: int) -> Any:
    column = connection.execute("SELECT vector FROM vectors ORDER BY passage_id").fetchnumpy()
    rows = column["vector"]
    return np.stack(list(rows)) if len(rows) else np.zeros((0, dimension), np.float32)
