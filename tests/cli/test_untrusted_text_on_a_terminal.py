"""Incident text cannot steer the terminal, the SQL engine or the picture."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kg.cli.show import clean
from tests.cli.conftest import Run

EVIL = "\u001b]0;owned\u0007 <script>alert(1)</script> '; DROP TABLE cases; -- \u202etxt.exe"


@pytest.fixture
def evil(run: Run, tmp_path: Path) -> str:
    span = {"field": "summary", "lang": "en", "quote": EVIL}
    case = {
        "id": "X-1",
        "kind": "incident",
        "domain": "web",
        "title": {"en": EVIL},
        "summary": {"en": EVIL},
        "claims": [
            {
                "kind": "symptom",
                "terms": ["symptom:job-hang"],
                "statement": {"en": EVIL},
                "evidence": [span],
            }
        ],
    }
    (tmp_path / "x.json").write_text(json.dumps(case))
    target = str(tmp_path / "x.duckdb")
    assert run("build", str(tmp_path / "x.json"), "-o", target, "--encoder", "hash").code == 0
    return target


@pytest.mark.parametrize(
    "arguments", [["show", "X-1"], ["list"], ["search", "alert", "--threshold", "0"]]
)
def test_control_characters_never_reach_the_terminal(
    run: Run, evil: str, arguments: list[str]
) -> None:
    out = run(*arguments, "-l", evil).out
    assert "alert(1)" in out
    for character in ("\u001b", "\u0007", "\u202e"):
        assert character not in out


def test_the_picture_escapes_it(run: Run, evil: str) -> None:
    out = run("graph", "-l", evil).out
    assert "<script" not in out
    assert "&lt;script&gt;" in out
    assert "\u001b" not in out


def test_the_tables_still_stand(run: Run, evil: str) -> None:
    assert run("sql", "SELECT title FROM cases", "-l", evil, "--json").json == [{"title": EVIL}]


def test_clean_keeps_lines_tabs_and_hangul() -> None:
    assert clean("가\n\tb") == "가\n\tb"
    assert clean("\x00\x1b[31m") == "\ufffd\ufffd[31m"
