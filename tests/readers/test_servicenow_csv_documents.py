"""ServiceNow as CSV: the audit log of many rows a ticket, and lists by their labels."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from kg.errors import Problem
from kg.model import Status
from kg.readers.document import Declared, Document
from kg.readers.draft import Draft
from kg.readers.formats.servicenow_csv import FORMAT
from tests.helpers.foreign import dates, document, draft, drafts, survives
from tests.helpers.strategies import QUICK

AUDIT = document("servicenow_csv/audit.csv")
CLOSED, ACTIVE = drafts(FORMAT, AUDIT)
LISTED = draft(FORMAT, document("servicenow_csv/list.csv"))


def without(text: str, *unwanted: str) -> Document:
    lines = [line for line in text.splitlines() if not any(u in line for u in unwanted)]
    return Document("a.csv", "\n".join(lines) + "\n")


def test_is_recognised_by_columns_or_labels() -> None:
    assert FORMAT.sure(AUDIT) == 0.95
    assert FORMAT.sure(document("servicenow_csv/list.csv")) == 0.95
    assert FORMAT.sure(Document("a.csv", "number,state,opened_at\n7,x,y\n")) == 0.0
    assert FORMAT.sure(Document("a.csv", "number,text\nINC0000001,x\n")) == 0.0


def test_rows_of_one_number_are_one_draft_and_the_last_state_counts() -> None:
    assert [(d.source_id, d.line) for d in (CLOSED, ACTIVE)] == [
        ("INC0010001", 4),
        ("INC0010002", 6),
    ]
    assert CLOSED.severity == "2 - High"
    assert CLOSED.services == ("vpn-concentrator",)
    assert CLOSED.updated == "2016-03-10T12:00"


def test_the_order_of_day_and_month_is_proven_by_another_time() -> None:
    assert dates(CLOSED) == {"published": "2016-03-04T01:16", "ended": "2016-03-05T11:29"}
    assert dates(ACTIVE) == {"published": "2016-03-04T07:26"}


def test_without_proof_such_times_are_left_out_aloud() -> None:
    told, one = FORMAT.read(without(AUDIT.text, "INC0010002"))
    assert isinstance(told, Problem)
    assert "'04-03-2016 01:16' can mean two days" in told.message
    assert isinstance(one, Draft)
    assert one.dates == ()
    assert [n.message for n in one.notes if "not a time" in n.message]


def test_a_declared_order_and_zone_are_taken() -> None:
    given = replace(
        without(AUDIT.text, "INC0010002"), declared=Declared("month-first", "Asia/Seoul")
    )
    one = draft(FORMAT, given)
    assert dates(one)["published"] == "2016-04-03T01:16+09:00"
    assert not [n for n in one.notes if "zone" in n.message]


def test_times_that_prove_both_orders_are_told() -> None:
    text = AUDIT.text.replace("05-03-2016 11:29", "03-25-2016 11:29")
    told = next(iter(FORMAT.read(Document("a.csv", text))))
    assert isinstance(told, Problem)
    assert "put day and month differently" in told.message


def test_a_question_mark_is_not_stated() -> None:
    shown = repr((CLOSED, ACTIVE)).replace("message=", "")
    assert "'?'" not in shown
    assert ACTIVE.text("symptom") == ""
    assert CLOSED.text("symptom") == "VPN drops"


def test_what_has_no_title_is_called_by_its_number() -> None:
    assert CLOSED.title == "INC0010001"


def test_everybody_in_any_row_is_known_for_redaction() -> None:
    assert {"Caller 11", "Updated by 7", "Updated by 6", "Updated by 5", "Resolver 2"} <= set(
        CLOSED.people
    )


def test_other_tickets_are_related_and_labels_only_suspected() -> None:
    assert set(CLOSED.related) == {"PRB0000007", "CHG0000404"}
    assert {(g.name, g.status) for g in CLOSED.given} == {("Network", Status.SUSPECTED)}
    assert CLOSED.regions == ("Site 3",)


def test_a_list_by_labels_is_read_with_the_html_of_its_cells() -> None:
    assert LISTED.title == "Order pages time out"
    assert dates(LISTED) == {"published": "2023-05-02T10:00:00", "ended": "2023-05-02T11:30:00"}
    assert LISTED.text("mitigation") == "Index rebuilt.\nStatistics & plan refreshed."
    assert "Plan changed after the upgrade." in LISTED.text("summary")
    assert LISTED.services == ("order-db",)
    assert "Kim Jisoo" in LISTED.people


def test_a_row_without_number_is_told() -> None:
    text = AUDIT.text.replace("INC0010002,New", "?,New")
    found = list(FORMAT.read(Document("a.csv", text)))
    assert [(p.line, p.field) for p in found if isinstance(p, Problem)] == [(3, "number")]
    assert len(found) == 3


@QUICK
@given(st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(random: random.Random) -> None:
    head, *rows = AUDIT.text.splitlines()
    random.shuffle(rows)
    again = drafts(FORMAT, Document(AUDIT.name, "\n".join([head, *rows])))
    unordered = [replace(d, line=0, people=tuple(sorted(d.people))) for d in again]
    wanted = [replace(d, line=0, people=tuple(sorted(d.people))) for d in (CLOSED, ACTIVE)]
    assert sorted(unordered, key=lambda d: d.source_id) == wanted


@QUICK
@given(st.integers(0, len(AUDIT.text)), st.integers(0, 40), st.text(max_size=3))
def test_a_mangled_log_never_raises(start: int, length: int, junk: str) -> None:
    survives(FORMAT, Document("a.csv", AUDIT.text[:start] + junk + AUDIT.text[start + length :]))
