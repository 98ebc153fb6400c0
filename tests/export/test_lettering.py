"""How much room letters take: never less than in the fonts that are usual."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.export.lettering import cut, width, wrap
from kg.model.escaping import safe, safe_line
from tests.helpers.strategies import QUICK

# Widths of letters in DejaVu Sans, the widest of the usual fonts, in thousandths of the size.
DEJAVU = {
    " ": 318, "-": 361, ".": 318, "/": 337, "0": 636, "1": 636, "9": 636, "A": 684, "B": 686,
    "C": 698, "D": 770, "E": 632, "G": 775, "H": 752, "I": 295, "M": 863, "N": 748, "O": 787,
    "Q": 787, "R": 695, "S": 635, "U": 732, "W": 989, "a": 613, "b": 635, "c": 550, "d": 635,
    "e": 615, "f": 352, "g": 635, "h": 634, "i": 278, "l": 278, "m": 974, "n": 634, "o": 612,
    "p": 635, "r": 411, "s": 521, "t": 392, "u": 634, "v": 592, "w": 818, "x": 592, "y": 592,
    "_": 500, "%": 950, "(": 390, ")": 390, "…": 1000, "가": 1000, "한": 1000,
}  # fmt: skip
texts = st.text("".join(DEJAVU), min_size=1, max_size=120)


@QUICK
@given(texts)
def test_letters_are_reckoned_no_narrower_than_in_a_wide_font(text: str) -> None:
    assert width(text, 10) >= sum(DEJAVU[c] for c in text) / 100 - 1e-6


@pytest.mark.parametrize(("wide", "narrow"), [("W", "i"), ("가", "a"), ("M", "1")])
def test_some_letters_are_wider_than_others(wide: str, narrow: str) -> None:
    assert width(wide, 12) > width(narrow, 12)
    assert width("e\u0301", 12) == width("e", 12)


@QUICK
@given(texts, st.integers(30, 300), st.integers(1, 4))
def test_wrapped_lines_fit_and_keep_the_words_in_order(text: str, room: int, most: int) -> None:
    lines = wrap(text, room, 12, most)
    assert len(lines) <= most
    assert all(width(line, 12) <= room or len(line) <= 2 for line in lines)
    joined, whole = "".join(lines).replace(" ", ""), text.replace(" ", "")
    if joined.endswith("…") and not whole.startswith(joined):
        joined = joined[:-1]
    assert whole.startswith(joined)


@QUICK
@given(texts, st.integers(20, 300))
def test_what_is_cut_fits_and_says_so(text: str, room: int) -> None:
    line = cut(text, room, 12)
    assert width(line, 12) <= room
    assert line == " ".join(text.split()) or line.endswith("…")


def test_lines_break_between_words_and_long_words_anywhere() -> None:
    assert wrap("one two three", 60, 12, 3) == ["one two", "three"]
    assert "".join(wrap("x" * 50, 60, 12, 9)) == "x" * 50
    assert wrap("one two three four", 60, 12, 1)[0].endswith("…")
    assert wrap("", 60, 12, 2) == [""]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<b>\"'&", "&lt;b&gt;&quot;&#x27;&amp;"), ("a\x00b\x1bc", "a\ufffdb\ufffdc"),
        ("a\u202eb\u200b", "a\ufffdb\ufffd"), ("\ud800", "\ufffd"), ("가 é\t\n", "가 é\t\n"),
        ("\ufffe\U000e0041", "\ufffd\ufffd"),
    ],
)  # fmt: skip
def test_text_is_made_harmless(text: str, shown: str) -> None:
    assert safe(text) == shown


def test_on_one_line() -> None:
    assert safe_line(" a\n\n<b>  c\u2028") == "a &lt;b&gt; c"
