"""Searching by words alone: no encoder, a few milliseconds; for exact names, and busy servers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from embeddings import Ranking, condense, tokenize
from kg.errors import BadQuery
from kg.library.search import PASSAGES, check_size
from kg.model.text import language_of
from kg.queries import HitPassage, Hits

if TYPE_CHECKING:
    from kg.library.search import Searcher
    from kg.library.text_lanes import TextLanes
    from kg.queries import Filter
    from kg.store import Snapshot
    from kg.vocab import Tag

_KEPT = 20_000
"""Passages whose words are kept at hand between searches."""


class WordSearch:
    """The part of a library that searches by words. `Library` is one."""

    if TYPE_CHECKING:
        _snapshot: Snapshot

        @property
        def _text_lanes(self) -> TextLanes: ...

        @property
        def _searcher(self) -> Searcher: ...

        def labels(self, text: str) -> Sequence[Tag]:
            """The terms that a text names."""

        def _wanted(self, wanted: Filter | None, facets: Mapping[str, Any]) -> Filter: ...

        def _matching(self, wanted: Filter) -> Sequence[str]: ...

    def search_words(
        self,
        text: str,
        k: int = 5,
        *,
        wanted: Filter | None = None,
        lang: str | None = None,
        **facets: Any,
    ) -> Hits:
        """Cases that have the words of a text, their parts, or their translations.

        It knows nothing of meaning: use `search` for that. Nothing is said of how likely a hit is
        relevant, so `probability` is None and the threshold 0; a case without any of the words is
        no hit.

        Args:
            text: words, names, settings, a log line, in Korean or English.
            k: at most how many hits.
            wanted: only cases that this filter lets through; or give facets by name.
            lang: language of titles; that of the text when None.
            facets: see `filter`.

        Raises:
            BadQuery: the text has no words, or k is below 1.
        """
        if not any(c.isalnum() for c in text):
            raise BadQuery("the query has no words; say what was seen")
        check_size(k, 0.0)
        text = condense(text)
        ranking = self._text_lanes.retriever.rank_words(text)
        tags = self.labels(text)
        language = lang or language_of(text)
        best = self._with_words(ranking, self._matching(self._wanted(wanted, facets)))[:k]
        named = self._searcher.named(tags)
        asked = self._text_lanes.retriever.words.weights(text)
        hits = [
            self._searcher.word_hit(
                text, case_id, ranking, named, self._passages_with(case_id, asked), language
            )
            for case_id in best
        ]
        return Hits(text, tuple(hits), (), 0.0, tuple(tags), language)

    def _with_words(self, ranking: Ranking, allowed: Sequence[str]) -> list[str]:
        """The allowed cases that have any of the words, best first, ties by id."""
        found = np.sum(list(ranking.lanes.values()), axis=0) > 0
        row = self._text_lanes.row
        having = [i for i in allowed if found[row[i]]]
        scores = ranking.total[[row[i] for i in having]]
        return [having[n] for n in np.argsort(-scores, kind="stable").tolist()]

    def _passages_with(self, case_id: str, asked: Mapping[str, float]) -> tuple[HitPassage, ...]:
        """The passages of a case that hold most of the words, by their weight."""
        scored = []
        for number in self._passages_of_case.get(case_id, ()):
            shared = asked.keys() & self._words_of(number)
            if shared:
                weight = sum(asked[word] for word in sorted(shared))
                scored.append((-weight, number))
        passages = self._snapshot.passages
        best = sorted(scored)[:PASSAGES]
        return tuple(
            HitPassage(p.field, p.lang, p.start, p.end, p.text, round(-weight, 4))
            for weight, number in best
            for p in [passages[number]]
        )

    @cached_property
    def _passages_of_case(self) -> Mapping[str, Sequence[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for number, passage in enumerate(self._snapshot.passages):
            found[passage.case_id].append(number)
        return found

    @cached_property
    def _words_of(self) -> Any:
        """The words of a passage, by its number."""
        passages = self._snapshot.passages
        return lru_cache(_KEPT)(lambda number: frozenset(tokenize(passages[number].text)))
