"""A write-ahead log that another program left never spoils a library that is written anew."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import kg
from kg.errors import LibraryError
from kg.library import Library
from kg.store import fill, is_library, write_library
from tests.helpers.libraries import make_snapshot
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

VOCABULARY = tiny_vocabulary()
OLD = make_snapshot(tiny_cases()[:2], VOCABULARY)
NEW = make_snapshot(tiny_cases(), VOCABULARY)

KILLED = """
import os, sys, duckdb
connection = duckdb.connect(sys.argv[1])
connection.execute("SET checkpoint_threshold = '1GB'")
connection.execute("CREATE TABLE scratch AS SELECT range AS a FROM range(1000)")
os._exit(0)
"""


def log_of(path: Path) -> Path:
    return path.with_name(path.name + ".wal")


def left_by_a_killed_program(path: Path) -> Path:
    """The log that a program leaves which wrote into the file and was killed."""
    subprocess.run([sys.executable, "-c", KILLED, str(path)], check=True)
    assert log_of(path).stat().st_size > 0
    return log_of(path)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return write_library(OLD, tmp_path / "lib.duckdb")


@pytest.fixture
def spoilt(old: Path, tmp_path: Path) -> Path:
    """A library with the log of another one beside it."""
    (tmp_path / "other").mkdir()
    other = write_library(NEW, tmp_path / "other" / "lib.duckdb")
    shutil.move(left_by_a_killed_program(other), log_of(old))
    return old


def test_the_log_of_the_old_file_does_not_stay_beside_the_new_one(old: Path) -> None:
    left_by_a_killed_program(old)
    with Library(old) as library:
        assert len(library) == 2, "a log that fits is read"
    write_library(NEW, old)
    assert not log_of(old).exists()
    with Library(old) as library:
        assert len(library) == 6


def test_a_log_beside_no_file_does_not_spoil_a_new_one(old: Path) -> None:
    left_by_a_killed_program(old)
    old.unlink()
    write_library(NEW, old)
    with Library(old) as library:
        assert len(library) == 6


def test_the_log_goes_before_the_new_file_comes(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever looks between the two steps sees the old library, whole."""
    log = left_by_a_killed_program(old)
    seen: list[int] = []
    rename = Path.replace

    def look_and_rename(self: Path, target: Path) -> Path:
        assert not log.exists()
        with Library(old) as library:
            seen.append(len(library))
        return rename(self, target)

    monkeypatch.setattr(Path, "replace", look_and_rename)
    write_library(NEW, old)
    assert seen == [2]


def test_an_error_while_writing_leaves_the_log_too(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = left_by_a_killed_program(old)
    before = log.read_bytes()

    def fail(*_: object) -> None:
        raise RuntimeError("power cut")

    monkeypatch.setattr(fill, "_insert_vectors", fail)
    with pytest.raises(RuntimeError):
        write_library(NEW, old)
    assert log.read_bytes() == before


def test_a_log_that_does_not_fit_is_named(spoilt: Path) -> None:
    with pytest.raises(LibraryError, match=r"lib\.duckdb\.wal, left beside") as caught:
        Library(spoilt)
    assert "kg build" in str(caught.value)


def test_a_library_with_a_log_that_does_not_fit_can_be_built_again(spoilt: Path) -> None:
    assert is_library(spoilt)
    with kg.build_library(tiny_cases(), spoilt, vocabulary=VOCABULARY, encoder="hash") as library:
        assert len(library) == 6
    assert not log_of(spoilt).exists()


def test_a_foreign_database_with_such_a_log_is_still_left_alone(
    spoilt: Path, tmp_path: Path
) -> None:
    theirs = tmp_path / "theirs.duckdb"
    theirs.write_bytes(b"a letter" * 1000)
    shutil.copy(log_of(spoilt), log_of(theirs))
    assert not is_library(theirs)
    with pytest.raises(LibraryError, match="left as it is"):
        write_library(NEW, theirs)
    assert log_of(theirs).exists()


def test_through_a_link_the_log_of_the_file_itself_goes(spoilt: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.duckdb"
    link.symlink_to(spoilt)
    with pytest.raises(LibraryError, match=r"lib\.duckdb\.wal"):
        Library(link)
    write_library(NEW, link)
    assert not log_of(spoilt).exists()
    with Library(link) as library:
        assert len(library) == 6
