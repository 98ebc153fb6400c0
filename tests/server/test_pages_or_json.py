"""Who gets a page and who gets JSON at the same address, by the `Accept` header and `format=`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from kg.server.negotiation import prefers_html

CHROME = (
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;"
    "q=0.8,application/signed-exchange;v=b3;q=0.7"
)
FIREFOX = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

ACCEPTS = [
    (CHROME, True),
    (FIREFOX, True),
    ("text/html", True),
    ("TEXT/HTML", True),
    ("application/xhtml+xml", True),
    ("text/html;charset=utf-8", True),
    ("text/html, application/json", True),
    ("text/html;q=0.9, application/json;q=0.9", True),
    ("text/html;q=0.2, application/json;q=0.1, */*;q=0.9", True),
    ("", False),
    ("*/*", False),
    ("application/json", False),
    ("application/json, text/html;q=0.9", False),
    ("application/problem+json, text/html;q=0.5", False),
    ("text/html;q=0.5, */*", False),
    ("text/html;q=0.5, application/*;q=0.8", False),
    ("text/html;q=0", False),
    ("text/html;q=nonsense", False),
    ("text/html;q=nan", False),
    ("text/plain", False),
    ("text/*", False),
    (";;;,,,", False),
]


@pytest.mark.parametrize(("accept", "page"), ACCEPTS)
def test_who_prefers_a_page(accept: str, page: bool) -> None:
    assert prefers_html(accept) is page


@given(st.text(max_size=80))
def test_no_header_breaks_it(accept: str) -> None:
    assert prefers_html(accept) in (True, False)


@pytest.mark.parametrize(("accept", "page"), ACCEPTS[:4] + ACCEPTS[9:15])
@pytest.mark.parametrize("path", ["/cases", "/cases/IL-0480", "/topics", "/nowhere"])
def test_the_same_address_answers_either(
    client: TestClient, path: str, accept: str, page: bool
) -> None:
    answer = client.get(path, headers={"Accept": accept})
    assert answer.headers["content-type"].startswith("text/html") is page
    assert "accept" in answer.headers["vary"].lower()


@pytest.mark.parametrize("path", ["/cases", "/cases/IL-0480", "/stats"])
def test_a_format_in_the_address_goes_before_the_header(client: TestClient, path: str) -> None:
    asked = client.get(f"{path}?format=json", headers={"Accept": FIREFOX})
    assert asked.headers["content-type"] == "application/json"
    assert asked.json() == client.get(path).json()


def test_a_page_can_be_had_by_address_too(client: TestClient) -> None:
    asked = client.get("/cases?limit=1&format=html")
    assert asked.headers["content-type"].startswith("text/html")
    assert asked.text == client.get("/cases?limit=1", headers={"Accept": "text/html"}).text


@pytest.mark.parametrize("query", ["format=xml", "format=", "format=json&format=html", "format"])
def test_another_format_is_refused(client: TestClient, query: str) -> None:
    answer = client.get(f"/cases?{query}")
    assert answer.status_code == 422
    assert answer.json()["detail"] == "format: give json or html"


def test_several_headers_count_as_one(client: TestClient) -> None:
    headers = [("Accept", "application/json;q=0.3"), ("Accept", "text/html;q=0.4")]
    assert client.get("/cases", headers=headers).headers["content-type"].startswith("text/html")


def test_the_two_are_kept_apart(client: TestClient) -> None:
    """A page and JSON of one address have different tags: neither is taken for the other."""
    page = client.get("/cases", headers={"Accept": FIREFOX})
    data = client.get("/cases")
    assert page.headers["etag"] != data.headers["etag"]
    again = client.get("/cases", headers={"If-None-Match": page.headers["etag"]})
    assert again.status_code == 200
    assert again.json() == data.json()
