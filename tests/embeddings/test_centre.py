"""Vectors seen from the middle of their space, and the file that says where it is."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embeddings import HashEncoder, centre
from embeddings.centre import OWN_SHARE, Centre, centre_of, forget_centre, write_centre

SEEDS = st.integers(0, 10_000)


def units(seed: int, count: int, dimension: int = 5) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(count, dimension)) + 1
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def slow_seen_from(row: list[float], middle: list[float]) -> list[float]:
    moved = [a - m for a, m in zip(row, middle, strict=True)]
    length = math.sqrt(sum(x * x for x in moved))
    return [x / length for x in moved]


@pytest.fixture
def own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A centre file of the test's own; what was read of the real one is forgotten."""
    path = tmp_path / "centre.npz"
    monkeypatch.setattr(centre, "FILE", path)
    forget_centre()
    yield path
    forget_centre()


@settings(deadline=None)
@given(SEEDS, st.integers(0, 9))
def test_queries_equal_the_twin(seed: int, count: int) -> None:
    vectors, middle = units(seed, count), units(seed + 1, 1)[0] / 2
    found = Centre(middle, middle * 9).queries(vectors)
    assert found.dtype == np.float32
    assert found.shape == (count, 5)
    for row, line in zip(vectors.tolist(), found.tolist(), strict=True):
        assert line == pytest.approx(slow_seen_from(row, middle.tolist()), abs=1e-5)


@settings(deadline=None)
@given(SEEDS, st.integers(0, 400))
def test_the_middle_of_passages_lies_between_the_fixed_one_and_their_own(
    seed: int, count: int
) -> None:
    vectors, fixed = units(seed, count), units(seed + 1, 1)[0] / 2
    found = Centre(fixed * 9, fixed).passages(vectors)
    rows = vectors.tolist()
    middle = [
        (sum(row[i] for row in rows) + OWN_SHARE * float(fixed[i])) / (count + OWN_SHARE)
        for i in range(5)
    ]
    for row, line in list(zip(rows, found.tolist(), strict=True))[:20]:
        assert line == pytest.approx(slow_seen_from(row, middle), abs=1e-4)
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)


def test_a_large_corpus_is_seen_from_its_own_middle() -> None:
    many = units(1, 40_000)
    found = Centre(many[0], -many[0]).passages(many)
    assert np.abs(found.mean(axis=0)).max() < 0.05
    few = Centre(many[0], -many[0]).passages(many[:3])
    assert np.abs(few.mean(axis=0)).max() > 0.2


@settings(deadline=None)
@given(SEEDS, st.permutations(range(8)))
def test_the_order_of_passages_does_not_matter(seed: int, order: list[int]) -> None:
    vectors, seen = units(seed, 8), Centre(units(1, 1)[0], units(2, 1)[0] / 2)
    assert np.allclose(seen.passages(vectors[order]), seen.passages(vectors)[order], atol=1e-6)


@pytest.mark.filterwarnings("error")
def test_a_vector_at_the_very_middle_keeps_its_direction() -> None:
    vectors = units(3, 2)
    found = Centre(vectors[0], vectors[0]).queries(vectors)
    assert np.array_equal(found[0], vectors[0])
    assert not np.allclose(found[1], vectors[1])
    # An index refuses rows of zeros, so this is more than taste.
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)


@pytest.mark.filterwarnings("error")
def test_no_vectors() -> None:
    seen = Centre(units(1, 1)[0], units(2, 1)[0])
    assert seen.queries(units(1, 0)).shape == seen.passages(units(1, 0)).shape == (0, 5)


def test_the_vectors_that_come_in_are_left_alone() -> None:
    vectors = units(1, 4)
    before = vectors.copy()
    seen = Centre(vectors[0], vectors[1])
    seen.passages(vectors)
    seen.queries(vectors)
    assert np.array_equal(vectors, before)


def test_what_was_written_is_found_for_its_encoder_alone(own_file: Path) -> None:
    assert centre_of("a/1") is None
    made = Centre(units(1, 1)[0], units(2, 1)[0])
    write_centre(own_file, "a/1", made)
    assert centre_of("a/1") is None  # remembered, until it is told to forget
    forget_centre()
    found = centre_of("a/1")
    assert found is not None
    assert np.array_equal(found.query, made.query)
    assert np.array_equal(found.passage, made.passage)
    assert centre_of("a/2") is None
    assert centre_of("") is None


@pytest.mark.parametrize("content", [b"", b"PK", b"not an archive", b"\x80\x04N."])
def test_a_file_that_cannot_be_read_is_no_centre(own_file: Path, content: bytes) -> None:
    own_file.write_bytes(content)
    assert centre_of("a/1") is None


def test_a_file_cut_short_or_without_a_part_is_no_centre(own_file: Path) -> None:
    write_centre(own_file, "a/1", Centre(units(1, 1)[0], units(2, 1)[0]))
    whole = own_file.read_bytes()
    own_file.write_bytes(whole[: len(whole) // 2])
    assert centre_of("a/1") is None
    forget_centre()
    np.savez(own_file, fingerprint=np.array("a/1"), query=units(1, 1)[0])
    assert centre_of("a/1") is None


def test_the_shipped_centre_is_that_of_the_default_encoder() -> None:
    forget_centre()
    with np.load(centre.FILE, allow_pickle=False) as file:
        fingerprint = str(file["fingerprint"])
    found = centre_of(fingerprint)
    assert found is not None
    assert found.query.shape == found.passage.shape == (384,)
    assert found.query.dtype == found.passage.dtype == np.float32
    # Means of unit vectors: inside the sphere, and far from its centre, which is the point.
    assert 0.5 < float(np.linalg.norm(found.query)) < 1
    assert 0.5 < float(np.linalg.norm(found.passage)) < 1
    assert centre_of(HashEncoder().fingerprint) is None
    assert json.dumps(fingerprint)


def test_the_shipped_centre_has_the_fingerprint_of_the_default_encoder(e5: object) -> None:
    assert centre_of(e5.fingerprint) is not None  # type: ignore[attr-defined]
