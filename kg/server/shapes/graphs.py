"""The graph of a result as it is answered: five kinds of nodes, and legal edges only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from kg.graph import Edge
from kg.library import Library
from kg.queries import Filter
from kg.server.shapes.common import Answer, Applied, Labels, applied, url

Kind = Literal["case", "cause", "component", "symptom", "factor"]


class Node(Answer):
    """A case or a term; `url` leads to it."""

    id: str
    kind: Kind
    labels: Labels
    url: str


class Link(Answer):
    """What a case says of a term; ruled-out ones stay visible and count for nothing."""

    source: str
    relation: str
    target: str
    status: str
    role: str | None
    claim_id: str
    quotes: tuple[str, ...]


class ResultGraph(Answer):
    """Cases with their causes, components, symptoms and contributing factors."""

    applied: Applied
    total: int = Field(description="cases that match")
    shown: int = Field(description="cases in the graph: the newest of them")
    nodes: tuple[Node, ...]
    edges: tuple[Link, ...]


def result_graph(
    lib: Library, wanted: Filter, ids: Sequence[str] | None, *, limit: int, lang: str
) -> ResultGraph:
    """The graph of the newest cases that a filter lets through, or of some of these.

    Raises:
        CaseNotFound: an id is not in the library.
    """
    page = lib.list(wanted, limit=max(len(lib), 1), lang=lang)
    given = None if ids is None else {lib.get(i).id for i in ids}
    matching = [i for i in page.ids if given is None or i in given]
    found = lib.result_graph(matching[:limit])
    nodes = [_node(lib, kind, n) for kind, own in found.nodes.items() for n in own]
    return ResultGraph(
        applied=applied(lib, wanted, "/graph", limit=limit, lang=lang, case=ids),
        total=len(matching),
        shown=len(found.nodes["case"]),
        nodes=tuple(nodes),
        edges=tuple(_link(e, lang) for e in found.edges),
    )


def _node(lib: Library, kind: str, node: str) -> Node:
    if kind == "case":
        case_id = node.partition(":")[2]
        title = lib.get(case_id).title
        labels = {lang: title.text(lang) for lang in title.languages}
        return Node(id=node, kind="case", labels=labels, url=url(f"/cases/{case_id}"))
    labels = dict(lib.vocabulary.terms[node].label.items())
    return Node.model_validate(
        {"id": node, "kind": kind, "labels": labels, "url": url(f"/topics/{node}")}
    )


def _link(edge: Edge, lang: str) -> Link:
    own = [s.quote for s in edge.evidence if s.lang == lang]
    return Link(
        source=edge.source,
        relation=str(edge.relation),
        target=edge.target,
        status=str(edge.status),
        role=edge.role,
        claim_id=edge.claim_id,
        quotes=tuple(own or [s.quote for s in edge.evidence[:1]]),
    )
