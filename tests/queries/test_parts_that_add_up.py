"""What is shown of the parts of a score adds up to what is shown of the score."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from kg.queries import Hit
from tests.helpers.strategies import QUICK

LANES = ("dense", "words", "graph", "late")


def hit(values: list[float]) -> Hit:
    parts = {lane: round(value, 6) for lane, value in zip(LANES, values, strict=False)}
    return Hit("A-1", "", round(sum(parts.values()), 6), parts, (), ())


def test_cut_parts_are_rounded_up_where_the_score_asks_for_it() -> None:
    assert hit([1.104, 1.4104, 0.3444, 0.0604]).hundredths() == {
        "dense": 110, "words": 141, "graph": 35, "late": 6,
    }  # fmt: skip


@QUICK
@given(st.lists(st.floats(-9, 9), min_size=1, max_size=4))
def test_any_parts_add_up_and_none_is_off_by_a_hundredth(values: list[float]) -> None:
    one = hit(values)
    shown = one.hundredths()
    assert sum(shown.values()) == round(100 * one.score)
    assert all(abs(shown[lane] - 100 * value) <= 1.001 for lane, value in one.parts.items())


def test_pieces_of_words_are_not_shown_as_words() -> None:
    words = (("nccl", 0.4), ("타임아웃", 0.3), ("임아", 0.1), ("타임", 0.1), ("학습", 0.1))
    one = replace(hit([1.0]), words=words)
    assert one.found_words == ("nccl", "타임아웃", "학습")
    assert replace(one, words=()).found_words == ()
