"""Library → files → library gives the same library, whole and in part."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import duckdb
import networkx as nx
import pytest
from hypothesis import given, settings

import kg
from kg.errors import BadQuery, CaseNotFound, InputError, LibraryError, TermNotFound
from kg.export.formats import FORMATS
from kg.library import Library
from kg.model import Case
from kg.readers import load_batch, read_vocabulary
from kg.readers.exported import WHOLE
from kg.vocab import Vocabulary
from tests.helpers.exports import contents, exported, nasty_case
from tests.helpers.libraries import all_tables, make_snapshot
from tests.helpers.strategies import FEW, worlds
from tests.helpers.tiny import make_case, tiny_cases, tiny_vocabulary


def check_same(one: Library, other: Library) -> None:
    """Equal records and, since all else is laid out from them, equal tables row by row."""
    assert one.cases == other.cases
    assert one.vocabulary.terms == other.vocabulary.terms
    assert one.vocabulary.schemes == other.vocabulary.schemes
    first, second = all_tables(one.path), all_tables(other.path)
    for table, rows in first.items():
        assert rows == second[table], table


def check_records(folder: Path, cases: Iterable[Case], vocabulary: Vocabulary) -> None:
    """What a build reads of an export: the same cases over the same vocabulary."""
    words = read_vocabulary(folder)
    batch = load_batch([folder], words)
    assert batch.problems == ()
    assert batch.cases == tuple(sorted(cases, key=lambda c: c.id))
    assert words.schemes == vocabulary.schemes


@settings(FEW, max_examples=3)
@given(worlds())
def test_any_library_is_read_again_from_its_export(
    tmp_path_factory: pytest.TempPathFactory, world: tuple[Vocabulary, list[Case]]
) -> None:
    vocabulary, cases = world
    snapshot, folder = make_snapshot(cases, vocabulary), tmp_path_factory.mktemp("again")
    for form in WHOLE:
        check_records(exported(snapshot, folder / form, form), cases, vocabulary)


@pytest.mark.parametrize("form", WHOLE)
def test_the_shipped_library_is_read_again_from_its_export(
    whole: Library, tmp_path: Path, form: str
) -> None:
    told = whole.export(tmp_path / "out", form)
    assert told.cases == len(whole) > 150
    check_records(told.path, whole.cases.values(), whole.vocabulary)


@pytest.mark.parametrize("form", ["parquet", "jsonl"])
def test_a_library_of_nasty_texts_is_built_again_sign_by_sign(tmp_path: Path, form: str) -> None:
    cases = [*tiny_cases(), nasty_case()]
    with kg.build_library(
        cases, tmp_path / "a.duckdb", vocabulary=tiny_vocabulary(), encoder="hash"
    ) as library:
        library.export(tmp_path / form, form)
        with kg.build_library(tmp_path / form, tmp_path / "b.duckdb", encoder="hash") as again:
            check_same(library, again)


def test_an_exported_database_opens_as_a_library(tiny: Library, tmp_path: Path) -> None:
    tiny.export(tmp_path / "out", "duckdb", ["A-1", "A-2"])
    with kg.open_library(tmp_path / "out" / "incidents.duckdb") as part:
        assert list(part.cases) == ["A-1", "A-2"]
        assert part.explain("A-1", "A-2").same_cause == tiny.explain("A-1", "A-2").same_cause
        assert [hit.id for hit in part.similar("A-1")] == ["A-2"]
        assert part.sql("SELECT other_id, rank FROM similarity WHERE case_id = 'A-1'").rows == (
            ("A-2", 1),
        )


@pytest.mark.parametrize("form", ["parquet", "jsonl"])
def test_a_part_is_built_again_with_its_own_terms(tiny: Library, tmp_path: Path, form: str) -> None:
    told = tiny.export(tmp_path / "out", form, component="nccl")
    assert told.cases == 2
    assert told.terms < len(tiny.vocabulary)
    with kg.build_library(tmp_path / "out", tmp_path / "b.duckdb", encoder="hash") as part:
        assert {i: part.get(i) for i in part.cases} == {i: tiny.get(i) for i in ("A-1", "A-2")}
        assert len(part.vocabulary) == told.terms


@pytest.mark.parametrize("form", FORMATS)
def test_what_was_written_is_told(tiny: Library, tmp_path: Path, form: str) -> None:
    told = tiny.export(tmp_path / "out", form)
    found = contents(tmp_path / "out")
    found.pop("manifest.json")
    assert (told.path, told.format) == (tmp_path / "out", form)
    assert told.files == tuple(sorted(found))
    assert told.size == sum(map(len, found.values()))
    assert (told.cases, told.terms) == (6, len(tiny.vocabulary))


@pytest.mark.parametrize("form", ["parquet", "jsonl", "graphml", "cypher", "node-link"])
def test_the_shipped_library_has_the_same_bytes_each_time(
    whole: Library, tmp_path: Path, form: str
) -> None:
    whole.export(tmp_path / "one", form)
    whole.export(tmp_path / "two", form)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_ids_and_facets_together_choose_those_that_match(tiny: Library, tmp_path: Path) -> None:
    def chosen(**given: Any) -> set[str]:
        tiny.export(tmp_path / "out", "jsonl", **given)
        lines = (tmp_path / "out" / "cases.jsonl").read_text("utf-8").splitlines()
        return {json.loads(line)["id"] for line in lines}

    assert chosen(case_ids=["B-1", "A-1", "A-1"]) == {"A-1", "B-1"}
    assert chosen(case_ids=["B-1", "A-1"], component="nccl") == {"A-1"}
    assert chosen(wanted=tiny.filter(symptom="nccl-timeout")) == {"A-1", "A-2", "B-2"}
    assert chosen(kind="study") == {"S-1"}
    hits = tiny.similar("A-1", k=2)
    assert chosen(case_ids=hits) == set(hits.ids)


def test_a_part_of_the_graph_is_the_graph_of_the_part(tiny: Library, tmp_path: Path) -> None:
    tiny.export(tmp_path / "out", "node-link", ["B-2"])
    data = json.loads((tmp_path / "out" / "graph.json").read_text("utf-8"))
    graph = nx.node_link_graph(data, edges="edges")
    assert {n for n in graph if n.startswith("case:")} == {"case:B-2"}
    status = {t: d["status"] for s, t, d in graph.edges(data=True) if s == "case:B-2"}
    assert status["cause:mismatch"] == "ruled_out"
    assert "cause:software" in graph  # above it
    assert "cause:ecc-error" not in graph


@pytest.mark.parametrize(
    ("given", "error", "told"),
    [
        ({"format": "xlsx"}, BadQuery, "no format 'xlsx'"),
        ({"case_ids": ["A-9"]}, CaseNotFound, "no case 'A-9'"),
        ({"case_ids": []}, BadQuery, "no case was chosen"),
        ({"severity": "none such"}, BadQuery, "no case was chosen"),
        ({"component": "nonsense"}, TermNotFound, "no term 'nonsense'"),
        ({"colour": "red"}, BadQuery, "no facet 'colour'"),
    ],
)
def test_bad_questions_write_nothing(
    tiny: Library, tmp_path: Path, given: dict[str, Any], error: type[Exception], told: str
) -> None:
    with pytest.raises(error, match=told):
        tiny.export(tmp_path / "out", **given)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_something_else_is_refused(tiny: Library, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(LibraryError, match="left as it is"):
        tiny.export(tmp_path)
    assert contents(tmp_path) == {"notes.txt": b"mine"}


def test_exports_may_be_joined_with_case_files(tiny: Library, tmp_path: Path) -> None:
    tiny.export(tmp_path / "out", "jsonl")
    new = make_case("N-1", ("cause", "cause:race"))
    with kg.build_library([tmp_path / "out", new], tmp_path / "b.duckdb", encoder="hash") as joined:
        assert set(joined.cases) == {*tiny.cases, "N-1"}
        assert joined.vocabulary.terms == tiny.vocabulary.terms


def test_exports_with_other_vocabularies_are_joined_only_when_told(
    tiny: Library, tmp_path: Path
) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    tiny.export(one, "jsonl", ["A-1"])
    tiny.export(other, "parquet", ["A-3"])
    target = tmp_path / "b.duckdb"
    with pytest.raises(BadQuery, match="different vocabularies; say which with --vocabulary"):
        kg.build_library([one, other], target, encoder="hash")
    tiny.export(tmp_path / "all", "csv")
    with kg.build_library(
        [one, other], target, vocabulary=tmp_path / "all", encoder="hash"
    ) as joined:
        assert set(joined.cases) == {"A-1", "A-3"}
        assert joined.vocabulary.terms == tiny.vocabulary.terms


@pytest.mark.parametrize("form", [f for f in FORMATS if f not in WHOLE])
def test_a_graph_says_that_no_library_can_be_built_from_it(
    tiny: Library, tmp_path: Path, form: str
) -> None:
    tiny.export(tmp_path / "out", form)
    with pytest.raises(InputError, match=r"does not hold whole records\. Export it as jsonl"):
        kg.build_library(tmp_path / "out", tmp_path / "b.duckdb", encoder="hash")


def test_edited_lines_are_built_from_and_not_overwritten(tiny: Library, tmp_path: Path) -> None:
    tiny.export(tmp_path / "out", "jsonl")
    file = tmp_path / "out" / "cases.jsonl"
    file.write_text(file.read_text("utf-8").replace('"SEV1"', '"SEV2"'), encoding="utf-8")
    with pytest.raises(LibraryError, match=r"cases\.jsonl, which was changed since the export"):
        tiny.export(tmp_path / "out", "jsonl")
    with kg.build_library(tmp_path / "out", tmp_path / "b.duckdb", encoder="hash") as edited:
        assert edited.get("A-1").severity == "SEV2"


def test_the_tables_are_there_for_plain_duckdb(tiny: Library, tmp_path: Path) -> None:
    tiny.export(tmp_path / "out")
    query = (
        f"SELECT count(*) FROM read_parquet('{tmp_path}/out/claims.parquet') AS c "
        f"JOIN read_parquet('{tmp_path}/out/evidence.parquet') AS e USING (claim_id) "
        "WHERE c.status = 'ruled_out'"
    )
    assert duckdb.sql(query).fetchall() == [(2,)]
