"""Opsgenie: incidents, alerts, services by id."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kg.model import Status
from kg.readers.document import Document
from kg.readers.formats.opsgenie import FORMAT
from tests.helpers.foreign import dates, document, draft, json_document, mangled, problem, survives
from tests.helpers.strategies import QUICK


def test_an_incident_states_its_impact() -> None:
    one = draft(FORMAT, document("opsgenie/incidents.json"))
    assert dates(one) == {
        "published": "2025-02-02T02:10:00Z",
        "started": "2025-02-02T02:00:00Z",
        "ended": "2025-02-02T03:15:00Z",
    }
    assert one.system == "norn.app.opsgenie.com"
    assert one.people == ("Mira Han",)
    assert one.regions == ("eu-west-1",)
    assert one.text("cause") == "The signing key had expired."


def test_services_by_id_are_left_out_with_a_note() -> None:
    one = draft(FORMAT, document("opsgenie/incidents.json"))
    assert one.services == ()
    assert one.notes[0].field == "data.0.impactedServices"


def test_an_alert_was_detected_when_it_was_created() -> None:
    one = draft(FORMAT, document("opsgenie/alert.json"))
    assert dates(one) == {"detected": "2025-02-02T02:00:00Z"}
    assert one.text("symptom") == "Host web-3 is busy."
    assert one.people == ("mira@norn.example",)
    assert (one.severity, one.services, one.source_id) == ("P4", ("web-3",), "a-1")


def test_labels_are_only_suspected() -> None:
    (label,) = draft(FORMAT, document("opsgenie/alert.json")).given
    assert (label.name, label.key, label.status) == ("web", "tags", Status.SUSPECTED)


def test_a_service_is_named_as_one() -> None:
    service = {
        "id": "1",
        "name": "x",
        "teamId": "t",
        "links": {"api": "https://api.opsgenie.com/v1/s"},
    }
    assert FORMAT.sure(json_document(service)) >= 0.5
    assert "service of Opsgenie" in problem(FORMAT, json_document(service)).message


@QUICK
@given(mangled(document("opsgenie/incidents.json").data))
def test_no_mangled_record_raises(value: object) -> None:
    survives(FORMAT, json_document(value))


@QUICK
@given(st.integers(0, 6000))
def test_no_truncated_text_raises(length: int) -> None:
    survives(FORMAT, Document("cut.json", document("opsgenie/incidents.json").text[:length]))
