"""Rootly: relations, what comes beside an incident, tests that are none."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kg.errors import Problem
from kg.model import ClaimKind, SourceKind
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats.rootly import FORMAT
from tests.helpers.foreign import dates, document, draft, json_document, mangled, problem, survives
from tests.helpers.strategies import QUICK

ONE, DRILL = FORMAT.read(document("rootly/incidents.json"))
assert isinstance(ONE, Draft)


def test_times_are_those_of_the_record() -> None:
    assert dates(ONE) == {
        "started": "2025-06-01T10:00:00+09:00",
        "detected": "2025-06-01T10:03:00+09:00",
        "mitigated": "2025-06-01T10:20:00+09:00",
        "ended": "2025-06-01T10:45:00+09:00",
        "published": "2025-06-01T10:04:00+09:00",
    }


def test_korean_is_recognised() -> None:
    assert ONE.lang == "ko"
    assert ONE.text("mitigation") == "설정을 되돌렸다.\n\n배포를 다시 했다."


def test_relations_have_their_names() -> None:
    assert ONE.services == ("checkout",)
    assert ONE.severity == "SEV0"
    assert ONE.people == ("한미라", "mira@norn.example")
    assert ONE.duplicates == ("r-9",)
    assert [link.href for link in ONE.links] == ["https://jira.norn.example/browse/PAY-1"]


def test_what_comes_beside_belongs_to_the_incident_that_names_it() -> None:
    assert [g.name for g in ONE.given if g.kind is ClaimKind.CAUSE] == ["Configuration change"]
    assert ONE.text("follow_up") == "Compare settings before a deployment"
    assert "첫 문의가 들어왔다." in ONE.text("summary")
    assert "Of another incident." not in ONE.text("summary")


def test_a_drill_is_no_incident() -> None:
    assert isinstance(DRILL, Problem)
    assert DRILL.field == "data.1"
    assert "test" in DRILL.message


def test_a_retrospective_is_read_by_its_sections() -> None:
    content = "<h2>Root cause</h2><p>A <b>setting</b> was lost.</p><h2>Lessons</h2><p>None</p>"
    attributes = {"title": "Retro", "content": content, "show_timeline": True}
    data = {"id": "p", "type": "incident_post_mortems", "attributes": attributes}
    one = draft(FORMAT, json_document({"data": data}))
    assert one.text("cause") == "A setting was lost."
    assert one.none == ("lesson",)
    assert one.source is not None
    assert one.source.kind is SourceKind.POSTMORTEM


def test_other_things_of_rootly_are_named() -> None:
    given_ = json_document({"data": {"id": "1", "type": "services", "attributes": {"name": "x"}}})
    assert "services" in problem(FORMAT, given_).message


def test_a_flat_webhook_is_read() -> None:
    value = {
        "event": {"type": "incident.created"},
        "data": {"id": "1", "title": "Slow", "sequential_id": 3, "severity": {"name": "SEV2"}},
    }
    assert FORMAT.sure(json_document(value)) > 0.9
    assert draft(FORMAT, json_document(value)).severity == "SEV2"


@QUICK
@given(mangled(document("rootly/incidents.json").data))
def test_no_mangled_record_raises(value: object) -> None:
    survives(FORMAT, json_document(value))


@QUICK
@given(st.integers(0, 6000))
def test_no_truncated_text_raises(length: int) -> None:
    survives(FORMAT, Document("cut.json", document("rootly/incidents.json").text[:length]))
