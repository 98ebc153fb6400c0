"""The picture of an explanation: columns, statuses, no overlap, the same bytes, nothing run."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given

from kg.export import explanation_svg
from kg.export.explanation_boxes import COLUMNS, MOST_ONLY, MOST_SHARED, Row, arrows, boxes
from kg.export.lettering import wrap
from kg.export.palette import STATUS
from kg.graph import IncidentGraph
from kg.library import Library
from kg.model import Case, Status
from kg.queries import Explanation, explain_text, make_explanation
from kg.vocab import Tagger, Vocabulary
from tests.helpers.strategies import WORLDS, worlds
from tests.helpers.tiny import Told, make_case, term, tiny_cases, tiny_vocabulary

SVG = "{http://www.w3.org/2000/svg}"
VOCABULARY = tiny_vocabulary(term("factor:race", "racing", aliases={"en": ["race condition"]}))
CASES = {c.id: c for c in tiny_cases()}
GRAPH = IncidentGraph(CASES.values(), VOCABULARY)
Frame = tuple[float, float, float, float]


def explain(a: str, b: str, lang: str = "en") -> Explanation:
    return make_explanation(GRAPH, VOCABULARY, CASES[a], CASES[b], lang)


def between(left: list[Told], right: list[Told], **more: object) -> Explanation:
    cases = [make_case("X-1", *left, **more), make_case("X-2", *right)]
    graph = IncidentGraph(cases, VOCABULARY)
    return make_explanation(graph, VOCABULARY, *cases, "en")


def tree(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)  # noqa: S314 - our own output


def frames(root: ElementTree.Element) -> Iterator[tuple[Frame, ElementTree.Element]]:
    """The boxes of the terms: the rectangles that have a title."""
    for group in root.iter(f"{SVG}g"):
        rect = group.find(f"{SVG}rect")
        if rect is not None:
            x, y, w, h = (float(rect.get(k, "0")) for k in ("x", "y", "width", "height"))
            yield (x, y, x + w, y + h), group


def apart(one: Frame, other: Frame) -> bool:
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def check_picture(text: str) -> None:
    root = tree(text)
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    found = [frame for frame, _ in frames(root)]
    for one, other in combinations(found, 2):
        assert apart(one, other), "boxes overlap"
    places = []
    for inner in root.iter(f"{SVG}svg"):
        if inner is not root:
            x, y, w, h = (float(inner.get(k, "0")) for k in ("x", "y", "width", "height"))
            places.append((x, y, x + w, y + h))
            assert x >= 0
            assert y >= 0
            assert x + w <= width + 1
            assert y + h <= height + 1
    for one, other in combinations(places, 2):
        shifted = (other[0], other[1] + 4, other[2], other[3])  # the room below the last line
        assert apart(one, other) or apart(one, shifted), "texts overlap"
    for line in root.iter(f"{SVG}line"):
        if line.get("x1") == line.get("x2"):
            x, ys = float(line.get("x1", 0)), sorted(float(line.get(k, 0)) for k in ("y1", "y2"))
            assert not [f for f in found if f[0] < x < f[2] and f[1] < ys[1] and ys[0] < f[3]], (
                "a rail runs through a box"
            )


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_it_is_well_formed_and_loads_nothing(lang: str) -> None:
    text = explanation_svg(explain("A-1", "B-2", lang))
    assert tree(text).tag == f"{SVG}svg"
    assert re.findall(r"https?://[^\"'\s<]+", text) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"<(script|image|use|a|style|foreignObject)\b| on\w+=", text)


def test_equal_bytes_for_equal_explanations() -> None:
    turned = IncidentGraph(list(reversed(CASES.values())), VOCABULARY)
    one = explanation_svg(explain("A-1", "B-2"))
    other = make_explanation(turned, VOCABULARY, CASES["A-1"], CASES["B-2"], "en")
    assert one == explanation_svg(explain("A-1", "B-2")) == explanation_svg(other)


def test_nothing_overlaps_in_pictures_of_shipped_cases(whole: Library) -> None:
    ids = sorted(whole.cases)
    for number, (a, b) in enumerate(list(combinations(ids, 2))[::401]):
        check_picture(whole.explain(a, b, "ko" if number % 2 else "en").to_svg())


@WORLDS
@given(worlds(least=2))
def test_nothing_overlaps_in_pictures_of_random_cases(
    world: tuple[Vocabulary, list[Case]],
) -> None:
    vocabulary, cases = world
    graph = IncidentGraph(cases, vocabulary)
    check_picture(explanation_svg(make_explanation(graph, vocabulary, cases[0], cases[1], "en")))


LABELS = {
    "wide": "W" * 200, "korean": "한" * 80, "short words": "a b " * 60, "one": "x",
    "stacked": "A͓̽B" * 30, "from the right": "الخط العربي " * 12, "emoji": "😀" * 40,
}  # fmt: skip


@pytest.mark.parametrize("label", LABELS.values(), ids=LABELS)
def test_no_label_reaches_beyond_its_box(label: str) -> None:
    vocabulary = tiny_vocabulary(term("symptom:odd", label))
    cases = [make_case(f"X-{i}", ("symptom", "symptom:odd")) for i in (1, 2)]
    found = make_explanation(IncidentGraph(cases, vocabulary), vocabulary, *cases, "en")
    text = explanation_svg(found)
    check_picture(text)
    for (x, y, right, bottom), group in frames(tree(text)):
        for inner in group.iter(f"{SVG}svg"):
            left, top = float(inner.get("x", 0)), float(inner.get("y", 0))
            assert x < left
            assert y <= top
            assert left + float(inner.get("width", 0)) <= right
            assert top + float(inner.get("height", 0)) <= bottom + 1


def test_kinds_stand_in_columns_from_left_to_right() -> None:
    root = tree(explanation_svg(explain("A-1", "A-2")))
    at: dict[str, set[float]] = {}
    for (x, _, _, _), group in frames(root):
        tip = group.findtext(f"{SVG}title") or ""
        kind = re.search(r"\((\w+):", tip)
        assert kind
        at.setdefault(kind.group(1), set()).add(x)
    assert all(len(places) == 1 for places in at.values())
    order = sorted(at, key=lambda k: min(at[k]))
    assert order == [k for k in COLUMNS if k in at]


def test_rows_hold_what_each_side_has() -> None:
    cells = boxes(explain("A-1", "B-2"))
    assert [b.term for b in cells[Row.AGAINST, "cause"]] == ["cause:mismatch"]
    assert [b.term for b in cells[Row.BOTH, "symptom"]] == ["symptom:nccl-timeout"]
    assert [b.term for b in cells[Row.ONLY_A, "component"]] == ["component:nccl"]
    assert [b.term for b in cells[Row.ONLY_B, "cause"]] == ["cause:link-down"]
    (against,) = cells[Row.AGAINST, "cause"]
    assert (against.above, against.below) == (Status.CONFIRMED, Status.RULED_OUT)
    (only,) = cells[Row.ONLY_B, "cause"]
    assert (only.above, only.below, only.status) == (None, Status.SUSPECTED, Status.SUSPECTED)


def test_the_style_of_a_line_is_the_status_of_the_claim() -> None:
    root = tree(explanation_svg(explain("A-1", "B-2")))
    dashes = {
        line.get("class"): line.get("stroke-dasharray")
        for line in root.iter(f"{SVG}line") if line.get("class")
    }  # fmt: skip
    assert dashes == {"confirmed": "", "suspected": "6 4", "ruled_out": "1.5 4"}


def test_a_narrower_term_and_a_counterpart_are_noted_in_the_box() -> None:
    found = between([("component", "component:a100")], [("component", "component:h100")])
    (shared,) = boxes(found)[Row.BOTH, "component"]
    assert (shared.label, shared.notes) == ("GPU", ("X-1: A100", "X-2: H100"))
    found = between([("cause", "cause:race")], [("factor", "factor:race")])
    cells = boxes(found)
    assert cells[Row.ONLY_A, "cause"][0].notes == ("≈ X-2: racing (Contributing factor)",)
    assert cells[Row.ONLY_B, "factor"][0].notes == ("≈ X-1: race condition (Cause)",)


def test_roles_that_differ_are_noted() -> None:
    tool = ("detection", "tool:flight-recorder", "confirmed")
    found = between([(*tool, "detected")], [(*tool, "missed")])
    (shared,) = boxes(found)[Row.BOTH, "tool"]
    assert shared.notes == ("X-1: found it · X-2: missed it",)


def test_many_terms_are_counted_in_one_more_box() -> None:
    slugs = ["ecc-error", "gpu-fault", "link-down", "race", "mismatch", "hardware", "software"]
    causes: list[Told] = [("cause", f"cause:{s}", "confirmed", "secondary") for s in slugs]
    alone = boxes(between(causes, []))[Row.ONLY_A, "cause"]
    assert [b.label for b in alone[-1:]] == [f"{len(slugs) - MOST_ONLY} more"]
    assert alone[-1].tip == "mismatched collectives, hardware failure, software defect"
    both = boxes(between(causes, causes))[Row.BOTH, "cause"]
    assert len(both) == len(slugs) if len(slugs) < MOST_SHARED + 2 else MOST_SHARED + 1


def test_arrows_stand_for_derived_steps_of_both_and_else_of_one_as_hints() -> None:
    chain: list[Told] = [
        ("trigger", "trigger:upgrade"), ("cause", "cause:race"), ("symptom", "symptom:slow"),
    ]  # fmt: skip
    steps = [
        ("cause:race", "symptom:slow", Status.CONFIRMED),
        ("trigger:upgrade", "cause:race", Status.CONFIRMED),
    ]
    more: list[Told] = [*chain, ("cause", "cause:mismatch", "suspected")]
    assert arrows(between(chain, more)) == steps
    unsure: list[Told] = [("cause", "cause:mismatch", "suspected"), ("symptom", "symptom:slow")]
    assert arrows(between(unsure, [("symptom", "symptom:slow")])) == [
        ("cause:mismatch", "symptom:slow", Status.SUSPECTED)
    ]
    drawn = explanation_svg(between(chain, chain))
    assert drawn.count("(confirmed, derived, not stated)") == 2


def test_korean_labels_are_used() -> None:
    text = explanation_svg(explain("A-1", "A-2", "ko"))
    assert "집합 통신 어긋남" in text
    assert "A-1에만" in text
    assert "끌어낸 연결" in text
    assert not re.search(r">(only|both|confirmed|derived|Cause)", text)


def test_a_text_is_drawn_as_a_side() -> None:
    written = "<b>NCCL timeout</b> & no race condition"
    tags = Tagger(VOCABULARY).tag(written)
    found = explain_text(GRAPH, VOCABULARY, written, tags, CASES["A-1"], "en")
    text = explanation_svg(found)
    check_picture(text)
    assert "Text · &lt;b&gt;NCCL timeout&lt;/b&gt; &amp; no race condition" in text


def test_two_cases_with_nothing_are_still_drawn() -> None:
    check_picture(explanation_svg(between([], [])))


def test_what_is_derived_is_dashed_and_lighter_than_any_claim() -> None:
    chain: list[Told] = [("cause", "cause:race"), ("symptom", "symptom:slow")]
    root = tree(explanation_svg(between(chain, chain)))
    drawn = [g for g in root.iter(f"{SVG}g") if g.get("class") == "derived"]
    assert len(drawn) == 1
    (arrow,) = drawn
    dash = arrow.find(f"{SVG}path").get("stroke-dasharray")  # type: ignore[union-attr]
    assert dash
    assert dash not in {dashes for dashes, *_ in STATUS.values()}
    red = int((arrow.get("stroke") or "")[1:3], 16)
    assert red > 0x80
    ends = {line.get("y1") for line in root.iter(f"{SVG}line") if line.get("class")}
    path = arrow.find(f"{SVG}path").get("d") or ""  # type: ignore[union-attr]
    assert path.split(",")[-1] not in ends, "an arrow ends on the line of a claim"


def test_what_one_rules_out_is_drawn_once_with_a_line_to_that_one() -> None:
    found = between([("cause", "cause:race", "ruled_out")], [("symptom", "symptom:slow")])
    (box,) = boxes(found)[Row.AGAINST, "cause"]
    assert (box.above, box.below, box.status) == (Status.RULED_OUT, None, Status.RULED_OUT)
    check_picture(explanation_svg(found))


def test_the_row_of_a_text_is_named_in_small_letters() -> None:
    tags = Tagger(VOCABULARY).tag("slow training")
    found = explain_text(GRAPH, VOCABULARY, "slow training", tags, CASES["A-1"], "en")
    assert ">only the text<" in explanation_svg(found)


def test_a_name_breaks_at_its_joints() -> None:
    assert wrap("CUDA_LAUNCH_BLOCKING", 130, 12.0, 3) == ["CUDA_LAUNCH_", "BLOCKING"]
    assert wrap("W" * 20, 130, 12.0, 3)[0] == "W" * 10
