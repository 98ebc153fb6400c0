"""Whoever opens the file in any DuckDB finds keys, and a comment on every name."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.store import write_library
from tests.helpers.libraries import TABLES, make_snapshot, rows
from tests.helpers.tiny import tiny_cases, tiny_vocabulary


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("names")
    return write_library(make_snapshot(tiny_cases(), tiny_vocabulary()), folder / "a.duckdb")


@pytest.mark.parametrize(
    "query",
    [
        "SELECT table_name, comment FROM duckdb_tables() WHERE NOT internal",
        "SELECT view_name, comment FROM duckdb_views() WHERE NOT internal",
        "SELECT table_name || '.' || column_name, comment FROM duckdb_columns() WHERE NOT internal",
        "SELECT function_name, comment FROM duckdb_functions() WHERE NOT internal",
    ],
)
def test_every_name_has_a_comment(file: Path, query: str) -> None:
    found = rows(file, query)
    assert len(found) >= 10
    assert [name for name, comment in found if not (comment or "").strip()] == []


def test_every_comment_ends_as_a_sentence_does(file: Path) -> None:
    comments = rows(file, "SELECT comment FROM duckdb_columns() WHERE NOT internal")
    assert [c for (c,) in comments if not c.endswith(".") or c != c.strip()] == []


def test_every_table_has_a_primary_key(file: Path) -> None:
    keyed = rows(
        file,
        "SELECT table_name FROM duckdb_constraints() WHERE constraint_type = 'PRIMARY KEY'",
    )
    assert sorted(name for (name,) in keyed) == sorted(TABLES)


ALONE = {"builds", "schemes", "cases", "links", "changes", "reviews", "revisions", "apart"}
"""Tables that point to none, as `links` to several kinds of nodes, or to cases that were merged."""


def test_every_table_that_points_to_another_has_a_foreign_key(file: Path) -> None:
    pointing = rows(
        file,
        "SELECT DISTINCT table_name FROM duckdb_constraints() "
        "WHERE constraint_type = 'FOREIGN KEY' AND table_name <> referenced_table",
    )
    assert {name for (name,) in pointing} == set(TABLES) - ALONE


def test_the_page_names_every_macro(file: Path) -> None:
    page = Path(__file__).parents[2].joinpath("docs", "sql.md").read_text(encoding="utf-8")
    names = rows(file, "SELECT DISTINCT function_name FROM duckdb_functions() WHERE NOT internal")
    assert [n for (n,) in names if f"`{n}(" not in page] == []


def test_views_and_macros_answer_in_plain_duckdb(file: Path) -> None:
    for (view,) in rows(file, "SELECT view_name FROM duckdb_views() WHERE NOT internal"):
        rows(file, f"FROM {view} LIMIT 1")
    assert rows(file, "SELECT cause_id FROM shared_causes('A-1', 'A-2')") == [("cause:mismatch",)]
    assert rows(file, "SELECT case_id FROM similar_cases('A-1', k := 1)") == [("A-2",)]
