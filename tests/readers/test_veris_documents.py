"""VERIS: partial dates, units of time, what is only suspected."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kg.model import ClaimKind, Duration, Status
from kg.readers.document import Document
from kg.readers.formats.veris import FORMAT
from tests.helpers.foreign import dates, document, draft, drafts, json_document, mangled, survives
from tests.helpers.strategies import QUICK

OPEN_BUCKET, RANSOM = drafts(FORMAT, document("veris/incidents.json"))


def test_a_date_is_no_finer_than_it_is_given() -> None:
    assert dates(OPEN_BUCKET) == {"started": "2023-11", "published": "2024-01-05T00:00:00Z"}
    assert dates(RANSOM) == {"started": "2020-02"}


def test_discovery_and_lost_availability_are_the_stated_durations() -> None:
    assert OPEN_BUCKET.time_to_detect == Duration(seconds=3 * 86400, text="3 Days")
    assert OPEN_BUCKET.time_to_recover == Duration(seconds=5400, text="90 Minutes")
    assert any("containment" in note.message for note in OPEN_BUCKET.notes)


def test_a_unit_without_a_number_is_no_duration() -> None:
    assert RANSOM.time_to_detect is None
    assert any("Weeks" in note.message for note in RANSOM.notes)


def test_months_are_about() -> None:
    timeline = {"discovery": {"unit": "Months", "value": 10}}
    record = {"action": {}, "victim": {}, "summary": "x", "timeline": timeline}
    found = draft(FORMAT, json_document(record)).time_to_detect
    assert found is not None
    assert found.approx
    assert 300 < found.seconds / 86400 < 310


def test_errors_are_causes_and_attacks_are_triggers() -> None:
    assert [(g.kind, g.name) for g in OPEN_BUCKET.given] == [
        (ClaimKind.CAUSE, "Misconfiguration"),
        (ClaimKind.COMPONENT, "S - File"),
        (ClaimKind.SYMPTOM, "Interruption"),
        (ClaimKind.DETECTION, "Customer"),
    ]
    (only,) = RANSOM.given
    assert (only.kind, only.status) == (ClaimKind.TRIGGER, Status.SUSPECTED)


def test_the_title_is_the_first_sentence_or_the_id() -> None:
    assert OPEN_BUCKET.title == "A bucket with invoices was readable by all"
    assert RANSOM.title == "V-2"


def test_unknown_is_not_stated() -> None:
    assert RANSOM.organization == ""
    assert OPEN_BUCKET.regions == ("KR",)
    assert (OPEN_BUCKET.organization, OPEN_BUCKET.people) == ("Norn Post", ("mhan",))


def test_references_are_addresses() -> None:
    assert OPEN_BUCKET.source is not None
    assert OPEN_BUCKET.source.address == "https://norn.example/a"
    assert [link.href for link in OPEN_BUCKET.links] == ["https://norn.example/b"]


@QUICK
@given(mangled(document("veris/incidents.json").data))
def test_no_mangled_record_raises(value: object) -> None:
    survives(FORMAT, json_document(value))


@QUICK
@given(st.integers(0, 6000))
def test_no_truncated_text_raises(length: int) -> None:
    survives(FORMAT, Document("cut.json", document("veris/incidents.json").text[:length]))


def test_a_summary_without_spaces_is_cut_all_the_same() -> None:
    one = draft(FORMAT, json_document({"action": {}, "victim": {}, "summary": "가" * 500}))
    assert one.title == "가" * 120 + " …"
    assert one.text("summary") == "가" * 500
