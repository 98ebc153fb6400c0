"""Tables: the separator is found by what fits, rows know their lines, nothing is lost unsaid."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import Problem
from kg.readers.document import Document
from kg.readers.tables import Row, Shape, Table, find_table, lines_of
from tests.helpers.strategies import QUICK


def table(text: str, separator: str = "") -> Table:
    found = find_table(Document("a.csv", text), separator)
    assert found is not None
    return found


def rows(one: Table) -> list[tuple[int, tuple[str, ...]]]:
    return [(r.line, r.cells) for r in one.rows() if isinstance(r, Row)]


def problems(one: Table) -> list[tuple[int, str]]:
    return [(r.line, r.message) for r in one.rows() if isinstance(r, Problem)]


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_the_separator_is_found(sign: str) -> None:
    one = table(f"id{sign}title\n1{sign}a b\n2{sign}c\n")
    assert one.shape == Shape(sign)
    assert rows(one) == [(2, ("1", "a b")), (3, ("2", "c"))]


def test_prose_full_of_another_sign_does_not_lead_astray() -> None:
    text = 'id;text\n1;"first, second, third, fourth, fifth"\n2;"a, b, c, d, e"\n'
    assert table(text).shape == Shape(";")


def test_cells_over_several_lines_keep_the_line_of_their_row() -> None:
    one = table('id,text\n1,"a\nb\n\nc"\n2,d\n')
    assert rows(one) == [(2, ("1", "a\nb\n\nc")), (6, ("2", "d"))]


def test_a_first_line_may_say_the_separator() -> None:
    one = table("sep=;\na;b\n1,2;3\n")
    assert rows(one) == [(3, ("1,2", "3"))]


def test_quotation_marks_are_doubled_or_escaped() -> None:
    assert rows(table('a,b\n1,"say ""hi"", please"\n')) == [(2, ("1", 'say "hi", please'))]
    escaped = table('a,b\n1,"say \\"hi\\", please"\n')
    assert escaped.shape == Shape(",", "\\")
    assert rows(escaped) == [(2, ("1", 'say "hi", please'))]


def test_a_quoted_cell_that_does_not_end_is_told_and_not_swallowed() -> None:
    one = table('a,b\n1,2\n3,"four\n5,6\n')
    assert rows(one) == [(2, ("1", "2"))]
    assert problems(one) == [(3, "a quoted cell does not end")]


def test_a_row_that_does_not_fit_is_told_and_the_others_come() -> None:
    lines = [f"{i},x" for i in range(30)]
    one = table("\n".join(["a,b", *lines, "1,2,3", "4,5"]))
    assert problems(one) == [(32, "3 cells, but 2 columns")]
    assert rows(one)[-1] == (33, ("4", "5"))


def test_empty_cells_beyond_the_header_do_not_count() -> None:
    assert rows(table("a,b,,\n1,2,,\n")) == [(2, ("1", "2"))]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "one line of prose",
        "Dear all,\nwe are sorry.\nIt broke, and we mended it, and it broke.\n",
        "a,b;c\n1,2;3\n",
        "a,,b\n1,2,3\n",
    ],
)
def test_what_is_no_table_is_none(text: str) -> None:
    assert find_table(Document("a.csv", text)) is None


def test_columns_may_repeat_and_go_by_their_names_in_capitals_or_not() -> None:
    one = table("Key,Comment,comment,COMMENT\n1,a,,c\n")
    (row,) = one.rows()
    assert isinstance(row, Row)
    assert one.all(row, "Comment") == ("a", "c")
    assert one.first(row, "nothing", "key") == "1"
    assert one.has("key", "comment")
    assert not one.has("key", "nothing")


def test_a_cell_of_megabytes_is_read() -> None:
    one = table('a,b\n1,"' + "x" * 3_000_000 + '"\n')
    assert [len(cells[1]) for _, cells in rows(one)] == [3_000_000]


CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\r\x00\\"), max_size=12)


@QUICK
@given(st.sampled_from(",;\t|"), st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=6))
def test_what_the_csv_writer_wrote_comes_back(sign: str, cells: list[tuple[str, ...]]) -> None:
    written = io.StringIO()
    writer = csv.writer(written, delimiter=sign, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(("alpha", "beta", "gamma"))
    writer.writerows(cells)
    one = table(written.getvalue(), sign)
    assert [c for _, c in rows(one)] == [c for c in cells if any(x.strip() for x in c)]
    found = find_table(Document("a.csv", written.getvalue()))
    assert found is None or found.shape == Shape(sign)


@QUICK
@given(st.text(alphabet='a,;|"\t\n\\ \x00'))
def test_no_text_raises(text: str) -> None:
    one = find_table(Document("a.csv", text))
    for row in one.rows() if one else ():
        assert isinstance(row, Problem) or len(row.cells) == len(one.header if one else ())


@QUICK
@given(st.text(alphabet="ab\n"))
def test_lines_are_those_of_the_text(text: str) -> None:
    assert list(lines_of(text)) == io.StringIO(text).readlines()
