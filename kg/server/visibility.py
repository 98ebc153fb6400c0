"""Which cases are not served: rules of the settings, carried out on a library."""

from __future__ import annotations

import difflib
import logging
from collections.abc import Iterable, Sequence

from kg.errors import BadQuery, CaseNotFound
from kg.library import Library
from kg.library.visible import library_without
from kg.queries import FACETS, Filter

_LOG = logging.getLogger("kg.server")


def visible_library(library: Library, rules: Sequence[str], *, again: bool = False) -> Library:
    """The library without the cases that rules hide: itself where they hide none.

    A rule is the id of a case, or `facet=value` as in a list. One that matches no case is refused,
    since a slip of the pen would show what was to be hidden.

    Args:
        library: the library.
        rules: the rules.
        again: the rules were good for an earlier state of the library. What they hid may have left
            it since, so that one that matches no case any more is logged and hides nothing. A term
            that is not known is refused all the same: it may have another name now.

    Raises:
        CaseNotFound: no case has an id; the message names ids that look like it.
        BadQuery, TermNotFound, AmbiguousTerm: another rule that cannot be used.
        LibraryError: every case is hidden.
    """
    hidden: set[str] = set()
    for number, rule in enumerate(rules, 1):
        try:
            hidden |= set(hidden_by(library, rule))
        except (CaseNotFound, _MatchesNothing):
            if not again:
                raise
            # By its number: a rule names what must not be told.
            _LOG.warning("rule hides nothing", extra={"event": "hide", "rule": number})
    return library_without(library, sorted(hidden)) if hidden else library


def hidden_by(library: Library, rule: str) -> list[str]:
    """The ids of the cases that a rule hides, at least one.

    Raises:
        CaseNotFound: no case has this id, as `Library.get`.
        BadQuery, TermNotFound, AmbiguousTerm: the rule cannot be used, or matches no case.
    """
    facet, equals, value = (part.strip() for part in rule.partition("="))
    if not equals:
        return [library.get(facet).id]
    if facet not in FACETS:
        raise BadQuery(f"hide: no facet {facet!r}; there are {', '.join(FACETS)}, or give an id")
    found = _stating(library, library.filter(**{facet: value}))
    if not found:
        raise _MatchesNothing(
            f"hide: no case has {facet}={value}.{_hint(value, _values(library, facet))}"
        )
    return found


class _MatchesNothing(BadQuery):
    """A rule that can be used and matches no case."""


def _stating(library: Library, wanted: Filter) -> list[str]:
    """The cases that a filter means; one that only rules a term out names it all the same."""
    if not wanted.terms:
        return list(library.list(wanted, limit=len(library)).ids)
    stated = {
        e.case_id
        for terms in wanted.terms.values()
        for term in terms
        for below in library.vocabulary.narrower_all(term)
        for e in library.graph.edges_to(below)
        if e.case_id
    }
    return sorted(stated)


def _values(library: Library, facet: str) -> set[str]:
    """The values that cases have of a facet that is no scheme of terms."""
    if facet not in ("kind", "domain", "severity"):
        return set()
    found = (getattr(case, facet) for case in library.cases.values())
    return {str(value) for value in found if value is not None}


def _hint(value: str, known: Iterable[str]) -> str:
    by_small = {name.lower(): name for name in sorted(known)}
    near = difflib.get_close_matches(value.lower(), by_small, n=3)
    return f" Did you mean {', '.join(by_small[name] for name in near)}?" if near else ""
