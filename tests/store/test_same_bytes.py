"""Equal libraries are equal files, and DuckDB takes them as its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import pytest

from kg.store import connect, fill, write_library
from kg.store.same_bytes import name_by_content
from tests.helpers.exports import nasty_case, snapshot_of
from tests.helpers.tiny import tiny_cases

BLOCK = 4096


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    return database(tmp_path / "plain.duckdb", 7)


def folder(path: Path, number: int) -> Path:
    (path / f"{number}").mkdir()
    return path / f"{number}"


def database(path: Path, value: int) -> Path:
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE t (n INTEGER)")
        connection.execute("INSERT INTO t VALUES (?)", [value])
    return path


def held(path: Path) -> list[tuple[int, ...]]:
    with duckdb.connect(str(path)) as connection:
        return connection.execute("SELECT n FROM t ORDER BY n").fetchall()


def ident(path: Path) -> bytes:
    return path.read_bytes()[124:140]


def test_equal_libraries_are_equal_files(tmp_path: Path) -> None:
    cases = [*tiny_cases(), nasty_case()]
    one, other = (
        write_library(snapshot_of(given), tmp_path / name)
        for name, given in (("one.duckdb", cases), ("other.duckdb", cases[::-1]))
    )
    assert one.read_bytes() == other.read_bytes()


def test_the_first_file_of_a_process_is_as_those_that_follow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = []
    for name in ("first", "second", "third"):
        if name != "third":
            monkeypatch.setattr(fill, "_kept", {})
        files.append(write_library(snapshot_of(tiny_cases()), tmp_path / f"{name}.duckdb"))
    assert len({file.read_bytes() for file in files}) == 1


def test_an_empty_library_is_kept_for_each_length_of_vectors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fill, "_kept", {})
    monkeypatch.setattr(fill, "_MOST_KEPT", 2)
    for length in range(1, 5):
        snapshot = snapshot_of([])
        longer = replace(snapshot, vectors=np.zeros((0, length), dtype=np.float32))
        file = write_library(longer, tmp_path / "x.duckdb")
        with connect(file) as connection:
            (told,) = connection.execute(
                "SELECT data_type FROM duckdb_columns() "
                "WHERE table_name = 'vectors' AND column_name = 'vector'"
            ).fetchone()
        assert told == f"FLOAT[{length}]"
        assert 0 < len(fill._kept) <= 2


def test_other_content_has_another_id(tmp_path: Path) -> None:
    one, same, other = (database(folder(tmp_path, n) / "x.duckdb", n // 2) for n in range(3))
    assert len({ident(one), ident(same), ident(other)}) == 3  # random, as DuckDB gives them
    assert all(map(name_by_content, (one, same, other)))
    assert one.read_bytes() == same.read_bytes()
    assert ident(one) != ident(other)


def test_nothing_but_id_and_checksum_changes(plain: Path) -> None:
    before = plain.read_bytes()
    name_by_content(plain)
    after = plain.read_bytes()
    changed = {i for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b}
    assert changed <= {*range(8), *range(124, 140)}


def test_duckdb_reads_and_writes_it_further(plain: Path) -> None:
    assert name_by_content(plain)
    assert held(plain) == [(7,)]
    with duckdb.connect(str(plain)) as connection:
        connection.execute("INSERT INTO t VALUES (9)")
    assert held(plain) == [(7,), (9,)]
    assert name_by_content(plain)
    assert held(plain) == [(7,), (9,)]


def test_duckdb_checks_the_sum_that_is_written(plain: Path) -> None:
    name_by_content(plain)
    content = bytearray(plain.read_bytes())
    content[130] ^= 1
    plain.write_bytes(content)
    with pytest.raises(duckdb.Error):
        held(plain)


def test_naming_twice_changes_nothing(plain: Path) -> None:
    name_by_content(plain)
    once = plain.read_bytes()
    assert name_by_content(plain)
    assert plain.read_bytes() == once


@pytest.mark.parametrize("place", [0, 8, 60, 116, 124, 140, BLOCK - 1])
def test_a_block_that_is_laid_out_otherwise_is_left(plain: Path, place: int) -> None:
    content = bytearray(plain.read_bytes())
    content[place] ^= 1
    plain.write_bytes(content)
    assert not name_by_content(plain)
    assert plain.read_bytes() == bytes(content)


@pytest.mark.parametrize("length", [0, 7, 140, BLOCK - 1])
def test_a_file_cut_short_is_left(plain: Path, length: int) -> None:
    plain.write_bytes(plain.read_bytes()[:length])
    assert not name_by_content(plain)
    assert plain.stat().st_size == length
