"""Columns go into a table as they are, whatever stands in their first rows."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest

from kg.store.fill import _column_types, _insert

LATE = 3000
"""DuckDB would look at the first thousand rows only, and take the type of a column from them."""


@pytest.mark.parametrize(
    ("kind", "first", "last"),
    [
        ("VARCHAR", None, "late"),
        ("VARCHAR", "1", "one"),
        ("VARCHAR", "", "a\x00b\r\n'\\N 가🔥"),
        ("DOUBLE", None, 0.1),
        ("DOUBLE", 1.0, 5e-324),
        ("INTEGER", 0, 2_147_483_647),
        ("BOOLEAN", False, True),
        ("DATE", None, "2024-02-29"),
        ("JSON", '"x"', '{"a": [1, "\\u0000"]}'),
    ],
)
def test_a_value_in_the_last_row_is_kept(kind: str, first: Any, last: Any) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t (n INTEGER, v {kind})")
        rows = [*((n, first) for n in range(LATE)), (LATE, last)]
        _insert(connection, "t", rows)
        found = connection.execute("SELECT n, v FROM t ORDER BY n").fetchall()
    wanted = [(n, v if v is None or kind != "DATE" else str(v)) for n, v in rows]
    assert [(n, v if v is None or kind != "DATE" else str(v)) for n, v in found] == wanted


def test_the_types_of_all_columns_are_told_in_order() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE b (z INTEGER, a FLOAT[3])")
        connection.execute("CREATE TABLE a (n VARCHAR)")
        assert _column_types(connection) == {"a": ["VARCHAR"], "b": ["INTEGER", "FLOAT[3]"]}


def test_no_rows_are_no_rows() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (n INTEGER)")
        _insert(connection, "t", [])
        assert connection.execute("SELECT count(*) FROM t").fetchone() == (0,)
