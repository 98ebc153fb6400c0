"""Answers that are kept: those used last, within a number of bytes, and only of this library."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.testclient import TestClient

from kg.server import kept as module
from kg.server.holder import Holder
from kg.server.kept import Kept
from kg.server.settings import Limits, Settings
from tests.helpers.served import asking


def test_what_was_not_used_for_longest_goes_first() -> None:
    kept = Kept(30)
    for key in "abc":
        kept.put(key, key.encode() * 9)
    assert kept.get("a") == b"a" * 9  # used again, so that b is the oldest now
    kept.put("d", b"d" * 9)
    assert [kept.get(key) is not None for key in "abcd"] == [True, False, True, True]
    assert len(kept) == 3
    assert kept.size == 30


@pytest.mark.parametrize(("size", "there"), [(9, True), (10, False), (10_000, False)])
def test_what_does_not_fit_is_not_kept_and_drives_nothing_out(size: int, there: bool) -> None:
    kept = Kept(10)
    kept.put("a", b"")
    kept.put("b", b"x" * size)
    assert (kept.get("b") is not None) is there
    assert (kept.get("a") is None) is there
    assert kept.size <= 10


def test_nothing_is_kept_where_no_room_is_given() -> None:
    kept = Kept(0)
    kept.put("", b"")
    kept.put("a", b"")
    assert kept.get("a") is None
    assert kept.size == 0


def test_a_large_answer_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST", 100)
    kept = Kept(10_000)
    kept.put("large", b"x" * 101)
    kept.put("small", b"x" * 90)
    assert kept.get("large") is None
    assert kept.get("small") is not None


def test_the_same_key_counts_once() -> None:
    kept = Kept(100)
    for _ in range(9):
        kept.put("a", b"12345")
    assert kept.size == 6
    assert len(kept) == 1


def test_many_threads_leave_the_count_right() -> None:
    kept = Kept(2_000)

    def work(n: int) -> None:
        kept.put(f"{n % 97}", b"x" * (n % 53))
        kept.get(f"{n % 31}")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(4_000)))
    found = [(key, kept.get(key)) for key in map(str, range(97))]
    assert kept.size == sum(len(key) + len(value) for key, value in found if value is not None)
    assert kept.size <= 2_000


def test_what_is_kept_is_what_would_be_made(client: TestClient, held: Holder) -> None:
    with asking(Settings(limits=Limits(kept=0)), held) as forgetful:
        for path in ("/cases?limit=2", "/groups", "/topics/symptom:nccl-timeout?lang=ko", "/stats"):
            first, again = client.get(path), client.get(path)
            assert first.content == again.content == forgetful.get(path).content
            assert first.headers["etag"] == again.headers["etag"]


def test_words_of_a_body_are_kept_nowhere(client: TestClient, held: Holder) -> None:
    with held.use() as served:
        before = len(served.kept)
        answer = client.post("/search", json={"text": "a very private text", "lane": "words"})
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "no-store"
        assert "etag" not in answer.headers
        assert len(served.kept) == before


@pytest.mark.parametrize("path", ["/search?q=private&lane=words", "/explain?a=IL-0480&b=IL-0023"])
def test_words_of_an_address_are_kept_for_their_reader_alone(client: TestClient, path: str) -> None:
    assert client.get(path).headers["cache-control"] == "private, no-cache"
    assert client.get("/cases").headers["cache-control"] == "public, no-cache"
