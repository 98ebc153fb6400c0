"""Reading a library file back, and asking it in SQL."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kg.errors import BadQuery, LibraryError, LibraryLocked, LibraryVersionError
from kg.model import Apart, Review, Revision
from kg.model.html import table, view
from kg.store.records import make_vocabulary, read_case
from kg.store.snapshot import SCHEMA_VERSION, Passage, SimilarRow, Snapshot
from kg.vocab import Vocabulary

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from numpy.typing import NDArray


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

    def _repr_html_(self) -> str:
        return view(table(self.columns, self.rows))


def _shown(value: Any) -> str:
    return "–" if value is None else str(value).replace("\n", " ")


_READING = ("SELECT", "EXPLAIN", "MULTI")
"""Kinds of SQL statements that only read; `MULTI` is PIVOT."""

CLOSED: dict[str, str | bool | int | float | list[str]] = {
    "allow_community_extensions": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}
"""JSON is part of DuckDB itself; whatever is not must never be fetched."""

_NO_VARIABLES = {"python_enable_replacements": "false"}
"""A query must not name the variables of the program that asks it."""

_NO_FILES = {"temp_directory": ""}
"""A query that needs more memory than there is ends, rather than fill a folder beside the user."""


def connect(path: str | Path, versions: Collection[int] = (SCHEMA_VERSION,)) -> DuckDBPyConnection:
    """Open a library file read-only, with no way out of it: no files, no network, no settings.

    Each call opens the file anew (DuckDB would else hand out one instance per path and process),
    so a file that was replaced is seen as it is now, and older connections keep what they had.

    Raises:
        LibraryError: it is missing, cannot be read, or is not a library.
        LibraryLocked: another program holds it open for writing.
        LibraryVersionError: it was written by a schema version that is none of `versions`.
    """
    import duckdb

    file = Path(path)
    if not _is_file(file):
        raise LibraryError(f"no library at {path}; build one with: kg build PATH -o {path}")
    _check_readable(file)
    connection = duckdb.connect(config={**CLOSED, **_NO_VARIABLES, **_NO_FILES})
    try:
        _attach(connection, file, versions)
    except LibraryError:
        connection.close()
        raise
    return connection


def _is_file(path: Path) -> bool:
    """As `Path.is_file`, which answers differently by version of Python when it may not look."""
    try:
        return path.is_file()
    except PermissionError as error:
        raise LibraryError(f"permission denied: {path}") from error
    except (OSError, ValueError):
        return False


def _check_readable(path: Path) -> None:
    """Refuse a file that this user may not read, rather than call it damaged."""
    if not os.access(path, os.R_OK):
        raise LibraryError(f"permission denied: {path} may not be read by this user")


def _attach(connection: DuckDBPyConnection, path: Path, versions: Collection[int]) -> None:
    import duckdb

    quoted = str(path.absolute()).replace("'", "''")
    # In an interactive Python DuckDB would draw one into standard output.
    connection.execute("SET enable_progress_bar = false")
    try:
        # Without the type, the file itself would choose the extension that opens it.
        connection.execute(f"ATTACH '{quoted}' AS library (READ_ONLY, TYPE duckdb)")
    except duckdb.Error as error:
        raise _told(path, error) from error
    try:
        connection.execute("USE library")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        _check_version(connection, str(path), versions)
    except duckdb.Error as error:
        raise LibraryError(f"{path} is a DuckDB file but not an incident-kg library") from error


def _told(path: Path, error: Exception) -> LibraryError:
    """Why a file could not be attached."""
    if "lock on file" in str(error):
        return LibraryLocked(f"another program holds {path} open for writing")
    if "ermission denied" in str(error):
        return LibraryError(f"permission denied: {path} ({error})")
    log = log_of(path.resolve())  # DuckDB follows links
    if log.exists() and "WAL" in str(error):
        return LibraryError(
            f"{log.name}, left beside {path} by another program, does not fit it: move it away, "
            f"or build again with: kg build PATH -o {path} ({error})"
        )
    return LibraryError(f"{path} is not an incident-kg library, or is damaged: {error}")


def log_of(path: Path) -> Path:
    """DuckDB's write-ahead log of a file; beside a whole library there is none."""
    return path.with_name(path.name + ".wal")


def is_library(path: Path) -> bool:
    """Whether a file is an incident-kg library of any version, whatever log lies beside it.

    Raises:
        LibraryLocked: another program holds it open for writing, so that nobody can tell.
        LibraryError: this user may not read it.
    """
    if not _is_file(path):
        return False
    _check_readable(path)
    return _opens(path) or (log_of(path.resolve()).exists() and _opens_alone(path))


def _opens(path: Path) -> bool:
    try:
        connect(path).close()
    except LibraryVersionError:
        return True
    except LibraryLocked:
        raise
    except LibraryError:
        return False
    return True


