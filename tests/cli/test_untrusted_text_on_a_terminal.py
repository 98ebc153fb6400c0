"""Incident text cannot steer the terminal, the SQL engine or the picture."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kg.cli.output import clean, clean_json, clean_xml
from kg.library import Library
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


UNSEEN = [
    "\x00", "\x1b", "\x7f", "\x9b", "\u200b", "\u200f", "\u2028", "\u2029", "\u202e", "\u2060",
    "\u2064", "\u2066", "\ufeff", "\U000e0001", "\U000e0041", "\U000e007f", "\udcff",
]  # fmt: skip


@pytest.mark.parametrize("sign", UNSEEN, ids=ascii)
def test_signs_that_are_not_seen_are_replaced(sign: str) -> None:
    assert clean(f"a{sign}b") == "a\ufffdb"


@pytest.mark.parametrize("sign", UNSEEN, ids=ascii)
def test_json_escapes_them_and_says_the_same(sign: str) -> None:
    text = clean_json(json.dumps({"x": f"a{sign}b"}, ensure_ascii=False))
    assert clean(text) == text
    assert json.loads(text) == {"x": f"a{sign}b"}


def test_xml_writes_them_as_references() -> None:
    assert clean_xml("<a>\u202e</a>") == "<a>&#x202e;</a>"


def test_json_on_the_terminal_is_clean_too(run: Run, evil: str) -> None:
    answer = run("show", "X-1", "-l", evil, "--json")
    assert clean(answer.out) == answer.out
    assert answer.json["summary"]["en"] == [EVIL]


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "\u001b[31mX\u202e"],
        ["list", "--no\u001b[31m"],
        ["\u001b[31m"],
        ["topic", "\u001b[31m\u200b"],
        ["list", "--domain", "web", "-l", "\u001b[31m"],
        ["build", "\u001b[31m.json", "-o", "\u200b.duckdb"],
    ],
)
def test_arguments_come_back_without_them(
    run: Run, arguments: list[str], quick: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INCIDENT_KG_LIBRARY", str(quick.path))
    answer = run(*arguments)
    assert answer.code == 2
    assert answer.err
    assert clean(answer.err) == answer.err


def test_a_bad_file_cannot_write_to_the_terminal(run: Run, tmp_path: Path) -> None:
    name = "x\u001b[31m\nkg: all is well.json"
    text = '{"id": "X-1", "k\\u001b[31m\\u202e\\nkg: all is well": 1}'
    (tmp_path / name).write_text(text, encoding="utf-8")
    answer = run("build", str(tmp_path), "-o", str(tmp_path / "x.duckdb"))
    assert answer.code == 2
    assert clean(answer.err) == answer.err
    assert not any(line.startswith("kg: all") for line in answer.err.splitlines())
