"""Jira as CSV: repeated columns, cells of many lines, times by the name of their month."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from kg.errors import Problem
from kg.readers.document import Declared, Document
from kg.readers.draft import Draft
from kg.readers.formats.jira_csv import FORMAT
from tests.helpers.foreign import dates, document, draft, drafts, survives
from tests.helpers.strategies import QUICK

ISSUES = document("jira_csv/issues.csv")
PUSH, STALE, SAME = drafts(FORMAT, ISSUES)


def table(*lines: str) -> Document:
    return Document("issues.csv", "\n".join(lines))


def test_is_recognised_by_its_columns() -> None:
    assert FORMAT.sure(ISSUES) == 0.95
    assert FORMAT.sure(table("요약;이슈 키;상태", "a;A-1;열림")) == 0.95
    assert FORMAT.sure(table("Summary,Text", "a,b")) == 0.0
    assert FORMAT.sure(Document("a.md", "Summary of Issue key, and Status\n\nwords")) == 0.0


def test_each_issue_is_a_draft_with_its_key_and_line() -> None:
    assert [(d.source_id, d.line) for d in (PUSH, STALE, SAME)] == [
        ("SHOP-101", 2), ("SHOP-102", 11), ("SHOP-103", 12),
    ]  # fmt: skip
    assert PUSH.title == "Checkout returns 500 after the config push"
    assert PUSH.severity == "SEV1"
    assert STALE.severity == "Medium"


def test_times_by_the_name_of_the_month_need_no_order() -> None:
    assert dates(PUSH) == {"published": "2021-09-30T17:20", "ended": "2021-09-30T18:05"}
    assert dates(STALE) == {"published": "2021-10-03T08:05"}
    assert PUSH.updated == "2021-10-01T09:00"


def test_what_was_resolved_as_a_duplicate_has_no_end() -> None:
    assert dates(SAME) == {"published": "2021-09-30T17:44"}
    assert "Duplicate" in SAME.notes[0].message


def test_mark_up_is_read_and_code_kept() -> None:
    told = [(p.heading, p.text) for p in PUSH.passages if "What happened" in p.heading]
    assert told == [
        (
            "What happened, description",
            "The push of 17:18 set max_conns to 0.\n"
            'Carts with "gift" lines, and only these, failed.'
            "\n\nERROR pool exhausted; retry=0",
        )
    ]


def test_columns_of_one_name_all_count() -> None:
    assert PUSH.services == ("checkout", "payments")
    assert [g.name for g in PUSH.given] == ["config", "rollback"]
    comments = [p for p in PUSH.passages if p.heading.startswith("comment")]
    assert [(p.heading, p.text) for p in comments] == [
        ("comment 2021-09-30T17:31", "Rolled back to the config of the morning."),
        ("comment 2021-09-30T17:40", "Carts work again."),
    ]


def test_custom_fields_go_by_their_names_and_html_is_read() -> None:
    assert PUSH.text("cause") == "A default of the new schema was zero"


def test_links_and_people_are_kept() -> None:
    assert PUSH.duplicates == ("SHOP-99",)
    assert PUSH.related == ("SHOP-88",)
    assert {"mhan", "jpark"} <= set(PUSH.people)
    assert SAME.people == ("sue",)


def test_numbered_months_are_read_only_when_the_order_is_known() -> None:
    head, row = "Summary,Issue key,Status,Created", "a,A-1,Open,03/04/2021 10:00"
    told, one = FORMAT.read(table(head, row))
    assert isinstance(told, Problem)
    assert "two days" in told.message
    assert "--dates day-first" in told.remedy
    assert isinstance(one, Draft)
    assert one.dates == ()
    declared = replace(table(head, row), declared=Declared(order="month-first", zone="UTC"))
    assert dates(draft(FORMAT, declared)) == {"published": "2021-03-04T10:00Z"}
    proven = drafts(FORMAT, table(head, row, "b,A-2,Open,25/04/2021 10:00"))
    assert dates(proven[0]) == {"published": "2021-04-03T10:00"}


def test_another_table_asked_for_as_jira_is_refused_with_a_reason() -> None:
    (told,) = FORMAT.read(table("a,b", "1,2"))
    assert isinstance(told, Problem)
    assert "Issue key" in told.message


@QUICK
@given(st.integers(0, len(ISSUES.text)), st.integers(0, 40), st.text(max_size=3))
def test_a_mangled_export_never_raises(start: int, length: int, junk: str) -> None:
    text = ISSUES.text[:start] + junk + ISSUES.text[start + length :]
    survives(FORMAT, Document("a.csv", text))
    survives(FORMAT, Document("a.csv", ISSUES.text[:start]))
