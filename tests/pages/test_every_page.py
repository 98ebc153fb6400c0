"""Every page answers in both languages, well formed, for everybody; its links lead somewhere."""

from __future__ import annotations

import re
from urllib.parse import urldefrag

import pytest
from starlette.testclient import TestClient

from tests.helpers.html import Element, faults, read_html
from tests.pages.conftest import BROWSER, page_of

PAGES = (
    "/",
    "/cases",
    "/cases?symptom=training-job-failure",
    "/cases?offset=500",
    "/search?q=NCCL+timeout+으로+학습이+죽음",
    "/search?q=",
    "/cases/IL-0428",
    "/cases/IL-0127",
    "/explain",
    "/explain?a=IL-0480&b=IL-0428",
    "/explain?a=the+GPUs+show+100+percent+but+no+OOM&b=IL-0480",
    "/diagnose",
    "/topics",
    "/topics/cause:dependency-failure",
    "/topics/component:infiniband",
    "/graph",
    "/graph?q=NCCL+timeout",
)


def _with(address: str, lang: str) -> str:
    return f"{address}{'&' if '?' in address else '?'}lang={lang}"


@pytest.mark.parametrize("lang", ["en", "ko"])
@pytest.mark.parametrize("address", PAGES)
def test_it_is_there_well_formed_and_for_everybody(
    client: TestClient, address: str, lang: str
) -> None:
    page = page_of(client, _with(address, lang))
    assert faults(page) == []
    assert page.one("html").get("lang") == lang
    assert "None" not in page.text.split()
    assert "{0}" not in page.text
    assert [a.text for a in page.all("a", aria_current="true") if a.get("hreflang")] == [
        {"en": "English", "ko": "한국어"}[lang]
    ]


@pytest.mark.parametrize("address", PAGES)
def test_nothing_comes_from_elsewhere_and_links_give_nothing_away(
    client: TestClient, address: str
) -> None:
    for element in page_of(client, _with(address, "en")).walk():
        for name in ("src", "action", "data"):
            value = element.get(name)
            assert value is None or value.startswith("/"), (element.tag, value)
        target = element.get("href")
        if target is not None and not target.startswith(("/", "#")):
            assert element.tag == "a"
            assert re.match(r"https?://", target)
            assert element.get("rel") == "noopener noreferrer nofollow"


def test_every_link_within_leads_to_a_page_and_a_place(tiny_client: TestClient) -> None:
    """All pages that can be reached from the first one, by address without the language."""
    seen: dict[str, Element] = {}
    waiting = ["/"]
    fragments: set[tuple[str, str]] = set()
    while waiting and len(seen) < 400:
        address = waiting.pop()
        if address in seen:
            continue
        answer = tiny_client.get(address, follow_redirects=False)
        assert answer.status_code == 200, address
        if not answer.headers["content-type"].startswith("text/html"):
            continue
        page = seen[address] = read_html(answer.text)
        assert faults(page) == []
        for link in (*page.all("a"), *page.all("link")):
            target, fragment = urldefrag(link.get("href") or "")
            if not target.startswith("/") and target:
                continue
            if fragment:
                fragments.add((target or address, fragment))
            # Chips and facets can be combined without end: one value at a time is enough here.
            if target and "lang=" not in target and target.count("=") <= 1:
                waiting.append(target)
    assert len(seen) > 60
    ids = {a: {e.get("id") for e in page.walk()} for a, page in seen.items()}
    assert [(a, f) for a, f in fragments if a in ids and f not in ids[a]] == []


def test_the_language_follows_the_browser_and_the_address_comes_first(client: TestClient) -> None:
    korean = {**BROWSER, "accept-language": "ko-KR,ko;q=0.9,en;q=0.8"}
    assert read_html(client.get("/", headers=korean).text).one("html").get("lang") == "ko"
    page = read_html(client.get("/?lang=en", headers=korean).text)
    assert page.one("html").get("lang") == "en"
    assert "Accept-Language" in client.get("/").headers["vary"]


