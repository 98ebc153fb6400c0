"""What a query must not do is refused by DuckDB's own settings, whatever is asked before.

These go around the check of the kind of statement: straight to the connection.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pytest

from kg.errors import BadQuery
from kg.library import Library
from kg.store import connect, write_library
from tests.helpers.libraries import make_snapshot
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

CHANGES = [
    "DROP TABLE cases",
    "DROP VIEW edges",
    "DROP MACRO TABLE paths",
    "DELETE FROM cases",
    "UPDATE cases SET title = 'x'",
    "INSERT INTO builds VALUES ('a', 'b')",
    "CREATE TABLE x (a INT)",
    "CREATE OR REPLACE VIEW edges AS SELECT 1",
    "CREATE MACRO f(x) AS x",
    "COMMENT ON TABLE cases IS 'x'",
    "ALTER TABLE cases ADD COLUMN x INT",
    "TRUNCATE cases",
]
WAYS_OUT = [
    "COPY cases TO '{folder}/out.csv'",
    "COPY (SELECT 1) TO '{folder}/out.parquet'",
    "COPY builds FROM '{folder}/secret.txt'",
    "EXPORT DATABASE '{folder}/out'",
    "IMPORT DATABASE '{folder}/out'",
    "ATTACH '{folder}/y.duckdb' AS y",
    "ATTACH '{folder}/y.db' AS y (TYPE sqlite)",
    "SELECT * FROM read_text('{folder}/secret.txt')",
    "SELECT * FROM read_blob('{folder}/secret.txt')",
    "SELECT * FROM read_csv('{folder}/secret.txt')",
    "SELECT * FROM sniff_csv('{folder}/secret.txt')",
    "SELECT * FROM read_json('{folder}/secret.txt')",
    "SELECT * FROM '{folder}/secret.txt'",
    "SELECT * FROM query_table('{folder}/secret.txt')",
    "SELECT * FROM query('FROM read_text(''{folder}/secret.txt'')')",
    "SELECT * FROM glob('{folder}/*')",
    "SELECT * FROM read_csv('https://example.org/x.csv')",
    "SELECT * FROM duckdb_secrets()",
    "CREATE PERSISTENT SECRET s (TYPE http)",
]
SETTINGS = [
    "SET threads = 1",
    "SET enable_external_access = true",
    "SET lock_configuration = false",
    "SET allowed_directories = ['/']",
    "SET allow_unsigned_extensions = true",
    "SET autoinstall_known_extensions = true",
    "SET temp_directory = '{folder}'",
    "SET python_enable_replacements = true",
    "RESET lock_configuration",
    "PRAGMA enable_profiling",
    "CALL enable_logging()",
]
EXTENSIONS = [
    "INSTALL httpfs",
    "INSTALL fts",
    "FORCE INSTALL '{folder}/x.duckdb_extension'",
    "LOAD httpfs",
    "LOAD '{folder}/x.duckdb_extension'",
    "PRAGMA create_fts_index('texts', 'case_id', 'text')",
    "SELECT stem('running', 'english')",
]
EVERY = [*CHANGES, *WAYS_OUT, *SETTINGS, *EXTENSIONS]

LOCKED_OUT = "disabled (by|through) configuration|does not exist"
REASONS = {
    **dict.fromkeys(CHANGES, "attached in read-only mode"),
    **dict.fromkeys(WAYS_OUT, LOCKED_OUT),
    **dict.fromkeys(SETTINGS, "the configuration has been locked"),
    **dict.fromkeys(EXTENSIONS, f"{LOCKED_OUT}|not in the catalog"),
}
"""Why each is refused, in DuckDB's words: not because it were written wrongly."""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("closed")
    return write_library(make_snapshot(tiny_cases(), tiny_vocabulary()), folder / "a.duckdb")


@pytest.fixture
def open_file(file: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with connect(file) as connection:
        yield connection


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("query", EVERY)
def test_duckdb_refuses_it_without_our_help(
    open_file: duckdb.DuckDBPyConnection, file: Path, folder: Path, query: str
) -> None:
    before = file.read_bytes()
    with pytest.raises(duckdb.Error, match=REASONS[query]):
        open_file.execute(query.format(folder=folder)).fetchall()
    assert {f.name for f in folder.iterdir()} == {"secret.txt"}
    assert file.read_bytes() == before
    assert open_file.execute("SELECT count(*) FROM cases").fetchone() == (6,)


@pytest.mark.parametrize("query", EVERY)
def test_the_library_tells_it_as_a_bad_query(quick: Library, folder: Path, query: str) -> None:
    with pytest.raises(BadQuery, match=r"^SQL: ") as caught:
        quick.sql(query.format(folder=folder))
    assert len(str(caught.value)) > len("SQL: ")
    assert {f.name for f in folder.iterdir()} == {"secret.txt"}


def test_a_query_cannot_name_the_variables_of_the_program(
    open_file: duckdb.DuckDBPyConnection, file: Path
) -> None:
    secret = {"word": np.arange(3)}
    assert len(secret) == 1
    with pytest.raises(duckdb.Error, match="does not exist"):
        open_file.execute("SELECT * FROM secret")
    with Library(file) as library, pytest.raises(BadQuery, match="does not exist"):
        library.sql("SELECT * FROM secret")


def test_what_is_made_in_memory_does_not_stay(file: Path) -> None:
    """A scratch table of the connection is no way into the file; `lib.sql` makes none either."""
    with connect(file) as connection:
        connection.execute("CREATE TABLE memory.main.scratch AS SELECT 1 AS a")
    with connect(file) as again, pytest.raises(duckdb.Error, match="does not exist"):
        again.execute("FROM memory.main.scratch")
