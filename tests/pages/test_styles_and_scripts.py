"""What ships beside the pages: both themes readable, nothing from elsewhere, no text as code."""

from __future__ import annotations

import re
from importlib.resources import files
from itertools import product

import pytest

from kg.export.palette import DARK, GREY, GROUND, INK, TINTS, dark_rules
from kg.library import Library

ASSETS = files("kg.server.pages").joinpath("assets")
STYLE = ASSETS.joinpath("pages.css").read_text(encoding="utf-8")
SCRIPTS = {n: ASSETS.joinpath(n).read_text(encoding="utf-8") for n in ("pages.js", "search.js")}
NORMAL, LARGE = 4.5, 3.0
"""Contrast that WCAG 2.2 (1.4.3, 1.4.11) asks of text, and of what is not text."""


def _themes() -> dict[str, dict[str, str]]:
    light, dark = re.findall(r":root \{(.*?)\}", STYLE, flags=re.DOTALL)[:2]
    found = {}
    for name, block in (("light", light), ("dark", dark)):
        found[name] = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", block))
    return found


def _brightness(colour: str) -> float:
    def linear(part: int) -> float:
        share = part / 255
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(int(colour[i : i + 2], 16)) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """How far two colours stand apart, 1 to 21 (WCAG 2.2)."""
    low, high = sorted((_brightness(one), _brightness(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_measure_is_that_of_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_both_themes_name_the_same_colours(theme: str) -> None:
    themes = _themes()
    assert set(themes["light"]) == set(themes["dark"])
    assert len(themes[theme]) >= 14


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        *product(("ink", "quiet", "link"), ("ground", "card", "soft")),
        ("warn", "warn-ground"),
        ("ink", "warn-ground"),
        ("warn", "card"),
        ("warn", "ground"),
        ("out", "card"),
        ("out", "ground"),
        ("mark-ink", "mark"),
        ("on-accent", "accent"),
    ],
)
def test_text_can_be_read_on_its_ground(theme: str, ink: str, ground: str) -> None:
    colours = _themes()[theme]
    assert contrast(colours[ink], colours[ground]) >= NORMAL


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_focus_can_be_seen(theme: str) -> None:
    colours = _themes()[theme]
    assert contrast(colours["focus"], colours["ground"]) >= LARGE
    assert re.search(r":focus-visible \{ outline: 3px solid var\(--focus\)", STYLE)


def test_pictures_follow_the_dark_by_rules_of_the_palette() -> None:
    assert dark_rules(".picture") in STYLE
    assert "background: #ffffff" not in STYLE


@pytest.mark.parametrize("kind", sorted(TINTS))
def test_letters_in_pictures_can_be_read_in_the_dark(kind: str) -> None:
    ground = DARK[GROUND]
    for paper in (ground, DARK[TINTS[kind]]):
        assert contrast(DARK[INK], paper) >= NORMAL
        assert contrast(DARK[GREY], paper) >= NORMAL
    assert _brightness(DARK[TINTS[kind]]) < 0.1


def test_every_light_colour_of_a_picture_has_one_for_the_dark(quick: Library) -> None:
    """What stays as it is stands out on either ground; nothing else is as bright as paper."""
    pictures = [quick.picture(), quick.explain("IL-0480", "IL-0023").to_svg()]
    for svg in pictures:
        assert "style=" not in svg
        assert "<style" not in svg
        used = set(re.findall(r'(?:fill|stroke)="(#[0-9A-Fa-f]{6})"', svg))
        assert used & {GROUND}
        assert used & set(TINTS.values())
        for colour in used - set(DARK):
            assert 0.05 < _brightness(colour) < 0.7, colour


def test_the_style_loads_nothing_and_knows_hangul_fonts() -> None:
    assert not re.search(r"@import|url\(|@font-face|expression\(", STYLE)
    stack = re.search(r"font-family: (.*?);", STYLE, flags=re.DOTALL)
    assert stack is not None
    for font in ("Noto Sans KR", "NanumGothic", "Malgun Gothic", "Apple SD Gothic Neo"):
        assert font in stack.group(1)


def test_every_colour_that_is_used_is_named() -> None:
    used = set(re.findall(r"var\(--([a-z-]+)\)", STYLE))
    assert used <= set(_themes()["light"])


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_scripts_make_no_mark_up_and_no_code_of_text(name: str) -> None:
    code = SCRIPTS[name]
    assert '"use strict";' in code
    for way in (
        "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(",
        "setTimeout(\"", "localStorage", "cookie", "XMLHttpRequest", "import(", "WebSocket",
    ):  # fmt: skip
        assert way not in code, way


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_scripts_say_nothing_by_themselves(name: str) -> None:
    """Words of scripts come from the page, in its language."""
    code = re.sub(r"//.*", "", SCRIPTS[name])
    texts = re.findall(r"\"([^\"]*)\"|'([^']*)'", code)
    told = [t for pair in texts for t in pair if re.search(r"[A-Za-z]{2,} [A-Za-z]{2,}", t)]
    assert told == ["use strict"]


def test_scripts_are_small() -> None:
    assert sum(map(len, SCRIPTS.values())) < 8_000
