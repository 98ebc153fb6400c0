"""A library that was added to, reviewed and merged goes out as RDF and is the same when built."""

from __future__ import annotations

from pathlib import Path

import pytest

import kg
from kg.errors import InputError
from kg.export.rdf import ENDINGS
from kg.library.merging import undo_merge
from kg.readers import read_rdf
from tests.library.test_merged_cases_travel import held, merged_library, merged_once
from tests.library.test_merging_cases import built, folder

__all__ = ["built", "folder", "merged_library", "merged_once"]


def test_all_of_it_is_there_again(merged_library: Path) -> None:
    before = held(merged_library)
    with kg.open_library(merged_library) as library:
        files = [library.write_rdf(merged_library.parent / f"it{ending}") for ending in ENDINGS]
    texts = [read_rdf(file) for file in files]
    assert all(text.cases == before.cases for text in texts)
    assert all(text.decisions == texts[0].decisions for text in texts)
    again = kg.build_library(files[0], merged_library.parent / "again.duckdb", encoder="hash").path
    after = held(again)
    assert (after.cases, after.reviews, after.revisions, after.apart) == (
        before.cases, before.reviews, before.revisions, before.apart,
    )  # fmt: skip
    assert after.vocabulary.schemes == before.vocabulary.schemes
    (page,) = {r.case_id for r in before.revisions if r.action == "merged"}
    assert undo_merge(again, page) == undo_merge(merged_library, page)


def test_a_part_takes_along_what_was_decided_about_it(merged_library: Path) -> None:
    before = held(merged_library)
    merged = next(r.case_id for r in before.revisions if r.action == "merged")
    (other,) = {case.id for case in before.cases} - {merged}
    with kg.open_library(merged_library) as library:
        for wanted, steps in ((merged, before.revisions), (other, ())):
            file = library.write_rdf(merged_library.parent / f"{wanted}.nt", case_ids=[wanted])
            made = kg.build_library(file, file.with_suffix(".duckdb"), encoder="hash").path
            of_others = [r for r in held(made).revisions if r not in before.revisions]
            assert of_others == []
            assert held(made).apart == ()
            assert bool(held(made).reviews) is bool(steps)


def test_a_broken_record_stops_the_build_and_says_where(merged_library: Path) -> None:
    with kg.open_library(merged_library) as library:
        file = library.write_rdf(merged_library.parent / "it.nt")
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('\\"decision\\": \\"reject\\"', '\\"decision\\": \\"maybe\\"'))
    with pytest.raises(InputError) as caught:
        kg.build_library(file, merged_library.parent / "again.duckdb", encoder="hash")
    assert [p.field for p in caught.value.problems] == ["decision"]
    assert caught.value.problems[0].file == str(file)
