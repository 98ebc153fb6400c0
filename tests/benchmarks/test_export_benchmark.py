"""The benchmark of exports: sound synthetic rows, equal tables, and what it prints."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import duckdb
import pytest

ROOT = Path(__file__).parents[2]
ROWS = ["DuckDB file", "Parquet from it", "both", "DuckDB file, COPY of tables without keys"]


@pytest.fixture(scope="module")
def bench() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        spec = importlib.util.spec_from_file_location(
            "export_benchmark", ROOT / "benchmarks/export.py"
        )
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        patch.setitem(sys.modules, "export_benchmark", module)
        spec.loader.exec_module(module)
        yield module


def _run(*arguments: str) -> str:
    few = ("--cases", "60", "--edges", "400", "--rounds", "1", "--sample", "5", "--triples", "300")
    done = subprocess.run(
        [sys.executable, "benchmarks/export.py", *few, *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_prints_json() -> None:
    told = json.loads(_run("--json"))
    assert (told["cases"], told["edges"], told["sample"]) == (60, 400, 5)
    assert told["rows"] == 5 + 2000 + 60 + 60 + 3 * 400
    assert list(told["written"]) == ROWS
    for row in told["written"].values():
        assert row["bulk_ms"] > 0
        assert row["copy_ms"] > 0
        assert row["times_copy"] > 0
    assert told["written"]["DuckDB file"]["times_faster"] > 0
    assert told["written"]["Parquet from it"]["row_by_row_ms"] is None


def test_it_prints_a_table() -> None:
    told = _run("--processor", "--triples", "0")
    assert "60 cases, 400 edges, 3,325 rows in 7 tables" in told
    assert "reckoned up; tables equal" in told
    assert all(f"\n{name} " in told for name in ROWS)


def test_equal_seeds_give_equal_rows_that_fit_the_schema(bench: ModuleType, tmp_path: Path) -> None:
    rows = bench.make_rows(50, 300)
    assert rows == bench.make_rows(50, 300)
    assert rows != bench.make_rows(50, 300, seed=2)
    assert len(rows["claims"]) == len(rows["claim_terms"]) == len(rows["evidence"]) == 300
    bench.bulk(rows, tmp_path / "x.duckdb")  # keys and references are checked by DuckDB
    with duckdb.connect(str(tmp_path / "x.duckdb"), read_only=True) as connection:
        for name in bench.KEYS:
            found = connection.execute(f"SELECT count(*) FROM {name}").fetchone()
            assert found == (len(rows[name]),)
        joined = "claims JOIN claim_terms USING (claim_id) JOIN terms USING (term_id)"
        assert connection.execute(f"SELECT count(*) FROM {joined}").fetchone() == (300,)


def test_all_ways_write_equal_tables_and_a_difference_stops_it(
    bench: ModuleType, tmp_path: Path
) -> None:
    rows = bench.make_rows(50, 300)
    ready = bench.Ready(rows)
    files = [tmp_path / f"{name}.duckdb" for name in ("bulk", "keyed", "bare")]
    bench.bulk(rows, files[0])
    ready.to_database(files[1])
    ready.to_bare_database(files[2])
    bench.check_equal(files[0], files[1])
    bench.check_equal(files[0], files[2])
    with duckdb.connect(str(files[2])) as connection:
        connection.execute("UPDATE claims SET status = 'suspected' WHERE claim_id LIKE '%0000007'")
    with pytest.raises(SystemExit, match="claims differ"):
        bench.check_equal(files[0], files[2])


def test_single_inserts_are_reckoned_up_to_all_rows(bench: ModuleType, tmp_path: Path) -> None:
    rows = bench.make_rows(50, 300)
    few = bench.one_by_one(rows, tmp_path / "few.duckdb", 5)
    with duckdb.connect(str(tmp_path / "few.duckdb"), read_only=True) as connection:
        assert connection.execute("SELECT count(*) FROM claims").fetchone() == (5,)
        assert connection.execute("SELECT count(*) FROM terms").fetchone() == (2000,)
    assert few > 0
