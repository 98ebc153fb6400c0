"""Rows of words, each of an owner, and how much of them a set of words holds."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]


class Rarity:
    """The weight of a word by the number of texts that hold it (Robertson–Sparck Jones)."""

    def __init__(self, texts: Sequence[Collection[str]]) -> None:
        self._count = len(texts)
        self._held = Counter(word for text in texts for word in set(text))

    def __call__(self, word: str) -> float:
        """The weight; largest for a word that no text holds; always positive."""
        held = self._held[word]
        return math.log1p((self._count - held + 0.5) / (held + 0.5))


class WordRows:
    """Rows of weighted words behind postings: each word has the rows that hold it.

    Args:
        rows: pairs of an owner and the words of a row; an owner may have several rows.
        rarity: the weight of a word.
        owners: how many owners there are, numbered from 0.
    """

    def __init__(
        self, rows: Sequence[tuple[int, Sequence[str]]], rarity: Rarity, owners: int
    ) -> None:
        ordered = sorted(((o, frozenset(w)) for o, w in rows if w), key=lambda r: r[0])
        self._rarity, self._owners = rarity, owners
        self._words = [{w: rarity(w) for w in words} for _, words in ordered]
        postings: dict[str, list[int]] = defaultdict(list)
        for i, words in enumerate(self._words):
            for word in words:
                postings[word].append(i)
        self._postings = {w: np.array(found, np.int64) for w, found in postings.items()}
        self._mass = np.array([sum(sorted(w.values())) for w in self._words])
        self._length = np.sqrt([sum(v * v for v in sorted(w.values())) for w in self._words])
        owner = np.array([o for o, _ in ordered], np.int64)
        self._held, self._starts = np.unique(owner, return_index=True)
        self._first = {o: i for i, (o, _) in reversed(list(enumerate(ordered)))}

    def covered(self, words: Collection[str]) -> Scores:
        """For each owner the largest share of a row's weight that stands among the words."""
        found = self._summed(words, 1)
        return self._best(found / self._mass if len(found) else found)

    def cosine(self, words: Collection[str]) -> Scores:
        """For each owner the largest cosine of a row with the words."""
        found = self._summed(words, 2)
        length = math.sqrt(sum(self._rarity(w) ** 2 for w in sorted(words)))
        return self._best(found / (self._length * length) if length and len(found) else found)

    def weights(self, owner: int) -> Mapping[str, float]:
        """The words of an owner's first row with their weights."""
        row = self._first.get(owner)
        return {} if row is None else self._words[row]

    def _summed(self, words: Collection[str], power: int) -> Scores:
        total = np.zeros(len(self._words))
        for word in sorted(words):
            rows = self._postings.get(word)
            if rows is not None:
                total[rows] += self._rarity(word) ** power
        return total

    def _best(self, values: Scores) -> Scores:
        best = np.zeros(self._owners)
        if len(values):
            best[self._held] = np.maximum.reduceat(values, self._starts)
        return best
