"""The cases of a library as lists: by id, by facet, by group, with their times."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from kg.errors import BadQuery, CaseNotFound
from kg.intake import whole_ids
from kg.queries import (
    Filter,
    Group,
    Page,
    TimeStatistic,
    make_filter,
    matching,
    time_statistics,
)
from kg.queries.listing import (
    coverage,
    group_by_cause,
    make_page,
    software_of,
    top_components,
)
from kg.queries.shown import Labels

if TYPE_CHECKING:
    from kg.graph import IncidentGraph
    from kg.model import Case
    from kg.store import Snapshot
    from kg.vocab import Vocabulary


class CaseLists:
    """What a library says of its cases without searching. `Library` is one."""

    cases: Mapping[str, Case]
    _snapshot: Snapshot

    if TYPE_CHECKING:

        @property
        def graph(self) -> IncidentGraph:
            """The typed graph."""

        @property
        def vocabulary(self) -> Vocabulary:
            """The terms of this library."""

    def __len__(self) -> int:
        return len(self.cases)

    def __contains__(self, case_id: object) -> bool:
        return case_id in self.cases

    @cached_property
    def merged(self) -> Mapping[str, str]:
        """For each id of a case that a merge absorbed, the id of the case in which it is now."""
        return whole_ids(self._snapshot.revisions)

    def get(self, case_id: str) -> Case:
        """The case with this id, or the one that absorbed it in a merge.

        Raises:
            CaseNotFound: there is none; the message names ids that look like it.
        """
        case = self.find(case_id)
        if case is None:
            raise CaseNotFound(case_id, difflib.get_close_matches(case_id, self.cases, n=3))
        return case

    def find(self, case_id: str) -> Case | None:
        """The case with this id, or the one that absorbed it in a merge; or None."""
        found = self.cases.get(case_id)
        return self.cases.get(self.merged.get(case_id, "")) if found is None else found

    def filter(self, **facets: Any) -> Filter:
        """A filter from facet names and values (ids, slugs or any spelling in any language).

        Raises:
            BadQuery, TermNotFound, AmbiguousTerm: a name or value that cannot be used.
        """
        return make_filter(self.vocabulary, facets)

    def list(
        self,
        wanted: Filter | None = None,
        *,
        sort: str = "recent",
        offset: int = 0,
        limit: int = 50,
        lang: str = "en",
        **facets: Any,
    ) -> Page:
        """Cases by facet, newest first, one page at a time.

        Args:
            wanted: a ready filter; else give facets by name, `list(symptom="nccl-timeout")`.
            sort: `recent`, `oldest` or `id`.
            offset: how many to leave out at the start.
            limit: at most how many to give.
            lang: language of titles and texts.
            facets: see `filter`.

        Raises:
            BadQuery, TermNotFound, AmbiguousTerm: a facet, sort or range that cannot be used.
        """
        chosen = self._wanted(wanted, facets)
        page = make_page(
            self.graph, self.vocabulary, self.cases, self._matching(chosen), chosen,
            sort=sort, offset=offset, limit=limit, lang=lang,
        )  # fmt: skip
        return replace(page, labels=Labels(self.vocabulary, lang), lang=lang)

    def groups(
        self, case_ids: Iterable[str] | None = None, *, every_cause: bool = False, lang: str = "en"
    ) -> Sequence[Group]:
        """Cases under the most general term of their root causes, largest group first.

        Each case counts once, under its primary cause, unless `every_cause` is set.

        Raises:
            CaseNotFound: an id is not in the library.
        """
        ids = self._known(self.cases if case_ids is None else case_ids)
        return group_by_cause(
            self.graph, self.vocabulary, self.cases, ids, every_cause=every_cause, lang=lang
        )

    def top_components(
        self, case_ids: Iterable[str] | None = None, count: int = 2
    ) -> tuple[tuple[str, int], ...]:
        """The most frequent software components of some cases, with the number of cases.

        Raises:
            CaseNotFound: an id is not in the library.
        """
        ids = self._known(self.cases if case_ids is None else case_ids)
        return top_components(self.graph, self.vocabulary, ids, count)

    def check_components(self, case_id: str) -> Sequence[str]:
        """The software components of a case, which an exposure check looks at.

        Raises:
            CaseNotFound: the id is not in the library.
        """
        return software_of(self.graph, self.vocabulary, self.get(case_id).id)

    def time_statistics(self, **facets: Any) -> tuple[TimeStatistic, TimeStatistic]:
        """Times to detect and to recover of the matching incidents, with n and unknown share."""
        ids = self._matching(self.filter(**facets))
        return time_statistics(self.cases[i] for i in ids)

    def coverage(self, **facets: Any) -> Mapping[str, Mapping[str, int]]:
        """For each field, how many of the matching cases state it, state none, or do not state it.

        Raises:
            BadQuery, TermNotFound, AmbiguousTerm: a facet that cannot be used.
        """
        ids = self._matching(self.filter(**facets))
        return coverage(self.cases[i] for i in ids)

    def _wanted(self, wanted: Filter | None, facets: Mapping[str, Any]) -> Filter:
        if wanted is not None and facets:
            raise BadQuery("give either a filter or facets, not both")
        return wanted or self.filter(**facets)

    def _matching(self, wanted: Filter) -> Sequence[str]:
        return matching(self.graph, self.vocabulary, self.cases, wanted)

    def _known(self, case_ids: Iterable[str]) -> tuple[str, ...]:
        if isinstance(case_ids, str):
            raise BadQuery(f"give a list of ids, such as [{case_ids!r}]")
        return tuple(dict.fromkeys(self.get(i).id for i in case_ids))
