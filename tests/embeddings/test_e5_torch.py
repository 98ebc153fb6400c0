"""The sentence-transformers build over a tiny file: equal to numpy, and saved as usual."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from embeddings.e5_light import LightE5
from embeddings.e5_torch import PROMPTS, build_sentence_transformer

if TYPE_CHECKING:
    from pathlib import Path

    from sentence_transformers import SentenceTransformer

    from embeddings.e5_file import E5File

TEXTS = ["ab", "a b ab 노드가", "노드", "가 b a b", "zzz"]


@pytest.fixture
def model(tiny: E5File, monkeypatch: pytest.MonkeyPatch) -> SentenceTransformer:
    """Without prompts: the eleven pieces of the tiny file cannot spell them."""
    monkeypatch.setitem(PROMPTS, "query", "")
    monkeypatch.setitem(PROMPTS, "document", "")
    return build_sentence_transformer(tiny)


def test_equal_to_the_numpy_path(tiny: E5File, model: SentenceTransformer) -> None:
    light = LightE5(tiny).encode(TEXTS)
    assert np.allclose(np.asarray(model.encode_query(TEXTS)), light, atol=2e-5)
    assert np.allclose(np.asarray(model.encode_document(TEXTS)), light, atol=2e-5)


def test_padding_changes_nothing(model: SentenceTransformer) -> None:
    together = np.asarray(model.encode_query(TEXTS, batch_size=len(TEXTS)))
    alone = np.asarray(model.encode_query(TEXTS, batch_size=1))
    assert np.allclose(together, alone, atol=1e-5)


def test_a_prompt_is_put_before_the_text(model: SentenceTransformer) -> None:
    prompted = np.asarray(model.encode(["b"], prompt="a "))
    assert np.allclose(prompted, np.asarray(model.encode(["a b"])), atol=1e-6)


def test_the_saved_weights_are_those_of_the_file(
    tiny: E5File, model: SentenceTransformer, tmp_path: Path
) -> None:
    from transformers import AutoModel

    model[0].save(str(tmp_path))
    bert = AutoModel.from_pretrained(str(tmp_path), local_files_only=True, add_pooling_layer=False)
    state = {name: value.numpy() for name, value in bert.state_dict().items()}
    key = "encoder.layer.1.output.dense.weight"
    assert np.array_equal(state[key], tiny.matrix("l1.fo.w", 64))
    assert np.array_equal(state["embeddings.word_embeddings.weight"], tiny.matrix("emb.word", 32))


def test_sizes_are_those_of_the_file(model: SentenceTransformer) -> None:
    assert model.get_embedding_dimension() == 32
    assert sum(p.numel() for p in model.parameters()) > 0
    assert not model.training
