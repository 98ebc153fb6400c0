"""A picture of an explanation: kinds in columns, one case above, the other below.

What both have stands between them. Each column has a rail to the case above on its left and one
to the case below on its right, so that no line crosses a box. The style of the line to a box is
the status of the claim; arrows between neighbouring columns are derived.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kg.export.explanation_boxes import COLUMNS, Box, Row, arrows, boxes, name_of, owner_of
from kg.export.lettering import cut, wrap
from kg.export.palette import COLOURS, FONT, GREY, INK, KINDS, RULE, STATUS, TINTS
from kg.model import Status
from kg.model.escaping import safe
from kg.queries import Explanation
from kg.queries.sides import TEXT

_MARGIN, _LEFT, _PITCH, _BOX, _INSET, _TICK = 12, 118, 240, 176, 30, 20
_LABEL, _NOTE = 12.0, 10.5
_LABEL_LINE, _NOTE_LINE = 16.0, 14.0
_PAD, _GAP, _ROW_GAP, _EMPTY = 7.0, 8.0, 14.0, 14.0
_HEAD_LINE = 18.0
_LEAST = 600  # room for the legend
_LEGEND = 34.0
_BOLD = 1.12
"""How much wider bold letters are."""
_DERIVED, _DASH = "#8A8A8A", "2.5 3"
"""Colour and dashes of what is derived and not stated: lighter than any claim."""
_FOOT = 5.0
"""How far above the lower edge of a box its arrows arrive."""


@dataclass(frozen=True)
class _Placed:
    """A box at its place."""

    box: Box
    x: float
    y: float
    height: float
    lines: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def line(self) -> float:
        """The height at which its lines arrive."""
        return self.y + _PAD + _LABEL_LINE / 2


def explanation_svg(found: Explanation) -> str:
    """Draw an explanation as an SVG document.

    All text is escaped and cut to its box; nothing in the document is loaded or run, and equal
    explanations give equal bytes.
    """
    return _Picture(found).document()


class _Picture:
    def __init__(self, found: Explanation) -> None:
        self._found = found
        self._korean = found.lang == "ko"
        cells = boxes(found)
        self._kinds = [k for k in COLUMNS if any(kind == k for _, kind in cells)] or ["cause"]
        self._width = max(_LEFT + _PITCH * len(self._kinds) + _MARGIN, _LEAST)
        self._heads = [self._head(found.a), self._head(found.b)]
        self._tops: list[tuple[Row, float, float]] = []
        self._placed: list[_Placed] = []
        self._bottom = self._place(cells)

    def document(self) -> str:
        """The whole SVG document."""
        end = self._bottom + self._head_height(1) + _LEGEND + _MARGIN
        a, b = (name_of(s, self._korean) for s in (self._found.a, self._found.b))
        title = f"{a} – {b}"
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self._width:.0f}" '
            f'height="{end:.0f}" viewBox="0 0 {self._width:.0f} {end:.0f}" role="img" '
            f'font-size="{_LABEL:g}" font-family="{FONT}">',
            f"<title>{safe(title)}</title>",
            f'<rect width="{self._width:.0f}" height="{end:.0f}" fill="#ffffff"/>',
            *self._rows(),
            *self._column_names(),
            *self._arrows(),
            *self._rails(),
            *(part for placed in self._placed for part in self._drawn(placed)),
            *self._side(0, float(_MARGIN)),
            *self._side(1, self._bottom),
            *self._legend(self._bottom + self._head_height(1)),
            "</svg>",
        ]
        return "\n".join(parts) + "\n"

    def _head(self, side: str) -> list[str]:
        """The lines that name a side."""
        text = (self._found.query or "") if side == TEXT else self._found.titles.get(side, "")
        room = self._width - 2 * _MARGIN - 20
        return wrap(f"{name_of(side, self._korean)} · {text}", room / _BOLD, _LABEL * 1.05, 2)

    def _head_height(self, side: int) -> float:
        return 12 + _HEAD_LINE * len(self._heads[side])

    def _place(self, cells: Mapping[tuple[Row, str], Sequence[Box]]) -> float:
        """Lay the boxes out row by row; gives the height at which the lower side begins."""
        y = _MARGIN + self._head_height(0) + 34
        for row in Row:
            columns = [cells.get((row, kind), ()) for kind in self._kinds]
            if not any(columns):
                if row is not Row.BOTH:
                    continue
                self._tops.append((row, y, y + _EMPTY * 2))
                y += _EMPTY * 2 + _ROW_GAP
                continue
            below = max(self._stack(i, boxes_, y) for i, boxes_ in enumerate(columns))
            self._tops.append((row, y, max(below, y + 2 * _LABEL_LINE)))
            y = self._tops[-1][2] + _ROW_GAP
        return y + 4

    def _stack(self, column: int, stacked: Iterable[Box], y: float) -> float:
        x = _LEFT + _PITCH * column + _INSET
        for box in stacked:
            lines = tuple(wrap(box.label, _BOX - 16, _LABEL, 3))
            notes = tuple(n for note in box.notes for n in wrap(note, _BOX - 16, _NOTE, 2))
            height = 2 * _PAD + _LABEL_LINE * len(lines) + _NOTE_LINE * len(notes)
            self._placed.append(_Placed(box, x, y, height, lines, notes))
            y += height + _GAP
        return y - _GAP

    def _rows(self) -> Iterator[str]:
        """The names of the rows at the left, and a rule above each."""
        names = dict(zip(Row, self._row_names(), strict=True))
        for row, top, _ in self._tops:
            yield (
                f'<line x1="{_MARGIN}" y1="{top - _ROW_GAP / 2:.1f}" '
                f'x2="{self._width - _MARGIN:.0f}" y2="{top - _ROW_GAP / 2:.1f}" '
                f'stroke="{RULE}"/>'
            )
            room = float(_LEFT - _MARGIN - 12)
            yield from _text_block(
                wrap(names[row], room / _BOLD, _NOTE * 1.1, 4),
                _MARGIN,
                top,
                room,
                _NOTE * 1.1,
                bold=True,
            )

    def _row_names(self) -> tuple[str, str, str, str]:
        a, b = (owner_of(s, self._korean) for s in (self._found.a, self._found.b))
        if self._korean:
            return (f"{a}에만", "양쪽 모두", "배제한 것", f"{b}에만")
        return (f"only {a}", "both", "ruled out", f"only {b}")

    def _column_names(self) -> Iterator[str]:
        y = _MARGIN + self._head_height(0) + 6
        for column, kind in enumerate(self._kinds):
            x = _LEFT + _PITCH * column + _INSET
            yield (
                f'<rect x="{x}" y="{y + 1:.1f}" width="12" height="12" rx="3" '
                f'fill="{COLOURS[kind]}"/>'
            )
            yield from _text_block(
                [cut(KINDS[kind][self._korean], (_BOX - 24) / _BOLD, _LABEL)],
                x + 18, y - 2, _BOX - 18, _LABEL, bold=True,
            )  # fmt: skip

    def _rails(self) -> Iterator[str]:
        """From each side a rail down or up the column, as far as its last box."""
        for column, kind in enumerate(self._kinds):
            mine = [p for p in self._placed if p.box.kind == kind]
            x = _LEFT + _PITCH * column
            above = [p.line for p in mine if p.box.above is not None]
            below = [p.line for p in mine if p.box.below is not None]
            if above:
                yield _rail(x + _INSET - _TICK, _MARGIN + self._head_height(0), max(above))
            if below:
                yield _rail(x + _INSET + _BOX + _TICK, min(below), self._bottom)

    def _drawn(self, placed: _Placed) -> Iterator[str]:
        box, x, y = placed.box, placed.x, placed.y
        if box.above is not None:
            yield _tick(x - _TICK, x, placed.line, box.above, COLOURS[box.kind])
        if box.below is not None:
            yield _tick(x + _BOX, x + _BOX + _TICK, placed.line, box.below, COLOURS[box.kind])
        yield (
            f'<g><title>{safe(box.tip)}</title><rect x="{x:.1f}" y="{y:.1f}" width="{_BOX}" '
            f'height="{placed.height:.1f}" rx="5" fill="{TINTS[box.kind]}" '
            f'stroke="{COLOURS[box.kind]}" stroke-dasharray="{STATUS[box.status][0]}"/>'
        )
        room = float(_BOX - 12)
        yield from _text_block(placed.lines, x + 8, y + _PAD - 2, room, _LABEL, height=_LABEL_LINE)
        below = y + _PAD - 2 + _LABEL_LINE * len(placed.lines)
        yield from _text_block(placed.notes, x + 8, below, room, _NOTE, height=_NOTE_LINE, ink=GREY)
        yield "</g>"

    def _arrows(self) -> Iterator[str]:
        """Derived steps between boxes of neighbouring columns."""
        at = {p.box.term: p for p in self._placed}
        for before, after, status in arrows(self._found):
            one, other = at.get(before), at.get(after)
            if one is None or other is None:
                continue
            if self._kinds.index(other.box.kind) - self._kinds.index(one.box.kind) != 1:
                continue
            yield self._arrow(one, other, status)

    def _arrow(self, one: _Placed, other: _Placed, status: Status) -> str:
        """From the foot of one box to that of another, below the lines that claims draw."""
        x1, x2 = one.x + _BOX, other.x
        y1, y2 = one.y + one.height - _FOOT, other.y + other.height - _FOOT
        middle = (x1 + x2) / 2
        return (
            f'<g fill="none" stroke="{_DERIVED}" stroke-width="1" class="derived"><path '
            f'd="M{x1:.1f},{y1:.1f} C{middle:.1f},{y1:.1f} {middle:.1f},{y2:.1f} '
            f'{x2:.1f},{y2:.1f}" stroke-dasharray="{_DASH}">'
            f"<title>{safe(self._leads(one.box, other.box, status))}</title></path>"
            f'<path d="M{x2 - 4:.1f},{y2 - 2.5:.1f} l4,2.5 l-4,2.5"/></g>'
        )

    def _leads(self, one: Box, other: Box, status: Status) -> str:
        text = "적힌 것이 아니라 끌어냄" if self._korean else "derived, not stated"
        return f"{one.label} → {other.label} ({STATUS[status][1 + self._korean]}, {text})"

    def _side(self, side: int, y: float) -> Iterator[str]:
        height = self._head_height(side) - 4
        width = self._width - 2 * _MARGIN
        yield (
            f'<rect x="{_MARGIN}" y="{y:.1f}" width="{width:.0f}" height="{height:.1f}" rx="6" '
            f'fill="{TINTS["case"]}" stroke="{COLOURS["case"]}"/>'
        )
        yield from _text_block(
            self._heads[side], _MARGIN + 10, y + 3, width - 16, _LABEL * 1.05,
            height=_HEAD_LINE, bold=True,
        )  # fmt: skip

    def _legend(self, y: float) -> Iterator[str]:
        x = float(_MARGIN)
        for dash, en, ko in STATUS.values():
            yield (
                f'<line x1="{x:.0f}" y1="{y + 18:.1f}" x2="{x + 36:.0f}" y2="{y + 18:.1f}" '
                f'stroke="{GREY}" stroke-width="1.6" stroke-dasharray="{dash}"/>'
            )
            name = ko if self._korean else en
            yield from _text_block([name], x + 42, y + 8, 84, _NOTE * 1.1)
            x += 130
        yield (
            f'<path d="M{x:.0f},{y + 18:.1f} h35" fill="none" stroke="{_DERIVED}" '
            f'stroke-dasharray="{_DASH}"/><path d="M{x + 31:.0f},{y + 15.5:.1f} l4,2.5 l-4,2.5" '
            f'fill="none" stroke="{_DERIVED}"/>'
        )
        name = "끌어낸 연결" if self._korean else "derived, not stated"
        yield from _text_block([name], x + 42, y + 8, 124, _NOTE * 1.1)


def _rail(x: float, y1: float, y2: float) -> str:
    return (
        f'<line x1="{x:.1f}" y1="{y1:.1f}" x2="{x:.1f}" y2="{y2:.1f}" stroke="#999999" '
        'stroke-width="1"/>'
    )


def _tick(x1: float, x2: float, y: float, status: Status, colour: str) -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y:.1f}" x2="{x2:.1f}" y2="{y:.1f}" stroke="{colour}" '
        f'stroke-width="2" stroke-dasharray="{STATUS[status][0]}" class="{status}"/>'
    )


def _text_block(
    lines: Sequence[str],
    x: float,
    y: float,
    width: float,
    size: float,
    *,
    height: float = _LABEL_LINE,
    ink: str = INK,
    bold: bool = False,
) -> Iterator[str]:
    """Lines of text in a frame of their own, so that no letter can reach beyond it."""
    if not lines:
        return
    weight = ' font-weight="bold"' if bold else ""
    yield (
        f'<svg x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height * len(lines) + 3:.1f}">'
    )
    for number, line in enumerate(lines):
        yield (
            f'<text x="0" y="{height * number + size:.1f}" font-size="{size:g}" fill="{ink}"'
            f"{weight}>{safe(line)}</text>"
        )
    yield "</svg>"
