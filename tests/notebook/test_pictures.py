"""Our own pictures: right numbers, tooltips, a legend, escaped, nothing loaded, equal bytes."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from pathlib import Path

import pytest

from kg.errors import CaseNotFound, LibraryError
from kg.library import Library
from kg.model import Case, CaseKind
from kg.notebook import Drawing, cases_picture, heat_map, timeline
from kg.notebook.drawing import INK, PAPER, document, words
from kg.store import Table
from kg.vocab import Vocabulary
from tests.helpers.planted import EVIL

SVG = "{http://www.w3.org/2000/svg}"


def tree(drawing: Drawing) -> ElementTree.Element:
    return ElementTree.fromstring(drawing.svg)  # noqa: S314 - our own output


def tips(drawing: Drawing) -> list[str]:
    return [e.text or "" for e in tree(drawing).iter(f"{SVG}title")]


def texts(drawing: Drawing) -> list[str]:
    return [e.text or "" for e in tree(drawing).iter(f"{SVG}text")]


@pytest.fixture(scope="module")
def drawings(whole: Library) -> dict[str, Drawing]:
    return {
        "heat": heat_map(whole, "ko"),
        "timeline": timeline(whole, lang="ko"),
        "cases": cases_picture(whole, ["IL-0480", "IL-0023"], "ko"),
    }


@pytest.mark.parametrize("name", ["heat", "timeline", "cases"])
def test_it_is_well_formed_and_loads_nothing(drawings: dict[str, Drawing], name: str) -> None:
    drawing = drawings[name]
    assert tree(drawing).tag == f"{SVG}svg"
    assert re.findall(r"https?://[^\"'\s<]+", drawing.svg) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"<script|<image|<foreignObject|@import|url\(|\son\w+=", drawing.svg)
    assert any(re.search("[가-힣]", text) for text in texts(drawing))


@pytest.mark.parametrize("name", ["heat", "timeline", "cases"])
def test_letters_can_be_given_other_colours_in_the_dark(
    drawings: dict[str, Drawing], name: str
) -> None:
    svg = drawings[name].svg
    assert "prefers-color-scheme:dark" in svg
    assert 'data-jp-theme-light="false"' in svg
    assert f'fill="{PAPER}"' in svg
    assert f'fill="{INK}"' in svg
    assert re.findall(r"<text(?![^>]*fill=)", svg) == []


def test_the_heat_map_has_the_numbers_of_sql(whole: Library) -> None:
    told = {tip.split(";")[0] for tip in tips(heat_map(whole, "en")) if ";" in tip}
    label = {t: whole.vocabulary.terms[t].label.best("en") for t in whole.vocabulary.terms}
    rows = whole.sql("SELECT cause_id, component_id, n FROM cause_component_matrix").rows
    every = {f"{label[c]} × {label[p]}: {n} incidents that confirm both" for c, p, n in rows}
    assert told
    assert told <= every
    top = max(rows, key=lambda row: row[2])
    assert f"{label[top[0]]} × {label[top[1]]}: {top[2]} incidents that confirm both" in told


def test_the_legend_of_the_heat_map_reaches_the_largest_cell(whole: Library) -> None:
    drawing = heat_map(whole, "en")
    numbers = [int(n) for tip in tips(drawing) for n in re.findall(r": (\d+) incidents", tip)]
    steps = [s for s in texts(drawing)[1:] if re.fullmatch(r"\d+(–\d+)?", s)]
    legend = steps[: steps.index(next(s for s in steps if s.endswith(f"–{max(numbers)}"))) + 1]
    ends = [[int(n) for n in s.split("–")] for s in legend]
    assert ends[0][0] == 1
    assert ends[-1][-1] == max(numbers)
    assert all(low[-1] + 1 == high[0] for low, high in pairwise(ends))


def test_each_cell_of_the_heat_map_says_its_number(whole: Library) -> None:
    drawing = heat_map(whole, "en", most=3)
    cells = [tip for tip in tips(drawing) if " × " in tip]
    assert len(cells) == 9
    told = [m.group(1) for tip in cells if (m := re.search(r": (\d+) incidents", tip))]
    titled = [g for g in tree(drawing).iter(f"{SVG}g") if g.find(f"{SVG}title") is not None]
    groups = [g for g in titled if g.find(f"{SVG}text") is not None]
    assert [g.find(f"{SVG}text").text for g in groups] == told  # type: ignore[union-attr]
    assert len(told) + sum(tip.endswith(": 0") for tip in cells) == 9


def test_brighter_is_never_more(whole: Library) -> None:
    """The shades are told apart by brightness alone, so that colour-blind readers see them."""

    def light(colour: str) -> float:
        red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
        return 0.299 * red + 0.587 * green + 0.114 * blue

    shades: dict[int, str] = {}
    for group in tree(heat_map(whole)).iter(f"{SVG}g"):
        number = group.find(f"{SVG}text")
        if number is not None and number.text and number.text.isdigit():
            shades[int(number.text)] = group.find(f"{SVG}rect").get("fill", "")  # type: ignore[union-attr]
    ordered = [light(shades[n]) for n in sorted(shades)]
    assert len(set(shades.values())) >= 4
    assert ordered == sorted(ordered, reverse=True)


def test_the_timeline_has_a_dot_for_each_dated_incident(whole: Library) -> None:
    incidents = [c for c in whole.cases.values() if c.kind is CaseKind.INCIDENT]
    dated = {c.id for c in incidents if c.dates}
    dots = [
        d for d in tree(timeline(whole)).iter(f"{SVG}circle") if d.find(f"{SVG}title") is not None
    ]
    named = {d.find(f"{SVG}title").text.split(" ")[0] for d in dots}  # type: ignore[union-attr]
    assert named == dated
    assert len(dots) == len(dated)


def test_only_a_publication_is_a_ring(whole: Library) -> None:
    for dot in tree(timeline(whole)).iter(f"{SVG}circle"):
        title = dot.find(f"{SVG}title")
        if title is not None:
            assert ("(published)" in str(title.text)) == (dot.get("fill") == PAPER)


def test_an_arc_joins_each_recurrence(whole: Library) -> None:
    pairs = {f"{item.earlier} → {item.later}" for item in whole.recurrences()}
    arcs = {tip.rpartition(": ")[2] for tip in tips(timeline(whole)) if "→" in tip}
    assert arcs == pairs


def test_equal_cases_give_equal_bytes(quick: Library) -> None:
    assert timeline(quick).svg == timeline(quick).svg
    assert heat_map(quick).svg == heat_map(quick).svg


def test_a_case_that_is_not_there_is_refused(quick: Library) -> None:
    with pytest.raises(CaseNotFound):
        timeline(quick, ["nothing"])


def test_text_of_cases_is_text_in_a_picture(
    quick: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Case, "name", lambda _self, _lang: EVIL)
    for drawing in (timeline(quick), cases_picture(quick, ["IL-0480"])):
        assert any("<script>alert(1)</script>" in tip for tip in tips(drawing))
        assert "<script>" not in drawing.svg
        assert "\u202e" not in drawing.svg


def test_an_empty_answer_is_drawn_as_such(quick: Library) -> None:
    drawing = timeline(quick, [])
    assert "nothing to draw" in texts(drawing)


def test_a_heat_map_of_nothing_says_so(quick: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick, "sql", lambda _query: Table((), ()))
    assert texts(heat_map(quick)) == ["Incidents by cause and component", "nothing to draw"]


def test_a_picture_is_saved_and_scales(quick: Library, tmp_path: Path) -> None:
    drawing = heat_map(quick)
    assert drawing.save(tmp_path / "x.svg").read_text(encoding="utf-8") == drawing._repr_svg_()
    assert "max-width:100%" in drawing.svg
    assert drawing.svg in drawing.html()
    with pytest.raises(LibraryError, match="cannot write"):
        drawing.save(tmp_path / "missing" / "x.svg")


def test_words_are_escaped_in_a_document() -> None:
    drawing = document(100, 50, EVIL, [words(1, 2, EVIL, bold=True, turn=-45)])
    assert tree(drawing).get("width") == "100"
    assert "<script>" not in drawing.svg


def test_labels_are_those_of_the_vocabulary(whole: Library, vocabulary: Vocabulary) -> None:
    known = {t.label.best("ko") for t in vocabulary.terms.values()}
    rows = [t for t in texts(heat_map(whole, "ko")) if t in known]
    assert len(rows) >= 15
