"""Small pieces of HTML that every view of a result is made of; nothing is loaded or run.

Colours are inherited or half transparent, so that a view fits a light and a dark page alike,
whether the page follows the system or a theme of JupyterLab.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from kg.model.escaping import safe_line

FONT = (
    "system-ui,'Noto Sans KR','Noto Sans CJK KR','Apple SD Gothic Neo','Malgun Gothic',"
    "'NanumGothic',sans-serif"
)
"""Fonts of a reader's own system, Korean ones among them."""

_COUNTED = re.compile(r"[<>]?\d[\d.,e%/ –-]{0,24}")
"""A number, a count of so many, a range: not to be broken over lines."""

_SHORT = 22
"""Nor are texts of so few letters, such as ids."""

_LINE = "rgba(128,128,128,.4)"
STYLE = (
    f".kg-view{{font-family:{FONT};line-height:1.5;max-width:68rem;overflow-wrap:anywhere;"
    "color:inherit;text-align:left;overflow-x:auto}"
    ".kg-view h4{margin:1em 0 .3em;font-size:1.05em;font-weight:600 !important}"
    ".kg-view p{margin:.2em 0}"
    ".kg-view table{border-collapse:collapse;margin:.4em 0;font-size:.95em;color:inherit}"
    f".kg-view td,.kg-view th{{border-bottom:1px solid {_LINE};padding:.25em .7em;"
    "text-align:left !important;vertical-align:top;background:transparent;white-space:normal;"
    "word-break:normal;overflow-wrap:break-word}"
    ".kg-view td.kg-s,.kg-view th.kg-s{white-space:nowrap}"
    ".kg-view td.kg-n{text-align:right !important;font-variant-numeric:tabular-nums;"
    "white-space:nowrap}"
    f".kg-view .kg-card{{border:1px solid {_LINE};border-left:4px solid #56B4E9;"
    "border-radius:6px;padding:.5em .8em;margin:.5em 0}"
    f".kg-view .kg-chip{{border:1px solid {_LINE};border-radius:9px;padding:0 .55em;"
    "margin-right:.3em;font-size:.87em;display:inline-block}"
    ".kg-view .kg-faint{opacity:.75;font-size:.9em}"
    f".kg-view blockquote{{margin:.3em 0;padding-left:.7em;border-left:3px solid {_LINE};"
    "font-size:inherit;color:inherit}"
    ".kg-view .kg-bar{display:inline-block;height:.6em;border-radius:3px;background:#0072B2;"
    "vertical-align:baseline;margin-right:.4em}"
    f".kg-view .kg-rail{{display:inline-block;width:7em;background:{_LINE};border-radius:3px;"
    "height:.6em;margin-right:.5em;line-height:0}"
    ".kg-view summary{cursor:pointer}"
)
"""The look of all views; each brings it along, so that one alone is whole."""


def view(inner: str, lang: str = "en") -> str:
    """A view: its HTML with the style, in a box of its own."""
    code = "ko" if lang == "ko" else "en"
    return f'<div class="kg-view" lang="{code}"><style>{STYLE}</style>{inner}</div>'


def paragraph(text: str, *, faint: bool = False) -> str:
    """A paragraph of plain text; nothing where there is none."""
    mark = ' class="kg-faint"' if faint else ""
    return f"<p{mark}>{safe_line(text)}</p>" if text else ""


def heading(text: str) -> str:
    """A heading within a view."""
    return f"<h4>{safe_line(text)}</h4>"


def chip(text: str) -> str:
    """A word in a rounded frame, such as a term or a status."""
    return f'<span class="kg-chip">{safe_line(text)}</span>'


def bar(share: float) -> str:
    """A share from 0 to 1 as a filled rail, beside which its number stands."""
    filled = 7 * min(1.0, max(0.0, share))
    return f'<span class="kg-rail"><span class="kg-bar" style="width:{filled:.2f}em"></span></span>'


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table; numbers stand to the right, None is shown as a dash, everything else is text."""
    names = "".join(f'<th class="{_width(name)}">{safe_line(name)}</th>' for name in head)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f"<table><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>"


_LARGE = 1e3
"""From here on numbers are shown without a fraction, and never with an exponent."""


def _cell(value: object) -> str:
    if value is None:
        return "<td>–</td>"
    if isinstance(value, Markup):
        return f"<td>{value.html}</td>"
    if isinstance(value, bool) or not isinstance(value, int | float):
        text = str(value)
        kind = "kg-n" if _COUNTED.fullmatch(text) else _width(text)
        return f'<td class="{kind}">{safe_line(text)}</td>'
    large = isinstance(value, int) or value.is_integer() or abs(value) >= _LARGE
    shown = f"{value:,.0f}" if large else f"{value:,.4g}"
    return f'<td class="kg-n">{shown}</td>'


def _width(text: str) -> str:
    return "kg-s" if len(text) <= _SHORT else ""


class Markup:
    """HTML of our own making that a table takes as it is."""

    def __init__(self, html: str) -> None:
        self.html = html
