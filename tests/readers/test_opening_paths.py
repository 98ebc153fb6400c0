"""From paths to documents: folders, links, hidden files, what is no file; each file once."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from kg.errors import Problem
from kg.readers import openfiles
from kg.readers.document import Document
from kg.readers.exported import Exported
from kg.readers.openfiles import open_documents


def write(path: Path, text: str = "words") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def seen(root: Path, paths: Iterable[Path] | None = None) -> list[tuple[str, str]]:
    found = []
    for one in open_documents(paths or [root]):
        what = one.what
        told = what.message if isinstance(what, Problem) else type(what).__name__
        found.append((os.path.relpath(one.name, root), told))
    return found


def test_folders_are_walked_in_sorted_order(tmp_path: Path) -> None:
    for name in ("b.md", "a/z.txt", "a/b/c.json", "c"):
        write(tmp_path / name)
    names = [name for name, _ in seen(tmp_path)]
    assert names == ["a/b/c.json", "a/z.txt", "b.md", "c"]


def test_the_order_of_the_paths_does_not_matter(tmp_path: Path) -> None:
    paths = [write(tmp_path / name) for name in ("b.md", "a.md", "c.md")]
    assert seen(tmp_path, paths) == seen(tmp_path, reversed(paths)) == seen(tmp_path)


@pytest.mark.parametrize("name", [".hidden.md", ".git/config", "CVS/Root", "node_modules/x.md"])
def test_hidden_files_and_folders_of_tools_are_skipped(tmp_path: Path, name: str) -> None:
    write(tmp_path / name)
    write(tmp_path / "a.md")
    assert seen(tmp_path) == [("a.md", "Document")]


def test_a_hidden_file_that_is_named_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / ".notes.md")
    (one,) = open_documents([path])
    assert isinstance(one.what, Document)
    assert one.named


def test_what_is_found_in_a_folder_is_not_named(tmp_path: Path) -> None:
    write(tmp_path / "a.md")
    assert [one.named for one in open_documents([tmp_path])] == [False]


def test_a_ring_of_links_ends_and_each_file_comes_once(tmp_path: Path) -> None:
    write(tmp_path / "a" / "x.md")
    (tmp_path / "a" / "ring").symlink_to(tmp_path)
    (tmp_path / "again.md").symlink_to(tmp_path / "a" / "x.md")
    assert seen(tmp_path) == [("a/x.md", "Document")]


def test_a_link_that_leads_nowhere_is_told(tmp_path: Path) -> None:
    (tmp_path / "lost.md").symlink_to(tmp_path / "nothing")
    assert seen(tmp_path) == [("lost.md", "cannot be read: No such file or directory")]
    (tmp_path / "self").symlink_to(tmp_path / "self")
    assert any(name == "self" for name, _ in seen(tmp_path))


def test_a_folder_without_permission_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "barred" / "x.md")
    write(tmp_path / "a.md")
    listed = os.listdir

    def guarded(path: str) -> list[str]:
        if path.endswith("barred"):
            raise PermissionError(13, "Permission denied", path)
        return listed(path)

    monkeypatch.setattr(openfiles.os, "listdir", guarded)
    told = "cannot be read: Permission denied"
    assert seen(tmp_path) == [("a.md", "Document"), ("barred", told)]


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert seen(tmp_path) == [("pipe", "is not a file")]


def test_a_path_that_is_not_there_is_told(tmp_path: Path) -> None:
    (told,) = seen(tmp_path, [tmp_path / "nothing.md"])
    assert told == ("nothing.md", "cannot be read: No such file or directory")
    (bad,) = open_documents(["a\x00b"])
    assert isinstance(bad.what, Problem)


def test_an_empty_folder_is_told(tmp_path: Path) -> None:
    write(tmp_path / "deep" / ".hidden")
    assert seen(tmp_path) == [(".", "this folder holds no documents")]


def test_a_name_that_is_no_text_is_shown_in_text(tmp_path: Path) -> None:
    with open(os.fsencode(tmp_path) + b"/\xff.md", "wb") as file:  # noqa: PTH123
        file.write(b"words")
    (one,) = open_documents([tmp_path])
    assert one.name.encode("utf-8").endswith(b"\\udcff.md")
    assert isinstance(one.what, Document)


def test_a_file_over_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "a.md", "x" * 101)
    monkeypatch.setattr(openfiles, "MOST_BYTES", 100)
    assert seen(tmp_path) == [("a.md", "101 bytes, more than 100")]


def test_folders_hundreds_deep_are_walked(tmp_path: Path) -> None:
    deep = tmp_path
    for _ in range(300):
        deep = deep / "d"
    write(deep / "x.md")
    assert [told for _, told in seen(tmp_path)] == ["Document"]


def test_an_export_of_a_library_comes_as_a_whole(tmp_path: Path) -> None:
    write(tmp_path / "out" / "manifest.json", '{"incident_kg_export": 1, "files": {}}')
    write(tmp_path / "out" / "cases.jsonl", "{}")
    (one,) = open_documents([tmp_path])
    assert isinstance(one.what, Exported)


def test_the_questions_beside_a_corpus_are_no_documents(tmp_path: Path) -> None:
    for name in ("set/corpus.jsonl", "set/queries.jsonl", "set/qrels/test.tsv", "queries.jsonl"):
        write(tmp_path / name)
    assert [name for name, _ in seen(tmp_path)] == ["queries.jsonl", "set/corpus.jsonl"]
