"""Records that two libraries have in common are read once; those that differ are never mixed up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import ValidationError

from kg.library import Library
from kg.model import Case
from kg.store import update_library, write_library
from kg.store.records import make_vocabulary, read_case
from tests.helpers.libraries import make_snapshot
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

SNAPSHOT = make_snapshot(tiny_cases(), tiny_vocabulary())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_library(SNAPSHOT, tmp_path / "a.duckdb")


def test_a_library_opened_twice_holds_the_same(file: Path) -> None:
    with Library(file) as one, Library(file) as other:
        assert one.cases == other.cases == {c.id: c for c in SNAPSHOT.cases}
        assert all(other.cases[i] is case for i, case in one.cases.items())
        assert one.vocabulary is other.vocabulary


def test_only_the_changed_case_is_another(file: Path) -> None:
    def severe(case: Case) -> Case:
        return case.model_copy(update={"severity": "SEV9"}) if case.id == "A-1" else case

    with Library(file) as before:
        update_library(file, lambda s: replace(s, cases=tuple(map(severe, s.cases))))
        with Library(file) as after:
            assert after.get("A-1").severity == "SEV9" != before.get("A-1").severity
            assert after.get("A-2") is before.get("A-2")


def test_another_vocabulary_is_another(file: Path, tmp_path: Path) -> None:
    words = tiny_vocabulary()
    schemes = [
        s.model_copy(update={"label": s.label.model_copy(update={"en": "Renamed"})})
        for s in words.schemes.values()
    ]
    renamed = write_library(
        replace(SNAPSHOT, vocabulary=type(words)(schemes)), tmp_path / "b.duckdb"
    )
    with Library(file) as one, Library(renamed) as other:
        assert {s.label.get("en") for s in other.vocabulary.schemes.values()} == {"Renamed"}
        assert one.vocabulary.schemes == words.schemes


def test_a_record_that_is_none_is_refused_each_time() -> None:
    for _ in range(2):
        with pytest.raises(ValidationError):
            read_case('{"id": "A-1"}')
        with pytest.raises(ValidationError):
            make_vocabulary((("cause", "{}"),), (), ())
