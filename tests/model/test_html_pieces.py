"""The pieces of every view: escaped, themed by what is around them, with nothing to load."""

from __future__ import annotations

import re

import pytest

from kg.model.html import STYLE, Markup, bar, chip, heading, paragraph, table, view

EVIL = "<script>alert(1)</script>\u202e\" onload='x'"


@pytest.mark.parametrize(
    "made",
    [
        paragraph(EVIL),
        paragraph(EVIL, faint=True),
        heading(EVIL),
        chip(EVIL),
        table([EVIL], [[EVIL]]),
    ],
)
def test_all_text_is_escaped(made: str) -> None:
    assert "<script>" not in made
    assert "&lt;script&gt;" in made
    assert "\u202e" not in made
    assert "'x'" not in made


def test_a_view_names_its_language_and_brings_its_style() -> None:
    assert view("<p>x</p>", "ko").startswith('<div class="kg-view" lang="ko"><style>')
    assert 'lang="en"' in view("", "fr")
    assert view("<p>x</p>").endswith("<p>x</p></div>")


def test_colours_of_letters_and_ground_are_left_to_the_page() -> None:
    """Only half transparent greys and colours of the palette: they fit light and dark alike."""
    colours = set(re.findall(r"#[0-9A-Fa-f]{3,6}|rgba\([^)]*\)", STYLE))
    assert colours <= {"rgba(128,128,128,.4)", "#56B4E9", "#0072B2"}
    assert "color:inherit" in STYLE
    assert "url(" not in STYLE


def test_korean_fonts_are_in_the_stack() -> None:
    for font in ("Noto Sans KR", "Apple SD Gothic Neo", "Malgun Gothic", "NanumGothic"):
        assert font in STYLE


def test_cells_by_their_kind() -> None:
    made = table(("a",), [(None,), (3,), (1234567,), (0.123456,), (True,), (Markup("<b>x</b>"),)])
    cells = re.findall(r"<td[^>]*>(.*?)</td>", made)
    assert cells == ["–", "3", "1,234,567", "0.1235", "True", "<b>x</b>"]
    assert made.count('class="kg-n"') == 3


@pytest.mark.parametrize("text", ["11 / 160", "3e-08", "0.002", "12–30", "<1%"])
def test_counts_are_not_broken_over_lines(text: str) -> None:
    assert '<td class="kg-n">' in table((), [(text,)])


def test_long_texts_may_be_broken() -> None:
    assert '<td class="">' in table((), [("a text that is long enough to wrap",)])
    assert '<td class="kg-s">' in table((), [("IL-0480",)])


@pytest.mark.parametrize(
    ("share", "width"), [(-1, "0.00"), (0, "0.00"), (0.5, "3.50"), (2, "7.00")]
)
def test_a_bar_stays_in_its_rail(share: float, width: str) -> None:
    assert f"width:{width}em" in bar(share)


def test_nothing_to_say_is_nothing() -> None:
    assert paragraph("") == ""
