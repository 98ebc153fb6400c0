"""Answers show themselves: labels in the language, the numbers that they hold, escaped."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from kg.library import Library
from kg.queries import plain
from kg.queries.shown import Labels
from kg.queries.view_words import chance_text, say, time_text
from tests.helpers.planted import EVIL

ALLOWED = {
    "div", "style", "p", "span", "b", "br", "h4", "blockquote", "details", "summary",
    "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip


class Reader(HTMLParser):
    """Tags and text as a browser would see them; every tag is closed."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert {name for name, _ in attrs} <= {"class", "lang", "style"}
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.text += data + " "


def read(found: Any) -> Reader:
    return Reader(found._repr_html_())


def answers(library: Library, lang: str) -> dict[str, Any]:
    return {
        "hits": library.search("NCCL timeout", k=3, threshold=0.0, lang=lang),
        "similar": library.similar("IL-0480", k=2, lang=lang),
        "page": library.list(limit=3, lang=lang),
        "topic": library.topic("symptom:nccl-timeout", lang),
        "common": library.common(symptom="symptom:nccl-timeout", kind="component", lang=lang),
        "patterns": library.patterns(limit=3, lang=lang),
        "recurrences": library.recurrences(lang=lang),
        "stats": library.stats("cause", lang=lang),
        "trends": library.trends("component", lang=lang),
        "what_if": library.what_if("cause:configuration-error", lang=lang),
    }


@pytest.fixture(scope="module")
def english(whole: Library) -> dict[str, Any]:
    return answers(whole, "en")


@pytest.fixture(scope="module")
def korean(whole: Library) -> dict[str, Any]:
    return answers(whole, "ko")


NAMES = ("hits", "similar", "page", "topic", "common", "patterns", "recurrences", "stats",
         "trends", "what_if")  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_view_is_plain_well_formed_html(
    english: dict[str, Any], korean: dict[str, Any], name: str
) -> None:
    for found in (english[name], korean[name]):
        assert set(read(found).tags) <= ALLOWED
    assert 'lang="ko"' in korean[name]._repr_html_()


@pytest.mark.parametrize("name", NAMES)
def test_a_view_speaks_the_language_that_was_asked(korean: dict[str, Any], name: str) -> None:
    text = read(korean[name]).text
    assert re.search("[가-힣]", text)
    assert not re.search(r"\b(cause|component|symptom|organization):[a-z]", text) or name == "topic"


def test_hits_show_what_they_rest_on(english: dict[str, Any]) -> None:
    text = read(english["hits"]).text
    for hit in english["hits"]:
        assert hit.id in text
        assert hit.title in text
        assert f"{hit.probability:.0%}" in text
        assert " ".join(hit.passages[0].text.split()) in text
    assert "same cause: unknown" in text


def test_nothing_similar_is_said_with_the_nearest(whole: Library) -> None:
    found = whole.search("NCCL timeout", threshold=1.0)
    text = read(found).text
    assert found.message in text
    assert found.weaker[0].id in text


def test_counts_stand_with_their_n(english: dict[str, Any]) -> None:
    found = english["common"]
    text = read(found).text
    for item in found.items[:12]:
        assert f"{item.n} / {item.of}" in text
        assert found.label(item.term) in text
    assert found.note in text


def test_weaker_patterns_stand_apart(english: dict[str, Any]) -> None:
    text = read(english["patterns"]).text
    assert text.index("Beyond chance") < text.index("may well be chance")


def test_too_few_values_have_no_median(english: dict[str, Any]) -> None:
    found = english["stats"]
    few = [g for g in found.groups if g.key and 0 < g.recover.n < 3]
    assert few
    assert "too few" in read(found).text


def test_a_median_that_is_open_is_told_by_its_bounds(english: dict[str, Any]) -> None:
    found = english["stats"]
    few = [g for g in found.groups if g.key and g.recover.n][:12]
    still = [g.recover.between["median"] for g in few if "median" in g.recover.between]
    assert still
    text = read(found).text
    for low, high in still:
        least = time_text(low, "en")
        assert (f"≥ {least}" if high is None else f"{least} … {time_text(high, 'en')}") in text


