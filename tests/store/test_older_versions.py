"""A library of schema version 2 or 3 opens as a copy in this version; others are refused."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

import kg
from kg.errors import LibraryError, LibraryVersionError
from kg.library import Library
from kg.store import OLDER, SCHEMA_VERSION, migrate_library, write_library
from tests.helpers.libraries import TABLES, all_tables, make_snapshot
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

SNAPSHOT = make_snapshot(tiny_cases(), tiny_vocabulary())


NEW_COLUMNS = {"dates": "first_day, last_day, moment"}
SINCE = {"durations": 3, "changes": 4, "changed_terms": 4, "changed_claims": 4, "old_terms": 4}
"""The schema version in which a table came."""


def version_2(folder: Path, name: str = "old.duckdb", version: int = 2) -> Path:
    """The same library as an older version had it: without what came later."""
    new, old = write_library(SNAPSHOT, folder / "new.duckdb"), folder / name
    with duckdb.connect(str(old)) as base:
        base.execute(f"ATTACH '{new}' AS new (READ_ONLY)")
        for table in (t for t in TABLES if SINCE.get(t, 0) <= version):
            later = version < 3 and table in NEW_COLUMNS
            left = f"EXCLUDE ({NEW_COLUMNS[table]})" if later else ""
            base.execute(f"CREATE TABLE {table} AS SELECT * {left} FROM new.{table}")
        base.execute("UPDATE builds SET value = ? WHERE key = 'schema_version'", [str(version)])
        base.execute("DELETE FROM builds WHERE key = 'changes'")
    new.unlink()
    return old


def test_version_2_opens_as_a_copy_in_the_cache_and_stays_as_it_is(
    tmp_path: Path, cache: Path
) -> None:
    old = version_2(tmp_path)
    before = old.read_bytes()
    with pytest.raises(LibraryVersionError, match="kg build") as caught:
        Library(old)
    assert (caught.value.found, caught.value.expected) == (2, SCHEMA_VERSION)
    with kg.open_library(old) as library:
        assert library.path.parent == cache
        assert library.sql("SELECT cause_id FROM shared_causes('A-1', 'A-2')").rows
        made = library.path.stat().st_mtime_ns
        assert tuple(library.cases.values()) == SNAPSHOT.cases
    assert old.read_bytes() == before
    with kg.open_library(old) as again:
        assert again.path.stat().st_mtime_ns == made
    again.path.write_bytes(b"cut short")
    with kg.open_library(old) as anew:
        assert len(anew) == len(SNAPSHOT.cases)


@pytest.mark.parametrize("version", OLDER)
def test_the_copy_has_the_tables_of_a_new_build(tmp_path: Path, version: int) -> None:
    old = version_2(tmp_path, version=version)
    found = migrate_library(old, tmp_path / "made.duckdb")
    assert all_tables(found) == all_tables(write_library(SNAPSHOT, tmp_path / "judge.duckdb"))


def test_a_library_of_this_version_is_copied_as_well(tmp_path: Path) -> None:
    path = write_library(SNAPSHOT, tmp_path / "a.duckdb")
    assert all_tables(migrate_library(path, tmp_path / "b.duckdb")) == all_tables(path)


def test_without_a_cache_folder_the_error_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = version_2(tmp_path)
    monkeypatch.setattr("kg.library.migration.default_cache_dir", lambda: None)
    with pytest.raises(LibraryVersionError, match="kg build"):
        kg.open_library(old)


@pytest.mark.parametrize("version", ["1", str(SCHEMA_VERSION + 1)])
def test_other_versions_are_refused(tmp_path: Path, version: str) -> None:
    assert int(version) not in OLDER
    old = version_2(tmp_path)
    with duckdb.connect(str(old)) as base:
        base.execute("UPDATE builds SET value = ? WHERE key = 'schema_version'", [version])
    with pytest.raises(LibraryVersionError, match=f"schema version {version}"):
        kg.open_library(old)
    with pytest.raises(LibraryVersionError):
        migrate_library(old, tmp_path / "b.duckdb")
    assert not (tmp_path / "b.duckdb").exists()


def test_a_damaged_library_of_an_older_version_is_told(tmp_path: Path) -> None:
    old = version_2(tmp_path)
    with duckdb.connect(str(old)) as base:
        base.execute("DELETE FROM cases WHERE case_id = 'A-1'")
    with pytest.raises(LibraryError, match="damaged"):
        kg.open_library(old)
