"""Pictures of a library, drawn by us: the graph of some cases, a heat map, a timeline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from kg.export.lettering import cut
from kg.library import Library
from kg.model import Case, CaseKind, DateKind
from kg.model.escaping import safe
from kg.notebook.drawing import FAINT, INK, PAPER, Drawing, document, following, words
from kg.queries.view_words import say

_CELL, _LABEL, _TOP = 40, 230, 190
_WIDTH, _MARGIN, _STEP, _COLUMN = 1040, 24, 13, 12
_HEAD = 84
_STEP_WIDTH = 48
_YEAR = 520.0
"""Most pixels for a year, so that a library of few years is not all distance."""

# Blues of one hue, light to dark, told apart by brightness alone.
_SHADES = ("#e8f1f8", "#c6ddee", "#94c1e0", "#5a9fce", "#2b7ab5", "#0b5690")
_BRIGHT, _DIM = "#ffffff", "#101010"
_DARKER = 4
"""From this shade on letters are bright."""
_LANES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")

_WORDS = {
    "heat": ("Incidents by cause and component", "원인과 구성 요소별 사고"),
    "n": ("incidents that confirm both", "둘 다 확정된 사고"),
    "expected": ("expected by chance", "우연한 기대 건수"),
    "lift": ("lift", "향상도"),
    "nothing": ("nothing to draw", "그릴 것이 없음"),
    "timeline": ("Incidents over time", "시간에 따른 사고"),
    "started": ("start is known", "시작이 적힌 것"),
    "published": ("only the publication is dated", "발표 날짜만 있는 것"),
    "again": ("the same owner, the same cause, again", "같은 조직에서 같은 원인으로 다시"),
    "undated": ("without a date: {}", "날짜 없음: {}"),
}


def _word(key: str, lang: str, *values: object) -> str:
    return _WORDS[key][lang == "ko"].format(*values)


def cases_picture(
    library: Library, case_ids: Iterable[str] | None = None, lang: str = "en"
) -> Drawing:
    """Cases with their causes, components, symptoms and factors; lines show the status.

    Raises:
        CaseNotFound: an id is not in the library.
    """
    return Drawing(library.picture(case_ids, lang))


def heat_map(library: Library, lang: str = "en", most: int = 12) -> Drawing:
    """How many incidents confirm a cause and a component together.

    Each cell has its number; the tooltip says what chance would give. The `most` frequent causes
    and components are drawn.
    """
    rows = library.sql(
        "SELECT cause_id, component_id, n, expected, lift FROM cause_component_matrix"
    ).rows
    found = {(cause, part): (n, expected, lift) for cause, part, n, expected, lift in rows}
    causes = _frequent([(c, v[0]) for (c, _), v in found.items()], most)
    drawn = set(causes)
    parts = _frequent([(p, v[0]) for (c, p), v in found.items() if c in drawn], most)
    top = max([1, *(found[c, p][0] for c in causes for p in parts if (c, p) in found)])
    labels = {t: library.vocabulary.terms[t].label.best(lang) for t in (*causes, *parts)}
    pieces = [words(16, 26, _word("heat", lang), bold=True)]
    if not causes:
        pieces.append(words(16, 50, _word("nothing", lang)))
        return document(480, 70, _word("heat", lang), pieces)
    pieces += _shade_legend(top, lang)
    for i, part in enumerate(parts):
        x = _LABEL + _CELL * (i + 0.6)
        pieces.append(words(x, _TOP - 8, cut(labels[part], 150, 12), turn=-45))
    for j, cause in enumerate(causes):
        y = _TOP + _CELL * j
        label = cut(labels[cause], _LABEL - 24, 12)
        pieces.append(words(_LABEL - 8, y + _CELL / 2 + 4, label, anchor="end"))
        for i, part in enumerate(parts):
            tip = f"{labels[cause]} × {labels[part]}"
            pieces.append(_cell(_LABEL + _CELL * i, y, found.get((cause, part)), top, tip, lang))
    width = max(_LABEL + _CELL * len(parts) + 130, 480)
    return document(width, _TOP + _CELL * len(causes) + 20, _word("heat", lang), pieces)


def _frequent(counted: Iterable[tuple[str, int]], most: int) -> list[str]:
    total: Counter[str] = Counter()
    for term, n in counted:
        total[term] += n
    return [t for t, _ in sorted(total.items(), key=lambda item: (-item[1], item[0]))[:most]]


def _shade(n: int, top: int) -> int:
    """Which shade a number has: 0 is nearest to the ground."""
    return min(len(_SHADES) - 1, n * len(_SHADES) // (top + 1))


def _look(shade: int) -> tuple[str, str]:
    """The colours of a cell and of its letters on a light ground."""
    return _SHADES[shade], _BRIGHT if shade >= _DARKER else _DIM


def _shade_style() -> str:
    """Shades turned round in the dark, so that more is further from the ground there too."""

    def rules(scope: str, order: Sequence[int]) -> str:
        looks = ((i, *_look(j)) for i, j in enumerate(order))
        return "".join(
            f"{scope} .kgp-shade{i} rect{{fill:{cell}}}{scope} .kgp-shade{i} text{{fill:{letters}}}"
            for i, cell, letters in looks
        )

    steps = range(len(_SHADES))
    turned = {False: steps, True: steps[::-1]}
    return f"<style>{following(lambda scope, dark: rules(scope, turned[dark]))}</style>"


def _cell(
    x: float, y: float, value: tuple[int, float, float] | None, top: int, tip: str, lang: str
) -> str:
    box = f'<rect x="{x + 1:.1f}" y="{y + 1:.1f}" width="{_CELL - 2}" height="{_CELL - 2}" rx="4"'
    if value is None:
        return f'<g><title>{safe(tip)}: 0</title>{box} fill="{PAPER}" stroke="{FAINT}"/></g>'
    n, expected, lift = value
    told = (
        f"{tip}: {n} {_word('n', lang)}; {_word('expected', lang)} {expected:.2f}; "
        f"{_word('lift', lang)} {lift:.1f}"
    )
    shade = _shade(n, top)
    colour, letters = _look(shade)
    return (
        f'<g class="kgp-shade{shade}"><title>{safe(told)}</title>{box} fill="{colour}"/>'
        f'<text x="{x + _CELL / 2:.1f}" y="{y + _CELL / 2 + 4:.1f}" text-anchor="middle" '
        f'fill="{letters}">{n}</text></g>'
    )


def _shade_legend(top: int, lang: str) -> list[str]:
    """The shades that there are, each with the numbers that have it, up to the largest."""
    pieces = [_shade_style()]
    steps: dict[int, list[int]] = {}
    for n in range(1, top + 1):
        steps.setdefault(_shade(n, top), []).append(n)
    for i, (shade, held) in enumerate(steps.items()):
        x = 16 + _STEP_WIDTH * i
        colour, letters = _look(shade)
        told = f"{held[0]}–{held[-1]}" if len(held) > 1 else str(held[0])
        pieces.append(
            f'<g class="kgp-shade{shade}">'
            f'<rect x="{x}" y="40" width="{_STEP_WIDTH}" height="16" fill="{colour}"/>'
            f'<text x="{x + _STEP_WIDTH / 2:g}" y="52" text-anchor="middle" fill="{letters}">'
            f"{told}</text></g>"
        )
    return [*pieces, words(16, 74, _word("n", lang))]


@dataclass(frozen=True)
class _Dot:
    """A case at its day: `x`, `y` in pixels, and which kind of date that is."""

    case: Case
    day: date
    kind: DateKind
    x: float = 0.0
    y: float = 0.0


@dataclass(frozen=True)
class _Grid:
    """Where years and lanes lie: the first year, pixels a year, and the floor of each domain."""

    first: int
    last: int
    year: float
    floors: Mapping[str, float]
    bottom: float

    def x(self, day: date) -> float:
        """The place of a day, in pixels from the left."""
        share = (day - date(day.year, 1, 1)).days / 366
        return _MARGIN + 10 + self.year * (day.year - self.first + share)


def timeline(library: Library, case_ids: Iterable[str] | None = None, lang: str = "en") -> Drawing:
    """The incidents at their days, a lane each domain; arcs join recurrences of one owner.

    A full dot stands at the day on which an incident started, a ring at the day on which it was
    published where no more is known. Incidents without any date are counted beneath.

    Raises:
        CaseNotFound: an id is not in the library.
    """
    given = library.cases if case_ids is None else case_ids
    ids = dict.fromkeys(library.get(i).id for i in given)
    incidents = [c for i in ids if (c := library.cases[i]).kind is CaseKind.INCIDENT]
    dots = sorted(filter(None, map(_dot, incidents)), key=lambda d: (d.day, d.case.id))
    grid = _grid(dots)
    placed = _placed(dots, grid)
    pieces = [words(_MARGIN, 26, _word("timeline", lang), bold=True), *_dot_legend(lang)]
    pieces += _axis(grid) if dots else [words(_MARGIN, _HEAD + 20, _word("nothing", lang))]
    pieces += _arcs(library, placed, incidents, lang)
    pieces += [_drawn(dot, list(grid.floors), lang) for dot in placed.values()]
    if missing := len(incidents) - len(dots):
        pieces.append(words(_MARGIN, grid.bottom + 40, _word("undated", lang, missing)))
    return document(_WIDTH + 2 * _MARGIN, grid.bottom + 52, _word("timeline", lang), pieces)


def _dot(case: Case) -> _Dot | None:
    for kind in (DateKind.STARTED, DateKind.DETECTED, DateKind.ENDED, DateKind.PUBLISHED):
        for when in case.dates:
            if when.kind is kind:
                return _Dot(case, when.earliest(), kind)
    return None


def _grid(dots: Sequence[_Dot]) -> _Grid:
    """Room for every year, and for the highest heap of each lane."""
    years = [d.day.year for d in dots] or [0]
    pixels = min(_YEAR, (_WIDTH - 20) / (max(years) - min(years) + 1))
    flat = _Grid(min(years), max(years), pixels, {}, 0)
    heaps = Counter((d.case.domain, _column(flat.x(d.day))) for d in dots)
    floors, y = {}, float(_HEAD)
    for lane in sorted({d.case.domain for d in dots}):
        y += 46 + _STEP * max(n for (name, _), n in heaps.items() if name == lane)
        floors[lane] = y
    return _Grid(flat.first, flat.last, pixels, floors, y + 18)


def _column(x: float) -> int:
    return int(x // _COLUMN)


def _placed(dots: Sequence[_Dot], grid: _Grid) -> Mapping[str, _Dot]:
    """Each dot in its lane; those that would touch stand above each other, the earliest lowest."""
    heights: Counter[tuple[str, int]] = Counter()
    placed = {}
    for dot in dots:
        column = (dot.case.domain, _column(grid.x(dot.day)))
        y = grid.floors[dot.case.domain] - _STEP * heights[column]
        heights[column] += 1
        placed[dot.case.id] = replace(dot, x=(column[1] + 0.5) * _COLUMN, y=y)
    return placed


def _axis(grid: _Grid) -> list[str]:
    pieces = []
    every = max(1, round(30 / grid.year))
    for year in range(grid.first, grid.last + 1):
        x = grid.x(date(year, 1, 1))
        pieces.append(f'<path d="M{x:.1f},{_HEAD} V{grid.bottom:.1f}" stroke="{FAINT}"/>')
        if not (year - grid.first) % every:
            pieces.append(words(x + 3, grid.bottom + 14, str(year)))
    top = float(_HEAD)
    for lane, floor in grid.floors.items():
        line = f'<path d="M{_MARGIN},{floor + 9:.1f} H{_WIDTH + _MARGIN}" stroke="{FAINT}"/>'
        pieces += [line, words(_MARGIN, top + 18, lane, bold=True)]
        top = floor + 9
    return pieces


def _dot_legend(lang: str) -> list[str]:
    y = 52
    return [
        f'<circle cx="{_MARGIN + 6}" cy="{y}" r="5" fill="#7F7F7F"/>',
        words(_MARGIN + 18, y + 4, _word("started", lang)),
        f'<circle cx="{_MARGIN + 150}" cy="{y}" r="4.5" fill="{PAPER}" stroke="#7F7F7F" '
        'stroke-width="2"/>',
        words(_MARGIN + 162, y + 4, _word("published", lang)),
        f'<path d="M{_MARGIN + 356},{y + 5} q14,-16 28,0" fill="none" stroke="{INK}" '
        'stroke-width="1.4"/>',
        words(_MARGIN + 392, y + 4, _word("again", lang)),
    ]


def _drawn(dot: _Dot, lanes: Sequence[str], lang: str) -> str:
    colour = _LANES[lanes.index(dot.case.domain) % len(_LANES)]
    full = dot.kind is not DateKind.PUBLISHED
    tip = f"{dot.case.id} · {dot.day} ({say(str(dot.kind), lang)}) · {dot.case.name(lang)}"
    look = f'fill="{colour}"' if full else f'fill="{PAPER}" stroke="{colour}" stroke-width="2"'
    radius = 5 if full else 4.5
    return (
        f'<circle cx="{dot.x:.1f}" cy="{dot.y:.1f}" r="{radius}" {look}>'
        f"<title>{safe(tip)}</title></circle>"
    )


def _arcs(
    library: Library, placed: Mapping[str, _Dot], incidents: Sequence[Case], lang: str
) -> list[str]:
    found = library.recurrences([c.id for c in incidents], lang=lang)
    pieces = []
    for item in found:
        a, b = placed.get(item.earlier), placed.get(item.later)
        if a is None or b is None:
            continue
        names = ", ".join(found.label(c) for c in item.causes)
        tip = f"{found.label(item.organization)}: {names}: {item.earlier} → {item.later}"
        rise = 18 + abs(b.x - a.x) / 8
        pieces.append(
            f'<path d="M{a.x:.1f},{a.y:.1f} Q{(a.x + b.x) / 2:.1f},{min(a.y, b.y) - rise:.1f} '
            f'{b.x:.1f},{b.y:.1f}" fill="none" stroke="{INK}" stroke-width="1.4" '
            f'stroke-opacity="0.7"><title>{safe(tip)}</title></path>'
        )
    return pieces
