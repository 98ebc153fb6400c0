"""What two sides share: common terms, nearest common broader terms, and the same-cause verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from kg.graph import IncidentGraph, Relation, kind_of
from kg.model import Role, Status
from kg.queries.information import confirming, information, is_generic, similarity
from kg.queries.sides import Saying, standing, strength, weaker
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
    """Something that two sides have in common.

    Attributes:
        term: the common term: the same in both, or the nearest broader one.
        kind: its kind.
        steps: how many steps up each side's own term lies (0 = the term itself).
        status: the weaker of the two sides' statuses; never ruled out.
        rarity: weight of sharing it, its information content; rare terms say more.
        similarity: how near the own terms of both sides are, 0 to 1 (Lin 1998); 1 for the same.
        cases: how many cases of the library confirm it or something below it.
        generic: so many that sharing it says next to nothing.
        weight: share of the whole likeness, rarity × similarity × kind × strength.
        left, right: what both sides say of it, strongest first, with statements and evidence.
    """

    term: str
    kind: str
    steps: tuple[int, int]
    status: Status
    rarity: float
    similarity: float
    cases: int
    generic: bool
    weight: float
    left: tuple[Saying, ...]
    right: tuple[Saying, ...]


def shared_terms(graph: IncidentGraph, vocabulary: Vocabulary, a: str, b: str) -> list[SharedTerm]:
    """Everything that two cases share; see `shared_between`."""
    return shared_between(graph, vocabulary, graph.edges_of(a), graph.edges_of(b))


def shared_between(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    left: Iterable[Saying],
    right: Iterable[Saying],
) -> list[SharedTerm]:
    """Everything that two sides share, ranked within its kind, kinds in `KIND_ORDER`.

    For each pair of terms only the nearest meeting point is told, and no term twice: a broader
    one that a narrower one already explains is left out. Ruled-out claims share nothing.
    """
    mine, theirs = standing(left), standing(right)
    found: list[SharedTerm] = []
    for kind in KIND_ORDER:
        one = {t: said for t, said in mine.items() if kind_of(t) == kind}
        other = {t: said for t, said in theirs.items() if kind_of(t) == kind}
        shared = [
            _shared(graph, vocabulary, meeting, _of(one, left_met), _of(other, right_met))
            for meeting, (left_met, right_met) in _meetings(graph, vocabulary, one, other).items()
        ]
        found += sorted(shared, key=lambda s: (-s.weight, s.term))
    return found


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
    return same_of_causes(vocabulary, confirmed_causes(graph, a), confirmed_causes(graph, b))


def same_of_causes(vocabulary: Vocabulary, left: Sequence[str], right: Sequence[str]) -> SameCause:
    """What `same_cause` says of two cases with these confirmed causes."""
    meetings = cause_meetings(vocabulary, left, right)
    if any(_specific(vocabulary, m) for m in meetings):
        return SameCause.YES
    return SameCause.UNKNOWN if meetings or not (left and right) else SameCause.NO


def common_causes(graph: IncidentGraph, vocabulary: Vocabulary, a: str, b: str) -> list[str]:
    """The specific terms in which confirmed causes of two cases meet, primary ones first.

    Not empty exactly when `same_cause` says yes.
    """
    left, right = confirmed_causes(graph, a), confirmed_causes(graph, b)
    return [m for m in cause_meetings(vocabulary, left, right) if _specific(vocabulary, m)]


def cause_meetings(vocabulary: Vocabulary, left: Sequence[str], right: Sequence[str]) -> list[str]:
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


_Met = tuple[set[str], set[str]]
"""The terms of both sides that meet in one term."""


def _meetings(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    mine: Mapping[str, Sequence[Saying]],
    theirs: Mapping[str, Sequence[Saying]],
) -> dict[str, _Met]:
    """Where the terms of two sides meet: the same ones, then the nearest and surest broader ones.

    What has met is not told again.
    """
    above_mine = {t: vocabulary.broader_steps(t) for t in mine}
    above_theirs = {t: vocabulary.broader_steps(t) for t in theirs}
    pairs: dict[tuple[bool, float, int, str], list[tuple[str, str]]] = {}
    for x, ups in above_mine.items():
        for y, others in above_theirs.items():
            for m in ups.keys() & others.keys():
                sure = min(strength(mine[x][0]), strength(theirs[y][0]))
                near = round(similarity(graph, x, y, m) * sure, 12)
                steps = ups[m] + others[m]
                pairs.setdefault((steps > 0, -near, steps, m), []).append((x, y))
    meetings: dict[str, _Met] = {}
    told: _Met = (set(), set())
    for (*_, meeting), met in sorted(pairs.items()):
        new = [(x, y) for x, y in met if x not in told[0] and y not in told[1]]
        if new and meeting not in meetings:
            meetings[meeting] = ({x for x, _ in new}, {y for _, y in new})
        if meeting in meetings:
            told[0].update(x for x, _ in met)
            told[1].update(y for _, y in met)
    return meetings


def _shared(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    meeting: str,
    mine: Sequence[Saying],
    theirs: Sequence[Saying],
) -> SharedTerm:
    left, right = (tuple(sorted(s, key=lambda s: -strength(s))) for s in (mine, theirs))
    rarity, kind = information(graph, meeting), kind_of(meeting)
    near = similarity(graph, left[0].target, right[0].target, meeting)
    weight = rarity * near * KIND_WEIGHTS[kind] * min(strength(left[0]), strength(right[0]))
    steps = tuple(vocabulary.broader_steps(s[0].target)[meeting] for s in (left, right))
    return SharedTerm(
        term=meeting,
        kind=kind,
        steps=(steps[0], steps[1]),
        status=weaker((left[0].status, right[0].status)),
        rarity=rarity,
        similarity=near,
        cases=confirming(graph, meeting),
        generic=is_generic(graph, meeting),
        weight=weight,
        left=left,
        right=right,
    )


def _of(said: Mapping[str, Sequence[Saying]], terms: Iterable[str]) -> list[Saying]:
    return [s for term in sorted(terms) for s in said[term]]
