"""Charts by matplotlib: letters stay letters, numbers come with n, nothing is loaded."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest

from kg.library import Library
from kg.notebook import Drawing, recovery_chart, reliability_chart, themed, trend_chart
from kg.notebook.drawing import INK, PAPER

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def charts(whole: Library) -> dict[str, Drawing]:
    return {
        "recovery": recovery_chart(whole.stats("cause", lang="ko"), "ko"),
        "trend": trend_chart(whole.trends("component", lang="ko"), "ko"),
        "reliability": reliability_chart([(0.1, 0.05, 40), (0.8, 0.9, 12)], "ko"),
    }


@pytest.mark.parametrize("name", ["recovery", "trend", "reliability"])
def test_hangul_stays_text_and_nothing_is_loaded(charts: dict[str, Drawing], name: str) -> None:
    svg = charts[name].svg
    ElementTree.fromstring(svg)  # noqa: S314 - our own output
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    assert any(re.search("[가-힣]", text) for text in texts)
    addresses = set(re.findall(r"https?://[^\"'\s<]+", svg))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert "<image" not in svg
    assert "<metadata" not in svg


@pytest.mark.parametrize("name", ["recovery", "trend", "reliability"])
def test_letters_use_the_fonts_of_the_reader(charts: dict[str, Drawing], name: str) -> None:
    fonts = set(re.findall(r"font-family: ([^;\"]*);", charts[name].svg))
    assert fonts
    assert all("Noto Sans" in font and "Malgun Gothic" in font for font in fonts)


@pytest.mark.parametrize("name", ["recovery", "trend", "reliability"])
def test_ink_and_paper_can_follow_the_theme(charts: dict[str, Drawing], name: str) -> None:
    svg = charts[name].svg
    assert f"fill: {PAPER}" in svg
    assert INK in svg
    assert "#000000" not in re.sub(r"<style>.*?</style>", "", svg, flags=re.DOTALL)


def test_each_group_comes_with_its_n(whole: Library, charts: dict[str, Drawing]) -> None:
    found = whole.stats("cause", lang="ko")
    shown = [g for g in found.groups if g.key and g.recover.n][:12]
    for group in shown:
        label = found.label(str(group.key))
        assert f"{label}  (n = {group.recover.n} / {group.n})" in charts["recovery"].svg


def test_a_group_of_few_values_has_no_mark(whole: Library) -> None:
    found = whole.stats("cause", lang="en")
    few = [g for g in found.groups if g.key and g.recover.n][:12]
    missing = [g for g in few if g.recover.median is None and "median" not in g.recover.between]
    assert recovery_chart(found, "en").svg.count(">too few<") == len(missing) > 0


def test_lines_differ_without_colours(charts: dict[str, Drawing]) -> None:
    dashes = re.findall(r"stroke-dasharray: [\d., ]+", charts["trend"].svg)
    assert len(set(dashes)) >= 1


def test_nothing_to_show_is_no_error(quick: Library) -> None:
    assert ">nothing to draw<" in recovery_chart(quick.stats("cause", [])).svg
    assert ">nothing to draw<" in trend_chart(quick.trends("cause", case_ids=[])).svg
    assert ">그릴 것이 없음<" in reliability_chart([], "ko").svg


def test_equal_answers_give_equal_bytes(whole: Library, charts: dict[str, Drawing]) -> None:
    again = recovery_chart(whole.stats("cause", lang="ko"), "ko")
    assert again.svg == charts["recovery"].svg


def test_a_figure_of_ones_own_is_closed() -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots()
    axes.set_title("제목 & <b>")
    drawing = themed(figure)
    assert "제목 &amp; &lt;b&gt;" in drawing.svg
    assert not pyplot.fignum_exists(figure.number)
