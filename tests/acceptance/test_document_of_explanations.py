"""What docs/explanation.md shows is run here, so that it cannot rot."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import kg
from kg.cli import main
from kg.graph.compact import CHECK_ITEM_WEIGHT, STATUS_WEIGHT
from kg.library import Library
from kg.library.explanations import SURE
from kg.model import Status
from kg.queries import paths
from kg.queries.information import GENERIC_CASES, GENERIC_SHARE
from kg.queries.paths import PathKind
from kg.queries.sharing import KIND_WEIGHTS

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "explanation.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)


def test_the_python_runs_in_its_order(whole: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kg, "open_library", lambda: whole)
    code = blocks("python")
    assert len(code) == 3
    exec(compile("\n".join(code), "explanation.md", "exec"), {})  # noqa: S102 - our own text


@pytest.mark.parametrize(("block", "lang"), [("text", "en"), ("text ko", "ko")])
def test_the_paragraphs_are_those_that_the_library_gives(
    whole: Library, block: str, lang: str
) -> None:
    (shown,) = blocks(block)
    assert shown.strip() == whole.explain("IL-0023", "KG-0249", lang).text


def test_the_commands_run(
    whole: Library,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("INCIDENT_KG_LIBRARY", str(whole.path))
    monkeypatch.chdir(tmp_path)
    (asked,) = blocks("console")
    commands = [shlex.split(line[2:]) for line in asked.splitlines()]
    assert len(commands) == 4
    for command in commands:
        assert main(command[1:]) == 0, command
        assert capsys.readouterr().out.strip()
    assert {f.name for f in tmp_path.iterdir()} == {"why.html", "why.svg"}


def test_the_table_names_every_kind_of_path() -> None:
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE, flags=re.MULTILINE)) == set(PathKind)


def test_the_numbers_are_those_of_the_program() -> None:
    told = PAGE.replace("\n  ", " ").replace("\n", " ")
    assert (
        "cause 3, trigger and symptom 2, factor 1.5, component and mitigation 1, tool 0.5" in told
    )
    assert KIND_WEIGHTS == {
        "cause": 3, "trigger": 2, "symptom": 2, "factor": 1.5, "component": 1, "mitigation": 1,
        "tool": 0.5,
    }  # fmt: skip
    assert "1 for confirmed, 0.5 for suspected, 0.25 for an item of a checklist" in told
    assert (STATUS_WEIGHT[Status.SUSPECTED], CHECK_ITEM_WEIGHT) == (0.5, 0.25)
    assert "a tenth of the library has (five cases at least)" in told
    assert (GENERIC_SHARE, GENERIC_CASES) == (0.1, 5)
    assert "at most three paths go through such terms" in told
    assert paths.MOST_GENERIC == 3
    assert "a confidence of at least 0.5" in told
    assert SURE == 0.5


def test_every_word_of_the_page_that_the_glossary_fixes_is_in_it() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    for word in (
        "explanation",
        "path",
        "chain",
        "counterpart",
        "contrast",
        "generic",
        "similarity",
    ):
        assert re.search(rf"^\| {word} \|", glossary, flags=re.MULTILINE), word