def test_trends_that_may_be_chance_are_said_to_be_unclear(whole: Library) -> None:
    found = whole.trends("cause")
    assert not found.items
    assert found.others
    text = read(found).text
    assert "No term rises or falls beyond chance." in text
    assert "unclear" in text
    assert found.label(max(found.others, key=lambda t: t.n).term) in text


def test_recurrences_name_owner_cases_and_follow_ups(english: dict[str, Any]) -> None:
    found = english["recurrences"]
    text = read(found).text
    for item in found:
        assert item.earlier in text
        assert item.later in text
        assert found.label(item.organization) in text


def test_what_if_counts_what_is_gone(english: dict[str, Any]) -> None:
    found = english["what_if"]
    text = read(found).text
    assert f"{len(found.gone)} / {found.of}" in text
    assert found.note in text


@pytest.mark.parametrize("name", ["common", "patterns", "recurrences", "stats", "trends", "page"])
def test_empty_answers_are_shown_as_such(quick: Library, name: str) -> None:
    empty = {
        "common": lambda: quick.common(["IL-0023", "IL-0428"], "cause"),
        "patterns": lambda: quick.patterns(["IL-0023"]),
        "recurrences": lambda: quick.recurrences([]),
        "stats": lambda: quick.stats("cause", []),
        "trends": lambda: quick.trends("cause", case_ids=[]),
        "page": lambda: (
            quick.list(cause="cause:fire")
            if "cause:fire" in quick.vocabulary
            else quick.list(offset=99)
        ),
    }[name]()
    assert set(read(empty).tags) <= ALLOWED


def test_a_view_adds_nothing_to_the_answer(whole: Library) -> None:
    """Labels are for showing: equality, repr and JSON are those of the answer alone."""
    one, two = whole.recurrences(lang="en"), whole.recurrences(lang="en")
    assert one == replace(two, labels={}, lang="ko")
    assert "labels" not in repr(one)
    data = plain(one)
    assert "labels" not in data
    assert "lang" not in data
    json.dumps(data)


def test_without_labels_ids_are_shown(whole: Library) -> None:
    found = replace(whole.recurrences(), labels={})
    assert found[0].organization in read(found).text


def test_labels_are_looked_up_when_asked(whole: Library) -> None:
    labels = Labels(whole.vocabulary, "ko")
    assert labels["symptom:nccl-timeout"] == "NCCL 타임아웃"
    assert len(labels) == len(whole.vocabulary.terms)
    assert set(labels) == set(whole.vocabulary.terms)
    with pytest.raises(KeyError):
        labels["symptom:nothing"]


def test_text_of_cases_is_text(english: dict[str, Any]) -> None:
    hits = english["hits"]
    passage = replace(hits[0].passages[0], text=EVIL)
    evil = replace(hits, items=(replace(hits[0], title=EVIL, passages=(passage,)),))
    html = evil._repr_html_()
    assert set(read(evil).tags) <= ALLOWED
    assert html.count("&lt;script&gt;alert(1)&lt;/script&gt;") == 2
    assert "\u202e" not in html


def test_a_table_of_sql_shows_null_as_not_stated(whole: Library) -> None:
    table = whole.sql("SELECT ? AS a, NULL AS b, 1234567 AS c", [EVIL])
    seen = read(table)
    assert set(seen.tags) <= ALLOWED
    assert "<script>alert(1)</script>" in seen.text
    assert "–" in seen.text
    assert "1,234,567" in seen.text


@pytest.mark.parametrize(
    ("seconds", "en", "ko"),
    [(None, None, None), (0, "0 s", "0초"), (90, "90 s", "90초"), (7200, "2 h", "2시간"),
     (86400 * 3, "3 d", "3일"), (150, "2.5 min", "2.5분")],
)  # fmt: skip
def test_times_in_the_unit_that_suits_them(seconds: float | None, en: str, ko: str) -> None:
    assert time_text(seconds, "en") == en
    assert time_text(seconds, "ko") == ko


def test_small_words() -> None:
    assert chance_text(0.0312) == "0.031"
    assert chance_text(0.000042) == "4e-05"
    assert say("no such word", "ko") == "no such word"
    assert say("total", "ko", 3) == "맞는 사례 3건"
