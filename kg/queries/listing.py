"""Lists of cases: cards, pages, facet counts, groups by cause, and the graph of a result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from kg.errors import BadQuery
from kg.graph import Edge, IncidentGraph, Relation, case_node, kind_of
from kg.model import PROSE_FIELDS, Case, FieldState, Prose, Status
from kg.queries.filters import RELATIONS_OF_FACET, Filter, suspecting
from kg.queries.sharing import confirmed_causes
from kg.queries.shown import Shown
from kg.vocab import Vocabulary

CARD_FIELDS = (
    "symptom",
    "trigger",
    "cause",
    "component",
    "factor",
    "detection",
    "mitigation",
    "follow_up",
    "lesson",
)
"""The nine fields of a card, in order."""

COVERED = (
    *("severity", "regions", "time_to_detect", "time_to_recover"),
    *PROSE_FIELDS,
    *("sources", "references", "related"),
)
"""The fields that a case may leave unstated."""

SORTS = ("recent", "oldest", "id")
RESULT_KINDS = ("case", "cause", "component", "symptom", "factor")
"""The kinds of nodes in the graph of a result."""

SOFTWARE = "software"
"""The type of component that an exposure check can look at: it has versions and settings."""


@dataclass(frozen=True)
class CardField:
    """One field of a card: paragraphs of text and the terms of its claims, either may be empty."""

    state: str
    text: tuple[str, ...]
    terms: tuple[str, ...]


@dataclass(frozen=True)
class Card:
    """A case as one item of a list; all nine fields are always there."""

    id: str
    title: str
    kind: str
    domain: str
    organizations: tuple[str, ...]
    year: int | None
    date: str | None
    date_kind: str | None
    fields: Mapping[str, CardField]


@dataclass(frozen=True)
class Page(Shown):
    """A page of a list.

    `total` cases match; the items are numbers `start` to `end` of them (both 0 when the page
    lies beyond the end). `suspected` are those of all that match that only suspect a term of the
    filter: no cause, symptom or the like of theirs for sure. `top_components` are the most
    frequent software components of all that match, `facets` the values found in them with their
    counts.
    """

    total: int
    start: int
    end: int
    sort: str
    query: None
    notice: str
    filter: Filter
    items: tuple[Card, ...]
    top_components: tuple[tuple[str, int], ...]
    facets: Mapping[str, tuple[tuple[str, int], ...]]
    suspected: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the items, in order."""
        return tuple(card.id for card in self.items)


@dataclass(frozen=True)
class GroupMember:
    """A case in a group: id, title, organisation and year, kept apart."""

    id: str
    title: str
    organization: str | None
    year: int | None


@dataclass(frozen=True)
class Group:
    """Cases under one most general cause."""

    cause: str
    count: int
    members: tuple[GroupMember, ...]


@dataclass(frozen=True)
class Subgraph:
    """The graph of a result: node ids by kind, and the edges between them."""

    nodes: Mapping[str, tuple[str, ...]]
    edges: tuple[Edge, ...]


def make_page(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    cases: Mapping[str, Case],
    ids: Sequence[str],
    wanted: Filter,
    *,
    sort: str,
    offset: int,
    limit: int,
    lang: str,
) -> Page:
    """Lay out matching ids as a page.

    Raises:
        BadQuery: an unknown sort, a negative offset, or a limit below 1.
    """
    if sort not in SORTS:
        raise BadQuery(f"no sort {sort!r}; there are {', '.join(SORTS)}")
    if offset < 0 or limit < 1:
        raise BadQuery("offset must be 0 or more, limit 1 or more")
    ordered = sort_ids(cases, ids, sort)
    shown = ordered[offset : offset + limit]
    suspected = tuple(suspecting(graph, vocabulary, wanted, ordered))
    return Page(
        total=len(ordered),
        start=offset + 1 if shown else 0,
        end=offset + len(shown) if shown else 0,
        sort=sort,
        query=None,
        notice=" ".join(filter(None, (_notice(sort, lang), notice_of_suspected(suspected, lang)))),
        filter=wanted,
        items=tuple(make_card(graph, cases[i], lang) for i in shown),
        top_components=top_components(graph, vocabulary, ordered),
        facets=facet_counts(graph, vocabulary, ordered),
        suspected=suspected,
    )


