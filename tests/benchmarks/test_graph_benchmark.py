"""The benchmark of the arrays: a sound synthetic library, equal answers, and what it prints."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from kg.graph import ALLOWED, Relation
from kg.model import Status
from tests.helpers import twins

ROOT = Path(__file__).parents[2]
QUESTIONS = ["building", "neighbours", "top sharing", "paths", "patterns"]


@pytest.fixture(scope="module")
def bench() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        spec = importlib.util.spec_from_file_location(
            "graph_benchmark", ROOT / "benchmarks/graph.py"
        )
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        patch.setitem(sys.modules, "graph_benchmark", module)  # its dataclasses look it up
        spec.loader.exec_module(module)
        yield module


def _run(*arguments: str) -> str:
    few = ("--cases", "300", "--questions", "6", "--rounds", "2")
    done = subprocess.run(
        [sys.executable, "benchmarks/graph.py", *few, *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_prints_json() -> None:
    told = json.loads(_run("--json", "--edges", "2500"))
    assert (told["cases"], told["edges"], told["k"]) == (300, 2500, 10)
    assert list(told["rows"]) == QUESTIONS
    for row in told["rows"].values():
        times = (row["networkx_ms"], row["arrays_ms"], row["times_faster"])
        assert all(time > 0 for time in times)
        assert row["times_less_processor"] > 0
    assert [row["aim"] for row in told["rows"].values()] == [200, 10, 50, 10, 14]
    assert told["rows"]["paths"]["rounds"] == 6
    assert told["peak_memory_gb"] > 0


def test_it_prints_a_table() -> None:
    told = _run("--processor", "-k", "3")
    assert "300 cases, 3,000 edges" in told
    assert "all answers equal" in told
    assert all(f"\n{name} " in told for name in QUESTIONS)


def test_the_table_is_a_library_of_the_schema(bench: ModuleType) -> None:
    table = bench.make_table(200, 3000)
    relations, statuses = tuple(Relation), tuple(Status)
    assert len(table.case) == len(table.node) == len(table.status) == 3000
    assert (np.diff(table.case) >= 0).all()
    for node, relation in zip(table.node, table.relation, strict=True):
        kind = table.nodes[node].partition(":")[0]
        assert ("case", relations[relation], kind) in ALLOWED
    told = Counter(statuses[s] for s in table.status)
    assert told[Status.CONFIRMED] > told[Status.SUSPECTED] > told[Status.RULED_OUT] > 0
    assert len(set(zip(table.case, table.node, strict=True))) < 3000  # some terms twice


def test_the_table_is_the_same_each_time(bench: ModuleType) -> None:
    one, other = bench.make_table(50, 400), bench.make_table(50, 400)
    assert (one.cases, one.nodes) == (other.cases, other.nodes)
    for name in ("case", "node", "relation", "status"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist()


def test_common_terms_are_common_and_rare_ones_rare(bench: ModuleType) -> None:
    table = bench.make_table(1000, 10_000)
    often = np.bincount(table.node, minlength=len(table.nodes))
    first, last = table.nodes.index("symptom:sy0000"), table.nodes.index("symptom:sy0399")
    assert often[first] > 20 * max(often[last], 1)


def test_both_sides_hold_the_same_edges(bench: ModuleType) -> None:
    table = bench.make_table(60, 700)
    slow, fast = bench.WithNetworkx(table), bench.WithArrays(table)
    assert slow.graph.number_of_edges() == len(fast.arrays.node) == 700
    for node in fast.arrays.nodes:
        told = Counter(case for case, _ in slow.graph.in_edges(node))
        column = fast.arrays.column(fast.arrays.nodes.index(node))
        held = Counter(fast.arrays.cases[i] for i in fast.arrays.case_of[column])
        assert held == told


def test_both_sides_give_the_same_answers(bench: ModuleType) -> None:
    table = bench.make_table(300, 6000)
    slow, fast = bench.WithNetworkx(table), bench.WithArrays(table)
    slow.learn_worth(300)
    for i, case in enumerate(table.cases[::5]):
        assert fast.neighbours(case) == slow.neighbours(case)
        assert fast.top_sharing(case, 5) == slow.top_sharing(case, 5)
        other = table.cases[5 * i + 1]
        assert fast.paths(case, other) == slow.paths(case, other)
    assert fast.patterns() == slow.patterns()
    assert fast.patterns()


def test_the_worth_that_networkx_is_given_is_that_of_the_arrays(bench: ModuleType) -> None:
    table = bench.make_table(80, 1200)
    slow, fast = bench.WithNetworkx(table), bench.WithArrays(table)
    slow.learn_worth(80)
    for term, often in zip(fast.terms.terms, fast.terms.frequency, strict=True):
        kind = bench.KIND_WEIGHTS[term.partition(":")[0]]
        assert slow.worth[term] == pytest.approx(kind * twins.rarity(int(often), 80))


def test_answers_that_differ_stop_the_run(bench: ModuleType) -> None:
    turns = bench.Turns()
    with pytest.raises(SystemExit, match=r"the answers to \(3,\) differ"):
        turns.ask([(3,)], {bench.NETWORKX: lambda n: n, bench.ARRAYS: lambda n: n + 1})


def test_each_side_is_first_in_its_turn(bench: ModuleType) -> None:
    order: list[str] = []

    def noting(name: str) -> Any:
        return lambda number: order.append(name)

    turns = bench.Turns()
    names = (bench.NETWORKX, bench.ARRAYS)
    turns.ask([(0,), (1,)], {name: noting(name) for name in names})
    assert order == [*names, *names[::-1]]
    row = turns.row(aim=7)
    assert (row["rounds"], row["aim"]) == (2, 7)
