"""Documents read by a mapping file; the example of docs/mapping.md is run."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from kg.errors import Problem
from kg.model import CaseKind, ClaimKind, Duration, Link, Status
from kg.readers.document import Declared, Document
from kg.readers.draft import Draft, Given
from kg.readers.formats.format import Format
from kg.readers.mapped import mapping_format
from kg.readers.mapping import parse_mapping, read_mapping
from tests.helpers.foreign import (
    DATA,
    dates,
    document,
    draft,
    drafts,
    json_document,
    mangled,
    survives,
)
from tests.helpers.strategies import QUICK

PAGE = (Path(__file__).parents[2] / "docs" / "mapping.md").read_text(encoding="utf-8")
SHEET = mapping_format(read_mapping(DATA / "mapping" / "outages.yaml"))
TICKETS = mapping_format(read_mapping(DATA / "mapping" / "tickets.json"))
RESTART, ROUTE = drafts(SHEET, document("mapping/outages.csv"))
LOGIN, SLOW = drafts(TICKETS, document("mapping/outages.json"))


def mapped(*lines: str) -> Format:
    return mapping_format(parse_mapping("\n".join(lines), "m.yaml"))


def test_the_example_of_the_page_is_true() -> None:
    (sheet,) = re.findall(r"```csv\n(.*?)```", PAGE, re.DOTALL)
    (text,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    form = mapping_format(parse_mapping(text, "outages.yaml"))
    first, second = drafts(form, Document("outages.csv", sheet))
    assert dates(first) == {
        "started": "2026-04-03T10:05+09:00", "ended": "2026-04-03T11:00+09:00",
    }  # fmt: skip
    assert first.time_to_recover == Duration(seconds=3300, text="55 minutes")
    assert first.text("cause") == "The update cleared the routes."
    assert second.severity == "major"
    assert "gives two cases" in PAGE


def test_it_is_taken_only_when_it_is_asked_for() -> None:
    assert SHEET.sure(document("mapping/outages.csv")) == 0.0


def test_columns_go_to_their_fields() -> None:
    assert (RESTART.source_id, RESTART.system, RESTART.line) == ("N-1", "network-sheet", 2)
    assert RESTART.format == "network-sheet"
    assert RESTART.title == "코어 스위치 재시작"
    assert RESTART.text("summary") == "펌웨어 갱신 뒤 스위치가\n두 번 재시작했다."
    assert RESTART.text("cause") == "갱신이 라우팅 표를 지웠다."
    assert [(p.field, p.heading) for p in ROUTE.passages] == [
        ("summary", "What"), ("summary", "Notes"), ("impact", "Impact"),
    ]  # fmt: skip
    assert RESTART.services == ("core-1", "core-2")
    assert RESTART.people == ("Kim",)
    assert RESTART.lang == "ko"
    assert RESTART.links == (Link(rel="related", href="https://example.com/n1"),)
    assert RESTART.given == (Given(ClaimKind.CAUSE, "Config", Status.SUSPECTED, "Class"),)


def test_times_have_the_order_and_zone_of_the_mapping() -> None:
    assert dates(RESTART) == {
        "started": "2026-04-03T10:05+09:00", "ended": "2026-04-03T11:00+09:00",
    }  # fmt: skip
    assert dates(ROUTE) == {"started": "2026-04-13T09:00+09:00"}


def test_durations_have_the_unit_of_the_mapping() -> None:
    assert RESTART.time_to_detect == Duration(seconds=750, text="0:12:30")
    assert RESTART.time_to_recover == Duration(seconds=3300, text="55 minutes")
    assert (ROUTE.time_to_detect, ROUTE.time_to_recover) == (None, None)


def test_values_are_translated_and_none_is_not_missing() -> None:
    assert (RESTART.severity, ROUTE.severity) == ("critical", "major")
    assert RESTART.none == ("impact",)
    assert ROUTE.none == ()
    assert ROUTE.text("cause") == ""


def test_json_paths_go_into_lists_and_objects() -> None:
    assert LOGIN.text("summary") == "Tokens were refused.\n\nSeen by support.\n\nClock set right."
    assert LOGIN.services == ("auth", "sso")
    assert dates(LOGIN) == {"started": "2024-04-01T09:30:00Z", "ended": "2024-04-01T10:15:00Z"}
    assert (SLOW.title, SLOW.passages, SLOW.dates) == ("Slow login", (), ())


def test_a_quoted_step_may_hold_a_dot() -> None:
    form = mapped("fields: {title: '\"a.b\".0.c'}")
    assert draft(form, json_document({"a.b": [{"c": "Dots"}]})).title == "Dots"


def test_a_column_that_is_not_there_stops_the_table() -> None:
    form = mapped("fields:", "  title: A", "  cause: Grund")
    (told,) = form.read(Document("a.csv", "A,B\nx,y\n"))
    assert isinstance(told, Problem)
    assert told.message == "no such column (m.yaml:3, cause); there are A, B"


def test_the_order_of_small_numbers_is_proven_or_left_out_aloud() -> None:
    form = mapped("fields: {title: A, started: B}")
    told, one = form.read(Document("a.csv", "A,B\nx,03/04/2024\n"))
    assert isinstance(told, Problem)
    assert "'03/04/2024' can mean two days" in told.message
    assert isinstance(one, Draft)
    assert one.dates == ()
    first, _ = drafts(form, Document("a.csv", "A,B\nx,03/04/2024\ny,25/04/2024\n"))
    assert dates(first) == {"started": "2024-04-03"}
    declared = Document("a.csv", "A,B\nx,03/04/2024\n", Declared("month-first"))
    assert dates(draft(form, declared)) == {"started": "2024-03-04"}


def test_each_column_proves_only_its_own_order() -> None:
    form = mapped("fields: {title: A, started: B, ended: C}")
    sheet = Document("a.csv", "A,B,C\nx,03/04/2024,25/04/2024\n")
    told, one = form.read(sheet)
    assert isinstance(told, Problem)
    assert told.field == "started"
    assert isinstance(one, Draft)
    assert dates(one) == {"ended": "2024-04-25"}


def test_a_format_tells_how_exact_a_time_is() -> None:
    form = mapped("fields:", "  title: A", "  started: {column: B, format: '%Y%m%d'}",
                  "  ended: {column: C, format: '%Y%m%d%H%M%S%z'}")  # fmt: skip
    one = draft(form, Document("a.csv", "A,B,C\nx,20240405,20240405101112+0900\n"))
    assert dates(one) == {"started": "2024-04-05", "ended": "2024-04-05T10:11:12+09:00"}


def test_a_time_that_does_not_fit_is_noted() -> None:
    form = mapped("fields:", "  title: A", "  started: {column: B, format: '%Y%m%d'}")
    one = draft(form, Document("a.csv", "A,B\nx,yesterday\n"))
    assert one.dates == ()
    assert "'yesterday' is not a time" in one.notes[0].message


def test_the_last_of_the_records_with_one_id_counts() -> None:
    form = mapped("records: {last_counts: true}", "fields: {id: K, title: T}")
    sheet = Document("a.csv", "K,T\n1,old\n2,other\n1,new\n")
    assert [(d.source_id, d.title) for d in drafts(form, sheet)] == [("1", "new"), ("2", "other")]


def test_the_kind_must_be_one() -> None:
    form = mapped("fields: {title: T, kind: K}")
    found = list(form.read(Document("a.csv", "T,K\na,series\nb,accident\n")))
    assert isinstance(found[0], Draft)
    assert found[0].kind is CaseKind.SERIES
    assert isinstance(found[1], Problem)
    assert (found[1].line, found[1].field) == (3, "kind")


def test_json_lines_are_read_line_by_line() -> None:
    form = mapped("records: {format: jsonl}", "fields: {title: t}")
    found = list(form.read(Document("a.jsonl", '{"t": "one"}\n{oops\n{"t": "two"}\n')))
    assert [type(f).__name__ for f in found] == ["Draft", "Problem", "Draft"]


OUTAGES = json.loads((DATA / "mapping" / "outages.json").read_text(encoding="utf-8"))
CSV = (DATA / "mapping" / "outages.csv").read_text(encoding="utf-8")


@QUICK
@given(mangled(OUTAGES))
def test_mangled_json_never_raises(value: object) -> None:
    survives(TICKETS, json_document(value))


@QUICK
@given(st.integers(0, len(CSV)), st.integers(0, 30), st.text(max_size=3))
def test_a_mangled_sheet_never_raises(start: int, length: int, junk: str) -> None:
    survives(SHEET, Document("a.csv", CSV[:start] + junk + CSV[start + length :]))


def test_what_the_caller_declares_gives_way_to_the_mapping() -> None:
    given = replace(document("mapping/outages.csv"), declared=Declared("month-first", "UTC"))
    assert drafts(SHEET, given) == [RESTART, ROUTE]
