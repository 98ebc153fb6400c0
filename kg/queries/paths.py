"""Ranked ways through the typed graph from one side to the other, and what each step rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, pairwise, product

from kg.graph import IncidentGraph, Relation, kind_of
from kg.graph.compact import STATUS_WEIGHT, rarity_of
from kg.model import Status
from kg.queries.counterparts import counterparts
from kg.queries.information import GENERIC_CASES, information, is_generic
from kg.queries.sharing import KIND_WEIGHTS, SharedTerm
from kg.queries.sides import TEXT, Saying, Side, standing, strength, weaker
from kg.vocab import Vocabulary

COUNTERPART = "COUNTERPART"
"""Between two terms of different schemes that stand for one circumstance; no edge of the graph."""

MOST_CHAINS = 12
MOST_OTHERS = 6
MOST_GENERIC = 3
"""At most so many paths of each kind; of direct ones, at most so many through generic terms."""

_COMMON_CHAIN, _HALF_CHAIN = 0.25, 0.125
_COUNTERPART, _NEIGHBOUR, _SAME_WHOLE = 0.5, 0.5, 0.25
"""Weights by hand. A chain puts in order what direct paths say, which no record may state; half a
chain is a hint, and what only stands beside the other's term says less than the term itself."""

_BETWEEN_TERMS = (Relation.PART_OF, Relation.DEPENDS_ON, Relation.VARIANT_OF)


class Basis(StrEnum):
    """What a step rests on."""

    CLAIM = "claim"
    VOCABULARY = "vocabulary"
    DERIVED = "derived"


class PathKind(StrEnum):
    """What a path says.

    A term in common; a broader one; a cause that is a factor or the trigger of the other; a chain
    of trigger, cause and symptom; terms that belong together; a link between the cases themselves.
    """

    SAME = "same"
    BROADER = "broader"
    COUNTERPART = "counterpart"
    CHAIN = "chain"
    NEIGHBOUR = "neighbour"
    LINK = "link"


@dataclass(frozen=True)
class Step:
    """One edge of a path, as it stands in the graph: source, relation, target.

    Attributes:
        source, relation, target: the triple; `relation` may also be `COUNTERPART`.
        basis: `claim` (a case or text says so), `vocabulary` (the controlled lists say so), or
            `derived` (computed; of `LEADS_TO`, from the claims at both its ends).
        status: the weakest claim that it rests on; confirmed for the vocabulary.
        sayings: the claims that it rests on, with statements and spans.
    """

    source: str
    relation: str
    target: str
    basis: Basis
    status: Status
    sayings: tuple[Saying, ...] = ()


@dataclass(frozen=True)
class Path:
    """A way through the graph from one side to the other; edges may be walked backwards.

    `nodes` are in walking order, `steps` join each node to the next; `weight` ranks paths of which
    every step is stated, then those with a derived one; `status` is the weakest claim on the way.
    """

    kind: PathKind
    nodes: tuple[str, ...]
    steps: tuple[Step, ...]
    weight: float
    status: Status

    @property
    def derived(self) -> bool:
        """Whether it goes from one thing to what it led to, which is derived and not stated."""
        return any(step.relation == Relation.LEADS_TO for step in self.steps)

    def __str__(self) -> str:
        text = self.nodes[0]
        for node, step in zip(self.nodes[1:], self.steps, strict=True):
            name = f"{step.relation}{_mark(step)}"
            if step.relation == COUNTERPART:
                text += f" ={name}= {node}"
            elif step.target == node:
                text += f" -{name}-> {node}"
            else:
                text += f" <-{name}- {node}"
        return text


def _mark(step: Step) -> str:
    """What a step must not be read without: that it is derived, or only suspected."""
    derived = step.basis is Basis.DERIVED and step.relation != COUNTERPART  # drawn as such
    marks = [str(step.basis)] if derived else []
    marks += [str(step.status)] if step.status is not Status.CONFIRMED else []
    return f"[{', '.join(marks)}]" if marks else ""


