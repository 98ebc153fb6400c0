"""Dashboards of Google: sections within updates, products, places."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kg.readers.document import Document
from kg.readers.formats.gcp import FORMAT
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

CLOUD, OFFICE = drafts(FORMAT, document("gcp/incidents.json"))


def test_times_are_those_of_the_record() -> None:
    assert dates(CLOUD) == {
        "started": "2024-05-02T08:00:00Z",
        "ended": "2024-05-02T10:30:00Z",
        "published": "2024-05-02T08:20:00Z",
    }
    assert "ended" not in dates(OFFICE)


def test_products_and_places_are_named_once() -> None:
    assert CLOUD.services == ("Cloud Load Balancing", "Cloud CDN")
    assert CLOUD.regions == ("Seoul (asia-northeast3)", "Tokyo (asia-northeast1)")
    assert OFFICE.services == ("Google Calendar",)


def test_labels_within_updates_lead_to_their_fields() -> None:
    assert CLOUD.text("symptom") == "Clients see HTTP 502."
    assert CLOUD.text("mitigation") == "Use another region."
    assert CLOUD.text("cause") == "A renewal job had no quota."
    assert CLOUD.text("follow_up") == "The quota was raised."
    assert CLOUD.text("impact") == "Cloud CDN\n\n40% of requests failed."


def test_no_workaround_yet_is_not_the_last_word() -> None:
    assert CLOUD.none == ()
    assert "Workaround: None at this time." in CLOUD.text("summary")


def test_what_an_update_repeats_is_told_once_and_in_order() -> None:
    summary = CLOUD.text("summary")
    assert summary.count("Load balancers answer 502") == 1
    assert summary.index("We look into it") < summary.index("Front ends lost their certificates")


def test_each_dashboard_has_its_own_address_and_ids() -> None:
    assert CLOUD.source is not None
    assert OFFICE.source is not None
    assert CLOUD.source.address == "https://status.cloud.google.com/incidents/Zz9"
    assert OFFICE.source.address == "https://www.google.com/appsstatus/dashboard/incidents/19004"
    assert (CLOUD.source_id, OFFICE.source_id) == ("Zz9", "calendar-19004")
    assert CLOUD.system != OFFICE.system


def test_an_end_before_the_beginning_is_left_out_with_a_note() -> None:
    record = {
        "id": "a",
        "external_desc": "x",
        "begin": "2024-05-02T08:00Z",
        "end": "2024-05-02T07:00Z",
    }
    one = draft(FORMAT, json_document([record]))
    assert dates(one) == {"started": "2024-05-02T08:00Z"}
    assert "before it begins" in one.notes[0].message


def test_other_records_are_refused() -> None:
    assert FORMAT.sure(document("statuspage/incidents.json")) == 0
    assert "external_desc" in problem(FORMAT, json_document({"id": 1})).message


@QUICK
@given(mangled(document("gcp/incidents.json").data))
def test_no_mangled_record_raises(value: object) -> None:
    survives(FORMAT, json_document(value))


@QUICK
@given(st.integers(0, 6000))
def test_no_truncated_text_raises(length: int) -> None:
    survives(FORMAT, Document("cut.json", document("gcp/incidents.json").text[:length]))
