"""The list: chips and what they lead to, suggestions, cards, counts, groups, pages."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.testclient import TestClient

from kg.library import Library
from kg.queries.filters import filter_from_url
from tests.helpers.html import Element
from tests.pages.conftest import Get, page_of

FILTERED = "/cases?symptom=training-job-failure"
FIVE = {"IL-0023", "IL-0025", "IL-0125", "IL-0126", "IL-0127"}


def _ids(page: Element) -> list[str]:
    return [e.one("span", _class="id").text for e in page.all("article")]


def _href(page: Element, text: str) -> str:
    (found,) = [a for a in page.all("a") if a.text == text]
    return found.get("href") or ""


def test_an_applied_filter_is_a_chip_that_can_be_taken_away(get: Get) -> None:
    page = get(f"{FILTERED}&cause=hardware-failure&lang=ko")
    section = page.one("section", _class="filters")
    assert [c.text for c in section.all("span", _class="chip")] == [
        "원인: 하드웨어 고장 ×",
        "증상: 학습 작업 실패 ×",
    ]
    away = [a for a in section.all("a") if a.get("aria-label") == "필터 풀기: 하드웨어 고장"]
    left = get(away[0].get("href") or "")
    assert [c.text for c in left.one("section", _class="filters").all("span", _class="chip")] == [
        "증상: 학습 작업 실패 ×"
    ]


def test_chips_round_trip_to_the_address(get: Get, quick: Library) -> None:
    wanted = quick.filter(
        symptom=["학습 작업 실패", "NCCL timeout"], kind="incident", since="2020-01-01"
    )
    page = get(f"/cases?{wanted.to_url()}")
    links = [a.get("href") or "" for a in page.all("a", rel="next")] or [
        _href(page, "oldest first")
    ]
    asked = urlsplit(links[0]).query.replace("&sort=oldest", "")
    assert filter_from_url(quick.vocabulary, asked) == wanted


def test_clear_all_gives_everything_back(get: Get, quick: Library) -> None:
    page = get(f"{FILTERED}&lang=ko")
    cleared = get(_href(page, "모두 풀기"))
    assert cleared.one("h2", id="cases").text == f"사례 {len(quick)}건"
    assert cleared.all("span", _class="chip") == []


def test_without_a_query_the_newest_come_first_and_the_page_says_so(
    get: Get, quick: Library
) -> None:
    page = get("/cases?lang=ko")
    assert "검색어 없이 필터만 적용한 목록입니다. 최근 사례부터입니다." in page.text
    assert _ids(page) == list(quick.list().ids)
    assert _ids(get("/cases?sort=oldest")) == list(quick.list(sort="oldest").ids)
    assert _ids(get("/cases?sort=id")) == sorted(quick.cases)


def test_the_number_and_the_range_are_those_of_the_list(get: Get) -> None:
    page = get(f"{FILTERED}&lang=ko")
    count = len(page.all("article"))
    assert page.one("h2", id="cases").text == f"사례 {count}건"
    assert page.one("p", _class="range").text == f"{count}건 중 1~{count}번째"
    assert set(_ids(page)) >= FIVE


def test_pages_follow_each_other_without_loss(get: Get, quick: Library) -> None:
    first = get("/cases?limit=3&lang=en")
    assert first.one("p", _class="range").text == f"1–3 of {len(quick)}"
    second = get("/cases?limit=3&offset=3")
    third = get("/cases?limit=3&offset=6")
    assert [*_ids(first), *_ids(second), *_ids(third)] == list(quick.list().ids)


def test_beyond_the_end_there_is_nothing_and_no_error(get: Get, quick: Library) -> None:
    page = get("/cases?offset=900&lang=ko")
    assert page.all("article") == []
    assert f"사례는 {len(quick)}건이며, 이 쪽은 끝을 지났습니다." in page.text


@pytest.mark.parametrize(
    ("query", "lang", "wanted"),
    [
        (
            "NCCL timeout 으로 학습이 죽음",
            "ko",
            {"증상: NCCL 타임아웃", "증상: 학습 작업 실패", "구성 요소: NCCL"},
        ),
        (
            "NCCL timeout killed the training job",
            "en",
            {"Symptom: NCCL timeout", "Component: NCCL"},
        ),
    ],
)
def test_terms_of_the_query_are_offered_as_filters(
    get: Get, query: str, lang: str, wanted: set[str]
) -> None:
    page = get(f"/search?q={query}&lang={lang}")
    offered = page.all("a", _class="suggestion")
    assert {a.text.rpartition(" ")[0] for a in offered} >= wanted
    chosen = get(offered[0].get("href") or "")
    assert len(chosen.all("span", _class="chip")) == 1
    assert offered[0].text.rpartition(" ")[0] in chosen.one("section", _class="filters").text
    asked = parse_qs(urlsplit(offered[0].get("href") or "").query)
    assert asked["q"] == [query]
    again = {a.text for a in chosen.all("a", _class="suggestion")}
    assert offered[0].text not in again  # what is applied is not offered again


def test_without_a_query_the_page_says_where_suggestions_will_be(get: Get) -> None:
    assert "검색하면 검색어에서 찾은 분류 값이 여기에 나옵니다." in get("/cases?lang=ko").text


def test_each_hit_comes_with_its_reasons_and_no_verdict(get: Get) -> None:
    page = get("/search?q=NCCL+watchdog+timeout,+power+dropped+to+190+W&lang=en")
    hits = page.all("article")
    assert hits
    for hit in hits:
        assert "Why it is similar" in hit.text
        assert hit.one("dl", _class="reasons").all("dt")
        assert "Same cause: unknown" in hit.text
    assert "A text confirms no cause" in page.text


def test_a_search_in_korean_finds_its_case(get: Get) -> None:
    page = get(
        "/search?q=체크포인트+직전에+GPU+사용률은+100%25인데+처리량이+0이고+NCCL+교착&lang=ko"
    )
    assert "IL-0480" in _ids(page) or "IL-0480" in page.text


def test_a_search_within_a_filter_finds_only_what_both_let_through(get: Get) -> None:
    page = get("/search?q=NCCL&organization=meta&lang=en")
    assert set(_ids(page)) <= {"IL-0127"}
    assert "Organisation: Meta ×" in page.text


def test_nothing_similar_is_said_so(get: Get) -> None:
    page = get("/search?q=the+cat+sat+on+the+mat+in+the+garden&lang=en")
    if not page.all("article"):
        assert page.one("p", role="status").text
        assert "Nearest below the line" in page.text


def test_a_card_has_all_nine_fields_in_order(get: Get) -> None:
    page = get(f"{FILTERED}&lang=ko")
    names = ["증상", "촉발", "원인", "구성 요소", "기여 요인", "감지", "조치", "후속 조치", "교훈"]
    for card in page.all("article"):
        assert [dt.text for dt in card.one("dl", _class="fields").all("dt")] == names


def test_what_a_case_does_not_state_is_said_to_be_unknown(get: Get, quick: Library) -> None:
    card = next(a for a in get(f"{FILTERED}&lang=ko").all("article") if "IL-0127" in a.text)
    trigger = card.one("dl", _class="fields").all("dd")[1]
    assert quick.get("IL-0127").field_state("trigger") == "not_stated"
    assert trigger.text == "적혀 있지 않음"


def test_suspected_terms_are_marked_in_words(tiny_client: TestClient) -> None:
    page = page_of(tiny_client, "/cases?cause=race&lang=en")
    card = page.one("article").one("dl", _class="fields").all("dd")[2]
    chips = [li.text for li in card.all("li")]
    assert chips == [
        "mismatched collectives (root cause)",
        "race condition suspected",
    ]


def test_ruled_out_terms_are_no_terms_of_a_card(tiny_client: TestClient) -> None:
    card = next(a for a in page_of(tiny_client, "/cases?lang=en").all("article") if "B-2" in a.text)
    assert "mismatched collectives" not in card.text


def test_groups_by_cause_count_each_case_once(get: Get, quick: Library) -> None:
    page = get(f"{FILTERED}&lang=ko")
    ids = quick.list(symptom="training-job-failure", limit=99).ids
    groups = quick.groups(ids, lang="ko")
    section = page.one("section", aria_labelledby="groups")
    assert section.one("h2").text == f"원인별 {len(groups)}"
    heads = [h.text for h in section.all("h3")]
    labels = [quick.vocabulary.terms[g.cause].label.best("ko") for g in groups]
    assert heads == [f"{label} {g.count}건" for label, g in zip(labels, groups, strict=True)]
    members = [li for ul in section.all("ul") for li in ul.all("li")]
    assert len(members) == sum(g.count for g in groups)
    meta = next(li for li in members if "IL-0127" in li.text)
    assert meta.one("span", _class="who").text == "Meta"
    assert meta.one("span", _class="year").text == "2024"


def test_the_most_frequent_components_of_the_result_are_named(get: Get, quick: Library) -> None:
    page = get(f"{FILTERED}&lang=ko")
    top = quick.top_components(quick.list(symptom="training-job-failure", limit=99).ids)
    section = page.one("section", aria_labelledby="check")
    assert [a.text for a in section.all("a")] == [
        quick.vocabulary.terms[t].label.best("ko") for t, _ in top
    ]
    assert [a.text for a in section.all("a")] == ["NCCL", "PyTorch"]


def test_each_facet_value_leads_to_as_many_cases_as_it_says(tiny_client: TestClient) -> None:
    page = page_of(tiny_client, "/cases?lang=en")
    values = [li for ul in page.one("aside").all("ul", _class="values") for li in ul.all("li")]
    assert len(values) > 15
    for value in values:
        count = int(value.one("span", _class="count").text)
        listed = page_of(tiny_client, value.one("a").get("href") or "")
        assert listed.one("h2", id="cases").text == f"Cases: {count}"


def test_empty_fields_of_the_form_ask_for_nothing(get: Get, quick: Library) -> None:
    page = get("/search?q=&kind=&since=&before=&lang=en")
    assert page.one("h2", id="cases").text == f"Cases: {len(quick)}"


def test_the_graph_of_a_small_result_stands_on_its_page(get: Get) -> None:
    section = get(f"{FILTERED}&lang=ko").one("section", aria_labelledby="graph")
    assert section.one("svg").get("role") == "group"
    assert [th.text for th in section.one("thead").all("th")] == [
        "사례", "원인", "구성 요소", "증상", "기여 요인",
    ]  # fmt: skip
