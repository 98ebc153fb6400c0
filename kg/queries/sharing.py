"""What two cases share: common terms, nearest common broader terms, and the same-cause verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from kg.graph import Edge, IncidentGraph, Relation, kind_of
from kg.graph.compact import SIMILARITY_RELATIONS, STATUS_WEIGHT
from kg.model import Role, Status
from kg.vocab import Vocabulary

KIND_WEIGHTS: Mapping[str, float] = {
    "cause": 3.0,
    "trigger": 2.0,
    "symptom": 2.0,
    "factor": 1.5,
    "component": 1.0,
    "mitigation": 1.0,
    "tool": 0.5,
}
"""How much sharing a term of each kind says about two cases being alike. Set by hand; the
issue of fitting them on labelled pairs has its own evaluation."""

KIND_ORDER = ("cause", "trigger", "factor", "symptom", "component", "mitigation", "tool")
"""The order in which shared things are told: root causes first."""


class SameCause(StrEnum):
    """Whether two cases have a confirmed cause in common; `unknown` when nobody can tell."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class SharedTerm:
    """Something that two cases have in common.

    Attributes:
        term: the common term: the same in both, or the nearest broader one.
        kind: its kind.
        steps: how many steps up each side's own term lies (0 = the term itself).
        status: the weaker of the two sides' statuses; never ruled out.
        rarity: weight of sharing it; rare terms say more.
        weight: share of the whole likeness, rarity × kind × status × closeness.
        left, right: the edges that say so, with statements and evidence.
    """

    term: str
    kind: str
    steps: tuple[int, int]
    status: Status
    rarity: float
    weight: float
    left: tuple[Edge, ...]
    right: tuple[Edge, ...]


@dataclass(frozen=True)
class Contrast:
    """A term that one case confirms or suspects and the other rules out."""

    term: str
    left: Edge
    right: Edge


def shared_terms(graph: IncidentGraph, vocabulary: Vocabulary, a: str, b: str) -> list[SharedTerm]:
    """Everything that two cases share, ranked within its kind, kinds in `KIND_ORDER`.

    For each pair of terms only the nearest meeting point is told; a broader term that is
    already explained by a narrower one is left out. Ruled-out claims share nothing.
    """
    left, right = _by_term(graph.edges_of(a)), _by_term(graph.edges_of(b))
    found: list[SharedTerm] = []
    for kind in KIND_ORDER:
        mine = {t: e for t, e in left.items() if kind_of(t) == kind}
        theirs = {t: e for t, e in right.items() if kind_of(t) == kind}
        shared = [
            _shared(graph, vocabulary, meeting, mine, theirs)
            for meeting in _meetings(vocabulary, mine, theirs)
        ]
        found += sorted(shared, key=lambda s: (-s.weight, s.term))
    return found


def contrasts(graph: IncidentGraph, a: str, b: str) -> list[Contrast]:
    """Terms that one case rules out and the other does not, by term."""
    found = []
    for mine in graph.edges_of(a):
        for theirs in graph.edges_of(b):
            ruled = {mine.status, theirs.status}
            if mine.target == theirs.target and Status.RULED_OUT in ruled and len(ruled) > 1:
                found.append(Contrast(mine.target, mine, theirs))
    return sorted(found, key=lambda c: c.term)


def confirmed_causes(graph: IncidentGraph, case_id: str) -> list[str]:
    """The confirmed cause terms of a case, the primary one first."""
    edges = [e for e in graph.edges_of(case_id, Relation.CAUSED_BY) if e.status is Status.CONFIRMED]
    edges.sort(key=lambda e: e.role != Role.PRIMARY)
    return list(dict.fromkeys(e.target for e in edges))


def same_cause(graph: IncidentGraph, vocabulary: Vocabulary, a: str, b: str) -> SameCause:
    """Whether two cases have a confirmed cause in common.

    Yes: some confirmed cause is the same term in both, or one lies below the other, and the term
    in which they meet is specific. No: both have confirmed causes and none meet. Unknown: a case
    has no confirmed cause, or they meet only in a most general class such as hardware failure.
    """
    left, right = confirmed_causes(graph, a), confirmed_causes(graph, b)
    meetings = _cause_meetings(vocabulary, left, right)
    if any(_specific(vocabulary, m) for m in meetings):
        return SameCause.YES
    return SameCause.UNKNOWN if meetings or not (left and right) else SameCause.NO


