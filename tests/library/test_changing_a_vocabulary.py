"""A library file whose terms are changed is the library that a build of the changed cases makes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

import kg
from kg.errors import BadQuery, InputError, LibraryError
from kg.library import Library
from kg.library.evolution import Evolved
from kg.model import Case
from kg.readers import read_vocabulary
from kg.store import SCHEMA_VERSION
from kg.vocab import Vocabulary
from tests.helpers.evolving import described
from tests.helpers.exports import contents
from tests.helpers.libraries import TABLES, all_tables
from tests.helpers.tiny import make_case, tiny_cases, tiny_vocabulary

FORMS = ("parquet", "jsonl")


def build(path: Path, cases: Sequence[Any], vocabulary: Any) -> Library:
    return kg.build_library(cases, path, vocabulary=vocabulary, encoder="hash")


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("template") / "lib.duckdb"
    build(path, tiny_cases(), tiny_vocabulary()).close()
    return path


@pytest.fixture
def path(template: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(template, tmp_path / "lib.duckdb"))


def change(path: Path) -> list[Evolved]:
    """A rename with a label, a merge and a split."""
    new, by = [described("symptom:early")], {"A-1": "early"}
    return [
        kg.rename_term(path, "cause:mismatch", "x", label={"en": "out of step"}, at="2026-03-04"),
        kg.merge_terms(path, ["cause:race"], "cause:x", author="J. Kim", note="one thing"),
        kg.split_term(path, "symptom:nccl-timeout", ["early"], by, described=new),
    ]


@pytest.fixture(scope="module")
def changed(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    path = Path(shutil.copy(template, tmp_path_factory.mktemp("changed") / "lib.duckdb"))
    change(path)
    with kg.open_library(path) as library:
        yield library


def exports(path: Path, folder: Path) -> dict[str, Any]:
    folder.mkdir()
    with kg.open_library(path) as library:
        found: dict[str, Any] = {f: contents(library.export(folder / f, f).path) for f in FORMS}
        return {**found, "rdf": library.rdf_text("ntriples")}


def test_undoing_gives_every_export_its_bytes_back(path: Path, tmp_path: Path) -> None:
    before, tables = exports(path, tmp_path / "before"), all_tables(path)
    change(path)
    with kg.open_library(path) as library:
        assert library.rdf_text("ntriples") != before["rdf"]
    undone = kg.undo_change(path, steps=2)
    assert [(u.number, str(u.change.operation), u.undone) for u in undone] == [
        (3, "split", True),
        (2, "merge", True),
    ]
    (last,) = kg.undo_change(path)
    assert last.change.old == ("cause:mismatch",)
    assert exports(path, tmp_path / "after") == before
    assert all_tables(path) == tables
    with pytest.raises(BadQuery, match="nothing to undo"):
        kg.undo_change(path)


def test_a_changed_library_is_that_of_a_build_of_its_records(
    changed: Library, tmp_path: Path
) -> None:
    """So neighbours and all else that depends on terms and their names are those of now."""
    cases: list[Case] = list(changed.cases.values())
    with build(tmp_path / "judge.duckdb", cases, changed.vocabulary) as judge:
        first, second = all_tables(changed.path), all_tables(judge.path)
    for table in TABLES:
        assert first[table] == second[table], table


def test_neighbours_are_computed_anew_and_vectors_stay(path: Path) -> None:
    before = all_tables(path)
    kg.merge_terms(path, ["cause:mismatch"], "cause:ecc-error", keep_both=True)
    after = all_tables(path)
    assert after["similarity"] != before["similarity"]
    for table in ("passages", "vectors", "texts", "evidence", "claims"):
        assert after[table] == before[table], table


def test_the_tagger_knows_the_new_names(changed: Library) -> None:
    for text in ("the ranks were out of step", "mismatched collectives", "a race condition"):
        assert "cause:x" in [t.term for t in changed.tag(text)], text
    assert changed.suggest("race condition in the code")[0].id == "cause:x"


def test_old_ids_serve_in_every_question(changed: Library) -> None:
    for old in ("cause:mismatch", "cause:race"):
        assert changed.topic(old).entry.id == "cause:x"
        assert changed.list(cause=old).ids == changed.list(cause="x").ids == ("A-2", "A-1")
        assert changed.what_if(old) == changed.what_if("cause:x")
        assert changed.diagnose("NCCL timeout", ruled_out=[old])
    assert changed.search("timeout", cause="mismatch", threshold=0.0).ids
    assert changed.sql("SELECT current_term('cause:race')").rows == (("cause:x",),)


def test_a_dry_run_says_the_same_and_writes_nothing(path: Path) -> None:
    before = path.read_bytes()
    names = sorted(f.name for f in path.parent.iterdir())
    tried = kg.rename_term(path, "cause:mismatch", "x", dry_run=True)
    assert path.read_bytes() == before
    assert sorted(f.name for f in path.parent.iterdir()) == names
    done = kg.rename_term(path, "cause:mismatch", "x")
    assert (tried.done, done.done) == (False, True)
    assert (tried.change, tried.retags, tried.number) == (done.change, done.retags, 1)
    (back,) = kg.undo_change(path, dry_run=True)
    assert not back.done
    with kg.open_library(path) as library:
        assert len(library.history) == 1


def test_what_a_split_leaves_open_is_listed(path: Path) -> None:
    by, new = {"A-1": "early"}, [described("symptom:early")]
    split = kg.split_term(path, "symptom:nccl-timeout", ["early"], by, described=new, dry_run=True)
    assert split.undecided == ("A-2#symptom-1", "B-2#symptom-1")
    assert (split.stayed, split.contradictions) == ((), ())


@pytest.mark.parametrize("form", ["parquet", "csv", "jsonl", "duckdb"])
def test_an_export_brings_the_history_along(changed: Library, tmp_path: Path, form: str) -> None:
    changed.export(tmp_path / form, form)
    assert read_vocabulary(tmp_path / form).history == changed.history
    if form in ("csv", "jsonl"):
        with kg.build_library(tmp_path / form, tmp_path / "b.duckdb", encoder="hash") as again:
            assert again.notes == ()
            assert all_tables(again.path) == all_tables(changed.path)
            (undone,) = kg.undo_change(again.path)
            assert undone.change == changed.history[-1]


def test_case_files_with_old_ids_are_read_with_the_new_ones(
    changed: Library, tmp_path: Path
) -> None:
    late = make_case("N-1", ("cause", "cause:race"), ("symptom", "symptom:nccl-timeout"))
    changed.export(tmp_path / "out", "jsonl")
    cases = [*tiny_cases(), late]
    with build(tmp_path / "b.duckdb", cases, tmp_path / "out") as again:
        assert again.problems == ()
        assert {i: c for i, c in again.cases.items() if i != "N-1"} == changed.cases
        assert again.get("N-1").claims[0].terms == ("cause:x",)
        told = [str(n) for n in again.notes if n.case_id == "N-1"]
        assert told == [
            "(case) [N-1] claims.0.terms: cause:race was merged into cause:x. "
            "Read as cause:x; write so in the file"
        ]
        path = again.path
    kg.undo_change(path, steps=3)
    with kg.open_library(path) as back:
        assert list(back.cases.values()) == sorted(cases, key=lambda c: c.id)
        assert back.vocabulary.terms == tiny_vocabulary().terms


def test_a_case_that_comes_to_contradict_itself_is_told(changed: Library, tmp_path: Path) -> None:
    odd = make_case("N-1", ("cause", "cause:race"), ("cause", "cause:mismatch", "ruled_out"))
    with build(tmp_path / "b.duckdb", [odd], changed.vocabulary) as again:
        assert "cause:x is stated by N-1#cause-1 and ruled out by N-1#cause-2" in str(again.notes)


def test_a_term_that_never_was_is_still_a_problem(changed: Library, tmp_path: Path) -> None:
    bad = make_case("N-1", ("cause", "cause:nothing"))
    with pytest.raises(InputError, match="unknown term 'cause:nothing'"):
        build(tmp_path / "b.duckdb", [bad], changed.vocabulary)


def test_a_part_keeps_what_led_to_its_terms(changed: Library, tmp_path: Path) -> None:
    changed.export(tmp_path / "part", "jsonl", ["B-2"])
    part = read_vocabulary(tmp_path / "part")
    assert part.current("cause:mismatch") == "cause:x"
    assert {r.case_id for c in part.history for r in c.retags} == {"B-2"}
    changed.export(tmp_path / "other", "jsonl", ["B-1"])
    assert read_vocabulary(tmp_path / "other").history == ()
    with kg.build_library(tmp_path / "part", tmp_path / "b.duckdb", encoder="hash") as library:
        assert library.list(cause="race").ids == ()
        assert library.topic("cause:race").cases["ruled_out"] == ("B-2",)


def test_exports_with_other_histories_are_not_joined_in_silence(
    changed: Library, template: Path, tmp_path: Path
) -> None:
    with kg.open_library(template) as library:
        library.export(tmp_path / "before", "jsonl")
    changed.export(tmp_path / "after", "jsonl")
    with pytest.raises(BadQuery, match="different vocabularies"):
        kg.build_library([tmp_path / "before", tmp_path / "after"], tmp_path / "b", encoder="hash")


def test_a_library_in_the_cache_is_read_only(template: Path, cache: Path) -> None:
    mine = Path(shutil.copy(template, cache / "incidents-like.duckdb"))
    before = mine.read_bytes()
    with pytest.raises(LibraryError, match=r"read-only.*kg export my-cases --format jsonl"):
        kg.rename_term(mine, "cause:race", "x")
    with pytest.raises(LibraryError, match="read-only"):
        kg.undo_change(mine, dry_run=True)
    assert mine.read_bytes() == before
    mine.unlink()


def test_a_library_of_an_older_version_is_written_in_this_one(path: Path) -> None:
    with duckdb.connect(str(path)) as base:
        base.execute("UPDATE builds SET value = '3' WHERE key = 'schema_version'")
        for table in ("changed_claims", "changed_terms", "old_terms", "changes"):
            base.execute(f"DROP TABLE {table}")
        base.execute("DELETE FROM builds WHERE key = 'changes'")
    kg.rename_term(path, "cause:race", "data-race")
    tables = all_tables(path)
    assert ("schema_version", str(SCHEMA_VERSION)) in tables["builds"]
    assert [row[1] for row in tables["changes"]] == ["rename"]


@pytest.mark.parametrize("steps", [0, -1, 2])
def test_only_as_many_changes_as_there_are_can_be_undone(path: Path, steps: int) -> None:
    kg.rename_term(path, "cause:race", "data-race")
    before = path.read_bytes()
    with pytest.raises(BadQuery, match=r"at least one|of changes to undo there is 1"):
        kg.undo_change(path, steps=steps)
    assert path.read_bytes() == before


def test_a_vocabulary_goes_with_its_history(changed: Library) -> None:
    assert changed.history is changed.vocabulary.history
    assert isinstance(changed.vocabulary, Vocabulary)
    assert [c.at for c in changed.history] == ["2026-03-04", None, None]
