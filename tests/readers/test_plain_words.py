"""Messages speak of JSON and not of Python, name one cause once, and say what to do."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given

from kg.errors import Problem
from kg.model import Case, Scheme
from kg.model.iri import IRI_PATTERN
from kg.readers import parse_case
from kg.readers.plainwords import _SHAPES, kind_of
from kg.readers.validation import _TOKEN
from tests.helpers.strategies import QUICK
from tests.helpers.tiny import case_data
from tests.readers.test_bad_input import JSON, indented, line_of, only_problem, problems_of

JARGON = re.compile(
    r"NoneType|None\b|True\b|False\b|tuple|dict|\bstr(ing)?\b|\bint(eger)?\b|\bfloat|bool|sys\.|"
    r"recursion|Input should|validation|regex|pattern|\\x|<unknown>|surrogate '",
)
FIGURE = {
    "id": "total",
    "label": {"en": "total"},
    "value": 4,
    "unit": "h",
    "evidence": [{"field": "summary", "lang": "en", "quote": "Summary"}],
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"domain": 7}, "must be text, not 7"),
        ({"domain": None}, "must be text, not null"),
        ({"domain": True}, "must be text, not true"),
        ({"domain": ["a"]}, """must be text, not the list ["a"]"""),
        ({"domain": {}}, "must be text, not the object {}"),
        ({"domain": "It's"}, f"must be {_SHAPES['^[a-z][a-z0-9-]*$']}, not 'It's'"),
        ({"regions": "eu"}, "must be a list, not 'eu'"),
        ({"claims": {}}, "must be a list, not the object {}"),
        ({"claims": [7]}, "must be an object, not 7"),
        ({"title": "plain"}, 'must be an object of languages, such as {"en": "…"}, not \'plain\''),
        ({"kind": "accident"}, "must be one of incident, series or study, not 'accident'"),
        ({"time_to_detect": {"seconds": "soon"}}, "must be a number, not 'soon'"),
        ({"time_to_detect": {"seconds": -1}}, "must be 0 or more, not -1"),
        ({"links": [{"rel": "a", "href": ""}]}, "must not be empty"),
        ({"time_to_detect": {"seconds": 1, "approx": "x"}}, "must be true or false, not 'x'"),
        ({"id": "x" * 101}, "must have at most 100 characters, not '" + "x" * 59 + "…'"),
    ],
    ids=lambda v: str(v)[:40],
)  # fmt: skip
def test_a_wrong_value_is_told_in_the_words_of_json(change: dict[str, Any], message: str) -> None:
    assert only_problem(indented(**change)).message == message


@QUICK
@given(JSON)
def test_no_value_brings_up_python(value: Any) -> None:
    for field in Case.model_fields:
        for item in parse_case(json.dumps({**case_data("X-1"), field: value}), "x.json"):
            if isinstance(item, Problem):
                shown = item.message.split(", not ")[0]
                assert not JARGON.search(re.sub("'[^']*'", "", shown)), item.message
                assert item.remedy


def test_every_pattern_of_the_models_is_told_in_words() -> None:
    schemas = [json.dumps(m.model_json_schema()) for m in (Case, Scheme)]
    found = {json.loads(p) for s in schemas for p in re.findall(r'"pattern": ("[^"]*")', s)}
    assert IRI_PATTERN in found  # told by a rule of its own, as the test of matches shows
    assert found - {IRI_PATTERN} <= set(_SHAPES)


@pytest.mark.parametrize(
    ("text", "line", "message", "remedy"),
    [
        ('{"id": "NaN",\n "x": NaN}', 2, "NaN is not a JSON number", "Write a number, or null"),
        ('{"id": "-Infinity",\n\n "x": -Infinity}', 3, "-Infinity is not a JSON number", "Write"),
        ('{"id": "X-1",\n "x": ' + "9" * 5000 + "}", 2, "5000 digits is too long", "shorter"),
        ('{"id": ' + "[" * 99_999, 1, "too deep inside one another", "Make it flatter"),
    ],
    ids=["nan", "infinity", "digits", "depth"],
)
def test_json_that_we_do_not_take(text: str, line: int, message: str, remedy: str) -> None:
    problem = only_problem(text)
    assert problem.line == line
    assert problem.message.startswith("not valid JSON: ")
    assert message in problem.message
    assert remedy in problem.remedy
    assert not JARGON.search(problem.message)


def test_tokens_within_text_are_no_tokens() -> None:
    assert [m.group() for m in _TOKEN.finditer(r'"a\"NaN" NaN')] == [r'"a\"NaN"', "NaN"]


@pytest.mark.parametrize("value", [None, True, 1, 1.5, "x", [], {}])
def test_each_value_has_a_kind(value: Any) -> None:
    assert not JARGON.search(kind_of(value))


def test_a_bad_term_is_one_problem_and_not_a_short_list_as_well() -> None:
    data = case_data("X-1", ("cause", "cause:race"))
    data["claims"][0]["terms"] = ["no id"]
    problem = only_problem(json.dumps(data))
    assert problem.field == "claims.0.terms.0"
    assert problem.message.startswith("must be a scheme and a name")


def test_a_list_that_is_empty_is_told() -> None:
    data = case_data("X-1", ("cause", "cause:race"))
    data["claims"][0]["terms"] = []
    problem = only_problem(json.dumps(data))
    assert (problem.field, problem.message) == ("claims.0.terms", "must not be an empty list")


@pytest.mark.parametrize("field", ["title", "summary"])
@pytest.mark.parametrize("value", [[], {}, {"en": []}, {"en": [], "ko": []}])
def test_a_case_without_a_name_is_one_problem(field: str, value: Any) -> None:
    data = case_data("X-1", ("component", "component:nccl"))
    problem = only_problem(json.dumps({**data, field: value}, indent=1))
    assert (problem.field, problem.line > 1) == (field, True)
    assert problem.message == f"every case has a {field}, it cannot be none"
    assert problem.remedy == "Write at least a line"


@pytest.mark.parametrize(
    ("statement", "message", "remedy"),
    [
        ("total = 2 + 3", "'total = 2 + 3': the right side is 5, but total is 4", "Correct"),
        ("total = 1 / 0", "'total = 1 / 0': the right side divides by zero", "divisor"),
        ("total = missing", "there is no figure 'missing' with a value", "Add it to figures"),
        ("total = 2 +", "the right side cannot be read", "Write only figures"),
        ("total = f(2)", "only figures, numbers and + - * / are allowed", "Write the right"),
        ("2 = 2", "the left side must be the id of a figure", "Write it like"),
        ("total = 1\n+ 2", "'total = 1\\n+ 2': ", ""),
        ("total = 1" + " + 1" * 900, "…': the right side is 901, but total is 4", "Correct"),
    ],
)
def test_arithmetic_is_told_at_its_statement(statement: str, message: str, remedy: str) -> None:
    data = {**case_data("X-1"), "figures": [FIGURE], "arithmetic": ["total = 4", statement]}
    text = json.dumps(data, indent=2)
    problem = only_problem(text)
    assert problem.field == "arithmetic.1"
    assert problem.line == line_of(text, json.dumps(statement))
    assert message in problem.message
    assert remedy in problem.remedy
    assert len(problem.message) < 200


def faulty() -> dict[str, Any]:
    """A case with one fault of each kind that our own rules find between fields."""
    data = case_data("X-1", ("cause", "cause:race"), ("symptom", "symptom:slow"))
    first, second = data["claims"]
    first["role"] = "owner"
    first["figures"] = ["gone"]
    second["terms"] = ["symptom:slow", "symptom:slow"]
    second["evidence"][0]["quote"] = "never; said"
    second["evidence"][1]["field"] = "domain"
    data["dates"] = [{"kind": "started", "at": "2022"}, {"kind": "ended", "at": "2021"}]
    data["figures"] = [FIGURE, FIGURE]
    data["related"] = ["X-1", "Y-1", "Y-1"]
    return data


def test_each_fault_has_a_remedy_of_its_own() -> None:
    told = {p.field: (p.message, p.remedy) for p in problems_of(json.dumps(faulty()))}
    remedies = {field: remedy for field, (_, remedy) in told.items()}
    assert remedies == {
        "claims.0.role": "Give one of primary, secondary",
        "claims.0.figures": "Add it to figures",
        "claims.1.terms": "Keep one",
        "claims.1.evidence.0": "Copy it exactly from the text of the case",
        "claims.1.evidence.1": remedies["claims.1.evidence.1"],
        "dates": "Correct one of the two",
        "figures": "Give each its own",
        "related": remedies["related"],
    }
    assert remedies["claims.1.evidence.1"].startswith("Use one of title, summary, ")
    assert "never; said" in told["claims.1.evidence.0"][0]
    assert not any("(" in m and "'," in m for m, _ in told.values())


@pytest.mark.parametrize(
    ("change", "field", "remedy"),
    [
        ({"dates": [{"kind": "started", "at": "soon"}]}, "dates.0", "Write it like 2022, 2022-03"),
        ({"dates": [{"kind": "started", "at": "2022-02-30"}]}, "dates.0", "Check month, day and"),
        ({"dates": [{"kind": "started", "at": "2022-02-03T25:00Z"}]}, "dates.0", "Check month"),
        ({"figures": [{**FIGURE, "min": 1}]}, "figures.0", "Give value, or min or max or both"),
        ({"figures": [{**FIGURE, "value": None, "min": 2, "max": 1}]}, "figures.0", "Swap them"),
        ({"lesson": {"en": ["a"], "ko": ["ㄱ", "ㄴ"]}}, "lesson", "Split or join paragraphs"),
        ({"lesson": {"en": ["a\n\nb"]}}, "lesson", "Split it"),
        ({"figures": [{**FIGURE, "label": {}}]}, "figures.0.label", 'Write it like {"en": "…"}'),
    ],
    ids=lambda v: str(v)[:30],
)
def test_a_bad_record_has_a_remedy_of_its_own(
    change: dict[str, Any], field: str, remedy: str
) -> None:
    problem = only_problem(indented(**change))
    assert problem.field == field
    assert problem.remedy.startswith(remedy)
    assert not JARGON.search(problem.message)


def test_a_key_cannot_break_a_line() -> None:
    problem = only_problem(indented(**{"a\n\u2028b": 1}))
    assert problem.field == "a\\n\\u2028b"
    assert "\n" not in str(problem)
