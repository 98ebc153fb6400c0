"""A library from which something is gone is refused when it is opened, and can be built again."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pytest

from kg.errors import LibraryError
from kg.library import Library
from kg.store import is_library, write_library
from tests.helpers.libraries import make_snapshot
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

SNAPSHOT = make_snapshot(tiny_cases(), tiny_vocabulary())

DAMAGE = {
    "one vector": ["DELETE FROM vectors WHERE passage_id = 3"],
    "the last vector": [
        "DELETE FROM vectors WHERE passage_id = (SELECT max(passage_id) FROM passages)"
    ],
    "all vectors": ["DELETE FROM vectors"],
    "all passages": ["DELETE FROM vectors", "DELETE FROM passages"],
    "one passage with its vector": [
        "DELETE FROM vectors WHERE passage_id = 0", "DELETE FROM passages WHERE passage_id = 0",
    ],
    "vectors of other passages": ["UPDATE vectors SET passage_id = 100000 WHERE passage_id = 1"],
    "a case": [
        *(f"DELETE FROM {t}" for t in ("vectors", "passages", "similarity", "texts", "dates")),
        "DELETE FROM durations",
        *(f"DELETE FROM {t}" for t in ("figures", "sources", "evidence", "claim_terms", "claims")),
        "DELETE FROM cases WHERE case_id = 'A-1'",
    ],
    "a term": [
        "DELETE FROM labels", "DELETE FROM claim_terms",
        "DELETE FROM terms WHERE term_id = 'cause:mismatch'",
    ],
    "a term, and its count with it": [
        "DELETE FROM labels", "DELETE FROM claim_terms",
        "DELETE FROM terms WHERE term_id = 'cause:mismatch'",
        "UPDATE builds SET value = (value::INT - 1)::VARCHAR WHERE key = 'terms'",
    ],
    "all terms": ["DELETE FROM labels", "DELETE FROM claim_terms", "DELETE FROM terms"],
    "a record": ["UPDATE cases SET record = '{}' WHERE case_id = 'A-1'"],
    "the number of dimensions": ["DELETE FROM builds WHERE key = 'dimension'"],
    "a number": ["UPDATE builds SET value = 'many' WHERE key = 'passages'"],
    "the background": ["UPDATE builds SET value = '' WHERE key = 'background_sd'"],
}  # fmt: skip


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_library(SNAPSHOT, tmp_path_factory.mktemp("whole") / "lib.duckdb")


def damaged(whole: Path, folder: Path, statements: list[str]) -> Path:
    """A copy in which the statements were run, each in its own transaction."""
    copy = Path(shutil.copy(whole, folder / "lib.duckdb"))
    for statement in statements:
        with duckdb.connect(str(copy)) as connection:
            connection.execute(_without_keys(connection, statement))
    return copy


def _without_keys(connection: duckdb.DuckDBPyConnection, statement: str) -> str:
    """Foreign keys keep honest programs from such damage; a copied table has none."""
    table = statement.split()[2 if statement.startswith("DELETE") else 1]
    if statement.startswith("UPDATE vectors"):
        connection.execute(f"CREATE TABLE copied AS SELECT * FROM {table}")
        connection.execute(f"DROP TABLE {table}")
        connection.execute(f"ALTER TABLE copied RENAME TO {table}")
    return statement


def test_the_whole_library_opens(whole: Path) -> None:
    with Library(whole) as library:
        assert len(library) == 6


@pytest.mark.parametrize("statements", DAMAGE.values(), ids=DAMAGE)
def test_what_is_gone_is_noticed_at_once(
    whole: Path, tmp_path: Path, statements: list[str]
) -> None:
    copy = damaged(whole, tmp_path, statements)
    with pytest.raises(LibraryError, match="damaged, build it again"):
        Library(copy)
    assert is_library(copy)
    write_library(SNAPSHOT, copy)
    with Library(copy) as library:
        assert len(library) == 6


def test_a_library_that_could_not_be_read_is_let_go(whole: Path, tmp_path: Path) -> None:
    copy = damaged(whole, tmp_path, ["DELETE FROM vectors"])
    with pytest.raises(LibraryError):
        Library(copy)
    with duckdb.connect(str(copy)) as connection:
        assert connection.execute("SELECT count(*) FROM vectors").fetchall() == [(0,)]
