"""A query of any size, and of any kind, becomes a few short parts; a log becomes its lines."""

from __future__ import annotations

import base64
import random
from functools import cache

import pytest

from embeddings.query import (
    CONDENSED,
    MOST_PARTS,
    PART,
    WHOLE_QUERY,
    condense,
    distinct_lines,
    query_parts,
)
from kg.library import Library

RANDOM = random.Random(5)
WORDS = ["link", "down", "port", "retry", "bus", "fell", "timeout", "ecc", "oom", "rank", "flush"]


def words(count: int) -> str:
    return " ".join(RANDOM.choice(WORDS) for _ in range(count))


HOSTILE = {
    "no spaces": lambda: base64.b64encode(RANDOM.randbytes(3_000_000)).decode(),
    "one huge line": lambda: words(300_000),
    "many short lines": lambda: "\n".join(f"err {i}" for i in range(40_000)),
    "many different lines": lambda: "\n".join(words(8) for _ in range(15_000)),
    "codes": lambda: "\n".join(f"Xid {i}" for i in range(40_000)),
    "digits": lambda: "0123456789" * 100_000,
    "hexadecimal": lambda: "deadbeef" * 100_000,
    "numbers": lambda: "12 " * 500_000,
    "signs": lambda: "-=" * 500_000,
    "a word after blanks": lambda: " " * 900_000 + "timeout",
    "a word between blanks": lambda: " " * 3_000_000 + "timeout" + " " * 3_000_000,
    "new lines": lambda: "\n" * 1_000_000,
    "Korean": lambda: "노드가 멈추고 통신이 끊겼다. " * 30_000,
    "Chinese": lambda: "节点停止响应通信中断" * 50_000,
    "emoji": lambda: "🔥" * 500_000,
    "surrogates": lambda: "\ud800" * 30_000,
    "just too long": lambda: "x" * (WHOLE_QUERY + 1),
}


@pytest.fixture
def text(request: pytest.FixtureRequest) -> str:
    """One of the hostile texts, megabytes that only the worker with this file makes."""
    return made(request.param)


@cache
def made(name: str) -> str:
    return HOSTILE[name]()


@pytest.mark.parametrize("text", HOSTILE, indirect=True)
def test_parts_are_few_and_short(text: str) -> None:
    parts = query_parts(text)
    assert 1 <= len(parts) <= MOST_PARTS
    assert max(map(len, parts)) <= PART
    assert parts == query_parts(text)


@pytest.mark.parametrize("text", HOSTILE, indirect=True)
def test_a_condensed_text_is_short_and_condensed_for_good(text: str) -> None:
    short = condense(text)
    assert len(short) <= CONDENSED
    assert short == condense(text) == condense(short)


@pytest.mark.parametrize("text", ["NCCL timeout", "x" * WHOLE_QUERY, " a\n\n a ", "", "-"])
def test_a_short_query_is_embedded_as_it_is(text: str) -> None:
    assert query_parts(text) == [text]


@pytest.mark.parametrize("text", ["a\nb 1\nb 2\n", words(3000)[:CONDENSED]])
def test_a_text_that_is_not_long_is_searched_as_it_is(text: str) -> None:
    assert condense(text) is text


def nccl(i: int) -> str:
    return (
        f"node{i % 64:03d}:{1000 + i}:{7000 + i} [{i % 8}] NCCL WARN Watchdog caught collective "
        f"operation timeout: WorkNCCL(SeqNum={i * 37}, OpType=ALLREDUCE, NumelIn=0x{i * 911:08x}) "
        f"at 2026-07-{1 + i % 28:02d}T12:{i % 60:02d}:01.{i:06d} from 10.0.{i % 256}.{i % 99}:2950"
    )


def test_a_log_of_one_kind_of_line_is_its_first_line() -> None:
    log = "\n".join(map(nccl, range(1000)))
    assert query_parts(log) == [nccl(0)]
    assert condense(log) == nccl(0)


