"""How like a text the cases of a library are: dense, words, late interaction, and the graph.

The text lanes and the sum are those of `embeddings.Retriever`, so what the evaluator measures is
what runs here; the library adds the graph lane, which knows no language.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from embeddings import (
    EmbeddedQuery,
    Ranking,
    Retriever,
    TokenTable,
    default_cache_dir,
    fitted,
    mean_vectors,
)
from embeddings.fusion import BRIDGE
from embeddings.lexicon import Lexicon
from embeddings.query import distinct_lines
from kg.graph import IncidentGraph
from kg.graph.compact import widen
from kg.library.documents import FIELD_WEIGHTS, document_of
from kg.library.fitted import case_fusion, case_words
from kg.library.tag_lane import surest
from kg.queries.sharing import KIND_WEIGHTS
from kg.store import Snapshot
from kg.vocab import Tag

Scores = NDArray[np.float64]

LANES = ("dense", "words", "graph", "late")
GRAPH_FLOOR = 4.0
"""Term weight that a query must reach before its terms alone can fill the graph lane."""


class TextLanes:
    """The lanes of a text over a snapshot and its graph; indexes are built on first use."""

    def __init__(
        self,
        snapshot: Snapshot,
        graph: IncidentGraph,
        lang: str | None = None,
        lexicon: Lexicon | None = None,
    ) -> None:
        """`lang`: look at the cases' texts of this language only; at all where not given.

        `lexicon`: translations of words; those that come with the package where not given.
        """
        self._lexicon = lexicon
        self._snapshot = snapshot
        self._graph = graph
        self._lang = lang
        self.ids: tuple[str, ...] = tuple(c.id for c in snapshot.cases)
        self.row = {case_id: i for i, case_id in enumerate(self.ids)}
        # The passages looked at, by their number in the snapshot.
        self._numbers = [
            n for n, p in enumerate(snapshot.passages) if lang is None or p.lang == lang
        ]

    @cached_property
    def retriever(self) -> Retriever:
        """The text lanes over the passages and words of the cases."""
        snapshot = self._snapshot
        owners = [self.row[snapshot.passages[n].case_id] for n in self._numbers]
        return Retriever(
            [document_of(case, snapshot.vocabulary, self._lang) for case in snapshot.cases],
            np.array(owners, dtype=np.int64),
            snapshot.vectors[self._numbers],
            snapshot.fingerprint,
            self._tokens(),
            replace(fitted(), words=case_words(FIELD_WEIGHTS), fusion=case_fusion()),
            default_cache_dir(),
            self._lexicon,
        )

    def ready(self) -> Self:
        """These lanes, with what all of their rankings need made."""
        self.retriever  # noqa: B018 - it is kept
        return self

    @property
    def comparable(self) -> bool:
        """Whether cosines mean what they meant in the fit: with the default encoder only."""
        return self.retriever.centre is not None

    def rank(
        self,
        query: EmbeddedQuery,
        tags: Sequence[Tag],
        allowed: Sequence[str],
        without: Sequence[str] = (),
    ) -> Ranking:
        """Score all cases against a text and the terms found in it.

        The scores of cases that are not allowed mean nothing. `without` names lanes to leave out.
        """
        everything = len(allowed) == len(self.ids)
        rows = None if everything else np.array([self.row[i] for i in allowed], dtype=np.int64)
        extra = {"graph": self._term_share(tags)}
        left_out = [*without, *(["grams", BRIDGE] if "words" in without else [])]
        return self.retriever.rank(query, extra=extra, allowed=rows, without=left_out)

    @cached_property
    def case_vectors(self) -> NDArray[np.float32]:
        """The mean direction of each case's passages, (cases, dimension).

        Seen from a middle: means of many vectors out of one narrow cone are all alike.
        """
        vectors = self.retriever.index.vectors
        if self.retriever.centre is None and len(vectors):
            vectors = vectors - vectors.mean(axis=0)
        return mean_vectors(vectors, self.retriever.pool.bounds)

    def best_passages(self, ranking: Ranking, case_id: str, count: int) -> list[tuple[int, float]]:
        """The passages of a case that are nearest, as (passage number, cosine)."""
        rows = self.retriever.pool.best_rows(self.row[case_id], ranking.passages, count)
        return [(self._numbers[r], float(ranking.passages[r])) for r in rows]

    def words_of(self, text: str, case_id: str) -> list[tuple[str, float]]:
        """What each word of a text adds to the word score of a case, largest first."""
        return self.retriever.words.explain(distinct_lines(text), self.row[case_id])

    def _tokens(self) -> TokenTable | None:
        codes, starts = self._snapshot.token_codes, self._snapshot.token_starts
        if codes is None or starts is None:
            return None
        table = TokenTable(codes, starts)
        if self._lang is None:
            return table
        return TokenTable.of([table.codes_of(n) for n in self._numbers], table.dimension)

    def _term_share(self, tags: Sequence[Tag]) -> Scores:
        """The share of the query's term weight that each case states, (cases,), 0 to 1."""
        terms = widen(surest(tags), self._snapshot.vocabulary)
        array = self._graph.terms
        value = sum(
            w * array.rarity_by_term(t) * KIND_WEIGHTS.get(t.partition(":")[0], 0.0)
            for t, w in terms.items()
        )
        share: Scores = array.overlap(terms, KIND_WEIGHTS) / max(value, GRAPH_FLOOR)
        return share
