"""The read token, tags and caching, HEAD, negotiation, and logs that tell nothing of anybody."""

from __future__ import annotations

import base64
import json
import logging

import pytest

from kg.server.answers import matches
from kg.server.kept import Kept
from kg.server.logs import JsonLines
from kg.server.negotiation import prefers_html
from kg.server.settings import Settings
from tests.helpers.served import asking

SHOWN = "a-token-of-some-length"
PRIVATE = "전용선이 끊긴 우리 회사 이야기 zebra-4711"


@pytest.fixture(scope="module")
def guarded(held):
    with asking(Settings(token=SHOWN), held) as client:
        yield client


@pytest.mark.parametrize(
    ("header", "status"),
    [
        (None, 401), ("", 401), (f"Bearer {SHOWN}", 200), (f"bearer  {SHOWN}", 200),
        (f"Bearer {SHOWN}x", 401), (f"Bearer {SHOWN[:-1]}", 401), (SHOWN, 401), ("Bearer", 401),
        ("Basic " + base64.b64encode(f"any:{SHOWN}".encode()).decode(), 200),
        ("Basic " + base64.b64encode(b"any:wrong").decode(), 401), ("Basic !!!", 401),
        ("Bearer \xff", 401),
    ],
)  # fmt: skip
def test_nothing_is_told_without_the_token(guarded, header, status):
    headers = {} if header is None else {"Authorization": header.encode("latin-1")}
    for path in ("/cases", "/cases/IL-0023", "/openapi.json", "/cases/NOPE", "/nowhere"):
        answer = guarded.get(path, headers=headers)
        expected = 404 if status == 200 and path in ("/cases/NOPE", "/nowhere") else status
        assert answer.status_code == expected, path
    if status == 401:
        assert "Bearer" in answer.headers["www-authenticate"]
        assert answer.json()["type"].endswith("no-token")


def test_whether_it_is_well_may_be_asked_without(guarded):
    answer = guarded.get("/health")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_what_needs_a_token_is_kept_by_nobody_between(guarded, client):
    headers = {"Authorization": f"Bearer {SHOWN}"}
    assert guarded.get("/cases", headers=headers).headers["cache-control"] == "private, no-cache"
    assert client.get("/cases").headers["cache-control"] == "public, no-cache"
    own = client.get("/search", params={"q": "NCCL", "lane": "words"})
    assert own.headers["cache-control"] == "private, no-cache"
    assert client.post("/search", json={"text": "x y"}).headers["cache-control"] == "no-store"


def test_what_the_reader_has_is_not_sent_again(client):
    first = client.get("/cases", params={"limit": 2})
    tag = first.headers["etag"]
    assert tag.startswith('W/"')
    again = client.get("/cases", params={"limit": 2}, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == tag
    assert "Accept" in again.headers["vary"]
    other = client.get("/cases", params={"limit": 3}, headers={"If-None-Match": tag})
    assert other.status_code == 200
    assert other.headers["etag"] != tag


def test_a_tag_of_what_is_not_there_makes_no_answer(client):
    answer = client.get("/cases/NOPE")
    assert answer.status_code == 404
    assert "etag" not in answer.headers
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("given", "same"),
    [
        ('W/"a"', True), ('"a"', True), ('"b", W/"a"', True), ('"b"', False), ("", False),
        ("*", False), ('"a', False),
    ],
)  # fmt: skip
def test_tags_are_compared_weakly(given, same):
    assert matches(given, 'W/"a"') is same


def test_answers_that_are_kept_are_the_same_bytes(client):
    first, second = (client.get("/topics/component:nccl") for _ in range(2))
    assert first.content == second.content
    assert first.headers["etag"] == second.headers["etag"]


def test_what_is_kept_has_a_size(client):
    kept = Kept(1000)
    for n in range(100):
        kept.put(f"key {n}", bytes(100))
    assert kept.size <= 1000
    assert kept.get("key 99") == bytes(100)
    assert kept.get("key 0") is None
    kept.put("large", bytes(2000))
    assert kept.get("large") is None
    assert len(kept) == 9


def test_head_is_get_without_the_body(client):
    head, get = client.head("/cases/IL-0023"), client.get("/cases/IL-0023")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == get.headers["content-length"]
    assert client.head("/cases/NOPE").status_code == 404


@pytest.mark.parametrize(
    ("accept", "html"),
    [
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", True),
        ("*/*", False), ("", False), ("application/json", False), ("application/json, */*", False),
        ("application/json;q=0.9, text/html;q=0.5", False), ("text/html;q=0", False),
        ("application/problem+json, text/html;q=0.9", False), ("text/html", True),
        ("application/json;q=0.1, text/html", True), ("TEXT/HTML", True), ("text/html;q=x", False),
    ],
)  # fmt: skip
def test_html_is_for_those_who_prefer_it(accept, html):
    assert prefers_html(accept) is html


@pytest.fixture
def lines():
    """What the server logs, as it would stand in the file."""
    told, handler = [], logging.Handler()
    formatter = JsonLines()
    handler.emit = lambda record: told.append(formatter.format(record))
    logger = logging.getLogger("kg.server")
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield told
    logger.removeHandler(handler)
    logger.setLevel(before)


def test_logs_tell_the_endpoint_and_never_what_was_asked_or_answered(client, quick, lines):
    client.get("/search", params={"q": PRIVATE, "lane": "words"})
    client.post("/search", json={"text": PRIVATE, "lane": "words"})
    client.get(f"/topics/{PRIVATE}")
    client.get(f"/cases/{PRIVATE}")
    client.get("/cases", params={"domain": PRIVATE, "zebra-4711": 1})
    client.get("/cases/IL-0480")
    assert len(lines) == 6
    for line in lines:
        assert "zebra" not in line
        assert "IL-0480" not in line
        assert quick.get("IL-0480").name() not in line
        told = json.loads(line)
        assert told["event"] == "request"
        assert told["status"] in (200, 404, 422)
        assert told["milliseconds"] >= 0
        assert told["request_id"]
    endpoints = [json.loads(line)["endpoint"] for line in lines]
    assert endpoints[0] == endpoints[1] == "/search"
    assert endpoints[3] == endpoints[5] == "/cases/{case_id}"


def test_a_failure_is_logged_by_its_kind_and_place_only(held, lines, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError(PRIVATE)

    with asking(Settings(), held, raising=False) as client:
        with held.use() as served:
            monkeypatch.setattr(served.lib, "topic", broken)
        answer = client.get("/topics/component:pytorch?lang=ko")
    assert answer.status_code == 500
    assert answer.json() == {
        "type": "urn:incident-kg:problem:broken",
        "title": "서버에 문제가 생겼습니다", "status": 500,
    }  # fmt: skip
    assert answer.headers["x-content-type-options"] == "nosniff"
    told = [json.loads(line) for line in lines]
    failed = next(t for t in told if t["event"] == "error")
    assert failed["error"] == "RuntimeError"
    assert "test_tokens_headers_and_logs" in failed["where"]
    assert PRIVATE not in "".join(lines)


def test_words_of_other_libraries_are_cut_down_to_their_place():
    record = logging.LogRecord("httpx", logging.WARNING, "x.py", 3, "GET %s", (PRIVATE,), None)
    told = json.loads(JsonLines().format(record))
    assert (told["event"], told["where"]) == ("message", "x:3")
    assert PRIVATE not in json.dumps(told, ensure_ascii=False)
