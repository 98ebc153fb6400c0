"""Recurrences: one organisation, one confirmed cause, again at a later time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from kg.graph import Edge, IncidentGraph
from kg.model import Case, CaseKind, FieldState, Status
from kg.queries.holding import edges_of_kind, widening
from kg.queries.notes import note
from kg.queries.ordering import (
    Kinds,
    Order,
    Times,
    first_of,
    gap_of,
    is_sure,
    make_order,
    times_of,
)
from kg.queries.sharing import common_causes, confirmed_causes
from kg.queries.shown import Shown
from kg.vocab import Vocabulary


@dataclass(frozen=True)
class FollowUps:
    """What an incident says was changed afterwards; it happened again all the same.

    Whether and when the changes were made is not recorded, unless the statements say so.

    Attributes:
        state: whether the case states follow-ups (`stated`), that there were none (`none`), or
            nothing of it (`not_stated`).
        edges: the claims, those that are ruled out left out.
        aimed: claim ids of those that are said to act on the cause that came back.
    """

    state: FieldState
    edges: tuple[Edge, ...]
    aimed: tuple[str, ...]


@dataclass(frozen=True)
class Recurrence:
    """An incident that had happened to the same organisation from the same cause before.

    Attributes:
        organization: the owner of both.
        causes: the specific terms in which their confirmed causes meet.
        earlier, later: case ids; `earlier` is the nearest one before.
        times: the how-manyth incident this is of those of the owner that have some cause in common
            with it, as far as the library knows (2 or more); not each has every one of `causes`.
        before: these earlier ones, the furthest back first; `earlier` is one of them. Where the
            order of some is proven, only these.
        order: which times were compared, how many days lie between, and whether they prove it.
        follow_ups: what the earlier case says was changed.
        evidence: the claims of both about the causes and the organisation.
    """

    organization: str
    causes: tuple[str, ...]
    earlier: str
    later: str
    times: int
    before: tuple[str, ...]
    order: Order
    follow_ups: FollowUps
    evidence: tuple[Edge, ...]


@dataclass(frozen=True)
class Recurrences(Shown):
    """Recurrences among incidents. Iterating gives those whose order the dates prove.

    Attributes:
        items: sorted by organisation, then the later case.
        unsure: those whose order rests on dates that prove none, such as two of publication.
        unplaced: incidents that share owner and cause with another one, but whose dates do not
            tell which came first; ids.
        incidents: how many were looked at; series and studies never are.
        usable: of these, those that confirm a named owner and a cause.
        note: what this does not mean.
    """

    items: tuple[Recurrence, ...]
    unsure: tuple[Recurrence, ...]
    unplaced: tuple[str, ...]
    incidents: int
    usable: int
    note: str

    def __iter__(self) -> Iterator[Recurrence]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: int) -> Recurrence:
        return self.items[index]


def recurrences(
    graph: IncidentGraph, vocabulary: Vocabulary, cases: Iterable[Case], lang: str = "en"
) -> Recurrences:
    """Incidents whose organisation had an incident of the same confirmed cause before.

    The cause is the same as in `same_cause`: one term, or one below the other, and not merely a
    most general class. Suspected causes count for nothing.
    """
    incidents = {c.id: c for c in cases if c.kind is CaseKind.INCIDENT}
    times = {i: times_of(case) for i, case in incidents.items()}
    owned = _owned(graph, vocabulary, sorted(incidents))
    found: list[Recurrence] = []
    unplaced: set[str] = set()
    for owner, ids in sorted(owned.items()):
        earlier: dict[str, list[_Before]] = {}
        for a, b in _pairs_with_a_cause_in_common(graph, vocabulary, ids):
            order = first_of(times[a], times[b])
            if order is None:
                unplaced |= {a, b}
            else:
                first, later = (a, b) if order[0] else (b, a)
                earlier.setdefault(later, []).append(_before(times, first, later, order[1]))
        for later, before in sorted(earlier.items()):
            found.append(_recurrence(graph, vocabulary, incidents, times, owner, later, before))
    return Recurrences(
        items=tuple(r for r in found if r.order.sure),
        unsure=tuple(r for r in found if not r.order.sure),
        unplaced=tuple(sorted(unplaced)),
        incidents=len(incidents),
        usable=len({i for ids in owned.values() for i in ids}),
        note=note("recurrences", lang),
    )


_Before = tuple[bool, int, int, str, Kinds]
"""One earlier case: not sure, least and most days before, its id, the kinds of the times."""


def _before(times: Mapping[str, Times], first: str, later: str, kinds: Kinds) -> _Before:
    return (not is_sure(kinds), *gap_of(times[first], times[later], kinds), first, kinds)


def _owned(
    graph: IncidentGraph, vocabulary: Vocabulary, ids: Sequence[str]
) -> dict[str, list[str]]:
    """Owner → its incidents with a confirmed cause.

    Owners without a name are left out: two of them need not be the same one.
    """
    found: dict[str, list[str]] = {}
    for case_id in ids:
        if confirmed_causes(graph, case_id):
            edges = edges_of_kind(graph, case_id, "organization", Status.CONFIRMED)
            for owner in sorted({e.target for e in edges}):
                if not vocabulary.terms[owner].unnamed:
                    found.setdefault(owner, []).append(case_id)
    return found


def _pairs_with_a_cause_in_common(
    graph: IncidentGraph, vocabulary: Vocabulary, ids: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Each pair of these cases that meet in a specific cause, once.

    Cases with the same causes meet the same others, so only their causes are compared.
    """
    alike: dict[Causes, list[str]] = {}
    for case_id in ids:
        alike.setdefault(tuple(confirmed_causes(graph, case_id)), []).append(case_id)
    for one, other in _near(vocabulary, list(alike)):
        if common_causes(graph, vocabulary, alike[one][0], alike[other][0]):
            if one == other:
                yield from combinations(alike[one], 2)
            else:
                yield from product(alike[one], alike[other])


