"""Vectors that come with the data: found by text, near the true ones, never worth an error."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embeddings import CachedEncoder, HashEncoder, VectorFile, vector_key, write_vectors

TEXTS = ["rank 3 left early", "포트가 내려갔다", "ECC error", ""]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    encoder = HashEncoder()
    keys = [vector_key(encoder.fingerprint, "passage", t) for t in TEXTS]
    write_vectors(tmp_path / "v.npz", dict(zip(keys, encoder.encode_passages(TEXTS), strict=True)))
    return tmp_path / "v.npz"


class Refusing(HashEncoder):
    """Fails when anything at all must be encoded."""

    def encode_passages(self, texts, progress=None):
        raise AssertionError(f"asked to encode {texts}")


def test_what_is_known_is_not_encoded(file: Path) -> None:
    vectors = CachedEncoder(Refusing(), None, VectorFile(file)).encode_passages(TEXTS[::-1])
    cosines = np.sum(vectors * HashEncoder().encode_passages(TEXTS[::-1]), axis=1)
    assert cosines.min() > 0.999999
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-6)


def test_what_is_not_known_is_encoded(file: Path) -> None:
    encoder = CachedEncoder(HashEncoder(), None, VectorFile(file))
    texts = ["new", TEXTS[0]]
    assert np.allclose(
        encoder.encode_passages(texts), HashEncoder().encode_passages(texts), atol=1e-3
    )


def test_another_role_or_encoder_finds_nothing(file: Path) -> None:
    known = VectorFile(file)
    for key in (
        vector_key(HashEncoder().fingerprint, "query", TEXTS[0]),
        vector_key("other", "passage", TEXTS[0]),
    ):
        assert known.get([key], 64) == {}
    assert known.get([vector_key(HashEncoder().fingerprint, "passage", TEXTS[0])], 32) == {}


@settings(max_examples=25, deadline=None)
@given(st.lists(st.binary(min_size=32, max_size=32), unique=True, max_size=8), st.randoms())
def test_order_of_writing_does_not_matter(
    tmp_path_factory: pytest.TempPathFactory, keys: list[bytes], order
) -> None:
    folder = tmp_path_factory.mktemp("v")
    rows = dict(zip(keys, HashEncoder(8).encode_passages([k.hex() for k in keys]), strict=True))
    shuffled = list(rows.items())
    order.shuffle(shuffled)
    write_vectors(folder / "a.npz", rows)
    write_vectors(folder / "b.npz", dict(shuffled))
    assert (folder / "a.npz").read_bytes() == (folder / "b.npz").read_bytes()
    assert len(VectorFile(folder / "a.npz")) == len(keys)
    assert set(VectorFile(folder / "a.npz").get(keys, 8)) == set(keys)


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04 broken"])
def test_a_damaged_file_holds_nothing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "v.npz").write_bytes(content)
    assert len(VectorFile(tmp_path / "v.npz")) == 0
    assert VectorFile(tmp_path / "v.npz").get([b"x" * 32], 64) == {}


def test_a_truncated_file_holds_nothing(file: Path) -> None:
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    assert len(VectorFile(file)) == 0


def test_a_missing_file_holds_nothing(tmp_path: Path) -> None:
    assert len(VectorFile(tmp_path / "none.npz")) == 0


def test_progress_counts_all_texts_to_the_end(file: Path) -> None:
    seen: list[tuple[int, int]] = []
    encoder = CachedEncoder(HashEncoder(), None, VectorFile(file))
    encoder.encode_passages([*TEXTS, "new"], lambda done, total: seen.append((done, total)))
    assert seen[-1] == (5, 5)
    assert seen == sorted(seen)


def test_what_stands_in_a_file_is_written_again_without_a_change(file: Path) -> None:
    """Scaling half-precision vectors back to length one moves last bits, so not from `get`."""
    known = VectorFile(file)
    keys = [vector_key(HashEncoder().fingerprint, "passage", text) for text in TEXTS]
    stored = known.stored([*keys, b"x" * 32], 64)
    assert set(stored) == set(keys)
    assert all(row.dtype == np.float16 for row in stored.values())
    write_vectors(file.with_name("again.npz"), stored)
    assert file.with_name("again.npz").read_bytes() == file.read_bytes()
    assert known.stored(keys, 32) == known.stored([], 64) == known.get([], 64) == {}
