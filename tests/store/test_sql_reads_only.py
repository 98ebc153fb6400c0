"""SQL can read the library and nothing else, change nothing, and leave no way out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kg.errors import BadQuery
from kg.library import Library
from kg.store import Table, read

FORBIDDEN = [
    "DELETE FROM cases",
    "UPDATE cases SET title = 'x'",
    "INSERT INTO builds VALUES ('a', 'b')",
    "DROP TABLE cases",
    "DROP VIEW edges",
    "ALTER TABLE cases ADD COLUMN x INT",
    "CREATE TABLE x (a INT)",
    "CREATE TABLE memory.main.x (a INT)",
    "CREATE TEMP TABLE x AS SELECT 1",
    "CREATE MACRO f(x) AS x",
    "CREATE SECRET s (TYPE s3)",
    "TRUNCATE cases",
    "VACUUM",
    "CHECKPOINT",
    "ATTACH ':memory:' AS m",
    "ATTACH '{folder}/y.duckdb' AS y",
    "DETACH library",
    "USE memory",
    "COPY cases TO '{folder}/out.csv'",
    "EXPORT DATABASE '{folder}/out'",
    "IMPORT DATABASE '{folder}/out'",
    "SET threads = 1",
    "SET enable_external_access = true",
    "SET lock_configuration = false",
    "RESET threads",
    "PRAGMA enable_profiling",
    "PRAGMA database_list; DROP TABLE cases",
    "INSTALL httpfs",
    "LOAD httpfs",
    "BEGIN",
    "PREPARE p AS SELECT 1",
    "EXECUTE p",
    "SELECT * FROM read_text('{folder}/secret.txt')",
    "SELECT * FROM read_csv('{folder}/secret.txt')",
    "SELECT * FROM '{folder}/secret.txt'",
    "SELECT * FROM glob('{folder}/*')",
    "SELECT * FROM parquet_scan('{folder}/x.parquet')",
    "SELECT * FROM read_json('https://example.org/x.json')",
    "SELECT 1; SELECT 2",
    "SELECT 1; DELETE FROM cases",
    "EXPLAIN ANALYZE DELETE FROM cases",
    "WITH d AS (DELETE FROM cases RETURNING *) SELECT * FROM d",
    "WITH d AS (INSERT INTO builds VALUES ('a', 'b') RETURNING *) SELECT * FROM d",
    "WITH d AS MATERIALIZED (COPY cases TO '{folder}/out.csv') FROM d",
    "EXPLAIN ANALYZE COPY cases TO '{folder}/out.csv'",
    "EXPLAIN ANALYZE CREATE TABLE memory.main.x AS SELECT 1 AS a",
    "EXPLAIN ANALYZE CREATE OR REPLACE MACRO memory.main.embed(x) AS 1",
    "EXPLAIN ANALYZE SET threads = 1",
    "EXPLAIN ANALYZE INSTALL httpfs",
    "EXPLAIN ANALYZE BEGIN",
    "EXPLAIN COPY cases TO '{folder}/out.csv'",
    "DESCRIBE FROM read_csv('{folder}/secret.txt')",
    "SUMMARIZE FROM '{folder}/secret.txt'",
    "PIVOT '{folder}/secret.txt' ON x",
    "SELECT * FROM query_table(['{folder}/secret.txt'])",
    "SELECT * FROM query('SELECT 1; DROP TABLE cases')",
    "SELECT * FROM read_duckdb('{folder}/y.duckdb')",
    "SELECT * FROM parquet_metadata('{folder}/x.parquet')",
    "SELECT * FROM read_blob('/proc/self/environ')",
    "SELECT getenv('HOME')",
    "SELECT * FROM duckdb_extensions()",
    "SELECT * FROM force_checkpoint()",
    "CALL force_checkpoint()",
    "MERGE INTO builds AS b USING builds AS c ON b.key = c.key WHEN MATCHED THEN DELETE",
    "",
    "   ;  ",
    "-- only a comment",
    "SELEC 1",
    "SELECT * FROM no_such_table",
    "SELECT no_such_column FROM cases",
    "SELECT * FROM cases WHERE case_id = ?",
]


@pytest.mark.parametrize("query", FORBIDDEN)
def test_what_is_not_a_single_reading_statement_is_refused(
    quick: Library, tmp_path: Path, query: str
) -> None:
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    before = quick.path.read_bytes()
    with pytest.raises(BadQuery, match="SQL"):
        quick.sql(query.format(folder=tmp_path))
    assert {f.name for f in tmp_path.iterdir()} == {"secret.txt"}
    assert quick.path.read_bytes() == before
    assert quick.sql("SELECT count(*) FROM cases").rows == ((len(quick),),)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT case_id FROM cases ORDER BY case_id",
        "FROM cases SELECT case_id ORDER BY ALL",
        "WITH x AS (SELECT case_id FROM cases) SELECT * FROM x ORDER BY 1",
        "select case_id from cases order by 1;",
        "(SELECT case_id FROM cases) ORDER BY 1",
        "-- why\nSELECT case_id FROM library.cases ORDER BY 1",
    ],
)
def test_reading_in_any_style_works(quick: Library, query: str) -> None:
    assert [r[0] for r in quick.sql(query).rows] == sorted(quick.cases)


@pytest.mark.parametrize(
    "query", ["DESCRIBE cases", "SHOW TABLES", "SUMMARIZE cases", "EXPLAIN SELECT 1"]
)
def test_the_tables_can_be_looked_at(quick: Library, query: str) -> None:
    assert quick.sql(query).rows


@pytest.mark.parametrize(
    "query",
    [
        "EXPLAIN ANALYZE CREATE TEMP TABLE kept AS SELECT 1 AS a",
        "EXPLAIN ANALYZE CREATE TEMP VIEW cases AS SELECT 1 AS a",
        "EXPLAIN ANALYZE CREATE TEMP MACRO tag(x) AS 'kept'",
        "SELECT write_log('kept')",
    ],
)
def test_nothing_that_a_query_makes_is_met_by_the_next(quick: Library, query: str) -> None:
    quick.sql(query)
    assert quick.sql("SELECT count(*) FROM cases").rows == ((len(quick),),)
    assert quick.sql("SELECT tag('.')").rows == (([],),)
    made = "SELECT table_name FROM duckdb_tables() WHERE database_name <> 'library'"
    assert quick.sql(made).rows == ()


def test_a_query_that_needs_more_memory_than_there_is_ends(
    quick: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not spill into a folder beside the user, and the next question is answered."""
    monkeypatch.chdir(tmp_path)
    little = {**read._NO_FILES, "memory_limit": "60MB", "threads": "1"}
    monkeypatch.setattr(read, "_NO_FILES", little)
    with read.connect(quick.path) as connection:
        with pytest.raises(BadQuery, match=r"SQL: .*Memory"):
            read.run_sql(
                connection,
                "SELECT max(n) FROM (SELECT row_number() OVER (ORDER BY hash(range)) AS n "
                "FROM range(4000000))",
            )
        assert list(tmp_path.iterdir()) == []
        assert read.run_sql(connection, "SELECT 1").rows == ((1,),)


