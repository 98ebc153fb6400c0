"""What the list of cases says: filters as chips, suggestions, facets, cards or hits, groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kg.model import Case, FieldState
from kg.queries import Filter, Hits
from kg.queries.filters import PLAIN_FACETS
from kg.queries.listing import CARD_FIELDS, facet_counts, notice_of_suspected
from kg.server.pages.graph import GraphView, graph_view
from kg.server.pages.hits import HitView, hit_views
from kg.server.pages.links import EVERYTHING, SORTS
from kg.server.pages.names import CaseName, Names, StatedTerm, TermName, fallback
from kg.vocab import SCHEMES

if TYPE_CHECKING:
    from kg.library import Library

PER_PAGE = 10
MOST_HITS = 50
"""A search gives at most so many cases; what is further away is hardly like the text."""

TOP_VALUES = 8
"""So many values of a facet are shown at once; the others can be unfolded."""

MOST_VALUES = 30
GRAPH_CASES = 12
"""A result of at most so many cases is drawn on its own page; larger ones have a page of it."""


@dataclass(frozen=True)
class Asked:
    """What a list is asked for."""

    query: str = ""
    wanted: Filter = EVERYTHING
    sort: str = SORTS[0]
    offset: int = 0
    limit: int = PER_PAGE


@dataclass(frozen=True)
class Chip:
    """A filter that is applied, and the filter without it."""

    facet: str
    word: str
    label: str
    without: Filter


@dataclass(frozen=True)
class Value:
    """A value that a list can be filtered by, with the number of cases that have it.

    `wanted` is the filter with it (of an applied one, without it), `alone` the filter by it only.
    """

    facet: str
    word: str
    label: str
    count: int
    wanted: Filter
    alone: Filter
    applied: bool = False


@dataclass(frozen=True)
class Facet:
    """The values of one facet, the most frequent first; `more` are those folded away."""

    name: str
    word: str
    values: tuple[Value, ...]
    more: tuple[Value, ...]


@dataclass(frozen=True)
class CardField:
    """A field of a card: its text and its terms, and whether it is stated at all."""

    name: str
    state: str
    text: tuple[str, ...]
    lang: str | None
    terms: tuple[StatedTerm, ...]


@dataclass(frozen=True)
class CardView:
    """A case in a list, with all nine fields."""

    name: CaseName
    domain: str
    fields: tuple[CardField, ...]


@dataclass(frozen=True)
class GroupView:
    """Cases under one most general cause."""

    cause: TermName
    members: tuple[CaseName, ...]


@dataclass(frozen=True)
class FindPage:
    """All that a list says.

    Attributes:
        total: how many cases match, or were found for a query.
        start, end: which of them are shown, from 1; both 0 beyond the end.
        capped: whether a search may have left further cases out.
        cards, hits: the cases without a query, and with one.
        weaker: with a query, the nearest cases below the line.
        message: that nothing is similar, in words; else "".
        understood: terms found in the query, as (term, denied).
        suggestions: terms of the query that can be added as filters.
        groups: the result by root cause; ungrouped are its cases without a confirmed one.
        top: the most frequent software components with their number of cases.
        graph: the result drawn, if it is small enough.
        before, after: offsets of the pages before and after; None where there is none.
    """

    asked: Asked
    total: int
    start: int
    end: int
    capped: bool
    notice: str
    chips: tuple[Chip, ...]
    suggestions: tuple[Value, ...]
    facets: tuple[Facet, ...]
    cards: tuple[CardView, ...]
    hits: tuple[HitView, ...]
    weaker: tuple[HitView, ...]
    message: str
    understood: tuple[tuple[TermName, bool], ...]
    groups: tuple[GroupView, ...]
    ungrouped: int
    top: tuple[tuple[TermName, int], ...]
    graph: GraphView | None
    before: int | None
    after: int | None


def find_page(library: Library, asked: Asked, lang: str) -> FindPage:
    """A list of cases: found by words where there is a query, else by facets, newest first.

    Raises:
        BadQuery: the query has no words, or sort, offset or limit cannot be used.
        EncoderMismatch, EncoderNotFound: a query needs an encoder that is not here.
    """
    names = Names(library, lang)
    if asked.query:
        return _searched(library, asked, names)
    page = library.list(
        asked.wanted, sort=asked.sort, offset=asked.offset, limit=asked.limit, lang=lang
    )
    ids = library._matching(asked.wanted)
    cards = tuple(_card(library.cases[i], names) for i in page.ids)
    found = _page(library, asked, names, ids, page.facets, page.total, len(page.items))
    doubt = notice_of_suspected(page.suspected, lang)
    notice = " ".join(filter(None, (names.word(f"notice.{asked.sort}"), doubt)))
    return replace(found, cards=cards, notice=notice)


def _searched(library: Library, asked: Asked, names: Names) -> FindPage:
    hits = library.search(asked.query, k=MOST_HITS, wanted=asked.wanted, lang=names.lang)
    ids = hits.ids
    facets = facet_counts(library.graph, library.vocabulary, ids)
    shown = hits.items[asked.offset : asked.offset + asked.limit]
    found = _page(library, asked, names, ids, facets, len(hits), len(shown))
    return replace(
        found,
        capped=len(hits) >= MOST_HITS,
        notice=names.word("notice.query"),
        suggestions=tuple(_suggestions(library, asked, names)),
        hits=hit_views(library, shown, names),
        weaker=hit_views(library, hits.weaker[:3], names) if asked.offset == 0 else (),
        message=hits.message,
        understood=_understood(hits, names),
    )


def _page(
    library: Library,
    asked: Asked,
    names: Names,
    ids: Sequence[str],
    facets: Mapping[str, Sequence[tuple[str, int]]],
    total: int,
    shown: int,
) -> FindPage:
    """What both kinds of list have."""
    groups = tuple(
        GroupView(names.term(g.cause), tuple(names.case(m.id) for m in g.members))
        for g in library.groups(ids, lang=names.lang)
    )
    after = asked.offset + asked.limit
    return FindPage(
        asked=asked,
        total=total,
        start=asked.offset + 1 if shown else 0,
        end=asked.offset + shown if shown else 0,
        capped=False,
        notice="",
        chips=tuple(_chips(asked.wanted, names)),
        suggestions=(),
        facets=tuple(_facets(asked.wanted, facets, names)),
        cards=(),
        hits=(),
        weaker=(),
        message="",
        understood=(),
        groups=groups,
        ungrouped=len(ids) - sum(len(g.members) for g in groups),
        top=tuple((names.term(t), n) for t, n in library.top_components(ids)),
        graph=graph_view(library, ids, names) if 0 < len(ids) <= GRAPH_CASES else None,
        before=max(0, asked.offset - asked.limit) if asked.offset else None,
        after=after if after < total else None,
    )


def applied_chips(wanted: Filter, names: Names) -> list[Chip]:
    """Each applied filter, in a fixed order."""
    return list(_chips(wanted, names))


def _chips(wanted: Filter, names: Names) -> Iterator[Chip]:
    for facet, value in wanted.chips():
        if facet in PLAIN_FACETS:
            known = facet == "kind"
            label = names.word(f"case.{value}") if known else value
        else:
            label = names.term(f"{facet}:{value}").label
        yield Chip(facet, names.word(f"kind.{facet}"), label, wanted.without(facet, value))


def _with(wanted: Filter, facet: str, term: str) -> Filter:
    """The filter with one more term."""
    terms = tuple(sorted({*wanted.terms.get(facet, ()), term}))
    return replace(wanted, terms={**wanted.terms, facet: terms})


def _suggestions(library: Library, asked: Asked, names: Names) -> Iterator[Value]:
    applied = {t for terms in asked.wanted.terms.values() for t in terms}
    for entry in library.suggest(asked.query):
        if entry.id not in applied and entry.count:
            term = names.term(entry.id)
            wanted = _with(asked.wanted, entry.scheme, entry.id)
            alone = _with(EVERYTHING, entry.scheme, entry.id)
            yield Value(entry.scheme, term.kind, term.label, entry.count, wanted, alone)


def _understood(hits: Hits, names: Names) -> tuple[tuple[TermName, bool], ...]:
    found = dict.fromkeys((t.term, t.negated) for t in hits.understood)
    return tuple((names.term(term), denied) for term, denied in found)


def _facets(
    wanted: Filter, counts: Mapping[str, Sequence[tuple[str, int]]], names: Names
) -> Iterator[Facet]:
    for facet in SCHEMES:
        applied = wanted.terms.get(facet, ())
        values = [
            Value(
                facet,
                names.word(f"kind.{facet}"),
                names.term(term).label,
                count,
                wanted.without(facet, term) if term in applied else _with(wanted, facet, term),
                _with(EVERYTHING, facet, term),
                term in applied,
            )
            for term, count in counts.get(facet, ())[:MOST_VALUES]
        ]
        if values:
            word = names.word(f"kind.{facet}")
            yield Facet(facet, word, tuple(values[:TOP_VALUES]), tuple(values[TOP_VALUES:]))


def _card(case: Case, names: Names) -> CardView:
    return CardView(
        name=names.named(case),
        domain=case.domain,
        fields=tuple(_field(case, name, names) for name in CARD_FIELDS),
    )


def _field(case: Case, name: str, names: Names) -> CardField:
    prose = getattr(case, name, None)
    lang = fallback(prose.languages, names.lang) if prose else None
    terms = names.stated(case, name)
    if prose is None and name in ("cause", "factor", "component"):
        state = str(FieldState.STATED if terms else FieldState.NOT_STATED)
    else:
        state = str(case.field_state(name))
    return CardField(
        name=name,
        state=state,
        text=prose.paragraphs(lang) if prose and lang else (),
        lang=lang if lang != names.lang else None,
        terms=terms,
    )
