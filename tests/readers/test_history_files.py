"""`history.jsonl` beside scheme files: read with them, and told when it is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kg.errors import InputError
from kg.export.records import change_line
from kg.readers import dump_scheme, load_batch, read_vocabulary
from kg.readers.exported import HISTORY
from kg.vocab import Told, merge_terms, rename_term
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

ONE = rename_term(
    tiny_cases(), tiny_vocabulary(), "cause:mismatch", "x", told=Told(note="a\u2028b")
)
DONE = merge_terms(ONE.cases, ONE.vocabulary, ["cause:race"], "cause:x")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, scheme in DONE.vocabulary.schemes.items():
        (tmp_path / f"{name}.json").write_text(dump_scheme(scheme), encoding="utf-8")
    lines = [change_line(c) for c in DONE.vocabulary.history]
    (tmp_path / HISTORY).write_text("".join(f"{x}\n" for x in lines), encoding="utf-8")
    return tmp_path


def test_a_history_is_read_with_its_schemes(folder: Path) -> None:
    found = read_vocabulary(folder)
    assert found.history == DONE.vocabulary.history
    assert found.resolve("cause:mismatch").id == "cause:x"
    (folder / HISTORY).unlink()
    assert read_vocabulary(folder).history == ()


def test_a_change_is_one_line_whatever_it_holds() -> None:
    line = change_line(ONE.change)
    assert len(line.splitlines()) == 1
    assert json.loads(line)["note"] == "a\u2028b"


def told(folder: Path) -> str:
    with pytest.raises(InputError) as caught:
        read_vocabulary(folder)
    return str(caught.value)


def test_a_line_that_is_no_change_is_told_with_its_place(folder: Path) -> None:
    file = folder / HISTORY
    good = file.read_text("utf-8")
    file.write_text(good + '{"operation": "rename", "old": ["cause:a"]}\n', encoding="utf-8")
    assert f"{file}:3 new: " in told(folder)
    file.write_text(good + "nonsense\n", encoding="utf-8")
    assert f"{file}:3" in told(folder)
    file.write_text(good.replace('"merge"', '"move"'), encoding="utf-8")
    assert f"{file}:2 operation" in told(folder)


def test_an_old_id_that_leads_nowhere_is_told_at_its_change(folder: Path) -> None:
    schemes = folder / "cause.json"
    data = json.loads(schemes.read_text("utf-8"))
    data["terms"] = [t for t in data["terms"] if t["id"] != "cause:x"]
    schemes.write_text(json.dumps(data), encoding="utf-8")
    message = told(folder)
    assert f"{folder / HISTORY}:1 new: the old id cause:mismatch leads to cause:x" in message
    assert f"{folder / HISTORY}:2 new: the old id cause:race leads to cause:x" in message


def test_notes_are_no_problems_and_do_not_hang_on_the_order() -> None:
    cases = tiny_cases()
    one, other = load_batch(cases, DONE.vocabulary), load_batch(cases[::-1], DONE.vocabulary)
    assert one.problems == other.problems == ()
    assert one.notes == other.notes
    assert one.cases == other.cases == DONE.cases
    assert one.vocabulary.history == DONE.vocabulary.history
    assert [n.case_id for n in one.notes] == ["A-1", "A-2", "B-2", "A-2"]
    assert load_batch(cases, tiny_vocabulary()).notes == ()
