"""Topics with their cases by status, and the graph as a picture and as a table."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from kg.library import Library
from kg.server.pages.links import LiveLinks
from kg.server.pages.renderer import Renderer
from kg.server.pages.views import Views
from kg.server.pages.words import word
from tests.helpers.html import Element, read_html
from tests.pages.conftest import Get, page_of


def _listed(page: Element, status: str) -> list[str]:
    sections = page.all("section", aria_labelledby=f"status-{status}")
    return [li.one("span", _class="id").text for s in sections for li in s.all("li")]


@pytest.mark.parametrize("term", ["cause:mismatch", "symptom:failure", "component:gpu"])
def test_cases_stand_under_what_they_say_of_the_term(
    tiny_client: TestClient, tiny: Library, term: str
) -> None:
    page = page_of(tiny_client, f"/topics/{term}?lang=en")
    found = tiny.topic(term)
    for status, ids in found.cases.items():
        assert _listed(page, status) == list(ids)
    listing = page.all("a", _class="action")[0]
    assert listing.text == word("topic.list", "en", found.entry.count)
    shown = page_of(tiny_client, listing.get("href") or "")
    assert shown.one("h2", id="cases").text == f"Cases: {found.entry.count}"


def test_ruled_out_cases_stand_apart_and_do_not_count(tiny_client: TestClient) -> None:
    page = page_of(tiny_client, "/topics/cause:mismatch?lang=ko")
    assert _listed(page, "ruled_out") == ["B-2"]
    assert page.one("h2", id="status-ruled_out").text == "배제한 사례 1건"
    assert page.all("a", _class="action")[0].text == "사례 2건 목록"
    assert "배제한 사례는 따로 적고 세지 않습니다." in page.text


def test_membership_definition_and_kin_are_told(tiny_client: TestClient) -> None:
    page = page_of(tiny_client, "/topics/cause:gpu-fault?lang=en")
    facts = {d.one("dt").text: d.one("dd").text for d in page.one("dl", _class="facts").all("div")}
    assert facts == {"Broader": "hardware failure", "Narrower": "ECC error"}
    assert page.one("p", _class="lead").text == "What GPU fault means."
    assert "A case belongs here when" in page.text


def test_a_spelling_leads_to_its_topic(tiny_client: TestClient) -> None:
    page = page_of(tiny_client, "/topics/NCCL%20timeout?lang=en")
    assert page.one("code").text == "symptom:nccl-timeout"


def test_all_topics_stand_with_their_number_of_cases(
    tiny_client: TestClient, tiny: Library
) -> None:
    page = page_of(tiny_client, "/topics?lang=en")
    shown = {li.one("a").text: int(li.one("span", _class="count").text)
             for ul in page.all("ul", _class="many") for li in ul.all("li")}  # fmt: skip
    wanted = {
        tiny.vocabulary.terms[e.id].label.best("en"): e.count for e in tiny.vocab() if e.count
    }
    assert shown == wanted


def test_the_graph_has_the_five_kinds_and_says_how_many(get: Get, quick: Library) -> None:
    page = get("/graph?lang=ko")
    graph = quick.result_graph()
    words = [("사례", "case"), ("원인", "cause"), ("구성 요소", "component"),
             ("증상", "symptom"), ("기여 요인", "factor")]  # fmt: skip
    strongest: dict[str, set[str]] = {}
    for edge in graph.edges:
        strongest.setdefault(edge.target, set()).add(str(edge.status))
    out = {term for term, statuses in strongest.items() if statuses == {"ruled_out"}}
    assert out
    told = ", ".join(f"{word} {len({*graph.nodes[kind]} - out)}" for word, kind in words)
    told += f", 배제 {len(out)}"
    assert f"마디: {told}." in page.text
    svg = page.one("svg")
    assert svg.one("desc").text == told
    assert svg.all("title")[0].text == "사례 그래프"


def test_every_node_leads_to_its_page(get: Get, quick: Library) -> None:
    page = get("/graph?lang=en")
    links = [a.get("href") or "" for a in page.one("svg").all("a")]
    assert {f"/cases/{i}?lang=en" for i in quick.cases} <= set(links)
    assert len(links) == len(set(links))
    assert all(h.startswith(("/cases/", "/topics/")) for h in links)


def test_the_table_holds_every_edge_with_its_status(tiny_client: TestClient, tiny: Library) -> None:
    page = page_of(tiny_client, "/graph?lang=en")
    rows = {r.one("th").text: r for r in page.one("tbody").all("tr")}
    assert set(rows) == set(tiny.cases)
    for edge in tiny.result_graph().edges:
        label = tiny.vocabulary.terms[edge.target].label.best("en")
        (item,) = [li for li in rows[edge.case_id].all("li") if li.one("a").text == label]
        told = {"suspected": "suspected", "ruled_out": "ruled out"}.get(str(edge.status))
        assert told is None or told in item.text


def test_the_graph_is_that_of_the_result(get: Get, quick: Library) -> None:
    page = get("/graph?symptom=training-job-failure&lang=en")
    ids = quick.list(symptom="training-job-failure", limit=99).ids
    assert {r.one("th").text for r in page.one("tbody").all("tr")} == set(ids)
    back = [a.get("href") for a in page.all("a") if a.text == "To the list"]
    assert back == ["/cases?symptom=training-job-failure&lang=en"]


def test_a_large_result_is_cut_and_the_page_says_so(
    tiny: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.server.pages.graph.DRAWN", 3)
    views = Views(Renderer(), tiny, "en", LiveLinks(path="/graph"))
    page = read_html(views.graph())
    assert "The newest 3 of 6 cases are drawn." in page.text
    rows = [r.one("th").text for r in page.one("tbody").all("tr")]
    assert rows == list(tiny.list(limit=3).ids)


def test_an_empty_result_has_no_picture(get: Get) -> None:
    page = get("/graph?cause=hardware-failure&since=2099-01-01&lang=en")
    assert page.all("svg") == []
    assert "No case matches." in page.text
