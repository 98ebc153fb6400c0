"""HTML as blocks of plain text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.readers.blocks import sections
from kg.readers.htmltext import html_blocks, html_text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a</p><p>b</p>", "a\n\nb"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<ul><li>a</li><li><p>b</p></li></ul>", "a\n\nb"),
        ("x &amp;lt; y &amp; z", "x &lt; y & z"),
        ("<p>a<script>alert(1)</script><style>p{}</style></p>", "a"),
        ("<p>a<span hidden>b</span><i style='display: none'>c</i>d</p>", "ad"),
        ("<div>a<div>b</div>c</div>", "a\n\nb\n\nc"),
        ("<b>un</b><i>believable</i>", "unbelievable"),
        ("a\n   b", "a b"),
        ("<p>unclosed <b>bold", "unclosed bold"),
        ("<!-- no --><p>a</p>", "a"),
        ("</p></div>a", "a"),
        ("", ""),
    ],
)
def test_text(html: str, text: str) -> None:
    assert html_text(html) == text


def test_headings_lists_tables_and_listings() -> None:
    html = (
        "<h2>Impact</h2><p><strong>Who:</strong> all</p><ol><li>a<ul><li>b</li></ul></li></ol>"
        "<table><tr><th>Time</th><th>Event</th></tr><tr><td>10:00</td><td>an <b>alarm</b></td></tr>"
        "</table><pre>  x\n    y</pre>"
    )
    assert [(b.kind, b.level, b.text) for b in html_blocks(html)] == [
        ("heading", 2, "Impact"),
        ("text", 0, "Who: all"),
        ("item", 1, "a"),
        ("item", 2, "b"),
        ("row", 1, "Time | Event"),
        ("row", 0, "10:00 | an alarm"),
        ("code", 0, "  x\n    y"),
    ]
    assert html_blocks(html)[1].label == "Who:"
    assert html_blocks(html)[5].cells == ("10:00", "an alarm")


def test_links_are_http_only_unless_all_are_asked_for() -> None:
    html = (
        '<p><a href="https://x.example/a">a</a><a href="javascript:x()">b</a><a href="/c">c</a></p>'
    )
    assert html_blocks(html)[0].links == ("https://x.example/a",)
    assert "/c" in html_blocks(html, all_links=True)[0].links


def test_labels_side_by_side_are_kept_apart_on_demand() -> None:
    html = "<p>now <a>one</a><a>two</a> <a>three</a></p>"
    assert html_blocks(html, between="¦")[0].text == "now one¦two three"


def test_lines_are_those_of_the_document() -> None:
    assert [b.line for b in html_blocks("<p>a</p>\n\n<p>b</p>", line=10)] == [10, 12]


def test_a_bold_line_that_names_a_part_opens_it() -> None:
    found = sections(html_blocks("<p><b>Root cause:</b></p><p>A lock.</p><p><b>Anything</b></p>"))
    assert [(s.heading, [b.text for b in s.blocks]) for s in found] == [
        ("", []),
        ("Root cause", ["A lock.", "Anything"]),
    ]


def test_deep_nesting_is_read_to_the_end() -> None:
    html = "<div>" * 5000 + "deep" + "</div>" * 5000
    assert "deep" in html_text(html)


@given(st.text(alphabet="<>/abp=\"'&;!- \n\x00\ud800tr", max_size=80))
def test_nothing_is_raised(html: str) -> None:
    for block in html_blocks(html):
        assert block.text.strip()
        assert "\x00" not in block.text
