"""All text lanes over one corpus, each against loops."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_corpus import (
    CORPUS,
    ENCODER,
    QUERY,
    VOCABULARY,
    WithoutTokens,
    build,
    parameters,
    slow_cosines,
    slow_first,
    slow_late,
    slow_parts,
)

from embeddings import (
    BM25F,
    BadVector,
    Retriever,
    TokenTable,
    centre,
    embed_queries,
    embed_query,
    fitted,
)
from embeddings.centre import Centre, forget_centre, write_centre
from embeddings.query import MOST_PARTS, query_parts
from embeddings.tokens import letter_grams

CANDIDATES = st.sampled_from([1, 2, 5, 256])


def flat(corpus: list[list[str]]) -> list[str]:
    return [passage for document in corpus for passage in document]


@settings(deadline=None)
@given(CORPUS, QUERY, CANDIDATES)
def test_every_passage_has_its_cosine_however_few_candidates_there_are(
    corpus: list[list[str]], query: str, candidates: int
) -> None:
    found = build(corpus, parameters(candidates)).rank(embed_query(ENCODER, query))
    assert found.passages.dtype == np.float32
    judge = slow_cosines(flat(corpus), [query])
    assert found.passages.tolist() == pytest.approx(judge, abs=1e-6)


@settings(deadline=None)
@given(CORPUS, QUERY)
def test_the_dense_lane_pools_them(corpus: list[list[str]], query: str) -> None:
    found = build(corpus).rank(embed_query(ENCODER, query))
    judge = []
    for document in corpus:
        few = sorted(slow_cosines(document, [query]), reverse=True)[:2]
        judge.append(0.7 * few[0] + 0.3 * sum(few) / len(few) if few else -1.0)
    assert found.lanes["dense"].tolist() == pytest.approx(judge, abs=1e-6)


@settings(deadline=None)
@given(CORPUS, QUERY)
def test_words_and_grams_are_those_of_two_word_indexes(corpus: list[list[str]], query: str) -> None:
    own = replace(parameters().words, field_weights={"title": 2.0, "text": 0.5}, k1=3.0, b=0.25)
    found = build(corpus, replace(parameters(), words=own)).rank(embed_query(ENCODER, query))
    documents = [{"title": "", "text": " ".join(d)} for d in corpus]
    words = BM25F({"title": 2.0, "text": 0.5}, 3.0, 0.25).fit(documents)
    grams = BM25F({"title": 2.0, "text": 0.5}, own.grams_k1, own.grams_b, letter_grams)
    assert np.array_equal(found.lanes["words"], words.scores(query))
    assert np.array_equal(found.lanes["grams"], grams.fit(documents).scores(query))
    assert found.known_share == words.known_share(query)


@settings(deadline=None)
@given(CORPUS, QUERY, st.integers(1, 4), st.integers(1, 3), st.integers(1, 4))
def test_late_interaction_looks_at_the_best_documents_best_passages(
    corpus: list[list[str]], query: str, documents: int, passages: int, tokens: int
) -> None:
    chosen = parameters(documents=documents, passages=passages, tokens=tokens)
    retriever, asked = build(corpus, chosen), embed_query(ENCODER, query)
    found = retriever.rank(asked)
    first = retriever.rank(asked, without=("late",)).total
    wanted = slow_first(first.tolist(), range(len(corpus)), documents)
    judge = slow_late(corpus, query, found.passages.tolist(), wanted, chosen.late)
    assert found.lanes["late"].tolist() == pytest.approx(judge, abs=1e-5, nan_ok=True)


@settings(deadline=None)
@given(CORPUS, QUERY, st.data())
def test_the_score_is_the_sum_of_its_parts_and_they_are_the_slow_ones(
    corpus: list[list[str]], query: str, data: st.DataObject
) -> None:
    size = len(corpus)
    graph = data.draw(st.lists(st.integers(0, 5), min_size=size, max_size=size))
    counted = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    retriever, asked = build(corpus, parameters(documents=2)), embed_query(ENCODER, query)
    how = {"extra": {"graph": np.array(graph, dtype=float)}, "counted": np.array(counted)}
    found = retriever.rank(asked, **how)
    assert list(found.lanes) == ["dense", "words", "grams", "bridge", "graph", "late"]
    assert list(found.parts) == ["dense", "words", "graph", "late"]
    weights, known = retriever.parameters.fusion, found.known_share
    judge = slow_parts(found.lanes, weights, known, counted)
    # Late interaction is standardised over the best documents of those that count.
    first = retriever.rank(asked, without=("late",), **how).total.tolist()
    best = slow_first(first, [d for d in range(size) if counted[d]], 2)
    late = {"late": found.lanes["late"]}
    judge |= slow_parts(late, weights, known, [d in best for d in range(size)])
    for name, part in found.parts.items():
        assert part.tolist() == pytest.approx(judge[name], rel=1e-5, abs=1e-5)
    summed = [sum(part[d] for part in found.parts.values()) for d in range(size)]
    assert found.total.shape == (size,)
    assert found.total.tolist() == pytest.approx(summed, abs=2e-9)


def test_the_best_document_is_first() -> None:
    corpus = [["disk full", "node"], ["switch rebooted port down"], ["ecc gpu"], []]
    for query, best in (("switch port down", 1), ("gpu ecc", 2), ("full disk", 0)):
        found = build(corpus).rank(embed_query(ENCODER, query))
        assert int(found.total.argmax()) == best
        assert all(int(part.argmax()) == best for part in found.parts.values())


def test_each_part_of_a_long_query_is_heard() -> None:
    sentences = [f"The {word} stopped while {'x' * 90}{word}." for word in "abcdefgh"]
    query = " ".join(sentences)
    parts = query_parts(query)
    assert 2 <= len(parts) <= MOST_PARTS
    corpus = [[sentences[0]], [sentences[-1]], ["something else"]]
    asked = embed_query(ENCODER, query)
    assert asked.vectors.shape == (len(parts), ENCODER.dimension)
    found = build(corpus).rank(asked)
    assert found.passages.tolist() == pytest.approx(slow_cosines(flat(corpus), parts), abs=1e-6)
    # Either end of the query finds its document as if it were asked for alone.
    assert found.lanes["dense"][:2].min() > found.lanes["dense"][2]


def test_a_document_is_as_good_as_its_best_part() -> None:
    retriever = build([["a", "b"], ["c"]])
    lines = np.array([[0.9, 0.1, 0.2], [0.2, 0.3, 0.8]], dtype=np.float32)
    apart = [retriever.dense(lines[i : i + 1]) for i in range(2)]
    assert retriever.dense(lines).tolist() == np.maximum(*apart).tolist()
    assert apart[0].tolist() == pytest.approx([0.7 * 0.9 + 0.3 * 0.5, 0.2])
    assert retriever.dense(np.zeros((0, 3), np.float32)).tolist() == [-1, -1]


@settings(deadline=None, max_examples=40)
@given(st.lists(QUERY, max_size=5))
def test_queries_embedded_together_are_those_embedded_alone(texts: list[str]) -> None:
    together = embed_queries(ENCODER, texts)
    assert [q.text for q in together] == texts
    for query, text in zip(together, texts, strict=True):
        alone = embed_query(ENCODER, text)
        assert np.array_equal(query.vectors, alone.vectors)
        assert query.tokens is not None
        assert np.array_equal(query.tokens, alone.tokens)
        assert len(query.tokens) == len(text.split())


def test_short_and_long_queries_together_keep_their_own_vectors() -> None:
    long = " ".join(f"Part {word} of the log {'y' * 120}." for word in "abcdefghij")
    texts = ["gpu", long, "", "node switch"]
    found = embed_queries(ENCODER, texts)
    for query, text in zip(found, texts, strict=True):
        assert np.array_equal(query.vectors, ENCODER.encode_queries(query_parts(text)))
        own = [w for part in query_parts(text) for w in part.split()]
        assert query.tokens is not None
        assert len(query.tokens) == len(own)


def test_an_encoder_without_tokens_has_no_late_lane() -> None:
    corpus = [["gpu ecc"], ["disk full"]]
    asked = embed_query(WithoutTokens(), "gpu")
    assert asked.tokens is None
    for retriever in (build(corpus), build(corpus, tokens=False)):
        found = retriever.rank(asked)
        assert "late" not in found.lanes
        assert list(found.parts) == ["dense", "words"]
        assert int(found.total.argmax()) == 0
    # Nor without token vectors of the passages.
    found = build(corpus, tokens=False).rank(embed_query(ENCODER, "gpu"))
    assert "late" not in found.lanes


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("corpus", [[], [[]], [[], []]])
@pytest.mark.parametrize("query", ["", "gpu node", " \n "])
def test_nothing_to_find(corpus: list[list[str]], query: str) -> None:
    retriever = build(corpus)
    found = retriever.rank(embed_query(ENCODER, query), extra={"graph": np.zeros(len(corpus))})
    assert len(retriever) == len(corpus)
    assert found.total.tolist() == [0.0] * len(corpus)
    assert found.passages.shape == (0,)
    assert found.known_share == 0


@pytest.mark.filterwarnings("error")
@settings(deadline=None)
@given(CORPUS, QUERY, CANDIDATES)
def test_scores_are_always_numbers(corpus: list[list[str]], query: str, candidates: int) -> None:
    found = build(corpus, parameters(candidates, documents=1)).rank(embed_query(ENCODER, query))
    assert np.isfinite(found.total).all()
    assert all(np.isfinite(part).all() for part in found.parts.values())
    assert [name for name, lane in found.lanes.items() if np.isnan(lane).any()] in ([], ["late"])


def test_a_document_without_passages_is_still_found_by_its_words() -> None:
    flat_passages = ["disk full", "node"]
    vectors, codes = ENCODER.encode_passages_with_tokens(flat_passages)
    documents = [{"text": "disk full node"}, {"title": "switch"}, {}]
    retriever = Retriever(
        documents,
        np.array([0, 0]),
        vectors,
        ENCODER.fingerprint,
        TokenTable.of(codes),
        parameters(),
    )
    found = retriever.rank(embed_query(ENCODER, "switch"))
    assert int(found.parts["words"].argmax()) == 1
    assert found.lanes["dense"].tolist()[1:] == [-1, -1]
    assert np.isnan(found.lanes["late"]).tolist() == [False, True, True]


def test_a_lane_of_the_caller_may_not_look_everywhere() -> None:
    found = build([["gpu"], ["node"], ["disk"]]).rank(
        embed_query(ENCODER, "ecc"), extra={"graph": np.array([math.nan, 1.0, 3.0])}
    )
    assert found.parts["graph"].tolist() == pytest.approx([-0.6, -0.6, 0.6])


@settings(deadline=None, max_examples=30)
@given(CORPUS, QUERY)
def test_the_same_again_is_the_same(corpus: list[list[str]], query: str) -> None:
    asked = embed_query(ENCODER, query)
    retriever = build(corpus)
    first, second, other = retriever.rank(asked), retriever.rank(asked), build(corpus).rank(asked)
    assert first.total.tolist() == second.total.tolist() == other.total.tolist()
    for name, lane in first.lanes.items():
        assert np.array_equal(lane, second.lanes[name], equal_nan=True)


def test_the_fitted_parameters_are_the_default() -> None:
    vectors = ENCODER.encode_passages(["gpu"])
    made = Retriever([{"title": "x", "text": "gpu"}], np.array([0]), vectors, ENCODER.fingerprint)
    assert made.parameters is fitted()


def test_vectors_are_seen_from_their_centre(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = [["gpu ecc", "node"], ["disk full"], ["switch node"]]
    plain = build(corpus).rank(embed_query(ENCODER, "full disk"))
    query_middle, passage_middle = ENCODER.encode_passages(["node gpu", "switch disk"]) / 2
    middle = Centre(query_middle, passage_middle)
    monkeypatch.setattr(centre, "FILE", tmp_path / "centre.npz")
    write_centre(tmp_path / "centre.npz", ENCODER.fingerprint, middle)
    forget_centre()
    try:
        asked = embed_query(ENCODER, "full disk")
        found = build(corpus).rank(asked)
    finally:
        forget_centre()
    texts = ENCODER.encode_passages(flat(corpus))
    judge = middle.queries(asked.vectors) @ middle.passages(texts).T
    assert found.passages.tolist() == pytest.approx(judge[0].tolist(), abs=1e-6)
    assert not np.allclose(found.passages, plain.passages, atol=1e-3)


@pytest.mark.parametrize(
    ("owners", "vectors", "tokens", "what"),
    [
        ([0, 0], 1, None, "2 passages"),
        ([0], 2, None, "1 passages"),
        ([0, 1], 2, 1, "2 passages, but vectors and tokens of 2 and 1"),
        ([1, 0], 2, None, "document by document"),
        ([0, 2], 2, None, "passage of document 2"),
    ],
)
def test_what_does_not_fit_together_is_refused(
    owners: list[int], vectors: int, tokens: int | None, what: str
) -> None:
    rows, codes = ENCODER.encode_passages_with_tokens(VOCABULARY)
    table = None if tokens is None else TokenTable.of(codes[:tokens])
    with pytest.raises(ValueError, match=what):
        Retriever([{}, {}], np.array(owners), rows[:vectors], "x", table)


def test_a_field_without_a_weight_is_refused() -> None:
    with pytest.raises(ValueError, match="no weight for field 'cause'"):
        Retriever([{"cause": "x"}], np.array([0]), ENCODER.encode_passages(["x"]), "x")


def test_a_query_of_another_encoder_is_refused() -> None:
    asked = embed_query(ENCODER, "gpu")
    with pytest.raises(BadVector, match="expected vectors of 16 numbers"):
        build([["gpu"]]).rank(replace(asked, vectors=asked.vectors[:, :8]))
    with pytest.raises(BadVector, match="NaN"):
        build([["gpu"]]).rank(replace(asked, vectors=asked.vectors * math.nan))
    with pytest.raises(BadVector, match="rows of 16 numbers"):
        build([["gpu"]]).rank(replace(asked, tokens=np.zeros((2, 8), np.float32)))
