"""`kg` as a process: the answer of `main`, its exit code, and no search for cycles on the way."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator

import pytest

import kg.cli
from kg.cli import command, main
from kg.library import Library


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    """What `command` sets is for a process that ends; this one goes on."""
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


def test_it_gives_the_code_of_main(monkeypatch: pytest.MonkeyPatch) -> None:
    for code in (0, 1, 2):
        monkeypatch.setattr(kg.cli, "main", lambda code=code: code)
        assert command() == code


def test_what_is_there_at_the_end_is_not_looked_through_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kg.cli, "main", lambda: 0)
    assert gc.get_freeze_count() == 0
    command()
    assert gc.get_freeze_count() > 1000


def test_a_word_that_goes_on_looks_for_cycles_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def serving() -> int:
        seen.append(gc.get_threshold())
        kg.cli.long_lived()
        seen.append(gc.get_threshold())
        return 0

    monkeypatch.setattr(kg.cli, "main", serving)
    command()
    assert seen[0][0] > seen[1][0]
    assert seen[1] == kg.cli._USUAL


def test_main_alone_leaves_the_collector_of_its_caller_as_it_is(quick: Library) -> None:
    before = gc.get_threshold()
    assert main(["vocab", "no-such-scheme", "--library", str(quick.path)]) == 2
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


@pytest.mark.parametrize(
    ("words", "code"),
    [(["vocab", "cause"], 0), (["vocab", "no-such-scheme"], 2), (["--no-such-option"], 2)],
)
def test_a_process_ends_with_the_code(quick: Library, words: list[str], code: int) -> None:
    command = [sys.executable, "-m", "kg", *words, "--library", str(quick.path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == code
    assert bool(done.stdout) is (code == 0)
    assert bool(done.stderr) is (code != 0)
