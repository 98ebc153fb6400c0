"""ServiceNow: pairs of values, states, times without zone, lengths of time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kg.readers.document import Document
from kg.readers.formats.servicenow import FORMAT
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

CLOSED, GOING, SOLVED = drafts(FORMAT, document("servicenow/incidents.json"))


def test_times_stay_without_zone_and_it_is_noted() -> None:
    assert dates(CLOSED) == {"published": "2025-03-12T00:00:00", "ended": "2025-03-12T02:30:00"}
    assert any("without a zone" in note.message for note in CLOSED.notes)


def test_what_is_in_progress_again_has_not_ended() -> None:
    assert "ended" not in dates(GOING)
    assert any(note.field == "result.1.resolved_at" for note in GOING.notes)
    assert GOING.time_to_recover is None


def test_lengths_of_time_are_the_stated_ones() -> None:
    assert CLOSED.time_to_recover is not None
    assert CLOSED.time_to_recover.seconds == 9000
    assert SOLVED.time_to_recover is not None
    assert SOLVED.time_to_recover.seconds == 86400 + 3600 + 5


def test_names_are_shown_and_bare_ids_left_out() -> None:
    assert CLOSED.services == ("Mail", "mail-07")
    assert (CLOSED.organization, CLOSED.regions) == ("Norn", ("Seoul",))
    assert GOING.services == ()
    assert any("sys_id" in note.message for note in GOING.notes)


def test_texts_go_to_their_fields() -> None:
    assert CLOSED.lang == "ko"
    assert CLOSED.text("symptom") == "접속이 끊깁니다.\n다시 해도 같습니다."
    assert CLOSED.text("mitigation") == "The pool was made larger."
    assert CLOSED.text("summary").endswith("Pool is full")
    assert GOING.text("symptom") == ""


def test_people_are_names_but_not_roles() -> None:
    assert CLOSED.people == ("Mira Han",)
    notes = "2025-03-12 09:10:11 - Joon Baek (Work notes)\nAsked."
    one = draft(
        FORMAT, json_document({"sys_id": "1", "short_description": "x", "work_notes": notes})
    )
    assert one.people == ("Joon Baek",)


def test_severity_is_as_written() -> None:
    assert (CLOSED.severity, GOING.severity) == ("2 - Medium", "4")


def test_closing_a_ticket_is_not_the_end() -> None:
    record = {
        "sys_id": "1",
        "short_description": "x",
        "state": "7",
        "closed_at": "2025-01-01 00:00:00",
    }
    one = draft(FORMAT, json_document({"result": record}))
    assert "ended" not in dates(one)
    assert "closed" in one.notes[0].message


def test_other_tables_are_refused() -> None:
    given_ = json_document({"result": [{"sys_id": "1", "number": "X1", "name": "mail"}]})
    assert "short_description" in problem(FORMAT, given_).message


@QUICK
@given(mangled(document("servicenow/incidents.json").data))
def test_no_mangled_record_raises(value: object) -> None:
    survives(FORMAT, json_document(value))


@QUICK
@given(st.integers(0, 6000))
def test_no_truncated_text_raises(length: int) -> None:
    survives(FORMAT, Document("cut.json", document("servicenow/incidents.json").text[:length]))
