"""Records of no known system: names that say it themselves are taken, all else is named."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import Problem
from kg.model import Duration
from kg.readers.document import Declared, Document
from kg.readers.formats.format import LEAST
from kg.readers.formats.records import FORMAT
from tests.helpers.foreign import (
    dates,
    document,
    draft,
    drafts,
    json_document,
    mangled,
    problem,
    survives,
)
from tests.helpers.strategies import QUICK

LINES = document("records/outages.jsonl")
SHEET = document("records/outages.csv")
STOPS, AGAIN = drafts(FORMAT, LINES)
FULL, LOST = drafts(FORMAT, SHEET)


def test_is_taken_only_where_nothing_else_is() -> None:
    assert FORMAT.sure(LINES) == FORMAT.sure(SHEET) == LEAST
    assert FORMAT.sure(json_document({"title": "x", "colour": "red"})) == 0.0
    assert FORMAT.sure(json_document([1, 2])) == 0.0
    assert FORMAT.sure(Document("a.md", "# Title\n\nSummary, cause, impact\n")) == 0.0


def test_keys_that_name_a_field_are_taken() -> None:
    assert (STOPS.source_id, STOPS.title, STOPS.line) == ("OUT-7", "Queue stops", 1)
    assert STOPS.text("cause") == "The lease of the leader ran out."
    assert STOPS.services == ("queue", "billing")
    assert dates(STOPS) == {"started": "2024-02-29T10:00:00+09:00"}
    assert STOPS.time_to_recover == Duration(seconds=3900, text="1 h 5 min")


def test_keys_in_korean_count_and_none_is_stated_none() -> None:
    assert AGAIN.text("cause") == "같은 임대가 다시 만료됐다."
    assert AGAIN.none == ("impact",)
    assert [link.href for link in AGAIN.links] == ["https://example.com/8"]


def test_what_is_not_read_is_named() -> None:
    assert [n.message for n in STOPS.notes] == ["not read: mood"]
    assert "mapping" in STOPS.notes[0].remedy


def test_a_sheet_is_read_by_its_columns() -> None:
    assert FULL.text("summary") == 'The log volume of "api-3" filled up,\nand writes failed.'
    assert FULL.people == ("Lee",)
    assert [(d.line, dates(d)["started"]) for d in (FULL, LOST)] == [
        (2, "2024-04-03T10:00"),
        (4, "2024-04-25T11:00"),
    ]


def test_records_may_be_wrapped() -> None:
    wrapped = json_document({"incidents": [json.loads(LINES.text.splitlines()[0])]})
    assert draft(FORMAT, wrapped).title == "Queue stops"


def test_a_declared_zone_is_taken() -> None:
    record = json_document([{"title": "a", "summary": "b", "started": "2024-01-02 10:00"}])
    given = replace(record, declared=Declared(zone="+09:00"))
    assert dates(draft(FORMAT, given)) == {"started": "2024-01-02T10:00+09:00"}


def test_a_duration_without_unit_is_noted() -> None:
    one = draft(FORMAT, json_document([{"title": "a", "summary": "b", "ttr": "65"}]))
    assert one.time_to_recover is None
    assert "no duration" in one.notes[0].message


def test_a_table_of_other_things_names_its_columns_and_what_to_do() -> None:
    sheet = Document("a.csv", "colour,size\nred,3\n")
    assert FORMAT.sure(sheet) == LEAST
    told = problem(FORMAT, sheet)
    assert "colour, size" in told.message
    assert "docs/mapping.md" in told.remedy


@QUICK
@given(mangled([json.loads(line) for line in LINES.text.splitlines()]))
def test_mangled_records_never_raise(value: object) -> None:
    survives(FORMAT, json_document(value))


@QUICK
@given(st.integers(0, len(SHEET.text)), st.text(max_size=4))
def test_a_mangled_sheet_never_raises(at: int, junk: str) -> None:
    survives(FORMAT, Document("a.csv", SHEET.text[:at] + junk + SHEET.text[at:]))
    for one in FORMAT.read(Document("a.csv", SHEET.text[:at])):
        assert not isinstance(one, Problem) or one.remedy


@pytest.mark.parametrize("title", [5, "5", "—", True, ["7"], {"name": 3}])
def test_a_title_without_a_word_is_no_title(title: object) -> None:
    told = problem(FORMAT, json_document([{"title": title, "symptom": {"a": 1}}]))
    assert "title" in told.message
    assert "no text" in told.message
    (one,) = drafts(FORMAT, json_document([{"title": title, "symptom": "Jobs hang at step 1."}]))
    assert one.title == "Jobs hang at step 1"
