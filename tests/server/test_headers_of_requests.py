"""What a request says of its body and of what the reader has, and days that are no days."""

from __future__ import annotations

import json

import pytest

PAGE = {"Accept": "text/html"}
PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
ASKED = json.dumps({"text": "NCCL", "lane": "words"}).encode()
OTHER = ["text/plain", "application/xml", "text/xml", "application/x-www-form-urlencoded", None]


def sent(client, path, body, kind):
    accept = {"Accept": "application/json, text/event-stream"}
    return client.post(
        path, content=body, headers=accept | ({"Content-Type": kind} if kind else {})
    )


@pytest.mark.parametrize("kind", OTHER)
@pytest.mark.parametrize("path", ["/search", "/diagnose", "/explain", "/mcp"])
def test_a_body_that_is_not_said_to_be_json_is_refused_as_a_problem(client, path, kind):
    answer = sent(client, path, PING if path == "/mcp" else ASKED, kind)
    assert answer.status_code == 415
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert told["type"] == "urn:incident-kg:problem:not-json"
    assert "application/json" in told["detail"]


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8"])
def test_json_is_taken(client, kind):
    assert sent(client, "/search", ASKED, kind).status_code == 200
    assert sent(client, "/mcp", PING, kind).json()["result"] == {}


@pytest.mark.parametrize("headers", [{}, PAGE])
@pytest.mark.parametrize(
    "path", ["/cases/IL-0480", "/cases?limit=3", "/explain?a=IL-0480&b=IL-0023"]
)
def test_a_reader_who_has_whatever_is_there_gets_nothing_new(client, path, headers):
    wants = {**headers, "If-None-Match": "*"}
    for _ in range(2):  # made now, then kept
        answer = client.get(path, headers=wants)
        assert (answer.status_code, answer.content) == (304, b"")
        assert answer.headers["etag"]
        assert client.get(path, headers=headers).status_code == 200


@pytest.mark.parametrize("headers", [{}, PAGE])
@pytest.mark.parametrize(
    ("path", "status"),
    [("/cases/IL-9999", 404), ("/topics/cause:nothing", 404), ("/cases?sort=odd", 422)],
)
def test_nobody_has_what_is_not_there(client, path, status, headers):
    wants = {**headers, "If-None-Match": "*"}
    assert client.get(path, headers=wants).status_code == status


def test_of_assets_too(client):
    wants = {"If-None-Match": "*"}
    assert client.get("/assets/pages.css", headers=wants).status_code == 304
    assert client.get("/assets/nothing.css", headers=wants).status_code == 404


@pytest.mark.parametrize(
    "day", ["2024", "2024-06", "20240625", "2024-W26-2", "25.06.2024", "2024-02-30"]
)
def test_what_is_no_day_is_told_in_words_with_an_example(client, day):
    told = client.get("/cases", params={"since": day})
    assert told.status_code == 422
    assert "2024-06-25" in told.json()["detail"]
    assert "since" in told.json()["detail"]
    assert "\\d" not in told.text
    assert client.get("/cases", params={"since": day}, headers=PAGE).status_code == 422


def test_a_day_is_taken(client):
    assert (
        client.get("/cases", params={"since": "2024-02-29"}).json()["applied"]["query"]
        == "since=2024-02-29"
    )
