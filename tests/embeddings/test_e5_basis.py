"""The token basis of the default encoder: the file is the truth, and can be made again."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

import embeddings.e5_basis as room
from embeddings import EncoderMismatch, TokenTable
from embeddings.e5 import E5Encoder
from embeddings.e5_basis import SHA256, TOKEN_DIMENSION, compute_basis, load_basis, write_basis
from embeddings.parallel_sentences import SENTENCES

FILE = Path(room.__file__).with_name("e5_basis.npz")

PINNED = ("multilingual-e5-small/q4-1571fc982750/mean-unit/1", "b36ee9a2946209700fe0c8c7")


def test_another_basis_is_another_encoder() -> None:
    """Stored token vectors are told apart by the fingerprint alone: raise its version."""
    assert (E5Encoder.fingerprint, SHA256[:24]) == PINNED
    assert hashlib.sha256(FILE.read_bytes()).hexdigest() == SHA256


def test_its_shapes() -> None:
    basis = load_basis()
    assert basis.mean.shape == (384,)
    assert basis.axes.shape == (384, TOKEN_DIMENSION) == (384, 48)
    assert basis.mean.dtype == basis.axes.dtype == np.float32
    assert basis.dimension == E5Encoder.token_dimension
    assert np.allclose(basis.axes.T @ basis.axes, np.eye(48), atol=1e-5)


def test_each_axis_points_where_its_largest_number_is_positive() -> None:
    axes = load_basis().axes
    assert (axes[np.abs(axes).argmax(axis=0), np.arange(48)] > 0).all()


def test_the_command_gives_this_file(
    e5: E5Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """Up to last bits, which differ from machine to machine; measured: 1e-6."""
    fresh, kept = compute_basis(e5._light), load_basis()
    assert np.allclose(fresh.mean, kept.mean, atol=1e-5)
    assert np.allclose(fresh.axes, kept.axes, atol=1e-3)
    monkeypatch.setattr(room, "__file__", str(tmp_path / "e5_basis.py"))
    monkeypatch.setattr(room, "compute_basis", lambda light: kept)
    assert room.main() == 0
    assert (tmp_path / "e5_basis.npz").read_bytes() == FILE.read_bytes()
    assert capsys.readouterr().out == f'SHA256 = "{SHA256}"\n'


def test_writing_it_again_gives_the_same_bytes(tmp_path: Path) -> None:
    assert write_basis(load_basis(), tmp_path / "again.npz") == SHA256
    assert (tmp_path / "again.npz").read_bytes() == FILE.read_bytes()


def test_another_file_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "e5_basis.npz").write_bytes(FILE.read_bytes()[:-1] + b"x")
    monkeypatch.setattr(room, "files", lambda package: tmp_path)
    with pytest.raises(EncoderMismatch, match="token basis"):
        load_basis()


def test_the_sentences_are_parallel() -> None:
    assert len(SENTENCES) == 12
    assert {len(sentences) for sentences in SENTENCES.values()} == {12}
    everything = [text for sentences in SENTENCES.values() for text in sentences]
    assert len(set(everything)) == 144
    assert all(text == text.strip() and text[-1] in ".。" for text in everything)


@pytest.mark.parametrize("lang", sorted(SENTENCES))
def test_sentences_that_say_the_same_are_nearest_under_it(e5: E5Encoder, lang: str) -> None:
    """By MaxSim alone, to English. Measured: all twelve in each language."""
    _, codes = e5.encode_passages_with_tokens(SENTENCES["en"])
    _, queries = e5.encode_queries_with_tokens(SENTENCES[lang])
    table = TokenTable.of(codes)
    best = [int(table.maxsim(q, np.arange(12)).argmax()) for q in queries]
    assert sum(place == row for row, place in enumerate(best)) >= 11
