"""Whatever cases, terms and readers write becomes text of the page, and nothing else."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from kg.library import Library
from tests.helpers.html import Element, faults, read_html
from tests.pages.conftest import page_of
from tests.pages.hostile import EVIL, MARKS

PAGES = (
    "/",
    "/cases?cause=evil",
    "/search?q=NCCL",
    "/cases/H-1",
    "/explain?a=H-1&b=H-2",
    "/topics",
    "/topics/cause:evil",
    "/graph",
)


@pytest.mark.parametrize("lang", ["en", "ko"])
@pytest.mark.parametrize("address", PAGES)
def test_no_text_of_a_library_becomes_mark_up(
    hostile_client: TestClient, address: str, lang: str
) -> None:
    answer = hostile_client.get(address, params=_with(address, lang))
    assert answer.status_code == 200
    _harmless(answer.text)
    assert "alert(" in answer.text  # it is there, as text


def _with(address: str, lang: str) -> dict[str, str]:
    pairs = re.findall(r"[?&](\w+)=([^&]*)", address)
    return {**dict(pairs), "lang": lang}


def _harmless(text: str) -> Element:
    for mark in MARKS:
        assert mark not in text
    page = read_html(text)
    assert faults(page) == []
    assert {e.get("src") for e in page.all("script")} == {"/assets/pages.js"}
    assert page.all("img") == []
    return page


@pytest.mark.parametrize(
    "address", ["/search", "/explain", "/graph", "/cases", "/topics/x", "/cases/x"]
)
def test_no_text_of_an_address_becomes_mark_up(client: TestClient, address: str) -> None:
    asked = {"q": EVIL, "a": EVIL, "b": "IL-0480", "symptom": EVIL, "lang": "en", "sort": EVIL}
    wanted = {"/search": ("q",), "/graph": ("q",), "/explain": ("a", "b")}.get(address)
    params = {k: v for k, v in asked.items() if wanted is None or k in (*wanted, "lang")}
    answer = client.get(address, params=params)
    assert answer.status_code in (200, 404, 422)
    _harmless(answer.text)


def test_an_unknown_path_is_shown_as_text(client: TestClient) -> None:
    answer = client.get("/cases/%3Cscript%3Ealert(1)%3C%2Fscript%3E")
    assert answer.status_code == 404
    assert "<script>alert" not in answer.text
    assert "&lt;script&gt;alert(1)" in answer.text


def test_what_the_assistant_is_told_stays_text(client: TestClient) -> None:
    answer = client.post("/diagnose", data={"text": EVIL, "observed": EVIL})
    assert answer.status_code == 422
    page = _harmless(answer.text)
    assert page.one("textarea", name="text").text.replace("\ufffd", "")[:20] == EVIL[:20]
    assert page.one("p", role="alert").text.startswith("no term")


def test_hostile_evidence_is_quoted_by_the_assistant(hostile_client: TestClient) -> None:
    answer = hostile_client.post("/diagnose", data={"text": f"NCCL {EVIL} [1] [99]"})
    page = _harmless(answer.text)
    assert page.all("a", href="#evidence-99") == []


def test_only_web_addresses_are_linked(hostile_client: TestClient) -> None:
    page = page_of(hostile_client, "/cases/H-1")
    out = [a for a in page.all("a") if not (a.get("href") or "").startswith(("/", "#"))]
    assert [a.get("href") for a in out] == ['https://example.org/a"b<c>']
    assert {a.get("rel") for a in out} == {"noopener noreferrer nofollow"}
    assert "javascript:alert(6)" in page.one("section", aria_labelledby="sources").text


def test_every_page_forbids_what_it_does_not_need(hostile_client: TestClient) -> None:
    policy = hostile_client.get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert hostile_client.get("/").headers["x-content-type-options"] == "nosniff"


def test_written_pages_are_as_safe(
    hostile: Library, tmp_path_factory: pytest.TempPathFactory
) -> None:
    from kg.server.pages.site import write_site

    folder = tmp_path_factory.mktemp("evil") / "site"
    write_site(hostile, folder)
    for file in sorted(folder.rglob("*.html")):
        text = file.read_text(encoding="utf-8")
        for mark in MARKS:
            assert mark not in text, file
        read_html(text)
