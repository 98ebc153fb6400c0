"""What the pages of terms say: one term with its cases, and all of them by scheme."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.model import Status
from kg.queries import Filter
from kg.server.pages.case import web_address
from kg.server.pages.names import CaseName, Names, TermName
from kg.vocab import SCHEMES

if TYPE_CHECKING:
    from kg.library import Library


@dataclass(frozen=True)
class Match:
    """A concept of another vocabulary: exact or close, with its IRI."""

    how: str
    iri: str
    href: str | None


@dataclass(frozen=True)
class TopicPage:
    """A term with its cases.

    Attributes:
        cases: by status of the claim, the newest first.
        together: per facet, what else these cases state, with the number of cases.
        checked: cases around which the term only serves a check.
        old_id: the id that was asked for, where the term has another one now.
    """

    term: TermName
    definition: str
    aliases: tuple[str, ...]
    broader: tuple[TermName, ...]
    narrower: tuple[TermName, ...]
    matches: tuple[Match, ...]
    count: int
    wanted: Filter
    cases: tuple[tuple[str, tuple[CaseName, ...]], ...]
    together: tuple[tuple[str, tuple[tuple[TermName, int], ...]], ...]
    checked: tuple[CaseName, ...]
    old_id: str | None


@dataclass(frozen=True)
class SchemeView:
    """A scheme: its name, what it is for, and its terms, those with most cases first."""

    name: str
    word: str
    terms: tuple[tuple[TermName, int], ...]


def topic_page(library: Library, term: str, lang: str) -> TopicPage:
    """The page of a term.

    Raises:
        TermNotFound, AmbiguousTerm: `term` (an id or a spelling) names no term, or several.
    """
    names = Names(library, lang)
    found = library.topic(term, lang)
    entry = found.entry
    return TopicPage(
        term=names.term(entry.id),
        definition=entry.definition,
        aliases=entry.aliases,
        broader=names.terms(entry.broader),
        narrower=names.terms(found.narrower),
        matches=_matches(entry.exact_match, entry.close_match),
        count=entry.count,
        wanted=Filter(terms={entry.scheme: (entry.id,)}),
        cases=tuple(
            (str(s), tuple(names.case(i) for i in found.cases.get(str(s), ()))) for s in Status
        ),
        together=tuple(
            (facet, tuple((names.term(t), n) for t, n in pairs))
            for facet, pairs in found.together.items()
            if pairs
        ),
        checked=tuple(names.case(i) for i in entry.checked),
        old_id=term if ":" in term and term != entry.id else None,
    )


def _matches(exact: Sequence[str], close: Sequence[str]) -> tuple[Match, ...]:
    pairs = [("exact", iri) for iri in exact] + [("close", iri) for iri in close]
    return tuple(Match(how, iri, web_address(iri)) for how, iri in pairs)


def topics_page(library: Library, lang: str, only: str | None = None) -> tuple[SchemeView, ...]:
    """All schemes (or one) with the terms that some case states.

    Raises:
        TermNotFound: there is no scheme of the name `only`.
    """
    names = Names(library, lang)
    found = []
    for scheme in [only] if only else SCHEMES:
        entries = [e for e in library.vocab(scheme, lang) if e.count]
        terms = tuple((names.term(e.id), e.count) for e in entries)
        found.append(SchemeView(scheme, names.word(f"kind.{scheme}"), terms))
    return tuple(found)
