"""Plain text out of Markdown, HTML and Jira's mark-up; which field a heading speaks of."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.readers.headings import field_of
from kg.readers.jiratext import document_text, wiki_text
from kg.readers.jsonvalues import host, inside, named, objects, prose, unwrapped, word
from kg.readers.plaintext import html_text, marked_text
from kg.readers.sketch import language
from kg.readers.stated import stated_none
from tests.helpers.strategies import QUICK


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("**bold** and *em* and `a*b*c`", "bold and em and a*b*c"),
        (
            "set NCCL_IB_TIMEOUT and __init__ to 5 * 3 * 2",
            "set NCCL_IB_TIMEOUT and __init__ to 5 * 3 * 2",
        ),
        ("[a page](https://norn.example/a_(b)) here", "a page here"),
        ("[bad](javascript:alert(1))", "bad"),
        ("![graph](https://norn.example/g.png)", "graph"),
        ("<https://norn.example/x>", "https://norn.example/x"),
        ("* one\n+ two\n- three", "- one\n- two\n- three"),
        ("> quoted", "quoted"),
        ("```sh\n# not a heading\nrm *.log\n```", "# not a heading\nrm *.log"),
        ("a &lt;rank&gt; &amp;amp; b", "a <rank> &amp; b"),
        ("List<String> of <rank> < 3", "List<String> of <rank> < 3"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<p>one</p><p>two &amp; three</p>", "one\n\ntwo & three"),
        ("<script>x()</script><style>a{}</style><p>seen</p>", "seen"),
        ("<div style='display: none'>no<b>no</b></div>yes", "yes"),
        ("<span hidden>no</span>yes<img src=x>", "yes"),
        ("<ul><li>one</li><li>two</li></ul>", "- one\n- two"),
        ("run `<b>x</b>` <b>now</b>", "run <b>x</b> now"),
        ("line\x00 one\r\nline\ud800 two", "line one\nline two"),
        ("**This is solved.**", "This is solved."),
    ],
)
def test_markdown_and_html(marked: str, plain: str) -> None:
    assert marked_text(marked).text == plain


def test_headings_of_all_kinds_are_found() -> None:
    text = "# One\na\n\nTwo\n---\nb\n\n**Three:**\nc\n\nRoot cause: d\nNot known: e"
    told = [(b.heading, b.text) for b in marked_text(text).blocks]
    assert told == [("One", "a"), ("Two", "b"), ("Three", "c"), ("Root cause", "d\nNot known: e")]
    found = html_text("<h2>Im<b>pact</b></h2><p>x</p>").blocks
    assert [(b.heading, b.text, b.level) for b in found] == [("Impact", "x", 2)]


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("*bold* 5 * 3 *x*", "bold 5 * 3 x"),
        ("{code:java}\nint *a*;\n{code}", "int *a*;"),
        ("{noformat}[x|y]{noformat}", "[x|y]"),
        (
            "see [the page|https://norn.example] and [https://norn.example/b]",
            "see the page and https://norn.example/b",
        ),
        ("[~accountid:5b1] wrote to [mail|mailto:a@norn.example]", "5b1 wrote to mail"),
        ("{color:red}hot{color} {{a*b}}", "hot a*b"),
        ("# one\n** two\n- three", "- one\n- two\n- three"),
        ("||a||b||\n|1|2|", "a | b\n|1|2|"),
        ("!shot one.png! !shot.png|thumbnail!", "!shot one.png! shot.png"),
        ("bq. said\n----\nend", "said\n\nend"),
        ("open {code} to the end", "open  to the end"),
    ],
)
def test_wiki_mark_up(marked: str, plain: str) -> None:
    assert wiki_text(marked).text == plain


def test_brackets_that_open_no_tag_cost_no_time() -> None:
    text = "<a" * 50_000 + "<p>end</p>"
    start = time.process_time()
    assert html_text(text).text.endswith("end")
    assert time.process_time() - start < 5
    assert html_text("<!DOCTYPE html><p>a < b <!-- no --></p>").text == "a < b"


def test_mentions_are_people_and_only_web_addresses_are_links() -> None:
    plain = wiki_text("[~mhan] [a|https://norn.example] [b|file:///etc/passwd]")
    assert plain.people == ("mhan",)
    assert plain.links == ("https://norn.example",)


def test_a_document_nested_ten_thousand_deep_is_read() -> None:
    node: dict[str, object] = {"type": "text", "text": "deep"}
    for _ in range(10_000):
        node = {"type": "panel", "content": [node]}
    assert document_text(node).text == "deep"


def test_tables_and_code_of_documents() -> None:
    def cell(text: str) -> dict[str, object]:
        inner = {"type": "paragraph", "content": [{"type": "text", "text": text}]}
        return {"type": "tableCell", "content": [inner]}

    row = {"type": "tableRow", "content": [cell("a"), cell("b")]}
    code = {"type": "codeBlock", "content": [{"type": "text", "text": "rm *.log"}]}
    card = {"type": "inlineCard", "attrs": {"url": "https://norn.example/c"}}
    read = document_text(
        {"type": "doc", "content": [{"type": "table", "content": [row]}, code, card]}
    )
    assert "rm *.log" in read.text
    assert read.links == ("https://norn.example/c",)


@QUICK
@given(st.text(alphabet=st.sampled_from("*_`#[](){}<>|!~h1.-= \n\"'&;a가\x00\ud800"), max_size=120))
def test_no_mark_up_raises_or_leaves_control_signs(text: str) -> None:
    for plain in (marked_text(text), html_text(text), wiki_text(text)):
        assert not {"\x00", "\x02", "\x03", "\ud800"} & set(plain.text)
        assert "\n\n\n" not in plain.text


@pytest.mark.parametrize(
    ("heading", "field"),
    [
        ("Root Cause(s)", "cause"), ("Root Causes:", "cause"), ("3. Root cause", "cause"),
        ("근본 원인", "cause"), ("Lessons-learned", "lesson"), ("재발 방지 대책", "follow_up"),
        ("Follow-up", "follow_up"), ("Remediation and Prevention", "follow_up"), ("Team", ""),
        ("What we did on Monday", ""), ("영향", "impact"), ("Workaround", "mitigation"),
    ],
)  # fmt: skip
def test_fields_of_headings(heading: str, field: str) -> None:
    assert field_of(heading) == field


def test_none_is_said_in_both_languages() -> None:
    assert all(map(stated_none, ("None.", "N/A", "없음", " none ")))
    assert not any(map(stated_none, ("None of them failed", "", "no")))


def test_nothing_is_no_word() -> None:
    for nothing in (None, True, [], {}, "?", "None", "-", " ", 10**5000):
        assert word(nothing) == ""
        assert prose(nothing) == ""


def test_values_are_found_whatever_lies_around_them() -> None:
    assert named(["a", {"name": "b"}, {"title": "c"}, 3, None, {"name": ["d"]}]) == ["a", "b", "3"]
    assert inside({"a": [{"b": 1}]}, "a", 0, "b") == 1
    assert inside({"a": [1]}, "a", 5) is None
    assert objects([1, {"a": 1}, []]) == [{"a": 1}]
    assert list(unwrapped({"data": [{"incident": {"x": 1}}]}, "data", "incident")) == [
        ("data.0.incident", {"x": 1})
    ]
    assert host("https://Norn.Example:8443/x") == "norn.example"
    assert host("http://[bad") == host("ftp://norn.example") == ""


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Orders fail", "en"), ("주문이 실패했다", "ko"),
        ("NCCL watchdog 시간 초과로 학습 중단", "ko"),
        ("The log-in of 한미라 failed, and so did all of the other ones that day", "en"),
        ("接続できない状態が続いた", "ja"), ("服务无法连接数据库", "zh"), ("", "en"),
    ],
)  # fmt: skip
def test_languages(text: str, lang: str) -> None:
    assert language([text]) == lang
