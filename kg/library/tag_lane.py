"""The graph lane over plain documents: terms tagged in the query against terms tagged in each.

A corpus that was never curated has no claims; the tagger stands in for them. It knows both
languages, so a Korean question and an English report meet in their terms.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from kg.graph.compact import rarity_of, widen
from kg.queries.sharing import KIND_WEIGHTS
from kg.vocab import Tag, Tagger, Vocabulary

Scores = NDArray[np.float64]


class TagLane:
    """Weighted Jaccard of tagged terms, each widened up the hierarchy and weighted by rarity.

    Rarity is that of the corpus at hand,
    so a term that every document names counts nothing. The measure of two sets is shared weight
    over joint weight (Jaccard 1912), with the weights of terms as in the similarity of cases.
    """

    def __init__(self, vocabulary: Vocabulary, tagger: Tagger) -> None:
        """`tagger`: one over the same vocabulary."""
        self._vocabulary = vocabulary
        self._tagger = tagger
        self.fit([])

    def fit(self, documents: Sequence[Sequence[str]]) -> None:
        """Tag all documents, each a list of its passages, forgetting earlier ones."""
        rows = [self._terms(passages) for passages in documents]
        frequency = Counter(term for row in rows for term in row)
        self._value = {t: self._worth(t, n, len(rows)) for t, n in frequency.items()}
        self._count = len(rows)
        self._whole = np.array([self._weight(row) for row in rows], dtype=np.float64)
        self._postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, row in enumerate(rows):
            for term, weight in row.items():
                self._postings[term].append((number, weight))

    def scores(self, query: str) -> Scores:
        """Likeness of all documents, (documents,), 0 to 1; 0 for a query without known terms."""
        wanted = self._terms([query])
        shared = np.zeros(self._count)
        for term, weight in sorted(wanted.items()):
            for number, theirs in self._postings.get(term, ()):
                shared[number] += min(weight, theirs) * self._value[term]
        joint = self._whole + self._weight(wanted) - shared
        return np.divide(shared, joint, out=np.zeros(self._count), where=joint > 0)

    def _terms(self, texts: Sequence[str]) -> Mapping[str, float]:
        tags = [tag for text in texts for tag in self._tagger.tag(text)]
        return widen(surest(tags), self._vocabulary)

    def _weight(self, terms: Mapping[str, float]) -> float:
        return math.fsum(weight * self._value.get(term, 0.0) for term, weight in terms.items())

    @staticmethod
    def _worth(term: str, frequency: int, documents: int) -> float:
        return rarity_of(frequency, documents) * KIND_WEIGHTS.get(term.partition(":")[0], 0.0)


def surest(tags: Sequence[Tag]) -> dict[str, float]:
    """The terms that tags name and do not deny, each as sure as its surest place."""
    named: dict[str, float] = {}
    for tag in tags:
        if not tag.negated:
            named[tag.term] = max(tag.confidence, named.get(tag.term, 0.0))
    return named