def test_the_other_language_is_the_same_page(client: TestClient) -> None:
    page = page_of(client, "/cases?symptom=training-job-failure&sort=oldest&lang=en")
    other = page.one("a", hreflang="ko").get("href") or ""
    again = page_of(client, other)
    assert len(again.all("article")) == len(page.all("article"))
    assert other == "/cases?symptom=training-job-failure&sort=oldest&lang=ko"


def test_the_language_of_the_address_stays_in_all_links(client: TestClient) -> None:
    page = page_of(client, "/cases/IL-0480?lang=ko")
    inner = [a.get("href") or "" for a in page.all("a")]
    own = [h for h in inner if h.startswith("/") and not h.endswith("json")]
    assert [h for h in own if "lang=" not in h] == []


def test_pages_with_two_addresses(client: TestClient) -> None:
    first = [page_of(client, a).one("h1").text for a in ("/cases/IL-0428", "/topics")]
    again = [page_of(client, a).one("h1").text for a in ("/cases/IL-0428/similar", "/vocab")]
    assert first == again


def test_programs_get_json_at_the_same_addresses(client: TestClient) -> None:
    answer = client.get("/cases/IL-0480", headers={"accept": "application/json"})
    assert answer.json()["id"] == "IL-0480"
    assert client.get("/cases/IL-0480?format=json").json()["id"] == "IL-0480"
    similar = client.get("/cases/IL-0480/similar?format=json")
    assert similar.headers["content-type"].startswith("application/json")
    assert client.get("/cases/NONE?format=json").json()["status"] == 404


def test_a_page_is_kept_until_the_library_changes(client: TestClient) -> None:
    first = client.get("/cases/IL-0480?lang=en")
    again = client.get("/cases/IL-0480?lang=en", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = client.get("/cases/IL-0480?lang=ko")
    assert other.headers["etag"] != first.headers["etag"]
    assert client.get("/cases/IL-0480?lang=en").content == first.content


def test_what_a_reader_wrote_is_not_kept_between(client: TestClient) -> None:
    assert client.get("/search?q=NCCL").headers["cache-control"].startswith("private")
    assert client.post("/diagnose", data={"text": "NCCL"}).headers["cache-control"] == "no-store"


@pytest.mark.parametrize("name", ["pages.css", "pages.js", "icon.svg"])
def test_assets_ship_with_the_package(client: TestClient, name: str) -> None:
    answer = client.get(f"/assets/{name}")
    assert answer.status_code == 200
    assert answer.headers["content-type"].split(";")[0] in (
        "text/css", "text/javascript", "image/svg+xml",
    )  # fmt: skip
    tag = answer.headers["etag"]
    assert client.get(f"/assets/{name}", headers={"if-none-match": tag}).status_code == 304
    assert re.findall(r"(?:https?:)?//(?!www\.w3\.org)[a-z]", answer.text.split("*/")[-1]) == []


@pytest.mark.parametrize(
    "name", ["nothing.css", "..%2Frouter.py", "%2e%2e/router.py", "pages.css%00", "search.js/x"]
)
def test_nothing_else_is_read(client: TestClient, name: str) -> None:
    assert client.get(f"/assets/{name}").status_code == 404


@pytest.mark.parametrize("lang", ["en", "ko"])
@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/cases/IL-9999", 404),
        ("/topics/cause:nothing", 404),
        ("/nowhere", 404),
        ("/cases?symptom=nothing-of-the-kind", 422),
        ("/cases?sort=odd", 422),
        ("/cases?offset=-1", 422),
        ("/cases?since=yesterday", 422),
        ("/search?q=%21%21%21", 422),
        (f"/search?q={'x' * 2001}", 422),
    ],
)
def test_problems_are_pages_too(client: TestClient, address: str, status: int, lang: str) -> None:
    answer = client.get(_with(address, lang))
    assert answer.status_code == status
    page = read_html(answer.text)
    assert faults(page) == []
    assert page.one("html").get("lang") == lang


def test_a_problem_names_what_looks_like_it(client: TestClient) -> None:
    page = read_html(client.get("/cases/IL-0481?lang=en").text)
    assert "/cases/IL-0480?lang=en" in [a.get("href") for a in page.all("a")]
