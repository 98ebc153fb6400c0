"""What the documents show is run here, so that it cannot rot."""

from __future__ import annotations

import argparse
import re
import shlex
from pathlib import Path

import pytest

import kg
from kg.cli import main
from kg.cli.parser import make_parser
from kg.library import Library
from kg.model import Case
from kg.readers import load_batch

ROOT = Path(__file__).resolve().parents[2]
NOT_OURS = {
    ".git", ".venv", ".hypothesis", ".mypy_cache", ".ruff_cache", ".pytest_cache",
    ".import_linter_cache", "build", "dist", "out",
}  # fmt: skip
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


def _queries() -> list[str]:
    return _blocks((ROOT / "docs" / "sql.md").read_text(encoding="utf-8"), "sql")


@pytest.mark.parametrize("query", _queries())
def test_each_query_of_the_sql_page_answers(quick: Library, query: str) -> None:
    assert quick.sql(query).rows


def test_the_sql_page_names_every_table_and_view(quick: Library) -> None:
    page = (ROOT / "docs" / "sql.md").read_text(encoding="utf-8")
    tables = quick.sql("SELECT table_name FROM information_schema.tables").rows
    assert tables
    assert [t for (t,) in tables if f"`{t}`" not in page] == []


def test_every_table_has_a_comment(quick: Library) -> None:
    bare = quick.sql("SELECT table_name FROM duckdb_tables() WHERE comment IS NULL").rows
    assert bare == ()


def test_the_quoted_spans_of_the_sql_page_are_the_evidence(quick: Library) -> None:
    query = next(q for q in _queries() if "substr" in q)
    said = {row[3] for row in quick.sql(query).rows}
    quotes = {q for (q,) in quick.sql("SELECT quote FROM evidence").rows}
    assert said <= quotes


def test_the_example_of_the_case_page_is_a_case(vocabulary: kg.Vocabulary) -> None:
    page = (ROOT / "docs" / "case-format.md").read_text(encoding="utf-8")
    case = Case.model_validate_json(_blocks(page, "json")[0])
    assert load_batch([case], vocabulary).problems == ()


def test_the_python_of_the_readme_runs(lib: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kg, "open_library", lambda: lib)
    (code,) = _blocks(README, "python")
    exec(compile(code, "README.md", "exec"), {})  # noqa: S102 - our own text


def test_the_commands_of_the_readme_run(
    lib: Library, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INCIDENT_KG_LIBRARY", str(lib.path))
    (asked,) = [b for b in _blocks(README, "console") if "kg explain" in b]
    commands = [shlex.split(line[2:]) for line in asked.splitlines() if line.startswith("$ kg ")]
    assert len(commands) >= 8
    for command in commands:
        assert main(command[1:]) == 0, command
        assert capsys.readouterr().out.strip()


def test_the_readme_shows_every_word_of_the_command() -> None:
    words = next(
        a for a in make_parser()._actions if isinstance(a, argparse._SubParsersAction)
    ).choices
    shown = set(re.findall(r"kg ([a-z-]+)", README))
    assert set(words) - shown - {"show", "vocab", "graph", "demo"} == set()


def test_the_glossary_has_both_languages_for_every_word() -> None:
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    rows = [line.split("|") for line in page.splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 30
    assert [row[1] for row in rows if not re.search("[가-힣]", row[2])] == []


def test_no_document_or_source_names_a_machine_path() -> None:
    files = [f for f in ROOT.rglob("*") if f.suffix in (".py", ".md", ".toml", ".json")]
    kept = [f for f in files if not NOT_OURS & set(f.relative_to(ROOT).parts)]
    pattern = re.compile(r"(?<![\w.])/(?:work|root|home|Users)/\w")
    assert len(kept) > 100
    assert [f.name for f in kept if pattern.search(f.read_text(encoding="utf-8"))] == []
