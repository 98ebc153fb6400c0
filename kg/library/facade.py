"""The library: what every caller holds."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from embeddings import EncoderMismatch
from kg.errors import BadQuery, CaseNotFound, LibraryError, Problem
from kg.export import draw
from kg.graph import IncidentGraph
from kg.library.build import open_encoder
from kg.library.lanes import Lanes
from kg.library.passages import condense, query_parts
from kg.library.search import THRESHOLD, Searcher
from kg.model import Case, Term
from kg.model.text import language_of
from kg.queries import (
    Explanation,
    Filter,
    Group,
    Hits,
    Page,
    SharedCause,
    Subgraph,
    TimeStatistic,
    Topic,
    VocabularyEntry,
    make_explanation,
    make_filter,
    matching,
    shared_causes,
    time_statistics,
)
from kg.queries.listing import (
    coverage,
    group_by_cause,
    make_page,
    result_graph,
    software_of,
    top_components,
)
from kg.queries.topic import entries, make_topic
from kg.store import Snapshot, Table, connect, read_snapshot, run_sql
from kg.vocab import Tag, Tagger, Vocabulary

if TYPE_CHECKING:
    from embeddings import Encoder


class Library:
    """An open library file: search, explanation, lists, topics, SQL.

    Reading is all it does; a file that is rebuilt meanwhile does not change an open library.
    Use it as a context manager, or call `close`. Get one from `kg.open_library` or
    `kg.build_library`.

    Attributes:
        path: the file.
        problems: what was left out when it was built with `keep_going`.
    """

    def __init__(
        self,
        path: str | Path,
        encoder: str | Encoder | None = None,
        problems: Sequence[Problem] = (),
    ) -> None:
        self.path = Path(path)
        self.problems = tuple(problems)
        self._connection = connect(path)
        try:
            self._snapshot: Snapshot = read_snapshot(self._connection)
        except LibraryError:
            self._connection.close()
            raise
        self._given_encoder = encoder
        self.cases: Mapping[str, Case] = {c.id: c for c in self._snapshot.cases}

    # Cases and lists

    def __len__(self) -> int:
        return len(self.cases)

    def __contains__(self, case_id: object) -> bool:
        return case_id in self.cases

    def get(self, case_id: str) -> Case:
        """The case with this id.

        Raises:
            CaseNotFound: there is none; the message names ids that look like it.
        """
        case = self.find(case_id)
        if case is None:
            raise CaseNotFound(case_id, difflib.get_close_matches(case_id, self.cases, n=3))
        return case

    def find(self, case_id: str) -> Case | None:
        """The case with this id, or None."""
        return self.cases.get(case_id)

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
        return make_page(
            self.graph, self.vocabulary, self.cases, self._matching(chosen), chosen,
            sort=sort, offset=offset, limit=limit, lang=lang,
        )  # fmt: skip

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

    # Search and explanation

    def search(
        self,
        text: str,
        k: int = 5,
        *,
        wanted: Filter | None = None,
        threshold: float = THRESHOLD,
        lang: str | None = None,
        **facets: Any,
    ) -> Hits:
        """Cases like a text: symptoms, log lines, a question, in Korean or English.

        Args:
            text: what was seen. Of a text of more than 20,000 characters (a pasted log) the
                distinct lines are searched, up to that size; they are the `query` of the answer.
            k: at most how many hits.
            wanted: only cases that this filter lets through; or give facets by name.
            threshold: hits below this score are not called similar; they are kept in `weaker`.
            lang: language of titles and messages; that of the text when None.
            facets: see `filter`.

        Returns:
            The hits, best first, each with its reasons; empty when nothing is similar.

        Raises:
            BadQuery: the text has no words, k is below 1, or threshold is not from 0 to 1.
            EncoderMismatch, EncoderNotFound: the vectors of this library need another encoder.
        """
        if not any(c.isalnum() for c in text):
            raise BadQuery("the query has no words; say what was seen")
        _check_size(k, threshold)
        text = condense(text)
        language = lang or language_of(text)
        tags = self.tag(text)
        allowed = self._matching(self._wanted(wanted, facets))
        parts = query_parts(text)
        vectors = self.encoder.encode_queries(parts)
        scores = self._lanes.for_text(parts, vectors, tags, allowed)
        return self._searcher.by_text(text, scores, tags, allowed, k, threshold, language)

    def similar(
        self,
        case_id: str,
        k: int = 5,
        *,
        wanted: Filter | None = None,
        threshold: float = 0.0,
        lang: str = "en",
        **facets: Any,
    ) -> Hits:
        """Cases like another case, never the case itself.

        All k nearest are given unless `threshold` is set; each says whether its cause is the
        same and what differs.

        Raises:
            CaseNotFound: the id is not in the library.
            BadQuery: k is below 1, threshold is not from 0 to 1, or a facet cannot be used.
        """
        _check_size(k, threshold)
        case = self.get(case_id)
        wanted_ids = self._matching(self._wanted(wanted, facets))
        allowed = [i for i in wanted_ids if i != case.id]
        scores = self._lanes.for_case(case.id, allowed)
        return self._searcher.by_case(case.id, scores, allowed, k, threshold, lang)

    def explain(self, a: str, b: str, lang: str = "en") -> Explanation:
        """Why two cases are alike: shared root causes first, with both statements and spans.

        Raises:
            CaseNotFound: an id is not in the library.
            BadQuery: both are the same case.
        """
        if a == b:
            raise BadQuery(f"{a} is one case; give two")
        return make_explanation(self.graph, self.vocabulary, self.get(a), self.get(b), lang)

    def shared_causes(self, case_ids: Iterable[str], minimum: int = 2) -> Sequence[SharedCause]:
        """Root causes that at least `minimum` of the cases confirm, ranked by lift.

        Raises:
            CaseNotFound: an id is not in the library.
            BadQuery: no case is given.
        """
        ids = self._known(case_ids)
        if not ids:
            raise BadQuery("give the ids of the cases to compare")
        return shared_causes(self.graph, self.vocabulary, ids, tuple(self.cases), minimum)

    def tag(self, text: str) -> Sequence[Tag]:
        """The terms named in a text, with spans; denied ones are marked."""
        return self._tagger.tag(text)

    def suggest(self, text: str) -> Sequence[VocabularyEntry]:
        """Facet values found in a query text, to offer as filters; denied ones are left out."""
        named = dict.fromkeys(t.term for t in self.tag(text) if not t.negated)
        return entries(self.graph, [self.vocabulary.get(t) for t in named], "en")

    # Vocabulary and graph

    @property
    def vocabulary(self) -> Vocabulary:
        """The terms of this library."""
        return self._snapshot.vocabulary

    def vocab(self, scheme: str | None = None, lang: str = "en") -> Sequence[VocabularyEntry]:
        """The terms of a scheme (or of all) with labels and number of cases, most cases first.

        Raises:
            TermNotFound: there is no such scheme.
        """
        terms: Iterable[Term]
        terms = self.vocabulary.of(scheme) if scheme else self.vocabulary.terms.values()
        return entries(self.graph, list(terms), lang)

    def topic(self, term: str, lang: str = "en") -> Topic:
        """Everything about one term: definition, cases by status, what comes with it.

        Raises:
            TermNotFound, AmbiguousTerm: `term` (an id or a spelling) names no term, or several.
        """
        found = self.vocabulary.resolve(term, lang=lang)
        return make_topic(self.graph, self.vocabulary, self.cases, found, lang)

    @cached_property
    def graph(self) -> IncidentGraph:
        """The typed graph; `graph.nx` is a real `networkx.MultiDiGraph`."""
        return IncidentGraph(self._snapshot.cases, self.vocabulary)

    def result_graph(self, case_ids: Iterable[str] | None = None) -> Subgraph:
        """Cases with their causes, components, symptoms and factors.

        Raises:
            CaseNotFound: an id is not in the library.
        """
        return result_graph(self.graph, self._known(self.cases if case_ids is None else case_ids))

    def picture(self, case_ids: Iterable[str] | None = None, lang: str = "en") -> str:
        """The same graph drawn as an SVG document, equal bytes for equal cases.

        Raises:
            CaseNotFound: an id is not in the library.
        """
        titles = {i: case.name(lang) for i, case in self.cases.items()}
        return draw(self.result_graph(case_ids), self.vocabulary, titles, lang)

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

    # SQL and the rest

    def sql(self, query: str, parameters: Sequence[Any] = ()) -> Table:
        """Run a read-only SQL query on the library file; values go in as parameters.

        Raises:
            BadQuery: the statement is wrong, or tries to change something.
        """
        return run_sql(self._connection, query, parameters)

    @cached_property
    def encoder(self) -> Encoder:
        """The encoder of this library's vectors, loaded on first use.

        Raises:
            EncoderMismatch: the given encoder is not the one that made the vectors.
            EncoderNotFound: it cannot be loaded here.
        """
        given = self._given_encoder
        if given is None and self._snapshot.encoder == "given":
            raise EncoderMismatch(
                f"{self.path} was built with an encoder object, give it to open_library(encoder=…)",
                self._snapshot.fingerprint,
                "no encoder",
            )
        _, encoder = open_encoder(self._snapshot.encoder if given is None else given)
        if encoder.fingerprint != self._snapshot.fingerprint:
            raise EncoderMismatch(
                f"{self.path} needs the encoder that built it, or a new build",
                self._snapshot.fingerprint,
                encoder.fingerprint,
            )
        return encoder

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @cached_property
    def _lanes(self) -> Lanes:
        return Lanes(self._snapshot, self.graph)

    @cached_property
    def _searcher(self) -> Searcher:
        return Searcher(self._snapshot, self.graph, self._lanes)

    @cached_property
    def _tagger(self) -> Tagger:
        return Tagger(self.vocabulary)

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


def _check_size(k: int, threshold: float) -> None:
    if k < 1:
        raise BadQuery(f"k must be 1 or more, not {k}")
    if not 0 <= threshold <= 1:
        raise BadQuery(f"threshold must be a number from 0 to 1, not {threshold}")
