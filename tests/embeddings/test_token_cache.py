"""Token vectors on disk: with their vectors, each made once, exact, and never worth an error."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embeddings import (
    CachedEncoder,
    HashEncoder,
    TokenFile,
    VectorCache,
    VectorFile,
    vector_key,
    write_tokens,
    write_vectors,
)
from embeddings.token_file import PASSAGE_TOKENS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class Counting(HashEncoder):
    """Remembers which texts it was asked to encode, and how."""

    def __init__(self, dimension: int = 16) -> None:
        super().__init__(dimension)
        self.asked: list[str] = []
        self.whole: list[str] = []

    def encode_passages(self, texts: Sequence[str], progress: object = None) -> np.ndarray:
        self.whole.extend(texts)
        return super().encode_passages(texts)

    def encode_passages_with_tokens(self, texts, progress=None):
        self.asked.extend(texts)
        return super().encode_passages_with_tokens(texts, progress)

    def encode_queries_with_tokens(self, texts):
        self.asked.extend(texts)
        return super().encode_queries_with_tokens(texts)


@pytest.fixture
def cache(tmp_path: Path) -> VectorCache:
    return VectorCache(tmp_path / "deep" / "vectors.sqlite")


def test_only_misses_are_encoded_and_each_once(cache: VectorCache) -> None:
    encoder = Counting()
    cached = CachedEncoder(encoder, cache)
    first, codes = cached.encode_passages_with_tokens(["a", "b c", "a"])
    assert encoder.asked == ["a", "b c"]
    again, same = cached.encode_passages_with_tokens(["d", "b c", "a"])
    assert encoder.asked == ["a", "b c", "d"]
    assert np.array_equal(first[[2, 1]], again[[2, 1]])
    assert [c.tolist() for c in (codes[2], codes[1])] == [c.tolist() for c in (same[2], same[1])]
    assert len(cache) == 6


def test_vectors_and_tokens_share_what_was_made(cache: VectorCache) -> None:
    encoder = Counting()
    cached = CachedEncoder(encoder, cache)
    cached.encode_passages_with_tokens(["a"])
    cached.encode_passages(["a"])
    assert encoder.whole == ["a"]
    cached.encode_passages(["b"])
    cached.encode_passages_with_tokens(["b"])
    assert encoder.asked == ["a", "b"]
    cached.encode_passages_with_tokens(["b"])
    assert encoder.asked == ["a", "b"]


def test_questions_and_passages_are_kept_apart(cache: VectorCache) -> None:
    encoder = Counting()
    cached = CachedEncoder(encoder, cache)
    for _ in range(2):
        _, (code,) = cached.encode_passages_with_tokens(["a b"])
        _, (rows,) = cached.encode_queries_with_tokens(["a b"])
        assert (code.dtype, rows.dtype) == (np.int8, np.float32)
    assert encoder.asked == ["a b", "a b"]
    assert len(cache) == 4


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(max_size=8), max_size=12))
def test_what_comes_back_is_what_the_encoder_gives(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    cache = VectorCache(tmp_path_factory.mktemp("c") / "v.sqlite")
    plain = HashEncoder(8)
    pairs = [
        (plain.encode_queries_with_tokens(texts), "encode_queries_with_tokens"),
        (plain.encode_passages_with_tokens(texts), "encode_passages_with_tokens"),
    ]
    for _ in range(2):
        for (vectors, tokens), name in pairs:
            found, own = getattr(CachedEncoder(HashEncoder(8), cache), name)(texts)
            assert found.dtype == np.float32
            assert np.array_equal(found, vectors)
            assert len(own) == len(tokens)
            for one, other in zip(own, tokens, strict=True):
                assert (one.dtype, one.shape) == (other.dtype, other.shape)
                assert np.array_equal(one, other)


def test_no_text_touches_no_file(cache: VectorCache) -> None:
    cached = CachedEncoder(HashEncoder(8), cache)
    for encode in (cached.encode_queries_with_tokens, cached.encode_passages_with_tokens):
        vectors, tokens = encode([])
        assert (vectors.shape, tokens) == ((0, 8), [])
    assert not cache.path.exists()


def test_without_a_cache_all_is_made_anew() -> None:
    encoder = Counting()
    cached = CachedEncoder(encoder, None)
    for _ in range(2):
        cached.encode_passages_with_tokens(["a", "a"])
        cached.encode_queries_with_tokens(["a"])
    assert encoder.asked == ["a"] * 4


def test_an_unfinished_build_goes_on(cache: VectorCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("embeddings.cache._ROUND", 2)

    class Dies(Counting):
        def encode_passages_with_tokens(self, texts, progress=None):
            if len(self.asked) >= 4:
                raise KeyboardInterrupt
            return super().encode_passages_with_tokens(texts, progress)

    with pytest.raises(KeyboardInterrupt):
        CachedEncoder(Dies(), cache).encode_passages_with_tokens([*"abcdef"])
    encoder = Counting()
    calls: list[tuple[int, int]] = []
    again = CachedEncoder(encoder, cache)
    again.encode_passages_with_tokens([*"abcdef"], lambda d, t: calls.append((d, t)))
    assert encoder.asked == ["e", "f"]
    assert calls == [(6, 6)]


@pytest.mark.parametrize(
    "value", [b"abc", b"\x00" * 64, b"\xff" * 64, b"\x80" * 32, "text", 7, None]
)
def test_a_bad_value_counts_as_missing(cache: VectorCache, value: object) -> None:
    encoder = Counting()
    cached = CachedEncoder(encoder, cache)
    vectors, (expected,) = cached.encode_passages_with_tokens(["a b"])
    with sqlite3.connect(cache.path) as base:
        base.execute("UPDATE vectors SET value = ?", (value,))
    base.close()
    found, (codes,) = cached.encode_passages_with_tokens(["a b"])
    assert np.array_equal(found, vectors)
    assert np.array_equal(codes, expected)
    assert encoder.asked == ["a b", "a b"]


@pytest.mark.parametrize("value", [b"abc", b"\x00" * 63, b"\xff" * 64, "text", None])
def test_a_bad_value_of_a_question_counts_as_missing(cache: VectorCache, value: object) -> None:
    cached = CachedEncoder(Counting(), cache)
    _, (expected,) = cached.encode_queries_with_tokens(["a b"])
    with sqlite3.connect(cache.path) as base:
        base.execute("UPDATE vectors SET value = ?", (value,))
    base.close()
    assert np.array_equal(cached.encode_queries_with_tokens(["a b"])[1][0], expected)


def test_a_text_without_tokens_is_remembered_too(cache: VectorCache) -> None:
    encoder = Counting()
    cached = CachedEncoder(encoder, cache)
    for _ in range(2):
        assert cached.encode_passages_with_tokens([""])[1][0].shape == (0, 16)
        assert cached.encode_queries_with_tokens([""])[1][0].shape == (0, 16)
    assert encoder.asked == ["", ""]


def test_a_known_vector_stays_when_only_its_tokens_are_missing(tmp_path: Path) -> None:
    """Half precision, as it ships: the same with and without tokens."""
    texts = ["rank 3 left early", "ECC error"]
    encoder = HashEncoder()
    keys = [vector_key(encoder.fingerprint, "passage", text) for text in texts]
    vectors = dict(zip(keys, encoder.encode_passages(texts), strict=True))
    write_vectors(tmp_path / "v.npz", vectors)
    cached = CachedEncoder(encoder, None, VectorFile(tmp_path / "v.npz"))
    assert np.array_equal(
        cached.encode_passages_with_tokens(texts)[0], cached.encode_passages(texts)
    )
    assert not np.array_equal(cached.encode_passages(texts), encoder.encode_passages(texts))


def test_what_ships_is_not_copied_into_the_cache(tmp_path: Path, cache: VectorCache) -> None:
    encoder = Counting(64)
    vectors, codes = encoder.encode_passages_with_tokens(["a b"])
    name = encoder.fingerprint
    write_vectors(tmp_path / "v.npz", {vector_key(name, "passage", "a b"): vectors[0]})
    write_tokens(tmp_path / "t.npz", {vector_key(name, PASSAGE_TOKENS, "a b"): codes[0]})
    files = VectorFile(tmp_path / "v.npz"), TokenFile(tmp_path / "t.npz")
    encoder.asked.clear()
    _, found = CachedEncoder(encoder, cache, *files).encode_passages_with_tokens(["a b"])
    assert np.array_equal(found[0], codes[0])
    assert encoder.asked == []
    assert len(cache) == 0


def test_asking_for_tokens_that_there_are_none_of_is_a_type_error() -> None:
    class Bare:
        fingerprint = "bare/1"
        dimension = 4

        def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
            return HashEncoder(4).encode_queries(texts)

        def encode_passages(self, texts: Sequence[str], progress: object = None) -> np.ndarray:
            return HashEncoder(4).encode_passages(texts)

    cached = CachedEncoder(Bare(), None)
    assert cached.token_dimension == 0
    assert cached.encode_passages(["a"]).shape == (1, 4)
    for encode in (cached.encode_queries_with_tokens, cached.encode_passages_with_tokens):
        with pytest.raises(TypeError, match="bare/1 has no token vectors"):
            encode(["a"])