def sort_ids(cases: Mapping[str, Case], ids: Sequence[str], sort: str) -> list[str]:
    """Ids in order; cases without any date come last in both directions."""
    if sort == "id":
        return sorted(ids)

    def key(case_id: str) -> tuple[bool, int, str]:
        day = cases[case_id].sort_date()
        return day == date.min, -day.toordinal() if sort == "recent" else day.toordinal(), case_id

    return sorted(ids, key=key)


def make_card(graph: IncidentGraph, case: Case, lang: str) -> Card:
    """A case as a card in one language."""
    when = case.sorted_by()
    return Card(
        id=case.id,
        title=case.name(lang),
        kind=str(case.kind),
        domain=case.domain,
        organizations=_organizations(graph, case.id),
        year=when.earliest().year if when else None,
        date=when.at if when else None,
        date_kind=str(when.kind) if when else None,
        fields={name: _card_field(case, name, lang) for name in CARD_FIELDS},
    )


def _card_field(case: Case, name: str, lang: str) -> CardField:
    prose = getattr(case, name, None)
    claims = [c for c in case.claims if c.kind == name and c.status is not Status.RULED_OUT]
    terms = dict.fromkeys(t for c in claims for t in c.terms)
    text = _best_paragraphs(prose, lang) if prose else ()
    if prose is None and name in ("cause", "factor", "component"):
        state = "stated" if terms else "not_stated"
    else:
        state = str(case.field_state(name))
    return CardField(state, tuple(text), tuple(terms))


def _best_paragraphs(prose: Prose, lang: str) -> tuple[str, ...]:
    ways = (prose.paragraphs(language) for language in (lang, "en", *prose.languages))
    return next((paragraphs for paragraphs in ways if paragraphs), ())


def _organizations(graph: IncidentGraph, case_id: str) -> tuple[str, ...]:
    edges = graph.edges_of(case_id, Relation.REPORTED_BY)
    owners = [e.target for e in edges if e.role == "owner"]
    return tuple(dict.fromkeys(owners or [e.target for e in edges]))


def _notice(sort: str, lang: str) -> str:
    orders = {
        "recent": ("newest first", "최근 사례부터 보여 줍니다"),
        "oldest": ("oldest first", "오래된 사례부터 보여 줍니다"),
        "id": ("by id", "사례 번호 순서입니다"),
    }
    en, ko = orders[sort]
    return f"검색어 없이 거른 목록입니다. {ko}." if lang == "ko" else f"Filtered list, {en}."


def notice_of_suspected(suspected: Sequence[str], lang: str) -> str:
    """How many cases of a list only suspect what was asked for; "" where none does."""
    if not suspected:
        return ""
    if lang == "ko":
        return f"그중 {len(suspected)}건은 찾은 값을 의심할 뿐 확정하지 않았습니다."
    return f"{len(suspected)} of them only suspect it, and confirm nothing of it."


def top_components(
    graph: IncidentGraph, vocabulary: Vocabulary, ids: Sequence[str], count: int = 2
) -> tuple[tuple[str, int], ...]:
    """The most frequent software components of these cases, at most `count`, ties by id.

    Only software counts, since this list drives the exposure check, and only components that
    the cases confirm. A component of one case alone is told where none is more frequent.
    """
    tally: Counter[str] = Counter()
    for case_id in ids:
        tally.update(software_of(graph, vocabulary, case_id))
    ranked = sorted(tally.items(), key=lambda item: (-item[1], item[0]))
    return tuple(ranked[:count])


def software_of(graph: IncidentGraph, vocabulary: Vocabulary, case_id: str) -> list[str]:
    """The software components that a case confirms, in order of its claims."""
    edges = graph.edges_of(case_id, Relation.AFFECTS)
    return list(
        dict.fromkeys(
            e.target
            for e in edges
            if e.status is Status.CONFIRMED and vocabulary.terms[e.target].type == SOFTWARE
        )
    )


