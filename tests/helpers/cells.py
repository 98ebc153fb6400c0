"""Running the cells of a notebook in this process, and showing what each would show."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

SHOWING = ("_repr_svg_", "_repr_html_")


def read(notebook: Path) -> dict[str, Any]:
    """A notebook as it lies in its file."""
    found: dict[str, Any] = json.loads(notebook.read_text(encoding="utf-8"))
    return found


def code_cells(notebook: Path) -> list[str]:
    """The code of a notebook, cell by cell."""
    return ["".join(c["source"]) for c in read(notebook)["cells"] if c["cell_type"] == "code"]


def run_cells(notebook: Path) -> tuple[dict[str, Any], list[str]]:
    """Run all cells from top to bottom; the names that they leave, and what they show."""
    names: dict[str, Any] = {"__name__": "__main__"}
    shown = []
    for number, source in enumerate(code_cells(notebook), 1):
        value = _run(source, f"{notebook.name}, cell {number}", names)
        makers = [getattr(value, name) for name in SHOWING if hasattr(value, name)]
        shown.append(str(makers[0]()) if makers else "" if value is None else repr(value))
    return names, shown


def _run(source: str, place: str, names: dict[str, Any]) -> Any:
    """Run a cell; the value of its last line where that is an expression."""
    tree = ast.parse(source, place)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, place, "exec"), names)  # noqa: S102 - our own notebooks
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), place, "eval"), names)  # noqa: S307
