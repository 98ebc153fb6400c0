"""Which cases are not served: rules of the settings, carried out on a library."""

from __future__ import annotations

from collections.abc import Sequence

from kg.errors import BadQuery
from kg.library import Library
from kg.library.visible import library_without
from kg.queries import FACETS


def visible_library(library: Library, rules: Sequence[str]) -> Library:
    """The library without the cases that rules hide: itself where they hide none.

    A rule is the id of a case, or `facet=value` as in a list. An id that is not there hides
    nothing yet; a facet or value that is not there is refused, since a slip of the pen would show
    what was to be hidden.

    Raises:
        BadQuery, TermNotFound, AmbiguousTerm: a rule that cannot be used.
        LibraryError: every case is hidden.
    """
    hidden = {case_id for rule in rules for case_id in hidden_by(library, rule)}
    return library_without(library, sorted(hidden)) if hidden else library


def hidden_by(library: Library, rule: str) -> list[str]:
    """The ids of the cases that a rule hides.

    Raises:
        BadQuery, TermNotFound, AmbiguousTerm: the rule cannot be used.
    """
    facet, equals, value = rule.partition("=")
    if not equals:
        found = library.find(rule.strip())
        return [] if found is None else [found.id]
    if facet.strip() not in FACETS:
        raise BadQuery(f"hide: no facet {facet!r}; there are {', '.join(FACETS)}, or give an id")
    wanted = library.filter(**{facet.strip(): value.strip()})
    # A case that only excludes the value by a ruled-out claim names it all the same.
    stated = {
        e.case_id
        for terms in wanted.terms.values()
        for term in terms
        for below in library.vocabulary.narrower_all(term)
        for e in library.graph.edges_to(below)
        if e.case_id
    }
    return sorted(stated) if wanted.terms else list(library.list(wanted, limit=len(library)).ids)
