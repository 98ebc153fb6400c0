"""Matches with other vocabularies in the library file, for SQL and on the way back."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from kg.library import Library
from kg.store import connect, read_snapshot, run_sql, write_library
from tests.helpers.libraries import make_snapshot, rows
from tests.helpers.tiny import make_case, term, tiny_vocabulary

CWE = "https://cwe.mitre.org/data/definitions/833.html"
KOS = "https://w3id.org/noria/kos/Notification/ProbableCause/congestion"
CONGESTION = term("cause:congestion", "congestion", exact_match=[KOS], close_match=[CWE])
DEADLOCK = term("cause:deadlock", "deadlock", close_match=[CWE])


@pytest.fixture(scope="module")
def matched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    case = make_case("X-1", ("cause", "cause:deadlock"))
    snapshot = make_snapshot([case], tiny_vocabulary(CONGESTION, DEADLOCK))
    return write_library(snapshot, tmp_path_factory.mktemp("matched") / "x.duckdb")


def test_each_match_is_a_row(matched: Path) -> None:
    assert rows(matched, "SELECT * FROM mappings") == [
        ("cause:congestion", "exact_match", KOS),
        ("cause:congestion", "close_match", CWE),
        ("cause:deadlock", "close_match", CWE),
    ]


def test_matches_come_back_with_their_terms(matched: Path) -> None:
    connection = connect(matched)
    try:
        vocabulary = read_snapshot(connection).vocabulary
    finally:
        connection.close()
    assert vocabulary.get("cause:congestion") == CONGESTION
    assert vocabulary.get("cause:deadlock") == DEADLOCK
    assert vocabulary.get("cause:race").matches() == ()


def test_cases_are_found_by_a_concept_of_another_vocabulary(matched: Path) -> None:
    query = """
        SELECT case_id FROM mappings AS m JOIN case_causes AS c ON c.cause_id = m.term_id
        WHERE m.iri = ?
    """
    connection = connect(matched)
    try:
        assert run_sql(connection, query, [CWE]).rows == (("X-1",),)
    finally:
        connection.close()


def test_the_table_and_its_columns_say_what_they_hold(matched: Path) -> None:
    (comment,) = rows(matched, "SELECT comment FROM duckdb_tables() WHERE table_name = 'mappings'")
    assert "other vocabularies" in comment[0]
    columns = dict(
        rows(
            matched,
            "SELECT column_name, comment FROM duckdb_columns() WHERE table_name = 'mappings'",
        )
    )
    assert "exact_match" in columns["relation"]
    assert "close_match" in columns["relation"]
    assert "IRI" in columns["iri"]


def test_a_mapping_belongs_to_a_term_that_is_there(matched: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.duckdb"
    copy.write_bytes(matched.read_bytes())
    with duckdb.connect(str(copy)) as connection:
        for wrong in (["cause:gone", "close_match", CWE], ["cause:deadlock", "exact_match", CWE]):
            with pytest.raises(duckdb.ConstraintException):
                connection.execute("INSERT INTO mappings VALUES (?, ?, ?)", wrong)


def test_the_vocabulary_and_topics_of_a_library_show_matches(matched: Path) -> None:
    with Library(matched) as library:
        (entry,) = [e for e in library.vocab("cause") if e.id == "cause:congestion"]
        assert (entry.exact_match, entry.close_match) == ((KOS,), (CWE,))
        assert library.topic("cause:deadlock").entry.close_match == (CWE,)
        assert library.topic("cause:race").entry.exact_match == ()


def test_another_match_is_another_vocabulary(matched: Path, tmp_path: Path) -> None:
    query = "SELECT value FROM builds WHERE key = 'vocabulary_sha256'"
    changed = DEADLOCK.model_copy(update={"close_match": (), "exact_match": (CWE,)})
    snapshot = make_snapshot([], tiny_vocabulary(CONGESTION, changed))
    other = write_library(snapshot, tmp_path / "other.duckdb")
    assert rows(matched, query) != rows(other, query)
