"""The library: what every caller holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from embeddings import EmbeddedQuery, EncoderMismatch, condense, embed_query
from kg.errors import BadQuery, LibraryError, Problem
from kg.export import draw
from kg.graph import IncidentGraph
from kg.library.analysis import Analysis
from kg.library.build import open_encoder
from kg.library.diagnosis import Diagnoses
from kg.library.explanations import Explanations
from kg.library.exports import Exports
from kg.library.lanes import Lanes
from kg.library.linked_data import LinkedData
from kg.library.proposals import Proposals
from kg.library.search import THRESHOLD, Searcher, check_lanes, check_size
from kg.library.sql import Sql
from kg.library.tagging import make_tagger
from kg.library.text_lanes import TextLanes
from kg.library.word_search import WordSearch
from kg.model import Case, Change, Review, Revision, Term
from kg.model.text import language_of
from kg.queries import (
    Filter,
    Hits,
    Subgraph,
    Topic,
    VocabularyEntry,
)
from kg.queries.listing import (
    result_graph,
)
from kg.queries.shown import Labels
from kg.queries.topic import entries, make_topic
from kg.store import Snapshot, connect, read_snapshot
from kg.vocab import MeaningTagger, Tag, Tagger, Vocabulary, tagger_of

if TYPE_CHECKING:
    from embeddings import Encoder


SUGGESTED = 0.5
"""Confidence from which a term that a text does not name is offered as a filter."""


class Library(WordSearch, Explanations, Diagnoses, Analysis, Proposals, Exports, LinkedData, Sql):
    """An open library file: search, explanation, lists, topics, SQL.

    Reading is all it does; a file that is rebuilt meanwhile does not change an open library.
    Use it as a context manager, or call `close`. Get one from `kg.open_library` or
    `kg.build_library`.

    Attributes:
        path: the file.
        problems: what was left out when it was built with `keep_going`.
        notes: old ids of terms that its files used when it was built, and how they were read.
    """

    def __init__(
        self,
        path: str | Path,
        encoder: str | Encoder | None = None,
        problems: Sequence[Problem] = (),
        notes: Sequence[Problem] = (),
    ) -> None:
        self.path = Path(path)
        self.problems = tuple(problems)
        self.notes = tuple(notes)
        self._connection = connect(path)
        try:
            self._snapshot: Snapshot = read_snapshot(self._connection)
        except LibraryError:
            self._connection.close()
            raise
        self._given_encoder = encoder
        self.cases: Mapping[str, Case] = {c.id: c for c in self._snapshot.cases}

    # Search and explanation

    def search(
        self,
        text: str,
        k: int = 5,
        *,
        wanted: Filter | None = None,
        threshold: float = THRESHOLD,
        lang: str | None = None,
        without: Sequence[str] = (),
        diversity: float = 0.0,
        **facets: Any,
    ) -> Hits:
        """Cases like a text: symptoms, log lines, a question, in Korean or English.

        Args:
            text: what was seen. Of a text of more than 20,000 characters (a pasted log) the
                distinct lines are searched, up to that size; they are the `query` of the answer.
            k: at most how many hits.
            wanted: only cases that this filter lets through; or give facets by name.
            threshold: hits less likely than this to be relevant are not called similar; they are
                kept in `weaker`.
            lang: language of titles and messages; that of the text when None.
            without: lanes to leave out, of `dense`, `words`, `graph`, `late`: what a hit's `parts`
                say of a lane is what its score loses.
            diversity: 0 orders by score alone; up to 1, hits that are unlike the ones before them
                come earlier (maximal marginal relevance). Cases that tell the same nearly word
                for word are always folded into one hit, see `Hit.repeated`.
            facets: see `filter`.

        Returns:
            The hits, best first, each with its reasons; empty when nothing is similar.

        Raises:
            BadQuery: the text has no words, k is below 1, threshold or diversity is not from 0 to
                1, or there is no such lane.
            EncoderMismatch, EncoderNotFound: the vectors of this library need another encoder.
        """
        if not any(c.isalnum() for c in text):
            raise BadQuery("the query has no words; say what was seen")
        check_size(k, threshold)
        check_lanes(without, diversity)
        text = condense(text)
        language = lang or language_of(text)
        embedded = self._embedding(text)
        tags = self.labels(text)
        allowed = self._matching(self._wanted(wanted, facets))
        ranker = self._text_lanes.ready()
        ranking = ranker.rank(embedded(), tags, allowed, without)
        return self._searcher.by_text(
            text, ranking, tags, allowed, k, threshold, language, diversity
        )

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
        check_size(k, threshold)
        case = self.get(case_id)
        wanted_ids = self._matching(self._wanted(wanted, facets))
        allowed = [i for i in wanted_ids if i != case.id]
        scores = self._lanes.for_case(case.id, allowed)
        return self._searcher.by_case(case.id, scores, allowed, k, threshold, lang)

    def tag(self, text: str, least: float = 0.3) -> Sequence[Tag]:
        """The terms that a text names or tells of in other words, with spans and confidence.

        Denied ones are marked; those told in other words need a confidence of `least`. The first
        call takes a second or two: the tagger learns from the claims of this library.

        Raises:
            EncoderMismatch, EncoderNotFound: the vectors of this library need another encoder.
        """
        return [t for t in self._meanings.tag(text) if t.how == "label" or t.confidence >= least]

    def labels(self, text: str) -> Sequence[Tag]:
        """The terms whose labels or aliases stand in a text, with spans; denied ones are marked."""
        return self._tagger.tag(text)

    def suggest(self, text: str) -> Sequence[VocabularyEntry]:
        """Facet values found in a query text, to offer as filters; denied ones are left out."""
        named = dict.fromkeys(t.term for t in self.tag(text, SUGGESTED) if not t.negated)
        return entries(self.graph, [self.vocabulary.get(t) for t in named], "en")

    # Vocabulary and graph

    @property
    def vocabulary(self) -> Vocabulary:
        """The terms of this library."""
        return self._snapshot.vocabulary

    @property
    def history(self) -> tuple[Change, ...]:
        """What was renamed, merged and split in its vocabulary, the oldest first."""
        return self.vocabulary.history

    @property
    def reviews(self) -> tuple[Review, ...]:
        """The decisions of people about what a program claimed, by case, kind and term."""
        return self._snapshot.reviews

    def revisions(self, case_id: str) -> tuple[Revision, ...]:
        """How a case that was read from elsewhere came to be as it is, the first step first.

        Raises:
            CaseNotFound: there is no such case.
        """
        own = self.get(case_id).id
        return tuple(r for r in self._snapshot.revisions if r.case_id == own)

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
        made = make_topic(self.graph, self.vocabulary, self.cases, found, lang)
        return replace(made, labels=Labels(self.vocabulary, lang), lang=lang)

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

    # The rest

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
        _, encoder = open_encoder(
            self._snapshot.encoder if given is None else given, questions=False
        )
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

    def _embedding(self, text: str) -> Callable[[], EmbeddedQuery]:
        """The text embedded; of a first search, while the graph and the indexes are made."""
        if "_searcher" in self.__dict__:
            embedded = embed_query(self.encoder, text)
            return lambda: embedded
        pool = ThreadPoolExecutor(1)
        waiting = pool.submit(lambda: embed_query(self.encoder, text))
        pool.shutdown(wait=False)
        return waiting.result

    @cached_property
    def _searcher(self) -> Searcher:
        return Searcher(self._snapshot, self.graph, self._lanes, self._text_lanes)

    @cached_property
    def _text_lanes(self) -> TextLanes:
        return TextLanes(self._snapshot, self.graph)

    @cached_property
    def _meanings(self) -> MeaningTagger:
        return make_tagger(self._snapshot, self.encoder, self._tagger)

    @cached_property
    def _tagger(self) -> Tagger:
        return tagger_of(self.vocabulary)
