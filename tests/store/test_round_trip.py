"""Writing a library and reading it back gives the same snapshot; order never matters."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kg
from kg.model import Action, Apart, Case, Revision
from kg.readers import shipped
from kg.store import Snapshot, connect, read_snapshot, write_library
from kg.store.tables import content_hash
from kg.vocab import Vocabulary
from tests.helpers.libraries import all_tables, make_snapshot
from tests.helpers.strategies import FEW, WORLDS, worlds
from tests.helpers.tiny import make_case, tiny_cases, tiny_vocabulary


def read(path: Path) -> Snapshot:
    connection = connect(path)
    try:
        return read_snapshot(connection)
    finally:
        connection.close()


def check_equal(one: Snapshot, other: Snapshot) -> None:
    assert one.cases == other.cases
    assert one.vocabulary.terms == other.vocabulary.terms
    assert list(one.vocabulary.schemes) == list(other.vocabulary.schemes)
    for name, scheme in one.vocabulary.schemes.items():
        assert (scheme.label, scheme.definition) == (
            other.vocabulary.schemes[name].label, other.vocabulary.schemes[name].definition,
        )  # fmt: skip
    assert one.passages == other.passages
    assert one.vectors.dtype == other.vectors.dtype == np.float32
    assert np.array_equal(one.vectors, other.vectors)
    assert one.similar == other.similar
    for name in ("encoder", "fingerprint", "background", "apart"):
        assert getattr(one, name) == getattr(other, name)


def test_decisions_about_cases_that_a_merge_absorbed_are_kept(tmp_path: Path) -> None:
    made = Apart(case_id="A-1", other_id="GONE-1", at="2025-04-01", author="x", note="two outages")
    step = Revision(case_id="GONE-1", number=1, action=Action.ADDED)
    snapshot = replace(
        make_snapshot(tiny_cases(), tiny_vocabulary()), apart=(made,), revisions=(step,)
    )
    found = read(write_library(snapshot, tmp_path / "x.duckdb"))
    check_equal(found, snapshot)
    assert found.revisions == (step,)


@pytest.mark.parametrize("pair", [("B", "A"), ("A", "A")])
def test_a_pair_is_named_in_order(pair: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="lesser id first"):
        Apart(case_id=pair[0], other_id=pair[1])


@FEW
@given(worlds())
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, world: tuple[Vocabulary, list[Case]]
) -> None:
    snapshot = make_snapshot(world[1], world[0])
    path = write_library(snapshot, tmp_path_factory.mktemp("trip") / "x.duckdb")
    check_equal(read(path), snapshot)


def test_an_empty_snapshot_is_read_back(tmp_path: Path) -> None:
    snapshot = make_snapshot([], tiny_vocabulary())
    check_equal(read(write_library(snapshot, tmp_path / "x.duckdb")), snapshot)


def test_vectors_keep_every_bit(tmp_path: Path) -> None:
    snapshot = make_snapshot(tiny_cases(), tiny_vocabulary())
    odd = snapshot.vectors.copy()
    odd[0] = [np.float32(1e-38), np.float32(-0.0), np.nextafter(np.float32(1), np.float32(2))]
    path = write_library(replace(snapshot, vectors=odd), tmp_path / "x.duckdb")
    assert read(path).vectors.tobytes() == odd.tobytes()


@FEW
@given(st.data())
def test_the_order_of_cases_and_terms_does_not_show_in_any_table(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    vocabulary, cases = data.draw(worlds(least=2))
    shuffled = data.draw(st.permutations(cases))
    turned = Vocabulary(
        s.model_copy(update={"terms": tuple(data.draw(st.permutations(s.terms)))})
        for s in data.draw(st.permutations(list(vocabulary.schemes.values())))
    )
    folder = tmp_path_factory.mktemp("order")
    with (
        kg.build_library(cases, folder / "a.duckdb", vocabulary=vocabulary, encoder="hash") as one,
        kg.build_library(shuffled, folder / "b.duckdb", vocabulary=turned, encoder="hash") as two,
    ):
        assert list(one.cases) == list(two.cases)
    first, second = all_tables(folder / "a.duckdb"), all_tables(folder / "b.duckdb")
    for table, rows in first.items():
        assert rows == second[table], table


BUILD = """
import sys, kg
kg.build_library(sys.argv[1].split("|"), sys.argv[2], encoder="hash").close()
"""


def test_two_processes_with_other_hash_seeds_build_equal_tables(tmp_path: Path) -> None:
    files = [str(f) for f in sorted(shipped("cases").glob("IL-*.json"))]
    running = []
    for seed, order in (("1", files), ("2", files[::-1])):
        environment = {
            **os.environ,
            "PYTHONHASHSEED": seed,
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        command = [sys.executable, "-c", BUILD, "|".join(order), str(tmp_path / f"{seed}.duckdb")]
        running.append(subprocess.Popen(command, env=environment))
    assert [process.wait() for process in running] == [0, 0]
    first, second = all_tables(tmp_path / "1.duckdb"), all_tables(tmp_path / "2.duckdb")
    for table, rows in first.items():
        assert rows == second[table], table


def test_the_hash_of_a_case_is_that_of_its_record() -> None:
    case = make_case("X-1", ("cause", "cause:race"))
    assert content_hash(case) == hashlib.sha256(case.model_dump_json().encode()).hexdigest()
    assert content_hash(case) == content_hash(Case.model_validate(case.model_dump()))


@WORLDS
@given(worlds(least=2))
def test_other_cases_have_other_hashes(world: tuple[Vocabulary, list[Case]]) -> None:
    assert len({content_hash(c) for c in world[1]}) == len(world[1])
    changed = world[1][0].model_copy(update={"severity": "changed"})
    assert content_hash(changed) != content_hash(world[1][0])
