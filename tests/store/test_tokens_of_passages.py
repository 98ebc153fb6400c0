"""Token vectors in the library file: bit by bit beside their passages, or not there at all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import LibraryError
from kg.store import Snapshot, connect, read_snapshot, write_library
from tests.helpers.libraries import make_snapshot, rows
from tests.helpers.strategies import FEW
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

BARE = make_snapshot(tiny_cases(), tiny_vocabulary())


def with_tokens(snapshot: Snapshot, sizes: list[int], width: int = 5, seed: int = 1) -> Snapshot:
    """The snapshot with made-up codes, so many tokens a passage."""
    starts = np.cumsum([0, *sizes], dtype=np.int64)
    codes = np.random.default_rng(seed).integers(-128, 128, (starts[-1], width), dtype=np.int8)
    return replace(snapshot, token_codes=codes, token_starts=starts)


def sizes_of(snapshot: Snapshot) -> list[int]:
    return [i % 4 for i in range(len(snapshot.passages))]


def read(path: Path) -> Snapshot:
    connection = connect(path)
    try:
        return read_snapshot(connection)
    finally:
        connection.close()


def check_tokens(found: Snapshot, wanted: Snapshot) -> None:
    assert found.token_codes is not None
    assert wanted.token_codes is not None
    assert (found.token_codes.dtype, found.token_starts.dtype) == (np.int8, np.int64)
    assert found.token_codes.shape == wanted.token_codes.shape
    assert found.token_codes.tobytes() == wanted.token_codes.tobytes()
    assert np.array_equal(found.token_starts, wanted.token_starts)
    assert np.array_equal(found.vectors, wanted.vectors)


@FEW
@given(st.data())
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    count = len(BARE.passages)
    sizes = data.draw(st.lists(st.integers(0, 5), min_size=count, max_size=count))
    snapshot = with_tokens(BARE, sizes, data.draw(st.integers(1, 50)), data.draw(st.integers(0, 9)))
    path = write_library(snapshot, tmp_path_factory.mktemp("t") / "x.duckdb")
    check_tokens(read(path), snapshot)


def test_a_long_passage_comes_back_whole(tmp_path: Path) -> None:
    """Values of more than 4 kB are stored otherwise by the database."""
    snapshot = with_tokens(BARE, [500, *sizes_of(BARE)[1:]], 48)
    check_tokens(read(write_library(snapshot, tmp_path / "x.duckdb")), snapshot)


def test_without_tokens_the_column_is_empty(tmp_path: Path) -> None:
    path = write_library(BARE, tmp_path / "x.duckdb")
    found = read(path)
    assert found.token_codes is None
    assert found.token_starts is None
    assert np.array_equal(found.vectors, BARE.vectors)
    assert rows(path, "SELECT DISTINCT tokens FROM vectors") == [(None,)]


@pytest.mark.parametrize("width", [0, 48])
def test_no_passage_has_no_token(tmp_path: Path, width: int) -> None:
    empty = make_snapshot([], tiny_vocabulary())
    if width:
        empty = with_tokens(empty, [], width)
    found = read(write_library(empty, tmp_path / "x.duckdb"))
    if width:
        check_tokens(found, empty)
    else:
        assert found.token_codes is None


def test_passages_none_of_which_has_a_token(tmp_path: Path) -> None:
    snapshot = with_tokens(BARE, [0] * len(BARE.passages))
    check_tokens(read(write_library(snapshot, tmp_path / "x.duckdb")), snapshot)


def test_tokens_stand_beside_their_passages_for_sql(tmp_path: Path) -> None:
    snapshot = with_tokens(BARE, sizes_of(BARE))
    path = write_library(snapshot, tmp_path / "x.duckdb")
    found = rows(
        path,
        "SELECT p.text, v.tokens, octet_length(v.tokens) // (SELECT value::INT FROM builds "
        "WHERE key = 'token_dimension') FROM passages AS p JOIN vectors AS v USING (passage_id) "
        "ORDER BY passage_id",
    )
    starts = snapshot.token_starts
    for i, (text, blob, count) in enumerate(found):
        assert text == snapshot.passages[i].text
        assert blob == snapshot.token_codes[starts[i] : starts[i + 1]].tobytes()
        assert count == sizes_of(BARE)[i]
    builds = dict(rows(path, "SELECT key, value FROM builds"))
    assert (int(builds["tokens"]), int(builds["token_dimension"])) == (sum(sizes_of(BARE)), 5)


def test_the_column_is_described(tmp_path: Path) -> None:
    path = write_library(BARE, tmp_path / "x.duckdb")
    ((comment,),) = rows(
        path,
        "SELECT comment FROM duckdb_columns() "
        "WHERE table_name = 'vectors' AND column_name = 'tokens'",
    )
    assert "token_dimension" in comment


def test_equal_snapshots_give_equal_rows(tmp_path: Path) -> None:
    snapshot = with_tokens(BARE, sizes_of(BARE))
    one = write_library(snapshot, tmp_path / "a.duckdb")
    two = write_library(snapshot, tmp_path / "b.duckdb")
    for table in ("vectors", "builds"):
        assert rows(one, f"SELECT * FROM {table}") == rows(two, f"SELECT * FROM {table}")


DAMAGE = {
    "the tokens of a passage": "UPDATE vectors SET tokens = NULL WHERE passage_id = 2",
    "all tokens": "UPDATE vectors SET tokens = NULL",
    "one token": "UPDATE vectors SET tokens = ''::BLOB WHERE passage_id = 1",
    "part of a token": "UPDATE vectors SET tokens = 'abc'::BLOB WHERE passage_id = 1",
    "their width": "DELETE FROM builds WHERE key = 'token_dimension'",
    "another width": "UPDATE builds SET value = '3' WHERE key = 'token_dimension'",
    "no width": "UPDATE builds SET value = '0' WHERE key = 'token_dimension'",
    "their number": "DELETE FROM builds WHERE key = 'tokens'",
    "a token moved": (
        "UPDATE vectors SET tokens = CASE passage_id WHEN 1 THEN 'abc' ELSE 'abcdefg' END::BLOB "
        "WHERE passage_id IN (1, 2)"
    ),
}


@pytest.mark.parametrize("statement", DAMAGE.values(), ids=DAMAGE)
def test_what_is_gone_is_noticed_at_once(tmp_path: Path, statement: str) -> None:
    snapshot = with_tokens(BARE, [2 * (i in (1, 2)) for i in range(len(BARE.passages))])
    path = write_library(snapshot, tmp_path / "x.duckdb")
    with duckdb.connect(str(path)) as connection:
        connection.execute(statement)
    with pytest.raises(LibraryError, match="damaged, build it again"):
        read(path)
