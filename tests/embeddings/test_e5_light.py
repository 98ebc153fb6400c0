"""The numpy forward pass against a slow twin written from the definition."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embeddings.e5_light import LightE5, _gelu

if TYPE_CHECKING:
    from embeddings.e5_file import E5File

TEXTS = ["ab", "a b ab 노드가", "노드", "ab " * 12, "가 b", "zzz"]


class Twin:
    """One text at a time, one head at a time, one token at a time, in float64."""

    def __init__(self, file: E5File) -> None:
        self.file = file

    def matrix(self, name: str, columns: int) -> Any:
        return self.file.matrix(name, columns).astype(np.float64)

    def linear(self, x: Any, name: str, columns: int = 32) -> Any:
        return x @ self.matrix(f"{name}.w", columns).T + self.file.vector(f"{name}.b")

    def norm(self, x: Any, name: str) -> Any:
        mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
        scaled = (x - mean) / np.sqrt(variance + self.file.shape.epsilon)
        return scaled * self.file.vector(f"{name}.w") + self.file.vector(f"{name}.b")

    def attention(self, x: Any, layer: str) -> Any:
        q, k, v = (self.linear(x, f"{layer}.{part}") for part in "qkv")
        out = np.zeros_like(x)
        size = 32 // self.file.shape.heads
        for head in range(self.file.shape.heads):
            part = slice(head * size, (head + 1) * size)
            for token in range(len(x)):
                weights = np.exp(k[:, part] @ q[token, part] / math.sqrt(size))
                out[token, part] = weights / weights.sum() @ v[:, part]
        return self.linear(out, f"{layer}.ao")

    def encode(self, ids: list[int]) -> Any:
        x = self.matrix("emb.word", 32)[ids] + self.matrix("emb.pos", 32)[: len(ids)]
        x = self.norm(x + self.matrix("emb.type", 32)[0], "emb.ln")
        for number in range(self.file.shape.layers):
            layer = f"l{number}"
            x = self.norm(x + self.attention(x, layer), f"{layer}.aln")
            inner = self.linear(x, f"{layer}.fi")
            inner = inner * 0.5 * (1 + np.vectorize(math.erf)(inner / math.sqrt(2)))
            x = self.norm(x + self.linear(inner, f"{layer}.fo", 64), f"{layer}.oln")
        mean = x.mean(0)
        return mean / np.linalg.norm(mean)


@pytest.fixture
def light(tiny: E5File) -> LightE5:
    return LightE5(tiny)


def test_vectors_equal_the_twin(tiny: E5File, light: LightE5) -> None:
    twin = Twin(tiny)
    texts = [text for text in TEXTS if len(light.tokenizer.ids(text)) <= 16]
    vectors = light.encode(texts)
    for text, vector in zip(texts, vectors, strict=True):
        assert np.allclose(vector, twin.encode(light.tokenizer.ids(text)), atol=2e-5)


def test_company_in_the_batch_changes_nothing(light: LightE5) -> None:
    texts = ["ab", "a b ab 노드가", "노드", "가 b"] * 5
    together = light.encode(texts)
    alone = np.concatenate([light.encode([text]) for text in texts])
    assert np.allclose(together, alone, atol=1e-5)


def test_batches_cover_all_texts_in_order(light: LightE5, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = light.encode(["ab", "노드", "a b", "가"])
    monkeypatch.setattr("embeddings.e5_light._BATCH_TOKENS", 5)
    calls: list[tuple[int, int]] = []
    parts = light.encode(["ab", "노드", "a b", "가"], lambda d, t: calls.append((d, t)))
    assert np.allclose(whole, parts, atol=1e-5)
    assert calls[-1] == (4, 4)
    assert [done for done, _ in calls] == sorted({done for done, _ in calls})
    assert len(calls) > 1


def test_no_text_gives_no_vector(light: LightE5) -> None:
    assert light.encode([]).shape == (0, 32)
    assert light.encode([]).dtype == np.float32


@given(st.lists(st.floats(-60, 60, width=32), min_size=1, max_size=50))
def test_gelu_is_the_exact_one(values: list[float]) -> None:
    expected = [v * 0.5 * (1 + math.erf(v / math.sqrt(2))) for v in values]
    assert np.allclose(_gelu(np.array(values, dtype=np.float32)), expected, atol=2e-6, rtol=1e-6)