def _opens_alone(path: Path) -> bool:
    """Whether a copy opens, without the log that lies beside the file."""
    with tempfile.TemporaryDirectory() as folder:
        return _opens(Path(shutil.copyfile(path, Path(folder, "copy.duckdb"))))


def read_snapshot(connection: DuckDBPyConnection) -> Snapshot:
    """Everything in a library file.

    Raises:
        LibraryError: the file is damaged: a record cannot be read, or something is gone.
    """
    import duckdb

    try:
        builds = dict(connection.execute("SELECT key, value FROM builds").fetchall())
        snapshot = _read(connection, builds)
        _check_whole(connection, snapshot, builds)
    except (duckdb.Error, ValueError, KeyError, TypeError) as error:
        raise LibraryError(f"the library is damaged, build it again: {error}") from error
    return snapshot


def _check_whole(
    connection: DuckDBPyConnection, snapshot: Snapshot, builds: Mapping[str, str]
) -> None:
    """Raise ValueError when rows are gone that were written: nothing else would notice."""
    found = {
        "cases": len(snapshot.cases),
        "passages": len(snapshot.passages),
        "terms": len(snapshot.vocabulary),
        "changes": len(snapshot.vocabulary.history),
    }
    for what, count in found.items():
        if count != int(builds.get(what, 0)):
            raise ValueError(f"{count} {what} of {builds[what]} are there")
    expected = (len(snapshot.passages), int(builds["dimension"]))
    if snapshot.vectors.shape != expected:
        raise ValueError(f"vectors of shape {snapshot.vectors.shape}, expected {expected}")
    tokens = 0 if snapshot.token_codes is None else len(snapshot.token_codes)
    if tokens != int(builds["tokens"]):
        raise ValueError(f"vectors of {tokens} tokens of {builds['tokens']} are there")
    for what, query in _GONE.items():
        row = connection.execute(query).fetchone()
        if row is not None:
            raise ValueError(f"{what} {row[0]} is gone")
    named = {t for case in snapshot.cases for claim in case.claims for t in claim.terms}
    if gone := sorted(named - set(snapshot.vocabulary.terms)):
        raise ValueError(f"the term {gone[0]} is gone")


_GONE = {
    "the vector of passage": "SELECT passage_id FROM passages ANTI JOIN vectors USING (passage_id)",
    "the case": "SELECT case_id FROM passages ANTI JOIN cases USING (case_id)",
    "the compared case": "SELECT case_id FROM similarity ANTI JOIN cases USING (case_id)",
    "the similar case": "SELECT other_id FROM similarity ANTI JOIN cases c ON other_id = c.case_id",
    "the term": "SELECT term_id FROM claim_terms ANTI JOIN terms USING (term_id)",
}
"""For each link between tables that searching follows: what it points to that is not there."""


def _read(connection: DuckDBPyConnection, builds: Mapping[str, str]) -> Snapshot:
    cases = connection.execute("SELECT record FROM cases ORDER BY case_id").fetchall()
    passages = connection.execute(
        "SELECT case_id, field, lang, start_char, end_char, text FROM passages ORDER BY passage_id"
    ).fetchall()
    similar = connection.execute(
        "SELECT case_id, rank, other_id, score, dense, words, graph, same_cause "
        "FROM similarity ORDER BY case_id, rank"
    ).fetchall()
    vectors, codes, starts = _read_vectors(connection, builds)
    return Snapshot(
        cases=tuple(read_case(record) for (record,) in cases),
        vocabulary=_read_vocabulary(connection, _read_history(connection, builds)),
        passages=tuple(Passage(*row) for row in passages),
        vectors=vectors,
        encoder=builds["encoder"],
        fingerprint=builds["fingerprint"],
        background=(float(builds["background_mean"]), float(builds["background_sd"])),
        similar=tuple(SimilarRow(*row) for row in similar),
        reviews=_read_reviews(connection, builds),
        revisions=_read_revisions(connection, builds),
        apart=_read_apart(connection, builds),
        token_codes=codes,
        token_starts=starts,
    )


def run_sql(connection: DuckDBPyConnection, query: str, parameters: Sequence[Any] = ()) -> Table:
    """Run one read-only SQL statement.

    Raises:
        BadQuery: it is not one statement that only reads, a value is of a type that DuckDB does
            not know, or DuckDB refuses it.
    """
    import duckdb

    _check_question(query, parameters)
    try:
        return _run(connection, query, list(parameters))
    except BadQuery:
        raise
    except (duckdb.Error, TypeError, ValueError, OverflowError, RecursionError) as error:
        # All but the first come from DuckDB's binding, for values that it cannot pass on.
        raise BadQuery(f"SQL: {error}") from error


