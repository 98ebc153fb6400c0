"""From the documents of a set to a retriever: passages, fields, and the cap on both."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_corpus import ENCODER, WithoutTokens

from embeddings import BM25F, Retriever, embed_query, fitted, split_passages
from embeddings.evaluate import Document
from embeddings.evaluate.corpus import (
    MOST_PASSAGES,
    _limit,
    build_retriever,
    passages_of,
    size_of,
)


class Remembering:
    """An encoder that keeps the passages it was given, and who counts along."""

    dimension, fingerprint = ENCODER.dimension, ENCODER.fingerprint

    def __init__(self) -> None:
        self.passages: list[str] = []

    def encode_queries(self, texts: Any) -> np.ndarray:
        return ENCODER.encode_queries(texts)

    def encode_passages(self, texts: Any, progress: Any = None) -> np.ndarray:
        self.passages += texts
        return ENCODER.encode_passages(texts, progress)


def quiet(stage: str, done: int, total: int) -> None:
    pass


def built(documents: list[Document], most: int = MOST_PASSAGES) -> tuple[Retriever, list[str]]:
    encoder = Remembering()
    passages = passages_of(documents, most)
    return build_retriever(documents, passages, encoder, fitted(), quiet), encoder.passages


def sentence(number: int) -> str:
    return f"Sentence {number} " + "has many words in it " * 6 + "and ends."


LONG = " ".join(map(sentence, range(9)))
DOCUMENTS = [
    Document("a", "NCCL timeout", "The switch rebooted."),
    Document("b", "", LONG),
    Document("c", "Disk full", "", {"cause": "a checkpoint", "fix": "a larger disk"}),
    Document("d", "", "", {}),
    Document("e", "Only a title", ""),
    Document("f", "Both", "Body.", {"cause": "cable"}),
]


def slow_passages(document: Document) -> list[str]:
    body = document.text if document.text else "\n".join(document.fields.values())
    text = document.title + "\n" + body if document.title else body
    return [text[span.start : span.end] for span in split_passages(text)]


def test_passages_are_those_of_title_and_text() -> None:
    retriever, passages = built(DOCUMENTS)
    assert passages == [p for d in DOCUMENTS for p in slow_passages(d)]
    assert passages_of(DOCUMENTS) == [slow_passages(d) for d in DOCUMENTS]
    owners = [i for i, d in enumerate(DOCUMENTS) for _ in slow_passages(d)]
    assert retriever.owners.tolist() == owners
    assert len(retriever) == len(DOCUMENTS)
    assert passages[0] == "NCCL timeout\nThe switch rebooted."
    assert np.array_equal(retriever.index.vectors, ENCODER.encode_passages(passages))
    assert 3 not in owners  # nothing is in it


def test_fields_stand_in_for_a_missing_text_and_words_see_them_always() -> None:
    retriever, passages = built(DOCUMENTS)
    assert "Disk full\na checkpoint\na larger disk" in passages
    assert "Both\nBody." in passages
    for query, best in (("checkpoint", 2), ("cable", 5), ("nccl", 0)):
        assert int(retriever.words.scores(query).argmax()) == best


def test_words_and_grams_have_a_title_and_a_text() -> None:
    retriever, _ = built(DOCUMENTS)
    words = fitted().words
    documents = [
        {"title": d.title, "text": "\n".join([d.text, *d.fields.values()])} for d in DOCUMENTS
    ]
    judge = BM25F(words.field_weights, words.k1, words.b).fit(documents)
    for query in ("disk timeout", "title", "cable words"):
        assert np.array_equal(retriever.words.scores(query), judge.scores(query))


def test_labels_and_languages_are_not_looked_at() -> None:
    plain = built([Document("a", "x", "y")])
    other = built([Document("zzz", "x", "y", lang="ko")])
    assert plain[1] == other[1]
    assert np.array_equal(plain[0].words.scores("zzz ko"), other[0].words.scores("zzz ko"))
    assert not plain[0].words.scores("a ko zzz").any()


def test_tokens_come_along_where_the_encoder_gives_them() -> None:
    with_tokens = build_retriever(DOCUMENTS, passages_of(DOCUMENTS), ENCODER, fitted(), quiet)
    passages = [p for d in DOCUMENTS for p in slow_passages(d)]
    assert with_tokens.tokens is not None
    assert len(with_tokens.tokens) == len(passages)
    tokens = sum(len(p.split()) for p in passages)
    assert with_tokens.tokens.codes.shape == (tokens, ENCODER.token_dimension)
    without = build_retriever(DOCUMENTS, passages_of(DOCUMENTS), WithoutTokens(), fitted(), quiet)
    assert without.tokens is None
    vectors = len(passages) * ENCODER.dimension * 4
    assert size_of(without) == vectors
    assert size_of(with_tokens) == vectors + tokens * ENCODER.token_dimension


@pytest.mark.parametrize("documents", [[], [Document("a", "", " \n ")]])
def test_a_set_without_any_passage(documents: list[Document]) -> None:
    retriever = build_retriever(documents, passages_of(documents), ENCODER, fitted(), quiet)
    assert len(retriever.owners) == 0
    assert size_of(retriever) == 0
    found = retriever.rank(embed_query(ENCODER, "gpu"))
    assert found.total.tolist() == [0.0] * len(documents)


def test_progress_is_told() -> None:
    told: list[tuple[str, int, int]] = []
    retriever = build_retriever(
        DOCUMENTS, passages_of(DOCUMENTS), ENCODER, fitted(), lambda *what: told.append(what)
    )
    assert told[-1] == ("embedding passages", len(retriever.owners), len(retriever.owners))


def test_beyond_the_cap_each_document_gives_its_first_passages() -> None:
    documents = [Document("a", "", LONG), Document("b", "", "Short."), Document("c", "", LONG)]
    all_of = [slow_passages(d) for d in documents]
    long = len(all_of[0])
    assert long > 3
    for most, each in ((2 * long + 1, long), (2 * long, long - 1), (5, 2), (4, 1), (3, 1), (1, 1)):
        retriever, passages = built(documents, most)
        assert passages == [p for own in all_of for p in own[:each]]
        assert np.bincount(retriever.owners).tolist() == [each, 1, each]


@settings(deadline=None)
@given(st.lists(st.integers(0, 9), max_size=9), st.integers(0, 60))
def test_the_limit_is_the_largest_that_fits(sizes: list[int], most: int) -> None:
    slow = 1
    for limit in range(1, max(sizes, default=1) + 1):
        if sum(min(size, limit) for size in sizes) <= most:
            slow = limit
    assert _limit(sizes, most) == slow


def test_the_words_see_what_the_cap_took_away() -> None:
    documents = [Document("a", "", LONG + " kangaroo"), Document("b", "", LONG)]
    retriever, passages = built(documents, 2)
    assert not any("kangaroo" in passage for passage in passages)
    assert retriever.words.scores("kangaroo")[0] > 0


def test_the_limit_of_a_huge_document_is_found_at_once() -> None:
    """Trying one limit after another took 84 s here."""
    begun = time.process_time()
    assert _limit([4] * 8000 + [60_000], 25_000) == 3
    assert time.process_time() - begun < 2
