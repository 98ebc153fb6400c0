"""How near a text is to what the vocabulary says of each cause, whether or not any case has it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from kg.vocab import Vocabulary
from kg.vocab.spelling import words
from kg.vocab.wordrows import Rarity, WordRows

Scores = NDArray[np.float64]
Tokenize = Callable[[str], Sequence[str]]

KINDS = ("meaning", "alike", "covered")
"""Nearness of the vectors of text and descriptions; likeness of their words; how much of one of
the cause's spellings stands in the text."""


class Descriptions:
    """Labels, aliases and definitions of causes, in words and as vectors."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        causes: Sequence[str],
        vectors: Mapping[str, NDArray[np.float32]],
        tokenize: Tokenize | None,
    ) -> None:
        """Lay out the descriptions.

        Args:
            vocabulary: holds the causes.
            causes: in the order of the scores.
            vectors: of the descriptions of each cause, (descriptions, dimension), unit rows;
                causes without any are near to nothing.
            tokenize: text -> words; plain words where not given.
        """
        self._names, self._wholes = _word_rows(vocabulary, causes, tokenize or plain_words)
        self._vectors = _middles(causes, vectors)

    def measure(self, vector: Scores | None, said: frozenset[str]) -> Scores:
        """The `KINDS` of every cause for one text, (causes, 3); 0 for what is not known."""
        near = np.zeros(len(self._vectors))
        if vector is not None and self._vectors.shape[1] == len(vector):
            near = self._vectors @ vector
        alike, covered = self._wholes.cosine(said), self._names.covered(said)
        return np.stack([near, alike, covered], axis=-1)


def plain_words(text: str) -> list[str]:
    """The stems of the words of a text."""
    return [word.stem for word in words(text)]


def _middles(causes: Sequence[str], vectors: Mapping[str, NDArray[np.float32]]) -> Scores:
    """The mean vector of each cause's descriptions, seen from the middle of all of them.

    Without that, all descriptions of one kind of thing lie close together.
    """
    known = {c: np.atleast_2d(np.asarray(vectors[c], np.float64)) for c in causes if c in vectors}
    if not known:
        return np.zeros((len(causes), 0))
    every = np.concatenate([known[c] for c in sorted(known)])
    middle = every.mean(axis=0) if len(every) > 1 else np.zeros(every.shape[1])
    found = np.zeros((len(causes), every.shape[1]))
    for row, cause in enumerate(causes):
        if cause in known:
            found[row] = _unit(known[cause] - middle).mean(axis=0)
    return found


def _unit(rows: Scores) -> Scores:
    length = np.linalg.norm(rows, axis=-1, keepdims=True)
    unit: Scores = rows / np.where(length > 1e-9, length, 1.0)
    return unit


def _word_rows(
    vocabulary: Vocabulary, causes: Sequence[str], tokenize: Tokenize
) -> tuple[WordRows, WordRows]:
    """Spellings, and whole descriptions, of the causes as rows of words with common weights."""
    spellings: list[tuple[int, Sequence[str]]] = []
    whole: dict[int, list[str]] = defaultdict(list)
    for row, cause in enumerate(causes):
        term = vocabulary.terms[cause]
        for _, spelling in () if term.unnamed else term.spellings():
            spellings.append((row, tokenize(spelling)))
            whole[row] += tokenize(spelling)
        for _, text in () if term.unnamed else sorted(term.definition.items()):
            whole[row] += tokenize(text)
    documents = [(row, whole[row]) for row in range(len(causes))]
    rarity = Rarity([set(said) for _, said in documents])
    return WordRows(spellings, rarity, len(causes)), WordRows(documents, rarity, len(causes))
