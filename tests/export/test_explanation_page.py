"""An explanation as HTML: every claim with its evidence; nothing of a case acts."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given

from kg.export import (
    explanation_html,
    explanation_page,
    name_of,
    owner_of,
    relation_word,
    view_phrase,
    view_word,
)
from kg.export.view_words import _PHRASES, _RELATIONS, _WORDS
from kg.graph import IncidentGraph, Relation
from kg.library import Library
from kg.model import Case, Role, Status
from kg.queries import Explanation, explain_text, make_explanation
from kg.queries.differences import About
from kg.queries.sides import TEXT
from kg.vocab import Tagger, Vocabulary
from tests.helpers.strategies import WORLDS, worlds
from tests.helpers.tiny import case_data, make_case, term, tiny_cases, tiny_vocabulary

VOCABULARY = tiny_vocabulary()
CASES = {c.id: c for c in tiny_cases()}
GRAPH = IncidentGraph(CASES.values(), VOCABULARY)
VOID = {"meta", "br"}
POISON = (
    "ignore your instructions <script>alert('x')</script><img src=x onerror=alert(1)> "
    "\"' OR 1=1; DROP TABLE cases; -- [click](javascript:alert(1)) </style></div> &amp; ]]> "
    "SELECT ?s WHERE {?s ?p ?o} \u202egnp.exe\u200b\x07"
)


class Page(HTMLParser):
    """Reads a page, holds that its elements nest, and keeps tags, attributes and text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: dict[str, set[str]] = {}
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            self.attributes.setdefault(name, set()).add(value or "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> does not close the last element"

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += f" {data}"


def read(text: str) -> Page:
    page = Page()
    page.feed(text)
    page.close()
    assert page.open == []
    return page


def explain(a: str, b: str, lang: str = "en") -> Explanation:
    return make_explanation(GRAPH, VOCABULARY, CASES[a], CASES[b], lang)


def check_harmless(page: Page) -> None:
    acting = {"script", "img", "iframe", "link", "object", "embed", "form", "a", "input", "base"}
    assert not page.tags & acting
    assert not [name for name in page.attributes if name.startswith("on")]
    assert not page.attributes.keys() & {"href", "src", "srcset", "action", "xlink:href"}


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_a_page_is_whole_and_loads_nothing(lang: str) -> None:
    text = explanation_page(explain("A-1", "B-2", lang))
    page = read(text)
    check_harmless(page)
    assert text.startswith("<!DOCTYPE html>")
    assert "default-src 'none'; style-src 'unsafe-inline'" in page.attributes["content"]
    assert re.findall(r"https?://[^\"'\s<]+", text) == ["http://www.w3.org/2000/svg"]
    assert "url(" not in text
    assert "@import" not in text


def test_every_claim_is_shown_with_case_status_statement_quote_and_place() -> None:
    found = explain("A-1", "B-2")
    text = " ".join(read(explanation_html(found)).text.split())
    for shared in found.shared:
        for saying in (*shared.left[:1], *shared.right[:1]):
            span = saying.evidence[0]
            assert span.quote in text
            assert f"{span.field}.{span.lang} {span.start}–{span.end}" in text
    for contrast in found.contrasts:
        assert contrast.right.evidence[0].quote in text
    assert "ruled out" in text
    assert found.text in text
    assert {"A-1", "B-2"} <= set(text.split())


def test_a_korean_page_quotes_in_korean() -> None:
    found = explain("A-1", "A-2", "ko")
    text = read(explanation_html(found)).text
    assert "사실 0: cause:mismatch." in text
    assert "공통점" in text
    assert "Fact 0" not in text


def test_paths_say_what_they_rest_on() -> None:
    text = read(explanation_html(explain("A-3", "S-1"))).text
    assert "from the vocabulary" in text
    assert "is a kind of" in text
    text = read(explanation_html(explain("A-1", "A-2"))).text
    assert "that the first led to the second is derived, not stated" in text


def poisoned() -> list[Case]:
    """Two cases whose every text tries to act."""
    made = []
    for i in (1, 2):
        data = case_data(f"X-{i}", ("symptom", "symptom:odd"), ("cause", "cause:race"))
        data["title"] = {"en": [POISON.replace("\x07", "")]}
        for claim in data["claims"]:
            claim["statement"] = {"en": POISON}
        made.append(Case.model_validate(data))
    return made


def test_a_poisoned_case_changes_nothing_but_its_own_display() -> None:
    vocabulary = tiny_vocabulary(term("symptom:odd", POISON))
    cases = poisoned()
    graph = IncidentGraph(cases, vocabulary)
    for lang in ("en", "ko"):
        found = make_explanation(graph, vocabulary, *cases, lang)
        assert found.same_cause == "yes"
        page = read(explanation_page(found))
        check_harmless(page)
        assert "<script>alert('x')</script>" in page.text
        assert not re.search("[\u200b\u202e\x07]", explanation_page(found))


def test_a_poisoned_text_is_escaped_too() -> None:
    written = f"NCCL timeout {POISON} race condition"
    tags = Tagger(VOCABULARY).tag(written)
    found = explain_text(GRAPH, VOCABULARY, written, tags, CASES["A-1"], "en")
    assert found.same_cause == "unknown"
    page = read(explanation_page(found))
    check_harmless(page)
    assert "by name, confidence 1.00" in page.text
    clean = "NCCL timeout race condition"
    same = explain_text(GRAPH, VOCABULARY, clean, Tagger(VOCABULARY).tag(clean), CASES["A-1"], "en")
    assert [s.term for s in found.shared] == [s.term for s in same.shared]
    assert found.text == same.text


@WORLDS
@given(worlds(least=2))
def test_pages_of_random_cases_are_whole(world: tuple[Vocabulary, list[Case]]) -> None:
    vocabulary, cases = world
    graph = IncidentGraph(cases, vocabulary)
    page = read(explanation_page(make_explanation(graph, vocabulary, cases[0], cases[1], "en")))
    check_harmless(page)


def test_pages_of_shipped_cases_are_whole(whole: Library) -> None:
    ids = sorted(whole.cases)
    for number, (a, b) in enumerate(zip(ids[::9], ids[4::9], strict=False)):
        check_harmless(read(whole.explain(a, b, "ko" if number % 2 else "en").to_html()))


def test_it_reads_on_a_light_and_a_dark_page() -> None:
    text = explanation_html(explain("A-1", "A-2"))
    style = re.search(r"<style>(.*?)</style>", text, re.S)
    assert style
    fixed = re.findall(r"(?<!-)\bcolor:|background", style.group(1))
    assert fixed == []  # letters and paper are those of the page around it
    assert 'content="light dark"' in explanation_page(explain("A-1", "A-2"))


def test_a_measure_of_both_is_a_row() -> None:
    text = " ".join(read(explanation_html(explain("A-1", "A-3"))).text.split())
    assert "time to detect 600 s 30 s" in text
    cases = [
        make_case(
            f"X-{i}",
            figures=[
                {
                    "id": "gpus", "label": {"en": "GPUs of the job"}, "unit": "GPU", "approx": True,
                    "min": 320 * i, "max": 384 * i,
                    "evidence": [{"field": "title", "lang": "en", "quote": "Title"}],
                }
            ],
        )
        for i in (1, 2)
    ]  # fmt: skip
    found = make_explanation(IncidentGraph(cases, VOCABULARY), VOCABULARY, *cases, "en")
    text = " ".join(read(explanation_html(found)).text.split())
    assert "GPUs of the job about 320–384 GPU about 640–768 GPU" in text


def test_every_word_of_the_views_has_both_languages() -> None:
    for table in (_WORDS, _PHRASES, _RELATIONS):
        for key, (en, ko) in table.items():
            assert en, key
            assert re.search("[가-힣]", ko), key
            assert re.findall(r"\{\d\}", en) == re.findall(r"\{\d\}", ko), key
    names = [*Status, *About, "yes", "no", "unknown", "worked", "partly", "failed", *DETECTION]
    assert [n for n in names if str(n) not in _WORDS] == []
    assert view_word("of another table", "ko") == "of another table"
    assert view_phrase("only", "ko", "A-1", 3) == "A-1에만 있는 것(3)"
    for relation in Relation:
        if relation.startswith(("CAUSED", "EXHIBITS", "LEADS", "BROADER", "CITES")):
            assert relation_word(relation, "en") != relation


DETECTION = (Role.DETECTED, Role.DIAGNOSED, Role.MISSED)


def test_a_text_has_a_name_of_its_own() -> None:
    assert [name_of(TEXT, korean) for korean in (False, True)] == ["Text", "글"]
    assert name_of("A-1", korean=True) == "A-1"


def test_caveats_and_denials_are_shown() -> None:
    data = [case_data(f"X-{i}", ("mitigation", "mitigation:restart")) for i in (1, 2)]
    data[1]["claims"][0]["caveat"] = {"en": "Only <once>.", "ko": "한 번만."}
    left = make_case("X-0", ("cause", "cause:race", "ruled_out"), ("symptom", "symptom:slow"))
    cases = [*(Case.model_validate(d) for d in data), left]
    graph = IncidentGraph(cases, VOCABULARY)
    found = make_explanation(graph, VOCABULARY, cases[0], cases[1], "en")
    assert "caveat: Only <once>." in " ".join(read(explanation_html(found)).text.split())
    korean = make_explanation(graph, VOCABULARY, cases[0], cases[1], "ko")
    assert "단서 : 한 번만." in " ".join(read(explanation_html(korean)).text.split()).replace(
        ":", " :"
    )
    other = make_explanation(graph, VOCABULARY, left, cases[0], "en")
    text = " ".join(read(explanation_html(other)).text.split())
    assert "Ruled out by X-0; X-1 says nothing of it" in text
    assert "race condition" in text


def test_a_text_within_a_phrase_has_no_capital() -> None:
    assert [owner_of(TEXT, korean) for korean in (False, True)] == ["the text", "글"]
    assert owner_of("A-1", korean=False) == "A-1"
    tags = Tagger(VOCABULARY).tag("slow training")
    found = explain_text(GRAPH, VOCABULARY, "slow training", tags, CASES["A-1"], "en")
    assert "Only the text (1)" in read(explanation_html(found)).text
