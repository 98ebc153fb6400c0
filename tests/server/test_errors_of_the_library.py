"""What the library raises while it answers: which problem is told, and what stays inside."""

from __future__ import annotations

import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from embeddings import EmbeddingError
from kg.errors import (
    AmbiguousTerm,
    BadQuery,
    CaseNotFound,
    KgError,
    LibraryError,
    NotFound,
    SchemaError,
    TermNotFound,
)
from kg.server.holder import Holder
from kg.server.mcp.budget import fitted
from kg.server.problems import Told, refuse
from kg.server.settings import Settings
from kg.server.tellings import told_of_error
from tests.helpers.served import asking, with_tools

INSIDE = "/srv/incidents.duckdb: password hunter2"
PAGE = {"Accept": "text/html"}

RAISED: list[tuple[Exception, int, str, bool]] = [
    (CaseNotFound("X-1", ["IL-0480"]), 422, "bad-question", True),
    (TermNotFound("nothing", "cause", ["cause:race"]), 422, "bad-question", True),
    (TermNotFound("cause:race"), 404, "unknown-term", True),
    (AmbiguousTerm("ECC", ["cause:ecc", "symptom:ecc"]), 422, "bad-question", True),
    (BadQuery("k must be 1 or more, not 0"), 422, "bad-question", True),
    (NotFound("nothing of this name"), 404, "not-found", True),
    (LibraryError(INSIDE), 503, "unavailable", False),
    (SchemaError(INSIDE), 503, "unavailable", False),
    (EmbeddingError(INSIDE), 503, "unavailable", False),
    (KgError(INSIDE), 503, "unavailable", False),
    (refuse("busy"), 503, "busy", False),
    (refuse("too-slow"), 504, "too-slow", False),
]
BROKEN: list[Exception] = [
    ValueError(INSIDE),
    OSError(5, INSIDE),
    RecursionError(),
    KeyError(INSIDE),
]
IDS = [f"{type(e).__name__} {s}" for e, s, *_ in RAISED]


def raising(monkeypatch: pytest.MonkeyPatch, held: Holder, error: Exception) -> None:
    """Have the served library raise an error when a topic is asked for."""

    def topic(*_: Any, **__: Any) -> None:
        raise error

    with held.use() as served:
        monkeypatch.setattr(served.lib, "topic", topic)


def ask(held: Holder, headers: dict[str, str] | None = None) -> Any:
    with asking(Settings(), held, raising=False) as client:
        return client.get("/topics/cause:race", headers=headers)


@pytest.mark.parametrize(("error", "status", "kind", "told"), RAISED, ids=IDS)
def test_each_error_is_a_problem_of_its_kind(
    held: Holder,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    status: int,
    kind: str,
    told: bool,
) -> None:
    raising(monkeypatch, held, error)
    answer = ask(held)
    problem = answer.json()
    assert (answer.status_code, problem["status"]) == (status, status)
    assert problem["type"] == f"urn:incident-kg:problem:{kind}"
    assert ("detail" in problem) is told
    assert "hunter2" not in answer.text
    assert ("retry-after" in answer.headers) is (status in (503, 504))
    if told:
        assert problem["detail"] == str(error)


@pytest.mark.parametrize(("error", "status", "kind", "told"), RAISED, ids=IDS)
def test_a_page_tells_the_same(
    held: Holder,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    status: int,
    kind: str,
    told: bool,
) -> None:
    raising(monkeypatch, held, error)
    answer = ask(held, PAGE)
    assert answer.status_code == status
    assert answer.headers["content-type"].startswith("text/html")
    assert Told(kind).title("en") in answer.text
    assert "hunter2" not in answer.text
    del told


def test_names_that_come_near_are_told(held: Holder, monkeypatch: pytest.MonkeyPatch) -> None:
    raising(monkeypatch, held, AmbiguousTerm("ECC", ["cause:ecc", "symptom:ecc"]))
    assert ask(held).json()["candidates"] == ["cause:ecc", "symptom:ecc"]
    page = ask(held, PAGE).text
    assert 'href="/topics/cause:ecc"' in page
    raising(monkeypatch, held, CaseNotFound("X-1", ["IL-0480"]))
    assert ask(held).json()["near"] == ["IL-0480"]
    assert 'href="/cases/IL-0480"' in ask(held, PAGE).text


@pytest.mark.parametrize("error", BROKEN, ids=[type(e).__name__ for e in BROKEN])
def test_what_nobody_foresaw_is_told_in_no_word(
    held: Holder,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
) -> None:
    raising(monkeypatch, held, error)
    answer = ask(held)
    assert answer.json() == {
        "type": "urn:incident-kg:problem:broken",
        "title": "The server failed",
        "status": 500,
    }
    assert answer.headers["x-request-id"]
    assert answer.headers["cache-control"] == "no-store"
    logged = [r for r in caplog.records if getattr(r, "event", "") == "error"]
    assert [r.error for r in logged] == [type(error).__name__]  # type: ignore[attr-defined]
    assert "hunter2" not in caplog.text


def test_an_error_is_not_kept_for_the_next_reader(
    held: Holder, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = "/topics/cause:hardware-failure?lang=en"
    with monkeypatch.context() as patched:
        raising(patched, held, LibraryError(INSIDE))
        with asking(Settings(), held, raising=False) as other:
            failed = other.get(address, headers={"If-None-Match": "*"})
    assert failed.status_code == 503
    assert client.get(address).status_code == 200


@pytest.mark.parametrize("error", [*BROKEN, LibraryError(INSIDE)], ids=lambda e: type(e).__name__)
def test_a_tool_that_fails_says_so_and_no_more(
    held: Holder, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    raising(monkeypatch, held, error)

    async def work(client: Any) -> Any:
        return await client.call_tool("get_topic", {"term": "cause:race"})

    answer = with_tools(Settings(), held, work)
    assert answer.is_error
    told = json.loads(answer.content[0].text)
    assert told["status"] == (503 if isinstance(error, LibraryError) else 500)
    assert "detail" not in told
    assert "hunter2" not in answer.content[0].text


def test_what_the_path_names_is_missing_and_what_is_beside_makes_a_bad_question() -> None:
    assert told_of_error(CaseNotFound("A-1"), frozenset({"A-1"})).kind == "unknown-case"
    assert told_of_error(CaseNotFound("A-1"), frozenset({"A-2"})).kind == "bad-question"
    assert told_of_error(TermNotFound("x"), frozenset({"x"})).status == 404
    assert told_of_error(TermNotFound("x")).status == 422


def test_a_budget_too_small_for_what_must_be_said_names_what_is_needed() -> None:
    result = {"must": "x" * 300, "may": ["y" * 50] * 4}
    with pytest.raises(BadQuery, match=r"budget: what must be said takes (\d+) characters") as bad:
        fitted(lambda r, t: {"t": t, "r": r}, result, ["may"], 200)
    told = told_of_error(bad.value)
    assert told.status == 422
    assert told.korean.startswith("budget: 꼭 말해야 하는 것만")
    needed = int(told.korean.partition("것만 ")[2].partition("자")[0])
    assert fitted(lambda r, t: {"t": t, "r": r}, result, ["may"], needed)["r"] == {
        "must": "x" * 300
    }
