"""All that a library file holds, as one frozen value in memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kg.model import Apart, Case, Review, Revision
from kg.vocab import Vocabulary

SCHEMA_VERSION = 4

OLDER = (2, 3)
"""Schema versions that still hold all that this one does, laid out in fewer tables and views."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a stored text that has a vector: text[start:end] of the field and language."""

    case_id: str
    field: str
    lang: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class SimilarRow:
    """One computed neighbour of a case; the parts add up to the score."""

    case_id: str
    rank: int
    other_id: str
    score: float
    dense: float
    words: float
    graph: float
    same_cause: str


@dataclass(frozen=True)
class Snapshot:
    """The content of a library.

    Attributes:
        cases: sorted by id.
        vocabulary: the terms, with the history of their changes.
        passages: in the order of their vectors.
        vectors: float32, shape (passages, dimension), unit length.
        encoder: the name by which the encoder is loaded again.
        fingerprint: identifies the weights that made the vectors.
        background: mean and standard deviation of the best cosine of unrelated questions.
        similar: computed neighbours of each case.
        reviews: decisions over claims that a program made, sorted by case, kind and term.
        revisions: how the cases came to be as they are, sorted by case and number.
        apart: pairs of cases that people told apart, sorted.
        token_codes: int8, shape (tokens, numbers per token): the token vectors of all passages, end
            to end; None when the encoder makes none.
        token_starts: int64, shape (passages + 1,): the tokens of passage i are
            token_codes[token_starts[i]:token_starts[i + 1]]; None when token_codes is None.
    """

    cases: tuple[Case, ...]
    vocabulary: Vocabulary
    passages: tuple[Passage, ...]
    vectors: NDArray[np.float32]
    encoder: str
    fingerprint: str
    background: tuple[float, float]
    similar: tuple[SimilarRow, ...] = ()
    reviews: tuple[Review, ...] = ()
    revisions: tuple[Revision, ...] = ()
    apart: tuple[Apart, ...] = ()
    token_codes: NDArray[np.int8] | None = None
    token_starts: NDArray[np.int64] | None = None
