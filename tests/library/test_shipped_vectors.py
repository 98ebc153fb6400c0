"""The vectors that ship with the cases: complete, and what the encoder gives."""

from __future__ import annotations

import random
from functools import cache

import numpy as np

from embeddings import VectorFile, load_encoder, vector_key
from kg.library.build import SHIPPED_VECTORS
from kg.library.ship import shipped_texts
from kg.readers import shipped

DATA = shipped("cases").parent


@cache
def _texts() -> dict[str, list[str]]:
    """What is embedded of the shipped cases, by role."""
    return shipped_texts(DATA)


def test_every_text_has_its_vector_run_make_data() -> None:
    encoder = load_encoder()
    keys = [
        vector_key(encoder.fingerprint, role, text)
        for role, texts in _texts().items()
        for text in texts
    ]
    file = VectorFile(DATA / SHIPPED_VECTORS)
    found = file.get(keys, encoder.dimension)
    assert [key.hex() for key in keys if key not in found] == [], "run: make data"
    assert len(file) == len(set(keys)), "run: make data"


def test_they_are_what_the_encoder_gives() -> None:
    encoder = load_encoder()
    passages = random.Random(7).sample(_texts()["passage"], 40)
    keys = [vector_key(encoder.fingerprint, "passage", text) for text in passages]
    found = VectorFile(DATA / SHIPPED_VECTORS).get(keys, encoder.dimension)
    fresh = encoder.encode_passages(passages)
    cosines = [float(found[key] @ row) for key, row in zip(keys, fresh, strict=True)]
    assert np.min(cosines) > 0.9999
