"""The history lies in tables of its own, and a library is changed in place, whole or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from kg.errors import LibraryError, LibraryLocked, LibraryVersionError
from kg.library import Library
from kg.store import Snapshot, read_snapshot, update_library, write, write_library
from kg.store.read import connect
from kg.vocab import Evolution, Told, merge_terms, rename_term, split_term
from tests.helpers.evolving import described
from tests.helpers.libraries import all_tables, make_snapshot, rows
from tests.helpers.tiny import tiny_cases, tiny_vocabulary


def changed() -> Evolution:
    """A rename, a merge and a split, one after another."""
    told = Told(at="2026-03-04", author="J. Kim", note="it's clearer")
    one = rename_term(tiny_cases(), tiny_vocabulary(), "cause:mismatch", "x", told=told)
    two = merge_terms(one.cases, one.vocabulary, ["cause:race"], "cause:x")
    return split_term(
        two.cases, two.vocabulary, "symptom:nccl-timeout", ["early"], {"A-1": "early"},
        described=[described("symptom:early")],
    )  # fmt: skip


DONE = changed()
SNAPSHOT = make_snapshot(DONE.cases, DONE.vocabulary)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_library(SNAPSHOT, tmp_path_factory.mktemp("history") / "a.duckdb")


def test_the_tables_tell_what_was_done(file: Path) -> None:
    told = rows(file, "SELECT * EXCLUDE record FROM changes ORDER BY change_id")
    assert told == [
        (1, "rename", "2026-03-04", "J. Kim", "it's clearer"),
        (2, "merge", None, None, None),
        (3, "split", None, None, None),
    ]
    assert rows(file, "FROM changed_terms ORDER BY ALL") == [
        (1, "cause:mismatch", "cause:x"),
        (2, "cause:race", "cause:x"),
        (3, "symptom:nccl-timeout", "symptom:early"),
    ]
    assert rows(file, "FROM changed_claims ORDER BY ALL") == [
        (1, "A-1#cause-1", "terms", "cause:mismatch", "cause:x"),
        (1, "A-2#cause-1", "terms", "cause:mismatch", "cause:x"),
        (1, "B-2#cause-1", "terms", "cause:mismatch", "cause:x"),
        (2, "A-2#cause-2", "terms", "cause:race", "cause:x"),
        (3, "A-1#symptom-1", "terms", "symptom:nccl-timeout", "symptom:early"),
    ]
    assert rows(file, "FROM old_terms ORDER BY ALL") == [
        ("cause:mismatch", "cause:x", 1),
        ("cause:race", "cause:x", 2),
    ]


def test_old_ids_serve_in_sql(file: Path) -> None:
    for term in ("cause:mismatch", "race", "cause:x", "x"):
        found = rows(file, "SELECT case_id FROM cases_with('cause', ?)", [term])
        assert sorted(found) == [("A-1",), ("A-2",)], term
    query = "SELECT current_term('cause:race'), current_term('cause:nothing'), current_term(NULL)"
    assert rows(file, query) == [("cause:x", "cause:nothing", None)]
    listed = "SELECT list_transform(['cause:race', 'cause:hardware'], lambda t: t)"
    assert rows(file, listed) == [(["cause:race", "cause:hardware"],)]


def test_the_history_is_read_back(file: Path) -> None:
    with Library(file) as library:
        assert library.history == DONE.vocabulary.history
        assert library.vocabulary.replaced == DONE.vocabulary.replaced
        assert tuple(library.cases.values()) == DONE.cases


def test_the_hash_of_the_vocabulary_counts_its_history(file: Path, tmp_path: Path) -> None:
    bare = replace(SNAPSHOT, vocabulary=tiny_vocabulary(described("cause:x")))
    query = "SELECT value FROM builds WHERE key = 'vocabulary_sha256'"
    renamed = rename_term([], tiny_vocabulary(), "cause:race", "y").vocabulary
    back = rename_term([], renamed, "cause:y", "cause:race").vocabulary
    one = write_library(make_snapshot(tiny_cases(), tiny_vocabulary()), tmp_path / "1.duckdb")
    two = write_library(make_snapshot(tiny_cases(), back), tmp_path / "2.duckdb")
    assert rows(one, query) != rows(two, query) != rows(file, query)
    assert bare.vocabulary.history == ()


def test_a_change_that_is_gone_is_noticed(file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "b.duckdb"
    copy.write_bytes(file.read_bytes())
    with duckdb.connect(str(copy)) as base:
        base.execute("DELETE FROM changed_terms WHERE change_id = 3")
        base.execute("DELETE FROM changed_claims WHERE change_id = 3")
    with duckdb.connect(str(copy)) as base:
        base.execute("DELETE FROM changes WHERE change_id = 3")
    with pytest.raises(LibraryError, match="2 changes of 3"):
        Library(copy)


def without_race(snapshot: Snapshot) -> Snapshot:
    done = rename_term(snapshot.cases, snapshot.vocabulary, "cause:link-down", "cut")
    return replace(snapshot, cases=done.cases, vocabulary=done.vocabulary)


def test_an_update_writes_what_the_change_gives(file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "b.duckdb"
    copy.write_bytes(file.read_bytes())
    with Library(copy) as before:
        update_library(copy, without_race)
        assert "cause:link-down" in before.vocabulary, "who has it open keeps it"
    judge = write_library(without_race(SNAPSHOT), tmp_path / "judge.duckdb")
    assert all_tables(copy) == all_tables(judge)
    assert {f.name for f in tmp_path.iterdir()} == {
        "b.duckdb", ".b.duckdb.lock", "judge.duckdb", ".judge.duckdb.lock",
    }  # fmt: skip


def test_an_error_in_the_change_leaves_the_file_byte_for_byte(file: Path) -> None:
    before = file.read_bytes()

    def fail(_: Snapshot) -> Snapshot:
        raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        update_library(file, fail)
    assert file.read_bytes() == before


def test_two_updates_at_once_are_refused(file: Path) -> None:
    def nested(snapshot: Snapshot) -> Snapshot:
        with pytest.raises(LibraryLocked):
            update_library(file, lambda s: s)
        raise RuntimeError("done")

    with pytest.raises(RuntimeError, match="done"):
        update_library(file, nested)


def test_an_update_is_of_what_another_wrote_before_the_lock_was_held(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "b.duckdb"
    copy.write_bytes(file.read_bytes())
    other = write_library(without_race(SNAPSHOT), tmp_path / "other.duckdb")
    check = write._check_writable

    def while_another_writes(path: Path) -> None:
        other.replace(path)
        check(path)

    monkeypatch.setattr(write, "_check_writable", while_another_writes)
    seen: list[Snapshot] = []
    update_library(copy, lambda s: seen.append(s) or s)
    assert "cause:link-down" not in seen[0].vocabulary
    assert "cause:link-down" in SNAPSHOT.vocabulary


SLOW = """
import sys, time
from dataclasses import replace
from pathlib import Path
from kg.store import fill, update_library

