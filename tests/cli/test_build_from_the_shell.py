"""`kg build`: progress, problems together, the old library left as it was."""

from __future__ import annotations

import json
from pathlib import Path

import kg
from kg.readers import shipped
from tests.cli.conftest import Run

HASH = ("--encoder", "hash")
FILES = [str(f) for f in sorted(shipped("cases").glob("IL-*.json"))]


def test_it_builds_and_tells_its_progress(run: Run, tmp_path: Path) -> None:
    answer = run("build", *FILES, "-o", str(tmp_path / "x.duckdb"), *HASH)
    assert answer.code == 0, answer.err
    assert f"{len(FILES)} cases" in answer.out
    for stage in ("reading cases", "embedding passages", "linking", "writing"):
        assert stage in answer.err


def test_json_tells_what_was_built(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "x.duckdb"
    answer = run("build", *FILES, "-o", str(target), *HASH, "--json")
    assert answer.json == {"path": str(target), "cases": len(FILES), "problems": [], "notes": []}


def test_bad_cases_build_nothing_and_are_all_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"id": "A",')
    (tmp_path / "b.json").write_text("")
    target = tmp_path / "x.duckdb"
    answer = run("build", str(tmp_path), "-o", str(target), *HASH)
    assert answer.code == 2
    assert f"{tmp_path / 'a.json'}:1: not valid JSON" in answer.err
    assert f"{tmp_path / 'b.json'}: the file is empty" in answer.err
    assert not target.exists()


def test_keep_going_builds_the_good_and_still_ends_with_two(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text(json.dumps({"id": "A"}))
    target = tmp_path / "x.duckdb"
    paths = (str(tmp_path / "bad.json"), str(shipped("cases") / "IL-0480.json"))
    answer = run("build", *paths, "-o", str(target), *HASH, "--keep-going")
    assert answer.code == 2
    assert "this field is required" in answer.err
    with kg.open_library(target) as library:
        assert list(library.cases) == ["IL-0480"]


def test_a_failed_build_leaves_the_old_library_byte_for_byte(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "x.duckdb"
    run("build", str(shipped("cases") / "IL-0480.json"), "-o", str(target), *HASH)
    before = target.read_bytes()
    (tmp_path / "bad.json").write_text("[]")
    assert run("build", str(tmp_path / "bad.json"), "-o", str(target), *HASH).code == 2
    assert target.read_bytes() == before


def test_a_file_that_is_no_library_is_not_overwritten(run: Run, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("keep me")
    answer = run("build", str(shipped("cases")), "-o", str(notes), *HASH)
    assert answer.code == 2
    assert "it is left as it is" in answer.err
    assert notes.read_text() == "keep me"


def test_a_missing_output_folder_is_told_before_the_work(run: Run, tmp_path: Path) -> None:
    answer = run("build", str(shipped("cases")), "-o", str(tmp_path / "no" / "x.duckdb"), *HASH)
    assert answer.code == 2
    assert "does not exist; create it first" in answer.err
    assert "embedding" not in answer.err


def test_an_unknown_encoder_says_what_to_give(run: Run, tmp_path: Path) -> None:
    answer = run("build", FILES[0], "-o", str(tmp_path / "x.duckdb"), "--encoder", "no/such")
    assert answer.code == 2
    assert "folder" in answer.err
