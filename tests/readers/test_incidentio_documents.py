"""incident.io: times by their names, custom fields, webhooks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kg.readers.document import Document
from kg.readers.formats.incidentio import FORMAT
from tests.helpers.foreign import dates, document, draft, json_document, mangled, problem, survives
from tests.helpers.strategies import QUICK

ONE = draft(FORMAT, document("incidentio/incidents.json"))


def test_times_are_read_by_their_names() -> None:
    assert dates(ONE) == {
        "started": "2025-07-01T00:00:00Z",
        "detected": "2025-07-01T00:05:00Z",
        "ended": "2025-07-01T01:00:00Z",
        "published": "2025-07-01T00:10:00Z",
    }


def test_only_a_metric_of_recovery_is_a_time_to_recover() -> None:
    assert ONE.time_to_recover is not None
    assert ONE.time_to_recover.seconds == 3600
    assert ONE.time_to_detect is None


def test_custom_fields_are_read_by_their_names() -> None:
    assert ONE.services == ("feed-writer", "feed-api")
    assert "Team: Data" in [g.name for g in ONE.given]


def test_texts_people_and_links() -> None:
    assert ONE.text("summary") == "The feed writer hung."
    assert ONE.text("cause") == "A lock was never given back."
    assert ONE.people == ("Mira Han", "mira@norn.example", "Joon Baek")
    assert [link.href for link in ONE.links] == [
        "https://norn.example/t/4",
        "https://docs.norn.example/pm/9",
        "https://jira.norn.example/browse/FEED-1",
    ]


def test_a_private_incident_comes_without_its_name() -> None:
    given_ = document("incidentio/webhook.json")
    assert FORMAT.sure(given_) > 0.9
    assert "private" in problem(FORMAT, given_).message


def test_a_public_webhook_is_read() -> None:
    event = "public_incident.incident_status_updated_v2"
    inner = {"id": "1", "name": "Late feeds", "created_at": "2025-01-01T00:00:00Z"}
    one = draft(FORMAT, json_document({"event_type": event, event: {"incident": inner}}))
    assert dates(one) == {"published": "2025-01-01T00:00:00Z"}


def test_a_rehearsal_is_no_incident_and_a_declined_one_is_doubted() -> None:
    record = {"id": "1", "name": "x", "incident_status": {"category": "declined"}}
    assert "declined" in draft(FORMAT, json_document(record)).notes[0].message
    assert "tutorial" in problem(FORMAT, json_document({**record, "mode": "tutorial"})).message


@QUICK
@given(mangled(document("incidentio/incidents.json").data))
def test_no_mangled_record_raises(value: object) -> None:
    survives(FORMAT, json_document(value))


@QUICK
@given(st.integers(0, 6000))
def test_no_truncated_text_raises(length: int) -> None:
    survives(FORMAT, Document("cut.json", document("incidentio/incidents.json").text[:length]))
