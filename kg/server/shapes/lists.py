"""Lists of cases as they are answered: pages with facets, and groups by cause."""

from __future__ import annotations

from pydantic import Field

from kg.library import Library
from kg.queries import Card, Filter, Group, Page
from kg.server.shapes.common import (
    Answer,
    Applied,
    Labels,
    TermCount,
    applied,
    labels_of,
    list_url,
    said,
    term_counts,
)

VALUES = 20
"""Values of a facet that are listed unless more are asked for."""


class FacetValues(Answer):
    """The values of a facet in the result, most cases first; `total` of them, some not listed."""

    total: int
    values: tuple[TermCount, ...]


class CaseList(Answer):
    """A page of a list: `total` cases match, the items are numbers `from` to `to` of them."""

    total: int
    start: int = Field(alias="from", description="0 where the page lies beyond the end")
    end: int = Field(alias="to")
    sort: str
    query: None = None
    notice: str
    applied: Applied
    items: tuple[Card, ...]
    top_components: tuple[TermCount, ...]
    facets: dict[str, FacetValues]
    labels: dict[str, Labels] = Field(description="names of the terms of the items")
    next: str | None
    previous: str | None


class Groups(Answer):
    """Cases by the most general term of their root causes, the largest group first.

    Each case counts once, under its primary cause, unless every cause is asked for; those without
    a confirmed cause are in no group.
    """

    total: int = Field(description="cases that match")
    grouped: int = Field(description="cases that are in a group")
    every_cause: bool
    applied: Applied
    groups: tuple[Group, ...]
    labels: dict[str, Labels]


def case_list(
    lib: Library, wanted: Filter, *, sort: str, offset: int, limit: int, lang: str, values: int
) -> CaseList:
    """A page of the cases that a filter lets through.

    Raises:
        BadQuery: a sort or range that cannot be used.
    """
    page = lib.list(wanted, sort=sort, offset=offset, limit=limit, lang=lang)
    again = {"sort": sort, "limit": limit, "lang": lang, "values": values}
    after, before = offset + limit, max(offset - limit, 0)
    return CaseList(
        total=page.total,
        start=page.start,
        end=page.end,
        sort=page.sort,
        notice=page.notice,
        applied=applied(lib, wanted, "/cases", **again),
        items=page.items,
        top_components=term_counts(lib, page.top_components, wanted),
        facets=facet_values(lib, page, values),
        labels=labels_of(lib, _terms_of(page.items)),
        next=list_url(wanted, offset=after, **again) if after < page.total else None,
        previous=list_url(wanted, offset=before, **again) if offset else None,
    )


def facet_values(lib: Library, page: Page, values: int) -> dict[str, FacetValues]:
    """The first `values` values of each facet of a page."""
    return {
        facet: FacetValues(
            total=len(pairs), values=term_counts(lib, pairs[:values], page.filter)
        )
        for facet, pairs in page.facets.items()
    }  # fmt: skip


def cause_groups(lib: Library, wanted: Filter, *, every_cause: bool, lang: str) -> Groups:
    """The cases that a filter lets through, by cause."""
    ids = lib.list(wanted, limit=max(len(lib), 1)).ids
    found = tuple(lib.groups(ids, every_cause=every_cause, lang=lang))
    return Groups(
        total=len(ids),
        grouped=len({m.id for g in found for m in g.members}),
        every_cause=every_cause,
        applied=applied(lib, wanted, "/groups", lang=lang, every_cause=said(every_cause)),
        groups=found,
        labels=labels_of(lib, (g.cause for g in found)),
    )


def _terms_of(cards: tuple[Card, ...]) -> set[str]:
    fields = {t for card in cards for f in card.fields.values() for t in f.terms}
    return fields | {o for card in cards for o in card.organizations}
