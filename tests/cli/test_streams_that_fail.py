"""Files and streams that fail end with 2 and one line, never with a traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kg.library import Library
from tests.cli.conftest import Run

CODE = "import sys; from kg.cli import main; sys.exit(main())"


def shell(script: str, library: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run `kg` within a line of shell, where `"$@"` stands for it."""
    words = [sys.executable, "-c", CODE, *arguments]
    if arguments[0] not in ("demo", "--help"):
        words += ["-l", str(library)]
    return subprocess.run(["sh", "-c", script, "sh", *words], capture_output=True)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [["list"], ["list", "--json"], ["--help"], ["graph"]])
def test_a_full_disk_is_told(quick: Library, arguments: list[str]) -> None:
    done = shell('"$@" > /dev/full', quick.path, *arguments)
    assert done.returncode == 2
    assert done.stderr.decode().splitlines() == [
        "kg: standard output: No space left on device"
    ]  # fmt: skip


def test_a_closed_output_is_told(quick: Library) -> None:
    done = shell('"$@" >&-', quick.path, "list")
    assert done.returncode == 2
    assert done.stderr.decode() == "kg: standard output: it is closed\n"


@pytest.mark.parametrize("word", ["search", "sql"])
@pytest.mark.parametrize("locale", ["C.UTF-8", "POSIX"])
def test_input_that_is_no_text_is_told(quick: Library, word: str, locale: str) -> None:
    script = f"printf 'NCCL \\377' | LC_ALL={locale} \"$@\""
    done = shell(script, quick.path, word, "-")
    assert (done.returncode, done.stderr) == (2, b"kg: the text is not UTF-8\n")


def test_a_closed_input_is_told(quick: Library) -> None:
    done = shell('"$@" <&-', quick.path, "search", "-")
    assert (done.returncode, done.stderr) == (2, b"kg: standard input is closed\n")


def test_an_error_that_cannot_be_told_is_still_two(quick: Library) -> None:
    assert shell('"$@" 2> /dev/full', quick.path, "show", "none").returncode == 2


@pytest.mark.parametrize("word", ["search", "sql", "show"])
def test_an_argument_that_is_no_text_is_two(ask: Run, word: str) -> None:
    answer = ask(word, "NCCL \udcff")
    assert answer.code == 2
    assert answer.err.startswith("kg: ")
    assert answer.err.count("\n") == 1


def test_a_demo_in_a_place_that_is_no_folder(run: Run, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("keep me")
    answer = run("demo", str(notes))
    assert (answer.code, answer.err) == (2, f"kg: {notes}: File exists\n")
    assert run("demo", str(notes / "below")).code == 2
    assert notes.read_text() == "keep me"


def test_what_may_not_be_read_is_told(
    ask: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", "secret")

    monkeypatch.setattr("kg.cli.asking.open_library", refuse)
    answer = ask("list")
    assert (answer.code, answer.err) == (2, "kg: secret: Permission denied\n")
