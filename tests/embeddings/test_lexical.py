"""BM25F against a plain-Python twin, and what its numbers promise."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embeddings import BM25F, tokenize

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WEIGHTS = {"title": 3.0, "body": 1.0}
DOCUMENTS = [
    {"title": "NCCL timeout", "body": "The watchdog fired after a switch rebooted."},
    {"title": "Disk full", "body": "A checkpoint filled the disk; the job stopped with a timeout."},
    {"title": "노드 장애", "body": "노드가 멈추고 NCCL_IB_TIMEOUT 값을 바꿨다."},
    {"body": ""},
]


def twin(
    documents: Sequence[Mapping[str, str]],
    weights: Mapping[str, float],
    query: str,
    k1: float = 1.2,
    b: float = 0.75,
) -> list[float]:
    """The formula of the module docstring, word by word, without any index."""
    words = [{f: tokenize(d.get(f, "")) for f in weights} for d in documents]
    scores = []
    for document in words:
        score = 0.0
        asked = tokenize(query)
        for word in set(asked):
            df = sum(any(word in text for text in other.values()) for other in words)
            idf = math.log(1 + (len(words) - df + 0.5) / (df + 0.5))
            tf = 0.0
            for field, weight in weights.items():
                mean = sum(len(other[field]) for other in words) / len(words)
                if document[field]:
                    norm = 1 - b + b * len(document[field]) / mean
                    tf += weight * document[field].count(word) / norm
            score += (1 + math.log(asked.count(word))) * idf * tf / (k1 + tf)
        scores.append(score)
    return scores


VOCABULARY = ["gpu", "node", "switch", "NCCL_IB_TIMEOUT", "노드가", "the", "timeouts", "训练"]
TEXT = st.lists(st.sampled_from(VOCABULARY), max_size=8).map(" ".join)
CORPUS = st.lists(st.fixed_dictionaries({}, optional={"title": TEXT, "body": TEXT}), max_size=8)


@settings(deadline=None)
@given(CORPUS, TEXT, st.floats(0.1, 3), st.floats(0, 1))
def test_scores_equal_the_twin(
    documents: list[dict[str, str]], query: str, k1: float, b: float
) -> None:
    index = BM25F(WEIGHTS, k1, b).fit(documents)
    scores = index.scores(query)
    assert scores.dtype == np.float32
    assert scores.shape == (len(documents),)
    assert np.allclose(scores, twin(documents, WEIGHTS, query, k1, b), rtol=1e-5, atol=1e-6)


@settings(deadline=None)
@given(CORPUS, TEXT)
def test_explanations_sum_to_the_score(documents: list[dict[str, str]], query: str) -> None:
    index = BM25F(WEIGHTS).fit(documents)
    for row, score in enumerate(index.scores(query)):
        parts = index.explain(query, row)
        assert sum(value for _, value in parts) == pytest.approx(float(score), rel=1e-5, abs=1e-6)
        assert all(value > 0 for _, value in parts)
        assert [value for _, value in parts] == sorted((v for _, v in parts), reverse=True)
        assert {word for word, _ in parts} <= set(tokenize(query))


@settings(deadline=None)
@given(CORPUS, TEXT, st.randoms())
def test_the_order_of_words_does_not_matter(
    documents: list[dict[str, str]], query: str, random: object
) -> None:
    index = BM25F(WEIGHTS).fit(documents)
    words = query.split()
    random.shuffle(words)  # type: ignore[attr-defined]
    assert np.array_equal(index.scores(query), index.scores(" ".join(words)))


@settings(deadline=None)
@given(CORPUS, TEXT)
def test_known_share_is_a_share(documents: list[dict[str, str]], query: str) -> None:
    share = BM25F(WEIGHTS).fit(documents).known_share(query)
    assert 0 <= share <= 1
    known = {w for d in documents for text in d.values() for w in tokenize(text)}
    words = set(tokenize(query))
    assert (share == 0) == (not words & known)
    if words:
        assert (share == 1) == (words <= known)


def test_known_share_weighs_unknown_words_as_the_rarest() -> None:
    index = BM25F(WEIGHTS).fit(DOCUMENTS)
    assert index.known_share("switch") == 1
    assert index.known_share("kangaroo") == 0
    assert index.known_share("") == 0
    assert index.known_share("switch kangaroo") == pytest.approx(0.5)
    assert index.known_share("timeout kangaroo") < 0.5


def test_a_field_that_weighs_more_ranks_higher() -> None:
    scores = BM25F(WEIGHTS).fit(DOCUMENTS).scores("timeout")
    assert scores.argmax() == 0
    assert scores[3] == 0
    flat = BM25F({"title": 1.0, "body": 1.0}).fit(DOCUMENTS).scores("timeout")
    assert scores[0] / scores[1] > flat[0] / flat[1]


def test_an_identifier_and_its_parts_are_found() -> None:
    index = BM25F(WEIGHTS).fit(DOCUMENTS)
    assert index.scores("NCCL_IB_TIMEOUT=22").argmax() == 2
    assert index.scores("노드에서")[2] > 0
    assert dict(index.explain("nccl_ib_timeout", 2)).keys() >= {"nccl_ib_timeout", "ib"}


def test_rare_words_count_more() -> None:
    index = BM25F(WEIGHTS).fit(DOCUMENTS)
    assert index.idf("switch") > index.idf("timeout")
    assert index.idf("kangaroo") == index.idf("switch")


@pytest.mark.parametrize("times", [1, 2, 3, 50])
def test_a_repeated_query_word_counts_by_the_logarithm_of_how_often(times: int) -> None:
    index = BM25F(WEIGHTS).fit(DOCUMENTS)
    once, often = index.scores("timeout"), index.scores("timeout " * times)
    assert once[0] > 0
    assert np.allclose(often, (1 + math.log(times)) * once, rtol=1e-6)
    # And only that word: what else is asked weighs as before.
    both = index.scores("timeout " * times + "switch")
    assert np.allclose(both - often, index.scores("switch"), atol=1e-6)


def test_a_repeated_word_is_known_once() -> None:
    index = BM25F(WEIGHTS).fit(DOCUMENTS)
    assert index.known_share("switch switch kangaroo") == index.known_share("switch kangaroo")


def test_no_documents() -> None:
    index = BM25F(WEIGHTS)
    assert len(index) == 0
    assert index.scores("x").shape == (0,)
    assert index.known_share("gpu") == 0
    with pytest.raises(IndexError):
        index.explain("x", 0)


def test_fitting_again_forgets() -> None:
    index = BM25F(WEIGHTS).fit(DOCUMENTS).fit(DOCUMENTS[:1])
    assert len(index) == 1
    assert index.known_share("disk") == 0


def test_a_tokenizer_of_ones_own() -> None:
    index = BM25F({"body": 1.0}, tokenizer=str.split).fit([{"body": "The THE"}])
    assert index.scores("The")[0] > 0
    assert index.scores("the")[0] == 0


@pytest.mark.parametrize(
    "bad",
    [
        {"field_weights": {}},
        {"field_weights": {"a": 0.0}},
        {"field_weights": {"a": math.nan}},
        {"field_weights": {"a": 1.0}, "k1": 0.0},
        {"field_weights": {"a": 1.0}, "b": 1.5},
    ],
)
def test_numbers_out_of_range_are_refused(bad: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"weight|k1"):
        BM25F(**bad)  # type: ignore[arg-type]


def test_a_field_without_weight_is_refused() -> None:
    with pytest.raises(ValueError, match="document 1: no weight for field 'tilte'"):
        BM25F(WEIGHTS).fit([{"title": "x"}, {"tilte": "y"}])
