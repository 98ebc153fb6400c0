"""Postmortems as web pages: what is content, what stands around it, and what is no postmortem."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import Problem
from kg.readers.document import Document
from kg.readers.formats.format import recognised
from kg.readers.formats.html_page import FORMAT
from kg.readers.formats.known import FORMATS
from tests.helpers.foreign import dates, document, draft, survives
from tests.helpers.strategies import QUICK

PAGE = document("html/pool.html")
ONE = draft(FORMAT, PAGE)

RECIPE = "<html><title>Cake</title><h1>Cake</h1><h2>Summary</h2><p>Mix and bake.</p></html>"
KOREAN = """<!-- 위키 내보내기 --><html><body><h1>결제 장애 회고</h1>
<h2>원인</h2><p>인증서가 만료되었다.</p><h2>조치</h2><p>인증서를 새로 발급했다.</p></body></html>"""


def taken(given: Document) -> list[str]:
    return [one.name for one, _ in recognised(given, FORMATS)]


def test_a_page_with_the_headings_of_a_postmortem_is_taken() -> None:
    assert taken(PAGE) == ["html"]


@pytest.mark.parametrize("text", [RECIPE, "<html><body><p>Hello</p></body></html>", "<p>x</p>", ""])
def test_another_page_is_not(text: str) -> None:
    assert taken(Document("page.html", text)) == []


def test_one_heading_is_enough_where_the_title_tells_of_a_failure() -> None:
    page = "<html><title>Outage of 3 May</title><body><h2>Root cause</h2><p>A bad switch.</p>"
    assert taken(Document("page.html", page)) == ["html"]
    assert draft(FORMAT, Document("page.html", page)).title == "Outage of 3 May"


def test_a_page_of_the_incident_library_is_still_its_own() -> None:
    assert taken(document("library-page/case.html"))[0] == "library-page"


def test_sections_go_to_their_fields() -> None:
    assert ONE.title == "Checkout API outage"
    assert ONE.text("summary").startswith("From 09:12 to 10:40 UTC the checkout API answered 38 %")
    assert ONE.text("impact") == "About 4,100 orders failed.\n\nNo data was lost."
    assert "max_connections=500" in ONE.text("cause")
    assert ONE.text("mitigation") == "We rolled back version 88."
    assert ONE.text("follow_up") == "Put a limit on pool size in CI."


def test_times_come_from_the_table_and_the_day_of_the_page() -> None:
    assert dates(ONE)["started"] == "2024-03-12T09:12Z"
    assert dates(ONE)["ended"] == "2024-03-12T10:40Z"


def test_what_stands_around_and_scripts_are_left_out() -> None:
    whole = " ".join(p.text for p in ONE.passages)
    for gone in ("Home", "Copyright", "alert(1)", "color:red"):
        assert gone not in whole


def test_authors_are_people() -> None:
    assert "Dana Lee" in ONE.people


def test_korean_headings_and_a_comment_before_the_page() -> None:
    page = Document("export.html", KOREAN)
    assert taken(page) == ["html"]
    one = draft(FORMAT, page)
    assert (one.title, one.lang) == ("결제 장애 회고", "ko")
    assert one.text("cause") == "인증서가 만료되었다."
    assert one.text("mitigation") == "인증서를 새로 발급했다."


def test_a_page_that_is_too_long_is_told() -> None:
    (told,) = FORMAT.read(Document("long.html", "<h1>x</h1>" + "<p>outage</p>" * 400_000))
    assert isinstance(told, Problem)


@QUICK
@given(st.integers(0, len(PAGE.text)))
def test_no_truncated_page_raises(length: int) -> None:
    survives(FORMAT, Document("cut.html", PAGE.text[:length]))


@QUICK
@given(
    st.lists(
        st.sampled_from(["<", "</", ">", "h1", "table", "td", "<!--", "&#x", "\0", "원인", "x"])
    )
)
def test_no_broken_mark_up_raises(pieces: list[str]) -> None:
    survives(FORMAT, Document("broken.html", "<html>" + "".join(pieces)))
