"""An export appears whole or not at all, and nothing of the user's is written over or lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kg.errors import LibraryError, LibraryLocked
from kg.export import files
from kg.export.files import NEW, OLD, write_folder
from kg.readers import find_export
from tests.helpers.exports import contents


def fill_with(**texts: str) -> Callable[[Path], dict[str, Any]]:
    def fill(folder: Path) -> dict[str, Any]:
        for name, text in texts.items():
            place = folder / name.replace("__", "/")
            place.parent.mkdir(exist_ok=True)
            place.write_text(text, encoding="utf-8")
        return {"format": "test"}

    return fill


FIRST = fill_with(a="first", b__c="deeper")
SECOND = fill_with(a="second")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """The folder of an earlier export."""
    return write_folder(tmp_path / "out", FIRST).folder


def beside(folder: Path) -> set[str]:
    return {f.name for f in folder.parent.iterdir()} - {folder.name, f".{folder.name}.lock"}


def test_the_manifest_lists_every_file_with_its_hash(out: Path) -> None:
    told = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    assert told["format"] == "test"
    assert list(told["files"]) == ["a", "b/c"]
    assert told["files"]["a"]["bytes"] == 5
    assert told["files"]["a"]["sha256"].startswith("a7937b64b8ca")  # of "first"
    assert beside(out) == set()


def test_an_earlier_export_is_replaced_whole(out: Path) -> None:
    write_folder(out, SECOND)
    assert set(contents(out)) == {"a", "manifest.json"}
    assert contents(out)["a"] == b"second"
    assert beside(out) == set()


def test_an_empty_folder_is_filled_and_keeps_its_mode(tmp_path: Path) -> None:
    folder = tmp_path / "fresh"
    folder.mkdir()
    folder.chmod(0o750)
    write_folder(folder, FIRST)
    assert folder.stat().st_mode & 0o777 == 0o750
    assert set(contents(folder)) == {"a", "b/c", "manifest.json"}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda out: (out / "notes.txt").write_text("mine"), "notes.txt, which is not of"),
        (lambda out: (out / "b" / "notes.txt").write_text("mine"), "b/notes.txt, which is not"),
        (lambda out: (out / "a").write_text("First"), "a, which was changed"),
        (lambda out: (out / "a").write_text("longer than before"), "a, which was changed"),
        (lambda out: (out / "manifest.json").unlink(), "no earlier export"),
        (lambda out: (out / "manifest.json").write_text("{}"), "no earlier export"),
        (lambda out: (out / "link").symlink_to(out.parent), "link, which is not of"),
        (
            lambda out: (out / "manifest.json").write_text(
                (out / "manifest.json").read_text().replace('"test"', '"mine"')
            ),
            "manifest.json, which was changed",
        ),
    ],
)  # fmt: skip
def test_a_folder_with_something_of_the_user_is_refused_and_left_as_it_is(
    out: Path, change: Callable[[Path], Any], told: str
) -> None:
    change(out)
    before = contents(out)
    with pytest.raises(LibraryError, match=told):
        write_folder(out, SECOND)
    assert contents(out) == before
    assert beside(out) == set()


def test_a_file_that_was_replaced_by_a_link_is_refused(out: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    (out / "a").rename(kept)
    (out / "a").symlink_to(kept)
    with pytest.raises(LibraryError, match="a, which was changed"):
        write_folder(out, SECOND)
    assert kept.read_text() == "first"


def test_files_that_the_user_removed_do_not_matter(out: Path) -> None:
    (out / "b" / "c").unlink()
    write_folder(out, SECOND)
    assert contents(out)["a"] == b"second"


def test_a_folder_of_foreign_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8")
    folder = tmp_path / "sub"
    folder.mkdir()
    (folder / "letter").write_text("dear")
    with pytest.raises(LibraryError, match="no earlier export"):
        write_folder(folder, FIRST)
    assert contents(folder) == {"letter": b"dear"}


def failing(folder: Path) -> dict[str, Any]:
    (folder / "half").write_text("half")
    raise RuntimeError("power cut")


def test_a_failed_export_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="power cut"):
        write_folder(tmp_path / "out", failing)
    assert {f.name for f in tmp_path.iterdir()} == {".out.lock"}


def test_a_failed_export_leaves_the_earlier_one(out: Path) -> None:
    before = contents(out)
    with pytest.raises(RuntimeError, match="power cut"):
        write_folder(out, failing)
    assert contents(out) == before
    assert beside(out) == set()


def test_a_full_disk_is_told(out: Path) -> None:
    def full(folder: Path) -> dict[str, Any]:
        raise OSError(28, "No space left on device", str(folder / "x"))

    before = contents(out)
    with pytest.raises(LibraryError, match="No space left on device"):
        write_folder(out, full)
    assert contents(out) == before


def test_what_somebody_adds_meanwhile_is_not_lost(out: Path) -> None:
    def slow(folder: Path) -> dict[str, Any]:
        (out / "added.txt").write_text("mine")
        return SECOND(folder)

    with pytest.raises(LibraryError, match=r"added\.txt, which is not of"):
        write_folder(out, slow)
    assert contents(out)["added.txt"] == b"mine"
    assert contents(out)["a"] == b"first"
    assert beside(out) == set()


def test_a_rename_that_fails_puts_the_earlier_export_back(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, real = contents(out), Path.rename

    def rename(self: Path, target: Path) -> Path:
        if self.name.endswith(NEW):
            raise OSError(5, "Input/output error")
        return real(self, target)

    monkeypatch.setattr(Path, "rename", rename)
    with pytest.raises(LibraryError, match="Input/output error"):
        write_folder(out, SECOND)
    assert contents(out) == before
    assert beside(out) == set()


KILLED = """
import os, signal, sys
from pathlib import Path
from kg.export import files

