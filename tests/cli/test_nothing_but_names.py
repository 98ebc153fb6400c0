"""Where a text finds nothing, the cases that have what it names are a list away."""

from __future__ import annotations

import re

import pytest

from kg.cli import main
from kg.library import Library


def asked(quick: Library, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    main([words[0], *words[1:], "--library", str(quick.path)])
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "told"),
    [("NCCL timeout", "NCCL timeout: "), ("NCCL 타임아웃으로 멈췄다", "NCCL 타임아웃: ")],
)
def test_the_list_is_named_and_holds_as_many(
    quick: Library, capsys: pytest.CaptureFixture[str], text: str, told: str
) -> None:
    out = asked(quick, capsys, "search", text, "--threshold", "1")
    (line,) = [x for x in out.splitlines() if x.startswith(told) and "nccl-timeout" in x]
    count = int(re.findall(r"\d+", line.removeprefix(told))[0])
    listed = asked(quick, capsys, "list", "--symptom", "nccl-timeout")
    assert count == quick.list(symptom="nccl-timeout").total > 0
    assert f"{count} " in listed.splitlines()[0]


def test_what_is_denied_is_not_offered(quick: Library, capsys: pytest.CaptureFixture[str]) -> None:
    out = asked(quick, capsys, "search", "no NCCL timeout was seen", "--threshold", "1")
    assert "--symptom nccl-timeout" not in out


def test_an_answer_needs_no_list(quick: Library, capsys: pytest.CaptureFixture[str]) -> None:
    out = asked(quick, capsys, "search", "NCCL timeout", "--threshold", "0")
    assert "kg list" not in out
