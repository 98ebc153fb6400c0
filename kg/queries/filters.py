"""Filters: which cases are meant, as a value that survives a URL and JSON."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any
from urllib.parse import parse_qsl, urlencode

from kg.errors import BadQuery
from kg.graph import IncidentGraph, Relation
from kg.model import Case, CaseKind, Status
from kg.vocab import SCHEMES, Vocabulary

RELATIONS_OF_FACET: dict[str, tuple[Relation, ...]] = {
    "cause": (Relation.CAUSED_BY,),
    "trigger": (Relation.TRIGGERED_BY,),
    "factor": (Relation.CONTRIBUTED_BY,),
    "symptom": (Relation.EXHIBITS,),
    "component": (Relation.AFFECTS,),
    "mitigation": (Relation.MITIGATED_BY, Relation.FOLLOWED_UP_BY),
    "organization": (Relation.REPORTED_BY, Relation.INVOLVES),
    "tool": (Relation.DETECTED_WITH,),
}
"""The edges that a facet counts. Checks around a case are no property of it."""

PLAIN_FACETS = ("kind", "domain", "severity", "since", "before")
FACETS = (*SCHEMES, *PLAIN_FACETS)
"""Every name that a filter may use."""


@dataclass(frozen=True)
class Filter:
    """Facet values that a case must have; all of them.

    `terms` maps a scheme to term ids; `kind`, `domain` and `severity` must be equal, and a case
    that does not state its severity matches none; `since` and `before` bound the sort date
    (`before` excluded).
    """

    terms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    kind: str | None = None
    domain: str | None = None
    severity: str | None = None
    since: str | None = None
    before: str | None = None

    def to_url(self) -> str:
        """The filter as a URL query string; empty when nothing is filtered."""
        pairs = [(s, t.partition(":")[2]) for s in sorted(self.terms) for t in self.terms[s]]
        plain = ((name, getattr(self, name)) for name in PLAIN_FACETS)
        return urlencode([*pairs, *((n, v) for n, v in plain if v is not None)])

    def facets(self) -> dict[str, Any]:
        """The filter as plain JSON values, as `make_filter` takes them."""
        plain = {name: getattr(self, name) for name in PLAIN_FACETS}
        terms = {scheme: list(self.terms[scheme]) for scheme in sorted(self.terms)}
        return {**terms, **{n: v for n, v in plain.items() if v is not None}}

    def chips(self) -> tuple[tuple[str, str], ...]:
        """Each applied value as (facet, value), in a fixed order."""
        return tuple(parse_qsl(self.to_url()))

    def without(self, facet: str, value: str | None = None) -> Filter:
        """The filter without one facet, or without one value of it."""
        if facet in PLAIN_FACETS:
            cleared: dict[str, Any] = {facet: None}
            return replace(self, **cleared)
        term = value if value is None or ":" in value else f"{facet}:{value}"
        kept = tuple(t for t in self.terms.get(facet, ()) if value is not None and t != term)
        terms = {s: t for s, t in self.terms.items() if s != facet}
        return replace(self, terms={**terms, facet: kept} if kept else terms)


def make_filter(vocabulary: Vocabulary, facets: Mapping[str, Any]) -> Filter:
    """A filter from names and values as a user gives them: ids, slugs or any spelling.

    Raises:
        BadQuery: no such facet, or a value that cannot be one.
        TermNotFound, AmbiguousTerm: a value names no term, or several.
    """
    terms: dict[str, tuple[str, ...]] = {}
    plain: dict[str, str] = {}
    for name, value in facets.items():
        if value is None:
            continue
        if name not in FACETS:
            raise BadQuery(f"no facet {name!r}; there are {', '.join(FACETS)}")
        if name in PLAIN_FACETS:
            plain[name] = _plain_value(name, str(value))
        else:
            values: Sequence[str] = (value,) if isinstance(value, str) else tuple(value)
            terms[name] = tuple(sorted({vocabulary.resolve(v, name).id for v in values}))
    return Filter(terms={s: t for s, t in terms.items() if t}, **plain)


def filter_from_url(vocabulary: Vocabulary, query: str) -> Filter:
    """Read what `Filter.to_url` wrote.

    Raises:
        BadQuery, TermNotFound: as `make_filter`.
    """
    facets: dict[str, Any] = {}
    for name, value in parse_qsl(query):
        if name in SCHEMES:
            facets.setdefault(name, []).append(value)
        else:
            facets[name] = value
    return make_filter(vocabulary, facets)


def matching(
    graph: IncidentGraph, vocabulary: Vocabulary, cases: Mapping[str, Case], wanted: Filter
) -> list[str]:
    """Sorted ids of the cases that a filter lets through.

    A term also matches cases that have a narrower term; suspected claims match, ruled-out ones
    do not.
    """
    plain = any(getattr(wanted, name) is not None for name in PLAIN_FACETS)
    ids = {i for i, case in cases.items() if _plain_match(case, wanted)} if plain else set(cases)
    for scheme, terms in wanted.terms.items():
        for term in terms:
            ids &= _having(graph, vocabulary, scheme, term, (Status.CONFIRMED, Status.SUSPECTED))
    return sorted(ids)


def suspecting(
    graph: IncidentGraph, vocabulary: Vocabulary, wanted: Filter, ids: Collection[str]
) -> list[str]:
    """Those of the cases that a filter lets through which only suspect some term of it, sorted."""
    sure = set(ids)
    for scheme, terms in wanted.terms.items():
        for term in terms:
            sure &= _having(graph, vocabulary, scheme, term, (Status.CONFIRMED,))
    return sorted(set(ids) - sure)


def _having(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    scheme: str,
    term: str,
    statuses: Collection[Status],
) -> set[str]:
    """The cases that state a term, or a narrower one, in one of these ways."""
    return {
        e.case_id
        for below in vocabulary.narrower_all(term)
        for e in graph.edges_to(below)
        if e.relation in RELATIONS_OF_FACET[scheme] and e.status in statuses
    }


def _plain_value(name: str, value: str) -> str:
    if not value.strip():
        raise BadQuery(f"{name} is blank; leave it out to filter by nothing")
    if name == "kind" and value not in tuple(CaseKind):
        raise BadQuery(f"no kind {value!r}; there are {', '.join(CaseKind)}")
    if name in ("since", "before"):
        try:
            return date.fromisoformat(value).isoformat()
        except ValueError as error:
            raise BadQuery(f"{name}: {value!r} is not a day such as 2024-06-25") from error
    return value


def _plain_match(case: Case, wanted: Filter) -> bool:
    return _in_time(case, wanted) and (
        wanted.kind in (None, case.kind)
        and wanted.domain in (None, case.domain)
        and wanted.severity in (None, case.severity)
    )


def _in_time(case: Case, wanted: Filter) -> bool:
    if wanted.since is None and wanted.before is None:
        return True
    day = case.sort_date()
    late_enough = not wanted.since or day >= date.fromisoformat(wanted.since)
    early_enough = not wanted.before or day < date.fromisoformat(wanted.before)
    return bool(case.dates) and late_enough and early_enough
