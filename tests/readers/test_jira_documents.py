"""Jira: mark-up, ADF, links, durations, what is and is not an end."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kg.model import Duration
from kg.readers.document import Document
from kg.readers.formats.jira import FORMAT
from tests.helpers.foreign import dates, document, draft, drafts, json_document, mangled, survives
from tests.helpers.strategies import QUICK

FIXED, DUPLICATE = drafts(FORMAT, document("jira/search.json"))


def test_times_keep_their_offset() -> None:
    assert dates(FIXED) == {
        "published": "2025-08-01T10:00:00+09:00",
        "mitigated": "2025-08-01T11:45:00+09:00",
        "ended": "2025-08-01T12:30:00+09:00",
    }


def test_closing_a_duplicate_is_not_the_end() -> None:
    assert dates(DUPLICATE) == {"published": "2025-08-01T10:02:00+09:00"}
    assert "Duplicate" in DUPLICATE.notes[0].message


def test_durations_are_stated_ones_not_time_spent_on_work() -> None:
    assert FIXED.time_to_detect == Duration(seconds=720, text="12 min")
    assert FIXED.time_to_recover == Duration(seconds=9000, text="2h 30m")
    worked = {"key": "A-1", "fields": {"summary": "x", "timespent": 7200, "issuetype": {}}}
    assert draft(FORMAT, json_document(worked)).time_to_recover is None


def test_a_number_without_unit_is_no_duration() -> None:
    value = {
        "names": {"customfield_7": "MTTR"},
        "issues": [{"key": "A-1", "fields": {"summary": "x", "customfield_7": 30}}],
    }
    one = draft(FORMAT, json_document(value))
    assert one.time_to_recover is None
    assert "unit" in one.notes[0].message


def test_wiki_mark_up_is_read_by_its_headings() -> None:
    assert FIXED.text("summary").startswith("Writes fail with disk full.\n\ndf -h *.log")
    assert FIXED.none == ("impact",)
    assert FIXED.text("mitigation") == "- Old logs removed by mhan\n- Volume grown to 200G"
    assert [link.href for link in FIXED.links] == ["https://norn.example/logs"]


def test_a_document_is_read_by_its_headings() -> None:
    assert DUPLICATE.lang == "ko"
    assert DUPLICATE.text("symptom") == "쓰기가 실패했다. 한미라\n그래프"
    assert DUPLICATE.text("cause") == "- 디스크가 찼다"


def test_custom_fields_have_their_names_from_the_export() -> None:
    assert FIXED.text("cause") == "Log rotation was off."
    assert FIXED.severity == "Sev1"
    assert FIXED.services == ("ledger-api", "ledger-db")
    assert "1 custom field without a name" in FIXED.notes[0].message


def test_links_tell_duplicates_from_others() -> None:
    assert FIXED.duplicates == ("OPS-9",)
    assert FIXED.related == ("OPS-2", "OPS-8")


def test_people_have_all_their_spellings() -> None:
    assert {"Mira Han", "mhan", "mira@norn.example", "Joon Baek", "Sora Kim"} == set(FIXED.people)
    assert DUPLICATE.people == ("한미라",)


def test_ids_and_addresses() -> None:
    assert (FIXED.source_id, FIXED.system) == ("OPS-7", "norn.atlassian.net")
    assert FIXED.source is not None
    assert FIXED.source.address == "https://norn.atlassian.net/browse/OPS-7"


@QUICK
@given(mangled(document("jira/search.json").data))
def test_no_mangled_record_raises(value: object) -> None:
    survives(FORMAT, json_document(value))


@QUICK
@given(st.integers(0, 6000))
def test_no_truncated_text_raises(length: int) -> None:
    survives(FORMAT, Document("cut.json", document("jira/search.json").text[:length]))