def kill(*_):
    os.kill(os.getpid(), signal.SIGKILL)

def fill(folder):
    (folder / "a").write_text("second")
    if sys.argv[2] == "filling":
        kill()
    return {"format": "test"}

if sys.argv[2] == "swapping":
    real = files._check_content
    calls = []
    def check(folder, target):
        calls.append(folder)
        kill() if folder != target else real(folder, target)
    files._check_content = check
files.write_folder(sys.argv[1], fill)
"""


@pytest.mark.parametrize("instant", ["filling", "swapping"])
def test_a_killed_export_loses_nothing_and_the_next_one_tidies_up(out: Path, instant: str) -> None:
    before = contents(out)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", KILLED, str(out), instant], env=environment)
    assert done.returncode == -signal.SIGKILL
    left = beside(out)
    if instant == "swapping":
        (old,) = (out.with_name(name) for name in left if name.endswith(OLD))
        assert contents(old) == before
        assert not out.exists()
    else:
        assert contents(out) == before
        assert len(left) == 1
    with pytest.raises(RuntimeError, match="power cut"):
        write_folder(out, failing)  # it puts things in order first
    assert contents(out) == before
    assert beside(out) == set()


def test_only_our_own_left_overs_are_removed(out: Path) -> None:
    mine = out.with_name(f".out.backup.{OLD}")
    mine.mkdir()
    file = out.with_name(f".out.1.{NEW}")
    file.write_text("a file")
    left = out.with_name(f".out.1.{OLD}")
    left.mkdir()
    write_folder(out, SECOND)
    assert mine.is_dir()
    assert file.read_text() == "a file"
    assert not left.exists()


def test_one_export_at_a_time_into_a_folder(out: Path) -> None:
    with files._writing(out), pytest.raises(LibraryLocked, match="another process"):
        write_folder(out, SECOND)
    write_folder(out, SECOND)


def test_a_link_to_a_folder_stays_a_link(out: Path, tmp_path: Path) -> None:
    link = tmp_path / "latest"
    link.symlink_to(out)
    assert write_folder(link, SECOND).folder == link
    assert link.is_symlink()
    assert contents(out)["a"] == b"second"


def test_a_file_or_a_missing_folder_is_no_place(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_text("mine")
    with pytest.raises(LibraryError, match="is a file"):
        write_folder(file, FIRST)
    with pytest.raises(LibraryError, match="does not exist; create it first"):
        write_folder(tmp_path / "gone" / "out", FIRST)
    with pytest.raises(LibraryError, match="cannot be written"):
        write_folder(tmp_path / "nul\0l", FIRST)
    assert file.read_text() == "mine"


def test_the_folder_in_which_one_stands_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LibraryError, match="is in use here"):
        write_folder(".", FIRST)
    write_folder("out", FIRST)
    assert find_export("out") is not None
