"""A notebook as a page of HTML that loads and runs nothing: for a review, an archive, a mail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.errors import InputError, LibraryError, MissingExtra, Problem
from kg.model.escaping import safe
from kg.model.html import FONT

if TYPE_CHECKING:
    from nbformat import NotebookNode

TIMEOUT = 600
"""Seconds that a cell may take."""

KERNEL = "python3"
"""The kernel of the environment that runs it."""

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_WIDGET = "application/vnd.jupyter.widget-view+json"
_NO_WIDGET = "Widgets work in a running notebook. 위젯은 실행 중인 노트북에서 움직입니다."
_LINE = "rgba(128,128,128,.35)"
_STYLE = (
    f":root{{color-scheme:light dark}}body{{font-family:{FONT};line-height:1.6;max-width:74rem;"
    "margin:2rem auto;padding:0 1.2rem;background:#fff;color:#1b1b1c}"
    "h1,h2,h3{line-height:1.25}code,pre{font-family:ui-monospace,'DejaVu Sans Mono',"
    "'D2Coding','Noto Sans Mono CJK KR',monospace;font-size:.92em}"
    f"pre{{margin:.4em 0;white-space:pre-wrap;overflow-wrap:anywhere}}"
    f".code{{border:1px solid {_LINE};border-radius:6px;padding:.2em .9em;"
    "background:rgba(128,128,128,.08)}"
    f".out{{margin:.6em 0 1.2em;overflow-x:auto}}.out img,.out svg{{max-width:100%;height:auto}}"
    f"blockquote{{margin:.6em 0;padding-left:.9em;border-left:3px solid {_LINE}}}"
    f"table{{border-collapse:collapse}}td,th{{border-bottom:1px solid {_LINE};padding:.2em .7em;"
    "text-align:left}"
    ".note{opacity:.7;font-style:italic}"
    "@media (prefers-color-scheme:dark){body{background:#151618;color:#e4e4e6}a{color:#8ab8ff}}"
)


def export_html(
    notebook: str | Path,
    target: str | Path | None = None,
    *,
    run: bool = False,
    environment: Mapping[str, str] | None = None,
) -> Path:
    """Write a notebook as one page: prose, code and outputs, with nothing from elsewhere.

    No script, font, style or picture is fetched, and the page forbids itself to do so. Pictures
    are drawn from the notebook's own SVG, with tooltips. Widgets need a running notebook; a note
    stands in their place.

    Args:
        notebook: the .ipynb file.
        target: the page; beside the notebook, with the ending .html, when None.
        run: run it first, from top to bottom, in its own folder; the file itself is not changed.
        environment: variables for that run, besides those that are there.

    Raises:
        MissingExtra: nbformat, nbclient or Pygments is not installed.
        InputError: it is no notebook, or one of its cells fails.
        LibraryError: a file cannot be read or written.
    """
    source = Path(notebook)
    page = Path(target) if target is not None else source.with_suffix(".html")
    found = _read(source)
    if run:
        _run(found, source, environment or {})
    return _written(found, source, page)


def run_notebook(
    notebook: str | Path,
    environment: Mapping[str, str] | None = None,
    *,
    page: str | Path | None = None,
) -> Path:
    """Run a notebook from top to bottom and keep its outputs in it, so that it opens with answers.

    Widgets would be lifeless in a saved notebook: their cells are left empty, until someone runs
    them. The notebook is signed, so that JupyterLab shows what this run has made.

    Args:
        notebook: the .ipynb file.
        environment: variables for the run, besides those that are there.
        page: also write what this run shows as this page, as `export_html` does.

    Raises:
        MissingExtra: nbformat or nbclient is not installed; for a page, Pygments.
        InputError: it is no notebook, or one of its cells fails; it stays as it was.
        LibraryError: a file cannot be read or written.
    """
    source = Path(notebook)
    found = _read(source)
    _run(found, source, environment or {})
    if page is not None:  # before the widgets go: a note stands in their place there
        _written(found, source, Path(page))
    for cell in found.cells:
        if cell.cell_type == "code":
            cell.outputs = [o for o in cell.outputs if _WIDGET not in o.get("data", ())]
    found.metadata.pop("widgets", None)
    import nbformat
    from nbformat.sign import NotebookNotary

    try:
        nbformat.write(found, source)  # type: ignore[no-untyped-call]
        NotebookNotary().sign(found)  # type: ignore[no-untyped-call]
    except OSError as error:
        raise LibraryError(f"cannot write {source}: {error.strerror}") from error
    return source


def _written(found: NotebookNode, source: Path, page: Path) -> Path:
    try:
        made = "".join(_page(found, source.stem))
        page.write_text(made, encoding="utf-8", errors="replace")
    except OSError as error:
        raise LibraryError(f"cannot write {page}: {error.strerror}") from error
    return page


def _read(source: Path) -> NotebookNode:
    try:
        import nbformat
    except ImportError as error:
        raise MissingExtra("nbformat", "notebooks") from error
    try:
        found: NotebookNode = nbformat.read(source, as_version=4)  # type: ignore[no-untyped-call]
        return found
    except OSError as error:
        raise LibraryError(f"cannot read {source}: {error.strerror}") from error
    except (ValueError, AttributeError, TypeError, KeyError, nbformat.ValidationError) as error:
        raise _bad(source, f"it is no notebook ({type(error).__name__})") from error


def _run(found: NotebookNode, source: Path, environment: Mapping[str, str]) -> None:
    """Run all cells in a kernel of this environment; outputs come into `found`."""
    import os

    try:
        from nbclient import NotebookClient
        from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
    except ImportError as error:
        raise MissingExtra("nbclient", "notebooks") from error
    client = NotebookClient(
        found,
        timeout=TIMEOUT,
        kernel_name=KERNEL,
        resources={"metadata": {"path": str(source.resolve().parent)}},
    )
    try:
        client.execute(env={**os.environ, **environment})
    except CellExecutionError as error:
        raise _bad(source, f"a cell failed: {error.ename}: {error.evalue}") from error
    except CellTimeoutError as error:
        raise _bad(source, f"a cell took more than {TIMEOUT} seconds") from error
    except DeadKernelError as error:
        raise _bad(source, "the kernel died, as of too little memory") from error
    except KeyError as error:
        if type(error).__name__ != "NoSuchKernel":
            raise
        raise MissingExtra("ipykernel", "notebooks") from error


def _bad(source: Path, message: str) -> InputError:
    return InputError([Problem(str(source), 0, "", message, "Mend the notebook")])


def _page(found: NotebookNode, name: str) -> Iterator[str]:
    cells = list(found.cells)
    titles = (_title(c.source) for c in cells if c.cell_type == "markdown")
    title = next(filter(None, titles), name)
    yield (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{safe(title)}</title><style>{_STYLE}{_code_style()}</style></head><body>\n"
    )
    for cell in cells:
        yield from _cell(cell)
    yield "</body></html>\n"


def _title(source: str) -> str:
    return source.strip().lstrip("# ").partition("\n")[0].strip()


def _cell(cell: Any) -> Iterator[str]:
    if cell.cell_type == "markdown":
        yield _markdown(cell.source)
    elif cell.cell_type == "code" and cell.source.strip():
        yield f'<div class="code">{_code(cell.source)}</div>\n'
        for output in cell.get("outputs", ()):
            yield f'<div class="out">{_output(output)}</div>\n'


def _output(output: Any) -> str:
    if output.output_type == "stream":
        return f"<pre>{safe(output.text)}</pre>"
    if output.output_type == "error":
        return f"<pre>{safe(f'{output.ename}: {output.evalue}')}</pre>"
    data: Mapping[str, Any] = output.data
    if _WIDGET in data:
        return f'<p class="note">{_NO_WIDGET}</p>'
    for kind in ("image/svg+xml", "text/html"):
        if kind in data:
            return str(data[kind])
    if "text/markdown" in data:
        return _markdown(data["text/markdown"])
    for kind in ("image/png", "image/jpeg", "image/gif"):
        if kind in data:
            return f'<img alt="" src="data:{kind};base64,{safe(data[kind])}">'
    return f"<pre>{safe(data.get('text/plain', ''))}</pre>"


def _markdown(source: str) -> str:
    """Markdown without raw HTML: what a case holds stays text."""
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    return str(made.render(source))


def _code(source: str) -> str:
    highlight, lexer, formatter = _pygments()
    return str(highlight(source, lexer(), formatter(nowrap=False, cssclass="py")))


def _code_style() -> str:
    """The colours of code for a light page, and others for a dark one."""
    _, _, formatter = _pygments()
    light = formatter(style="default").get_style_defs(".py")
    dark = formatter(style="github-dark").get_style_defs(".py")
    none = ".py,.py pre{background:transparent !important}"
    return f"{light}@media (prefers-color-scheme:dark){{{dark}}}{none}"


def _pygments() -> tuple[Any, Any, Any]:
    try:
        from pygments import highlight
        from pygments.formatters import HtmlFormatter
        from pygments.lexers import PythonLexer
    except ImportError as error:
        raise MissingExtra("pygments", "notebooks") from error
    return highlight, PythonLexer, HtmlFormatter
