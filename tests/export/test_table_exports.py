"""Parquet, CSV and DuckDB hold the tables of the library file, read by tools that are not ours."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.model import Case
from kg.store import Snapshot, connect, write_library
from kg.vocab import Vocabulary
from tests.helpers.exports import contents, exported, nasty_case, nasty_snapshot, snapshot_of
from tests.helpers.libraries import TABLES, all_tables, make_snapshot
from tests.helpers.strategies import FEW, worlds
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

FILES = ("parquet", "csv")
TWO = settings(FEW, max_examples=2)
"""Each example writes several library files."""

CSV = "header = true, all_varchar = true, allow_quoted_nulls = false, quote = '\"', escape = '\"'"


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    return nasty_snapshot()


@pytest.fixture(scope="module")
def library(snapshot: Snapshot, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_library(snapshot, tmp_path_factory.mktemp("library") / "x.duckdb")


@pytest.fixture(scope="module")
def folders(snapshot: Snapshot, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("tables")
    return {form: exported(snapshot, folder / form, form) for form in (*FILES, "duckdb")}


def read_back(folder: Path, form: str, library: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Each table as plain DuckDB reads it from the files, in the types of the library."""
    found = {}
    with duckdb.connect(str(library), read_only=True) as connection:
        for table in TABLES:
            columns = connection.execute(f"DESCRIBE {table}").fetchall()
            cast = ", ".join(f"{name}::{kind}" for name, kind, *_ in columns)
            file = folder / f"{table}.{form}"
            source = f"read_csv('{file}', {CSV})" if form == "csv" else f"read_parquet('{file}')"
            found[table] = connection.execute(f"SELECT {cast} FROM {source}").fetchall()
    return found


