"""Status pages of Statuspage: order of updates, beginning, end, services, texts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import Problem
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats.statuspage import FORMAT
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

PAGE = document("statuspage/incidents.json")
READ = list(FORMAT.read(PAGE))
FIRST = READ[0]
assert isinstance(FIRST, Draft)


def test_is_recognised() -> None:
    assert FORMAT.sure(PAGE) > 0.9
    assert FORMAT.sure(document("statuspage/history.json")) > 0.8
    assert FORMAT.sure(document("gcp/incidents.json")) == 0


def test_times_keep_their_offset() -> None:
    assert dates(FIRST) == {
        "published": "2025-03-02T09:02:11+09:00",
        "started": "2025-03-02T09:02:11+09:00",
        "ended": "2025-03-02T10:15:30+09:00",
    }


def test_updates_are_told_from_the_first_to_the_last() -> None:
    told = [p.heading.split()[0] for p in FIRST.passages if "2025-03" in p.heading]
    assert told == ["investigating", "identified", "monitoring", "resolved", "postmortem"]
    assert FIRST.text("symptom") == "Orders come back with error 503."
    assert FIRST.text("mitigation") == "We rolled the gateway back.\n\nOrders flow."
    assert "A bad route table was found & is being replaced." in FIRST.text("summary")


def test_a_postmortem_is_read_by_its_sections() -> None:
    assert FIRST.text("impact") == "One order in five failed."
    assert FIRST.text("cause") == (
        "A route table was pushed without its default route. See the change.\n\n"
        "The check ran on staging only."
    )
    assert FIRST.text("follow_up") == "- Check the default route before a push"
    assert FIRST.none == ("lesson",)
    assert [link.href for link in FIRST.links] == ["https://norn.example/changes/81"]


def test_a_component_counts_once_by_whichever_name() -> None:
    assert FIRST.services == ("Order API", "Web 포털")
    quiet = READ[2]
    assert isinstance(quiet, Draft)
    assert quiet.services == ()


def test_the_word_for_no_component_is_none() -> None:
    record: dict[str, Any] = {"id": "x", "name": "n", "impact": "minor"}
    named = [{"code": "", "name": "No components were affected by this update."}]
    record["incident_updates"] = [{"status": "resolved", "body": "b", "affected_components": named}]
    assert draft(FORMAT, json_document(record)).services == ()


def test_ids_severity_and_owner_are_those_of_the_page() -> None:
    assert (FIRST.source_id, FIRST.system) == ("k7q2", "status.norn.example")
    assert (FIRST.severity, FIRST.organization) == ("critical", "Norn Exchange")
    assert FIRST.source is not None
    assert FIRST.source.address == "https://stspg.example/k7q2"


def test_maintenance_is_no_incident() -> None:
    assert isinstance(READ[1], Problem)
    assert READ[1].field == "incidents.1"
    assert "maintenance" in READ[1].message


def test_what_is_resolved_in_its_first_update_has_no_stated_beginning() -> None:
    late = READ[2]
    assert isinstance(late, Draft)
    assert "started" not in dates(late)
    assert dates(late)["ended"] == "2025-01-09T12:00:00Z"
    assert "beginning" in late.notes[0].message


def test_what_went_on_after_resolved_has_not_ended() -> None:
    going = READ[3]
    assert isinstance(going, Draft)
    assert dates(going)["started"] == "2025-03-03T12:00:00Z"
    assert "ended" not in dates(going)


def test_history_has_its_year_from_its_month() -> None:
    turned, local, unread = drafts(FORMAT, document("statuspage/history.json"))
    assert dates(turned) == {"started": "2024-12-31T23:40Z", "ended": "2025-01-01T00:20Z"}
    assert turned.title == "Search & filters slow"
    assert dates(local) == {"started": "2024-06-06T18:55", "ended": "2024-06-06T20:06"}
    assert "PDT" in local.notes[0].message
    assert not unread.dates
    assert "some day" in unread.notes[0].message


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (
            {"id": "c", "page_id": "p", "group_id": None, "name": "API", "automation_email": "x"},
            "component",
        ),
        (
            {"id": "u", "incident_id": "i9", "body": "b", "display_at": "x", "status": "resolved"},
            "i9",
        ),
        ({"page": {"id": "p"}, "incidents": []}, "no incident"),
        ({"page": {"id": "p"}, "status": {"indicator": "none"}}, "no incident"),
    ],
)
def test_what_is_no_incident_is_named(record: dict[str, Any], said: str) -> None:
    given_ = json_document(record)
    assert FORMAT.sure(given_) >= 0.5
    assert said in problem(FORMAT, given_).message


def test_updates_of_one_moment_keep_the_order_of_the_page() -> None:
    at = "2025-01-01T00:00:00Z"
    updates = [{"status": s, "body": s, "display_at": at} for s in ("resolved", "identified")]
    one = draft(
        FORMAT,
        json_document({"id": "x", "name": "n", "impact": "minor", "incident_updates": updates}),
    )
    assert [p.text for p in one.passages] == ["identified", "resolved"]
    assert dates(one) == {"started": at, "ended": at}


@QUICK
@given(mangled(document("statuspage/incidents.json").data))
def test_no_mangled_record_raises(value: object) -> None:
    survives(FORMAT, json_document(value))


@QUICK
@given(st.integers(0, 6000))
def test_no_truncated_text_raises(length: int) -> None:
    survives(FORMAT, Document("cut.json", document("statuspage/incidents.json").text[:length]))
