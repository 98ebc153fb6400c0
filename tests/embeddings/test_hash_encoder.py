"""The encoder for tests: stable, never zero, near when words are shared."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import embeddings
from embeddings import HashEncoder, load_encoder


@given(st.lists(st.text(max_size=40), max_size=5), st.integers(2, 80))
def test_vectors_are_finite_and_of_length_one(texts: list[str], dimension: int) -> None:
    vectors = HashEncoder(dimension).encode_passages(texts)
    assert vectors.shape == (len(texts), dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_texts_that_share_words_are_nearer() -> None:
    encoder = HashEncoder(256)
    query = encoder.encode_queries(["NCCL watchdog timeout"])
    scores = query @ encoder.encode_passages(["watchdog timeout in NCCL", "disk full on node"]).T
    assert scores[0, 0] > scores[0, 1] + 0.3


def test_queries_and_passages_are_alike_and_case_does_not_matter() -> None:
    encoder = HashEncoder()
    assert np.array_equal(encoder.encode_queries(["GPU"]), encoder.encode_passages(["gpu"]))


def test_the_same_in_another_process() -> None:
    code = "import embeddings as e; print(e.HashEncoder(8).encode_queries(['노드 a'])[0].tolist())"
    root = Path(embeddings.__file__).parent.parent
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == str(HashEncoder(8).encode_queries(["노드 a"])[0].tolist())


def test_pinned_values() -> None:
    vector = HashEncoder(4).encode_queries([""])[0]
    assert vector.tolist() == [1.0, 0.0, 0.0, 0.0]


def test_name_dimension_and_progress() -> None:
    encoder = load_encoder("hash")
    assert encoder.dimension == 64
    assert encoder.fingerprint == "hash/64/1" != HashEncoder(32).fingerprint
    calls: list[tuple[int, int]] = []
    encoder.encode_passages(["a", "b"], lambda done, total: calls.append((done, total)))
    assert calls == [(2, 2)]
    with pytest.raises(ValueError, match="at least 2"):
        HashEncoder(1)
