"""JSON Lines hold the records whole, a case a line, as any reader of JSON sees them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given

from kg.errors import BadQuery
from kg.export.formats import FORMATS, check_format, write_export
from kg.export.records import case_line, json_line
from kg.model import Case, Scheme
from kg.readers import dump_case
from kg.vocab import Vocabulary
from tests.helpers.exports import NASTY, contents, exported, graph_of, nasty_case, nasty_snapshot
from tests.helpers.strategies import WORLDS, worlds


def test_each_line_is_a_case_for_any_reader_of_json(tmp_path: Path) -> None:
    snapshot = nasty_snapshot()
    text = (exported(snapshot, tmp_path / "out", "jsonl") / "cases.jsonl").read_text("utf-8")
    lines = text.splitlines()  # which also splits where only some programs do
    assert [Case.model_validate(json.loads(line)) for line in lines] == list(snapshot.cases)


@WORLDS
@given(worlds())
def test_a_line_is_the_file_of_the_case_on_one_line(world: tuple[Vocabulary, list[Case]]) -> None:
    for case in world[1]:
        line = case_line(case)
        assert json.loads(line) == json.loads(dump_case(case))
        assert list(json.loads(line)) == list(json.loads(dump_case(case)))
        assert Case.model_validate_json(line) == case


@pytest.mark.parametrize("text", NASTY)
def test_json_of_a_text_is_one_line_and_the_text(text: str) -> None:
    line = json_line({"a": text})
    assert len(line.splitlines()) == 1
    assert json.loads(line) == {"a": text}


def test_korean_stays_readable() -> None:
    assert "사실" in case_line(nasty_case())


def test_the_vocabulary_lies_beside_as_scheme_files(tmp_path: Path) -> None:
    snapshot = nasty_snapshot()
    found = contents(exported(snapshot, tmp_path / "out", "jsonl"))
    schemes = [Scheme.model_validate_json(b) for n, b in found.items() if n.startswith("voc")]
    assert Vocabulary(schemes).terms == snapshot.vocabulary.terms
    assert {s.scheme for s in schemes} == set(snapshot.vocabulary.schemes)


def test_a_format_that_there_is_not_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    snapshot = nasty_snapshot()
    with pytest.raises(BadQuery, match="no format 'xlsx'; there are parquet, csv, jsonl"):
        write_export(snapshot, lambda: graph_of(snapshot), tmp_path / "out", "xlsx")
    assert list(tmp_path.iterdir()) == []
    for form in FORMATS:
        check_format(form)
