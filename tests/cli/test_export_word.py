"""`kg export` writes what `Library.export` writes, and `kg build` makes a library of it again."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

import kg
from kg.export.formats import FORMATS
from kg.library import Library
from kg.queries import plain
from tests.cli.conftest import Run
from tests.helpers.exports import contents

PAGE = (Path(kg.__file__).resolve().parents[1] / "docs" / "export.md").read_text(encoding="utf-8")


def test_it_says_what_was_written_and_where(ask: Run, tmp_path: Path) -> None:
    answer = ask("export", str(tmp_path / "out"), "--format", "jsonl")
    assert (answer.code, answer.err) == (0, "")
    assert re.fullmatch(
        r"wrote 8 cases and \d+ terms as jsonl to .*/out \(9 files, [\d,]+ bytes\)\n", answer.out
    )


def test_one_of_something_is_said_so(ask: Run, tmp_path: Path) -> None:
    answer = ask("export", str(tmp_path / "out"), "IL-0480", "--format", "gexf")
    assert "wrote 1 case and" in answer.out
    assert "(1 file, " in answer.out


def test_it_speaks_korean(ask: Run, tmp_path: Path) -> None:
    answer = ask("export", str(tmp_path / "out"), "--format", "cypher", "--lang", "ko")
    assert "사례 8건과 분류 값" in answer.out
    assert "cypher 형식으로 썼습니다" in answer.out


@pytest.mark.parametrize("form", [f for f in FORMATS if f != "duckdb"])
def test_the_files_are_those_of_python(ask: Run, quick: Library, tmp_path: Path, form: str) -> None:
    told = ask("export", str(tmp_path / "shell"), "--format", form, "--json")
    wanted = quick.export(tmp_path / "python", form)
    assert told.json == {**plain(wanted), "path": str(tmp_path / "shell")}
    assert contents(tmp_path / "shell") == contents(tmp_path / "python")


def test_parquet_is_the_format_when_none_is_named(ask: Run, tmp_path: Path) -> None:
    assert ask("export", str(tmp_path / "out"), "--json").json["format"] == "parquet"
    assert (tmp_path / "out" / "cases.parquet").exists()


def test_facets_and_ids_choose(ask: Run, quick: Library, tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    wanted = set(quick.list(component="nccl").ids)
    assert ask("export", out, "--component", "nccl", "--format", "jsonl", "--json").json[
        "cases"
    ] == len(wanted)
    both = ["IL-0480", "IL-0417"]
    told = ask("export", out, *both, "--component", "nccl", "--format", "jsonl", "--json").json
    assert told["cases"] == len(wanted & set(both)) == 1


@pytest.mark.parametrize("flags", [["--json"], [], ["--lang", "ko"]])
def test_no_case_is_one_and_nothing_is_written(ask: Run, tmp_path: Path, flags: list[str]) -> None:
    answer = ask("export", str(tmp_path / "out"), "--severity", "none such", *flags)
    assert answer.code == 1
    assert answer.out.strip() in (
        "null", "No case matches; nothing was written.", "맞는 사례가 없어 쓰지 않았습니다.",
    )  # fmt: skip
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--format", "xlsx"], "no format 'xlsx'; there are parquet, csv"),
        (["IL-048"], "Did you mean IL-0480"),
        (["--symptom", "nccl-timeoutt"], "Did you mean"),
    ],
)
def test_bad_use_is_two_and_nothing_is_written(
    ask: Run, tmp_path: Path, arguments: list[str], said: str
) -> None:
    answer = ask("export", str(tmp_path / "out"), *arguments)
    assert answer.code == 2
    assert said in answer.err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_the_user_is_refused(ask: Run, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    answer = ask("export", str(tmp_path))
    assert answer.code == 2
    assert "left as it is" in answer.err
    assert contents(tmp_path) == {"notes.txt": b"mine"}


def test_build_takes_the_folder_of_an_export(
    ask: Run, run: Run, quick: Library, tmp_path: Path
) -> None:
    out, again = str(tmp_path / "out"), str(tmp_path / "again.duckdb")
    ask("export", out, "--format", "csv")
    built = run("build", out, "-o", again, "--encoder", "hash", "--json")
    assert built.json == {"path": again, "cases": 8, "problems": [], "notes": []}
    with kg.open_library(again) as library:
        assert library.cases == quick.cases
        assert library.vocabulary.terms == quick.vocabulary.terms


def test_build_says_what_is_wrong_with_an_export(ask: Run, run: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    ask("export", str(out), "--format", "csv")
    (out / "cases.csv").unlink()
    answer = run("build", str(out), "-o", str(tmp_path / "x.duckdb"), "--encoder", "hash")
    assert answer.code == 2
    assert "cases.csv: cannot be read: the file is missing. Export it again" in answer.err


def test_the_commands_of_the_page_run(
    run: Run, quick: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INCIDENT_KG_LIBRARY", str(quick.path))
    blocks = re.findall(r"```console\n(.*?)```", PAGE, flags=re.DOTALL)
    lines = [line[2:] for block in blocks for line in block.splitlines() if line[:5] == "$ kg "]
    commands = [shlex.split(line, comments=True)[1:] for line in lines]
    assert len(commands) >= 4
    for command in commands:
        extra = ["--encoder", "hash"] if command[0] == "build" else []
        answer = run(*command, *extra)
        assert answer.code == 0, answer.err


def test_the_python_of_the_page_runs(
    quick: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(kg, "open_library", lambda: quick)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    exec(compile(code, "export.md", "exec"), {})  # noqa: S102 - our own text


def test_the_page_names_every_format() -> None:
    assert [f for f in FORMATS if f"| `{f}` |" not in PAGE] == []


def test_the_manifest_of_the_shell_names_no_place(ask: Run, tmp_path: Path) -> None:
    ask("export", str(tmp_path / "out"), "--format", "csv")
    text = (tmp_path / "out" / "manifest.json").read_text("utf-8")
    assert str(tmp_path) not in text
    assert json.loads(text)["cases"] == 8