def make_paths(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    left: Side,
    right: Side,
    shared: Sequence[SharedTerm],
) -> list[Path]:
    """The paths between two sides, each at most once; stated ones first, the heaviest in front.

    Ruled-out claims never lie on a path, suspected ones halve its weight. Through a term that
    many cases have few paths are told, and no half chain.
    """
    direct = [_direct(vocabulary, s) for s in shared if not s.generic]
    generic = [_direct(vocabulary, s) for s in shared if s.generic]
    paths = [
        *direct,
        *_best(generic, MOST_GENERIC),
        *_best(_chains(left, right, shared), MOST_CHAINS),
        *_best(_over_counterparts(graph, vocabulary, left, right, shared), MOST_OTHERS),
        *_best(_over_neighbours(graph, vocabulary, left, right, shared), MOST_OTHERS),
        *_best(_links(graph, left, right), MOST_OTHERS),
    ]
    return _best(paths, len(paths))


def _best(paths: Iterable[Path], most: int) -> list[Path]:
    """The heaviest paths, each way once: of two claims about one cause the stronger is told."""
    told: dict[tuple[object, ...], Path] = {}
    for path in sorted(paths, key=lambda p: (p.derived, -p.weight, p.nodes, str(p))):
        told.setdefault((path.nodes, tuple((s.source, s.relation) for s in path.steps)), path)
    return list(told.values())[:most]


def _path(kind: PathKind, start: str, steps: Sequence[Step], weight: float) -> Path:
    nodes = [start]
    for step in steps:
        nodes.append(step.target if step.source == nodes[-1] else step.source)
    return Path(kind, tuple(nodes), tuple(steps), weight, weaker(s.status for s in steps))


def _said(sayings: Sequence[Saying]) -> Step:
    """The step from a side to a term: its strongest claim, and all that say the same."""
    first = sayings[0]
    same = tuple(s for s in sayings if (s.target, s.relation) == (first.target, first.relation))
    return Step(first.source, str(first.relation), first.target, Basis.CLAIM, first.status, same)


def _listed(source: str, relation: Relation, target: str) -> Step:
    return Step(source, str(relation), target, Basis.VOCABULARY, Status.CONFIRMED)


def _leads(before: Sequence[Saying], after: Sequence[Saying]) -> Step:
    """A derived step between two terms that one case, or both, claim."""
    sayings = (*before, *after)
    return Step(
        before[0].target,
        str(Relation.LEADS_TO),
        after[0].target,
        Basis.DERIVED,
        weaker(s.status for s in sayings),
        sayings,
    )


def _direct(vocabulary: Vocabulary, shared: SharedTerm) -> Path:
    """Side → term → … → meeting term ← … ← term ← side."""
    left, right = shared.left, shared.right
    up = climb(vocabulary, left[0].target, shared.term)
    down = climb(vocabulary, right[0].target, shared.term)[::-1]
    steps = (
        _said(left),
        *(_listed(x, Relation.BROADER, y) for x, y in pairwise(up)),
        *(_listed(y, Relation.BROADER, x) for x, y in pairwise(down)),
        _said(right),
    )
    kind = PathKind.SAME if shared.steps == (0, 0) else PathKind.BROADER
    return _path(kind, left[0].source, steps, shared.weight)


def climb(vocabulary: Vocabulary, low: str, high: str) -> tuple[str, ...]:
    """The shortest way up from a term to one of its broader terms, both included."""
    ways: list[tuple[str, ...]] = [(low,)]
    while ways[0][-1] != high:
        way = ways.pop(0)
        ways += [(*way, parent) for parent in sorted(vocabulary.terms[way[-1]].broader)]
    return ways[0]


