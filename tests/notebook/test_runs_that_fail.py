"""Notebooks that cannot be run, or whose outputs are odd: told in words, and never half written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kg.errors import InputError, MissingExtra
from kg.notebook import export_html, run_notebook
from kg.notebook import page as module

pytest.importorskip("nbclient")


def notebook(path: Path, *cells: dict[str, Any]) -> Path:
    made = [{"id": f"c{i}", "metadata": {}, **cell} for i, cell in enumerate(cells)]
    text = {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(text), encoding="utf-8")
    return path


def code(source: str, **data: str) -> dict[str, Any]:
    output = {"output_type": "display_data", "metadata": {}, "data": data}
    outputs = [output] if data else []
    return {"cell_type": "code", "source": source, "execution_count": None, "outputs": outputs}


def prose(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "source": text}


def test_a_cell_that_hangs_is_told_and_the_file_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TIMEOUT", 1)
    file = notebook(tmp_path / "x.ipynb", code("import time; time.sleep(60)"))
    before = file.read_bytes()
    with pytest.raises(InputError, match="took more than 1 seconds"):
        run_notebook(file, page=tmp_path / "x.html")
    assert file.read_bytes() == before
    assert not (tmp_path / "x.html").exists()


def test_a_kernel_that_is_not_installed_is_named_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KERNEL", "no-such-kernel")
    file = notebook(tmp_path / "x.ipynb", code("1"))
    with pytest.raises(MissingExtra, match=r"ipykernel: pip install 'incident-kg\[notebooks\]'"):
        export_html(file, run=True)


@pytest.mark.parametrize(
    ("first", "title"),
    [
        ("# A title\n\ntext", "A title"),
        ("\n\n## After blank lines", "After blank lines"),
        ("#  제목 & <b>  ", "제목 &amp; &lt;b&gt;"),
        ("no heading at all", "no heading at all"),
        ("", "x"),
        ("#", "x"),
    ],
)
def test_a_page_has_a_title(tmp_path: Path, first: str, title: str) -> None:
    html = export_html(notebook(tmp_path / "x.ipynb", prose(first))).read_text("utf-8")
    assert f"<title>{title}</title>" in html


def test_the_title_is_that_of_the_first_cell_that_has_one(tmp_path: Path) -> None:
    cells = (code("1"), prose(" \n"), prose("# Second"), prose("# Third"))
    html = export_html(notebook(tmp_path / "x.ipynb", *cells)).read_text("utf-8")
    assert "<title>Second</title>" in html


@pytest.mark.parametrize("kind", ["image/png", "image/jpeg", "image/gif"])
def test_bitmaps_of_every_kind_are_shown(tmp_path: Path, kind: str) -> None:
    cell = code("x", **{kind: "aGk=", "text/plain": "<Image object>"})
    html = export_html(notebook(tmp_path / "x.ipynb", cell)).read_text("utf-8")
    assert f'<img alt="" src="data:{kind};base64,aGk=">' in html
    assert "Image object" not in html


def test_half_a_character_in_an_output_does_not_stop_the_page(tmp_path: Path) -> None:
    cell = code("x", **{"text/plain": "before \ud800 after"})
    html = export_html(notebook(tmp_path / "x.ipynb", cell)).read_text("utf-8")
    assert "before" in html
    assert "after" in html


@pytest.mark.parametrize(
    "source", ["[x](javascript:alert(1))", "<img src=x onerror=alert(1)>", "[x]: data:text/html,x"]
)
def test_prose_runs_nothing_when_it_is_looked_at(tmp_path: Path, source: str) -> None:
    html = export_html(notebook(tmp_path / "x.ipynb", prose(source))).read_text("utf-8")
    body = html.partition("<body>")[2]
    assert 'href="javascript' not in body
    assert 'href="data' not in body
    assert "<img" not in body
