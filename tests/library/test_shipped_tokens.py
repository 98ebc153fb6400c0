"""Token vectors of the shipped passages: complete, what the encoder gives, and shipped in order."""

from __future__ import annotations

import random
import shutil
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from embeddings import HashEncoder, TokenFile, VectorFile, load_encoder, vector_key
from embeddings.e5 import E5Encoder
from embeddings.late import LARGEST, decode
from embeddings.token_file import PASSAGE_TOKENS
from kg.library import ship as shipping
from kg.library.build import SHIPPED_TOKENS, SHIPPED_VECTORS, open_encoder
from kg.library.ship import ship, shipped_texts, token_texts
from kg.readers import shipped

DATA = shipped("cases").parent
CASES = ("IL-0023", "IL-0025")


@cache
def _all_texts() -> list[str]:
    """The passages of all shipped cases."""
    return token_texts(DATA)


def _keys(name: str, texts: list[str]) -> list[bytes]:
    return [vector_key(name, PASSAGE_TOKENS, text) for text in texts]


def test_every_passage_has_its_tokens_run_make_data() -> None:
    keys = _keys(E5Encoder.fingerprint, _all_texts())
    file = TokenFile(DATA / SHIPPED_TOKENS)
    found = file.get(keys, E5Encoder.token_dimension)
    assert [key.hex() for key in keys if key not in found] == [], "run: make data"
    assert len(file) == len(set(keys)), "run: make data"
    assert all(len(codes) for codes in found.values())
    together = np.concatenate(list(found.values())).astype(int)
    assert (np.abs(together).max(axis=1) == LARGEST).all()


def test_they_are_what_the_encoder_gives() -> None:
    """Up to rounding: the bulk is made by torch, these by numpy."""
    texts = random.Random(7).sample(_all_texts(), 30)
    found = TokenFile(DATA / SHIPPED_TOKENS).get(_keys(E5Encoder.fingerprint, texts), 48)
    _, fresh = load_encoder().encode_passages_with_tokens(texts)
    for key, codes in zip(_keys(E5Encoder.fingerprint, texts), fresh, strict=True):
        assert found[key].shape == codes.shape
        assert (decode(found[key]) * decode(codes)).sum(axis=1).min() > 0.999


def test_shipped_passages_are_looked_up_not_encoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(E5Encoder, "_light", property(lambda self: pytest.fail("it was encoded")))
    texts = _all_texts()[:50]
    _, encoder = open_encoder("default")
    vectors, codes = encoder.encode_passages_with_tokens(texts)
    assert vectors.shape == (50, 384)
    assert all(rows.shape[1] == 48 for rows in codes)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder of two cases."""
    folder = tmp_path / "datasets"
    shutil.copytree(DATA / "vocabulary", folder / "vocabulary")
    (folder / "cases").mkdir()
    for name in CASES:
        shutil.copy(DATA / "cases" / f"{name}.json", folder / "cases")
    return folder


class Counting(HashEncoder):
    """Counts the passages that it encodes."""

    count = 0

    def encode_passages_with_tokens(self, texts, progress=None):
        self.count += len(texts)
        return super().encode_passages_with_tokens(texts, progress)


def test_shipping_writes_both_files(data: Path) -> None:
    encoder = HashEncoder()
    texts = shipped_texts(data)
    vectors, tokens = ship(data, encoder)
    assert vectors == len(VectorFile(data / SHIPPED_VECTORS)) == sum(map(len, texts.values()))
    own = token_texts(data)
    assert set(own) < set(texts["passage"])  # the terms have vectors, and no tokens
    assert tokens == sum(len(text.split()) for text in own)
    found = TokenFile(data / SHIPPED_TOKENS).get(_keys(encoder.fingerprint, own), 16)
    _, codes = encoder.encode_passages_with_tokens(own)
    for key, rows in zip(_keys(encoder.fingerprint, own), codes, strict=True):
        assert np.array_equal(found[key], rows)


def test_shipping_again_encodes_nothing_and_changes_no_byte(data: Path) -> None:
    encoder = Counting()
    ship(data, encoder)
    assert encoder.count == len(token_texts(data))
    before = [(data / name).read_bytes() for name in (SHIPPED_VECTORS, SHIPPED_TOKENS)]
    again = Counting()
    ship(data, again)
    assert again.count == 0
    assert before == [(data / name).read_bytes() for name in (SHIPPED_VECTORS, SHIPPED_TOKENS)]


def test_only_new_passages_are_encoded_and_old_ones_go(data: Path) -> None:
    ship(data, HashEncoder())
    (data / "cases" / f"{CASES[0]}.json").unlink()
    few = Counting()
    ship(data, few)
    assert few.count == 0
    kept = len(token_texts(data))
    assert len(TokenFile(data / SHIPPED_TOKENS)) == kept
    shutil.copy(DATA / "cases" / f"{CASES[0]}.json", data / "cases")
    more = Counting()
    ship(data, more)
    assert more.count == len(token_texts(data)) - kept > 0


def test_missing_tokens_alone_change_no_vector(data: Path) -> None:
    ship(data, HashEncoder())
    before = (data / SHIPPED_VECTORS).read_bytes()
    (data / SHIPPED_TOKENS).unlink()
    encoder = Counting()
    ship(data, encoder)
    assert encoder.count == len(token_texts(data))
    assert (data / SHIPPED_VECTORS).read_bytes() == before
    assert len(TokenFile(data / SHIPPED_TOKENS)) == encoder.count


def test_an_encoder_without_tokens_ships_vectors(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HashEncoder, "token_dimension", 0)
    vectors, tokens = ship(data, HashEncoder())
    assert (vectors, tokens) == (len(VectorFile(data / SHIPPED_VECTORS)), 0)
    assert len(TokenFile(data / SHIPPED_TOKENS)) == 0


def test_the_command_says_what_it_wrote(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shipping, "load_encoder", HashEncoder)
    assert shipping.main([str(data.parent)]) == 0
    said = capsys.readouterr().out
    tokens = sum(len(text.split()) for text in token_texts(data))
    assert f"{len(VectorFile(data / SHIPPED_VECTORS))} vectors in " in said
    assert f"{tokens} tokens beside" in said
    assert shipping.main([]) == shipping.main([str(data)]) == 2
