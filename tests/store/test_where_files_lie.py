"""Links are followed, modes are kept, and what may not be read or written is said as such."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

import kg
from kg.errors import LibraryError
from kg.library import Library
from kg.store import check_target, is_library, write_library
from tests.helpers.libraries import make_snapshot
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

VOCABULARY = tiny_vocabulary()
OLD = make_snapshot(tiny_cases()[:2], VOCABULARY)
NEW = make_snapshot(tiny_cases(), VOCABULARY)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    (tmp_path / "far").mkdir()
    return write_library(OLD, tmp_path / "far" / "lib.duckdb")


def deny(monkeypatch: pytest.MonkeyPatch, place: Path, mode: int) -> None:
    """Let this user, who may be root, have no such right on one place."""
    allowed = os.access

    def access(path: Any, wanted: int, **other: Any) -> bool:
        if Path(path) == place and wanted & mode:
            return False
        return allowed(path, wanted, **other)

    monkeypatch.setattr(os, "access", access)


def size(path: Path) -> int:
    with Library(path) as library:
        return len(library)


@pytest.mark.parametrize("relative", [True, False])
def test_through_a_link_the_file_is_replaced_and_the_link_stays(
    old: Path, tmp_path: Path, relative: bool
) -> None:
    link = tmp_path / "current.duckdb"
    link.symlink_to(Path("far", "lib.duckdb") if relative else old)
    assert write_library(NEW, link) == link
    assert link.is_symlink()
    assert size(link) == size(old) == 6
    assert {f.name for f in tmp_path.iterdir()} == {"far", "current.duckdb"}
    assert {f.name for f in old.parent.iterdir()} == {"lib.duckdb", ".lib.duckdb.lock"}


def test_a_link_of_a_link_and_a_linked_folder_are_followed(old: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").symlink_to(old.parent)
    (tmp_path / "one").symlink_to(tmp_path / "folder" / "lib.duckdb")
    (tmp_path / "two").symlink_to("one")
    write_library(NEW, tmp_path / "two")
    assert size(old) == 6


def test_a_link_to_nothing_yet_is_filled(tmp_path: Path) -> None:
    link = tmp_path / "current.duckdb"
    link.symlink_to("later.duckdb")
    write_library(NEW, link)
    assert link.is_symlink()
    assert size(tmp_path / "later.duckdb") == 6


def test_a_link_in_a_circle_is_told(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(LibraryError):
        write_library(NEW, tmp_path / "a")
    assert (tmp_path / "a").is_symlink()


@pytest.mark.parametrize("mode", [0o640, 0o664, 0o600, 0o444])
def test_the_mode_of_the_file_is_kept(old: Path, mode: int) -> None:
    old.chmod(mode)
    write_library(NEW, old)
    assert stat.S_IMODE(old.stat().st_mode) == mode
    assert size(old) == 6


def test_a_file_that_may_not_be_read_is_neither_damaged_nor_foreign(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = old.read_bytes()
    deny(monkeypatch, old, os.R_OK)
    for work in (Library, is_library, check_target, lambda path: write_library(NEW, path)):
        with pytest.raises(LibraryError, match="permission denied") as caught:
            work(old)
        assert "damaged" not in str(caught.value)
        assert "not an incident-kg library" not in str(caught.value)
    assert old.read_bytes() == before


def test_a_folder_that_may_not_be_written_is_noticed_before_any_work(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deny(monkeypatch, old.parent, os.W_OK)
    for target in (old, old.with_name("new.duckdb")):
        with pytest.raises(LibraryError, match=r"permission denied.*may not write"):
            kg.build_library("no/such/cases", target, encoder="hash")


def test_the_folder_of_the_file_counts_and_not_that_of_the_link(
    old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "current.duckdb"
    link.symlink_to(old)
    deny(monkeypatch, tmp_path, os.W_OK)
    write_library(NEW, link)
    deny(monkeypatch, old.parent, os.W_OK)
    with pytest.raises(LibraryError, match="may not write"):
        check_target(link)


def test_a_folder_that_may_not_be_entered_is_told(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(self: Path, **_: Any) -> os.stat_result:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "stat", denied)
    monkeypatch.setattr(Path, "is_file", denied)
    monkeypatch.setattr(Path, "is_dir", denied)
    with pytest.raises(LibraryError, match="permission denied"):
        Library(old)
    with pytest.raises(LibraryError, match="permission denied"):
        check_target(old)


def test_a_lock_file_of_someone_else_is_told(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(self: Path, *_: Any) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "open", denied)
    with pytest.raises(LibraryError, match=r"\.lib\.duckdb\.lock: Permission denied"):
        write_library(NEW, old)


def test_a_file_that_may_not_be_replaced_is_told_and_nothing_stays(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = old.read_bytes()

    def denied(self: Path, target: Path) -> None:
        raise PermissionError(1, "Operation not permitted", str(target))

    monkeypatch.setattr(Path, "replace", denied)
    with pytest.raises(LibraryError, match="cannot be replaced: Operation not permitted"):
        write_library(NEW, old)
    assert old.read_bytes() == before
    assert {f.name for f in old.parent.iterdir()} == {"lib.duckdb", ".lib.duckdb.lock"}


@pytest.mark.parametrize("name", ["a\0b", "\udcff.duckdb", "x" * 300])
def test_what_cannot_be_a_name_is_told(tmp_path: Path, name: str) -> None:
    for work in (Library, check_target, lambda path: write_library(NEW, path)):
        with pytest.raises(LibraryError):
            work(tmp_path / name)


@pytest.mark.parametrize("name", ["it's.duckdb", "[a-z]*.duckdb", "사례 모음.duckdb", "lib"])
def test_unusual_names_work(tmp_path: Path, name: str) -> None:
    (tmp_path / f".incidents.{name}.7.building").touch()
    target = write_library(NEW, tmp_path / name)
    assert size(target) == 6
    assert {f.name for f in tmp_path.iterdir()} == {name, f".{name}.lock"}
