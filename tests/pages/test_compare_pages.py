"""Two cases beside each other: verdict, reasons from both sides, and the places marked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from kg.library import Library
from kg.server.pages.compare import SayingView, compare_page
from tests.helpers.html import read_html
from tests.pages.conftest import Get, page_of

A, B = "IL-0480", "IL-0428"
TEXT = "GPUs show 100 percent but power fell to 190 W; no OOM"


def _sayings(library: Library, a: str, b: str, lang: str) -> Iterator[SayingView]:
    page = compare_page(library, a, b, lang)
    for both in (*page.shared, *page.contrasts, *page.excluded):
        yield from (*both.left, *both.right)
    for _, said in page.denied:
        yield from said
    for only in page.only:
        for _, said in only.kinds:
            yield from said
    for path in page.paths:
        for step in path.steps:
            yield from step.sayings


@pytest.mark.parametrize("lang", ["en", "ko"])
@pytest.mark.parametrize(("a", "b"), [(A, B), ("IL-0023", "IL-0025"), ("IL-0417", "IL-0025")])
def test_every_marked_place_is_the_evidence(quick: Library, a: str, b: str, lang: str) -> None:
    said = list(_sayings(quick, a, b, lang))
    assert len(said) > 20
    for saying in said:
        found = saying.quotation
        assert found is not None
        assert saying.case_id is not None
        text = quick.get(saying.case_id).text(found.field, found.lang)
        assert text[found.start : found.end] == found.quote
        assert found.before + found.quote + found.after in text


def test_the_verdict_and_the_paragraph_are_those_of_the_library(get: Get, quick: Library) -> None:
    for lang, unknown in (("en", "unknown"), ("ko", "알 수 없음")):
        page, found = get(f"/explain?a={A}&b={B}&lang={lang}"), quick.explain(A, B, lang)
        assert page.one("p", _class="verdict").one("strong").text == unknown
        assert page.one("main").all("p", _class="lead")[-1].text == " ".join(found.text.split())
        assert (
            page.one("section", aria_labelledby="shared")
            .one("h2")
            .text.endswith(f"{len(found.shared)}" if lang == "en" else f"{len(found.shared)}개")
        )


def test_what_both_share_is_told_with_both_sides(get: Get, quick: Library) -> None:
    page = get(f"/explain?a={A}&b={B}&lang=en")
    parts = page.one("section", aria_labelledby="shared").all("div", _class="both")
    found = quick.explain(A, B).shared
    assert len(parts) == len(found)
    for part, shared in zip(parts, found, strict=True):
        assert quick.vocabulary.terms[shared.term].label.best("en") in part.one("h3").text
        sides = {s.one("strong").text for s in part.all("div", _class="saying")}
        assert sides == {A, B}
        assert len(part.all("mark")) == len(part.all("div", _class="saying"))


def test_status_stands_in_words_beside_every_claim(get: Get) -> None:
    page = get(f"/explain?a={A}&b={B}&lang=ko")
    for saying in page.all("div", _class="saying"):
        status = saying.one("span", _class="status")
        kind = next(c for c in (saying.get("class") or "").split() if c != "saying")
        assert status.text == {"confirmed": "확정", "suspected": "의심", "ruled_out": "배제"}[kind]


def test_each_claim_leads_to_its_place_in_the_case(get: Get) -> None:
    page = get(f"/explain?a={A}&b={B}&lang=en")
    links = {a.get("href") or "" for s in page.all("div", _class="saying") for a in s.all("a")}
    ids = {case: {e.get("id") for e in get(f"/cases/{case}?lang=en").walk()} for case in (A, B)}
    for link in links:
        case, _, claim = link.removeprefix("/cases/").partition("?lang=en#")
        if not claim.startswith(("claim-organization", "claim-check", "claim-None")):
            assert claim in ids[case], link


def test_a_text_is_compared_without_a_verdict(get: Get) -> None:
    page = get(f"/explain?a={TEXT}&b={A}&lang=en")
    assert page.one("p", _class="verdict").one("strong").text == "unknown"
    assert page.one("p", _class="pre").text == TEXT
    marked = [m.text for s in page.all("div", _class="saying") if s.one("strong").text == "the text"
              for m in s.all("mark")]  # fmt: skip
    assert all(" ".join(m.split()) in TEXT for m in marked)


def test_the_picture_has_a_name_and_stands_in_words_below(get: Get) -> None:
    page = get(f"/explain?a={A}&b={B}&lang=en")
    figure = page.one("div", _class="picture")
    assert figure.all("svg")[0].get("role") == "img"
    assert figure.all("title")[0].text == f"{A} – {B}"


@pytest.mark.parametrize(
    ("a", "b", "told"),
    [
        (A, A, "one case"),
        (A, "IL-9999", "no case"),
        ("two words", "three more words", "both are texts"),
    ],
)
def test_what_cannot_be_compared_is_said_beside_the_form(
    client: TestClient, a: str, b: str, told: str
) -> None:
    answer = client.get(f"/explain?a={a}&b={b}&lang=en")
    assert answer.status_code == 422
    page = read_html(answer.text)
    assert told in page.one("p", role="alert").text
    assert page.one("input", id="a").get("value") == a


def test_the_form_offers_every_case(get: Get, quick: Library) -> None:
    page = get("/explain?lang=ko")
    assert [o.get("value") for o in page.one("datalist").all("option")] == sorted(quick.cases)


def test_derived_steps_are_said_to_be_derived(get: Get, quick: Library) -> None:
    page = get(f"/explain?a={A}&b={B}&lang=en")
    items = [li for li in page.one("section", aria_labelledby="paths").one("ol").children
             if not isinstance(li, str)]  # fmt: skip
    for item, path in zip(items, quick.explain(A, B).paths, strict=False):
        assert ("derived, not stated" in item.all("p")[0].text) == path.derived


def test_sources_in_common_are_told_by_their_kind(hostile_client: TestClient) -> None:
    page = page_of(hostile_client, "/explain?a=H-1&b=H-2&lang=en")
    assert "blog" in page.one("section", aria_labelledby="paths").text
