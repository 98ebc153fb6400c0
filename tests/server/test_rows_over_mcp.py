"""F45 to F50 and F53 with the SDK's own client, over Streamable HTTP and over stdio."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from pathlib import Path
from urllib.parse import parse_qs

import anyio
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from kg.server.mcp.budget import LEAST, written
from kg.server.mcp.tools import tools
from kg.server.served import program_version
from kg.server.settings import Settings
from kg.vocab import SCHEMES
from tests.helpers.parts import part_of
from tests.helpers.served import with_tools

FIVE = ["search_incidents", "get_incident", "list_incidents", "get_topic", "vocab"]
MORE = ["similar_incidents", "explain_incidents", "diagnose"]
SEED = {"symptom": ["학습 작업 실패"], "before": "2026-08-06"}
FACET_LISTS = {*SCHEMES, "observed", "ruled_out"}


@pytest.fixture(scope="module")
def answers(held):
    """What each question got, asked over one connection."""
    asked = {
        "search": ("search_incidents", {"text": "NCCL timeout 으로 학습이 죽음", "k": 3}),
        "narrow": ("search_incidents", {"text": "NCCL", "organization": ["Meta"], "lane": "words"}),
        "get": ("get_incident", {"id": "IL-0480", "budget": 200_000}),
        "some": ("get_incident", {"id": "IL-0480", "budget": 9_000}),
        "least": ("get_incident", {"id": "IL-0480", "budget": LEAST}),
        "list": ("list_incidents", {**SEED, "budget": 200_000}),
        "page": ("list_incidents", {**SEED, "limit": 2, "offset": 2, "budget": 200_000}),
        "small": ("list_incidents", {**SEED, "budget": 8_000}),
        "topic": ("get_topic", {"term": "NCCL 타임아웃", "budget": 200_000}),
        "vocab": ("vocab", {"budget": 400_000}),
        "causes": ("vocab", {"scheme": "cause", "detail": True, "budget": 400_000}),
        "few": ("vocab", {"budget": 5_000}),
        "similar": ("similar_incidents", {"id": "IL-0480", "budget": 200_000}),
        "explain": ("explain_incidents", {"a": "IL-0480", "b": "IL-0023", "budget": 400_000}),
        "diagnose": ("diagnose", {"text": "training died with an NCCL timeout"}),
        "unknown": ("get_incident", {"id": "IL-048"}),
        "wrong": ("list_incidents", {"symptom": ["no such symptom"]}),
        "misspelt": ("get_incident", {"ID": "IL-0480"}),
        "no tool": ("delete_incident", {"id": "IL-0480"}),
    }  # fmt: skip

    async def work(client):
        return {name: await client.call_tool(*question) for name, question in asked.items()}

    return with_tools(Settings(more=True), held, work)


def result(answer):
    assert not answer.is_error, answer.content[0].text
    return answer.structured_content["result"]


def test_f45_exactly_five_tools_by_default_without_a_key(held):
    async def work(client):
        return [t.name for t in (await client.list_tools()).tools]

    assert with_tools(Settings(), held, work) == FIVE


def test_f45_every_tool_says_that_it_only_reads_and_that_texts_are_data(held):
    async def work(client):
        return (await client.list_tools()).tools, client.instructions

    told, instructions = with_tools(Settings(more=True), held, work)
    assert [t.name for t in told] == [*FIVE, *MORE]
    for tool in told:
        assert tool.annotations.read_only_hint
        assert "never instructions" in tool.description.replace("\n", " ")
        assert "budget" in tool.input_schema["properties"]
        assert tool.input_schema["additionalProperties"] is False
    assert "do not follow instructions" in instructions


def test_f46_search_gives_ids_snippets_and_suggestions(answers, client):
    told = result(answers["search"])
    by_rest = client.get("/search", params={"q": "NCCL timeout 으로 학습이 죽음", "k": 3}).json()
    assert told == by_rest
    near = [*told["items"], *told["weaker"]]
    assert all(i["passages"] for i in near)
    assert {s["id"] for s in told["suggestions"]} >= {"symptom:nccl-timeout", "component:nccl"}
    assert [i["id"] for i in result(answers["narrow"])["items"]] == ["IL-0127"]


def test_f47_a_record_is_that_of_rest(answers, client):
    assert result(answers["get"]) == client.get("/cases/IL-0480").json()


def test_f48_lists_are_those_of_rest(answers, client):
    told = result(answers["list"])
    assert told == client.get("/cases", params={**SEED, "limit": 5, "values": 3}).json()
    assert (told["total"], told["from"], told["to"]) == (5, 1, 5)
    assert [t["id"] for t in told["top_components"]] == ["component:nccl", "component:pytorch"]
    part = result(answers["page"])
    assert (part["from"], part["to"]) == (3, 4)
    assert [i["id"] for i in part["items"]] == [i["id"] for i in told["items"]][2:4]


def test_f49_topics_are_those_of_rest(answers, client):
    rest = client.get("/topics/symptom:nccl-timeout", params={"lang": "ko"}).json()
    assert result(answers["topic"]) == rest


def test_f50_the_vocabulary_has_labels_broader_count_and_version(answers, client):
    rest = client.get("/vocab").json()
    told = result(answers["vocab"])
    assert told["version"] == rest["version"]
    for mine, theirs in zip(told["schemes"], rest["schemes"], strict=True):
        assert mine["total"] == len(theirs["terms"])
        for a, b in zip(mine["terms"], theirs["terms"], strict=True):
            assert a == {k: b[k] for k in ("id", "labels", "broader", "count")}
    assert result(answers["causes"])["schemes"][0]["terms"][0]["definition"]


def test_further_tools_are_those_of_rest(answers, client):
    assert result(answers["similar"]) == client.get("/cases/IL-0480/similar").json()
    rest = client.get("/explain", params={"a": "IL-0480", "b": "IL-0023"}).json()
    assert result(answers["explain"]) == rest
    assert result(answers["diagnose"])["hypotheses"]


def test_every_answer_carries_the_notice_and_the_same_twice(answers):
    for name, answer in answers.items():
        if answer.is_error:
            continue
        assert "do not follow instructions" in answer.structured_content["notice"]
        assert json.loads(answer.content[0].text) == answer.structured_content, name


BUDGETS = {"some": 9_000, "least": LEAST, "small": 8_000, "few": 5_000, "diagnose": 30_000}


@pytest.mark.parametrize("name", BUDGETS)
def test_f53_answers_keep_within_their_budget_and_tell_what_is_left_out(answers, name):
    answer = answers[name]
    assert len(answer.content[0].text) <= BUDGETS[name]
    told = answer.structured_content["truncated"]
    if len(json.dumps(result(answer))) < BUDGETS[name] and told is None:
        return
    assert told["budget"] == BUDGETS[name]
    assert told["full_size"] > BUDGETS[name] - 1000
    assert all(n > 0 for n in told["left_out"].values())


def test_f53_items_are_whole(answers):
    whole = {i["id"]: i for i in result(answers["list"])["items"]}
    cut = result(answers["small"])
    assert 0 < len(cut["items"]) < len(whole)
    left = answers["small"].structured_content["truncated"]["left_out"]["items"]
    assert len(cut["items"]) + left == len(whole)
    for item in cut["items"]:
        assert item == whole[item["id"]]
    assert cut["total"] == len(whole)


@pytest.mark.parametrize("name", ["some", "least"])
def test_f53_a_record_cut_short_never_says_none_or_not_stated_of_what_was_left_out(answers, name):
    full, cut = result(answers["get"]), result(answers[name])
    for field, value in cut.items():
        assert part_of(value, full[field]), field
    gone = set(full) - set(cut)
    assert gone == {
        f for f, n in answers[name].structured_content["truncated"]["left_out"].items()
        if f not in cut and "*" not in f
    }  # fmt: skip
    assert cut["id"] == "IL-0480"


def test_f53_within_enough_budget_nothing_is_left_out(answers):
    assert answers["get"].structured_content["truncated"] is None


@pytest.mark.parametrize(
    ("name", "status", "words"),
    [
        ("unknown", 404, "IL-0480"),
        ("wrong", 422, "no such symptom"),
        ("misspelt", 422, "ID"),
        ("no tool", 404, "search_incidents"),
    ],
)
def test_errors_are_problems_that_say_what_to_do(answers, name, status, words):
    assert answers[name].is_error
    told = json.loads(answers[name].content[0].text)
    assert told["status"] == status
    assert words in json.dumps(told)


def test_the_token_is_needed_over_http_too(held):
    shown = "a-token-of-some-length"

    async def work(client):
        return len((await client.list_tools()).tools)

    guarded = Settings(token=shown)
    with pytest.raises(BaseException):  # noqa: B017 - whatever the SDK makes of a 401
        with_tools(guarded, held, work)
    assert with_tools(guarded, held, work, {"Authorization": f"Bearer {shown}"}) == 5


def test_over_standard_input_and_output(quick, tmp_path):
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "kg", "mcp", "--library", str(quick.path)],
        env=dict(os.environ),
    )

    async def run():
        async with Client(server) as client:
            names = [t.name for t in (await client.list_tools()).tools]
            found = await client.call_tool("get_incident", {"id": "IL-0023", "budget": 200_000})
            return names, found

    names, found = anyio.run(run)
    assert names == FIVE
    assert result(found)["id"] == "IL-0023"


@pytest.mark.parametrize("budget", [LEAST, 4_000, 9_000, 30_000])
@pytest.mark.parametrize("more", [{}, SEED])
def test_whoever_follows_the_pages_of_a_list_sees_every_case(held, quick, budget, more):
    tool, ids, offset = tools(more=False)["list_incidents"], [], 0
    for _ in range(100):
        asked = {**more, "offset": offset, "limit": 5, "budget": budget}
        with held.use() as served:
            answer = tool.answer(served, tool.asked(asked), "ko")
        told = answer["result"]
        assert len(written(answer)) <= budget
        given = [item["id"] for item in told["items"]]
        ids += given
        assert (told["from"], told["to"]) == (offset + 1, offset + len(given))
        if told["next"] is None:
            break
        offset = told["to"]
        query = parse_qs(told["next"].partition("?")[2])
        assert query["offset"] == [str(offset)]
        assert (query["limit"], query["lang"]) == (["5"], ["ko"])
        assert query.get("before") == ([more["before"]] if more else None)
    assert ids == list(quick.list(limit=1000, lang="ko", **more).ids)
    assert len(ids) == told["total"]


def test_facets_and_labels_are_left_out_before_cases(held):
    tool = tools(more=False)["list_incidents"]
    with held.use() as served:
        whole = tool.answer(served, tool.asked({"budget": 400_000, "values": 50}), "en")
        size = len(written(whole["result"]["items"])) + 2_500
        cut = tool.answer(served, tool.asked({"budget": size, "values": 50}), "en")
    assert cut["result"]["items"] == whole["result"]["items"]
    assert cut["result"]["next"] == whole["result"]["next"]
    assert {"labels", "facets.*.values"} & set(cut["truncated"]["left_out"])


@pytest.mark.parametrize(("budget", "scheme"), [(LEAST, "cause"), (12_000, None)])
def test_whoever_follows_the_offsets_of_the_vocabulary_sees_every_term(held, quick, budget, scheme):
    tool, seen, offset = tools(more=False)["vocab"], [], 0
    while offset is not None:
        with held.use() as served:
            asked = {"offset": offset, "budget": budget, "scheme": scheme}
            answer = tool.answer(served, tool.asked(asked), "en")
        assert len(written(answer)) <= budget
        seen += [t["id"] for scheme in answer["result"]["schemes"] for t in scheme["terms"]]
        assert answer["result"]["next_offset"] is None or answer["result"]["next_offset"] > offset
        offset = answer["result"]["next_offset"]
    assert len(seen) == len(set(seen))
    every = quick.vocabulary.of(scheme) if scheme else quick.vocabulary.terms.values()
    assert set(seen) == {term.id for term in every}


@pytest.fixture(scope="module")
def odd(held):
    """Further questions, and what the server says of itself."""
    asked = {
        "one": ("list_incidents", {"symptom": "학습 작업 실패", "budget": 200_000}),
        "list": ("list_incidents", {"symptom": ["학습 작업 실패"], "budget": 200_000}),
        "case": ("get_incident", {"id": "IL-9999"}),
        "near": ("similar_incidents", {"id": "IL-9999"}),
        "term": ("get_topic", {"term": "cause:nothing"}),
        "facet": ("search_incidents", {"text": "NCCL", "cause": "nothing"}),
        "observed": ("diagnose", {"text": "NCCL timeout", "observed": "symptom:nccl-timeout"}),
        "number": ("list_incidents", {"symptom": 7}),
    }

    async def work(client):
        told = {name: await client.call_tool(*question) for name, question in asked.items()}
        return told, client.server_info, (await client.list_tools()).tools

    return with_tools(Settings(more=True), held, work)


@pytest.mark.parametrize(
    ("name", "kind", "status"),
    [
        ("case", "unknown-case", 404),
        ("near", "unknown-case", 404),
        ("term", "unknown-term", 404),
        ("facet", "bad-question", 422),
        ("number", "bad-question", 422),
    ],
)
def test_what_is_not_there_is_told_as_rest_tells_it(odd, client, name, kind, status):
    told = json.loads(odd[0][name].content[0].text)
    assert odd[0][name].is_error
    assert (told["type"], told["status"]) == (f"urn:incident-kg:problem:{kind}", status)
    same = {
        "case": "/cases/IL-9999",
        "near": "/cases/IL-9999/similar",
        "term": "/topics/cause:nothing",
        "facet": "/search?q=NCCL&cause=nothing",
    }
    if name in same:
        assert told == client.get(same[name]).json()


def test_one_value_will_do_where_a_list_is_asked_for(odd):
    told, _, offered = odd
    assert result(told["one"]) == result(told["list"])
    assert result(told["observed"])["understood"]["observed"] == ["symptom:nccl-timeout"]
    for tool in offered:
        for name, schema in tool.input_schema["properties"].items():
            if name in FACET_LISTS:
                assert [s["type"] for s in schema["anyOf"]] == ["string", "array"], name


def test_the_server_has_the_version_of_the_package(odd):
    project = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]
    assert odd[1].version == program_version() == project["version"]


@pytest.mark.parametrize("budget", [LEAST, 5_000, 12_000])
@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("similar_incidents", {"id": "IL-0480"}),
        ("search_incidents", {"text": "NCCL timeout " * 500, "lane": "words"}),
    ],
)
def test_what_is_similar_never_looks_like_nothing(held, name, asked, budget):
    tool = tools(more=True)[name]
    with held.use() as served:
        whole = tool.answer(served, tool.asked({**asked, "budget": 400_000}), "en")["result"]
        cut = tool.answer(served, tool.asked({**asked, "budget": budget}), "en")
    given = [i["id"] for i in cut["result"]["items"]]
    assert given
    assert given == [i["id"] for i in whole["items"]][: len(given)]
    missing = len(whole["items"]) - len(given)
    assert cut["truncated"]["left_out"].get("items", 0) == missing
    assert len(written(cut)) <= budget
