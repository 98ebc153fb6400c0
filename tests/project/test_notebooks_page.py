"""docs/notebooks.md: its examples run, and it names every notebook and variable."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import kg
from kg.library import Library
from kg.notebook import __all__ as exported
from kg.notebook import shipped_notebooks
from tests.helpers.cells import code_cells

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8")


def test_its_python_runs(
    lib: Library,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(kg, "open_library", lambda: lib)
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    names: dict[str, object] = {}
    for block in blocks[:2]:  # the third runs a whole notebook, which other tests do
        exec(compile(block, "notebooks.md", "exec"), names)  # noqa: S102 - our own text
    assert "# Postmortem (draft)" in capsys.readouterr().out
    assert (tmp_path / "causes.svg").exists()


def test_it_names_each_notebook_and_variable() -> None:
    files = sorted(shipped_notebooks().glob("*.ipynb"))
    assert [f.stem for f in files] == re.findall(r"^\| `(0\d_\w+)` \|", PAGE, flags=re.MULTILINE)
    asked = {v for f in files for c in code_cells(f) for v in re.findall(r"INCIDENT_KG_\w+", c)}
    assert asked == set(re.findall(r"^\| `(INCIDENT_KG_\w+)` \|", PAGE, flags=re.MULTILINE))


def test_it_names_what_the_package_exports() -> None:
    assert [
        n
        for n in exported
        if n not in PAGE and n not in ("copy_notebooks", "Drawing", "shipped_notebooks")
    ] == []
