"""The graph of a result as a picture, and the same in a table for whoever does not see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.export import draw
from kg.export.svg import ruled_out
from kg.model import Status
from kg.queries.listing import RESULT_KINDS, Subgraph, sort_ids
from kg.server.pages.links import Links
from kg.server.pages.names import STRENGTH, CaseName, Names, StatedTerm
from kg.server.pages.words import word

if TYPE_CHECKING:
    from kg.library import Library

DRAWN = 40
"""At most so many cases are drawn, the newest ones: more cannot be told apart in a picture."""


@dataclass(frozen=True)
class GraphRow:
    """A case with what it states, by kind, ruled-out terms included and marked so."""

    name: CaseName
    terms: tuple[tuple[str, tuple[StatedTerm, ...]], ...]


@dataclass(frozen=True)
class GraphView:
    """The graph of a result.

    Attributes:
        ids: the cases that are drawn, newest first.
        total: how many the result has.
        counts: nodes by kind, in the order of the kinds, without those that are only ruled out.
        ruled_out: how many nodes are only ruled out.
        rows: the same edges in words.
    """

    ids: tuple[str, ...]
    total: int
    counts: tuple[tuple[str, int], ...]
    ruled_out: int
    rows: tuple[GraphRow, ...]


def graph_view(library: Library, ids: Sequence[str], names: Names) -> GraphView:
    """The graph of some cases: causes, components, symptoms and contributing factors."""
    drawn = tuple(sort_ids(library.cases, ids, "recent")[:DRAWN])
    graph = library.result_graph(drawn)
    out = ruled_out(graph)
    return GraphView(
        ids=drawn,
        total=len(ids),
        counts=tuple((kind, len({*graph.nodes[kind]} - out)) for kind in RESULT_KINDS),
        ruled_out=len(out),
        rows=tuple(GraphRow(names.case(i), _terms(graph, i, names)) for i in drawn),
    )


def _terms(
    graph: Subgraph, case_id: str, names: Names
) -> tuple[tuple[str, tuple[StatedTerm, ...]], ...]:
    """Each term of a case once, by kind, with the strongest status that the case gives it."""
    best: dict[str, Status] = {}
    for edge in graph.edges:
        if edge.case_id == case_id:
            known = best.get(edge.target, edge.status)
            best[edge.target] = min(known, edge.status, key=STRENGTH.index)
    stated = [StatedTerm(names.term(t), str(s)) for t, s in best.items()]
    return tuple(
        (kind, tuple(s for s in stated if s.term.scheme == kind)) for kind in RESULT_KINDS[1:]
    )


def picture(library: Library, view: GraphView, links: Links, lang: str) -> str:
    """The graph as an SVG document whose nodes lead to their pages; all text in it is escaped."""
    titles = {row.name.id: row.name.title for row in view.rows}
    told = ", ".join(f"{word(f'kind.{kind}', lang)} {n}" for kind, n in view.counts)
    told += f", {word('status.ruled_out', lang)} {view.ruled_out}" if view.ruled_out else ""

    def link(node: str) -> str | None:
        kind, _, name = node.partition(":")
        return links.case(name) if kind == "case" else links.topic(node)

    return draw(
        library.result_graph(view.ids), library.vocabulary, titles, lang, link=link, told=told
    )
