"""A picture of a sub-graph as SVG: kinds in columns, the same bytes each time, no outside parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from kg.export.lettering import cut
from kg.export.lettering import width as width_of
from kg.export.palette import COLOURS as PALETTE
from kg.export.palette import FONT, GREY, GROUND, INK, KINDS, STATUS, TINTS
from kg.graph import Edge, kind_of
from kg.model import Status
from kg.model.escaping import safe
from kg.queries import Subgraph
from kg.vocab import Vocabulary

_COLUMNS = ("symptom", "factor", "case", "cause", "component")
COLOURS: Mapping[str, str] = {kind: PALETTE[kind] for kind in _COLUMNS}
Link = Callable[[str], str | None]
"""From the id of a node to an address; None where there is none."""

_COLUMN, _ROW, _BOX, _TOP, _HEIGHT = 270, 34, 210, 86, 24


def draw(
    subgraph: Subgraph,
    vocabulary: Vocabulary,
    titles: Mapping[str, str],
    lang: str = "en",
    shared_only: bool = True,
    link: Link | None = None,
    told: str = "",
) -> str:
    """Draw cases with their causes, components, symptoms and factors.

    Args:
        subgraph: the nodes and edges.
        vocabulary: gives the labels of terms.
        titles: case id → title, shown as a tooltip.
        lang: language of labels.
        shared_only: leave out components that only one case has, which crowd the picture;
            causes, symptoms and factors are always drawn.
        link: the address that a node leads to; None for a picture without links.
        told: what the picture shows, for those who do not see it.

    Returns:
        An SVG document. All text is escaped; nothing in it is loaded or run.
    """
    edges = _drawn(subgraph.edges, shared_only)
    nodes = {
        kind: [n for n in subgraph.nodes.get(kind, ()) if kind == "case" or _touched(n, edges)]
        for kind in _COLUMNS
    }
    places = _layout(nodes, edges)
    status = _statuses(subgraph.edges)
    height = _TOP + _ROW * max([1, *map(len, nodes.values())]) + 20
    width = _COLUMN * len(_COLUMNS) + 20
    korean = lang == "ko"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="{"group" if link else "img"}" '
        f'font-size="12" font-family="{FONT}">',
        f"<title>{'사례 그래프' if korean else 'Graph of cases'}</title>",
        *([f"<desc>{safe(told)}</desc>"] if told else []),
        f'<rect width="{width}" height="{height}" fill="{GROUND}"/>',
        *_legend(korean),
        *(_line(e, places, vocabulary, lang) for e in edges),
        *(
            _linked(n, _box(n, places[n], status.get(n), vocabulary, titles, lang), link)
            for k in _COLUMNS
            for n in nodes[k]
        ),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _drawn(edges: Sequence[Edge], shared_only: bool) -> list[Edge]:
    """One line per pair of nodes, the strongest claim; rare components left out if wished."""
    order = list(STATUS)
    best: dict[tuple[str, str], Edge] = {}
    for edge in edges:
        pair = (edge.source, edge.target)
        if pair not in best or order.index(edge.status) < order.index(best[pair].status):
            best[pair] = edge
    cases: dict[str, set[str]] = {}
    for source, target in best:
        cases.setdefault(target, set()).add(source)
    few = shared_only and len({s for s, _ in best}) > 1
    return [
        best[pair]
        for pair in sorted(best)
        if not (few and kind_of(pair[1]) == "component" and len(cases[pair[1]]) < 2)
    ]


def _statuses(edges: Sequence[Edge]) -> dict[str, Status]:
    """The strongest status that some case gives each term."""
    order = list(STATUS)
    found: dict[str, Status] = {}
    for edge in edges:
        found[edge.target] = min(found.get(edge.target, edge.status), edge.status, key=order.index)
    return found


def ruled_out(subgraph: Subgraph) -> frozenset[str]:
    """The terms that cases only rule out: they are drawn, but are none of what they look like."""
    statuses = _statuses(subgraph.edges)
    return frozenset(t for t, status in statuses.items() if status is Status.RULED_OUT)


def _touched(node: str, edges: Sequence[Edge]) -> bool:
    return any(node == e.target for e in edges)


def _layout(
    nodes: Mapping[str, Sequence[str]], edges: Sequence[Edge]
) -> dict[str, tuple[float, float]]:
    """Cases in order; every other node near the mean height of its cases, then spread evenly."""
    rows = {n: float(i) for i, n in enumerate(nodes["case"])}
    tallest = max([1, *map(len, nodes.values())])
    scale = tallest / max(1, len(rows))
    places: dict[str, tuple[float, float]] = {}
    for column, kind in enumerate(_COLUMNS):
        wish = {n: _wish(n, rows, edges) * scale for n in nodes[kind]}
        ordered = sorted(wish, key=lambda n: (wish[n], n))
        step = tallest / max(1, len(ordered))
        for i, node in enumerate(ordered):
            places[node] = (20.0 + column * _COLUMN, _TOP + _ROW * (i + 0.5) * step - _ROW / 2)
    return places


def _wish(node: str, rows: Mapping[str, float], edges: Sequence[Edge]) -> float:
    if node in rows:
        return rows[node]
    mine = [rows[e.source] for e in edges if e.target == node]
    return sum(mine) / len(mine) if mine else 0.0


def _legend(korean: bool) -> list[str]:
    parts = []
    for column, kind in enumerate(_COLUMNS):
        x = 20 + column * _COLUMN
        parts.append(f'<rect x="{x}" y="18" width="12" height="12" rx="3" fill="{COLOURS[kind]}"/>')
        parts.append(f'<text x="{x + 18}" y="28" font-weight="bold">{KINDS[kind][korean]}</text>')
    for i, (dash, en, ko) in enumerate(STATUS.values()):
        x = 20 + i * 130
        parts.append(
            f'<line x1="{x}" y1="54" x2="{x + 36}" y2="54" stroke="{GREY}" stroke-width="1.6" '
            f'stroke-dasharray="{dash}"/><text x="{x + 42}" y="58">{ko if korean else en}</text>'
        )
    return parts


def _line(
    edge: Edge, places: Mapping[str, tuple[float, float]], vocabulary: Vocabulary, lang: str
) -> str:
    (x1, y1), (x2, y2) = places[edge.source], places[edge.target]
    start, end = (x1 + _BOX, x2) if x1 < x2 else (x1, x2 + _BOX)
    y1, y2 = y1 + _HEIGHT / 2, y2 + _HEIGHT / 2
    middle = (start + end) / 2
    dash, en, ko = STATUS[edge.status]
    label = vocabulary.terms[edge.target].label.best(lang)
    said = dict(edge.statement).get(lang) or edge.evidence[0].quote
    tip = f"{edge.case_id} {edge.relation} {label} ({ko if lang == 'ko' else en}): {said}"
    opacity = "0.35" if edge.status is Status.RULED_OUT else "0.6"
    return (
        f'<path d="M{start:.1f},{y1:.1f} C{middle:.1f},{y1:.1f} {middle:.1f},{y2:.1f} '
        f'{end:.1f},{y2:.1f}" fill="none" stroke="{COLOURS[kind_of(edge.target)]}" '
        f'stroke-width="1.6" stroke-opacity="{opacity}" stroke-dasharray="{dash}">'
        f"<title>{safe(tip)}</title></path>"
    )


def _linked(node: str, box: str, link: Link | None) -> str:
    href = link(node) if link else None
    return f'<a href="{safe(href)}">{box}</a>' if href else box


def _box(
    node: str,
    place: tuple[float, float],
    status: Status | None,
    vocabulary: Vocabulary,
    titles: Mapping[str, str],
    lang: str,
) -> str:
    kind, _, name = node.partition(":")
    label = name if kind == "case" else vocabulary.terms[node].label.best(lang)
    tip = f"{name}: {titles.get(name, '')}" if kind == "case" else f"{label} ({node})"
    dash, *names = STATUS[status or Status.CONFIRMED]
    word = f" ({names[lang == 'ko']})" if dash else ""
    label = cut(label, _BOX - 16 - width_of(word, 12), 12) + word
    border = f' stroke-dasharray="{dash}"' if dash else ""
    x, y = place
    return (
        f'<g><title>{safe(tip)}{word}</title><rect x="{x:.1f}" y="{y:.1f}" width="{_BOX}" '
        f'height="{_HEIGHT}" rx="5" fill="{TINTS[kind]}" '
        f'stroke="{COLOURS[kind]}"{border}/><text x="{x + 8:.1f}" y="{y + 16:.1f}" fill="{INK}">'
        f"{safe(label)}</text></g>"
    )
