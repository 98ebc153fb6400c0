"""A Korean page tells of the commonest problems in Korean."""

from __future__ import annotations

import re

import pytest

from kg.errors import AmbiguousTerm, BadQuery
from kg.server.korean import korean_of
from kg.server.problems import Told
from tests.helpers.html import faults, read_html

PAGE = {"Accept": "text/html"}
HANGUL = re.compile("[가-힣]")
SAID = [
    ("/cases/IL-0481", "사례 'IL-0481'이(가) 없습니다. 이것을 찾으셨나요? IL-0480"),
    ("/topics/cause:nothing", "분류 값 'cause:nothing'이(가) 없습니다."),
    ("/cases?cause=nothing-of-the-kind", "원인 분류 값 'nothing-of-the-kind'이(가) 없습니다."),
    ("/cases?limit=201", "limit: 1부터 200까지의 정수를 쓰세요."),
    ("/cases?sort=odd", "'odd'은(는) 없습니다. recent, oldest, id 가운데 고르세요."),
    ("/cases?since=2024", "since: 2024-06-25처럼 연도부터 날짜를 다 쓰세요."),
    ("/cases?kind=odd", "'odd'은(는) 없습니다."),
    ("/cases?format=xml", "json이나 html을 쓰세요."),
    ("/search?q=%21%21%21", "글에 낱말이 없습니다."),
    (f"/search?q={'x' * 2001}", "글이 2000자를 넘습니다."),
    ("/explain?a=IL-0480&b=IL-0480", "양쪽이 모두 같은 사례(IL-0480)입니다."),
    ("/explain?a=IL-0480&b=IL-0481", "사례 'IL-0481'이(가) 없습니다. 이것을 찾으셨나요? IL-0480"),
    ("/explain?a=two words&b=three more words", "양쪽이 모두 글입니다."),
]


@pytest.mark.parametrize(("address", "words"), SAID)
def test_pages_tell_it_in_the_language_of_the_page(client, address, words):
    mark = "&" if "?" in address else "?"
    page = client.get(f"{address}{mark}lang=ko", headers=PAGE)
    assert page.status_code in (404, 422)
    read = read_html(page.text)
    note = next(p for p in read.all("p") if "note" in (p.get("class") or "") and p.get("lang"))
    assert words in note.text
    assert note.get("lang") == "ko"
    assert faults(read) == []
    english = read_html(client.get(f"{address}{mark}lang=en", headers=PAGE).text)
    note = next(p for p in english.all("p") if "note" in (p.get("class") or "") and p.get("lang"))
    assert note.get("lang") == "en"
    assert not HANGUL.search(note.text)


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"text": "NCCL", "observed": "no such term"}, "분류 값 'no such term'이(가) 없습니다."),
        (
            {
                "text": "NCCL",
                "observed": "symptom:nccl-timeout",
                "ruled_out": "symptom:nccl-timeout",
            },
            "둘 가운데 하나를 빼세요.",
        ),
        ({"text": "!!!"}, "글에 낱말이 없습니다."),
        ({"text": "x" * 8_001}, "글은 8000자까지 쓸 수 있습니다."),
    ],
)
def test_so_does_the_assistant(client, form, words):
    page = client.post("/diagnose?lang=ko", data=form, headers=PAGE)
    note = read_html(page.text).one("p", role="alert")
    assert words in note.text
    assert note.get("lang") == "ko"


def test_programs_that_say_no_language_are_told_in_english(client):
    for address, _ in SAID:
        if "sort" not in address:
            assert not HANGUL.search(client.get(address).text)


def test_what_was_asked_for_is_shown_as_text(client):
    page = client.get("/cases/<b>{0}x?lang=ko", headers=PAGE)
    assert "사례 &#39;&lt;b&gt;{0}x&#39;이(가) 없습니다." in page.text
    assert korean_of(BadQuery("<b>{1} is one case; give two")).startswith("양쪽이")


def test_a_name_of_several_terms_and_what_has_no_words_in_korean():
    told = korean_of(AmbiguousTerm("ECC", ["cause:ecc", "symptom:ecc"]))
    assert "cause:ecc, symptom:ecc" in told
    assert HANGUL.search(told)
    assert "'it's'은(는) 없습니다." in korean_of(BadQuery('no sort "it\'s"; there are recent, id'))
    assert korean_of(BadQuery("something else")) == ""
    assert Told("bad-question", "something else").words("ko") == ("something else", "en")
