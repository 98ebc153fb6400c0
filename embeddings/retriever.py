"""All text lanes over one corpus and their sum: dense, words in three ways, late interaction.

What is measured is what runs: the library of incidents and the evaluator both rank through this
class. A caller may bring lanes of its own (the library brings its graph).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from embeddings.centre import centre_of
from embeddings.encoders import token_encoder
from embeddings.fitted import Fitted, fitted
from embeddings.fusion import BRIDGE, fuse, total
from embeddings.index import VectorIndex
from embeddings.late import TokenTable
from embeddings.lexicon import shipped_lexicon
from embeddings.pooling import PassagePool
from embeddings.query import distinct_lines, query_parts
from embeddings.tokens import letter_grams, tokenize
from embeddings.word_cache import word_index

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from embeddings.encoders import Encoder
    from embeddings.lexicon import Lexicon

    Floats = NDArray[np.float32]
    Scores = NDArray[np.float64]
    Rows = NDArray[np.int64]
    Mask = NDArray[np.bool_]

FILLED_UP_TO = 100_000
"""Passages up to which FAISS gives every cosine, not the nearest only: about 10 ms."""
EXACT = 64
"""Passages whose cosines are then summed exactly, so that equal ones stand by their place."""


@dataclass(frozen=True)
class EmbeddedQuery:
    """A query text with its vectors.

    Attributes:
        text: what its words are searched by, see `distinct_lines`.
        vectors: one a part (`query_parts`), float32 (parts, dimension).
        tokens: token vectors of the parts, end to end, float32 (tokens, axes); None where the
            encoder gives none.
    """

    text: str
    vectors: Floats
    tokens: Floats | None


def embed_query(encoder: Encoder, text: str) -> EmbeddedQuery:
    """Embed a query: each of its parts, and their tokens where the encoder gives them."""
    return embed_queries(encoder, [text])[0]


def embed_queries(encoder: Encoder, texts: Sequence[str]) -> list[EmbeddedQuery]:
    """Embed many queries in one call of the encoder, which then fills its batches."""
    parts = [query_parts(text) for text in texts]
    flat = [part for own in parts for part in own]
    with_tokens = token_encoder(encoder)
    if with_tokens is None:
        vectors, tokens = encoder.encode_queries(flat), None
    else:
        vectors, tokens = with_tokens.encode_queries_with_tokens(flat)
    queries, start = [], 0
    for text, own in zip(texts, parts, strict=True):
        end = start + len(own)
        mine = np.concatenate(tokens[start:end]) if tokens else None
        queries.append(EmbeddedQuery(distinct_lines(text), vectors[start:end], mine))
        start = end
    return queries


@dataclass(frozen=True)
class Ranking:
    """Scores of all documents for one query.

    Attributes:
        lanes: raw scores, (documents,) each; NaN where late interaction did not look.
        parts: what each lane adds to the score; `words` holds all of the words lane.
        passages: the best cosine of each passage with a part of the query, (passages,).
        known_share: share of the query's words that the corpus knows, 0 to 1.
        documents: how many there are.
    """

    lanes: Mapping[str, Scores]
    parts: Mapping[str, Scores]
    passages: Floats
    known_share: float
    documents: int

    @cached_property
    def total(self) -> Scores:
        """The score of each document: the sum of its parts; 0 where every lane is left out."""
        return total(self.parts) if self.parts else np.zeros(self.documents)


class Retriever:
    """The text lanes over documents and their passages."""

    def __init__(
        self,
        documents: Sequence[Mapping[str, str]],
        owners: Rows,
        vectors: Floats,
        fingerprint: str,
        tokens: TokenTable | None = None,
        parameters: Fitted | None = None,
        cache: Path | None = None,
        lexicon: Lexicon | None = None,
    ) -> None:
        """Lay out a corpus.

        Args:
            documents: texts by field, for the words; every field has a weight in `parameters`.
            owners: the document of each passage, ascending, (passages,).
            vectors: the passages' unit vectors, in the same order, (passages, dimension).
            fingerprint: of the encoder that made them and will make those of queries.
            tokens: their token vectors; None switches late interaction off.
            parameters: the fitted ones that come with the package where not given.
            cache: folder where the word indexes are kept for the next process; None keeps none.
            lexicon: translations of words; the one that comes with the package where not given.

        Raises:
            ValueError: owners, vectors and tokens do not agree, or a field has no weight.
        """
        if len(owners) != len(vectors) or (tokens is not None and len(tokens) != len(owners)):
            others = len(vectors) if tokens is None else f"{len(vectors)} and {len(tokens)}"
            raise ValueError(f"{len(owners)} passages, but vectors and tokens of {others}")
        self.parameters = parameters or fitted()
        self.centre = centre_of(fingerprint)
        self.lexicon = shipped_lexicon() if lexicon is None else lexicon
        self.index = VectorIndex(vectors.shape[1], fingerprint)
        self.index.add(self.centre.passages(vectors) if self.centre else vectors)
        self.tokens = tokens
        self.owners = owners
        self.pool = PassagePool(owners, len(documents))
        words = self.parameters.words
        weights = words.field_weights
        self.words = word_index(documents, weights, words.k1, words.b, tokenize, cache)
        self.grams = word_index(
            documents, weights, words.grams_k1, words.grams_b, letter_grams, cache
        )

    def __len__(self) -> int:
        """Number of documents."""
        return len(self.words)

    def rank(
        self,
        query: EmbeddedQuery,
        *,
        extra: Mapping[str, Scores] | None = None,
        allowed: Rows | None = None,
        counted: Mask | None = None,
        without: Sequence[str] = (),
    ) -> Ranking:
        """Score all documents.

        Args:
            query: as `embed_query` gives it.
            extra: lanes of the caller, raw, (documents,) each; weighted where `parameters` say.
            allowed: documents that may be answers. Late interaction looks at the best of these
                besides the best of all; lanes stay standardised over all.
            counted: documents that a lane is standardised over, (documents,); all by default.
            without: lanes to leave out of the sum; `words`, `grams` and `bridge` are three.
        """
        vectors = self.centre.queries(query.vectors) if self.centre else query.vectors
        passages = self._passages(vectors, allowed)
        lanes: dict[str, Scores] = {
            "dense": self.dense(passages),
            "words": self.words.scores(query.text).astype(np.float64),
            "grams": self.grams.scores(query.text).astype(np.float64),
            BRIDGE: self._crossed(query.text),
            **(extra or {}),
        }
        known = self.words.known_share(query.text)
        best = passages.max(axis=0, initial=-1.0)
        parts = fuse(lanes, self.parameters.fusion, known, counted)
        if query.tokens is not None and self.tokens is not None:
            # What late interaction looks at does not hang on the lanes that are left out, so that
            # leaving one out takes away just what its part said.
            first = total(parts)
            wanted = unfiltered = self._first(first, counted)
            if counted is not None or allowed is not None:
                wanted = unfiltered | self._first(first, self._mask(allowed))
            order = np.flatnonzero(wanted)
            order = order[np.argsort(-first[order], kind="stable")]
            lanes["late"] = self._late(query.tokens, best, order)
        kept = {name: lane for name, lane in lanes.items() if name not in without}
        if without:
            parts = fuse(kept, self.parameters.fusion, known, counted)
        if "late" in kept:
            # Standardised over what it looks at without a filter, so that a filter moves no score.
            parts |= fuse({"late": kept["late"]}, self.parameters.fusion, known, unfiltered)
        return Ranking(kept, parts, best, known, len(self))

    def rank_words(self, text: str) -> Ranking:
        """Score all documents by words alone, in the three ways of the words lane.

        Needs no vectors, and takes milliseconds. The words are those of `distinct_lines`.
        """
        asked = distinct_lines(text)
        lanes: dict[str, Scores] = {
            "words": self.words.scores(asked).astype(np.float64),
            "grams": self.grams.scores(asked).astype(np.float64),
            BRIDGE: self._crossed(asked),
        }
        known = self.words.known_share(asked)
        nothing = np.full(len(self.owners), -1.0, dtype=np.float32)
        parts = fuse(lanes, self.parameters.fusion, known)
        return Ranking(lanes, parts, nothing, known, len(self))

    def dense(self, passages: Floats) -> Scores:
        """Cosines of passages with each part of a query -> the best of each document, (documents,).

        Args:
            passages: (parts, passages).
        """
        settings = self.parameters.dense
        pooled = self.pool.best(passages, settings.best_share, settings.best_of)
        scores: Scores = pooled.max(axis=0, initial=-1.0)
        return scores

    def _passages(self, vectors: Floats, allowed: Rows | None) -> Floats:
        """Cosines of query parts with passages, (parts, passages).

        FAISS finds the nearest, with exact scores and stable ties. Those of the others only tell
        how far the nearest stand out; in a very large corpus they count as just below the last
        that was found.
        """
        rows = None if allowed is None else np.flatnonzero(np.isin(self.owners, allowed))
        if len(self.index) <= FILLED_UP_TO:
            return self.index.every(vectors, EXACT, rows)
        cosines = np.empty((len(vectors), len(self.index)), dtype=np.float32)
        found = self.index.nearest(vectors, self.parameters.dense.candidates, rows)
        for line, (near, scores) in zip(cosines, found, strict=True):
            line[:] = np.nextafter(scores[-1], np.float32(-2)) if len(near) else -1.0
            line[near] = scores
        return cosines

    def _crossed(self, text: str) -> Scores:
        """Scores by the translations of the query's words, (documents,)."""
        translated = self.lexicon.across(self.words.weights(text))
        return self.words.weighted_scores(translated).astype(np.float64)

    def _mask(self, allowed: Rows | None) -> Mask | None:
        if allowed is None:
            return None
        mask: Mask = np.zeros(len(self), dtype=bool)
        mask[allowed] = True
        return mask

    def _first(self, first: Scores, among: Mask | None) -> Mask:
        """The best documents, which late interaction looks at, as a mask; ties go to the first."""
        rows = np.arange(len(self)) if among is None else np.flatnonzero(among)
        order = rows[np.argsort(-first[rows], kind="stable")]
        mask: Mask = np.zeros(len(self), dtype=bool)
        mask[order[: self.parameters.late.documents]] = True
        return mask

    def _late(self, tokens: Floats, best: Floats, documents: Rows) -> Scores:
        """MaxSim of these documents' best passages; NaN for the others."""
        settings = self.parameters.late
        assert self.tokens is not None  # noqa: S101 - the caller looked
        scores = np.full(len(self), np.nan)
        owners, rows = self.pool.best_of(documents, best, settings.passages)
        if len(rows):
            similar = self.tokens.maxsim(tokens[: settings.tokens], rows)
            scores[owners] = -np.inf
            np.maximum.at(scores, owners, similar)
        return scores