def by_key(library: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Each table of the library file, sorted by its key in Python."""
    with duckdb.connect(str(library), read_only=True) as connection:
        keys = dict(
            connection.execute(
                "SELECT table_name, constraint_column_indexes FROM duckdb_constraints() "
                "WHERE constraint_type = 'PRIMARY KEY'"
            ).fetchall()
        )
    tables = all_tables(library)
    return {
        name: sorted(rows, key=lambda row: [row[i] for i in keys[name]])
        for name, rows in tables.items()
    }


@pytest.mark.parametrize("form", FILES)
def test_duckdb_reads_the_tables_of_the_library_in_order_of_their_keys(
    folders: dict[str, Path], library: Path, form: str
) -> None:
    assert read_back(folders[form], form, library) == by_key(library)


@TWO
@given(worlds())
def test_any_library_is_in_its_files(
    tmp_path_factory: pytest.TempPathFactory, world: tuple[Vocabulary, list[Case]]
) -> None:
    snapshot, folder = make_snapshot(world[1], world[0]), tmp_path_factory.mktemp("tables")
    library = write_library(snapshot, folder / "x.duckdb")
    for form in FILES:
        assert read_back(exported(snapshot, folder / form, form), form, library) == by_key(library)


def test_the_database_is_the_library_with_its_keys_comments_and_views(
    folders: dict[str, Path], library: Path
) -> None:
    file = folders["duckdb"] / "incidents.duckdb"
    assert all_tables(file) == all_tables(library)
    schema = (
        "SELECT sql FROM duckdb_tables() UNION ALL SELECT sql FROM duckdb_views() "
        "UNION ALL SELECT comment FROM duckdb_columns() ORDER BY ALL"
    )
    with (
        duckdb.connect(str(file), read_only=True) as one,
        duckdb.connect(str(library), read_only=True) as other,
    ):
        assert one.execute(schema).fetchall() == other.execute(schema).fetchall()
    connect(file).close()  # our own way in


def test_the_csv_module_reads_every_text_as_it_was(folders: dict[str, Path], library: Path) -> None:
    """It does not tell NULL from an empty text; all else must be equal."""
    for table in ("texts", "claims", "evidence", "sources"):
        with (folders["csv"] / f"{table}.csv").open(newline="", encoding="utf-8") as opened:
            _, *rows = csv.reader(opened)
        wanted = by_key(library)[table]
        assert len(rows) == len(wanted)
        for row, known in zip(rows, wanted, strict=True):
            assert row == ["" if c is None else _in_csv(c) for c in known]


def _in_csv(cell: Any) -> str:
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def test_csv_tells_nothing_from_an_empty_text(folders: dict[str, Path]) -> None:
    rows = duckdb.sql(
        f"SELECT role IS NULL, count(*) FROM read_csv('{folders['csv'] / 'claims.csv'}', {CSV}) "
        "GROUP BY ALL"
    ).fetchall()
    assert {missing for missing, _ in rows} == {True, False}


def test_parquet_is_compressed_by_zstd_and_typed(folders: dict[str, Path]) -> None:
    folder = folders["parquet"]
    packed = duckdb.sql(
        f"SELECT DISTINCT compression FROM parquet_metadata('{folder}/*.parquet')"
    ).fetchall()
    assert packed == [("ZSTD",)]
    kinds = {c: k for c, k, *_ in duckdb.sql(f"DESCRIBE FROM '{folder}/cases.parquet'").fetchall()}
    assert (kinds["sort_date"], kinds["time_to_detect_s"]) == ("DATE", "DOUBLE")
    assert kinds["record"] in ("JSON", "VARCHAR")


def test_pyarrow_reads_the_cases(folders: dict[str, Path], snapshot: Snapshot) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    records = parquet.read_table(folders["parquet"] / "cases.parquet")["record"].to_pylist()
    assert [Case.model_validate_json(r) for r in records] == list(snapshot.cases)


def test_polars_reads_the_cases(folders: dict[str, Path], snapshot: Snapshot) -> None:
    polars = pytest.importorskip("polars")
    records = polars.read_parquet(folders["parquet"] / "cases.parquet")["record"].to_list()
    assert [Case.model_validate_json(r) for r in records] == list(snapshot.cases)


def test_pandas_reads_the_cases(folders: dict[str, Path], snapshot: Snapshot) -> None:
    pandas = pytest.importorskip("pandas")
    records = list(pandas.read_csv(folders["csv"] / "cases.csv")["record"])
    assert [Case.model_validate_json(r) for r in records] == list(snapshot.cases)


@pytest.mark.parametrize("form", [*FILES, "duckdb"])
def test_the_manifest_tells_rows_keys_and_types(
    folders: dict[str, Path], library: Path, form: str
) -> None:
    told = json.loads((folders[form] / "manifest.json").read_text(encoding="utf-8"))["tables"]
    rows = all_tables(library)
    assert {name: t["rows"] for name, t in told.items()} == {n: len(r) for n, r in rows.items()}
    assert told["evidence"]["key"] == ["claim_id", "ordinal"]
    assert told["vectors"]["columns"]["vector"] == "FLOAT[3]"
    assert next(iter(told["cases"]["columns"])) == "case_id"


def shuffled(cases: Sequence[Case], seed: int) -> list[Case]:
    return random.Random(seed).sample(list(cases), len(cases))


@pytest.mark.parametrize(
    "form", ["parquet", "csv", "jsonl", "duckdb", "graphml", "gexf", "cypher", "node-link"]
)
def test_equal_cases_give_equal_bytes_whatever_their_order(tmp_path: Path, form: str) -> None:
    cases = [*tiny_cases(), nasty_case()]
    first = contents(exported(snapshot_of(cases), tmp_path / "first", form))
    for seed in range(2):
        again = exported(snapshot_of(shuffled(cases, seed)), tmp_path / f"{seed}", form)
        assert contents(again) == first


def test_equal_cases_give_equal_tables_in_a_database(tmp_path: Path) -> None:
    cases = [*tiny_cases(), nasty_case()]
    one, other = (
        exported(snapshot_of(given), tmp_path / name, "duckdb") / "incidents.duckdb"
        for name, given in (("one", cases), ("other", shuffled(cases, 3)))
    )
    assert all_tables(one) == all_tables(other)


@TWO
@given(st.data())
def test_the_order_of_cases_and_terms_does_not_show_in_any_file(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    vocabulary, cases = data.draw(worlds(least=2))
    turned = Vocabulary(
        s.model_copy(update={"terms": tuple(data.draw(st.permutations(s.terms)))})
        for s in data.draw(st.permutations(list(vocabulary.schemes.values())))
    )
    one = make_snapshot(cases, vocabulary)
    other = make_snapshot(data.draw(st.permutations(cases)), turned)
    folder = tmp_path_factory.mktemp("order")
    for form in ("parquet", "jsonl", "gexf", "cypher", "node-link"):
        first = contents(exported(one, folder / f"{form}-1", form))
        assert first == contents(exported(other, folder / f"{form}-2", form)), form


def test_an_empty_library_has_every_table(tmp_path: Path) -> None:
    empty = make_snapshot([], tiny_vocabulary())
    library = write_library(empty, tmp_path / "x.duckdb")
    for form in FILES:
        read = read_back(exported(empty, tmp_path / form, form), form, library)
        assert read == by_key(library)
        assert read["cases"] == []
