"""Text in several languages: short labels, and paragraphs that run in parallel."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from pydantic import ValidationError

from kg.model import Case, FieldState, Prose, Text
from tests.helpers.strategies import QUICK, proses
from tests.helpers.tiny import case_data, make_case


def test_a_text_holds_one_line_per_language() -> None:
    text = Text.model_validate({"ko": "링크 다운", "en": "link down"})
    assert text.languages == ("en", "ko")
    assert text.get("en") == "link down"
    assert text.get("de") is None
    assert list(text.items()) == [("en", "link down"), ("ko", "링크 다운")]


def test_surrounding_white_space_is_no_part_of_a_text() -> None:
    assert Text.model_validate({"en": "  link down \n"}).get("en") == "link down"


@pytest.mark.parametrize(
    "bad", [{}, {"en": ""}, {"en": "   "}, {"english": "x"}, {"EN": "x"}, {"en": 3}, {"e": "x"}, []]
)
def test_a_text_needs_a_language_tag_and_words(bad: Any) -> None:
    with pytest.raises(ValidationError):
        Text.model_validate(bad)


@pytest.mark.parametrize("tag", ["en", "ko", "zxx", "kok", "pt-BR", "zh-Hant-TW"])
def test_language_tags_are_those_of_bcp_47(tag: str) -> None:
    assert Text.model_validate({tag: "x"}).languages == (tag,)


def test_the_best_text_is_the_one_asked_for_then_english_then_any() -> None:
    both = Text.model_validate({"en": "e", "ko": "k"})
    assert both.best("ko") == "k"
    assert both.best("fr") == "e"
    assert both.best() == "e"
    assert Text.model_validate({"ko": "k", "fr": "f"}).best("en") == "f"


def test_records_are_frozen() -> None:
    case = make_case("X-1")
    with pytest.raises(ValidationError):
        case.id = "X-2"  # type: ignore[misc]


def test_paragraphs_are_joined_by_an_empty_line() -> None:
    prose = Prose.model_validate({"en": ["one", "two"], "ko": ["하나", "둘"]})
    assert prose.paragraphs("en") == ("one", "two")
    assert prose.text("ko") == "하나\n\n둘"
    assert prose.text("de") == ""
    assert prose.paragraphs("de") == ()


def test_one_string_is_one_paragraph() -> None:
    assert Prose.model_validate({"en": "one"}) == Prose.model_validate({"en": ["one"]})


def test_languages_must_have_the_same_number_of_paragraphs() -> None:
    with pytest.raises(ValidationError, match="same number of paragraphs"):
        Prose.model_validate({"en": ["one", "two"], "ko": ["하나"]})


def test_a_paragraph_must_not_hold_a_paragraph_break() -> None:
    with pytest.raises(ValidationError, match="empty line"):
        Prose.model_validate({"en": ["one\n\ntwo"]})


def test_a_line_break_inside_a_paragraph_is_kept() -> None:
    assert Prose.model_validate({"en": ["one\ntwo"]}).text("en") == "one\ntwo"


@pytest.mark.parametrize("bad", [3, "text", {"en": [""]}, {"en": [3]}, {"en": None}, ["x"]])
def test_prose_of_another_shape_is_refused(bad: Any) -> None:
    with pytest.raises(ValidationError):
        Prose.model_validate(bad)


@pytest.mark.parametrize(
    ("given", "state"),
    [
        (None, FieldState.NOT_STATED),
        ([], FieldState.NONE),
        ({"en": [], "ko": []}, FieldState.NONE),
        ({"en": ["power fell"]}, FieldState.STATED),
    ],
)
def test_null_is_not_stated_and_an_empty_list_is_stated_as_none(
    given: Any, state: FieldState
) -> None:
    assert make_case("X-1", lesson=given).field_state("lesson") is state


def test_a_field_that_is_left_out_is_not_stated() -> None:
    assert make_case("X-1").field_state("lesson") is FieldState.NOT_STATED


@pytest.mark.parametrize("field", ["regions", "related", "sources", "references"])
def test_lists_tell_not_stated_from_none_as_well(field: str) -> None:
    assert make_case("X-1").field_state(field) is FieldState.NOT_STATED
    assert make_case("X-1", **{field: []}).field_state(field) is FieldState.NONE


def test_a_stated_none_has_no_text_in_any_language() -> None:
    prose = Prose.model_validate([])
    assert prose.stated_none
    assert prose.languages == ()
    assert prose.best("ko") == ""
    assert prose.dump() == []


def test_the_best_prose_is_the_one_asked_for_then_english_then_any() -> None:
    prose = Prose.model_validate({"en": "e", "ko": "k"})
    assert (prose.best("ko"), prose.best("de"), prose.best()) == ("k", "e", "e")
    assert Prose.model_validate({"de": "d"}).best("ko") == "d"


def test_the_name_of_a_case_is_its_title_in_the_best_language() -> None:
    case = make_case("X-1", title={"ko": "제목"})
    assert case.name("en") == "제목"


@QUICK
@given(proses())
def test_prose_survives_its_own_dump(data: dict[str, list[str]]) -> None:
    prose = Prose.model_validate(data)
    assert Prose.model_validate(prose.dump()) == prose
    for lang in prose.languages:
        assert tuple(prose.text(lang).split("\n\n")) == prose.paragraphs(lang)


def test_texts_come_in_reading_order_with_the_pseudo_fields_last() -> None:
    case = make_case(
        "X-1", ("symptom", "symptom:slow"), lesson={"en": "l"}, related=["Y-1"],
        sources=[{"kind": "blog", "title": "T", "locator": "https://example.org/t"}],
    )  # fmt: skip
    assert [(f, lang) for f, lang, _ in case.texts()] == [
        ("title", "en"), ("title", "ko"), ("summary", "en"), ("summary", "ko"),
        ("symptom", "en"), ("symptom", "ko"), ("lesson", "en"), ("sources", "zxx"),
        ("related", "zxx"),
    ]  # fmt: skip
    assert case.text("sources", "zxx") == "T — https://example.org/t"
    assert case.text("related", "zxx") == "Y-1"
    assert case.text("sources", "en") == ""


@pytest.mark.parametrize("field", ["title", "summary", "domain", "id"])
def test_what_a_case_must_state(field: str) -> None:
    data = case_data("X-1")
    del data[field]
    with pytest.raises(ValidationError, match=field):
        Case.model_validate(data)


@pytest.mark.parametrize("bad", ["", "a b", "../x", "-x", "x/y", "é", "x" * 101, "a\n"])
def test_ids_are_plain(bad: str) -> None:
    with pytest.raises(ValidationError):
        Case.model_validate({**case_data("X-1"), "id": bad})
