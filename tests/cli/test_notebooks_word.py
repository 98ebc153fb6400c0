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


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, dict[str, str]]]:
    """What is run, in order: (how, notebook, variables); a kernel takes seconds to start."""
    seen: list[tuple[str, str, dict[str, str]]] = []

    def export(file: Path, page: Path, *, run: bool, environment: dict[str, str]) -> Path:
        assert run
        assert page == file.with_suffix(".html")
        seen.append(("page", file.name, environment))
        return page

    def run_notebook(file: Path, environment: dict[str, str], *, page: Path | None) -> Path:
        assert page in (None, file.with_suffix(".html"))
        seen.append(("both" if page else "copy", file.name, environment))
        return file

    monkeypatch.setattr("kg.notebook.export_html", export, raising=False)
    monkeypatch.setattr("kg.notebook.run_notebook", run_notebook, raising=False)
    return seen


def test_pages_are_run_on_the_library_that_is_named(
    quick: Library,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    runs: list[tuple[str, str, dict[str, str]]],
) -> None:
    library = quick.path
    command = ["notebooks", str(tmp_path / "n"), "--html", "-l", str(library), "--lang", "ko"]
    assert main(command) == 0
    assert [name for _, name, _ in runs] == sorted(f.name for f in (tmp_path / "n").glob("*.ipynb"))
    told = {"INCIDENT_KG_LANG": "ko", "INCIDENT_KG_LIBRARY": str(library.resolve())}
    assert all(how == "page" and environment == told for how, _, environment in runs)
    captured = capsys.readouterr()
    assert "07_quality.html" in captured.out
    assert "running" in captured.err


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["02"], ["02"]),
        ([], ["01", "02", "03", "04", "05", "06", "07"]),
        (["03", "01"], ["01", "03"]),
        (["02", "02_rca", "02_rca_assistant.ipynb"], ["02"]),
    ],
)
def test_the_copies_are_run_when_asked(
    quick: Library,
    tmp_path: Path,
    runs: list[tuple[str, str, dict[str, str]]],
    names: list[str],
    expected: list[str],
) -> None:
    command = ["notebooks", str(tmp_path), "-l", str(quick.path), "--run", *names]
    assert main(command) == 0
    assert [(how, name[:2]) for how, name, _ in runs] == [("copy", n) for n in expected]


def test_each_is_run_once_where_a_page_is_wanted_too(
    quick: Library,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    runs: list[tuple[str, str, dict[str, str]]],
) -> None:
    command = ["notebooks", str(tmp_path), "-l", str(quick.path), "--run", "02", "03", "--html"]
    assert main([*command, "--json"]) == 0
    assert [(how, name[:2]) for how, name, _ in runs] == [("both", "02"), ("both", "03")]
    files = [Path(f).name for f in json.loads(capsys.readouterr().out)]
    assert [f for f in files if f.endswith(".html")] == [
        "02_rca_assistant.html",
        "03_shared_root_causes.html",
    ]


@pytest.mark.parametrize("name", ["2", "rca", "08", "", " "])
def test_a_name_that_no_notebook_has_is_told_before_anything_is_written(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    runs: list[tuple[str, str, dict[str, str]]],
    name: str,
) -> None:
    folder = tmp_path / "n"
    assert main(["notebooks", str(folder), "--run", "02", name]) == 2
    told = capsys.readouterr().err
    assert f"no notebook {name!r}" in told
    assert "01_first_look.ipynb, 02_rca_assistant.ipynb" in told
    assert "07_quality.ipynb" in told
    assert not folder.exists()
    assert runs == []


def test_a_library_that_is_not_there_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["notebooks", str(tmp_path / "n"), "--run", "-l", str(tmp_path / "no.duckdb")]
    assert main(command) == 2
    assert "no.duckdb" in capsys.readouterr().err


def test_its_module_is_light() -> None:
    source = Path(word.__file__).read_text(encoding="utf-8")
    assert "\nfrom kg.notebook" not in source
