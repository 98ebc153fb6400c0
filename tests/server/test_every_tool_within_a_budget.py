"""Every tool, whatever the budget: a part of the whole, counted, never emptied or changed."""

from __future__ import annotations

from typing import Any

import pytest

from kg.server.holder import Holder
from kg.server.mcp.budget import LEAST, Json, written
from kg.server.mcp.tools import tools
from tests.helpers.parts import part_of

BUDGETS = (LEAST, 4_500)
WHOLE = 400_000
LONG = "NCCL watchdog timeout, ranks hang, power dropped to 190 W\n" * 60

ASKED: list[tuple[str, dict[str, Any]]] = [
    ("search_incidents", {"text": "NCCL timeout 으로 학습이 죽음", "k": 8, "threshold": 0.0}),
    ("search_incidents", {"text": LONG, "lane": "words", "k": 8}),
    ("search_incidents", {"text": "NCCL", "symptom": ["training-job-failure"], "lane": "words"}),
    ("list_incidents", {"limit": 8, "values": 30}),
    ("list_incidents", {"limit": 8, "symptom": ["training-job-failure"], "lang": "ko"}),
    ("get_topic", {"term": "component:pytorch"}),
    ("get_topic", {"term": "cause:hardware-failure", "lang": "ko"}),
    ("vocab", {"scheme": "cause", "detail": True}),
    ("similar_incidents", {"id": "IL-0480", "k": 7}),
    ("explain_incidents", {"a": "IL-0023", "b": "IL-0127"}),
]
NAMES = [f"{n} {name}" for n, (name, _) in enumerate(ASKED)]
SET_RIGHT = ("to", "next", "next_offset")
"""What a result says of itself, and says anew of what is given."""

Answers = dict[tuple[int, int], Json]


@pytest.fixture(scope="module")
def answers(held: Holder) -> Answers:
    offered, found = tools(more=True), {}
    with held.use() as served:
        for n, (name, asked) in enumerate(ASKED):
            for budget in (*BUDGETS, WHOLE):
                given = offered[name].asked({**asked, "budget": budget})
                found[n, budget] = offered[name].answer(served, given, "en")
    return found


@pytest.fixture(params=range(len(ASKED)), ids=NAMES)
def number(request: pytest.FixtureRequest) -> int:
    """The number of a question."""
    value: int = request.param
    return value


@pytest.mark.parametrize("budget", BUDGETS)
def test_it_keeps_within_the_budget_and_says_when_something_is_missing(
    answers: Answers, number: int, budget: int
) -> None:
    answer, whole = answers[number, budget], answers[number, WHOLE]
    assert len(written(answer)) <= budget
    assert whole["truncated"] is None
    if answer["result"] != whole["result"]:
        told = answer["truncated"]
        assert told["budget"] == budget
        settled = len(written({k: whole["result"].get(k) for k in SET_RIGHT}))
        assert abs(told["full_size"] - len(written(whole["result"]))) <= settled
        assert told["left_out"]
        assert all(count > 0 for count in told["left_out"].values())
    else:
        assert answer["truncated"] is None


@pytest.mark.parametrize("budget", BUDGETS)
def test_nothing_is_changed_emptied_or_put_in_another_order(
    answers: Answers, number: int, budget: int
) -> None:
    cut, whole = answers[number, budget]["result"], answers[number, WHOLE]["result"]
    own = {k: v for k, v in cut.items() if k not in SET_RIGHT}
    assert part_of(own, whole)


@pytest.mark.parametrize("budget", BUDGETS)
def test_whoever_is_named_stays_named(answers: Answers, number: int, budget: int) -> None:
    """An answer without the id of what it is about would be of no use."""
    cut, whole = answers[number, budget]["result"], answers[number, WHOLE]["result"]
    for key in ("id", "a", "b", "lang", "same_cause", "total", "version", "message"):
        if key in whole:
            assert cut[key] == whole[key]
    for key in ("items", "schemes"):
        if whole.get(key):
            assert cut[key]
            assert [i.get("id") for i in cut[key]] == [i.get("id") for i in whole[key]][
                : len(cut[key])
            ]


def test_a_topic_keeps_cases_and_what_comes_with_them(answers: Answers) -> None:
    for n, (name, _) in enumerate(ASKED):
        if name == "get_topic":
            for budget in BUDGETS:
                told = answers[n, budget]["result"]
                assert told["members"], budget
                assert all(m["id"] and m["status"] and m["title"] for m in told["members"])
                assert told["definition"]
            assert answers[n, 4_500]["result"]["together"]


def test_a_larger_budget_never_gives_fewer_items(answers: Answers, number: int) -> None:
    """Of a list a page may: where one card fits whole, it goes before the names of more."""
    if ASKED[number][0] == "list_incidents":
        return
    counts = []
    for budget in (*BUDGETS, WHOLE):
        told = answers[number, budget]["result"]
        counts.append(len(told.get("items") or told.get("members") or told.get("paths") or ()))
    assert counts == sorted(counts)


@pytest.mark.parametrize("budget", BUDGETS)
def test_the_rest_is_counted(answers: Answers, number: int, budget: int) -> None:
    cut, whole = answers[number, budget], answers[number, WHOLE]["result"]
    gone = (cut["truncated"] or {"left_out": {}})["left_out"]
    for key in ("items", "members", "paths", "shared", "claims"):
        if isinstance(whole.get(key), list):
            missing = len(whole[key]) - len(cut["result"].get(key, ()))
            assert gone.get(key, 0) == missing, key


@pytest.mark.parametrize("budget", BUDGETS)
def test_status_goes_with_every_statement(answers: Answers, number: int, budget: int) -> None:
    """However little room there is, a suspicion never looks like a fact."""

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            if "claim_id" in value or ("terms" in value and "evidence" in value):
                assert value.get("status") in ("confirmed", "suspected", "ruled_out"), value
            for below in value.values():
                walk(below)
        elif isinstance(value, list):
            for below in value:
                walk(below)

    walk(answers[number, budget]["result"])
