"""`kg demo` runs the main job with the real encoder and says where everything lies."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from kg.readers import shipped
from tests.cli.conftest import Answer, Run

COUNT = len(list(shipped("cases").glob("*.json")))


@pytest.fixture
def shown(run: Run, tmp_path: Path) -> Answer:
    return run("demo", str(tmp_path / "out"))


def _section(text: str, start: str) -> str:
    """What the demo prints under the title that begins so."""
    return text.split(f"$ {start}", 1)[1].split("\n$ ", 1)[0]


def test_the_demo_shows_all_that_it_promises(shown: Answer, tmp_path: Path) -> None:
    assert shown.code == 0, shown.err
    english = _section(shown.out, "kg search 'GPUs show")
    korean = _section(shown.out, "kg search --lang ko")
    assert "1. IL-0480" in english
    assert "1. IL-0480" in korean
    assert "보드 전력" in korean
    assert "[symptom" in korean or "symptom.ko" in korean
    assert "Nothing in this library is like this" in _section(shown.out, "kg search 'the invoice")
    explained = _section(shown.out, "kg explain").replace("\n", " ")
    assert "cause of IL-0428: none confirmed" in explained
    assert "of 5 cases" in _section(shown.out, "kg causes")
    assert "confirmed" in _section(shown.out, "kg sql")
    picture = tmp_path / "out" / "graph.svg"
    assert picture.read_text(encoding="utf-8").startswith("<svg ")
    assert str(picture) in shown.out
    with duckdb.connect(str(tmp_path / "out" / "incidents.duckdb"), read_only=True) as plain:
        assert plain.execute("SELECT count(*) FROM cases").fetchone() == (COUNT,)