def _chains(left: Side, right: Side, shared: Sequence[SharedTerm]) -> Iterator[Path]:
    """Chains of trigger, cause and symptom that both sides go along, or one as far as it goes."""
    met = {s.term: s for s in shared if s.steps == (0, 0)}
    triggers = [s for s in met.values() if s.kind == "trigger"]
    symptoms = [s for s in met.values() if s.kind == "symptom"]
    for one, other, turned in ((left, right, False), (right, left, True)):
        if one.name == TEXT:
            continue  # a text tells of no chain
        said, heard = standing(one.sayings), standing(other.sayings)
        for cause in (t for t in said if kind_of(t) == "cause"):
            common = cause in met and other.name != TEXT
            if common and turned:
                continue  # told from the other side
            tellers = (said, heard) if common else (said,)
            mine = [s for s in symptoms if not any(_apart(x, cause, s.term) for x in tellers)]
            for ends in _ends(triggers, mine, common):
                found = _chain(said, heard, cause, ends, met, common)
                yield _turned(found) if turned else found


def _apart(told: Mapping[str, Sequence[Saying]], cause: str, symptom: str) -> bool:
    """Whether a record tells of a symptom with another cause, or of other symptoms with this one.

    It does where the words quoted for a cause hold those quoted for a symptom. An incident of two
    events has causes and symptoms of both, and none is drawn from one to the other.
    """
    causes = [t for t in told if kind_of(t) == "cause"]
    if symptom not in told or len(causes) < 2:
        return False
    symptoms = [t for t in told if kind_of(t) == "symptom"]
    with_it = {c for c in causes if _holds(told[c], told[symptom])}
    its = {s for s in symptoms if _holds(told[cause], told[s])}
    return bool(with_it and cause not in with_it) or bool(its and symptom not in its)


def _holds(whole: Sequence[Saying], part: Sequence[Saying]) -> bool:
    """Whether the words quoted for one thing hold those quoted for another."""
    quotes = [(e.field, e.lang, e.quote) for s in whole for e in s.evidence]
    return any(
        (e.field, e.lang) == (field, lang) and e.quote in quote
        for s in part
        for e in s.evidence
        for field, lang, quote in quotes
    )


_Ends = tuple[SharedTerm | None, SharedTerm | None]
"""The shared trigger and the shared symptom at the ends of a chain; one may be missing."""


def _ends(
    triggers: Sequence[SharedTerm], symptoms: Sequence[SharedTerm], common: bool
) -> Iterator[_Ends]:
    telling = [s for s in symptoms if common or not s.generic]
    yield from ((None, symptom) for symptom in telling)
    yield from product(triggers, telling)
    if common:
        yield from ((trigger, None) for trigger in triggers)


def _chain(
    said: Mapping[str, Sequence[Saying]],
    heard: Mapping[str, Sequence[Saying]],
    cause: str,
    ends: _Ends,
    met: Mapping[str, SharedTerm],
    common: bool,
) -> Path:
    """From a side along its chain to the end that the other side has as well."""

    def of(term: str) -> tuple[Saying, ...]:
        """What the chain rests on at a term: the claims of one case, or of both."""
        return (said[term][0], heard[term][0]) if common else (said[term][0],)

    trigger, symptom = ends
    nodes = [t for t in (trigger and trigger.term, cause, symptom and symptom.term) if t]
    steps = [
        _said(said[nodes[0]]),
        *(_leads(of(x), of(y)) for x, y in pairwise(nodes)),
        _said(heard[nodes[-1]]),
    ]
    parts = [met[t].weight for t in nodes if t in met]
    share = _COMMON_CHAIN if common else _HALF_CHAIN * STATUS_WEIGHT[said[cause][0].status]
    return _path(PathKind.CHAIN, steps[0].source, steps, share * sum(parts) / len(parts))


def _turned(path: Path) -> Path:
    return Path(path.kind, path.nodes[::-1], path.steps[::-1], path.weight, path.status)


def _over_counterparts(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    left: Side,
    right: Side,
    shared: Sequence[SharedTerm],
) -> Iterator[Path]:
    """What is the cause on one side is a contributing factor or the trigger on the other."""
    pairs = counterparts(vocabulary)
    told = {s.term for s in shared if s.steps == (0, 0)}
    mine, theirs = standing(left.sayings), standing(right.sayings)
    for x, y in product(mine, theirs):
        beside = y in pairs.get(x, ()) or x in pairs.get(y, ())
        if beside and not told & {x, y}:
            steps = (_said(mine[x]), _beside(x, y), _said(theirs[y]))
            yield _path(
                PathKind.COUNTERPART,
                left.node,
                steps,
                _COUNTERPART * _pair_weight(graph, mine[x], theirs[y]),
            )


