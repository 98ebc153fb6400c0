"""In which language an answer is told: what is asked for, else that of the text, else the usual."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from kg.server.holder import Holder
from kg.server.mcp.tools import tools
from kg.server.settings import Settings
from tests.helpers.served import asking

HANGUL = re.compile("[가-힣]")
PAIR = {"a": "IL-0480", "b": "IL-0428"}
TEXT = {"en": "training hung after an NCCL timeout", "ko": "학습이 NCCL 타임아웃으로 멈췄다"}


@pytest.fixture(scope="module")
def servers(held: Holder) -> Iterator[dict[str, TestClient]]:
    """One that speaks English and one that speaks Korean, over one library."""
    with asking(Settings(lang="en"), held) as en, asking(Settings(lang="ko"), held) as ko:
        yield {"en": en, "ko": ko}


def korean(text: str) -> bool:
    return HANGUL.search(text) is not None


@pytest.mark.parametrize("usual", ["en", "ko"])
def test_two_cases_are_explained_in_the_language_of_the_server(
    servers: dict[str, TestClient], usual: str
) -> None:
    told = servers[usual].get("/explain", params=PAIR).json()
    assert told["lang"] == usual
    assert korean(told["text"]) is (usual == "ko")
    assert servers[usual].post("/explain", json=PAIR).json() == told


@pytest.mark.parametrize("usual", ["en", "ko"])
@pytest.mark.parametrize("lang", ["en", "ko"])
def test_what_is_asked_for_goes_before(
    servers: dict[str, TestClient], usual: str, lang: str
) -> None:
    told = servers[usual].get("/explain", params={**PAIR, "lang": lang}).json()
    assert told["lang"] == lang
    assert korean(told["text"]) is (lang == "ko")
    hits = servers[usual].get("/cases/IL-0480/similar", params={"lang": lang}).json()["items"]
    assert korean(hits[0]["title"]) is (lang == "ko")


@pytest.mark.parametrize("usual", ["en", "ko"])
@pytest.mark.parametrize("lang", ["en", "ko"])
def test_a_text_is_answered_in_its_own_language(
    servers: dict[str, TestClient], usual: str, lang: str
) -> None:
    client, text = servers[usual], TEXT[lang]
    assert client.get("/explain", params={"a": text, "b": "IL-0023"}).json()["lang"] == lang
    assert client.get("/explain", params={"a": "IL-0023", "b": text}).json()["lang"] == lang
    assert client.post("/search", json={"text": text, "lane": "words"}).json()["lang"] == lang
    assert client.get("/search", params={"q": text, "lane": "words"}).json()["lang"] == lang


LISTS: list[tuple[str, Any]] = [
    ("/cases?limit=1", lambda told: told["notice"]),
    ("/cases/IL-0480/similar?k=1", lambda told: told["items"][0]["title"]),
    ("/groups", lambda told: told["groups"][0]["members"][0]["title"]),
    ("/topics/cause:hardware-failure", lambda told: told["membership"]),
    ("/vocab?scheme=cause", lambda told: told["schemes"][0]["terms"][0]["definition"]),
    ("/stats", lambda told: told["times"]["note"]),
]


@pytest.mark.parametrize("usual", ["en", "ko"])
@pytest.mark.parametrize(("address", "words"), LISTS, ids=[a for a, _ in LISTS])
def test_what_has_no_text_is_in_the_language_of_the_server(
    servers: dict[str, TestClient], usual: str, address: str, words: Any
) -> None:
    told = servers[usual].get(address).json()
    assert korean(words(told)) is (usual == "ko")


def test_what_a_reader_accepts_changes_no_shared_answer(servers: dict[str, TestClient]) -> None:
    """JSON depends on its address alone, so that whoever keeps it may give it to all."""
    for path in ("/cases?limit=1", "/explain?a=IL-0480&b=IL-0428"):
        plain = servers["en"].get(path)
        accepted = servers["en"].get(path, headers={"Accept-Language": "ko"})
        assert accepted.content == plain.content
        assert accepted.headers["etag"] == plain.headers["etag"]


@pytest.mark.parametrize("usual", ["en", "ko"])
def test_tools_follow_the_same_rule(held: Holder, usual: str) -> None:
    offered = tools(more=True)
    asked = {
        "explain_incidents": PAIR,
        "similar_incidents": {"id": "IL-0480"},
        "list_incidents": {},
    }
    with held.use() as served:
        for name, arguments in asked.items():
            tool = offered[name]
            given = tool.asked({**arguments, "budget": 400_000})
            told = tool.answer(served, given, usual)["result"]
            words = {
                "explain_incidents": lambda t: t["text"],
                "similar_incidents": lambda t: t["items"][0]["title"],
                "list_incidents": lambda t: t["notice"],
            }[name](told)
            assert korean(words) is (usual == "ko"), name
