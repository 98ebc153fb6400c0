"""No file of a folder is passed over in silence: it is read, or told."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from kg.errors import InputError
from kg.readers import load_batch, read_vocabulary
from tests.helpers.tiny import case_data, tiny_vocabulary, write_json

VOCABULARY = tiny_vocabulary()


def told(folder: Path) -> list[tuple[str, str]]:
    found = load_batch([folder], VOCABULARY).problems
    return [(Path(p.file).name, p.message) for p in found]


def ids(folder: Path) -> list[str]:
    return [c.id for c in load_batch([folder], VOCABULARY).cases]


@pytest.fixture
def barred(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that may not be listed, whoever runs the tests."""
    folder = tmp_path / "barred"
    folder.mkdir()
    write_json(folder / "x.json", case_data("X-9"))
    listed = Path.iterdir

    def guarded(self: Path) -> object:
        if self == folder:
            raise PermissionError(13, "Permission denied", str(self))
        return listed(self)

    monkeypatch.setattr(Path, "iterdir", guarded)
    return folder


@pytest.mark.parametrize("name", ["a.JSON", "a.Json", "b.JSONL", "b.jsonL"])
def test_capitals_in_a_suffix_do_not_hide_a_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(json.dumps(case_data("X-1")) + "\n", encoding="utf-8")
    assert ids(tmp_path) == ["X-1"]


def test_json_lines_in_capitals_are_lines(tmp_path: Path) -> None:
    lines = "\n".join(json.dumps(case_data(f"X-{i}")) for i in (1, 2))
    (tmp_path / "x.JSONL").write_text(lines, encoding="utf-8")
    assert ids(tmp_path / "x.JSONL") == ["X-1", "X-2"]


def test_a_folder_that_may_not_be_listed_is_told(tmp_path: Path, barred: Path) -> None:
    write_json(tmp_path / "x.json", case_data("X-1"))
    assert told(tmp_path) == [("barred", "cannot be read: Permission denied")]
    assert told(barred) == [("barred", "cannot be read: Permission denied")]


def test_a_vocabulary_folder_that_may_not_be_listed_is_told(barred: Path) -> None:
    with pytest.raises(InputError, match="barred: cannot be read: Permission denied"):
        read_vocabulary(barred)


@pytest.mark.parametrize("name", ["x.json", "x.jsonl", "more"])
def test_a_link_that_leads_nowhere_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / name).symlink_to(tmp_path / "gone")
    assert told(tmp_path) == [(name, "cannot be read: No such file or directory")]


def test_other_links_that_lead_nowhere_are_no_cases(tmp_path: Path) -> None:
    write_json(tmp_path / "x.json", case_data("X-1"))
    (tmp_path / "notes.txt").symlink_to(tmp_path / "gone")
    assert told(tmp_path) == []


def test_a_linked_folder_is_read_once_and_a_ring_of_links_ends(tmp_path: Path) -> None:
    other, folder = tmp_path / "other", tmp_path / "folder"
    other.mkdir()
    folder.mkdir()
    write_json(other / "x.json", case_data("X-1"))
    (folder / "link").symlink_to(other, target_is_directory=True)
    (folder / "again").symlink_to(other, target_is_directory=True)
    (other / "ring").symlink_to(folder, target_is_directory=True)
    assert (ids(folder), told(folder)) == (["X-1"], [])


def test_a_link_to_itself_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.json").symlink_to(tmp_path / "x.json")
    ((name, message),) = told(tmp_path)
    assert name == "x.json"
    assert "symbolic links" in message


def test_a_pipe_in_a_folder_is_told_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.json")
    assert told(tmp_path) == [("x.json", "is not a file")]


@pytest.mark.parametrize(
    ("name", "said"),
    [("gone", "cannot be read: No such file or directory"), ("file", "is not a folder")],
)
def test_a_vocabulary_that_is_no_folder_is_told(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(InputError, match=f"{name}: {said}"):
        read_vocabulary(tmp_path / name)
