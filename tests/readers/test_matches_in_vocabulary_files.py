"""Matches with other vocabularies in the files of a scheme: read, written, and told when wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kg.errors import InputError, Problem
from kg.model import Scheme
from kg.readers import dump_scheme, read_vocabulary
from kg.readers.jsonschema import schema_texts
from tests.helpers.tiny import scheme, term, write_json

CWE = "https://cwe.mitre.org/data/definitions/401.html"
ATTACK = "https://attack.mitre.org/techniques/T1195/001/"


def written(folder: Path, first: dict[str, Any], second: dict[str, Any] | None = None) -> Path:
    """A file of two causes with these fields added to them."""
    data = json.loads(dump_scheme(scheme("cause", term("cause:a", "a"), term("cause:b", "b"))))
    data["terms"][0].update(first)
    data["terms"][1].update(second or {})
    return write_json(folder / "cause.json", data)


def only_problem(folder: Path) -> Problem:
    with pytest.raises(InputError) as caught:
        read_vocabulary(folder)
    (problem,) = caught.value.problems
    return problem


def line_of(file: Path, text: str) -> int:
    return next(
        i for i, row in enumerate(file.read_text(encoding="utf-8").splitlines(), 1) if text in row
    )


def test_matches_are_read_from_a_file(tmp_path: Path) -> None:
    written(tmp_path, {"exact_match": [CWE], "close_match": [ATTACK]})
    found = read_vocabulary(tmp_path)
    assert found.get("cause:a").matches() == (("exact_match", CWE), ("close_match", ATTACK))
    assert found.get("cause:b").matches() == ()


def test_a_file_holds_matches_sorted_and_no_empty_lists() -> None:
    made = scheme("cause", term("cause:a", "a", close_match=[CWE, ATTACK]), term("cause:b", "b"))
    text = dump_scheme(made)
    first, second = json.loads(text)["terms"]
    assert first["close_match"] == [ATTACK, CWE]
    assert "exact_match" not in first
    assert {"exact_match", "close_match"}.isdisjoint(second)
    assert Scheme.model_validate_json(text) == made
    assert dump_scheme(Scheme.model_validate_json(text)) == text


def test_an_iri_that_is_none_is_told_at_its_line(tmp_path: Path) -> None:
    file = written(tmp_path, {"close_match": [ATTACK, "CWE-401"]})
    problem = only_problem(tmp_path)
    assert (problem.file, problem.field) == (str(file), "terms.0.close_match.1")
    assert problem.line == line_of(file, '"CWE-401"')
    assert problem.message == "'CWE-401' is not an absolute http(s) IRI"
    assert problem.remedy.startswith("Write it whole and without spaces, like https://")


def test_an_iri_in_both_lists_is_told_at_its_term(tmp_path: Path) -> None:
    written(tmp_path, {}, {"exact_match": [CWE], "close_match": [CWE]})
    problem = only_problem(tmp_path)
    assert problem.field == "terms.1"
    assert problem.message == f"'{CWE}' is in exact_match and in close_match"
    assert problem.remedy.startswith("Keep it in exact_match if it means the same")


def test_an_iri_that_stands_twice_is_told_at_its_list(tmp_path: Path) -> None:
    file = written(tmp_path, {"exact_match": [CWE, CWE]})
    problem = only_problem(tmp_path)
    assert (problem.line, problem.field) == (line_of(file, '"exact_match"'), "terms.0.exact_match")
    assert problem.message == f"'{CWE}' stands here 2 times"
    assert problem.remedy == "Keep one of them"


def test_an_exact_match_of_two_terms_is_told_at_the_second(tmp_path: Path) -> None:
    file = written(
        tmp_path, {"close_match": [ATTACK], "exact_match": [CWE]}, {"exact_match": [CWE]}
    )
    problem = only_problem(tmp_path)
    lines = file.read_text(encoding="utf-8").splitlines()
    assert problem.field == "terms.1.exact_match"
    assert problem.line == max(i for i, row in enumerate(lines, 1) if '"exact_match"' in row)
    assert problem.message == f"cause:b: exact_match '{CWE}' is also that of cause:a"
    assert "close_match" in problem.remedy


def test_the_json_schema_has_both_lists() -> None:
    schema = json.loads(schema_texts()["scheme.schema.json"])["$defs"]["Term"]
    for name in ("exact_match", "close_match"):
        assert schema["properties"][name]["type"] == "array"
        assert schema["properties"][name]["items"]["pattern"].startswith("^https?://")
        assert name not in schema["required"]
