"""PagerDuty: when an incident has ended, who is named, what is no incident."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import Problem
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats.pagerduty import FORMAT
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

RESOLVED, OPEN, MERGED = drafts(FORMAT, document("pagerduty/incidents.json"))


def test_a_change_of_status_is_the_end_only_of_what_is_resolved() -> None:
    assert dates(RESOLVED) == {
        "detected": "2025-04-01T03:00:05+09:00",
        "ended": "2025-04-01T04:10:00+09:00",
    }
    assert dates(OPEN) == {"detected": "2025-04-01T05:00:00Z"}


def test_a_merged_incident_is_a_duplicate_that_has_not_ended() -> None:
    assert MERGED.duplicates == ("Q2",)
    assert "ended" not in dates(MERGED)
    assert "merged" in MERGED.notes[0].message


def test_texts_go_to_their_fields() -> None:
    assert RESOLVED.text("detection") == "Triggered through the API."
    assert RESOLVED.text("symptom") == "queue: pay-in\n\ndepth: 12044"
    assert RESOLVED.text("summary") == "Workers were out of memory."


def test_services_people_and_severity() -> None:
    assert RESOLVED.services == ("결제 큐",)
    assert set(RESOLVED.people) == {"Mira Han", "Joon Baek"}
    assert (RESOLVED.severity, OPEN.severity) == ("P1", "low")
    assert (RESOLVED.source_id, RESOLVED.system) == ("Q1", "norn.pagerduty.com")


def test_a_webhook_tells_when_it_was_resolved() -> None:
    one = draft(FORMAT, document("pagerduty/webhook.json"))
    assert dates(one) == {"detected": "2025-04-01T05:30:00Z", "ended": "2025-04-01T06:00:00Z"}
    assert one.severity == "high"
    assert one.people == ("Mira Han",)


def test_webhooks_of_version_2_are_read() -> None:
    incident = {"id": "P1", "incident_number": 3, "title": "Disk", "status": "triggered",
                "created_at": "2020-01-01T00:00:00Z", "service": {"name": "db"}}  # fmt: skip
    one = draft(
        FORMAT, json_document({"messages": [{"event": "incident.trigger", "incident": incident}]})
    )
    assert (one.title, one.services) == ("Disk", ("db",))


@pytest.mark.parametrize("wrapped", [True, False])
def test_a_service_is_named_as_one(wrapped: bool) -> None:
    service = {
        "id": "P",
        "type": "service",
        "name": "x",
        "self": "https://api.pagerduty.com/services/P",
    }
    given_ = json_document({"service": service} if wrapped else service)
    assert FORMAT.sure(given_) >= 0.5
    found = problem(FORMAT, given_)
    assert "a service of PagerDuty" in found.message
    assert "/incidents" in found.remedy


def test_json_lines_name_the_line_that_is_broken() -> None:
    lines = [json.dumps(one) for one in document("pagerduty/incidents.json").data["incidents"]]
    given_ = Document("export.jsonl", "\n".join([lines[0], "{broken", "", lines[1]]))
    assert FORMAT.sure(given_) > 0.9
    first, broken, last = FORMAT.read(given_)
    assert isinstance(first, Draft)
    assert isinstance(last, Draft)
    assert isinstance(broken, Problem)
    assert (first.line, broken.line, last.line) == (1, 2, 4)


@QUICK
@given(mangled(document("pagerduty/incidents.json").data))
def test_no_mangled_record_raises(value: object) -> None:
    survives(FORMAT, json_document(value))


@QUICK
@given(st.integers(0, 6000))
def test_no_truncated_text_raises(length: int) -> None:
    survives(FORMAT, Document("cut.json", document("pagerduty/incidents.json").text[:length]))
