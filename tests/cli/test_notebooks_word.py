"""`kg notebooks`: copies out, refuses, tells what is next; `--html` is asked of a library."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kg.cli import main
from kg.cli import notebooks as word
from kg.library import Library


def test_it_says_what_it_wrote_and_what_is_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["notebooks", str(tmp_path / "mine")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert str(tmp_path / "mine" / "02_rca_assistant.ipynb") in lines
    assert lines[-1] == f"next: jupyter lab {tmp_path / 'mine' / '02_rca_assistant.ipynb'}"


def test_it_refuses_to_write_over_anything(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["notebooks", str(tmp_path)]) == 0
    (tmp_path / "01_first_look.ipynb").write_text("mine")
    capsys.readouterr()
    assert main(["notebooks", str(tmp_path)]) == 2
    assert "--force" in capsys.readouterr().err
    assert (tmp_path / "01_first_look.ipynb").read_text() == "mine"
    assert main(["notebooks", str(tmp_path), "--force"]) == 0
    assert (tmp_path / "01_first_look.ipynb").read_text() != "mine"


def test_json_lists_the_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["notebooks", str(tmp_path), "--json"]) == 0
    files = json.loads(capsys.readouterr().out)
    assert len(files) >= 13
    assert all(Path(f).exists() for f in files)


def test_in_korean(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["notebooks", str(tmp_path), "--lang", "ko"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("다음: jupyter lab ")


def test_pages_are_run_on_the_library_that_is_named(
    quick: Library,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[str, bool, dict[str, str]]] = []

    def export(file: Path, *, run: bool, environment: dict[str, str]) -> Path:
        asked.append((file.name, run, environment))
        return file.with_suffix(".html")

    monkeypatch.setattr("kg.notebook.export_html", export, raising=False)
    library = quick.path
    command = ["notebooks", str(tmp_path / "n"), "--html", "-l", str(library), "--lang", "ko"]
    assert main(command) == 0
    assert [name for name, _, _ in asked] == sorted(
        f.name for f in (tmp_path / "n").glob("*.ipynb")
    )
    told = {"INCIDENT_KG_LANG": "ko", "INCIDENT_KG_LIBRARY": str(library.resolve())}
    assert all(run and environment == told for _, run, environment in asked)
    captured = capsys.readouterr()
    assert "07_quality.html" in captured.out
    assert "running" in captured.err


@pytest.mark.parametrize(("names", "expected"), [(["02"], 1), ([], 7), (["01", "03"], 2)])
def test_the_copies_are_run_when_asked(
    quick: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: list[str], expected: int
) -> None:
    asked: list[Path] = []
    monkeypatch.setattr(
        "kg.notebook.run_notebook", lambda file, told: asked.append(file), raising=False
    )
    command = ["notebooks", str(tmp_path), "-l", str(quick.path), "--run", *names]
    assert main(command) == 0
    assert len(asked) == expected
    assert all(file.parent == tmp_path for file in asked)


def test_only_those_that_are_named_are_run_and_written_as_pages(
    quick: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, list[str]] = {"run": [], "html": []}

    def export(file: Path, *, run: bool, environment: dict[str, str]) -> Path:
        asked["html"].append(file.name[:2])
        return file.with_suffix(".html")

    monkeypatch.setattr("kg.notebook.export_html", export, raising=False)
    monkeypatch.setattr(
        "kg.notebook.run_notebook",
        lambda file, _: asked["run"].append(file.name[:2]),
        raising=False,
    )
    command = ["notebooks", str(tmp_path), "-l", str(quick.path), "--run", "02", "03", "--html"]
    assert main(command) == 0
    assert asked == {"run": ["02", "03"], "html": ["02", "03"]}


def test_a_library_that_is_not_there_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["notebooks", str(tmp_path / "n"), "--run", "-l", str(tmp_path / "no.duckdb")]
    assert main(command) == 2
    assert "no.duckdb" in capsys.readouterr().err


def test_its_module_is_light() -> None:
    source = Path(word.__file__).read_text(encoding="utf-8")
    assert "\nfrom kg.notebook" not in source
