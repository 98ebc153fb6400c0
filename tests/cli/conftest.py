"""Runs the command in this process, as a shell would see it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from kg.cli import main
from kg.library import Library


@dataclass(frozen=True)
class Answer:
    """What a command gave back."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Answer]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str) -> Answer:
        try:
            code = main(arguments)
        except SystemExit as stop:  # argparse leaves so
            code = int(stop.code or 0)
        captured = capsys.readouterr()
        return Answer(code, captured.out, captured.err)

    return call


@pytest.fixture
def ask(run: Run, quick: Library) -> Run:
    """Like `run`, on the library with the tiny encoder."""

    def call(word: str, *arguments: str) -> Answer:
        return run(word, *arguments, "--library", str(quick.path))

    return call
