"""Token vectors that come with the data: found by text, bit by bit, never worth an error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embeddings import BadVector, CachedEncoder, HashEncoder, TokenFile, vector_key, write_tokens
from embeddings.token_file import PASSAGE_TOKENS

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = ["rank 3 left early", "포트가 내려갔다", "ECC error", ""]
KEYS = [vector_key(HashEncoder().fingerprint, PASSAGE_TOKENS, text) for text in TEXTS]
CODES = HashEncoder().encode_passages_with_tokens(TEXTS)[1]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write_tokens(tmp_path / "t.npz", dict(zip(KEYS, CODES, strict=True)))
    return tmp_path / "t.npz"


def test_what_was_written_is_found_bit_by_bit(file: Path) -> None:
    known = TokenFile(file)
    found = known.get([*KEYS, KEYS[0], b"x" * 32], 16)
    assert len(known) == len(found) == len(TEXTS)
    for key, codes in zip(KEYS, CODES, strict=True):
        assert found[key].dtype == np.int8
        assert np.array_equal(found[key], codes)


def test_another_role_encoder_or_dimension_finds_nothing(file: Path) -> None:
    known, name = TokenFile(file), HashEncoder().fingerprint
    for key in (
        vector_key(name, "passage", TEXTS[0]),
        vector_key(name, "query tokens/1", TEXTS[0]),
        vector_key("other", PASSAGE_TOKENS, TEXTS[0]),
    ):
        assert known.get([key], 16) == {}
    assert known.get(KEYS, 8) == {}


@settings(max_examples=25, deadline=None)
@given(
    st.dictionaries(st.binary(min_size=32, max_size=32), st.integers(0, 4), max_size=8),
    st.randoms(),
)
def test_order_of_writing_does_not_matter(
    tmp_path_factory: pytest.TempPathFactory, sizes: dict[bytes, int], order
) -> None:
    folder = tmp_path_factory.mktemp("t")
    codes = {key: np.full((size, 3), key[0] % 100, np.int8) for key, size in sizes.items()}
    shuffled = list(codes.items())
    order.shuffle(shuffled)
    write_tokens(folder / "a.npz", codes)
    write_tokens(folder / "b.npz", dict(shuffled))
    assert (folder / "a.npz").read_bytes() == (folder / "b.npz").read_bytes()
    found = TokenFile(folder / "a.npz").get(sizes, 3)
    assert {key: rows.tolist() for key, rows in found.items()} == {
        key: rows.tolist() for key, rows in codes.items()
    }


def test_a_file_of_nothing_holds_nothing(tmp_path: Path) -> None:
    write_tokens(tmp_path / "t.npz", {})
    assert len(TokenFile(tmp_path / "t.npz")) == 0
    assert TokenFile(tmp_path / "t.npz").get(KEYS, 16) == {}


def test_tokens_of_different_dimensions_are_refused(tmp_path: Path) -> None:
    rows = {b"a" * 32: np.ones((1, 3), np.int8), b"b" * 32: np.ones((1, 4), np.int8)}
    with pytest.raises(BadVector, match="different dimensions"):
        write_tokens(tmp_path / "t.npz", rows)
    assert not (tmp_path / "t.npz").exists()


@pytest.mark.parametrize("content", [None, b"", b"not a zip", b"PK\x03\x04 broken"])
def test_a_missing_or_damaged_file_holds_nothing(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "t.npz").write_bytes(content)
    assert len(TokenFile(tmp_path / "t.npz")) == 0
    assert TokenFile(tmp_path / "t.npz").get(KEYS, 16) == {}


def test_a_file_cut_short_holds_nothing(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-200])
    assert len(TokenFile(file)) == 0


def _parts(**changed: object) -> dict[str, object]:
    parts: dict[str, object] = {
        "keys": np.zeros((2, 32), np.uint8),
        "starts": np.array([0, 1, 3]),
        "codes": np.ones((3, 16), np.int8),
    }
    return parts | changed


@pytest.mark.parametrize(
    "parts",
    [
        _parts(keys=np.zeros((3, 32), np.uint8)),
        _parts(keys=np.zeros((2, 31), np.uint8)),
        _parts(starts=np.array([0, 1, 4])),
        _parts(starts=np.array([0, 2, 1])),
        _parts(starts=np.array([], np.int64)),
        _parts(codes=np.ones(3, np.int8)),
        _parts(codes=np.ones((3, 16), np.float32)),
        {"keys": np.zeros((2, 32), np.uint8)},
        {"keys": np.array([object()])},
    ],
    ids=range(9),
)
def test_parts_that_do_not_fit_hold_nothing(tmp_path: Path, parts: dict[str, object]) -> None:
    np.savez(tmp_path / "t.npz", **parts)
    assert len(TokenFile(tmp_path / "t.npz")) == 0
    np.savez(tmp_path / "t.npz", **_parts())
    assert TokenFile(tmp_path / "t.npz").get([b"\0" * 32], 16)[b"\0" * 32].shape == (2, 16)


def test_what_is_known_comes_before_the_encoder(file: Path) -> None:
    class Other(HashEncoder):
        def encode_passages_with_tokens(self, texts, progress=None):
            vectors, codes = super().encode_passages_with_tokens(texts, progress)
            return vectors, [np.full_like(rows, 127) for rows in codes]

    encoder = CachedEncoder(Other(), None, None, TokenFile(file))
    _, codes = encoder.encode_passages_with_tokens([TEXTS[1], "new words"])
    assert np.array_equal(codes[0], CODES[1])
    assert codes[1].tolist() == [[127] * 16] * 2
