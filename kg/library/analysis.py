"""What an analyst asks of many cases at once: what they share, what recurs, what changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from kg.errors import AmbiguousTerm, BadQuery
from kg.queries import Hits
from kg.queries.causes import SharedCause, as_causes
from kg.queries.common import Common, common
from kg.queries.patterns import PATTERN_KINDS, Patterns, patterns
from kg.queries.recurrences import Recurrences, recurrences
from kg.queries.shown import Labels, Shown
from kg.queries.stats import Statistics, statistics
from kg.queries.trends import LEAST, Trends, trends
from kg.queries.what_if import WHAT_IF_KINDS, WhatIf, what_if

if TYPE_CHECKING:
    from kg.graph import IncidentGraph
    from kg.model import Case, Term
    from kg.queries import Filter
    from kg.vocab import Vocabulary

Answer = TypeVar("Answer", bound=Shown)

Chosen = Iterable[str] | Hits | None
"""A selection of cases: their ids, or the answer to a search; None for all that match."""


class Analysis:
    """What a library says of many cases together. `Library` is one.

    Each call takes a selection of cases: ids, the `Hits` of a search, a ready filter (`wanted`)
    or facets by name as in `list`. Ids and facets together choose the ids that match.
    """

    cases: Mapping[str, Case]

    if TYPE_CHECKING:

        @property
        def graph(self) -> IncidentGraph:
            """The typed graph."""

        @property
        def vocabulary(self) -> Vocabulary:
            """The terms of this library."""

        def _wanted(self, wanted: Filter | None, facets: Mapping[str, Any]) -> Filter: ...

        def _matching(self, wanted: Filter) -> Sequence[str]: ...

        def _known(self, case_ids: Iterable[str]) -> tuple[str, ...]: ...

    def shared_causes(
        self,
        case_ids: Chosen = None,
        minimum: int = 2,
        *,
        wanted: Filter | None = None,
        **facets: Any,
    ) -> Sequence[SharedCause]:
        """Root causes that at least `minimum` of the chosen cases confirm, ranked by lift.

        Args:
            case_ids: ids or the hits of a search; or leave it out and give facets.
            minimum: the least number of cases.
            wanted: a ready filter.
            facets: see `filter`.

        Raises:
            CaseNotFound: an id is not in the library.
            BadQuery, TermNotFound, AmbiguousTerm: no case is chosen, or a value cannot be used.
        """
        kind = facets.pop("kind", None)
        found = self.common(
            case_ids, "cause", minimum=minimum, wanted=wanted, case_kind=kind, **facets
        )
        return as_causes(found)

    def common(
        self,
        case_ids: Chosen = None,
        kind: str = "cause",
        *,
        minimum: int = 2,
        wanted: Filter | None = None,
        case_kind: str | None = None,
        lang: str = "en",
        **facets: Any,
    ) -> Common:
        """What the chosen cases have in common of one kind, ranked by lift over the library.

        Args:
            case_ids: ids or the hits of a search; or leave it out and give facets.
            kind: cause, trigger, factor, component, symptom, mitigation, follow_up,
                organization or tool.
            minimum: the least number of cases that confirm a term.
            wanted: a ready filter.
            case_kind: only incidents, series or studies; the facet that is `kind` elsewhere.
            lang: language of the note.
            facets: see `filter`. The terms by which cases are chosen are no finding and are left
                out.

        Raises:
            CaseNotFound: an id is not in the library.
            BadQuery, TermNotFound, AmbiguousTerm: no case is chosen, or a value cannot be used.
        """
        chosen = self._wanted(wanted, _with_case_kind(facets, case_kind))
        if case_ids is None and not chosen.chips():
            raise BadQuery("give the ids of the cases to compare, hits of a search, or facets")
        ids = self._chosen(case_ids, chosen)
        if not (ids or chosen.chips() or isinstance(case_ids, Hits)):
            raise BadQuery("give the ids of the cases to compare")
        given = [t for terms in chosen.terms.values() for t in terms]
        found = common(
            self.graph, self.vocabulary, ids, tuple(self.cases), kind, minimum, given, lang
        )
        return self._shown(found, lang)

    def patterns(
        self,
        case_ids: Chosen = None,
        *,
        kinds: Sequence[str] = PATTERN_KINDS,
        sizes: Sequence[int] = (2, 3, 4),
        minimum: int | None = None,
        limit: int = 20,
        wanted: Filter | None = None,
        lang: str = "en",
        **facets: Any,
    ) -> Patterns:
        """Terms that come together in incidents more often than chance would have it.

        Args:
            case_ids: ids or the hits of a search; all incidents when None.
            kinds: what is combined; add `trigger`, `mitigation` and others on request.
            sizes: numbers of terms in a combination, from 2 to 4.
            minimum: the least number of incidents; None takes 3, or one in 200 if that is more.
            limit: at most how many patterns, and how many weaker ones.
            wanted: a ready filter.
            lang: language of the note.
            facets: see `filter`.

        Raises:
            CaseNotFound: an id is not in the library.
            BadQuery, TermNotFound, AmbiguousTerm: a value that cannot be used, or so low a minimum
                that there are too many combinations.
        """
        ids = self._chosen(case_ids, self._wanted(wanted, facets))
        found = patterns(
            self.graph, self.vocabulary, self._records(ids), kinds, sizes, minimum, limit, lang
        )
        return self._shown(found, lang)

    def recurrences(
        self,
        case_ids: Chosen = None,
        *,
        wanted: Filter | None = None,
        lang: str = "en",
        **facets: Any,
    ) -> Recurrences:
        """Incidents whose organisation had one of the same confirmed cause before.

        Args:
            case_ids: ids or the hits of a search; all incidents when None.
            wanted: a ready filter.
            lang: language of the note.
            facets: see `filter`. Both incidents must match.

        Raises:
            CaseNotFound: an id is not in the library.
            BadQuery, TermNotFound, AmbiguousTerm: a value that cannot be used.
        """
        ids = self._chosen(case_ids, self._wanted(wanted, facets))
        found = recurrences(self.graph, self.vocabulary, self._records(ids), lang)
        return self._shown(found, lang)

    def what_if(
        self,
        without: str,
        case_ids: Chosen = None,
        *,
        wanted: Filter | None = None,
        lang: str = "en",
        **facets: Any,
    ) -> WhatIf:
        """Which incidents the records still explain if a term and all below it are struck out.

        Args:
            without: a cause, trigger, factor, component or mitigation, by id, slug or any spelling.
                Where terms of several of these kinds are named so, give the id.
            case_ids: ids or the hits of a search; all incidents when None.
            wanted: a ready filter.
            lang: language of the note.
            facets: see `filter`.

        Raises:
            CaseNotFound: an id is not in the library.
            BadQuery, TermNotFound, AmbiguousTerm: a value that cannot be used, or a term that
                explains nothing.
        """
        ids = self._chosen(case_ids, self._wanted(wanted, facets))
        term = self._explaining(without)
        found = what_if(self.graph, self.vocabulary, self._records(ids), term, lang)
        return self._shown(found, lang)

    def stats(
        self,
        group_by: str = "cause",
        case_ids: Chosen = None,
        *,
        dated: str = "started",
        wanted: Filter | None = None,
        lang: str = "en",
        **facets: Any,
    ) -> Statistics:
        """Quantiles of the times to detect and to recover of incidents, group by group.

        Args:
            group_by: cause, trigger, factor, component, symptom, mitigation, follow_up,
                organization, tool, domain, severity, year, quarter or month.
            case_ids: ids or the hits of a search; all incidents when None.
            dated: which kind of date decides the period: published, started, detected, mitigated
                or ended.
            wanted: a ready filter.
            lang: language of the note.
            facets: see `filter`.

        Raises:
            CaseNotFound: an id is not in the library.
            BadQuery, TermNotFound, AmbiguousTerm: a value that cannot be used.
        """
        ids = self._chosen(case_ids, self._wanted(wanted, facets))
        found = statistics(self.graph, self.vocabulary, self._records(ids), group_by, dated, lang)
        return self._shown(found, lang)

    def trends(
        self,
        kind: str = "cause",
        by: str = "year",
        case_ids: Chosen = None,
        *,
        dated: str = "started",
        minimum: int = LEAST,
        wanted: Filter | None = None,
        lang: str = "en",
        **facets: Any,
    ) -> Trends:
        """How the share of each term among the incidents of a period changes over time.

        Args:
            kind: as in `common`.
            by: year, quarter or month.
            case_ids: ids or the hits of a search; all incidents when None.
            dated: which kind of date decides the period; incidents without it are counted apart.
            minimum: the least number of incidents for a test of the trend.
            wanted: a ready filter.
            lang: language of the note.
            facets: see `filter`.

        Raises:
            CaseNotFound: an id is not in the library.
            BadQuery, TermNotFound, AmbiguousTerm: a value that cannot be used.
        """
        ids = self._chosen(case_ids, self._wanted(wanted, facets))
        found = trends(
            self.graph, self.vocabulary, self._records(ids), kind, by, dated, minimum, lang
        )
        return self._shown(found, lang)

    def _chosen(self, case_ids: Chosen, wanted: Filter) -> tuple[str, ...]:
        """The ids that are meant: those given that match, or all that match."""
        matching = self._matching(wanted)
        if case_ids is None:
            return tuple(matching)
        ids = self._known(case_ids.ids if isinstance(case_ids, Hits) else case_ids)
        allowed = set(matching)
        return tuple(i for i in ids if i in allowed)

    def _explaining(self, spelling: str) -> Term:
        """The term that a spelling names among those that explain something, else any term."""
        named = [t for kind in WHAT_IF_KINDS for t in self.vocabulary.lookup(spelling, kind)]
        if len(named) > 1:
            raise AmbiguousTerm(spelling, [t.id for t in named])
        return named[0] if named else self.vocabulary.resolve(spelling)

    def _records(self, ids: Iterable[str]) -> list[Case]:
        return [self.cases[i] for i in ids]

    def _shown(self, found: Answer, lang: str) -> Answer:
        """The same answer with the labels of its terms, for its view in a notebook."""
        return replace(found, labels=Labels(self.vocabulary, lang), lang=lang)


def _with_case_kind(facets: Mapping[str, Any], case_kind: str | None) -> dict[str, Any]:
    return {**facets, **({} if case_kind is None else {"kind": case_kind})}
