"""Colours: letters stand out in light and dark, and colour-blind readers can tell kinds apart."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest

from kg.export.palette import COLOURS, TINTS
from kg.library import Library
from kg.notebook.drawing import _DARK, INK, PAPER, Drawing, document, words
from kg.notebook.pictures import _LANES, _SHADES, _look, heat_map
from tests.helpers.browsers import browser

READABLE = 4.5
"""The contrast that WCAG 2 asks of text."""

# Viénot, Brettel and Mollon (1999): how linear RGB looks to readers without one kind of cone.
BLIND = {
    "deuteranopia": np.array(
        [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]]
    ),
    "protanopia": np.array([[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]]),
}
APART = 0.08
"""Least distance in linear RGB at which two fields side by side are plainly different."""


def linear(colour: str) -> np.ndarray:
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2, 1 to 21."""
    weights = np.array([0.2126, 0.7152, 0.0722])
    low, high = sorted(float(linear(c) @ weights) for c in (one, other))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("ink", "paper"), [(INK, PAPER), (_DARK[INK], _DARK[PAPER])])
def test_letters_stand_out_on_the_ground(ink: str, paper: str) -> None:
    assert contrast(ink, paper) > 10


@pytest.mark.parametrize("shade", _SHADES)
def test_numbers_stand_out_in_every_cell(shade: str) -> None:
    cell, letters = _look(_SHADES.index(shade))
    assert cell == shade
    assert contrast(letters, shade) >= READABLE


@pytest.mark.parametrize("kind", sorted(TINTS))
def test_labels_stand_out_in_every_box(kind: str) -> None:
    assert contrast("#111111", TINTS[kind]) >= READABLE


@pytest.mark.parametrize("dots", [_LANES[:4]])
@pytest.mark.parametrize("paper", [PAPER, _DARK[PAPER]])
def test_dots_stand_out_on_either_ground(dots: tuple[str, ...], paper: str) -> None:
    assert all(contrast(colour, paper) >= 2 for colour in dots)


@pytest.mark.parametrize("blindness", sorted(BLIND))
def test_kinds_are_told_apart_without_one_kind_of_cone(blindness: str) -> None:
    """The kinds in one picture stand in columns with names besides; colours are not all."""
    drawn = [COLOURS[k] for k in ("symptom", "factor", "case", "cause", "component")]
    seen = [BLIND[blindness] @ linear(colour) for colour in drawn]
    for one, other in combinations(seen, 2):
        assert np.linalg.norm(one - other) > APART


@pytest.mark.parametrize("blindness", sorted(BLIND))
def test_shades_keep_their_order_without_one_kind_of_cone(blindness: str) -> None:
    seen = [float((BLIND[blindness] @ linear(shade)).sum()) for shade in _SHADES]
    assert seen == sorted(seen, reverse=True)


def drawing() -> Drawing:
    return document(200, 80, "a title", [words(10, 30, "글자")])


COLOUR = "getComputedStyle(document.querySelector('svg.kgp text')).fill"


@pytest.mark.parametrize(
    ("scheme", "theme", "dark"),
    [
        ("light", None, False),
        ("dark", None, True),
        ("dark", "true", False),
        ("light", "false", True),
    ],
)
def test_letters_follow_the_system_or_the_theme_of_jupyterlab(
    scheme: str, theme: str | None, dark: bool
) -> None:
    """JupyterLab says `data-jp-theme-light` on the body, which goes before the system."""
    told = "" if theme is None else f' data-jp-theme-light="{theme}"'
    with browser(color_scheme=scheme, offline=True) as page:
        page.set_content(f"<body{told}>{drawing().html()}</body>")
        ink = _DARK[INK] if dark else INK
        red, green, blue = (int(ink[i : i + 2], 16) for i in (1, 3, 5))
        assert page.evaluate(COLOUR) == f"rgb({red}, {green}, {blue})"


FILLS = """() => [...document.querySelectorAll("svg.kgp g[class^='kgp-shade']")].map(g => [
    g.querySelector("text").textContent,
    getComputedStyle(g.querySelector("rect")).fill,
    getComputedStyle(g.querySelector("text")).fill,
])"""


def hexed(colour: str) -> str:
    return "#" + "".join(f"{int(n):02x}" for n in re.findall(r"\d+", colour)[:3])


@pytest.mark.parametrize(
    ("scheme", "theme", "dark"),
    [
        ("light", None, False),
        ("dark", None, True),
        ("dark", "true", False),
        ("light", "false", True),
    ],
)
def test_more_is_further_from_the_ground_in_the_dark_too(
    whole: Library, scheme: str, theme: str | None, dark: bool
) -> None:
    told = "" if theme is None else f' data-jp-theme-light="{theme}"'
    with browser(color_scheme=scheme, offline=True) as page:
        page.set_content(f"<body{told}>{heat_map(whole).html()}</body>")
        found = page.evaluate(FILLS)
    ground = _DARK[PAPER] if dark else PAPER
    cells = {int(n): hexed(cell) for n, cell, _ in found if n.isdigit()}
    away = [contrast(cells[n], ground) for n in sorted(cells)]
    assert away == sorted(away)
    assert away[-1] > 2 * away[0]
    assert all(contrast(hexed(cell), hexed(letters)) >= READABLE for _, cell, letters in found)
