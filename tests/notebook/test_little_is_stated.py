"""Cases that state little: what is not said is named as such, and pictures stay whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import kg
from kg.library import Library
from kg.notebook import cases_picture, heat_map, log_view, show_case, timeline
from tests.helpers.tiny import make_case, tiny_vocabulary

SOURCE = {"kind": "postmortem", "title": "A report", "locator": "https://example.com/r"}


@pytest.fixture(scope="module")
def sparse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """A case that says next to nothing, one that says none, one with a day and a cause."""
    made = kg.build_library(
        [
            make_case("E-1"),
            make_case("E-2", sources=[], regions=[]),
            make_case(
                "E-3",
                ("cause", "cause:race"),
                ("component", "component:nccl"),
                published="2024-02-29",
                sources=[SOURCE],
            ),
        ],
        tmp_path_factory.mktemp("sparse") / "sparse.duckdb",
        vocabulary=tiny_vocabulary(),
        encoder="hash",
    )
    with made as it:
        yield it


def after(html: str, heading: str) -> str:
    """The text that follows a heading of a view."""
    _, found, rest = re.sub(r"<[^>]+>", "\n", html).partition(f"\n{heading}\n")
    assert found, heading
    return next(line for line in rest.splitlines() if line.strip())


@pytest.mark.parametrize(
    ("case_id", "lang", "said"),
    [
        ("E-1", "en", "not stated"),
        ("E-1", "ko", "적혀 있지 않음"),
        ("E-2", "en", "none, says the source"),
        ("E-2", "ko", "출처에 없다고 적혀 있음"),
        ("E-3", "en", "A report"),
    ],
)
def test_sources_are_named_or_said_to_be_missing(
    sparse: Library, case_id: str, lang: str, said: str
) -> None:
    heading = "Sources" if lang == "en" else "출처"
    assert said in after(show_case(sparse, case_id, lang).html, heading)


@pytest.mark.parametrize(("lang", "said"), [("en", "none are made"), ("ko", "없음")])
def test_a_case_without_claims_says_so(sparse: Library, lang: str, said: str) -> None:
    html = show_case(sparse, "E-1", lang).html
    heading = "Claims with evidence" if lang == "en" else "주장과 근거"
    assert after(html, heading) == said
    assert "<table" not in html
    assert "<table" in show_case(sparse, "E-3", lang).html


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_each_text_that_is_missing_is_named(sparse: Library, lang: str) -> None:
    html = show_case(sparse, "E-1", lang).html
    word = "not stated" if lang == "en" else "적혀 있지 않음"
    names = ("Impact", "Cause", "Lessons") if lang == "en" else ("영향", "원인", "교훈")
    for name in names:
        assert f"{name}: {word}" in html


def test_undated_incidents_are_counted_beneath_the_timeline(sparse: Library) -> None:
    svg = timeline(sparse).svg
    assert svg.count("<circle") == 2 + 1  # the legend has two
    assert "without a date: 2" in svg
    assert "E-3 · 2024-02-29" in svg


def test_a_case_that_is_named_twice_is_drawn_once(sparse: Library) -> None:
    once, twice = timeline(sparse, ["E-3", "E-1"]), timeline(sparse, ["E-3", "E-1", "E-3", "E-1"])
    assert once.svg == twice.svg
    assert "without a date: 1" in twice.svg
    assert cases_picture(sparse, ["E-3", "E-3"]).svg == cases_picture(sparse, ["E-3"]).svg


def test_a_timeline_of_undated_cases_is_empty_and_says_of_how_many(sparse: Library) -> None:
    svg = timeline(sparse, ["E-1"], "ko").svg
    assert "그릴 것이 없음" in svg
    assert "날짜 없음: 1" in svg


def test_a_heat_map_of_one_cell_has_a_legend_of_one_step(sparse: Library) -> None:
    svg = heat_map(sparse).svg
    cells = re.findall(r'<g class="kgp-shade(\d)"><title>([^<]*)', svg)
    legend = re.findall(r'<g class="kgp-shade(\d)"><rect', svg)
    assert legend == ["3"] == sorted({shade for shade, _ in cells})
    assert any("race condition × NCCL: 1 incidents that confirm both" in tip for _, tip in cells)


def test_a_heat_map_of_no_rows_says_so(sparse: Library) -> None:
    assert "nothing to draw" in heat_map(sparse, most=0).svg


@pytest.mark.parametrize("text", ["", " \n ", "everything is fine", "정상입니다"])
def test_a_log_without_findings_is_not_called_healthy(sparse: Library, text: str) -> None:
    html = log_view(sparse, text).html
    assert "does not say that nothing is wrong" in html or "문제가 없다는 뜻은 아닙니다" in html
