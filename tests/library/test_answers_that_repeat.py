"""Cases that tell the same are one hit; cases that differ never are, whatever the encoder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import kg
from embeddings import HashEncoder
from kg.errors import BadQuery
from kg.library import Library
from tests.helpers.tiny import tiny_cases, tiny_vocabulary


class Cone:
    """An encoder whose vectors all lie in one narrow cone, as those of many models do."""

    fingerprint, dimension = "cone/1", 65

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        return self.encode_passages(texts)

    def encode_passages(self, texts: Sequence[str], progress: object = None) -> np.ndarray:
        inner = HashEncoder(64).encode_passages(texts)
        whole = np.hstack([np.full((len(texts), 1), 9.0), inner])
        return (whole / np.linalg.norm(whole, axis=1, keepdims=True)).astype(np.float32)


def build(path: Path, encoder: object, twin: bool) -> Library:
    cases = tiny_cases()
    more = [cases[0].model_copy(update={"id": "A-0"})] if twin else []
    return kg.build_library([*cases, *more], path, vocabulary=tiny_vocabulary(), encoder=encoder)


@pytest.fixture(params=["hash", Cone()], ids=["hash", "cone"])
def encoder(request: pytest.FixtureRequest) -> object:
    return request.param


def test_cases_that_differ_are_each_a_hit(tmp_path: Path, encoder: object) -> None:
    with build(tmp_path / "x.duckdb", encoder, twin=False) as library:
        hits = library.search("NCCL timeout", k=99, threshold=0.0)
        assert set(hits.ids) == set(library.cases)
        assert {h.repeated for h in hits} == {()}


def test_a_case_told_twice_is_one_hit_that_names_the_other(tmp_path: Path, encoder: object) -> None:
    with build(tmp_path / "x.duckdb", encoder, twin=True) as library:
        hits = library.search("NCCL timeout", k=99, threshold=0.0)
        (first,) = [h for h in hits if h.id in ("A-0", "A-1")]
        assert {first.id, *first.repeated} == {"A-0", "A-1"}
        assert set(hits.ids) == set(library.cases) - set(first.repeated)
        assert "A-0" in library.similar("A-1", k=99).ids  # of a case, a twin is an answer


def test_diversity_shows_the_same_cases_in_another_order(tmp_path: Path) -> None:
    with build(tmp_path / "x.duckdb", "hash", twin=False) as library:
        plain = library.search("NCCL timeout", k=99, threshold=0.0)
        mixed = library.search("NCCL timeout", k=99, threshold=0.0, diversity=1.0)
        assert mixed.ids[0] == plain.ids[0]
        assert set(mixed.ids) == set(plain.ids)
        assert mixed.ids != plain.ids
        assert {h.id: h for h in mixed} == {h.id: h for h in plain}
        unmixed = library.search("NCCL timeout", k=99, threshold=0.0, diversity=0.0)
        assert unmixed == plain


def test_different_shipped_cases_are_never_folded(whole: Library) -> None:
    hits = whole.search("NCCL timeout on one rank", k=len(whole), threshold=0.0)
    assert {h.repeated for h in hits} == {()}


@pytest.mark.parametrize("diversity", [-0.1, 1.5])
def test_diversity_is_a_share(quick: Library, diversity: float) -> None:
    with pytest.raises(BadQuery, match="0 to 1"):
        quick.search("NCCL timeout", diversity=diversity)
