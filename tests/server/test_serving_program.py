"""`kg serve` as a program: token, swap on a signal, requests during it, MCP, logs, the end."""

from __future__ import annotations

import json
import shutil
import signal
import sys
import threading
import time

import anyio
import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

import kg
from kg.cli import main
from kg.library.visible import _vocabulary_of
from tests.helpers.served import program

SHOWN = "a-token-of-some-length"
PRIVATE = "zebra4711"


@pytest.fixture(scope="module")
def told(tmp_path_factory, quick):
    """What a program answered and logged from its start to its end."""
    folder = tmp_path_factory.mktemp("program")
    cases = [quick.cases[i] for i in sorted(quick.cases)[:4]]
    words = _vocabulary_of(cases, quick.vocabulary)
    for name, some in (("served", cases), ("next", cases[:3])):
        kg.build_library(some, folder / f"{name}.duckdb", vocabulary=words, encoder="hash").close()
    (folder / "token").write_text(f"{SHOWN}\n", "utf-8")
    arguments = [
        "serve", "--library", str(folder / "served.duckdb"), "--port", "0", "--more",
        "--token-file", str(folder / "token"), "--hide", cases[0].id,
    ]  # fmt: skip
    found = {}
    with program(arguments, folder / "log") as running:
        headers = {"Authorization": f"Bearer {SHOWN}"}
        with httpx2.Client(base_url=running.url, headers=headers) as client:
            found["url"] = running.url
            found["health"] = httpx2.get(f"{running.url}/health")
            found["without"] = httpx2.get(f"{running.url}/cases")
            found["hidden"] = client.get(f"/cases/{cases[0].id}")
            found["shown"] = client.get(f"/cases/{cases[1].id}")
            client.get("/search", params={"q": PRIVATE, "lane": "words"})
            found["tools"] = anyio.run(_tools, running.url, headers)
            found["during"] = _swapping(running, client, folder)
        found["log"] = running.end()
        found["code"] = running.process.returncode
    return found


async def _tools(url, headers):
    async with (
        httpx2.AsyncClient(headers=headers) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client,
    ):
        return [t.name for t in (await client.list_tools()).tools]


def _swapping(running, client, folder):
    """Answers while the library is swapped for the next one by a signal."""
    seen, stop = [], threading.Event()

    def reader():
        while not stop.is_set():
            answer = client.get("/stats")
            seen.append((answer.status_code, answer.json()["cases"]))

    thread = threading.Thread(target=reader)
    thread.start()
    shutil.copyfile(folder / "next.duckdb", folder / "beside")
    (folder / "beside").replace(folder / "served.duckdb")
    running.process.send_signal(signal.SIGHUP)
    end = time.monotonic() + 30
    while time.monotonic() < end and not (seen and seen[-1][1] == 2):
        time.sleep(0.02)
    stop.set()
    thread.join()
    return seen


def test_it_listens_on_this_machine_only(told):
    assert told["url"].startswith("http://127.0.0.1:")
    assert told["health"].json() == {"status": "ok"}


def test_it_asks_for_the_token_and_hides_what_it_was_told_to(told):
    assert told["without"].status_code == 401
    assert told["hidden"].status_code == 404
    assert told["shown"].status_code == 200
    assert "server" not in told["shown"].headers


def test_it_offers_the_tools_over_http(told):
    assert len(told["tools"]) == 8


def test_no_request_fails_while_the_library_is_swapped(told):
    assert {status for status, _ in told["during"]} == {200}
    counts = [cases for _, cases in told["during"]]
    assert counts == sorted(counts, reverse=True)
    assert set(counts) == {3, 2}


def test_it_ends_when_told_to_and_has_logged_lines_of_json(told):
    assert told["code"] in (0, -signal.SIGTERM)
    lines = [line for line in told["log"].splitlines() if not line.startswith("kg: ")]
    records = [json.loads(line) for line in lines]
    assert {r["event"] for r in records} >= {"request", "reload"}
    assert PRIVATE not in told["log"]
    assert SHOWN not in told["log"]
    assert "Traceback" not in told["log"]


@pytest.mark.parametrize("word", [["serve"], ["mcp"], ["mcp", "--http"]])
@pytest.mark.parametrize("package", ["uvicorn", "fastapi", "mcp"])
def test_without_the_extra_it_says_what_to_install(monkeypatch, capsys, quick, word, package):
    for name in [m for m in sys.modules if m.startswith("kg.server.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    if package == "mcp":
        monkeypatch.setitem(sys.modules, "mcp.server.lowlevel", None)
    assert main([*word, "--library", str(quick.path), "--port", "0"]) == 2
    told = capsys.readouterr().err
    assert "pip install 'incident-kg[server]'" in told


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["serve", "--library", "no-such-file.duckdb"], "no library"),
        (["serve", "--port", "70000"], "port"),
        (["serve", "--token-file", "no-such-file"], "no-such-file"),
        (["serve", "--hide", "organisation=Meta"], "no facet"),
        (["mcp", "--library", "no-such-file.duckdb"], "no library"),
    ],
)
def test_what_cannot_be_served_is_told_and_the_code_is_two(capsys, quick, arguments, words):
    given = arguments if "--library" in arguments else [*arguments, "--library", str(quick.path)]
    assert main(given) == 2
    assert words in capsys.readouterr().err