def _beside(x: str, y: str) -> Step:
    cause, other = (x, y) if kind_of(x) == "cause" else (y, x)
    return Step(cause, COUNTERPART, other, Basis.DERIVED, Status.CONFIRMED)


def _pair_weight(graph: IncidentGraph, one: Sequence[Saying], other: Sequence[Saying]) -> float:
    """The weight of the less telling one of two terms."""
    return min(
        information(graph, said[0].target)
        * KIND_WEIGHTS[kind_of(said[0].target)]
        * strength(said[0])
        for said in (one, other)
    )


def _over_neighbours(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    left: Side,
    right: Side,
    shared: Sequence[SharedTerm],
) -> Iterator[Path]:
    """Components and tools that are part of, need or vary the other's, or belong to one whole."""
    told = {x.term for x in shared}
    told |= {said.target for x in shared for said in (*x.left, *x.right)}
    mine, theirs = (
        {
            t: said
            for t, said in standing(side.sayings).items()
            if kind_of(t) in ("component", "tool") and t not in told
        }
        for side in (left, right)
    )
    for x, y in product(mine, theirs):
        for steps, share, through in _joined(vocabulary, x, y):
            if through in told or is_generic(graph, through):
                continue
            weight = share * min(
                _pair_weight(graph, mine[x], theirs[y]),
                information(graph, through) * KIND_WEIGHTS[kind_of(through)],
            )
            whole = (_said(mine[x]), *steps, _said(theirs[y]))
            yield _path(PathKind.NEIGHBOUR, left.node, whole, weight)


def _joined(
    vocabulary: Vocabulary, x: str, y: str
) -> Iterator[tuple[tuple[Step, ...], float, str]]:
    """The steps between two terms that the vocabulary joins, and the term that they meet in."""
    for relation in _BETWEEN_TERMS:
        for low, high in ((x, y), (y, x)):
            if high in _targets(vocabulary, low, relation):
                yield (_listed(low, relation, high),), _NEIGHBOUR, high
    wholes = set(_targets(vocabulary, x, Relation.PART_OF))
    for whole in sorted(wholes & set(_targets(vocabulary, y, Relation.PART_OF))):
        parts = (_listed(x, Relation.PART_OF, whole), _listed(y, Relation.PART_OF, whole))
        yield parts, _SAME_WHOLE, whole


def _targets(vocabulary: Vocabulary, term: str, relation: Relation) -> tuple[str, ...]:
    targets: tuple[str, ...] = getattr(vocabulary.terms[term], str(relation).lower())
    return targets


def _links(graph: IncidentGraph, left: Side, right: Side) -> Iterator[Path]:
    """Links between the cases themselves: named as related by one, or told in the same source."""
    count = len(graph.terms.cases)
    for one, other in ((left, right), (right, left)):
        for saying in one.sayings:
            if saying.relation is Relation.RELATED_TO and saying.target == other.node:
                yield _path(PathKind.LINK, left.node, (_said([saying]),), rarity_of(2, count))
    mine, theirs = (
        {s.target: s for s in side.sayings if s.relation is Relation.CITES}
        for side in (left, right)
    )
    for source in sorted(mine.keys() & theirs.keys()):
        citing = len({e.case_id for e in graph.edges_to(source)})
        if citing < GENERIC_CASES:  # else a collection, which says nothing of two of its entries
            steps = (_said([mine[source]]), _said([theirs[source]]))
            yield _path(PathKind.LINK, left.node, steps, 0.5 * rarity_of(citing, count))


def statements(paths: Iterable[Path]) -> Iterator[Saying]:
    """Every claim on some paths, in walking order."""
    return chain.from_iterable(step.sayings for path in paths for step in path.steps)