Causes = tuple[str, ...]
"""The confirmed causes of a case, the primary one first."""


def _near(vocabulary: Vocabulary, lists: Sequence[Causes]) -> Iterator[tuple[Causes, Causes]]:
    """Pairs of lists of causes of which some cause is, or lies below, one of the other; once.

    A list is paired with itself as well.
    """
    wider = widening(vocabulary)
    place = {causes: i for i, causes in enumerate(lists)}
    below: dict[str, set[Causes]] = {}
    for causes in lists:
        for up in {up for term in causes for up in wider(term)}:
            below.setdefault(up, set()).add(causes)
    found = {
        (min(pair, key=place.__getitem__), max(pair, key=place.__getitem__))
        for causes in lists
        for term in causes
        for pair in ((causes, other) for other in below[term])
    }
    yield from sorted(found)


def _recurrence(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    incidents: Mapping[str, Case],
    times: Mapping[str, Times],
    owner: str,
    later: str,
    before: Sequence[_Before],
) -> Recurrence:
    """The recurrence of one later case, beside the nearest of the earlier ones."""
    ranked = sorted(before)
    ranked = [b for b in ranked if b[0] == ranked[0][0]]  # proven ones, if there are any
    _, _, _, nearest, kinds = ranked[0]
    causes = tuple(common_causes(graph, vocabulary, later, nearest))
    far_first = sorted(ranked, key=lambda b: (-b[2], -b[1], b[3]))
    return Recurrence(
        organization=owner,
        causes=causes,
        earlier=nearest,
        later=later,
        times=len(ranked) + 1,
        before=tuple(b[3] for b in far_first),
        order=make_order(times[nearest], times[later], kinds),
        follow_ups=_follow_ups(graph, vocabulary, incidents[nearest], causes),
        evidence=_evidence(graph, vocabulary, owner, causes, (nearest, later)),
    )


def _follow_ups(
    graph: IncidentGraph, vocabulary: Vocabulary, case: Case, causes: Sequence[str]
) -> FollowUps:
    edges = [
        e for e in edges_of_kind(graph, case.id, "follow_up") if e.status is not Status.RULED_OUT
    ]
    claims = dict(case.claim_ids())
    aimed = [
        claim_id
        for claim_id in dict.fromkeys(e.claim_id for e in edges)
        if any(_on_one_line(vocabulary, t, c) for t in claims[claim_id].addresses for c in causes)
    ]
    state = FieldState.STATED if edges else case.field_state("follow_up")
    return FollowUps(state, tuple(edges), tuple(aimed))


def _on_one_line(vocabulary: Vocabulary, a: str, b: str) -> bool:
    """Whether two terms are the same, or one lies below the other."""
    return a in vocabulary.broader_steps(b) or b in vocabulary.broader_steps(a)


def _evidence(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    owner: str,
    causes: Sequence[str],
    case_ids: Sequence[str],
) -> tuple[Edge, ...]:
    """What each case says of the causes in which they meet, and of its owner."""
    wanted = {t for c in causes for t in vocabulary.narrower_all(c)} | {owner}
    found = []
    for case_id in case_ids:
        said = edges_of_kind(graph, case_id, "cause", Status.CONFIRMED)
        said += edges_of_kind(graph, case_id, "organization", Status.CONFIRMED)
        found += [e for e in said if e.target in wanted]
    return tuple(found)
