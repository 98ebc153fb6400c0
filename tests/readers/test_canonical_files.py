"""A record has one text: reading it gives the record back, and shipped files are that text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given

from kg.errors import InputError
from kg.model import Case, Scheme
from kg.readers import dump_case, dump_scheme, load_batch, parse_case, read_vocabulary, shipped
from kg.vocab import Vocabulary
from tests.helpers.strategies import QUICK, WORLDS, schemes, worlds
from tests.helpers.tiny import case_data, make_case, tiny_vocabulary, write_json

SHIPPED_CASES = sorted(shipped("cases").glob("*.json"))
SHIPPED_SCHEMES = sorted(shipped("vocabulary").glob("*.json"))


def read_back(text: str) -> Case:
    (case,) = parse_case(text, "x.json")
    assert isinstance(case, Case), case
    return case


@WORLDS
@given(worlds(most=2))
def test_any_case_survives_its_file(world: tuple[Vocabulary, list[Case]]) -> None:
    for case in world[1]:
        text = dump_case(case)
        again = read_back(text)
        assert again == case
        assert dump_case(again) == text
        assert again.model_dump() == case.model_dump()


@QUICK
@given(schemes("cause"))
def test_any_scheme_survives_its_file(scheme: Scheme) -> None:
    text = dump_scheme(scheme)
    again = Scheme.model_validate_json(text)
    assert dump_scheme(again) == text
    assert sorted(again.terms, key=lambda t: t.id) == sorted(scheme.terms, key=lambda t: t.id)


@pytest.mark.parametrize("file", SHIPPED_CASES, ids=lambda f: f.stem)
def test_each_shipped_case_file_is_its_canonical_text(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert dump_case(read_back(text)) == text, f"write {file.name} with kg.readers.dump_case"


@pytest.mark.parametrize("file", SHIPPED_SCHEMES, ids=lambda f: f.stem)
def test_each_shipped_scheme_file_is_its_canonical_text(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    scheme = Scheme.model_validate_json(text)
    assert dump_scheme(scheme) == text, f"write {file.name} with kg.readers.dump_scheme"
    assert scheme.scheme == file.stem


def test_shipped_cases_are_found_and_named_for_their_file() -> None:
    assert SHIPPED_CASES
    for file in SHIPPED_CASES:
        assert json.loads(file.read_text(encoding="utf-8"))["id"] == file.stem


def test_shipped_cases_are_without_problems(vocabulary: Vocabulary) -> None:
    found = load_batch([shipped("cases")], vocabulary)
    assert found.problems == ()
    assert len(found.cases) == len(SHIPPED_CASES)


def test_the_canonical_text_is_readable_json() -> None:
    text = dump_case(make_case("X-1", ("cause", "cause:race"), published="2024-03-01"))
    assert text.endswith("}\n")
    assert "\n  " in text
    assert "\\u" not in text
    assert "제목" in text
    keys = list(json.loads(text))
    assert keys == [f for f in Case.model_fields if f in keys]
    assert keys[:2] == ["id", "kind"]


def test_defaults_and_places_that_were_not_given_are_left_out() -> None:
    data = json.loads(dump_case(make_case("X-1", ("cause", "cause:race"))))
    assert "lesson" not in data
    claim = data["claims"][0]
    assert "status" not in claim
    assert set(claim["evidence"][0]) == {"field", "lang", "quote"}


def test_what_is_stated_as_none_is_kept() -> None:
    case = make_case("X-1", lesson=[], sources=[], regions=[])
    data = json.loads(dump_case(case))
    assert (data["lesson"], data["sources"], data["regions"]) == ([], [], [])


def test_whole_numbers_have_no_point_and_others_keep_theirs() -> None:
    case = make_case("X-1", time_to_detect={"seconds": 60}, time_to_recover={"seconds": 0.25})
    assert '"seconds": 60\n' in dump_case(case)
    assert '"seconds": 0.25\n' in dump_case(case)


def test_a_vocabulary_folder_is_read_whole(tmp_path: Path) -> None:
    tiny = tiny_vocabulary()
    for name, scheme in tiny.schemes.items():
        (tmp_path / f"{name}.json").write_text(dump_scheme(scheme), encoding="utf-8")
    (tmp_path / "README.md").write_text("not a scheme", encoding="utf-8")
    assert read_vocabulary(tmp_path).terms == tiny.terms


def test_all_bad_vocabulary_files_are_told_together(tmp_path: Path) -> None:
    text = dump_scheme(tiny_vocabulary().schemes["cause"])
    (tmp_path / "a.json").write_text(
        text.replace('"id": "cause:race"', '"id": "no id"'), encoding="utf-8"
    )
    (tmp_path / "b.json").write_text('{\n "scheme": "b",\n}', encoding="utf-8")
    (tmp_path / "c.json").write_bytes(b"\xff")
    write_json(tmp_path / "d.json", case_data("X-1"))
    (tmp_path / "e.json").write_text('{"x": ' + "[" * 50_000, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_vocabulary(tmp_path)
    problems = caught.value.problems
    assert {Path(p.file).name for p in problems} == {f"{n}.json" for n in "abcde"}
    by_name = {Path(p.file).name: p for p in problems}
    bad_id = text.replace('"id": "cause:race"', '"id": "no id"')
    assert by_name["a.json"].line == bad_id[: bad_id.index("no id")].count("\n") + 1
    assert by_name["a.json"].field.endswith(".id")
    assert by_name["b.json"].line == 3


def test_a_folder_without_schemes_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no vocabulary files here"):
        read_vocabulary(tmp_path)
