"""Why two cases are alike: shared root causes first, ranked paths, and what differs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from kg.graph import Edge, IncidentGraph, Relation, case_node, kind_of
from kg.graph.compact import STATUS_WEIGHT
from kg.model import Case, Status
from kg.queries.sharing import (
    KIND_ORDER,
    Contrast,
    SameCause,
    SharedTerm,
    contrasts,
    same_cause,
    shared_terms,
)
from kg.queries.tell import tell
from kg.vocab import Vocabulary


@dataclass(frozen=True)
class Step:
    """One edge of a path, as it stands in the graph: source, relation, target."""

    source: str
    relation: Relation
    target: str


@dataclass(frozen=True)
class Path:
    """A way through the graph from one case to the other; edges may be walked backwards.

    `nodes` are in walking order, `steps` join each node to the next; `weight` ranks paths and
    `status` is the weakest claim on the way.
    """

    nodes: tuple[str, ...]
    steps: tuple[Step, ...]
    weight: float
    status: Status

    def __str__(self) -> str:
        text = self.nodes[0]
        for node, step in zip(self.nodes[1:], self.steps, strict=True):
            forward = step.target == node
            text += f" -{step.relation}-> {node}" if forward else f" <-{step.relation}- {node}"
        return text


@dataclass(frozen=True)
class Explanation:
    """Why two cases are alike, and where they differ.

    Attributes:
        a, b: the case ids.
        same_cause: the verdict on their root causes.
        shared: what they have in common, root causes first, each with both sides' edges.
        contrasts: what one rules out and the other does not.
        paths: ranked paths through the graph.
        only_a, only_b: terms of each kind that the other does not have (ruled-out ones aside).
        lang: the language of `text`.
        text: one paragraph.
    """

    a: str
    b: str
    same_cause: SameCause
    shared: tuple[SharedTerm, ...]
    contrasts: tuple[Contrast, ...]
    paths: tuple[Path, ...]
    only_a: Mapping[str, tuple[str, ...]]
    only_b: Mapping[str, tuple[str, ...]]
    lang: str
    text: str

    def __str__(self) -> str:
        return self.text


def make_explanation(
    graph: IncidentGraph, vocabulary: Vocabulary, a: Case, b: Case, lang: str
) -> Explanation:
    """Explain two cases; see `Explanation`."""
    shared = shared_terms(graph, vocabulary, a.id, b.id)
    verdict = same_cause(graph, vocabulary, a.id, b.id)
    met_a = {e.target for s in shared for e in s.left}
    met_b = {e.target for s in shared for e in s.right}
    only_a, only_b = _only(graph, a.id, met_a), _only(graph, b.id, met_b)
    differing = contrasts(graph, a.id, b.id)
    return Explanation(
        a=a.id,
        b=b.id,
        same_cause=verdict,
        shared=tuple(shared),
        contrasts=tuple(differing),
        paths=tuple(_paths(graph, vocabulary, a.id, b.id, shared)),
        only_a=only_a,
        only_b=only_b,
        lang=lang,
        text=tell(graph, vocabulary, a, b, verdict, shared, differing, lang),
    )


def _only(graph: IncidentGraph, case_id: str, met: set[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {kind: [] for kind in KIND_ORDER}
    for edge in graph.edges_of(case_id):
        kind = kind_of(edge.target)
        stands = edge.status is not Status.RULED_OUT and edge.relation is not Relation.CHECKED_BY
        if kind in found and stands and edge.target not in (*met, *found[kind]):
            found[kind].append(edge.target)
    return {kind: tuple(terms) for kind, terms in found.items() if terms}


def _paths(
    graph: IncidentGraph, vocabulary: Vocabulary, a: str, b: str, shared: list[SharedTerm]
) -> list[Path]:
    paths = [_direct(vocabulary, s) for s in shared]
    for symptom in (s for s in shared if s.kind == "symptom"):
        paths += _through_cause(graph, a, symptom, symptom.left[0].target, symptom.right)
        paths += [
            _reverse(p)
            for p in _through_cause(graph, b, symptom, symptom.right[0].target, symptom.left)
        ]
    # Two claims of a case about one cause give the same path; the stronger one is told.
    told: dict[tuple[object, ...], Path] = {}
    for path in sorted(paths, key=lambda p: (-p.weight, p.nodes)):
        told.setdefault((path.nodes, path.steps), path)
    return list(told.values())


def _direct(vocabulary: Vocabulary, shared: SharedTerm) -> Path:
    """Case → term → … → meeting term ← … ← term ← case."""
    left, right = shared.left[0], shared.right[0]
    up = _climb(vocabulary, left.target, shared.term)
    down = _climb(vocabulary, right.target, shared.term)[::-1]
    nodes = (left.source, *up, *down[1:], right.source)
    steps = (
        _step(left),
        *(Step(x, Relation.BROADER, y) for x, y in pairwise(up)),
        *(Step(y, Relation.BROADER, x) for x, y in pairwise(down)),
        _step(right),
    )
    return Path(nodes, steps, shared.weight, shared.status)


def _through_cause(
    graph: IncidentGraph, case_id: str, shared: SharedTerm, symptom: str, other: tuple[Edge, ...]
) -> list[Path]:
    """Case → its cause → the symptom that the other case shows as well.

    Only where the symptom is the same term in both, since a chain of generalities says nothing.
    """
    if other[0].target != symptom:
        return []
    paths = []
    for cause in graph.edges_of(case_id, Relation.CAUSED_BY):
        if cause.status is Status.RULED_OUT:
            continue
        nodes = (case_node(case_id), cause.target, symptom, other[0].source)
        steps = (_step(cause), Step(cause.target, Relation.LEADS_TO, symptom), _step(other[0]))
        # A hint only: the other case shows the symptom, nobody says it has the cause.
        weight = 0.25 * shared.weight * STATUS_WEIGHT[cause.status]
        status = min(cause.status, shared.status, key=lambda s: STATUS_WEIGHT[s])
        paths.append(Path(nodes, steps, weight, status))
    return paths


def _climb(vocabulary: Vocabulary, low: str, high: str) -> tuple[str, ...]:
    """The shortest way up from a term to one of its broader terms, both included."""
    ways: list[tuple[str, ...]] = [(low,)]
    while ways[0][-1] != high:
        way = ways.pop(0)
        ways += [(*way, parent) for parent in sorted(vocabulary.terms[way[-1]].broader)]
    return ways[0]


def _step(edge: Edge) -> Step:
    return Step(edge.source, edge.relation, edge.target)


def _reverse(path: Path) -> Path:
    return Path(path.nodes[::-1], path.steps[::-1], path.weight, path.status)