def facet_counts(
    graph: IncidentGraph, vocabulary: Vocabulary, ids: Sequence[str]
) -> dict[str, tuple[tuple[str, int], ...]]:
    """For each facet the terms that these cases state, with the number of cases, most first.

    A case that states a narrower term counts for the broader ones too, as it does in a filter.
    """
    found = {}
    for facet, relations in RELATIONS_OF_FACET.items():
        pairs = {
            (e.target, i)
            for i in ids
            for e in graph.edges_of(i)
            if e.relation in relations and e.status is not Status.RULED_OUT
        }
        wider = {(up, i) for term, i in pairs for up in vocabulary.broader_steps(term)}
        tally = Counter(term for term, _ in wider)
        found[facet] = tuple(sorted(tally.items(), key=lambda item: (-item[1], item[0])))
    return found


def group_by_cause(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    cases: Mapping[str, Case],
    ids: Sequence[str],
    *,
    every_cause: bool,
    lang: str,
) -> list[Group]:
    """Cases by the most general term of their confirmed causes, largest group first.

    A case with several causes counts once, under its primary cause (its first confirmed one when
    none is primary), so that the counts add up to the number of cases with a cause. With
    `every_cause` it counts under each of its causes and the counts may add up to more. Cases
    without a confirmed cause are in no group.
    """
    members: dict[str, list[str]] = {}
    for case_id in sort_ids(cases, ids, "recent"):
        causes = confirmed_causes(graph, case_id)
        chosen = causes if every_cause else causes[:1]
        for top in dict.fromkeys(vocabulary.top(c) for c in chosen):
            members.setdefault(top, []).append(case_id)
    groups = [
        Group(top, len(found), tuple(_member(graph, vocabulary, cases[i], lang) for i in found))
        for top, found in members.items()
    ]
    return sorted(groups, key=lambda g: (-g.count, g.cause))


def _member(graph: IncidentGraph, vocabulary: Vocabulary, case: Case, lang: str) -> GroupMember:
    card = make_card(graph, case, lang)
    names = [vocabulary.terms[o].label.best(lang) for o in card.organizations]
    return GroupMember(case.id, card.title, names[0] if names else None, card.year)


def result_graph(graph: IncidentGraph, ids: Sequence[str]) -> Subgraph:
    """The cases with their causes, components, symptoms and factors; ruled-out edges stay."""
    edges = tuple(
        e for i in sorted(ids) for e in graph.edges_of(i) if kind_of(e.target) in RESULT_KINDS[1:]
        and e.relation is not Relation.CHECKED_BY
    )  # fmt: skip
    nodes = {"case": tuple(case_node(i) for i in sorted(ids))}
    for kind in RESULT_KINDS[1:]:
        nodes[kind] = tuple(sorted({e.target for e in edges if kind_of(e.target) == kind}))
    return Subgraph(nodes, edges)


def coverage(cases: Iterable[Case]) -> dict[str, dict[str, int]]:
    """How many cases state each field, state that there is nothing, or do not state it."""
    found: dict[str, Counter[str]] = {name: Counter() for name in COVERED}
    for case in cases:
        for name in COVERED:
            found[name][str(case.field_state(name))] += 1
    return {name: {str(s): tally[str(s)] for s in FieldState} for name, tally in found.items()}


def untagged_gaps(
    graph: IncidentGraph, listed: Mapping[str, Sequence[str]]
) -> list[tuple[str, str]]:
    """Where saved lists and the cases' own terms disagree.

    Args:
        graph: the graph of the library.
        listed: term id → the case ids that some list gives for it.

    Returns:
        (term, case id) of every case that has the term but is not listed, or the other way round.
    """
    gaps = []
    for term, ids in sorted(listed.items()):
        gaps += [(term, i) for i in sorted(set(graph.cases_of(term)) ^ set(ids))]
    return gaps
