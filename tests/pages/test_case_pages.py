"""The page of a case: every text, claim, place, source and similar case of its record."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from kg.library import Library
from kg.model import Status
from kg.server.pages.case import case_page, web_address
from tests.helpers.html import Element
from tests.pages.conftest import Get, page_of

REFERENCE = ("IL-0023", "IL-0025", "IL-0125", "IL-0126", "IL-0127", "IL-0417", "IL-0428", "IL-0480")


def _section(page: Element, key: str) -> Element:
    return page.one("section", aria_labelledby=key)


@pytest.mark.parametrize(
    ("case_id", "lang"), [(i, "en" if n % 2 else "ko") for n, i in enumerate(REFERENCE)]
)
def test_all_its_texts_are_there_word_for_word(
    get: Get, quick: Library, case_id: str, lang: str
) -> None:
    page, case = get(f"/cases/{case_id}?lang={lang}"), quick.get(case_id)
    assert page.one("h1").text == case.name(lang)
    for field in ("symptom", "trigger", "detection", "mitigation", "follow_up", "lesson"):
        prose = getattr(case, field)
        if prose is None:
            continue
        body = _section(page, field).all("div", _class="prose")
        told = [p.text for div in body for p in div.all("p")]
        assert told == [" ".join(p.split()) for p in prose.paragraphs(lang)]


def test_marks_hold_just_the_places_of_the_evidence(get: Get, quick: Library) -> None:
    page, case = get("/cases/IL-0480?lang=ko"), quick.get("IL-0480").resolved()
    text = case.text("symptom", "ko")
    spans = {(s.start, s.end) for _, s in case.spans() if (s.field, s.lang) == ("symptom", "ko")}
    covered = {i for a, b in spans for i in range(a or 0, b or 0) if not text[i].isspace()}
    marked = "".join(m.text for div in _section(page, "symptom").all("div", _class="prose")
                     for m in div.all("mark"))  # fmt: skip
    assert len(re.sub(r"\s", "", marked)) == len(covered)


def test_each_quotation_leads_to_its_place_in_the_text(get: Get, quick: Library) -> None:
    page, case = get("/cases/IL-0480?lang=en"), quick.get("IL-0480").resolved()
    places = [
        a.get("href") or "" for a in page.all("a") if (a.get("href") or "").startswith("#at-")
    ]
    assert len(places) > 20
    for place in places:
        field, lang, start, end = re.fullmatch(r"#at-(\w+)-(\w+)-(\d+)-(\d+)", place).groups()  # type: ignore[union-attr]
        quote = case.text(field, lang)[int(start) : int(end)]
        at = page.one(id=place[1:])
        shown = at.text if at.tag == "mark" else at.parent.text if at.parent else ""
        assert quote.split()[0] in shown


def test_every_claim_is_there_with_status_words_and_evidence(get: Get, quick: Library) -> None:
    page, case = get("/cases/IL-0480?lang=en"), quick.get("IL-0480")
    words = {
        Status.CONFIRMED: "confirmed",
        Status.SUSPECTED: "suspected",
        Status.RULED_OUT: "ruled out",
    }
    for claim_id, claim in case.claim_ids():
        if claim.kind in ("organization", "check"):
            continue
        item = page.one("li", id=f"claim-{claim_id.partition('#')[2]}")
        assert item.one("span", _class="status").text == words[claim.status]
        assert item.all("blockquote")
        if claim.statement:
            assert " ".join(claim.statement.best("en").split()) in item.text


def test_what_is_ruled_out_is_never_shown_as_a_cause(get: Get) -> None:
    section = _section(get("/cases/IL-0480?lang=en"), "cause")
    chips = {li.text for li in section.one("ul", _class="terms").all("li")}
    assert "mismatched collectives (root cause)" in chips
    ruled = [c for c in chips if c.startswith("network fault")]
    assert ruled == ["network fault ruled out"]


def test_what_is_only_suspected_says_so(get: Get) -> None:
    section = _section(get("/cases/IL-0428?lang=ko"), "cause")
    chips = [li.text for li in section.one("ul", _class="terms").all("li")]
    assert chips
    assert all("의심" in c or "배제" in c for c in chips)


def test_unknown_and_none_are_told_apart(get: Get, quick: Library) -> None:
    case = quick.get("IL-0480")
    facts = {
        d.one("dt").text: d.one("dd").text
        for d in get("/cases/IL-0480?lang=en").one("dl", _class="facts").all("div")
    }
    assert facts["Severity"] == facts["Regions"] == facts["Time to recover"] == "not stated"
    assert facts["Time to detect"] == "3h"
    assert case.severity is None
    assert facts["published"] == "2026-08-06"


def test_nothing_is_said_of_a_time_that_a_source_gives_in_seconds(tiny_client: TestClient) -> None:
    page = page_of(tiny_client, "/cases/A-1?lang=en")
    facts = {d.one("dt").text: d.one("dd").text for d in page.one("dl", _class="facts").all("div")}
    assert facts["Time to detect"] == "600 s"
    assert facts["Time to recover"] == "7,200 s"
    assert facts["Severity"] == "SEV1"


def test_related_cases_that_are_not_here_are_named_without_a_link(tiny_client: TestClient) -> None:
    section = _section(page_of(tiny_client, "/cases/A-2?lang=en"), "related")
    first, second = section.all("li")
    assert first.one("a").get("href") == "/cases/A-1?lang=en"
    assert second.text == "GONE-9 not in this library"
    assert second.all("a") == []


def test_similar_cases_come_with_reasons_and_a_comparison(get: Get, quick: Library) -> None:
    section = _section(get("/cases/IL-0480?lang=en"), "similar")
    shown = section.all("article")
    assert [a.one("span", _class="id").text for a in shown] == list(quick.similar("IL-0480").ids)
    for article in shown:
        assert "Why it is similar" in article.text
        assert re.search(r"Same cause: (yes|no|unknown)", article.text)
    first = shown[0].one("span", _class="id").text
    links = [a.get("href") for a in shown[0].all("a", _class="action")]
    assert links == [f"/explain?a=IL-0480&b={first}&lang=en"]
    assert "IL-0480" not in [a.one("span", _class="id").text for a in shown]


def test_the_check_names_the_software_of_the_case(get: Get, quick: Library) -> None:
    section = _section(get("/cases/IL-0480?lang=ko"), "check")
    names = [quick.vocabulary.terms[t].label.best("ko") for t in quick.check_components("IL-0480")]
    assert {"NCCL", "PyTorch", "학습 데이터 로더"} <= set(names)
    told = section.text
    assert all(name in told for name in names)


def test_sources_are_told_with_their_kind(get: Get) -> None:
    section = _section(get("/cases/IL-0417?lang=en"), "sources")
    (link,) = [a for a in section.all("a") if "arxiv" in (a.get("href") or "")]
    assert link.get("rel") == "noopener noreferrer nofollow"
    assert "archived copy exists" in section.text


def test_a_case_without_the_language_of_the_page_says_so(quick: Library) -> None:
    page = case_page(quick, "IL-0480", "en")
    assert page.summary.lang is None
    assert page.asked is None


@pytest.mark.parametrize(
    ("locator", "linked"),
    [
        ("https://example.org/a?b=c#d", True),
        ("http://example.org", True),
        ("HTTPS://example.org", True),
        ("javascript:alert(1)", False),
        ("https://", False),
        ("https:///evil", False),
        ("//example.org", False),
        ("owner/repo@abc : path#section", False),
        ("https://example.org/a b", False),
        ("data:text/html,x", False),
        ("incident library page IL-0480", False),
    ],
)
def test_only_plain_web_addresses_become_links(locator: str, linked: bool) -> None:
    assert web_address(locator) == (locator if linked else None)