def _check_question(query: object, parameters: object) -> None:
    """Refuse what is not a text with a list of values."""
    if not isinstance(query, str):
        raise BadQuery(f"SQL: give the statement as text, not {type(query).__name__}")
    if not query.isascii() and any("\ud800" <= c <= "\udfff" for c in query):
        raise BadQuery("SQL: the statement holds half a character (a lone surrogate)")
    if isinstance(parameters, str | bytes) or not isinstance(parameters, Sequence):
        raise BadQuery(f"SQL: give the values as a list, not {type(parameters).__name__}")


def _run(connection: DuckDBPyConnection, query: str, parameters: list[Any]) -> Table:
    kinds = [s.type.name for s in connection.extract_statements(query)]
    if len(kinds) != 1 or kinds[0] not in _READING:
        raise BadQuery("SQL: give one statement that only reads, such as SELECT … FROM cases")
    with connection.cursor() as cursor:
        cursor.execute("USE library")
        # The file is read-only anyway; this keeps EXPLAIN ANALYZE and a changing WITH from leaving
        # tables in memory, where later questions would meet them.
        cursor.execute("BEGIN TRANSACTION READ ONLY")
        answer = cursor.execute(query, parameters)
        columns = tuple(d[0] for d in answer.description or ())
        return Table(columns, tuple(answer.fetchall()) if columns else ())


def _check_version(connection: DuckDBPyConnection, path: str, versions: Collection[int]) -> None:
    row = connection.execute("SELECT value FROM builds WHERE key = 'schema_version'").fetchone()
    found = int(row[0]) if row and str(row[0]).isdecimal() else 0
    if found not in versions:
        raise LibraryVersionError(path, found, SCHEMA_VERSION)


def _read_history(connection: DuckDBPyConnection, builds: Mapping[str, str]) -> list[str]:
    """The records of changes of the vocabulary; before schema version 4 there were none."""
    if int(builds["schema_version"]) < 4:
        return []
    rows = connection.execute("SELECT record FROM changes ORDER BY change_id").fetchall()
    return [record for (record,) in rows]


def _read_reviews(connection: DuckDBPyConnection, builds: Mapping[str, str]) -> tuple[Review, ...]:
    if int(builds["schema_version"]) < 4:
        return ()
    rows = connection.execute("SELECT record FROM reviews ORDER BY case_id, kind, term_id")
    return tuple(Review.model_validate_json(record) for (record,) in rows.fetchall())


def _read_revisions(
    connection: DuckDBPyConnection, builds: Mapping[str, str]
) -> tuple[Revision, ...]:
    if int(builds["schema_version"]) < 4:
        return ()
    rows = connection.execute(
        "SELECT case_id, number, action, done_at, author, note, before, absorbed "
        "FROM revisions ORDER BY case_id, number"
    ).fetchall()
    names = ("case_id", "number", "action", "at", "author", "note", "before", "absorbed")
    return tuple(Revision.model_validate(dict(zip(names, row, strict=True))) for row in rows)


def _read_apart(connection: DuckDBPyConnection, builds: Mapping[str, str]) -> tuple[Apart, ...]:
    if "apart" not in builds:  # written before people could tell cases apart
        return ()
    rows = connection.execute(
        "SELECT case_id, other_id, done_at, author, note FROM apart ORDER BY case_id, other_id"
    ).fetchall()
    names = ("case_id", "other_id", "at", "author", "note")
    return tuple(Apart.model_validate(dict(zip(names, row, strict=True))) for row in rows)


def _read_vocabulary(connection: DuckDBPyConnection, history: Sequence[str]) -> Vocabulary:
    terms = connection.execute("SELECT scheme, record FROM terms ORDER BY term_id").fetchall()
    schemes = connection.execute("SELECT scheme, record FROM schemes ORDER BY scheme").fetchall()
    return make_vocabulary(tuple(schemes), tuple(terms), tuple(history))


def _read_vectors(
    connection: DuckDBPyConnection, builds: Mapping[str, str]
) -> tuple[Any, NDArray[np.int8] | None, NDArray[np.int64] | None]:
    """The vectors of the passages, the codes of their tokens, and where each one's tokens start."""
    columns = connection.execute(
        "SELECT vector, tokens FROM vectors ORDER BY passage_id"
    ).fetchnumpy()
    rows, blobs = columns["vector"], columns["tokens"]
    vectors = np.stack(list(rows)) if len(rows) else np.zeros((0, int(builds["dimension"])), "f4")
    width = int(builds["token_dimension"])
    if not width:
        return vectors, None, None
    codes = np.frombuffer(b"".join(blobs), dtype=np.int8).reshape(-1, width)
    sizes = np.fromiter((len(blob) for blob in blobs), dtype=np.int64, count=len(blobs))
    if (sizes % width).any():
        raise ValueError("a passage has part of a token")
    starts = np.zeros(len(blobs) + 1, dtype=np.int64)
    np.cumsum(sizes // width, out=starts[1:])
    return vectors, codes, starts
