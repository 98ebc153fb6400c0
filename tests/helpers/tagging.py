"""A small tagger by meaning, for tests: tiny encoder, hand-set weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from embeddings import HashEncoder, tokenize
from kg.vocab import SCHEMES, Examples, MeaningTagger, MeaningWeights, Vocabulary, term_texts
from kg.vocab.weights import SchemeWeights
from tests.helpers.tiny import term, tiny_vocabulary

HASH = HashEncoder(64)

HAND_SET = MeaningWeights(
    {s: SchemeWeights((2.0, 3.0, 4.0, 0.2, 1.0, 0.1), -3.5, 0.5) for s in SCHEMES}
)
"""Weights of `kg.vocab.weights.FEATURES` under which words decide, and nearness breaks ties."""

EXPIRY = tiny_vocabulary(
    term(
        "cause:certificate-expiry", "certificate expiry", "인증서 만료",
        aliases={"en": ["expired certificate"]},
        definition={"en": "A certificate is past its last day.", "ko": "인증서의 기한이 지났다."},
    ),
    term("symptom:silent", "no error logged", "오류 기록 없음"),
)  # fmt: skip
"""The tiny vocabulary with a cause that texts name in other words."""


def make_tagger(
    vocabulary: Vocabulary = EXPIRY,
    examples: Sequence[tuple[str, str, str]] = (),
    weights: MeaningWeights = HAND_SET,
) -> MeaningTagger:
    """A tagger taught by (term, language, text) examples."""
    texts = term_texts(vocabulary)
    told = list(dict.fromkeys((lang, text) for _, lang, text in examples))
    rows = {pair: i for i, pair in enumerate(told)}
    taught = Examples(
        HASH.encode_passages([text for _, text in told]),
        [lang for lang, _ in told],
        [(term_id, rows[lang, text]) for term_id, lang, text in examples],
    )
    vectors = HASH.encode_passages([text for _, _, text in texts])
    return MeaningTagger(vocabulary, vectors, taught, HASH.encode_queries, tokenize, weights)


def of_meaning(tagger: MeaningTagger, text: str) -> dict[str, bool]:
    """The terms that are found by meaning alone, and whether each is denied."""
    return {t.term: t.negated for t in tagger.tag(text) if t.how == "meaning"}


def unit_rows(seed: int, count: int, size: int = 8) -> np.ndarray:
    """Random unit vectors, float32 (count, size)."""
    rows = np.random.default_rng(seed).normal(size=(count, size))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
