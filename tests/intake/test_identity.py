"""Ids of cases that were read elsewhere, and whether the library has them already."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kg.intake import (
    KnownCases,
    Structured,
    case_id_for,
    digest_of,
    found_again,
    structured,
)
from kg.model import Case, DateKind, When
from kg.readers.draft import Draft, Passage
from kg.vocab import Tagger
from tests.helpers.tiny import tiny_vocabulary

VOCABULARY = tiny_vocabulary()
TAGGER = Tagger(VOCABULARY)
DRAFT = Draft("markdown", "a/b.md", "The API was slow", passages=(Passage("summary", "Slow."),))


def case(draft: Draft) -> Case:
    found = structured(draft, case_id_for(draft), "own", TAGGER.tag, VOCABULARY)
    assert isinstance(found, Structured)
    return found.case


@pytest.mark.parametrize(
    ("source_id", "system", "wanted"),
    [
        ("AC-123", "jira", "AC-123"),
        ("PM2021-011", "", "PM2021-011"),
        ("INC0010023", "snow", "INC0010023"),
        ("p31zjtct2jer", "status.example.com", "status.example.com-p31zjtct2jer"),
        ("1234", "", "markdown-1234"),
        ("  AC-9 ", "jira", "AC-9"),
        ("a/b c", "x", "x-a-b-c"),
    ],
)
def test_the_key_of_the_source_is_the_id(source_id: str, system: str, wanted: str) -> None:
    assert case_id_for(replace(DRAFT, source_id=source_id, system=system)) == wanted


def test_without_a_key_day_and_title_make_the_id() -> None:
    dated = replace(DRAFT, dates=(When(kind=DateKind.STARTED, at="2024-05-01T10:00Z"),))
    assert case_id_for(dated).startswith("2024-05-01-the-api-was-slow-")
    assert case_id_for(DRAFT).startswith("undated-the-api-was-slow-")
    assert case_id_for(replace(DRAFT, file="other/name.md")) == case_id_for(DRAFT)


@pytest.mark.parametrize("title", ["결제 장애", "…", "a" * 500, "../../etc/passwd"])
def test_every_id_is_one_that_a_case_may_have(title: str) -> None:
    assert case(replace(DRAFT, title=title)).id


def test_an_id_that_is_taken_gets_a_mark() -> None:
    first = case_id_for(DRAFT)
    other = case_id_for(replace(DRAFT, file="c.md"), taken=[first])
    assert other.startswith(f"{first}-")
    assert other != first


def test_equal_words_have_equal_digests_wherever_the_file_lies() -> None:
    assert digest_of(DRAFT) == digest_of(replace(DRAFT, file="z.md", line=7))
    assert digest_of(DRAFT) != digest_of(replace(DRAFT, title="The API was down"))


def test_the_same_document_is_found_again() -> None:
    known = found_again(DRAFT, [case(DRAFT)])
    assert known is not None
    assert not known.changed


def test_a_moved_document_is_found_by_its_content() -> None:
    assert found_again(replace(DRAFT, file="moved.md"), [case(DRAFT)]) is not None


def test_a_changed_document_is_found_by_file_and_title() -> None:
    changed = replace(DRAFT, passages=(Passage("summary", "Very slow."),))
    known = found_again(changed, [case(DRAFT)])
    assert known is not None
    assert known.changed


def test_another_title_in_a_file_of_that_name_is_another_case() -> None:
    assert found_again(replace(DRAFT, title="The disk was full"), [case(DRAFT)]) is None


def test_an_identifier_decides_whatever_else_has_changed() -> None:
    first = replace(DRAFT, source_id="AC-1", system="jira")
    later = replace(first, title="Renamed", file="z.json")
    assert found_again(later, [case(first)]) is not None
    assert found_again(replace(first, source_id="AC-2"), [case(first)]) is None
    assert found_again(replace(first, system="other"), [case(first)]) is None


def test_cases_written_by_hand_are_never_taken_for_a_document() -> None:
    by_hand = case(DRAFT).model_copy(update={"origin": None})
    assert found_again(DRAFT, [by_hand]) is None


def test_a_name_finds_no_case_that_this_batch_has_found_already() -> None:
    known = KnownCases([case(DRAFT)])
    changed = replace(DRAFT, passages=(Passage("summary", "Very slow."),))
    first = known.found(changed)
    assert first is not None
    assert known.found(changed, done={first.case.id}) is None
    again = known.found(DRAFT, done={first.case.id})
    assert again is not None, "equal content finds it still"


def test_a_third_case_of_one_id_gets_one_of_its_own() -> None:
    other = replace(DRAFT, passages=(Passage("summary", "Down."),))
    first = case_id_for(DRAFT)
    second = case_id_for(other, taken=[first])
    third = case_id_for(replace(DRAFT, file="x/b.md"), taken=[first, second])
    assert len({first, second, third}) == 3
