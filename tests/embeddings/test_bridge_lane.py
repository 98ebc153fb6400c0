"""Words that cross from one language to the other: the lane of translations in a corpus."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from small_corpus import ENCODER, parameters

from embeddings import Retriever, embed_query
from embeddings.fitted import FusionParameters
from embeddings.fusion import speaks
from embeddings.lexicon import Lexicon

ENGLISH = ["disk full on a node", "switch rebooted", "certificate expired", "queue overload"]
LEXICON = Lexicon(
    {"디스크": [("disk", 0.9)], "가득": [("full", 0.7)], "인증서": [("certificat", 0.9)]}
)


def retriever(lexicon: Lexicon | None) -> Retriever:
    """English documents whose vectors and letters say nothing of a Korean question."""
    settings = replace(
        parameters(),
        fusion=FusionParameters({"words": 1.0, "grams": 0.5, "bridge": 0.8}, 0.75),
    )
    return Retriever(
        [{"title": "", "text": text} for text in ENGLISH],
        np.arange(len(ENGLISH)),
        ENCODER.encode_passages(ENGLISH),
        ENCODER.fingerprint,
        None,
        settings,
        lexicon=lexicon,
    )


def test_a_question_in_another_language_meets_its_words() -> None:
    for question, best in (("디스크가 가득 찼다", 0), ("인증서 만료", 2)):
        asked = embed_query(ENCODER, question)
        assert int(retriever(LEXICON).rank(asked).total.argmax()) == best
        assert not retriever(Lexicon({})).rank(asked).total.any()


def test_the_lane_is_bm25_over_the_translations() -> None:
    found = retriever(LEXICON)
    ranking = found.rank(embed_query(ENCODER, "디스크가 가득 찼다"))
    judge = 0.9 * found.words.scores("disk") + 0.7 * found.words.scores("full")
    assert ranking.lanes["bridge"] == pytest.approx(judge, rel=1e-5)
    assert ranking.parts["words"] == pytest.approx(
        0.8 * (judge - judge.mean()) / judge.std(), abs=1e-5
    )


def test_a_corpus_that_knows_the_words_needs_no_translation() -> None:
    """All of the question is known: the lane is silent, whatever the lexicon says."""
    loud = Lexicon({"switch": [("certificat", 1.0)]})
    asked = embed_query(ENCODER, "switch")
    quiet, other = retriever(Lexicon({})).rank(asked), retriever(loud).rank(asked)
    assert other.lanes["bridge"].any()
    assert np.array_equal(quiet.total, other.total)


def test_how_far_a_lane_is_heard() -> None:
    settings = FusionParameters({}, 0.5)
    assert speaks("bridge", 0.25, settings) == 0.75
    assert speaks("words", 0.25, settings) == speaks("grams", 0.25, settings) == 0.5
    assert speaks("dense", 0.25, settings) == speaks("graph", 0.0, settings) == 1


def test_the_lexicon_of_the_package_is_the_default() -> None:
    asked = embed_query(ENCODER, "디스크가 가득 찼다")
    assert int(retriever(None).rank(asked).total.argmax()) == 0