def test_a_rare_line_of_a_long_log_is_kept_wherever_it_stands() -> None:
    rare = "kernel: GPU has fallen off the bus"
    for place in (0, 1700, 5000):
        lines = list(map(nccl, range(5000)))
        lines.insert(place, rare)
        assert rare in condense("\n".join(lines)).splitlines()
        assert any(rare in part for part in query_parts("\n".join(lines)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("NVRM: Xid (PCI:0000:3b:00): 79, pid=11", "NVRM: Xid (PCI:0000:3b:00): 31, pid=22"),
        ("step 10 ended with exit code 137", "step 11 ended with exit code 1"),
        ("HTTP status=503 after 10 ms", "HTTP status=429 after 11 ms"),
        ("Xid 79 at 12:00", "Xid 31 at 12:01"),
    ],
)
def test_lines_with_other_error_codes_are_other_lines(one: str, other: str) -> None:
    filler = "\n".join(map(nccl, range(200)))
    found = condense(f"{filler}\n{one}\n{other}").splitlines()
    assert found[-2:] == [one, other]


def test_of_too_many_lines_the_first_and_the_last_are_among_those_taken() -> None:
    lines = [f"{words(9)} {i * 'x'}" for i in range(1, 280)]
    text = "\n".join(lines)
    found = condense(text).splitlines()
    assert found[0] == lines[0]
    assert found[-1] == lines[-1]
    assert CONDENSED * 0.8 < len("\n".join(found)) <= CONDENSED


def test_the_end_of_a_huge_text_is_looked_at() -> None:
    text = "\n".join(words(10) for _ in range(60_000)) + "\nthe cooling pump stopped"
    assert condense(text).endswith("\nthe cooling pump stopped")
    assert query_parts(text)[-1].endswith("the cooling pump stopped")


def test_prose_is_cut_at_the_end_of_a_sentence() -> None:
    text = " ".join(f"The {chr(97 + i)} node stopped while {words(12)}." for i in range(12))
    parts = query_parts(text)
    assert len(parts) > 2
    assert all(part.endswith(".") for part in parts)
    assert " ".join(parts).split() == text.split()


SERVICES = ["sshd", "cron", "systemd", "dhclient", "ntpd", "dockerd", "kubelet", "etcd"]
TELLING = "rank 3 waits in all_reduce, the others in reduce_scatter at one sequence number"


@pytest.mark.parametrize(
    "noise",
    [
        [f"kubelet[{i}]: volume mount retry for pod web-{i} ok {i * 7}" for i in range(70)],
        [f"{s}[{i}]: session {i * 3} ok" for i in range(10) for s in SERVICES],
    ],
    ids=["one kind", "many kinds"],
)
def test_one_decisive_line_among_noise_is_heard(lib: Library, noise: list[str]) -> None:
    half = len(noise) // 2
    log = "\n".join([*noise[:half], TELLING, *noise[half:]])
    heard = lib.search(log, threshold=0.0)[0]
    assert heard.id == "IL-0480"
    plain = next(h for h in lib.search("\n".join(noise), k=99, threshold=0.0) if h.id == heard.id)
    assert heard.parts["words"] > plain.parts["words"]
    assert heard.probability is not None
    assert plain.probability is not None
    assert heard.probability > 2 * plain.probability


def test_a_log_is_searched_by_its_distinct_lines() -> None:
    noise = [f"kubelet[{i}]: retry {i}" for i in range(70)]
    log = "\n".join([*noise[:35], TELLING, *noise[35:]])
    assert distinct_lines(log).splitlines() == [noise[0], TELLING]
    assert distinct_lines("\n".join(map(nccl, range(50)))) == nccl(0)


@pytest.mark.parametrize("text", HOSTILE, indirect=True)
def test_distinct_lines_are_short_and_are_so_for_good(text: str) -> None:
    short = distinct_lines(text)
    assert len(short) <= CONDENSED
    assert short == distinct_lines(text)


def test_of_a_report_that_does_not_repeat_itself_every_word_is_searched() -> None:
    text = " ".join(f"The {chr(97 + i)} node stopped while {words(12)}." for i in range(12))
    assert distinct_lines(text).split() == text.split()
