"""`kg add`, `kg remove` and `kg review` on the command line: exit codes, text, JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kg.cli import main
from tests.helpers.foreign_library import HANG, LINK, add, claimed, write


@pytest.fixture
def library(tmp_path: Path) -> str:
    docs = write(
        tmp_path / "docs", a=f"---\nid: PM-1\n---\n{HANG}", b=f"---\nid: PM-2\n---\n{LINK}"
    )
    add(tmp_path / "own.duckdb", docs)
    return str(tmp_path / "own.duckdb")


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main([*words])
    told = capsys.readouterr()
    return code, told.out, told.err


def test_adding_tells_of_each_document(
    library: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    docs = write(tmp_path / "docs", c="# Disk full\n\n## Lessons\nMail jane@corp.example.com.\n")
    (docs / "bad.json").write_text("{", encoding="utf-8")
    code, out, err = run(capsys, "add", str(docs), "-l", library, "--dry-run")
    assert code == 2
    assert "c.md (markdown): added" in out
    assert "1 added, 2 unchanged (dry run, not written)" in out
    assert "bad.json" in err
    code, out, _ = run(capsys, "add", str(docs), "-l", library, "--json")
    told = json.loads(out)
    assert code == 2
    assert told["counts"] == {"added": 1, "unchanged": 2}
    assert told["redacted"] == {"email": 1}
    (docs / "bad.json").unlink()
    code, out, _ = run(capsys, "add", str(docs), "-l", library)
    assert code == 0
    assert "3 unchanged (nothing to write)" in out


def test_the_queue_is_listed_and_decided(library: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "review", "PM-1", "--kind", "cause", "-l", library)
    assert code == 0
    assert "claims wait for review" in out
    assert "race condition (cause:race): cause “race condition”" in out
    code, out, _ = run(capsys, "review", "-l", library, "--json", "--limit", "2")
    queued = json.loads(out)
    assert len(queued) == 2
    claim = next(w for w in _all(capsys, library) if w["term"] == "cause:race")["claim_id"]
    code, out, _ = run(
        capsys, "review", "--change", f"{claim}=mismatched collectives", "-l", library
    )
    assert (code, "1 change;" in out) == (0, True)
    assert claimed(Path(library), "PM-1")["cause cause:mismatch"] == "confirmed"
    code, out, _ = run(capsys, "review", "--decided", "-l", library)
    assert code == 0
    assert "PM-1#cause:race  cause: change to cause:mismatch (confirmed)" in out
    code, out, _ = run(capsys, "review", "--undo", "PM-1#cause:race", "-l", library)
    assert (code, "1 taken back" in out) == (0, True)
    assert claimed(Path(library), "PM-1")["cause cause:race"] == "suspected"
    assert run(capsys, "review", "--decided", "-l", library)[0] == 1
    code, out, _ = run(capsys, "review", "--accept-above", "0", "-l", library, "--json")
    assert code == 0
    assert len(json.loads(out)["decided"]) > 3
    assert run(capsys, "review", "-l", library)[0] == 1
    assert run(capsys, "review", "--accept-above", "0", "-l", library)[0] == 1


def test_what_decides_nothing_says_no_more_than_that(
    library: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run(capsys, "review", "--accept-above", "-3", "-l", library)
    assert "a number from 0 to 1" in capsys.readouterr().err
    code, out, err = run(capsys, "review", "--accept-above", "1", "--kind", "check", "-l", library)
    assert (code, out.strip(), err) == (1, "nothing waits that could be decided so", "")


def test_a_role_is_for_what_is_accepted(library: str, capsys: pytest.CaptureFixture[str]) -> None:
    waits = {w["term"]: w["claim_id"] for w in _all(capsys, library)}
    code, _, err = run(
        capsys, "review", "--role", "primary", "--accept", waits["cause:race"],
        "--reject", waits["component:nccl"], "-l", library,
    )  # fmt: skip
    assert (code, err) == (0, "linking: 2 done\n")
    assert claimed(Path(library), "PM-1")["cause cause:race"] == "confirmed"
    assert "component component:nccl" not in claimed(Path(library), "PM-1")


def _all(capsys: pytest.CaptureFixture[str], library: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads(run(capsys, "review", "-l", library, "--json")[1])
    return found


def test_cases_are_removed(library: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "remove", "PM-2", "-l", library, "--json")
    assert (code, json.loads(out)) == (0, {"removed": ["PM-2"]})
    code, _, err = run(capsys, "remove", "PM-2", "-l", library)
    assert code == 2
    assert "PM-2" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["add", "x"], "--library FILE"),
        (["remove", "X-1"], "--library FILE"),
        (["review"], "--library FILE"),
        (["add", "gone", "-l", "LIB"], "gone"),
        (["add", "docs", "-l", "LIB", "--format", "nonsense"], "no format 'nonsense'"),
        (["add", "docs", "-l", "LIB", "--zone", "Mars"], "no time zone"),
        (["add", "docs", "-l", "LIB", "--at", "then"], "cannot be 'then'"),
        (["review", "--accept", "X-9#cause-1", "-l", "LIB"], "kg review lists"),
        (["review", "--undo", "X-9", "-l", "LIB"], "nothing was decided"),
        (["review", "--kind", "reason", "-l", "LIB"], "no kind of claim"),
        (["review", "GONE-1", "-l", "LIB"], "GONE-1"),
    ],
)
def test_bad_use_is_told_and_ends_with_2(
    library: str,
    words: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("INCIDENT_KG_LIBRARY", raising=False)
    monkeypatch.chdir(Path(library).parent)
    code, _, err = run(capsys, *(library if w == "LIB" else w for w in words))
    assert code == 2
    assert message in err
    assert "Traceback" not in err
