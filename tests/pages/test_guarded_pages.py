"""Pages respect what the server is told: hidden cases, a token, another address, its own name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from kg.library import Library
from kg.server.app import create_app
from kg.server.settings import Settings
from tests.helpers.html import Element, read_html
from tests.pages.conftest import ADDRESS, BROWSER, page_of

TOKEN = "a-token-of-the-tests"  # noqa: S105 - no secret
HIDDEN = ("A-1", "organization=beta")
TRACES = ("A-1", "A-3", "Beta Cloud", "베타 클라우드", "organization:beta", "SEV1", "H100")


def _client(settings: Settings, **headers: str) -> TestClient:
    return TestClient(create_app(settings), base_url=ADDRESS, headers={**BROWSER, **headers})


@pytest.fixture(scope="module")
def partly(tiny: Library) -> Iterator[TestClient]:
    with _client(Settings(library=tiny.path, hidden=HIDDEN)) as it:
        yield it


@pytest.mark.parametrize(
    "address",
    [
        "/", "/cases?sort=id&limit=100", "/search?q=NCCL+timeout", "/cases/A-2", "/cases/B-1",
        "/explain", "/explain?a=A-2&b=B-2", "/topics", "/topics/symptom:nccl-timeout", "/graph",
    ],
)  # fmt: skip
@pytest.mark.parametrize("lang", ["en", "ko"])
def test_hidden_cases_leave_no_trace_on_any_page(
    partly: TestClient, address: str, lang: str
) -> None:
    answer = partly.get(f"{address}{'&' if '?' in address else '?'}lang={lang}")
    assert answer.status_code == 200
    assert [t for t in TRACES if t in answer.text] == []


def test_a_hidden_case_is_answered_like_one_that_never_was(partly: TestClient) -> None:
    hidden = partly.get("/cases/A-1?lang=en")
    never = partly.get("/cases/A-9?lang=en")
    assert hidden.status_code == never.status_code == 404
    assert hidden.text.count("A-1") == never.text.count("A-9")
    titles = [read_html(answer.text).one("h1").text for answer in (hidden, never)]
    assert titles[0] == titles[1]


def test_counts_are_those_of_what_is_shown(partly: TestClient) -> None:
    page = page_of(partly, "/cases?lang=en")
    assert page.one("h2", id="cases").text == "Cases: 4"
    topic = page_of(partly, "/topics/component:nccl?lang=en")
    assert topic.all("a", _class="action")[0].text == "List of the one case"


def test_the_assistant_knows_nothing_of_them(partly: TestClient) -> None:
    answer = partly.post("/diagnose?lang=en", data={"text": "NCCL timeout after version upgrade"})
    assert answer.status_code == 200
    assert [t for t in TRACES if t in answer.text] == []


@pytest.fixture(scope="module")
def guarded(tiny: Library) -> Iterator[TestClient]:
    with _client(Settings(library=tiny.path, token=TOKEN)) as it:
        yield it


@pytest.mark.parametrize("address", ["/", "/cases/A-1", "/topics", "/assets/pages.css"])
def test_without_the_token_no_page_is_shown(guarded: TestClient, address: str) -> None:
    answer = guarded.get(address)
    assert answer.status_code == 401
    assert "A-1" not in answer.text


def test_with_the_token_pages_are_shown_and_kept_by_nobody_between(guarded: TestClient) -> None:
    answer = guarded.get("/cases/A-1", headers={"authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    assert answer.headers["cache-control"].startswith("private")
    assert TOKEN not in answer.text


def test_a_page_of_another_site_asks_the_assistant_in_vain(tiny_client: TestClient) -> None:
    foreign = {"origin": "https://evil.example"}
    answer = tiny_client.post("/diagnose", data={"text": "NCCL"}, headers=foreign)
    assert answer.status_code == 403
    own = {"origin": ADDRESS}
    assert tiny_client.post("/diagnose", data={"text": "NCCL"}, headers=own).status_code == 200


def test_pages_let_browsers_name_their_origin_to_the_server(tiny_client: TestClient) -> None:
    """With `no-referrer` a form would send `Origin: null`, which the server takes for foreign."""
    page = page_of(tiny_client, "/diagnose")
    assert page.one("meta", name="referrer").get("content") == "same-origin"


def _inner(page: Element) -> set[str]:
    names = ("href", "src", "action")
    found = {e.get(n) or "" for e in page.walk() for n in names if e.get(n) is not None}
    return {f for f in found if not f.startswith("#")}


def test_behind_a_proxy_every_address_begins_with_its_folder(tiny: Library) -> None:
    settings = Settings(library=tiny.path, base_url="https://kb.example/incidents/")
    with _client(settings) as client:
        for address in ("/", "/cases/A-1", "/explain?a=A-1&b=A-2", "/topics", "/diagnose"):
            inner = _inner(page_of(client, address))
            assert {i for i in inner if not i.startswith("/incidents/")} == set(), address


def test_the_setting_decides_where_a_browser_likes_no_language_of_ours(tiny: Library) -> None:
    with _client(Settings(library=tiny.path, lang="ko"), **{"accept-language": "fr"}) as client:
        assert read_html(client.get("/").text).one("html").get("lang") == "ko"


def test_programs_are_told_where_to_ask(tiny_client: TestClient) -> None:
    section = page_of(tiny_client, "/cases/A-1?lang=en").one("section", aria_labelledby="tools")
    links = [a.get("href") for a in section.all("a")]
    assert links == [
        "/cases/A-1?format=json", "/cases/A-1/similar?format=json", "/openapi.json",
    ]  # fmt: skip
    assert [tiny_client.get(link or "").status_code for link in links] == [200, 200, 200]
    assert [c.text for c in section.all("code")] == ["/mcp", "kg show A-1"]


def test_a_problem_of_a_program_is_no_page(tiny_client: TestClient) -> None:
    answer = tiny_client.get("/cases/A-9", headers={"accept": "application/json"})
    assert answer.headers["content-type"] == "application/problem+json"
    both = tiny_client.get("/cases/A-9?format=json&lang=ko")
    assert both.json()["type"] == "urn:incident-kg:problem:unknown-case"
