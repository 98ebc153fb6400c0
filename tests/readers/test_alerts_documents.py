"""Alarms: when they went off and ended, wrapped messages, what is none."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kg.readers.document import Document
from kg.readers.formats import otel, schemas
from kg.readers.formats.alerts import FORMAT
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


def test_an_alarm_was_detected_when_it_went_off() -> None:
    over, firing = drafts(FORMAT, document("alerts/alertmanager.json"))
    assert dates(over) == {
        "detected": "2025-04-01T03:00:00+09:00",
        "ended": "2025-04-01T04:00:00+09:00",
    }
    assert dates(firing) == {"detected": "2025-04-01T03:00:00Z"}
    assert (over.title, firing.title) == ("Queue is full", "DiskFull")
    assert (over.services, over.regions, over.severity) == (("pay-in",), ("ap-2",), "critical")
    assert over.source_id != firing.source_id


def test_a_wrapped_message_is_read() -> None:
    one = draft(FORMAT, document("alerts/cloudwatch.json"))
    assert dates(one) == {"detected": "2025-04-01T03:00:00Z"}
    assert one.title == "CPU above 90 %"
    assert one.text("detection") == "HighCPU\n\nCPUUtilization"
    assert one.text("symptom") == "2 datapoints were greater than 90."


def test_an_alarm_that_is_fine_again_is_no_incident() -> None:
    given_ = json_document({"AlarmName": "HighCPU", "NewStateValue": "OK"})
    assert "is OK" in problem(FORMAT, given_).message


def test_the_source_of_a_program_is_no_alarm() -> None:
    text = 'ALERTS = {\n    "disk": {\n        "payload": {"summary": "x"},\n    },\n}\n'
    given_ = Document("alerts_mock.py", text)
    assert FORMAT.sure(given_) >= 0.5
    assert "source of a program" in problem(FORMAT, given_).message


def test_log_records_and_schemas_are_refused_with_a_reason() -> None:
    logs, schema = document("otel/logs.json"), document("schemas/openapi.json")
    assert otel.FORMAT.sure(logs) > 0.9
    assert "2 log records" in problem(otel.FORMAT, logs).message
    assert schemas.FORMAT.sure(schema) >= 0.5
    assert "schema" in problem(schemas.FORMAT, schema).message
    parts = json_document({"incident": {"type": "object", "properties": {"id": {}}}})
    assert schemas.FORMAT.sure(parts) >= 0.5
    for other in (json_document([]), json_document({}), json_document({"a": 1}), logs):
        assert schemas.FORMAT.sure(other) == 0


@QUICK
@given(mangled(document("alerts/alertmanager.json").data))
def test_no_mangled_record_raises(value: object) -> None:
    survives(FORMAT, json_document(value))


@QUICK
@given(st.integers(0, 6000))
def test_no_truncated_text_raises(length: int) -> None:
    survives(FORMAT, Document("cut.json", document("alerts/alertmanager.json").text[:length]))