def common_causes(graph: IncidentGraph, vocabulary: Vocabulary, a: str, b: str) -> list[str]:
    """The specific terms in which confirmed causes of two cases meet, primary ones first.

    Not empty exactly when `same_cause` says yes.
    """
    left, right = confirmed_causes(graph, a), confirmed_causes(graph, b)
    return [m for m in _cause_meetings(vocabulary, left, right) if _specific(vocabulary, m)]


def _cause_meetings(vocabulary: Vocabulary, left: Sequence[str], right: Sequence[str]) -> list[str]:
    """The upper one of each pair of causes of which one is, or lies below, the other."""
    uppers = (_upper_of(vocabulary, x, y) for x in left for y in right)
    return list(dict.fromkeys(u for u in uppers if u is not None))


def _specific(vocabulary: Vocabulary, term: str) -> bool:
    """Whether a term says more than a class: it has something broader, or nothing narrower."""
    return bool(vocabulary.terms[term].broader) or term not in vocabulary.narrower


def _upper_of(vocabulary: Vocabulary, x: str, y: str) -> str | None:
    if y in vocabulary.broader_steps(x):
        return y
    return x if x in vocabulary.broader_steps(y) else None


def _by_term(edges: Iterable[Edge]) -> dict[str, list[Edge]]:
    found: dict[str, list[Edge]] = {}
    for edge in edges:
        if edge.relation in SIMILARITY_RELATIONS and edge.status is not Status.RULED_OUT:
            found.setdefault(edge.target, []).append(edge)
    return found


def _meetings(
    vocabulary: Vocabulary, mine: Mapping[str, object], theirs: Mapping[str, object]
) -> list[str]:
    """The nearest common terms of two sets: same ones, then broader ones not yet explained."""
    above_mine = {t: vocabulary.broader_steps(t) for t in mine}
    above_theirs = {t: vocabulary.broader_steps(t) for t in theirs}
    pairs = sorted(
        (steps + above_theirs[y][m], m, x, y)
        for x, ups in above_mine.items()
        for m, steps in ups.items()
        for y in theirs
        if m in above_theirs[y]
    )
    meetings: list[str] = []
    told_left: set[str] = set()
    told_right: set[str] = set()
    for _, meeting, x, y in pairs:
        if meeting in meetings or not (x in told_left or y in told_right):
            meetings += [] if meeting in meetings else [meeting]
            told_left.add(x)
            told_right.add(y)
    return meetings


def _shared(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    meeting: str,
    mine: Mapping[str, list[Edge]],
    theirs: Mapping[str, list[Edge]],
) -> SharedTerm:
    left, steps_left = _side(vocabulary, meeting, mine)
    right, steps_right = _side(vocabulary, meeting, theirs)
    strength = min(_strength(left), _strength(right))
    rarity = graph.terms.rarity_by_term(meeting)
    closeness = 0.5 ** (steps_left + steps_right)
    kind = kind_of(meeting)
    return SharedTerm(
        term=meeting,
        kind=kind,
        steps=(steps_left, steps_right),
        status=Status.CONFIRMED if strength == 1.0 else Status.SUSPECTED,
        rarity=rarity,
        weight=rarity * KIND_WEIGHTS[kind] * strength * closeness,
        left=left,
        right=right,
    )


def _side(
    vocabulary: Vocabulary, meeting: str, edges: Mapping[str, list[Edge]]
) -> tuple[tuple[Edge, ...], int]:
    """The edges of one side that lie nearest below the meeting term, strongest first."""
    steps = {t: up[meeting] for t in edges if meeting in (up := vocabulary.broader_steps(t))}
    least = min(steps.values())
    nearest = [e for t, s in sorted(steps.items()) if s == least for e in edges[t]]
    nearest.sort(key=lambda e: -STATUS_WEIGHT[e.status])
    return tuple(nearest), least


def _strength(edges: Sequence[Edge]) -> float:
    return max(STATUS_WEIGHT[e.status] for e in edges)
