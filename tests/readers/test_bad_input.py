"""Every kind of bad input becomes a problem that names file, line, field and what to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import Problem
from kg.model import Case
from kg.readers import Batch, load_batch, parse_case, read_cases
from tests.helpers.strategies import QUICK
from tests.helpers.tiny import case_data, make_case, tiny_vocabulary, write_json

VOCABULARY = tiny_vocabulary()


def problems_of(text: str, name: str = "case.json") -> list[Problem]:
    found = list(parse_case(text, name))
    assert all(isinstance(p, Problem) for p in found), "a bad case must not be given as well"
    assert found, "nothing was said about a bad case"
    return [p for p in found if isinstance(p, Problem)]


def only_problem(text: str) -> Problem:
    problems = problems_of(text)
    assert len(problems) == 1, problems
    return problems[0]


def indented(**changes: Any) -> str:
    data = {**case_data("X-1", ("cause", "cause:race")), **changes}
    return json.dumps(data, ensure_ascii=False, indent=2)


def line_of(text: str, part: str) -> int:
    """The line in which a part of the text first stands."""
    return text[: text.index(part)].count("\n") + 1


def batch(folder: Path) -> Batch:
    return load_batch([folder], VOCABULARY)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('{\n  "id": "X-1",\n  "domain" "web"\n}', 3, 12),
        ('{\n  "id": "X-1",\n}', 3, 1),
        ('{"id": "X-1"', 1, 13),
        ("{\n  \"id\": 'X-1'\n}", 2, 9),
        ("\n\n\n{,}", 4, 2),
        ('{"id": "X-1"}\n{"id": "X-2"}', 2, 1),
        ('{"id": "tab\there"}', 1, 12),
        ('{"id": tru}', 1, 8),
    ],
)
def test_a_syntax_error_names_its_line_and_column(text: str, line: int, column: int) -> None:
    problem = only_problem(text)
    assert problem.line == line
    assert problem.message.startswith("not valid JSON")
    assert problem.remedy == f"Look at column {column} of this line"


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_json_does_not_have_are_refused(value: str) -> None:
    problem = only_problem(f'{{"id": "X-1", "time_to_detect": {{"seconds": {value}}}}}')
    assert value in problem.message


@pytest.mark.parametrize("value", ["1e999", "-1e999", "9" * 400])
def test_numbers_too_large_for_a_float_are_refused(value: str) -> None:
    text = indented(time_to_detect={"seconds": 77}).replace("77", value)
    problem = only_problem(text)
    assert problem.field == "time_to_detect.seconds"
    assert problem.line == line_of(text, '"seconds"')


def test_a_number_with_too_many_digits_is_told_and_not_raised() -> None:
    problem = only_problem('{"id": "X-1", "x": ' + "9" * 5000 + "}")
    assert problem.message.startswith("not valid JSON")


@pytest.mark.parametrize("depth", [150, 300, 600, 1200, 50_000])
def test_deep_nesting_is_told_and_not_raised(depth: int) -> None:
    text = '{"id": "X-1", "deep": ' + "[" * depth + "]" * depth + "}"
    assert problems_of(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [("[]", "a list"), ('"x"', "text"), ("7", "a number"), ("null", "null"), ("true", "true")],
)
def test_a_case_must_be_an_object(text: str, kind: str) -> None:
    problem = only_problem(text)
    assert problem.message == f"a case is a JSON object, this is {kind}"
    assert ".jsonl" in problem.remedy


def test_a_key_that_stands_twice_is_told_with_its_second_line() -> None:
    text = '{\n  "id": "X-1",\n  "domain": "web",\n  "id": "X-2"\n}'
    twice = [p for p in problems_of(text) if "twice" in p.message]
    assert [(p.line, p.field) for p in twice] == [(4, "id")]


def test_a_key_that_stands_twice_refuses_an_otherwise_good_case() -> None:
    text = indented().replace(
        '"domain": "ai-infra",', '"domain": "ai-infra",\n  "domain": "ai-infra",'
    )
    problem = only_problem(text)
    assert problem.message == "the key stands twice in one object"
    assert problem.line == 4
    assert problem.case_id == "X-1"


def test_half_of_a_surrogate_pair_is_told_with_its_line() -> None:
    text = indented(severity="HALF").replace("HALF", "\\ud800")
    problem = only_problem(text)
    assert problem.line == line_of(text, "\\ud800")
    assert problem.message.startswith("not valid JSON")


def test_an_id_that_cannot_be_printed_is_not_printed() -> None:
    assert only_problem('{"id": "\\ud800"}').case_id == ""


@pytest.mark.parametrize("field", ["id", "domain", "title", "summary"])
def test_a_missing_field_is_named(field: str) -> None:
    data = case_data("X-1")
    del data[field]
    problem = only_problem(json.dumps(data))
    assert (problem.field, problem.message, problem.remedy) == (
        field,
        "this field is required",
        "Add it",
    )


def test_all_missing_fields_are_told_together() -> None:
    assert {p.field for p in problems_of("{}")} == {"id", "domain", "title", "summary"}


@pytest.mark.parametrize(
    ("change", "field", "hint"),
    [
        ({"symptoms": {"en": "x"}}, "symptoms", "Did you mean 'symptom'?"),
        ({"time_to_detct": None}, "time_to_detct", "Did you mean 'time_to_detect'?"),
        ({"qqqqqq": 1}, "qqqqqq", "Remove it"),
        (
            {"links": [{"rel": "a", "href": "b", "hreff": 1}]},
            "links.0.hreff",
            "Did you mean 'href'?",
        ),
        (
            {"dates": [{"kind": "started", "at": "2020", "aprox": True}]},
            "dates.0.aprox",
            "Did you mean 'approx'?",
        ),
        (
            {"time_to_recover": {"seconds": 1, "secs": 1}},
            "time_to_recover.secs",
            "Did you mean 'seconds'?",
        ),
    ],
)
def test_an_unknown_field_is_named_with_a_suggestion(
    change: dict[str, Any], field: str, hint: str
) -> None:
    problem = only_problem(indented(**change))
    assert (problem.field, problem.message, problem.remedy) == (field, "no such field", hint)


def test_an_unknown_field_of_a_claim_or_span_is_compared_with_its_own_fields() -> None:
    data = case_data("X-1", ("cause", "cause:race"))
    data["claims"][0]["statment"] = {"en": "x"}
    data["claims"][0]["evidence"][1]["qoute"] = "x"
    problems = problems_of(json.dumps(data))
    assert {(p.field, p.remedy) for p in problems} == {
        ("claims.0.statment", "Did you mean 'statement'?"),
        ("claims.0.evidence.1.qoute", "Did you mean 'quote'?"),
    }


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"domain": 7}, "domain"),
        ({"regions": "eu"}, "regions"),
        ({"regions": [1]}, "regions.0"),
        ({"time_to_detect": "3h"}, "time_to_detect"),
        ({"time_to_detect": {"seconds": "soon"}}, "time_to_detect.seconds"),
        ({"time_to_detect": {"seconds": -1}}, "time_to_detect.seconds"),
        ({"dates": [{"kind": "published", "at": "2022-02-30"}]}, "dates.0"),
        ({"kind": "accident"}, "kind"),
        ({"title": "plain"}, "title"),
        ({"title": {"en": ["a"], "ko": ["ㄱ", "ㄴ"]}}, "title"),
        ({"title": {"english": ["a"]}}, "title.english"),
        ({"claims": {}}, "claims"),
        ({"claims": [7]}, "claims.0"),
        ({"id": "no spaces please"}, "id"),
        ({"links": [{"rel": "X", "href": "y"}]}, "links.0.rel"),
    ],
)
def test_a_value_of_the_wrong_type_is_told_at_its_field_and_line(
    change: dict[str, Any], field: str
) -> None:
    text = indented(**change)
    problem = only_problem(text)
    assert problem.field == field
    assert problem.line >= line_of(text, f'"{next(iter(change))}"')


def test_the_message_shows_the_value_shortened() -> None:
    problem = only_problem(indented(domain=["x" * 500]))
    assert "xxx" in problem.message
    assert len(problem.message) < 150


def test_a_span_that_does_not_match_is_told_at_its_line() -> None:
    data = case_data("X-1", ("cause", "cause:race"), ("symptom", "symptom:slow"))
    data["claims"][1]["evidence"][0]["quote"] = "it was never said"
    text = json.dumps(data, indent=2)
    problem = only_problem(text)
    assert problem.field == "claims.1.evidence.0"
    assert "'it was never said' is not in symptom.en" in problem.message
    assert problem.line == line_of(text, "it was never said") - 3
    assert problem.case_id == "X-1"


def test_rules_between_fields_are_told_at_their_place() -> None:
    data = case_data("X-1", ("cause", "cause:race"))
    data["claims"][0]["role"] = "owner"
    assert only_problem(json.dumps(data)).field == "claims.0.role"


def test_an_unknown_term_is_named_with_a_suggestion(tmp_path: Path) -> None:
    write_json(tmp_path / "x.json", case_data("X-1", ("cause", "cause:rase")))
    (problem,) = batch(tmp_path).problems
    assert problem.field == "claims.0.terms.0"
    assert problem.message == "unknown term 'cause:rase'"
    assert "Did you mean cause:race" in problem.remedy
    assert problem.case_id == "X-1"


def test_an_unknown_term_without_a_likeness_can_be_added(tmp_path: Path) -> None:
    write_json(tmp_path / "x.json", case_data("X-1", ("cause", "cause:zzzzzzzzzz")))
    assert batch(tmp_path).problems[0].remedy == "Add it to the vocabulary"


def test_a_term_of_another_scheme_does_not_fit_its_claim(tmp_path: Path) -> None:
    write_json(tmp_path / "x.json", case_data("X-1", ("cause", "symptom:slow")))
    (problem,) = batch(tmp_path).problems
    assert "does not fit a cause claim" in problem.message
    assert "scheme cause" in problem.remedy


@pytest.mark.parametrize("address", ["cause:rase", "symptom:slow"])
def test_a_mitigation_addresses_known_causes(tmp_path: Path, address: str) -> None:
    data = case_data("X-1", ("mitigation", "mitigation:restart"))
    data["claims"][0]["addresses"] = [address]
    write_json(tmp_path / "x.json", data)
    assert [p.field for p in batch(tmp_path).problems] == ["claims.0.addresses.0"]


@pytest.mark.parametrize("content", ["", " \n\t", "\ufeff"])
def test_an_empty_file_is_told(tmp_path: Path, content: str) -> None:
    (tmp_path / "x.json").write_text(content, encoding="utf-8")
    (problem,) = batch(tmp_path).problems
    assert problem.message == "the file is empty"


def test_a_folder_without_cases_is_told(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing", encoding="utf-8")
    (problem,) = batch(tmp_path).problems
    assert problem.file == str(tmp_path)
    assert "*.jsonl" in problem.remedy


def test_a_missing_path_is_told(tmp_path: Path) -> None:
    (problem,) = batch(tmp_path / "gone.json").problems
    assert problem.file.endswith("gone.json")
    assert "cannot be read" in problem.message


@pytest.mark.parametrize(
    "content", [b"\xff\xfe{\x00}\x00", b'{"id": "\xe9"}', "{}".encode("utf-16")]
)
def test_a_file_that_is_not_utf_8_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.json").write_bytes(content)
    (problem,) = batch(tmp_path).problems
    assert problem.message.startswith("not UTF-8 (byte ")
    assert problem.remedy == "Save the file as UTF-8"


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(indented(), encoding="utf-8-sig")
    assert [c.id for c in batch(tmp_path).cases] == ["X-1"]


def test_two_files_with_one_id_are_both_left_out(tmp_path: Path) -> None:
    for name in ("a.json", "b.json"):
        write_json(tmp_path / name, case_data("X-1"))
    write_json(tmp_path / "c.json", case_data("X-2"))
    found = batch(tmp_path)
    (problem,) = found.problems
    assert problem.file.endswith("b.json")
    assert "a.json" in problem.message
    assert problem.field == "id"
    assert [c.id for c in found.cases] == ["X-2"]


def test_a_file_named_twice_is_one_file(tmp_path: Path) -> None:
    file = write_json(tmp_path / "x.json", case_data("X-1"))
    again = tmp_path / "." / "x.json"
    link = tmp_path / "link"
    link.symlink_to(tmp_path, target_is_directory=True)
    found = load_batch([file, str(file), again, tmp_path, link / "x.json"], VOCABULARY)
    assert not found.problems
    assert [c.id for c in found.cases] == ["X-1"]


def test_one_bad_line_of_json_lines_leaves_the_others(tmp_path: Path) -> None:
    good = [json.dumps(case_data(f"X-{i}")) for i in (1, 2)]
    (tmp_path / "x.jsonl").write_text(
        "\n".join([good[0], "", "{bad", good[1], ""]), encoding="utf-8"
    )
    found = batch(tmp_path)
    assert [c.id for c in found.cases] == ["X-1", "X-2"]
    assert [(p.line, p.field) for p in found.problems] == [(3, "")]


def test_a_bad_field_in_json_lines_is_told_at_its_own_line(tmp_path: Path) -> None:
    lines = [json.dumps(case_data("X-1")), json.dumps({**case_data("X-2"), "domain": 7})]
    (tmp_path / "x.jsonl").write_text("\r\n".join(lines), encoding="utf-8")
    assert [(p.line, p.field, p.case_id) for p in batch(tmp_path).problems] == [
        (2, "domain", "X-2")
    ]


def test_line_separators_of_unicode_do_not_end_a_line(tmp_path: Path) -> None:
    data = {**case_data("X-1"), "severity": "a\u2028b\x85c"}
    (tmp_path / "x.jsonl").write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    assert batch(tmp_path).cases[0].severity == "a\u2028b\x85c"


def test_all_problems_of_a_batch_come_together_in_order(tmp_path: Path) -> None:
    write_json(
        tmp_path / "d.json", case_data("D-1", ("cause", "cause:rase"), ("symptom", "symptom:slo"))
    )
    (tmp_path / "a.json").write_text("{", encoding="utf-8")
    write_json(tmp_path / "b.json", {**case_data("B-1"), "domain": 1, "kind": 2})
    write_json(tmp_path / "c.json", case_data("C-1"))
    found = load_batch([tmp_path, tmp_path / "gone.json"], VOCABULARY)
    assert [c.id for c in found.cases] == ["C-1"]
    assert list(found.problems) == sorted(found.problems)
    assert sorted((Path(p.file).name, p.field) for p in found.problems) == [
        ("a.json", ""), ("b.json", "domain"), ("b.json", "kind"),
        ("d.json", "claims.0.terms.0"), ("d.json", "claims.1.terms.0"), ("gone.json", ""),
    ]  # fmt: skip


def test_every_problem_has_a_file_a_message_and_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{]", encoding="utf-8")
    (tmp_path / "b.json").write_text("[]", encoding="utf-8")
    write_json(tmp_path / "c.json", {**case_data("C-1", ("cause", "cause:rase")), "x": 1})
    for problem in batch(tmp_path).problems:
        assert problem.file
        assert problem.message
        assert problem.remedy
        assert str(problem).startswith(problem.file)
        assert str(problem).endswith(f"{problem.message}. {problem.remedy}")


def test_ready_cases_are_checked_like_files(tmp_path: Path) -> None:
    good, bad = make_case("X-1"), make_case("X-2", ("cause", "cause:rase"))
    file = write_json(tmp_path / "x.json", case_data("X-3"))
    found = load_batch([bad, file, good, good], VOCABULARY)
    assert [c.id for c in found.cases] == ["X-1", "X-3"]
    assert [(p.file, p.case_id) for p in found.problems] == [("(case)", "X-2")]


def test_a_ready_case_and_a_file_with_one_id_are_both_left_out(tmp_path: Path) -> None:
    file = write_json(tmp_path / "x.json", case_data("X-1"))
    found = load_batch([file, make_case("X-1", severity="SEV1")], VOCABULARY)
    assert found.cases == ()
    assert [p.case_id for p in found.problems] == ["X-1"]


@QUICK
@given(st.permutations(["a.json", "b.json", "c.jsonl", "d.json", "."]))
def test_the_order_of_inputs_does_not_matter(
    tmp_path_factory: pytest.TempPathFactory, order: list[str]
) -> None:
    folder = tmp_path_factory.getbasetemp() / "order"
    if not folder.exists():
        folder.mkdir()
        write_json(folder / "a.json", case_data("X-1"))
        write_json(folder / "b.json", case_data("X-1"))
        (folder / "c.jsonl").write_text(json.dumps(case_data("X-2")) + "\n{", encoding="utf-8")
        write_json(folder / "d.json", case_data("X-3", ("cause", "cause:gone")))
    expected = load_batch([folder], VOCABULARY)
    assert load_batch([folder / name for name in order], VOCABULARY) == expected
    assert expected.problems


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=10,
)


@QUICK
@given(JSON, st.sampled_from(sorted(Case.model_fields)))
def test_no_value_in_any_field_raises(value: Any, field: str) -> None:
    text = json.dumps({**case_data("X-1"), field: value})
    for item in parse_case(text, "x.json"):
        if isinstance(item, Problem):
            assert item.line == 1
            assert str(item).encode()


@QUICK
@given(st.text(max_size=40))
def test_no_text_at_all_raises(text: str) -> None:
    for item in parse_case(text, "x.json"):
        assert isinstance(item, Problem)


def test_read_cases_walks_folders_in_sorted_order(tmp_path: Path) -> None:
    for name in ("b", "a/z", "a/b"):
        file = tmp_path / f"{name}.json"
        file.parent.mkdir(exist_ok=True)
        write_json(file, case_data(name.replace("/", "-")))
    found = [(Path(where).name, item) for where, item in read_cases([tmp_path])]
    assert [c.id for _, c in found if isinstance(c, Case)] == ["a-b", "a-z", "b"]