def wait(*_):
    print("half written", flush=True)
    time.sleep(600)

fill._insert_vectors = wait
update_library(Path(sys.argv[1]), replace)
"""


def test_a_killed_update_leaves_the_old_library_whole(file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "b.duckdb"
    copy.write_bytes(file.read_bytes())
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", SLOW, str(copy)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "half written\n"
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert copy.read_bytes() == file.read_bytes()
    with Library(copy) as library:
        assert len(library.history) == 3
    update_library(copy, without_race)
    assert not [f for f in tmp_path.iterdir() if "building" in f.name]


def test_what_is_no_library_is_not_updated(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="kg build"):
        update_library(tmp_path / "gone.duckdb", lambda s: s)
    (tmp_path / "notes").write_text("mine")
    with pytest.raises(LibraryError):
        update_library(tmp_path / "notes", lambda s: s)
    assert [f.name for f in tmp_path.iterdir()] == ["notes"]


def test_a_library_of_a_later_version_is_not_updated(file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "b.duckdb"
    copy.write_bytes(file.read_bytes())
    with duckdb.connect(str(copy)) as base:
        base.execute("UPDATE builds SET value = '99' WHERE key = 'schema_version'")
    before = copy.read_bytes()
    with pytest.raises(LibraryVersionError):
        update_library(copy, lambda s: s)
    assert copy.read_bytes() == before


def test_only_claims_that_are_there_stand_in_the_table(tmp_path: Path) -> None:
    """A record may tell of claims of cases that are not in this library."""
    part = make_snapshot(DONE.cases[:1], DONE.vocabulary)
    found = write_library(part, tmp_path / "part.duckdb")
    claims = rows(found, "SELECT DISTINCT claim_id FROM changed_claims ORDER BY ALL")
    assert claims == [("A-1#cause-1",), ("A-1#symptom-1",)]
    with connect(found) as connection:
        assert read_snapshot(connection).vocabulary.history == DONE.vocabulary.history


def test_the_writer_can_read_every_version_that_can_be_migrated() -> None:
    assert write.READABLE == (2, 3, 4)
