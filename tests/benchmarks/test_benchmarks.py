"""The benchmarks run on a tiny size and print what they say; nothing is said about times."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import kg
from kg.readers import shipped

ROOT = Path(__file__).parents[2]


def _run(script: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, f"benchmarks/{script}", *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def timing() -> ModuleType:
    spec = importlib.util.spec_from_file_location("timing", ROOT / "benchmarks/timing.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("benchmarks") / "tiny.duckdb"
    cases = sorted(shipped("cases").glob("IL-*.json"))[:5]
    kg.build_library(cases, path, encoder="hash").close()
    return path


def test_the_index_benchmark_prints_json() -> None:
    told = json.loads(_run("index.py", "--sizes", "300", "700", "--queries", "5", "--json"))
    assert [size["vectors"] for size in told["sizes"]] == [300, 700]
    for size in told["sizes"]:
        assert list(size["rows"]) == ["brute force, numpy", "exact", "approximate"]
        for row in size["rows"].values():
            assert row["median_ms"] > 0
            assert row["times_faster"] > 0
            assert row["recall"] >= 0.98


def test_the_index_benchmark_prints_a_table() -> None:
    told = _run("index.py", "--sizes", "200", "--queries", "2", "-k", "3")
    assert "200 vectors of 384 numbers" in told
    assert "recall@3" in told


def _query(library: Path, *arguments: str) -> str:
    few = ("--encoder", "hash", "--queries", "2", "--cold", "1")
    return _run("query.py", "--library", str(library), *few, *arguments)


def test_the_query_benchmark_prints_json(library: Path) -> None:
    told: dict[str, Any] = json.loads(_query(library, "--json"))
    assert (told["cases"], told["queries"]) == (5, 2)
    assert told["cold_start"]["runs"] == 1
    spent = told["ms"]
    assert {"encoder", "everything else", "total", "BM25 alone", "brute force, numpy"} <= set(spent)
    assert all(value > 0 for name, value in spent.items() if name in ("encoder", "total"))
    assert spent["all but the encoder"] < spent["total"]


def test_the_query_benchmark_prints_a_table(library: Path) -> None:
    told = _query(library, "--processor")
    assert "5 cases, 2 queries, medians" in told
    assert "cold start of `kg search`" in told


def test_parts_count_without_what_they_call(timing: ModuleType) -> None:
    class Inner:
        def work(self) -> int:
            return sum(range(200_000))

    class Outer:
        def work(self) -> int:
            return Inner().work() + 1

    parts = timing.Parts([])
    parts.wrap("inner", Inner, "work")
    parts.wrap("outer", Outer, "work")
    spent = parts.measure(lambda: Outer().work())
    assert set(spent) == {"inner", "outer", "everything else", "total"}
    assert spent["inner"] > spent["outer"] >= 0
    parted = spent["inner"] + spent["outer"] + spent["everything else"]
    assert parted == pytest.approx(spent["total"])


def test_a_part_that_fails_is_closed(timing: ModuleType) -> None:
    class Failing:
        def work(self) -> None:
            raise KeyError("work")

    parts = timing.Parts([])
    parts.wrap("failing", Failing, "work")
    with pytest.raises(KeyError, match="work"):
        parts.measure(lambda: Failing().work())
    assert parts.measure(lambda: None)["failing"] == 0


def test_methods_that_are_not_there_are_left_out(timing: ModuleType) -> None:
    gone = ("kg.nowhere:A.b", "kg.errors:A.b", "kg.errors:KgError.nothing")
    assert timing.Parts([("gone", path) for path in gone]).found == []


def test_turns_change_and_each_has_every_round(timing: ModuleType) -> None:
    calls: list[str] = []
    by_name = {name: lambda number, name=name: calls.append(f"{name}{number}") for name in "ab"}
    times = timing.interleaved(by_name, 3)
    assert calls == ["a0", "b0", "b1", "a1", "a2", "b2"]
    assert {name: len(spent) for name, spent in times.items()} == {"a": 3, "b": 3}


def test_a_ratio_is_the_median_over_pairs(timing: ModuleType) -> None:
    assert timing.ratio([2.0, 9.0, 40.0], [1.0, 3.0, 2.0]) == 3.0


def test_a_table_has_its_columns_in_line(timing: ModuleType) -> None:
    told = timing.table(("name", "ms"), [("a", 1.5), ("longer", 1234.0), ("none", None)])
    assert told.splitlines() == [
        "name           ms",
        "------  ---------",
        "a           1.500",
        "longer  1,234.000",
        "none             ",
    ]


def test_the_readme_names_every_script() -> None:
    told = (ROOT / "benchmarks/README.md").read_text(encoding="utf-8")
    scripts = {path.name for path in (ROOT / "benchmarks").glob("*.py")} - {"timing.py"}
    assert all(f"benchmarks/{name}" in told for name in scripts)
