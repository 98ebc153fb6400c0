"""A notebook as a page: what is shown, what is not, and what is told when it cannot be made."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from kg.errors import InputError, LibraryError
from kg.notebook import export_html, run_notebook

pytestmark = pytest.mark.skipif(find_spec("nbclient") is None, reason="needs nbclient")
"""Importing it takes five seconds, which a worker that only collects the tests must not pay."""


def notebook(path: Path, *cells: dict[str, Any]) -> Path:
    made = [{"id": f"c{i}", "metadata": {}, **cell} for i, cell in enumerate(cells)]
    text = {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(text), encoding="utf-8")
    return path


def prose(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "source": text}


def code(source: str, *outputs: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": "code", "source": source, "execution_count": None, "outputs": [*outputs]}


def shown(**data: Any) -> dict[str, Any]:
    kinds = {"svg": "image/svg+xml", "html": "text/html", "png": "image/png", "text": "text/plain",
             "widget": "application/vnd.jupyter.widget-view+json"}  # fmt: skip
    told = {kinds[name]: value for name, value in data.items()}
    return {"output_type": "display_data", "metadata": {}, "data": told}


def page(path: Path, *cells: dict[str, Any]) -> str:
    return export_html(notebook(path / "x.ipynb", *cells)).read_text(encoding="utf-8")


def test_prose_code_and_outputs_are_in_it(tmp_path: Path) -> None:
    html = page(
        tmp_path,
        prose("# 제목 and title\n\n| a | b |\n|---|---|\n| 1 | 2 |"),
        code("x = 1", shown(text="plain <b>"), shown(html="<p>made</p>"), shown(svg="<svg/>")),
    )
    assert "<title>제목 and title</title>" in html
    assert "<table>" in html
    assert '<span class="n">x</span>' in html
    assert "plain &lt;b&gt;" in html
    assert "<p>made</p>" in html
    assert "<svg/>" in html


def test_html_and_pictures_of_prose_stay_out(tmp_path: Path) -> None:
    html = page(tmp_path, prose("<script>alert(1)</script> ![x](https://example.com/x.png)"))
    assert "<script" not in html
    assert "<img" not in html


def test_a_picture_goes_before_html_and_text(tmp_path: Path) -> None:
    html = page(tmp_path, code("x", shown(text="no", html="neither", svg="<svg id='yes'/>")))
    assert "<svg id='yes'/>" in html
    assert "neither" not in html


def test_a_widget_becomes_a_note(tmp_path: Path) -> None:
    html = page(tmp_path, code("x", shown(text="VBox()", widget={"model_id": "1"})))
    assert "Widgets work in a running notebook" in html
    assert "VBox" not in html


def test_streams_errors_and_bitmaps(tmp_path: Path) -> None:
    html = page(
        tmp_path,
        code(
            "x",
            {"output_type": "stream", "name": "stdout", "text": "said <i>"},
            {"output_type": "error", "ename": "E", "evalue": "<b>", "traceback": []},
            shown(png="aGk="),
        ),
    )
    assert "<pre>said &lt;i&gt;</pre>" in html
    assert "E: &lt;b&gt;" in html
    assert "data:image/png;base64,aGk=" in html


def test_it_forbids_itself_to_load_anything(tmp_path: Path) -> None:
    html = page(tmp_path, prose("x"))
    assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:" in html


def test_running_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    file = notebook(tmp_path / "x.ipynb", code("import os; print(os.environ['WORD'], 6 * 7)"))
    before = file.read_bytes()
    target = export_html(file, tmp_path / "y.html", run=True, environment={"WORD": "told"})
    assert "told 42" in target.read_text(encoding="utf-8")
    assert file.read_bytes() == before


def test_a_cell_that_fails_is_told_and_no_page_is_written(tmp_path: Path) -> None:
    file = notebook(tmp_path / "x.ipynb", code("1 / 0"))
    with pytest.raises(InputError, match="ZeroDivisionError"):
        export_html(file, run=True)
    assert not (tmp_path / "x.html").exists()


@pytest.mark.parametrize("text", ["not json", "[]", '{"cells": 1}', '{"nbformat": 4}'])
def test_what_is_no_notebook_is_told(tmp_path: Path, text: str) -> None:
    file = tmp_path / "x.ipynb"
    file.write_text(text)
    with pytest.raises(InputError, match="no notebook"):
        export_html(file)


def test_files_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="cannot read"):
        export_html(tmp_path / "missing.ipynb")
    with pytest.raises(LibraryError, match="cannot write"):
        export_html(notebook(tmp_path / "x.ipynb", prose("x")), tmp_path / "no" / "x.html")


def test_a_notebook_is_run_once_in_place_and_opens_with_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nbformat import NO_CONVERT, read
    from nbformat.sign import NotebookNotary

    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    counted = "import os; _ = open('runs', 'a').write(os.environ['WORD']); 6 * 7"
    widget = "import ipywidgets; ipywidgets.IntSlider(3)"
    file = notebook(tmp_path / "x.ipynb", prose("x"), code(counted), code(widget))
    assert run_notebook(file, {"WORD": "once"}, page=tmp_path / "y.html") == file
    found = read(file, as_version=NO_CONVERT)
    assert found.cells[1].outputs[0].data["text/plain"] == "42"
    assert found.cells[2].outputs == []
    assert "widgets" not in found.metadata
    assert NotebookNotary().check_signature(found)
    assert (tmp_path / "runs").read_text() == "once"
    html = (tmp_path / "y.html").read_text(encoding="utf-8")
    assert "<pre>42</pre>" in html
    assert "Widgets work in a running notebook" in html


def test_a_notebook_that_fails_stays_as_it_was(tmp_path: Path) -> None:
    file = notebook(tmp_path / "x.ipynb", code("6 * 7"), code("1 / 0"))
    before = file.read_bytes()
    with pytest.raises(InputError, match="ZeroDivisionError"):
        run_notebook(file, page=tmp_path / "x.html")
    assert file.read_bytes() == before
    assert not (tmp_path / "x.html").exists()
