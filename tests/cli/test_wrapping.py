"""Lines keep to the width of a terminal, in Hangul too, and lose no word."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from kg.cli.show import _WIDTH, wrap

words = st.lists(st.text("abc한글로그", min_size=1, max_size=12), max_size=80)


def columns(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


@given(words, st.integers(0, 8))
def test_no_line_is_too_wide_and_no_word_is_lost(given_words: list[str], indent: int) -> None:
    lines = wrap(" ".join(given_words), indent)
    assert all(columns(line) <= _WIDTH for line in lines)
    assert " ".join(lines).split() == given_words
    assert all(line.startswith(" " * indent) for line in lines)


def test_a_word_wider_than_the_line_stands_alone() -> None:
    assert wrap("a " + "x" * 200 + " b", 0) == ["a", "x" * 200, "b"]


def test_lines_of_the_text_stay_apart() -> None:
    assert wrap("one\n\ntwo", 2) == ["  one", "  two"]
