"""Bodies, addresses, time and numbers are bounded, and whoever goes too far is told so."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import threading
import time

import anyio
import pytest

from kg.server.app import create_app
from kg.server.asking import Desk
from kg.server.heads_in_time import HeadsInTime
from kg.server.middleware.bodies import LONGEST
from kg.server.middleware.pace import Pace
from kg.server.problems import Refused
from kg.server.settings import Limits, Settings
from tests.helpers.served import asking, listening

LIMITS = Limits(body=2_000, seconds=0.5, requests=2, threads=1)


@pytest.fixture(scope="module")
def narrow(held):
    """An app with narrow limits."""
    return create_app(Settings(limits=LIMITS), held)


def ask(app, body, **headers):
    """The answer of an app to a POST whose body comes as `body` (an async generator) gives it."""
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST",
        "scheme": "http", "path": "/search", "raw_path": b"/search", "query_string": b"",
        "root_path": "", "client": ("127.0.0.1", 9), "server": ("127.0.0.1", 8321),
        "headers": [
            (b"host", b"127.0.0.1:8321"), (b"content-type", b"application/json"),
            *((k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()),
        ],
    }  # fmt: skip
    sent = []

    async def run():
        parts = body()

        async def receive():
            return await anext(parts, {"type": "http.disconnect"})

        async def send(message):
            sent.append(message)

        await app(scope, receive, send)

    asyncio.run(run())
    return sent


def chunks(*parts, pause=0.0):
    async def given():
        for part in parts:
            await asyncio.sleep(pause)
            yield {"type": "http.request", "body": part, "more_body": True}
        yield {"type": "http.request", "body": b"", "more_body": False}

    return given


def status(sent):
    return sent[0]["status"] if sent else None


def test_a_body_that_says_that_it_is_too_large_is_refused_unread(narrow):
    read = []

    async def given():
        read.append(1)
        yield {"type": "http.request", "body": b"x", "more_body": False}

    assert status(ask(narrow, given, content_length="2001")) == 413
    assert not read


def test_a_body_that_grows_too_large_is_refused_on_the_way(narrow):
    sent = ask(narrow, chunks(*[b" " * 500] * 100))
    assert status(sent) == 413
    headers = dict(sent[0]["headers"])
    assert headers[b"content-type"] == b"application/problem+json"
    assert headers[b"connection"] == b"close"


def test_a_body_within_the_limit_is_answered_however_it_comes(narrow):
    parts = (b'{"text": "NCCL ', b'timeout", "lane"', b': "words"}')
    assert status(ask(narrow, chunks(*parts))) == 200


def test_a_body_that_drips_is_given_up(narrow):
    begun = time.monotonic()
    sent = ask(narrow, chunks(*[b" "] * 100, pause=0.05))
    assert status(sent) == 408
    assert time.monotonic() - begun < 2


def test_a_reader_who_leaves_before_the_end_gets_nothing(narrow):
    async def given():
        yield {"type": "http.request", "body": b"{", "more_body": True}

    assert ask(narrow, given) == []


def test_a_long_address_is_refused(client):
    assert client.get("/search", params={"q": "x" * LONGEST}).status_code == 414
    assert client.get("/cases/" + "x" * 300).status_code == 422
    assert client.get("/search", params={"q": "가" * 2000}).status_code == 200
    assert client.get("/search", params={"q": "가" * 2001}).status_code == 422


@pytest.mark.parametrize(
    "asked",
    [
        {"limit": 201}, {"limit": 0}, {"offset": -1}, {"sort": "random"}, {"nope": 1},
        {"lang": "de"}, {"since": "yesterday"}, {"since": "2025-02-30"}, {"kind": "x"},
        {"symptom": ["a"] * 21}, {"values": 10**9}, {"domain": "x" * 201},
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_a_problem_that_names_it(client, asked):
    answer = client.get("/cases", params=asked)
    assert answer.status_code == 422
    assert next(iter(asked)) in answer.json()["detail"]


def test_more_questions_than_there_is_room_for_are_told_to_come_again():
    desk, go = Desk(LIMITS), threading.Event()

    async def run():
        slow = [asyncio.create_task(desk.ask(go.wait)) for _ in range(2)]
        await asyncio.sleep(0.05)
        with pytest.raises(Refused) as refused:
            await desk.ask(lambda: None)
        go.set()
        await asyncio.gather(*slow)
        assert await desk.ask(lambda: 7) == 7
        return refused.value

    refused = asyncio.run(run())
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "1")
    assert desk.taken == 0
    desk.close()


def test_a_question_that_takes_too_long_keeps_its_place_until_it_is_done():
    desk, go = Desk(LIMITS), threading.Event()

    async def run():
        with pytest.raises(Refused) as refused:
            await desk.ask(go.wait)
        return refused.value

    assert asyncio.run(run()).status_code == 504
    assert desk.taken == 1
    go.set()
    desk.close()
    assert desk.taken == 0


def test_a_crowd_is_told_to_come_again_without_asking_the_library(held):
    app = create_app(Settings(limits=LIMITS), held)

    async def run():
        entered = asyncio.Event()

        async def slow_body():
            entered.set()
            await asyncio.sleep(0.3)
            return {"type": "http.request", "body": b'{"text": "x"}', "more_body": False}

        async def one(receive):
            sent = []

            async def send(message):
                sent.append(message)

            scope = {
                "type": "http", "http_version": "1.1", "method": "POST", "scheme": "http",
                "path": "/search", "query_string": b"", "root_path": "",
                "headers": [(b"host", b"localhost"), (b"content-type", b"application/json")],
                "client": ("127.0.0.1", 9), "server": ("127.0.0.1", 8321),
            }  # fmt: skip
            await app(scope, receive, send)
            return sent[0]["status"]

        two = [asyncio.create_task(one(slow_body)) for _ in range(2)]
        await entered.wait()
        await asyncio.sleep(0.02)
        third = await one(slow_body)
        return third, await asyncio.gather(*two)

    third, others = anyio.run(run)
    assert third == 503
    assert others == [200, 200]


def paced(limits, moments):
    """The statuses of requests of one address, and another one's at the end."""
    clock = iter(moments)

    async def inner(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})

    pace, told = Pace(inner, limits, lambda: next(clock)), []

    async def one(address):
        async def send(message):
            if message["type"] == "http.response.start":
                told.append(message["status"])

        scope = {"type": "http", "method": "GET", "path": "/", "headers": []}
        await pace({**scope, "client": (address, 1)}, None, send)

    async def run():
        for _ in moments[:-1]:
            await one("192.0.2.1")
        await one("192.0.2.2")

    asyncio.run(run())
    return told


