"""Terms of a text in one call."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from kg.vocab.meaning import Embed, MeaningTagger, term_texts
from kg.vocab.shipped import shipped_vocabulary
from kg.vocab.space import Examples
from kg.vocab.spelling import words
from kg.vocab.tagger import Tag, Tagger
from kg.vocab.termwords import Tokenize
from kg.vocab.vocabulary import Vocabulary
from kg.vocab.weights import shipped_weights


def tag(
    text: str,
    vocabulary: Vocabulary | None = None,
    *,
    embed: Embed | None = None,
    tokenize: Tokenize | None = None,
) -> list[Tag]:
    """The terms of all schemes found in an English or Korean text, in order of place.

    An open library does more: its tagger has learned from the claims of its cases.

    Args:
        text: what was written.
        vocabulary: the terms; the shipped ones when None.
        embed: text -> unit vectors. Without it terms are found by labels and aliases alone; with
            it by meaning as well, by the definitions, which the first call embeds.
        tokenize: text -> words, for the likeness of words; plain words when None.

    Raises:
        LibraryError, SchemaError: the shipped data is missing or damaged.
    """
    terms = vocabulary or shipped_vocabulary()
    if embed is None:
        return _by_label(terms).tag(text)
    return _by_meaning(terms, embed, tokenize or _plain).tag(text)


@lru_cache(maxsize=4)
def _by_label(vocabulary: Vocabulary) -> Tagger:
    return Tagger(vocabulary)


@lru_cache(maxsize=4)
def _by_meaning(vocabulary: Vocabulary, embed: Embed, tokenize: Tokenize) -> MeaningTagger:
    vectors = embed([text for _, _, text in term_texts(vocabulary)])
    nothing = Examples(np.zeros((0, vectors.shape[1]), np.float32), (), ())
    return MeaningTagger(vocabulary, vectors, nothing, embed, tokenize, shipped_weights())


def _plain(text: str) -> list[str]:
    return [word.stem for word in words(text)]
