"""At every instant the file is the old library or the new one, whole; one writer at a time."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

import kg
from kg.errors import InputError, LibraryError, LibraryLocked, LibraryVersionError
from kg.library import Library
from kg.store import check_target, fill, is_library, write, write_library
from kg.store.snapshot import SCHEMA_VERSION
from tests.helpers.libraries import all_tables, make_snapshot
from tests.helpers.tiny import make_case, tiny_cases, tiny_vocabulary

VOCABULARY = tiny_vocabulary()
OLD = make_snapshot(tiny_cases()[:2], VOCABULARY)
NEW = make_snapshot(tiny_cases(), VOCABULARY)


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_library(OLD, tmp_path_factory.mktemp("old") / "old.duckdb")


@pytest.fixture
def old(tmp_path: Path, template: Path) -> Path:
    """A library of two cases, in a folder of its own."""
    return Path(shutil.copy(template, tmp_path / "lib.duckdb"))


def names(folder: Path) -> set[str]:
    return {f.name for f in folder.iterdir()}


def test_a_new_library_replaces_the_old_one(old: Path) -> None:
    write_library(NEW, old)
    assert len(all_tables(old)["cases"]) == 6
    assert names(old.parent) == {"lib.duckdb", ".lib.duckdb.lock"}


def test_an_error_while_writing_leaves_the_old_file_byte_for_byte(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = old.read_bytes()

    def fail(*_: object) -> None:
        raise RuntimeError("power cut")

    monkeypatch.setattr(fill, "_insert_vectors", fail)
    with pytest.raises(RuntimeError, match="power cut"):
        write_library(NEW, old)
    assert old.read_bytes() == before
    assert names(old.parent) == {"lib.duckdb", ".lib.duckdb.lock"}


def test_an_error_of_duckdb_becomes_ours(old: Path) -> None:
    twice = make_snapshot([make_case("X-1"), make_case("X-1")], VOCABULARY)
    before = old.read_bytes()
    with pytest.raises(LibraryError, match="could not be written"):
        write_library(twice, old)
    assert old.read_bytes() == before


def test_bad_input_leaves_the_old_file_byte_for_byte(old: Path) -> None:
    before = old.read_bytes()
    bad = make_case("X-1", ("cause", "cause:rase"))
    with pytest.raises(InputError):
        kg.build_library([make_case("X-2"), bad], old, vocabulary=VOCABULARY, encoder="hash")
    assert old.read_bytes() == before
    assert names(old.parent) == {"lib.duckdb"}


SLOW_WRITER = """
import sys, time
from pathlib import Path
from kg.store import fill, write
from tests.helpers.libraries import make_snapshot
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

def wait(*_):
    print("half written", flush=True)
    time.sleep(600)

