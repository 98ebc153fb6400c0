"""A vocabulary of one's own: every fault is told with file, line, field and what to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kg.errors import InputError, Problem
from kg.readers import dump_scheme, read_vocabulary
from kg.vocab import SCHEMES
from tests.helpers.tiny import scheme, term, tiny_vocabulary, write_json


def problems_of(folder: Path) -> tuple[Problem, ...]:
    with pytest.raises(InputError) as caught:
        read_vocabulary(folder)
    return caught.value.problems


def write(folder: Path, name: str, *changes: tuple[str, str]) -> str:
    """Write a scheme of the tiny vocabulary, changed; returns its text."""
    text = dump_scheme(tiny_vocabulary().schemes[name])
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / f"{name}.json").write_text(text, encoding="utf-8")
    return text


def data_of(**changes: Any) -> dict[str, Any]:
    made = scheme("cause", term("cause:a", "a"), term("cause:b", "b"))
    return {**json.loads(dump_scheme(made)), **changes}


def test_an_unknown_scheme_is_refused_with_the_list(tmp_path: Path) -> None:
    write_json(tmp_path / "reason.json", data_of(scheme="reason", terms=[]))
    (problem,) = problems_of(tmp_path)
    assert (problem.line, problem.field) == (2, "scheme")
    assert problem.message == "there is no scheme 'reason'"
    assert problem.remedy == f"Use one of {', '.join(SCHEMES)}"


def test_two_files_of_one_scheme_are_both_named(tmp_path: Path) -> None:
    for name in ("a.json", "b.json"):
        write_json(tmp_path / name, data_of())
    (problem,) = problems_of(tmp_path)
    assert problem.file == str(tmp_path / "b.json")
    assert problem.message == f"the scheme 'cause' is also in {tmp_path / 'a.json'}"
    assert (problem.field, problem.line) == ("scheme", 2)


def test_a_relation_that_the_graph_does_not_have_is_told_at_its_line(tmp_path: Path) -> None:
    data = data_of()
    data["terms"][1]["part_of"] = ["cause:a"]
    file = write_json(tmp_path / "cause.json", data)
    (problem,) = problems_of(tmp_path)
    text = file.read_text(encoding="utf-8")
    assert problem.field == "terms.1.part_of.0"
    assert problem.line == text[: text.index('"part_of"')].count("\n") + 2
    assert problem.message == "cause:b: part_of cannot lead from cause:b to cause:a"
    assert "component → component" in problem.remedy


def test_a_relation_to_nowhere_names_the_file_of_its_term(tmp_path: Path) -> None:
    write(tmp_path, "cause")
    text = write(tmp_path, "tool", ('"component:nccl"', '"component:gone"'))
    (problem,) = problems_of(tmp_path)
    assert problem.file == str(tmp_path / "tool.json")
    assert problem.line == text[: text.index('"component:gone"')].count("\n") + 1
    assert problem.message == "tool:flight-recorder: part_of 'component:gone' does not exist"


@pytest.mark.parametrize(
    ("change", "field", "message", "remedy"),
    [
        ({"label": {}}, "label", "a text needs at least one language", 'Write it like {"en": "…"}'),
        ({"label": "x"}, "label", 'must be an object of languages, such as {"en": "…"}', "See"),
        ({"lable": {"en": "x"}}, "lable", "no such field", "Did you mean 'label'?"),
        ({"terms": {}}, "terms", "must be a list, not the object {}", "See"),
        ({"terms": None}, "terms", "must be a list, not null", "See"),
        ({"definition": {"english": "x"}}, "definition.english", "must be a language tag", "See"),
    ],
)
def test_a_bad_scheme_is_told_like_a_bad_case(
    tmp_path: Path, change: dict[str, Any], field: str, message: str, remedy: str
) -> None:
    write_json(tmp_path / "cause.json", data_of(**change))
    (problem,) = problems_of(tmp_path)
    assert problem.field == field
    assert problem.message.startswith(message)
    assert problem.remedy.startswith(remedy)
    if remedy == "See":
        assert "docs/case-format.md (section Vocabulary)" in problem.remedy


def test_an_unknown_field_of_a_term_is_compared_with_those_of_a_term(tmp_path: Path) -> None:
    data = data_of()
    data["terms"][0]["alias"] = {}
    write_json(tmp_path / "cause.json", data)
    (problem,) = problems_of(tmp_path)
    assert (problem.field, problem.remedy) == ("terms.0.alias", "Did you mean 'aliases'?")


def test_a_key_that_stands_twice_is_told(tmp_path: Path) -> None:
    write(tmp_path, "cause", ('"scheme": "cause",', '"scheme": "cause",\n  "scheme": "cause",'))
    (problem,) = problems_of(tmp_path)
    assert (problem.line, problem.message) == (3, "the key stands twice in one object")


@pytest.mark.parametrize(("text", "said"), [("[]", "this is a list"), ("", "the file is empty")])
def test_a_file_without_a_scheme_is_told(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "cause.json").write_text(text, encoding="utf-8")
    (problem,) = problems_of(tmp_path)
    assert said in problem.message
    assert problem.remedy


def test_a_bad_file_does_not_make_the_others_look_wrong(tmp_path: Path) -> None:
    write(tmp_path, "tool")  # it refers to a component
    (tmp_path / "component.json").write_text("{", encoding="utf-8")
    assert [Path(p.file).name for p in problems_of(tmp_path)] == ["component.json"]


def test_capitals_in_a_suffix_do_not_hide_a_scheme(tmp_path: Path) -> None:
    write(tmp_path, "cause")
    (tmp_path / "cause.json").rename(tmp_path / "cause.JSON")
    assert "cause:race" in read_vocabulary(tmp_path)


def test_the_guide_that_is_named_has_that_section() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "case-format.md"
    assert "\n## Vocabulary\n" in page.read_text(encoding="utf-8")
