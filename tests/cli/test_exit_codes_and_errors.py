"""0 done, 1 nothing found, 2 bad use or input; errors are one line on standard error."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kg.library import Library
from tests.cli.conftest import Run


def test_nothing_similar_is_one(ask: Run) -> None:
    answer = ask("search", "NCCL", "--threshold", "0.99")
    assert answer.code == 1
    assert "Nothing in this library is like this" in answer.out


def test_no_case_in_a_list_is_one(ask: Run) -> None:
    assert ask("list", "--severity", "low").code == 1


def test_no_shared_cause_is_one(ask: Run) -> None:
    answer = ask("causes", "IL-0480", "IL-0023")
    assert answer.code == 1
    assert "no confirmed root cause" in answer.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["show", "IL-048"], "Did you mean IL-0480"),
        (["explain", "IL-0480", "IL-0480"], "is one case; give two"),
        (["topic", "nonsense"], "no term 'nonsense'"),
        (["vocab", "causes"], "Did you mean cause?"),
        (["list", "--symptom", "nccl-timeoutt"], "Did you mean"),
        (["list", "--sort", "upwards"], "no sort 'upwards'"),
        (["list", "--since", "yesterday"], "is not a day such as"),
        (["list", "--kind", "outage"], "incident, series, study"),
        (["list", "--limit", "0"], "limit 1 or more"),
        (["search", "  "], "no words"),
        (["search", "NCCL", "-k", "0"], "k must be 1 or more"),
        (["causes", "IL-0480", "--minimum", "0"], "minimum must be 1 or more, not 0"),
        (["sql", "SELEC 1"], "SQL:"),
        (["sql", "DELETE FROM cases"], "SQL:"),
        (["graph", "-o", "missing-folder/graph.svg"], "cannot write missing-folder/graph.svg"),
    ],
)
def test_bad_use_is_two_with_one_clear_message(ask: Run, arguments: list[str], said: str) -> None:
    answer = ask(*arguments)
    assert answer.code == 2
    assert said in answer.err
    assert answer.err.startswith("kg: ")
    assert "Traceback" not in answer.err
    assert answer.out == ""


@pytest.mark.parametrize("score", ["nan", "inf", "-0.1", "1.1", "high", "-inf"])
def test_a_threshold_is_a_score(ask: Run, score: str) -> None:
    answer = ask("search", "NCCL", f"--threshold={score}")
    assert answer.code == 2
    assert f"give a number from 0 to 1, not '{score}'" in answer.err


def test_an_unknown_word_is_two(run: Run) -> None:
    assert run("serach", "x").code == 2
    assert run().code == 2


def test_a_missing_library_says_how_to_build_one(run: Run, tmp_path: Path) -> None:
    answer = run("list", "-l", str(tmp_path / "none.duckdb"))
    assert answer.code == 2
    assert "kg build PATH -o" in answer.err


def test_a_file_that_is_no_library_is_refused(run: Run, tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("not a library")
    answer = run("list", "-l", str(other))
    assert answer.code == 2
    assert "not an incident-kg library" in answer.err


def test_the_query_may_come_from_standard_input(
    ask: Run, monkeypatch: pytest.MonkeyPatch, quick: Library
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("NCCL timeout\nrank 3 stuck in all_reduce\n"))
    piped = ask("search", "-", "--json", "--threshold", "0").json
    assert piped["items"][0]["id"] == quick.search(piped["query"], threshold=0.0)[0].id


def test_a_reader_that_leaves_early_is_no_error(quick: Library) -> None:
    code = "import sys; from kg.cli import main; sys.exit(main(sys.argv[1:]))"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "show", "IL-0417", "-l", str(quick.path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 0
