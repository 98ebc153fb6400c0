"""Datadog: lengths in seconds, 0 for none, and a form that each organisation lays out itself."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats.datadog import FORMAT
from kg.readers.formats.format import recognised
from kg.readers.formats.known import FORMATS
from tests.helpers.foreign import (
    dates,
    document,
    drafts,
    json_document,
    mangled,
    problem,
    survives,
)
from tests.helpers.strategies import QUICK

WHOLE = document("datadog/incidents.json")
SLOW, EMPTY = drafts(FORMAT, WHOLE)


def changed(**attributes: Any) -> Document:
    record = copy.deepcopy(WHOLE.data["data"][0])
    record["attributes"] |= attributes
    return json_document({"data": record})


def test_it_is_taken_before_the_other_json_api() -> None:
    assert [one.name for one, _ in recognised(WHOLE, FORMATS)][:1] == ["datadog"]
    rootly = document("rootly/incidents.json")
    assert FORMAT.sure(rootly) == 0.0


def test_times_are_those_of_the_impact_and_of_the_record() -> None:
    assert dates(SLOW) == {
        "started": "2024-05-02T09:52:00Z",
        "detected": "2024-05-02T10:01:30Z",
        "mitigated": "2024-05-02T11:20:00Z",
        "ended": "2024-05-02T11:40:00Z",
        "published": "2024-05-02T10:02:11Z",
    }
    assert SLOW.updated == "2024-05-03T08:00:00Z"


def test_lengths_are_seconds() -> None:
    assert SLOW.time_to_detect is not None
    assert SLOW.time_to_recover is not None
    assert (SLOW.time_to_detect.seconds, SLOW.time_to_recover.seconds) == (570, 5280)


def test_nought_is_not_stated() -> None:
    assert EMPTY.time_to_detect is None
    assert EMPTY.time_to_recover is None
    assert EMPTY.severity is None
    assert dates(EMPTY) == {"published": "2024-06-01T00:00:00Z"}


@pytest.mark.parametrize("value", [True, -4, 1e400, "570", None, [570], float("nan")])
def test_what_is_no_length_is_left_out(value: object) -> None:
    (one,) = drafts(FORMAT, changed(time_to_repair=value))
    assert one.time_to_recover is None


def test_the_form_goes_to_fields_by_its_names() -> None:
    assert SLOW.title == "Card payments answer slowly"
    assert SLOW.text("impact") == "One card payment in ten took over 9 s."
    assert SLOW.text("cause") == "The connection pool was set to four connections a pod."
    assert SLOW.text("summary").startswith("The latency of the payments API rose")
    assert SLOW.services == ("payments-api", "ledger")
    assert SLOW.severity == "SEV-2"


def test_a_field_that_is_not_known_is_named() -> None:
    assert any("weather (rain)" in note.message for note in SLOW.notes)
    assert not any("teams" in note.message for note in SLOW.notes)


def test_people_are_known_to_be_people() -> None:
    assert set(SLOW.people) >= {"Noa Brandt", "noa@pay.example", "Ida Falk", "ida@pay.example"}


def test_other_records_and_tests_are_told() -> None:
    other = {"data": [WHOLE.data["data"][0], {"type": "incident_todos", "id": "1"}]}
    found = list(FORMAT.read(json_document(other)))
    assert isinstance(found[0], Draft)
    assert "incident_todos of Datadog" in str(found[1])
    assert "is a test" in problem(FORMAT, changed(is_test=True)).message


@QUICK
@given(mangled(WHOLE.data))
def test_no_mangled_record_raises(value: object) -> None:
    survives(FORMAT, json_document(value))


@QUICK
@given(st.integers(0, len(WHOLE.text)))
def test_no_truncated_text_raises(length: int) -> None:
    survives(FORMAT, Document("cut.json", WHOLE.text[:length]))
