"""The examples of the analyst's page run, and the page names every call and word."""

from __future__ import annotations

import contextlib
import re
import shlex
from pathlib import Path

import pytest

import kg
from kg.cli import analysis, main
from kg.library import Library
from kg.library.analysis import Analysis
from kg.queries.holding import KINDS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "analysis.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)


def commands() -> list[str]:
    lines = [line for block in blocks("console") for line in block.splitlines()]
    return [line.removeprefix("$ kg ") for line in lines]


def test_the_python_runs_from_top_to_bottom(
    whole: Library, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(kg, "open_library", lambda: whole)
    exec(compile("\n".join(blocks("python")), "analysis.md", "exec"), {})  # noqa: S102 - our own text
    assert len(capsys.readouterr().out.splitlines()) > 20


@pytest.mark.parametrize("command", commands())
def test_each_command_answers(
    whole: Library,
    command: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    # The library is open already; opening it again for each example takes most of the time.
    monkeypatch.setattr(analysis, "opened", lambda _: contextlib.nullcontext(whole))
    assert main(shlex.split(command)) == 0
    assert capsys.readouterr().out.strip()


def test_the_page_names_every_call_and_kind() -> None:
    calls = [n for n in vars(Analysis) if not n.startswith("_") and callable(getattr(Analysis, n))]
    assert len(calls) == 7
    assert [n for n in calls if f"lib.{n}(" not in PAGE] == []
    assert [kind for kind in KINDS if not re.search(rf"\b{kind}\b", PAGE)] == []


def test_the_analysts_words_of_the_readme_answer(
    whole: Library, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    readme = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
    (block,) = (b for b in re.findall(r"```console\n(.*?)```", readme, re.DOTALL) if "trends" in b)
    monkeypatch.setattr(analysis, "opened", lambda _: contextlib.nullcontext(whole))
    lines = [shlex.split(line, comments=True) for line in block.splitlines()]
    assert len(lines) == 6
    for line in lines:
        assert main(line[2:]) == 0, line
        assert capsys.readouterr().out.strip()
