"""The OpenAPI description: every endpoint has an example that works and an answer that fits it."""

from __future__ import annotations

import re
from typing import get_args

import jsonschema
import pytest

from kg.library.case_lists import CaseLists
from kg.queries import FACETS
from kg.queries.listing import SORTS
from kg.queries.stats import GROUPS
from kg.server.mcp.tools import tools
from kg.server.openapi import EXAMPLES
from kg.server.problems import MEDIA_TYPE, TITLES
from kg.server.rest.parameters import Chosen, Group, Scheme
from kg.vocab import SCHEMES


@pytest.fixture(scope="module")
def described(client):
    return client.get("/openapi.json").json()


def operation(described, name):
    method, path = name.split(" ")
    return described["paths"][path][method.lower()]


def asked(client, name, example):
    method, path = name.split(" ")
    given = dict(example)
    for place in re.findall(r"{(\w+)}", path):
        path = path.replace(f"{{{place}}}", given.pop(place))
    if method == "POST":
        return client.post(path, json=given)
    return client.get(path, params=given)


def schema_of(described, answer, media):
    schema = answer["content"][media]["schema"]
    return {**schema, "components": described["components"]}


def test_every_endpoint_has_an_example_and_no_other_has(described):
    paths = described["paths"]
    assert {f"{m.upper()} {p}" for p, ms in paths.items() for m in ms} == set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_is_in_the_description_and_its_answer_fits(real, described, name):
    told = operation(described, name)
    assert told["summary"]
    assert len(told["description"]) > 30
    if name.startswith("POST"):
        example = told["requestBody"]["content"]["application/json"]["example"]
    else:
        example = {p["name"]: p["example"] for p in told.get("parameters", ()) if "example" in p}
    assert example == EXAMPLES[name]
    answer = asked(real, name, example)
    assert answer.status_code == 200, answer.text
    schema = schema_of(described, told["responses"]["200"], "application/json")
    jsonschema.Draft202012Validator(schema).validate(answer.json())


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_status_that_may_come_is_told(described, name):
    told = operation(described, name)["responses"]
    expected = {"200", "401", "405", "421", "422", "429", "500", "503", "504"}
    expected |= {"408", "413", "415", "403", "400"} if name.startswith("POST") else {"304"}
    assert set(told) >= expected
    for status, answer in told.items():
        if status in ("200", "304"):
            continue
        schema = schema_of(described, answer, MEDIA_TYPE)
        example = answer["content"][MEDIA_TYPE]["example"]
        jsonschema.Draft202012Validator(schema).validate(example)
        assert example["status"] == int(status)


@pytest.mark.parametrize(
    "asked",
    ["/cases/IL-048", "/cases?x=1", "/topics/nope", "/nowhere", "/search", "/cases?cause=link"],
)
def test_problems_fit_their_description(client, described, asked):
    problem = {
        **described["components"]["schemas"]["Problem"],
        "components": described["components"],
    }
    answer = client.get(asked)
    assert answer.status_code >= 400
    jsonschema.Draft202012Validator(problem).validate(answer.json())


def test_kinds_of_problems_have_titles_in_both_languages():
    for status, english, korean in TITLES.values():
        assert 400 <= status < 600
        assert english.isascii()
        assert any("가" <= c <= "힣" for c in korean)


def test_names_that_are_written_down_again_are_those_of_the_library():
    assert tuple(get_args(Scheme)) == SCHEMES
    assert tuple(get_args(Group)) == GROUPS
    assert set(Chosen.model_fields) == set(FACETS)
    assert SORTS == ("recent", "oldest", "id")
    assert hasattr(CaseLists, "list")


def test_nothing_of_another_place_is_loaded(client):
    for path in ("/docs", "/redoc"):
        assert client.get(path).status_code == 404


def test_tools_take_the_facets_of_the_library():
    for name in ("search_incidents", "list_incidents", "similar_incidents"):
        fields = tools(more=True)[name].arguments.model_json_schema()["properties"]
        assert set(fields) >= set(FACETS)
