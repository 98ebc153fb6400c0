"""Words of many rows against words of a text: postings give what counting row by row gives."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.vocab.wordrows import Rarity, WordRows
from tests.helpers.strategies import QUICK

ROWS = [(0, ["disk", "full"]), (0, ["no", "space"]), (1, ["disk"]), (2, [])]
RARITY = Rarity([{"disk", "full", "no", "space"}, {"disk"}, set()])


def rows_of(rows: list[tuple[int, list[str]]] = ROWS, owners: int = 3) -> WordRows:
    return WordRows(rows, RARITY, owners)


def test_a_spelling_that_stands_whole_is_covered() -> None:
    assert rows_of().covered({"the", "disk", "is", "full"}).tolist() == [1.0, 1.0, 0.0]


def test_half_a_spelling_is_covered_by_the_weight_of_its_words() -> None:
    covered = rows_of().covered({"full"})
    assert covered[0] == pytest.approx(RARITY("full") / (RARITY("full") + RARITY("disk")))
    assert covered[1:].tolist() == [0.0, 0.0]


def test_the_same_words_have_cosine_one() -> None:
    assert rows_of().cosine({"disk"})[1] == pytest.approx(1.0)
    assert rows_of().cosine({"disk", "full"})[0] == pytest.approx(1.0)


def test_other_words_lower_the_cosine_but_not_the_cover() -> None:
    rows = rows_of()
    assert rows.cosine({"disk", "full", "again"})[0] < rows.cosine({"disk", "full"})[0]
    assert rows.covered({"disk", "full", "again"})[0] == rows.covered({"disk", "full"})[0]


@pytest.mark.parametrize("words", [set(), {"never", "heard"}])
def test_unknown_words_and_no_words_give_nothing(words: set[str]) -> None:
    assert rows_of().covered(words).tolist() == [0.0] * 3
    assert rows_of().cosine(words).tolist() == [0.0] * 3


def test_no_rows_at_all() -> None:
    empty = WordRows([], RARITY, 2)
    assert empty.covered({"disk"}).tolist() == [0.0, 0.0]
    assert empty.cosine({"disk"}).tolist() == [0.0, 0.0]
    assert empty.weights(0) == {}


def test_a_rare_word_weighs_more_and_every_word_something() -> None:
    assert RARITY("unknown") > RARITY("full") > RARITY("disk") > 0


def test_the_words_of_an_owner_are_those_of_its_first_row() -> None:
    assert set(rows_of().weights(0)) == {"disk", "full"}
    assert rows_of().weights(2) == {}


WORDS = st.lists(st.sampled_from("abcdefgh"), max_size=5)
TABLES = st.lists(st.tuples(st.integers(0, 4), WORDS), max_size=12)


def slow(
    rows: list[tuple[int, list[str]]], rarity: Rarity, words: set[str], cosine: bool
) -> list[float]:
    """The twin: each row counted by itself, the best of each owner."""
    best = [0.0] * 5
    length = math.sqrt(sum(rarity(w) ** 2 for w in words))
    for owner, row in rows:
        kinds = set(row)
        if not kinds or not words:
            continue
        if cosine:
            own = math.sqrt(sum(rarity(w) ** 2 for w in kinds))
            value = sum(rarity(w) ** 2 for w in kinds & words) / (own * length)
        else:
            value = sum(rarity(w) for w in kinds & words) / sum(rarity(w) for w in kinds)
        best[owner] = max(best[owner], value)
    return best


@QUICK
@given(TABLES, WORDS.map(set))
def test_postings_give_what_counting_gives(
    rows: list[tuple[int, list[str]]], words: set[str]
) -> None:
    rarity = Rarity([set(row) for _, row in rows])
    fast = WordRows(rows, rarity, 5)
    assert np.allclose(fast.covered(words), slow(rows, rarity, words, cosine=False))
    assert np.allclose(fast.cosine(words), slow(rows, rarity, words, cosine=True))


@QUICK
@given(TABLES, WORDS.map(set))
def test_the_order_of_rows_does_not_matter(
    rows: list[tuple[int, list[str]]], words: set[str]
) -> None:
    rarity = Rarity([set(row) for _, row in rows])
    mixed = rows[::-1]
    assert WordRows(rows, rarity, 5).covered(words).tolist() == (
        WordRows(mixed, rarity, 5).covered(words).tolist()
    )
    assert WordRows(rows, rarity, 5).cosine(words).tolist() == (
        WordRows(mixed, rarity, 5).cosine(words).tolist()
    )


@QUICK
@given(TABLES, WORDS.map(set))
def test_shares_and_cosines_are_between_0_and_1(
    rows: list[tuple[int, list[str]]], words: set[str]
) -> None:
    fast = WordRows(rows, Rarity([set(row) for _, row in rows]), 5)
    for values in (fast.covered(words), fast.cosine(words)):
        assert (values >= 0).all()
        assert (values <= 1 + 1e-12).all()
