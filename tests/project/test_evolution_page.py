"""What docs/evolution.md shows is run here, on the reference cases."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

import kg
from kg.cli import main
from kg.library import Library

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "evolution.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)


@pytest.fixture
def library(quick: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copy(quick.path, "incidents.duckdb"))


def test_the_commands_run_one_after_another(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (shown,) = blocks("console")
    with kg.open_library(library) as before:
        records, words = before.cases, before.vocabulary.terms
    lines = [line[2:] for line in shown.splitlines()]
    assert len(lines) == 6
    for line in lines:
        assert main(shlex.split(line)[1:]) == 0, capsys.readouterr().err
        assert capsys.readouterr().out.strip()
        if " split " in line:
            (query,) = blocks("sql")
            with kg.open_library(library) as changed:
                assert [row[1] for row in changed.sql(query).rows] == [
                    "rename", "merge", "split", "split",
                ]  # fmt: skip
                asked = "ASK { cause:gpu-failure dcterms:isReplacedBy cause:gpu-fault }"
                assert changed.sparql(asked).rows == ((True,),)
    with kg.open_library(library) as after:
        assert (after.cases, after.vocabulary.terms) == (records, words)


def test_the_python_runs(library: Path) -> None:
    (code,) = blocks("python")
    names: dict[str, object] = {}
    exec(compile(code, "evolution.md", "exec"), names)  # noqa: S102 - our own text
    assert names["done"].undecided == ()  # type: ignore[attr-defined]
    with kg.open_library(library) as after:
        assert after.history == ()
