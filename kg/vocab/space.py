"""Terms in an encoder's space: near or far is told by centred and whitened vectors.

A term's place is the centre of its definitions and of the passages in which cases state it.
Vectors of one encoder crowd in a narrow cone; so all are centred by language and whitened by the
covariance of the library's passages, shrunk by half towards the sphere. Nearness to centres is
then Fisher's linear discriminant, with a covariance that needs no labels.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Scores = NDArray[np.float64]

SHRINK = 0.5
"""How far the covariance is drawn towards the sphere."""
MOST_EXAMPLES = 64
"""Examples kept of a term, evenly spread over those there are."""
MOST_BACKGROUND = 3000
"""Passages from which means and covariance are estimated."""
MOST_USUAL = 400
"""Texts by which it is known how near a term usually is."""


@dataclass(frozen=True)
class Examples:
    """What a library has to learn terms from; rows of texts, with vectors of unit length.

    Attributes:
        vectors: shape (texts, dimension).
        languages: of each text.
        terms: pairs of a term and the row of a text in which a case states it.
    """

    vectors: Floats
    languages: Sequence[str]
    terms: Sequence[tuple[str, int]]


class Space:
    """Terms in the encoder's space, centred by language and whitened."""

    def __init__(
        self,
        texts: Sequence[tuple[str, str, str]],
        term_vectors: Floats,
        examples: Examples,
        row: Mapping[str, int],
    ) -> None:
        background = _picked(np.arange(len(examples.vectors)), MOST_BACKGROUND)
        vectors = np.concatenate([term_vectors, examples.vectors[background]])
        codes = [lang for _, lang, _ in texts] + [examples.languages[i] for i in background]
        self._means = _means(vectors, codes)
        centred = self._centred(vectors, codes)
        self._whiten = _whitener(centred)
        seen = self._whitened(centred)
        used, owners = _kept(examples.terms, row)
        shown = self._of(examples.vectors[used], [examples.languages[i] for i in used])
        centres = np.zeros((len(row), vectors.shape[1]))
        np.add.at(centres, [row[t] for t, _, _ in texts], seen[: len(texts)])
        np.add.at(centres, owners, shown)
        self._centres = _unit(centres).T
        usual = seen[_picked(np.arange(len(seen)), MOST_USUAL)] @ self._centres
        self._usual = np.median(usual, axis=0) if len(usual) else np.zeros(len(row))
        self._spread = max(float(usual.std()), 1e-6) if usual.size else 1.0

    def nearness(self, vectors: Floats, languages: Sequence[str]) -> Scores:
        """How near texts are to the centres of the terms: (texts, terms).

        How far the cosine is above what texts of this library usually have with the term, in
        units of the spread of all such cosines.
        """
        return (self._of(vectors, languages) @ self._centres - self._usual) / self._spread

    def _of(self, vectors: Floats, languages: Sequence[str]) -> Scores:
        return self._whitened(self._centred(vectors, languages))

    def _centred(self, vectors: Floats, languages: Sequence[str]) -> Scores:
        means = np.stack(
            [self._means.get(c, self._means[""]) for c in languages] or [self._means[""]]
        )
        return _unit(vectors.astype(np.float64) - means[: len(vectors)])

    def _whitened(self, centred: Scores) -> Scores:
        return _unit(centred @ self._whiten)


def _means(vectors: Floats, languages: Sequence[str]) -> dict[str, Scores]:
    """The mean vector of all texts (under "") and of each language that has enough of them."""
    means = {
        "": vectors.mean(axis=0, dtype=np.float64) if len(vectors) else np.zeros(vectors.shape[1])
    }
    codes = np.array(languages, dtype=object)
    for code in sorted(set(languages)):
        mine = vectors[codes == code]
        share = len(mine) / (len(mine) + 10.0)
        means[code] = share * mine.mean(axis=0, dtype=np.float64) + (1 - share) * means[""]
    return means


def _whitener(centred: Scores) -> Scores:
    """A matrix after which the shrunk covariance of these points is the identity."""
    size = centred.shape[1]
    if not len(centred):
        return np.eye(size)
    covariance = centred.T @ centred / len(centred)
    level = np.trace(covariance) / size
    shrunk = (1 - SHRINK) * covariance + SHRINK * max(level, 1e-9) * np.eye(size)
    inverse: Scores = np.linalg.inv(np.linalg.cholesky(shrunk)).T
    return inverse


def _kept(
    pairs: Sequence[tuple[str, int]], row: Mapping[str, int]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows of the examples that are kept and the terms they show, sorted by term."""
    by_term: dict[int, set[int]] = defaultdict(set)
    for term, text in pairs:
        if term in row:
            by_term[row[term]].add(text)
    kept = [(t, i) for t in sorted(by_term) for i in _picked(sorted(by_term[t]), MOST_EXAMPLES)]
    return np.array([i for _, i in kept], np.int64), np.array([t for t, _ in kept], np.int64)


def _picked(items: Sequence[int] | NDArray[np.int64], most: int) -> list[int]:
    """At most so many of the items, evenly spread, the first and the last among them."""
    count = len(items)
    numbers = range(count)
    chosen = numbers if count <= most else [i * (count - 1) // (most - 1) for i in range(most)]
    return [int(items[i]) for i in chosen]


def _unit(rows: Scores) -> Scores:
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Scores = rows / np.where(length > 1e-12, length, 1.0)
    return unit
