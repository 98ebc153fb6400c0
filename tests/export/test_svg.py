"""The picture: well-formed, the same bytes each time, complete, escaped."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest

from kg.export.svg import COLOURS, draw, ruled_out
from kg.library import Library
from kg.queries.listing import RESULT_KINDS

SVG = "{http://www.w3.org/2000/svg}"


def _tree(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)  # noqa: S314 - our own output


def _titles(root: ElementTree.Element, tag: str) -> list[str]:
    return [e.find(f"{SVG}title").text or "" for e in root.iter(f"{SVG}{tag}")]  # type: ignore[union-attr]


def test_equal_bytes_each_time_and_for_each_order(quick: Library) -> None:
    ids = list(quick.cases)
    assert quick.picture(ids) == quick.picture(reversed(ids)) == quick.picture()


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_it_is_well_formed_and_loads_nothing(quick: Library, lang: str) -> None:
    text = quick.picture(lang=lang)
    assert _tree(text).tag == f"{SVG}svg"
    assert re.findall(r"https?://[^\"'\s<]+", text) == ["http://www.w3.org/2000/svg"]
    assert "<script" not in text
    assert "<image" not in text


def test_every_case_and_every_cause_is_drawn(quick: Library) -> None:
    tips = _titles(_tree(quick.picture()), "g")
    graph = quick.result_graph()
    for case in quick.cases:
        assert any(tip.startswith(f"{case}:") for tip in tips)
    for kind in ("cause", "symptom", "factor"):
        for node in graph.nodes[kind]:
            assert any(f"({node})" in tip for tip in tips), node


def test_a_line_stands_for_each_pair_of_nodes(quick: Library) -> None:
    graph = quick.result_graph(["IL-0480"])
    pairs = {(e.source, e.target) for e in graph.edges}
    lines = _titles(_tree(quick.picture(["IL-0480"])), "path")
    assert len(lines) == len(pairs)
    assert all(line.startswith("IL-0480 ") for line in lines)


def test_ruled_out_lines_are_dotted_and_say_so(quick: Library) -> None:
    root = _tree(quick.picture(["IL-0480"]))
    dotted = {
        path.find(f"{SVG}title").text  # type: ignore[union-attr]
        for path in root.iter(f"{SVG}path")
        if path.get("stroke-dasharray") == "1.5 4"
    }
    assert dotted
    assert all("(ruled out)" in str(tip) for tip in dotted)


@pytest.mark.parametrize(
    ("lang", "words"), [("en", ("suspected", "ruled out")), ("ko", ("의심", "배제"))]
)
def test_a_box_that_no_case_confirms_is_dashed_and_says_so(
    quick: Library, lang: str, words: tuple[str, str]
) -> None:
    order = {"suspected": words[0], "ruled_out": words[1]}
    best: dict[str, set[str]] = {}
    for edge in quick.result_graph().edges:
        best.setdefault(edge.target, set()).add(str(edge.status))
    marked = {t: s for t, s in best.items() if "confirmed" not in s}
    assert any(s == {"ruled_out"} for s in marked.values())
    boxes = [
        g
        for g in _tree(quick.picture(lang=lang)).iter(f"{SVG}g")
        if g.find(f"{SVG}text") is not None
    ]
    for box in boxes:
        tip = box.find(f"{SVG}title").text or ""  # type: ignore[union-attr]
        term = next((t for t in best if f"({t})" in tip), None)
        dash = box.find(f"{SVG}rect").get("stroke-dasharray")  # type: ignore[union-attr]
        assert (dash is not None) == (term in marked), tip
        if term in marked:
            word = order["suspected" if "suspected" in marked[term] else "ruled_out"]
            assert tip.endswith(f"({word})")
            assert (box.find(f"{SVG}text").text or "").endswith(f" ({word})")  # type: ignore[union-attr]


def test_what_is_only_ruled_out_is_told_apart(quick: Library) -> None:
    graph = quick.result_graph(["IL-0480"])
    out = {e.target for e in graph.edges if e.status == "ruled_out"}
    others = {e.target for e in graph.edges if e.status != "ruled_out"}
    assert out - others
    assert ruled_out(graph) == out - others


def test_korean_labels_are_used(quick: Library) -> None:
    text = quick.picture(["IL-0480"], lang="ko")
    assert "작업 멈춤" in text
    assert "구성 요소" in text


def test_components_of_one_case_are_left_out_only_among_several(quick: Library) -> None:
    alone = quick.picture(["IL-0480"])
    together = quick.picture(["IL-0480", "IL-0023"])
    assert "component:nvme" in alone
    assert "component:nvme" not in together
    graph = quick.result_graph(["IL-0480", "IL-0023"])
    whole = draw(graph, quick.vocabulary, {}, shared_only=False)
    assert "component:nvme" in whole


def test_kinds_have_colours_that_differ() -> None:
    assert set(COLOURS) == set(RESULT_KINDS)
    assert len(set(COLOURS.values())) == len(COLOURS)


def test_no_cases_give_an_empty_picture(quick: Library) -> None:
    assert _titles(_tree(quick.picture([])), "g") == []