def test_a_pivot_reads(quick: Library) -> None:
    found = quick.sql(
        "PIVOT (SELECT domain, kind FROM cases) ON kind USING count(*) GROUP BY domain"
    )
    assert found.columns[0] == "domain"
    assert sum(sum(row[1:]) for row in found.rows) == len(quick)


INJECTIONS = [
    "' OR 1=1 --",
    "'; DROP TABLE cases; --",
    '" OR ""="',
    "IL-0480'/*",
    "1; ATTACH 'x'",
    "%' OR '%'='",
    "\\",
    "\x00",
]


@pytest.mark.parametrize("value", INJECTIONS)
def test_values_are_parameters_and_never_sql(quick: Library, value: str) -> None:
    found = quick.sql(
        "SELECT ? AS given, count(*) FROM cases WHERE case_id = ? OR title = ?", [value] * 3
    )
    assert found.rows == ((value, 0),)
    assert quick.sql("SELECT count(*) FROM cases").rows == ((len(quick),),)


def test_values_keep_their_types(quick: Library) -> None:
    found = quick.sql("SELECT ?, ?, ?, ?", [1, 0.5, None, ["a", "b"]])
    assert found.rows == ((1, 0.5, None, ["a", "b"]),)


@pytest.mark.parametrize("parameters", [[object()], [1, 2], []])
def test_values_that_do_not_fit_are_told(quick: Library, parameters: list[object]) -> None:
    with pytest.raises(BadQuery):
        quick.sql("SELECT ?", parameters)


HALF = "\ud800"


@pytest.mark.parametrize(
    "query", [f"SELECT '{HALF}'", f"SELECT {HALF} FROM cases", f"-- {HALF}", "SELECT \x00 1"]
)
def test_text_that_is_no_text_is_told(quick: Library, query: str) -> None:
    with pytest.raises(BadQuery, match="SQL"):
        quick.sql(query)


def test_a_nul_in_a_literal_is_a_character(quick: Library) -> None:
    assert quick.sql("SELECT 'a\x00b'").rows == (("a\x00b",),)


@pytest.mark.parametrize("query", [None, 5, b"SELECT 1", ["SELECT 1"]])
def test_a_statement_that_is_not_text_is_told(quick: Library, query: Any) -> None:
    with pytest.raises(BadQuery, match="as text"):
        quick.sql(query)


@pytest.mark.parametrize("parameters", [5, None, "a", b"a", {"a": 1}, {1}, object()])
def test_values_that_are_no_list_are_told(quick: Library, parameters: Any) -> None:
    with pytest.raises(BadQuery, match="as a list"):
        quick.sql("SELECT ?", parameters)


@pytest.mark.parametrize(
    "value", [HALF, [HALF], {HALF: 1}, {"a": HALF}, 1 << 200, {1}, 1j, [1, object()]]
)
def test_a_value_that_duckdb_does_not_know_is_told(quick: Library, value: Any) -> None:
    with pytest.raises(BadQuery, match="SQL"):
        quick.sql("SELECT ?", [value])
    assert quick.sql("SELECT 1").rows == ((1,),)


def test_rows_are_known_by_their_columns(quick: Library) -> None:
    found = quick.sql("SELECT 'a' AS x, 1 AS y UNION ALL SELECT 'b', NULL ORDER BY x")
    assert found.columns == ("x", "y")
    assert found.dicts() == [{"x": "a", "y": 1}, {"x": "b", "y": None}]


def test_a_table_prints_in_columns() -> None:
    table = Table(("id", "n"), (("IL-1", 10), ("two\nlines", None)))
    assert str(table).splitlines() == [
        "id         n",
        "─────────  ──",
        "IL-1       10",
        "two lines  –",
    ]
    assert str(Table(("id",), ())) == "id\n──"


def test_queries_do_not_disturb_each_other(quick: Library) -> None:
    first = quick.sql("SELECT case_id FROM cases ORDER BY 1 LIMIT 1")
    with pytest.raises(BadQuery):
        quick.sql("SELECT broken")
    assert quick.sql("SELECT case_id FROM cases ORDER BY 1 LIMIT 1") == first


def test_the_answer_to_a_statement_without_rows_is_an_empty_table(quick: Library) -> None:
    found = quick.sql("SELECT case_id FROM cases WHERE false")
    assert found == Table(("case_id",), ())
