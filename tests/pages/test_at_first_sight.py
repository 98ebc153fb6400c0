"""What a reader sees first: causes and fix of a case, ways to what lies below, answers at once."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from starlette.testclient import TestClient

from kg.library import Library
from kg.server.pages.diagnose import Part, _named
from kg.server.pages.names import Names
from kg.server.pages.words import word
from tests.helpers.html import Element, read_html
from tests.pages.conftest import Get, page_of

REFERENCE = ("IL-0023", "IL-0025", "IL-0126", "IL-0417", "IL-0428", "IL-0480")
CSS = files("kg.server.pages").joinpath("assets", "pages.css").read_text(encoding="utf-8")


def glance(page: Element) -> dict[str, Element]:
    rows = page.one("dl", _class="glance")
    return {dt.text: dd for dt, dd in zip(rows.all("dt"), rows.all("dd"), strict=True)}


@pytest.mark.parametrize("case_id", REFERENCE)
@pytest.mark.parametrize("lang", ["en", "ko"])
def test_causes_and_fix_stand_at_the_head_of_a_case(
    get: Get, quick: Library, case_id: str, lang: str
) -> None:
    seen = glance(get(f"/cases/{case_id}?lang={lang}"))
    case, names = quick.get(case_id).resolved(), Names(quick, lang)
    assert list(seen) == [word(f"field.{f}", lang) for f in ("cause", "mitigation")]
    for kind in ("cause", "mitigation"):
        told = seen[word(f"field.{kind}", lang)]
        stated = names.stated(case, kind)
        assert [a.text for a in told.all("a")][: len(stated)] == [s.term.label for s in stated]
        for item, term in zip(told.all("li"), stated, strict=False):
            assert (word("status.suspected", lang) in item.text) == (term.status == "suspected")


def test_what_is_ruled_out_is_no_cause_at_the_head(tiny_client: TestClient) -> None:
    told = glance(page_of(tiny_client, "/cases/B-2?lang=en"))["Cause"]
    (only,) = told.all("li")
    assert only.one("span").text == "suspected"
    assert "mismatched collectives" not in told.text


def test_what_is_not_stated_is_said_to_be_unknown_at_the_head_too(
    tiny_client: TestClient,
) -> None:
    assert glance(page_of(tiny_client, "/cases/A-2?lang=ko"))["조치"].text == "적혀 있지 않음"
    assert glance(page_of(tiny_client, "/cases/A-2?lang=en"))["Mitigation"].text == "not stated"


def test_a_fix_that_is_told_without_a_term_is_pointed_at(get: Get, quick: Library) -> None:
    for case_id in REFERENCE:
        case = quick.get(case_id).resolved()
        told = glance(get(f"/cases/{case_id}?lang=en"))["Mitigation"]
        if case.mitigation is not None and not Names(quick, "en").stated(case, "mitigation"):
            assert told.one("a").get("href") == "#mitigation"


@pytest.mark.parametrize("case_id", REFERENCE)
def test_the_contents_lead_to_every_part_that_says_something(get: Get, case_id: str) -> None:
    page = get(f"/cases/{case_id}?lang=en")
    links = [a.get("href") or "" for a in page.one("nav", _class="toc").all("a")]
    ids = {e.get("id") for e in page.walk()}
    assert {link[1:] for link in links} <= ids
    telling = [
        f"#{s.get('aria-labelledby')}"
        for s in page.all("section", _class="part")
        if s.all("div", _class="prose") or s.all("li")
    ]
    assert links == [*telling, "#sources", "#similar"]


def test_fields_that_are_not_stated_take_little_room_and_stay_in_their_place(get: Get) -> None:
    page = get("/cases?symptom=training-job-failure&lang=ko")
    rows = [
        d for dl in page.all("dl", _class="fields") for d in dl.children if not isinstance(d, str)
    ]
    small = [row for row in rows if "unsaid" in (row.get("class") or "")]
    assert small
    assert {row.one("dd").text for row in small} <= {"적혀 있지 않음", "없음"}
    for row in rows:
        if row not in small:
            assert row.one("dd").text not in ("적혀 있지 않음", "없음")


def test_only_what_has_more_can_be_unfolded(get: Get, tiny_client: TestClient) -> None:
    for page in (get("/cases?lang=en"), page_of(tiny_client, "/cases?lang=en")):
        for card in page.all("article"):
            for details in card.all("details"):
                assert re.search(r"\d+ more", details.one("summary").text), card.text
                assert details.all("li") or details.all("p")


def test_a_narrow_page_has_a_way_to_the_filters_below(get: Get) -> None:
    page = get("/cases?lang=ko")
    way = page.one("p", _class="to-facets").one("a")
    assert page.one(id=(way.get("href") or "")[1:]).text == "필터"
    assert ".to-facets { display: none; }" in CSS
    narrow = CSS[CSS.index("@media (max-width: 52rem)") :]
    assert ".to-facets { display: block; }" in narrow[: narrow.index("@media (max-width: 40rem)")]


def test_written_lists_without_filters_offer_no_way_to_them(pages: dict[str, Element]) -> None:
    for name, page in pages.items():
        for way in page.all("p", _class="to-facets"):
            assert page.one(id=(way.one("a").get("href") or "")[1:]), name


def test_the_content_keeps_its_distance_from_the_head() -> None:
    """`.wide` sets the padding of `main` too, so that a rule for `main` alone loses."""
    assert re.search(r"^main\.wide \{ padding-block: 1rem", CSS, re.MULTILINE)


def test_a_badge_stands_apart_from_what_follows(tiny_client: TestClient) -> None:
    page = tiny_client.get("/topics/cause:link-down?lang=en").text
    assert 'class="badge">study</span> <span' in page.replace("\n", " ")


def test_the_answer_of_the_assistant_is_what_is_seen_first(tiny_client: TestClient) -> None:
    form = page_of(tiny_client, "/diagnose?lang=ko").one("form", _class="diagnose")
    address, _, place = (form.get("action") or "").partition("#")
    answer = tiny_client.post(address, data={"text": "NCCL timeout, the job failed"})
    assert read_html(answer.text).one(id=place).tag == "h2"
    wrong = tiny_client.post(address, data={"text": "NCCL timeout", "observed": "no such term"})
    problem = read_html(wrong.text).one(id=place)
    assert problem.get("role") == "alert"
    assert "no such term" in problem.text


def test_cases_and_terms_that_the_assistant_names_are_links(tiny_client: TestClient) -> None:
    answer = tiny_client.post("/diagnose?lang=en", data={"text": "NCCL timeout, the job failed"})
    page = read_html(answer.text)
    lines = [li for ul in page.all("ul", _class="told") for li in ul.all("li")]
    links = {a.text: a.get("href") for li in lines for a in li.all("a") if not a.get("class")}
    assert links.get("A-1") == "/cases/A-1?lang=en"
    terms = {t: h for t, h in links.items() if ":" in t}
    assert terms
    assert all(h == f"/topics/{t}?lang=en" for t, h in terms.items())


@pytest.mark.parametrize(
    ("run", "names"),
    [
        ("A-1 (cause:mismatch): 5 %", ["A-1", "cause:mismatch"]),
        ("A-1, A-2.", ["A-1", "A-2"]),
        ("xA-1 A-10 A-1x cause:mismatches", []),
        ("<b>A-1</b>", ["A-1"]),
        ("사례 A-1은 cause:mismatch이다", ["A-1", "cause:mismatch"]),
        ("", []),
        ("no name", []),
    ],
)
def test_only_whole_names_are_links_and_no_word_is_lost(
    tiny: Library, run: str, names: list[str]
) -> None:
    parts = list(_named(tiny, run))
    assert "".join(p.text for p in parts) == run
    assert [p.text for p in parts if p.case or p.term] == names
    assert all(p == Part(p.text, case=p.case, term=p.term) for p in parts)
