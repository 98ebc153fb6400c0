"""Copying the notebooks out: all of them, and never over somebody's work."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.errors import LibraryError
from kg.notebook import copy_notebooks, copying, shipped_notebooks


def test_everything_that_they_need_is_copied(tmp_path: Path) -> None:
    written = copy_notebooks(tmp_path / "a" / "b")
    names = {file.relative_to(tmp_path / "a" / "b").as_posix() for file in written}
    source = shipped_notebooks()
    assert names == {
        file.relative_to(source).as_posix()
        for file in source.rglob("*")
        if file.suffix in (".ipynb", ".md") and ".ipynb_checkpoints" not in file.parts
    }
    assert all(
        f.read_bytes() == (source / f.relative_to(tmp_path / "a" / "b")).read_bytes()
        for f in written
    )


def test_what_is_there_is_not_replaced(tmp_path: Path) -> None:
    mine = tmp_path / "03_shared_root_causes.ipynb"
    mine.write_text("my work")
    with pytest.raises(LibraryError, match=r"03_shared_root_causes\.ipynb is there already"):
        copy_notebooks(tmp_path)
    assert mine.read_text() == "my work"
    assert [f.name for f in tmp_path.iterdir()] == [mine.name]


def test_unless_told_so(tmp_path: Path) -> None:
    mine = tmp_path / "03_shared_root_causes.ipynb"
    mine.write_text("my work")
    (tmp_path / "other.ipynb").write_text("stays")
    copy_notebooks(tmp_path, overwrite=True)
    assert mine.read_text() != "my work"
    assert (tmp_path / "other.ipynb").read_text() == "stays"


def test_a_file_in_the_way_is_told(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(LibraryError, match="cannot write"):
        copy_notebooks(tmp_path / "taken")


def test_copying_onto_themselves_is_told_and_harms_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`kg notebooks notebooks --force` within a checkout."""
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "01_mine.ipynb").write_text("{}")
    monkeypatch.setattr(copying, "_PACKAGE", tmp_path)
    with pytest.raises(LibraryError, match="are the same file"):
        copy_notebooks(tmp_path / "notebooks", overwrite=True)
    assert (tmp_path / "notebooks" / "01_mine.ipynb").read_text() == "{}"


def test_an_installation_without_them_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "_PACKAGE", tmp_path)
    with pytest.raises(LibraryError, match="missing from this installation"):
        shipped_notebooks()
