"""Encoders that give the tokens of a text too: the same vectors, and only the text's own tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from incident_pairs import PAIRS

from embeddings import (
    CachedEncoder,
    HashEncoder,
    SentenceTransformerEncoder,
    TokenTable,
    load_encoder,
    token_encoder,
)
from embeddings.e5_light import LightE5
from embeddings.e5_tokenizer import MAX_TOKENS
from embeddings.e5_torch import PROMPTS, build_sentence_transformer, encode_with_hidden
from embeddings.late import decode

if TYPE_CHECKING:
    from embeddings.e5 import E5Encoder
    from embeddings.e5_file import E5File

TEXTS = [
    "NCCL watchdog timeout, power dropped to 190 W",
    "훈련 중에 노드가 멈추고 통신이 끊겼다.",
    "",
    " \t\n",
    "GPU",
    "</s> passage: <s>",
    "The fabric was drained and a new firmware was installed on all switches. " * 45,
]


class TestWho:
    def test_which_encoders_have_tokens(self) -> None:
        e5, hashed = load_encoder(), HashEncoder()
        assert token_encoder(e5) is e5
        assert token_encoder(hashed) is hashed
        assert token_encoder(SentenceTransformerEncoder("nowhere")) is None

    def test_a_cached_encoder_has_what_the_one_inside_has(self) -> None:
        cached = CachedEncoder(HashEncoder(), None)
        assert token_encoder(cached) is cached
        assert cached.token_dimension == HashEncoder.token_dimension
        bare = CachedEncoder(SentenceTransformerEncoder("nowhere"), None)
        assert token_encoder(bare) is None
        assert token_encoder(CachedEncoder(bare, None)) is None

    def test_asking_reads_no_weights(self) -> None:
        encoder = load_encoder()
        asked = token_encoder(CachedEncoder(encoder, None))
        assert asked is not None
        assert asked.token_dimension == 48
        assert vars(encoder) == {"_path": None}


class TestHash:
    def test_one_unit_row_a_word(self) -> None:
        vectors, tokens = HashEncoder().encode_queries_with_tokens(["GPU lost", "", "노드"])
        assert np.array_equal(vectors, HashEncoder().encode_queries(["GPU lost", "", "노드"]))
        assert [rows.shape for rows in tokens] == [(2, 16), (0, 16), (1, 16)]
        assert all(rows.dtype == np.float32 for rows in tokens)
        assert np.allclose(np.linalg.norm(np.concatenate(tokens), axis=1), 1, atol=1e-6)

    def test_passages_are_the_same_as_codes(self) -> None:
        texts = ["GPU lost", "", "노드 a b"]
        vectors, codes = HashEncoder(8).encode_passages_with_tokens(texts)
        assert np.array_equal(vectors, HashEncoder(8).encode_passages(texts))
        for rows, own in zip(
            HashEncoder(8).encode_queries_with_tokens(texts)[1], codes, strict=True
        ):
            assert own.dtype == np.int8
            assert own.shape == rows.shape
            assert np.allclose(decode(own), rows, atol=0.01)

    def test_a_passage_with_the_words_of_the_query_scores_highest(self) -> None:
        texts = ["disk full on node", "the NCCL watchdog saw a timeout", "certificate expired"]
        table = TokenTable.of(HashEncoder().encode_passages_with_tokens(texts)[1])
        (query,) = HashEncoder().encode_queries_with_tokens(["watchdog timeout"])[1]
        scores = table.maxsim(query, np.arange(3))
        assert scores.argmax() == 1
        assert scores[1] == pytest.approx(1, abs=1e-3)

    def test_progress_and_no_text(self) -> None:
        calls: list[tuple[int, int]] = []
        HashEncoder().encode_passages_with_tokens(["a", "b"], lambda d, t: calls.append((d, t)))
        assert calls == [(2, 2)]
        vectors, tokens = HashEncoder(8).encode_passages_with_tokens([])
        assert (vectors.shape, tokens) == ((0, 8), [])


class TestTiny:
    """The numpy pass over a tiny file."""

    def test_vectors_are_those_without_tokens_to_the_last_bit(self, tiny: E5File) -> None:
        light, texts = LightE5(tiny), ["ab", "b ab 노드가", "", "가 b"]
        vectors, kept = light.encode_with_tokens("a ", texts, len)
        assert np.array_equal(vectors, light.encode([f"a {text}" for text in texts]))
        assert kept == [len(light.tokenizer.ids(f"a {t}")) - 3 for t in texts]
        assert light.encode_with_tokens("a ", [], len)[1] == []

    def test_states_of_a_text_are_its_own(
        self, tiny: E5File, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        light, texts = LightE5(tiny), ["ab", "b ab", "가"]
        whole = [light._forward([light.tokenizer.ids(f"a {text}")]) for text in texts]
        for budget in (5, 1024):
            monkeypatch.setattr("embeddings.e5_light._BATCH_TOKENS", budget)
            _, kept = light.encode_with_tokens("a ", texts, lambda states: states.copy())
            for states, own in zip(whole, kept, strict=True):
                assert np.allclose(own, states[2:-1], atol=1e-5)

    def test_without_a_prefix_only_the_specials_go(self, tiny: E5File) -> None:
        _, (kept,) = LightE5(tiny).encode_with_tokens("", ["ab"], len)
        assert kept == len(LightE5(tiny).tokenizer.ids("ab")) - 2

    def test_torch_gives_the_same_states(
        self, tiny: E5File, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(PROMPTS, "document", "a ")
        model, light = build_sentence_transformer(tiny), LightE5(tiny)
        texts = ["ab", "b ab 노드가", "가 b"]
        found = list(encode_with_hidden(model, texts))
        for (vector, states), text in zip(found, texts, strict=True):
            assert np.allclose(vector, light.encode([f"a {text}"])[0], atol=2e-5)
            assert np.allclose(
                states, light._forward([light.tokenizer.ids(f"a {text}")]), atol=2e-5
            )


class TestE5:
    """The real encoder."""

    def test_vectors_stay_what_they_are(self, e5: E5Encoder) -> None:
        queries, _ = e5.encode_queries_with_tokens(TEXTS)
        assert np.array_equal(queries, e5.encode_queries(TEXTS))
        passages, _ = e5.encode_passages_with_tokens(TEXTS)
        assert np.array_equal(passages, e5.encode_passages(TEXTS))

    def test_a_row_for_each_piece_of_the_text_itself(self, e5: E5Encoder) -> None:
        _, rows = e5.encode_queries_with_tokens(TEXTS)
        _, codes = e5.encode_passages_with_tokens(TEXTS)
        ids = e5._light.tokenizer.ids
        for text, row, code in zip(TEXTS, rows, codes, strict=True):
            pieces = len(ids(text)) - 2 if text.strip() else 0
            assert row.shape == (min(pieces, MAX_TOKENS - 5), 48)
            assert code.shape == (min(pieces, MAX_TOKENS - 4), 48)
            assert (row.dtype, code.dtype) == (np.float32, np.int8)
        assert np.allclose(np.linalg.norm(np.concatenate(rows), axis=1), 1, atol=1e-5)

    @settings(max_examples=60, deadline=None)
    @given(st.text(max_size=12), st.sampled_from(["query", "document"]))
    def test_the_pieces_of_a_prefix_never_change(self, e5: E5Encoder, text: str, role: str) -> None:
        ids, prefix = e5._light.tokenizer.ids, PROMPTS[role]
        alone = ids(prefix)[:-1]
        assert ids(prefix + text)[: len(alone)] == alone
        assert e5._light.own_tokens(prefix) == len(alone)

    def test_rows_are_the_projected_states(self, e5: E5Encoder) -> None:
        _, (row,) = e5.encode_queries_with_tokens(["GPU lost"])
        states = e5._light._forward([e5._light.tokenizer.ids("query: GPU lost")])
        assert np.allclose(row, e5._basis.project(states)[4:-1], atol=1e-5)

    def test_equal_words_in_both_roles_are_near(self, e5: E5Encoder) -> None:
        _, (row,) = e5.encode_queries_with_tokens(["NCCL watchdog timeout"])
        _, codes = e5.encode_passages_with_tokens(["NCCL watchdog timeout", "반숙 달걀 삶기"])
        same, other = TokenTable.of(codes).maxsim(row, np.arange(2))
        assert same > 0.8 > 0.5 > other

    def test_korean_finds_english_and_back(self, e5: E5Encoder) -> None:
        """By MaxSim alone. Measured: 24 of 24 to English, 22 of 24 to Korean."""
        for ask, find in ((0, 1), (1, 0)):
            _, queries = e5.encode_queries_with_tokens([pair[ask] for pair in PAIRS])
            _, codes = e5.encode_passages_with_tokens([pair[find] for pair in PAIRS])
            table = TokenTable.of(codes)
            best = [int(table.maxsim(q, np.arange(len(table))).argmax()) for q in queries]
            assert sum(place == row for row, place in enumerate(best)) >= len(PAIRS) * 0.85

    def test_no_text(self, e5: E5Encoder) -> None:
        for vectors, tokens in (
            e5.encode_queries_with_tokens([]),
            e5.encode_passages_with_tokens([]),
        ):
            assert (vectors.shape, tokens) == ((0, 384), [])


class TestTorch:
    """Many passages; imports torch, so it comes last."""

    def test_both_paths_agree(self, e5: E5Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("embeddings.e5._CHUNK", 4)
        _, light = e5.encode_passages_with_tokens(TEXTS)
        monkeypatch.setattr("embeddings.e5.BREAK_EVEN", 6)
        calls: list[tuple[int, int]] = []
        vectors, bulk = e5.encode_passages_with_tokens(TEXTS, lambda d, t: calls.append((d, t)))
        assert calls == [(4, 7), (7, 7)]
        assert np.array_equal(vectors, e5._encode_torch(TEXTS, None))
        for one, other in zip(light, bulk, strict=True):
            assert one.shape == other.shape
            assert np.abs(one.astype(int) - other).max(initial=0) <= 2
