"""Cases that tell the same come once, and hits may be asked to differ."""

from __future__ import annotations

from pathlib import Path

import pytest

import kg
from kg.errors import BadQuery
from kg.library import Library
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

QUERY = "NCCL timeout on an H100"


@pytest.fixture
def doubled(tmp_path: Path) -> Library:
    """The tiny library, with a copy of its first case under another id."""
    cases = list(tiny_cases())
    copy = cases[0].model_copy(update={"id": "Z-9"})
    return kg.build_library(
        [*cases, copy], tmp_path / "lib.duckdb", vocabulary=tiny_vocabulary(), encoder="hash"
    )


def test_a_copy_is_folded_into_the_first(doubled: Library) -> None:
    hits = doubled.search(QUERY, k=9, threshold=0.0)
    first = next(h for h in hits if h.repeated)
    assert {first.id, *first.repeated} == {tiny_cases()[0].id, "Z-9"}
    assert not set(hits.ids) & set(first.repeated)
    assert len({*hits.ids, *first.repeated}) == len(hits) + 1


def test_different_cases_are_not_folded(quick: Library) -> None:
    assert all(not h.repeated for h in quick.search(QUERY, k=len(quick), threshold=0.0))


def test_diversity_changes_the_order_and_keeps_the_best(quick: Library) -> None:
    plain = quick.search(QUERY, k=len(quick), threshold=0.0)
    other = quick.search(QUERY, k=len(quick), threshold=0.0, diversity=0.6)
    assert set(other.ids) == set(plain.ids)
    assert other.ids[0] == plain.ids[0]
    assert {h.id: h.score for h in other} == {h.id: h.score for h in plain}


@pytest.mark.parametrize("diversity", [-0.1, 1.5])
def test_diversity_is_a_share(quick: Library, diversity: float) -> None:
    with pytest.raises(BadQuery, match="0 to 1"):
        quick.search(QUERY, diversity=diversity)


@pytest.mark.parametrize("without", ["words", ("wrods",)])
def test_only_known_lanes_can_be_left_out(quick: Library, without: object) -> None:
    with pytest.raises(BadQuery, match="no lane"):
        quick.search(QUERY, without=without)  # type: ignore[arg-type]
