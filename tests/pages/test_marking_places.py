"""Places are marked by code points, whole or in part, and nothing of a text is lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kg.server.pages.marking import Place, paragraphs, pieces, quotation

TEXT = "GPU 사용률은 100%였고 🔥 처리량은 0이었다"


def test_a_place_is_cut_out_by_code_points() -> None:
    start = TEXT.index("🔥")
    found = pieces(TEXT, [Place(start, start + 5, "a")])
    assert [(p.text, p.marked, p.ids) for p in found] == [
        (TEXT[:start], False, ()),
        ("🔥 처리량", True, ("a",)),
        (TEXT[start + 5 :], False, ()),
    ]


def test_overlapping_places_keep_their_own_beginnings() -> None:
    found = pieces("abcdef", [Place(0, 4, "x"), Place(2, 6, "y")])
    assert [(p.text, p.ids) for p in found] == [("ab", ("x",)), ("cd", ("y",)), ("ef", ())]
    assert all(p.marked for p in found)


def test_a_place_over_two_paragraphs_is_marked_in_both() -> None:
    text = "first\n\nsecond"
    found = paragraphs(text, [Place(3, 10, "x")])
    assert [[(p.text, p.marked) for p in paragraph] for paragraph in found] == [
        [("fir", False), ("st", True)],
        [("sec", True), ("ond", False)],
    ]


def test_places_outside_or_empty_mark_nothing() -> None:
    found = pieces("abc", [Place(5, 9, "x"), Place(1, 1, "y"), Place(2, 1, "z")])
    assert [(p.text, p.marked) for p in found] == [("abc", False)]


@given(
    st.text(max_size=40),
    st.lists(st.tuples(st.integers(0, 45), st.integers(0, 45)), max_size=6),
)
def test_pieces_join_to_the_text_and_mark_just_what_is_covered(
    text: str, spans: list[tuple[int, int]]
) -> None:
    places = [Place(a, b, f"p{i}") for i, (a, b) in enumerate(spans)]
    found = pieces(text, places)
    assert "".join(p.text for p in found) == text
    marked = "".join(("x" if p.marked else ".") * len(p.text) for p in found)
    covered = "".join("x" if any(a <= i < b for a, b in spans) else "." for i in range(len(text)))
    assert marked == covered
    ids = [i for p in found for i in p.ids]
    assert len(ids) == len(set(ids))
    assert set(ids) == {p.id for p in places if p.start < p.end and p.start < len(text)}


@given(st.text(max_size=120), st.integers(0, 130), st.integers(0, 130), st.integers(0, 20))
def test_a_quotation_is_the_span_between_what_stands_around_it(
    text: str, a: int, b: int, room: int
) -> None:
    start, end = sorted((a, b))
    found = quotation(text, start, end, "symptom", "en", room)
    assert found.quote == text[start:end]
    assert found.before + found.quote + found.after in text
    assert len(found.before) <= room
    assert len(found.after) <= room
    assert "\n\n" not in found.before + found.after or "\n\n" in text[:start][-1:] + text[end:][:1]


def test_a_quotation_stays_in_its_paragraph_and_cuts_no_word() -> None:
    text = "Another paragraph.\n\n" + "some words before " * 20 + "the place" + " and after" * 30
    start = text.index("the place")
    found = quotation(text, start, start + 9, "symptom", "en")
    assert found.cut_before
    assert found.cut_after
    assert found.before.startswith(("some ", "words ", "before "))
    assert found.after.endswith(("and", "after"))
    assert "Another" not in found.before
