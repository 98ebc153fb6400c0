"""Programs are told of a problem in Korean if they ask for it; what machines read is the same."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from kg.server.holder import Holder
from kg.server.problems import told
from kg.server.settings import Limits, Settings
from kg.server.wording import DETAILS, LIBRARY, TITLES, VALUES
from tests.helpers.served import asking, with_tools

HANGUL = re.compile("[가-힣]")
KO, EN = {"Accept-Language": "ko"}, {"Accept-Language": "en"}
SHOWN = "a-token-of-some-length"
WORDS = ("title", "detail")

ASKED: list[tuple[str, str, dict[str, Any]]] = [
    ("GET", "/nowhere", {}),
    ("GET", "/cases/IL-0481", {}),
    ("GET", "/cases?limit=0", {}),
    ("GET", "/cases?cause=nothing", {}),
    ("GET", "/cases?format=xml", {}),
    ("GET", "/explain?a=IL-0480&b=IL-0480", {}),
    ("GET", "/search?q=%21%21", {}),
    ("GET", f"/search?q={'x' * 30_000}", {}),
    ("GET", "/diagnose?q=NCCL&observed=organization:meta", {}),
    ("DELETE", "/cases", {}),
    ("POST", "/search", {"content": b"text"}),
    ("POST", "/search", {"json": {"text": "x" * 8_001}}),
    ("POST", "/search", {"json": {}}),
    ("POST", "/search", {"json": []}),
    ("POST", "/search", {"content": b"{", "headers": {"Content-Type": "application/json"}}),
    ("POST", "/diagnose", {"json": {"text": "!!"}}),
    ("POST", "/explain", {"json": {"a": "IL-0480", "b": "IL-0481"}}),
    ("POST", "/search", {"content": b"x" * 300_000}),
    ("POST", "/search", {"json": {"text": "NCCL"}, "headers": {"Origin": "http://evil.example"}}),
    ("POST", "/mcp", {"content": b"{}"}),
    ("GET", "/cases", {"headers": {"Host": "evil.example"}}),
]


def problem(
    client: TestClient, method: str, address: str, more: dict[str, Any], lang: dict[str, str]
) -> Any:
    headers = {**more.get("headers", {}), **lang}
    return client.request(method, address, **{**more, "headers": headers})


@pytest.mark.parametrize(
    ("method", "address", "more"),
    ASKED,
    ids=[f"{m} {a[:30]} {n}" for n, (m, a, _) in enumerate(ASKED)],
)
def test_words_are_in_the_language_and_the_rest_is_the_same(
    client: TestClient, method: str, address: str, more: dict[str, Any]
) -> None:
    korean, english = (problem(client, method, address, more, lang) for lang in (KO, EN))
    assert korean.status_code == english.status_code >= 400
    ours, theirs = korean.json(), english.json()
    assert set(ours) == set(theirs)
    for name in ours:
        if name in WORDS:
            assert HANGUL.search(ours[name]), ours[name]
            assert not HANGUL.search(theirs[name]), theirs[name]
        else:
            assert ours[name] == theirs[name]
    for answer, lang in ((korean, "ko"), (english, "en")):
        assert answer.headers["content-language"] == lang
        assert "accept-language" in answer.headers["vary"].lower()
        assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("address", "headers", "lang"),
    [
        ("/cases/no?lang=ko", EN, "ko"),
        ("/cases/no?lang=en", KO, "en"),
        ("/cases/no?lang=fr", KO, "ko"),
        ("/cases/no", {"Accept-Language": "fr, ko;q=0.4, en;q=0.3"}, "ko"),
        ("/cases/no", {"Accept-Language": "ko;q=0"}, "en"),
        ("/cases/no", {}, "en"),
    ],
)
def test_the_address_goes_before_what_the_reader_accepts(
    client: TestClient, address: str, headers: dict[str, str], lang: str
) -> None:
    assert client.get(address, headers=headers).headers["content-language"] == lang


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("/search", {"text": "!!"}),
        ("/search", {"text": "NCCL", "k": 0}),
        ("/diagnose", {"text": "x" * 8_001}),
        ("/explain", {"a": "IL-0480", "b": "IL-0480"}),
    ],
)
def test_a_body_names_a_language_too(
    client: TestClient, address: str, body: dict[str, object]
) -> None:
    answer = client.post(address, json={**body, "lang": "ko"}, headers=EN)
    assert answer.headers["content-language"] == "ko"
    assert HANGUL.search(answer.json()["detail"])
    assert client.post(address, json=body).headers["content-language"] == "en"


@pytest.fixture(scope="module")
def korean(held: Holder) -> Iterator[TestClient]:
    """A Korean server with a token, which may be asked thrice a minute."""
    with asking(Settings(lang="ko", token=SHOWN, limits=Limits(a_minute=3)), held) as it:
        yield it


def test_a_korean_server_speaks_korean_unless_it_is_asked_otherwise(korean: TestClient) -> None:
    """Also where a guard refuses before any endpoint is reached."""
    refused = korean.get("/cases")
    assert (refused.status_code, refused.json()["title"]) == (401, TITLES["no-token"][2])
    assert refused.json()["detail"] == DETAILS["token"][1]
    assert refused.headers["www-authenticate"]
    assert korean.get("/cases", headers=EN).json()["title"] == TITLES["no-token"][1]
    told_by = korean.get("/cases/no", headers={"Authorization": f"Bearer {SHOWN}"})
    assert "사례 'no'" in told_by.json()["detail"]
    late = korean.get("/cases")
    assert (late.status_code, late.json()["detail"]) == (429, "1분에 3번까지 물을 수 있습니다.")
    assert late.headers["retry-after"] == "5"


def test_what_a_page_is_refused_with_before_there_is_one_is_korean_too(client: TestClient) -> None:
    page = {"Accept": "text/html", "Host": "evil.example", **KO}
    assert client.get("/", headers=page).json()["detail"] == DETAILS["host"][1]


def test_tools_are_told_in_the_language_that_they_ask_for(held: Holder) -> None:
    asked = {
        "case": ("get_incident", {"id": "IL-0481"}),
        "value": ("list_incidents", {"limit": 0}),
        "name": ("get_incident", {"ID": "IL-0480"}),
        "long": ("search_incidents", {"text": "x" * 8_001}),
        "tool": ("delete_incident", {"id": "IL-0480"}),
    }

    async def work(client: Any) -> dict[str, Any]:
        found = {}
        for name, (tool, given) in asked.items():
            for lang in ("ko", "en"):
                answer = await client.call_tool(tool, {**given, "lang": lang})
                found[name, lang] = json.loads(answer.content[0].text)
        return found

    found = with_tools(Settings(), held, work)
    for name in asked:
        ours, theirs = found[name, "ko"], found[name, "en"]
        assert HANGUL.search(ours["title"]), name
        assert HANGUL.search(ours["detail"]), name
        assert not HANGUL.search(theirs["title"] + theirs["detail"]), name
        assert {k: v for k, v in ours.items() if k not in WORDS} == {
            k: v for k, v in theirs.items() if k not in WORDS
        }


def test_whatever_is_wrong_with_a_parameter_is_said_in_korean(client: TestClient) -> None:
    """Each sort of parameter with values that it may not have."""
    wrong = ("", "-1", "99999999", "1.5", "x" * 2_100, "2024-13-01")
    refused, seen = 0, set()
    for path, methods in client.get("/openapi.json").json()["paths"].items():
        address = path.format(case_id="IL-0480", term="cause:hardware-failure")
        for parameter in methods.get("get", {}).get("parameters", ()):
            same = json.dumps(parameter, sort_keys=True)
            if parameter["in"] != "query" or parameter["name"] == "lang" or same in seen:
                continue
            seen.add(same)
            for value in wrong:
                given = {"q": "NCCL", "a": "IL-0480", "b": "IL-0428", parameter["name"]: value}
                known = {p["name"] for p in methods["get"]["parameters"]}
                asked = {k: v for k, v in given.items() if k in known}
                answer = client.get(address, params=asked, headers=KO)
                if answer.status_code == 422:
                    refused += 1
                    assert HANGUL.search(answer.json()["detail"]), answer.json()
    assert refused > 100


@pytest.mark.parametrize(
    "body",
    [
        '{"text": 7}', '{"text": ["a"]}', '{"text": null}', '{"text": "\\ud800"}', '{"text": ""}',
        '{"text": "a", "k": "many"}', '{"text": "a", "k": 1.5}', '{"text": "a", "k": null}',
        '{"text": "a", "k": 1' + "0" * 500 + "}", '{"text": "a", "threshold": "high"}',
        '{"text": "a", "threshold": NaN}', '{"text": "a", "threshold": true, "k": false}',
        '{"text": "a", "facets": 7}', '{"text": "a", "facets": {"cause": "x"}}',
        '{"text": "a", "facets": {"cause": [7]}}', '{"text": "a", "facets": {"kind": "odd"}}',
        '{"text": "a", "facets": {"since": "24-1-1"}}', '{"text": "a", "lane": "fast"}',
        '{"text": "a", "more": 1}', "7", "null", '"text"', "[", "",
        '{"text": "' + "x" * 20_001 + '"}',
        '{"text": "a", "facets": {"cause": [' + ", ".join(['"x"'] * 21) + "]}}",
    ],
)  # fmt: skip
def test_whatever_is_wrong_with_a_body_is_said_in_korean(client: TestClient, body: str) -> None:
    headers = {**KO, "Content-Type": "application/json"}
    answer = client.post("/search", content=body.encode(), headers=headers)
    assert answer.status_code == 422, body[:60]
    told = answer.json()
    assert HANGUL.search(told["detail"]), told
    english = client.post("/search", content=body.encode(), headers={**headers, **EN}).json()
    assert english["problems"] == told["problems"]
    assert not HANGUL.search(english["detail"])


def test_both_languages_say_the_same_of_every_value() -> None:
    def places(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}

    for key, (en, ko) in DETAILS.items():
        assert places(en) == places(ko), key
        assert HANGUL.search(ko), key
        assert not HANGUL.search(en), key
    for said, ko in LIBRARY.items():
        groups = re.compile(said).groups
        assert {int(n) for n in places(ko)} <= set(range(groups)), said
        assert HANGUL.search(ko)
    assert all(HANGUL.search(ko) for ko in VALUES.values())


def test_a_detail_takes_any_text_as_text() -> None:
    assert told("not-found", "tool", "{0} {x}").detail.endswith("there are {0} {x}")
    assert told("broken").plain("ko") == {
        "type": "urn:incident-kg:problem:broken",
        "title": "서버에 문제가 생겼습니다",
        "status": 500,
    }
