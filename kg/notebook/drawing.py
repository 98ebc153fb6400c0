"""Pictures as SVG that stand in a saved notebook, in a page and on their own, light or dark."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from pathlib import Path

from kg.errors import LibraryError
from kg.export.palette import FONT
from kg.model.escaping import safe

INK, PAPER, FAINT = "#1b1b1c", "#fffffe", "#c9c9ca"
"""Colours of letters, ground and fine lines in light; no other part of a picture has these, so
that a dark page can be given others by them."""

_FITTING = "max-width:100%;height:auto"
_DARK = {INK: "#ececed", PAPER: "#1c1d20", FAINT: "#55565a"}
_WHITE = re.compile(r'(<rect [^>]*fill=)"#ffffff"')
_BLACK = re.compile(r"(<text(?![^>]*fill=)[^>]*)>")
_NEXT = re.compile(r"<svg\b([^>]*)>")


def _rules(scope: str, colours: dict[str, str]) -> str:
    """Give the three colours others wherever they stand, as an attribute or within a style."""
    rules = []
    for light, other in colours.items():
        for name in ("fill", "stroke"):
            places = f'{scope} [{name}="{light}"],{scope} [style*="{name}: {light}"]'
            rules.append(f"{places}{{{name}:{other} !important}}")
    return "".join(rules)


def following(rules: Callable[[str, bool], str]) -> str:
    """Rules of style that follow the page: the system, or a theme of JupyterLab, which then counts.

    `rules` gives those within a scope, for the dark or for the light.
    """
    return (
        f"@media (prefers-color-scheme:dark){{{rules('.kgp', True)}}}"
        + rules('body[data-jp-theme-light="true"] .kgp', False)
        + rules('body[data-jp-theme-light="false"] .kgp', True)
    )


STYLE = following(lambda scope, dark: _rules(scope, _DARK if dark else {c: c for c in _DARK}))


class Drawing:
    """A picture: a whole SVG document that loads and runs nothing.

    A notebook shows it by `_repr_svg_`, which hosts of code and exports draw as well. Tooltips
    work wherever the SVG itself is in the page: in JupyterLab, in an export, in the saved file.

    Args:
        svg: an SVG document. Black letters and a white ground get colours that follow the page.
    """

    def __init__(self, svg: str) -> None:
        named = _WHITE.sub(rf'\1"{PAPER}"', svg)
        named = _BLACK.sub(rf'\1 fill="{INK}">', named)
        self.svg = _NEXT.sub(
            rf'<svg class="kgp" style="{_FITTING}"\1><style>{escape(STYLE, quote=False)}</style>',
            named,
            count=1,
        )

    def _repr_svg_(self) -> str:
        return self.svg

    def html(self) -> str:
        """The picture within a page: as wide as its place, scrolled where that is narrow."""
        style = (
            ".kg-picture{overflow-x:auto}.kg-picture svg{max-width:100%;min-width:44em;height:auto}"
        )
        return f'<div class="kg-picture"><style>{style}</style>{self.svg}</div>'

    def save(self, path: str | Path) -> Path:
        """Write it to a file, which any browser opens.

        Raises:
            LibraryError: the file cannot be written.
        """
        file = Path(path)
        try:
            file.write_text(self.svg, encoding="utf-8", errors="replace")
        except OSError as error:
            raise LibraryError(f"cannot write {file}: {error.strerror}") from error
        return file


def document(width: float, height: float, title: str, parts: list[str]) -> Drawing:
    """A drawing of some parts on a ground; sizes in pixels."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" font-size="12" font-family="{FONT}">'
        f"<title>{safe(title)}</title>"
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="{PAPER}"/>'
    )
    return Drawing("\n".join([head, *parts, "</svg>"]) + "\n")


def words(
    x: float, y: float, text: str, *, anchor: str = "start", turn: float = 0.0, bold: bool = False
) -> str:
    """A line of text at a place, escaped; `turn` in degrees."""
    turned = f' transform="rotate({turn:g} {x:.1f} {y:.1f})"' if turn else ""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{INK}"{weight}{turned}>'
        f"{safe(text)}</text>"
    )