fill._insert_vectors = wait
write.write_library(make_snapshot(tiny_cases(), tiny_vocabulary()), Path(sys.argv[1]))
"""


@contextmanager
def half_written(target: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that is in the middle of writing the library."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", SLOW_WRITER, str(target)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "half written\n"
            yield process
        finally:
            process.kill()


def test_a_killed_writer_leaves_the_old_library_and_nothing_that_stays(old: Path) -> None:
    before = old.read_bytes()
    with half_written(old) as process:
        with pytest.raises(LibraryLocked, match="another process"):
            write_library(NEW, old)
        assert old.read_bytes() == before
        with Library(old) as library:
            assert len(library) == 2
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    assert old.read_bytes() == before
    assert any(name.endswith(".building") for name in names(old.parent)), "it died too early"
    with Library(old) as library:
        assert set(library.cases) == {"A-1", "A-2"}
    write_library(NEW, old)
    assert names(old.parent) == {"lib.duckdb", ".lib.duckdb.lock"}
    assert len(all_tables(old)["cases"]) == 6


def test_a_second_writer_in_this_process_is_refused_too(old: Path) -> None:
    with write._writing(old), pytest.raises(LibraryLocked):
        write_library(NEW, old)
    write_library(NEW, old)


def test_libraries_beside_each_other_do_not_lock_each_other(old: Path) -> None:
    with write._writing(old):
        other = write_library(NEW, old.with_name("other.duckdb"))
    assert is_library(other)


def test_an_open_library_keeps_what_it_had(old: Path) -> None:
    with Library(old) as before:
        write_library(NEW, old)
        with Library(old) as after:
            assert (len(before), len(after)) == (2, 6)
            assert before.sql("SELECT count(*) FROM cases").rows == ((2,),)
            assert after.sql("SELECT count(*) FROM cases").rows == ((6,),)


def test_a_library_can_be_opened_many_times_at_once(old: Path) -> None:
    with Library(old) as one, Library(old) as two, Library(str(old)) as three:
        assert len({len(one), len(two), len(three)}) == 1


def test_a_library_held_open_for_writing_elsewhere_is_locked(old: Path) -> None:
    script = (
        "import duckdb, sys; connection = duckdb.connect(sys.argv[1]); "
        "print('open', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", script, str(old)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"open\n"
        with pytest.raises(LibraryLocked, match="open for writing"):
            Library(old)
        with pytest.raises(LibraryLocked):
            write_library(NEW, old)
        process.communicate(b"")
    with Library(old) as library:
        assert len(library) == 2


@pytest.mark.parametrize("content", [b"a letter", b"\x00" * 5000, b"DUCK", b"{}"])
def test_a_foreign_file_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "notes.duckdb"
    file.write_bytes(content)
    with pytest.raises(LibraryError, match="not an incident-kg library"):
        write_library(NEW, file)
    with pytest.raises(LibraryError, match="not an incident-kg library"):
        kg.build_library(tiny_cases(), file, vocabulary=VOCABULARY, encoder="hash")
    with pytest.raises(LibraryError, match="not an incident-kg library"):
        Library(file)
    assert file.read_bytes() == content
    assert names(tmp_path) == {"notes.duckdb"}


def test_a_database_of_someone_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "theirs.duckdb"
    with duckdb.connect(str(file)) as connection:
        connection.execute("CREATE TABLE precious AS SELECT 42 AS answer")
    before = file.read_bytes()
    assert not is_library(file)
    with pytest.raises(LibraryError):
        write_library(NEW, file)
    with pytest.raises(LibraryError, match="a DuckDB file but not an incident-kg library"):
        Library(file)
    assert file.read_bytes() == before


def test_an_empty_file_may_be_filled(tmp_path: Path) -> None:
    file = tmp_path / "fresh.duckdb"
    file.touch()
    assert is_library(write_library(NEW, file))


def test_a_folder_or_a_missing_folder_is_no_place_for_a_library(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="is a folder"):
        check_target(tmp_path)
    with pytest.raises(LibraryError, match="does not exist"):
        check_target(tmp_path / "gone" / "x.duckdb")


def test_a_missing_library_says_how_to_build_one(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="kg build PATH -o"):
        Library(tmp_path / "gone.duckdb")
    assert not is_library(tmp_path / "gone.duckdb")
    assert names(tmp_path) == set()


@pytest.mark.parametrize(("stored", "found"), [("99", 99), ("0", 0), ("soon", 0), (None, 0)])
def test_another_schema_version_is_told_and_can_be_rebuilt(
    old: Path, stored: str | None, found: int
) -> None:
    with duckdb.connect(str(old)) as connection:
        connection.execute("DELETE FROM builds WHERE key = 'schema_version'")
        if stored is not None:
            connection.execute("INSERT INTO builds VALUES ('schema_version', ?)", [stored])
    with pytest.raises(LibraryVersionError) as caught:
        Library(old)
    assert (caught.value.found, caught.value.expected) == (found, SCHEMA_VERSION)
    write_library(NEW, old)
    with Library(old) as library:
        assert len(library) == 6


def test_a_truncated_library_is_told_and_not_raised_raw(old: Path) -> None:
    old.write_bytes(old.read_bytes()[: old.stat().st_size // 2])
    with pytest.raises(LibraryError):
        Library(old)