def test_an_address_that_asks_too_often_is_told_so_until_time_has_gone_by():
    told = paced(Limits(a_minute=3), [0, 0, 1, 2, 2, 20, 20.5, 21])
    assert told == [200, 200, 200, 429, 429, 200, 429, 200]


def test_without_such_a_limit_nobody_counts():
    assert paced(Limits(), [0.0] * 50) == [200] * 50


def test_the_pace_holds_before_the_endpoints(held):
    with asking(Settings(limits=Limits(a_minute=2)), held) as client:
        answers = [client.get("/health") for _ in range(3)]
    assert [a.status_code for a in answers] == [200, 200, 429]
    assert answers[-1].json()["type"].endswith("too-many")
    assert int(answers[-1].headers["retry-after"]) > 0
    assert "default-src 'none'" in answers[-1].headers["content-security-policy"]


class Hasty(HeadsInTime):
    """The same in a hurry."""

    seconds = 0.3
    connections_at_most = 3


@pytest.fixture(scope="module")
def hasty(held):
    """A real server that does not wait long for the head of a request."""
    with listening(create_app(Settings(), held), Hasty) as port:
        yield port


def closes_within(connection, seconds):
    connection.settimeout(seconds)
    try:
        return connection.recv(1000) == b""
    except TimeoutError:
        return False


def test_a_connection_that_asks_nothing_is_closed(hasty):
    with socket.create_connection(("127.0.0.1", hasty)) as connection:
        assert closes_within(connection, 5)


def test_an_answer_does_not_wait_for_the_reader_to_acknowledge_its_head(hasty):
    connection = http.client.HTTPConnection("127.0.0.1", hasty)
    times = []
    for _ in range(40):
        begun = time.perf_counter()
        connection.request("GET", "/cases/IL-0480")
        connection.getresponse().read()
        times.append(time.perf_counter() - begun)
    connection.close()
    # With Nagle's delay each takes 40 ms and more, as soon as the reader's system takes its time.
    assert min(times[20:]) < 0.03


def test_a_head_that_drips_is_closed(hasty):
    with socket.create_connection(("127.0.0.1", hasty)) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\n")
        end = time.monotonic() + 5
        while time.monotonic() < end:
            try:
                connection.sendall(b"X-A: 1\r\n")
            except OSError:
                break
            time.sleep(0.05)
        assert time.monotonic() < end


def test_a_request_in_time_is_answered_and_so_is_the_next_on_the_connection(hasty):
    asked = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with socket.create_connection(("127.0.0.1", hasty)) as connection:
        for _ in range(2):
            connection.sendall(asked)
            connection.settimeout(5)
            told = b""
            while not told.endswith(b"}"):
                told += connection.recv(4000)
            assert told.startswith(b"HTTP/1.1 200")
            time.sleep(0.1)
        connection.sendall(asked[:20])
        assert closes_within(connection, 5)


@pytest.mark.parametrize(
    "garbage", [b"GARBAGE\r\n\r\n", b"GET /\x00 HTTP/9.9\r\n\r\n", b"\x16\x03\x01"]
)
def test_what_is_no_http_is_a_problem_or_nothing(hasty, garbage):
    with socket.create_connection(("127.0.0.1", hasty)) as connection:
        connection.sendall(garbage)
        connection.settimeout(5)
        told = b""
        while part := connection.recv(4000):
            told += part
    if told:
        head, _, body = told.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 400")
        assert b"application/problem+json" in head
        assert json.loads(body)["status"] == 400


def test_too_many_connections_are_closed_at_once(hasty):
    several = [socket.create_connection(("127.0.0.1", hasty)) for _ in range(3)]
    with socket.create_connection(("127.0.0.1", hasty)) as one_more:
        assert closes_within(one_more, 0.25)
    for connection in several:
        connection.close()


def test_settings_of_limits_that_make_no_sense_are_refused():
    for wrong in (
        {"body": 0},
        {"seconds": 0},
        {"seconds": float("inf")},
        {"threads": 0},
        {"a_minute": 0},
    ):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            Limits(**wrong)


def test_limits_reach_the_app_of_a_server(held):
    with asking(Settings(limits=Limits(body=10)), held) as narrow:
        assert narrow.post("/search", json={"text": "NCCL timeout"}).status_code == 413
