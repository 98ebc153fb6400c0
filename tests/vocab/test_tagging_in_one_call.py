"""`kg.vocab.tag`: labels without an encoder, meaning with one."""

from __future__ import annotations

import pytest

import kg.vocab
from embeddings import HashEncoder, tokenize
from kg.vocab import Tagger, tag
from kg.vocab.shipped import shipped, shipped_vocabulary
from tests.helpers.tagging import EXPIRY

HASH = HashEncoder(32)


def test_the_shipped_terms_are_found_by_name() -> None:
    tags = tag("NCCL timeout on an A100")
    assert {t.how for t in tags} == {"label"}
    assert "component:nccl" in {t.term for t in tags}
    assert tags == Tagger(shipped_vocabulary()).tag("NCCL timeout on an A100")


def test_names_of_another_vocabulary() -> None:
    assert [t.term for t in tag("expired certificate", EXPIRY)] == ["cause:certificate-expiry"]
    assert tag("the certificates had expired", EXPIRY) == []


def test_with_an_encoder_meaning_is_found_too() -> None:
    tags = tag(
        "the certificates had expired", EXPIRY, embed=HASH.encode_passages, tokenize=tokenize
    )
    assert ("cause:certificate-expiry", "meaning") in {(t.term, t.how) for t in tags}


def test_the_terms_are_embedded_once() -> None:
    calls: list[int] = []

    def embed(texts: list[str]) -> object:
        calls.append(len(texts))
        return HASH.encode_passages(texts)

    for text in ("a GPU fault", "a race condition", "a GPU fault"):
        tag(text, EXPIRY, embed=embed)
    assert sorted(calls)[:3] == [1, 1, 1]
    assert sum(count > 1 for count in calls) == 1


def test_plain_words_serve_without_a_tokenizer() -> None:
    tags = tag("the certificate has met its expiry", EXPIRY, embed=HASH.encode_passages)
    assert "cause:certificate-expiry" in {t.term for t in tags}


@pytest.mark.parametrize("text", ["", "  ", "?", "\n\n"])
def test_nothing_is_found_in_nothing(text: str) -> None:
    assert tag(text) == []
    assert tag(text, EXPIRY, embed=HASH.encode_passages) == []


def test_it_is_offered_by_the_package() -> None:
    assert {"tag", "Tag", "Tagger", "MeaningTagger"} <= set(kg.vocab.__all__)


def test_the_vocabulary_lies_where_the_readers_say() -> None:
    from kg.readers import read_vocabulary
    from kg.readers import shipped as told

    assert told("vocabulary") == shipped("vocabulary")
    assert shipped_vocabulary().terms == read_vocabulary(shipped("vocabulary")).terms
