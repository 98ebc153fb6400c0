"""No file makes DuckDB look for an extension; JSON needs none."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from kg.errors import LibraryError
from kg.library import Library
from kg.store import SCHEMA_VERSION, connect, is_library


@pytest.fixture
def sqlite(tmp_path: Path) -> Path:
    file = tmp_path / "theirs.db"
    with closing(sqlite3.connect(file)) as base:
        base.execute("CREATE TABLE builds (key, value)")
        base.execute("INSERT INTO builds VALUES ('schema_version', ?)", [SCHEMA_VERSION])
        base.commit()
    return file


def test_a_sqlite_file_is_read_as_no_library_and_asks_for_nothing(sqlite: Path) -> None:
    with pytest.raises(LibraryError, match="not an incident-kg library") as caught:
        Library(sqlite)
    for word in ("extension", "sqlite_scanner", "INSTALL", "http"):
        assert word not in str(caught.value)
    assert not is_library(sqlite)


def test_extensions_are_neither_fetched_nor_loaded_by_themselves(quick: Library) -> None:
    with connect(quick.path) as connection:
        settings = connection.execute(
            "SELECT name, value FROM duckdb_settings() WHERE name IN "
            "('autoinstall_known_extensions', 'autoload_known_extensions', "
            "'allow_community_extensions')"
        ).fetchall()
    assert len(settings) == 3
    assert {value for _, value in settings} == {"false"}


def test_json_columns_can_be_asked(quick: Library) -> None:
    found = quick.sql("SELECT case_id, record->>'id', json_type(record) FROM cases ORDER BY 1")
    assert found.rows == tuple((i, i, "OBJECT") for i in sorted(quick.cases))
    assert quick.sql("SELECT record->>'$.id' FROM terms ORDER BY 1 LIMIT 1").rows
