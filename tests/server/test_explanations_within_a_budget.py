"""An explanation that must be short keeps the verdict and the strongest path with its evidence."""

from __future__ import annotations

import pytest

from kg.server.holder import Holder
from kg.server.mcp.budget import Json, written
from kg.server.mcp.tools import tools
from tests.helpers.parts import part_of

BUDGETS = (2_000, 3_000, 12_000)
WHOLE = 400_000
TEXT = "학습이 NCCL 타임아웃으로 죽고 InfiniBand 포트가 끊겼다. "
PAIRS = (
    {"a": "IL-0480", "b": "IL-0428", "lang": "en"},
    {"a": "IL-0480", "b": "IL-0023", "lang": "ko"},
    {"a": TEXT * 20, "b": "IL-0023", "lang": "ko"},
)
NAMES = [f"{p['a'][:7]} {p['b']}" for p in PAIRS]

Asked = dict[tuple[int, int], Json]


@pytest.fixture(scope="module")
def asked(held: Holder) -> Asked:
    """Explanations by number of the pair and budget."""
    tool, found = tools(more=True)["explain_incidents"], {}
    with held.use() as served:
        for n, pair in enumerate(PAIRS):
            for budget in (*BUDGETS, WHOLE):
                given = tool.asked({**pair, "budget": budget})
                found[n, budget] = tool.answer(served, given, "en")
    return found


@pytest.fixture(params=range(len(PAIRS)), ids=NAMES)
def pair(request: pytest.FixtureRequest) -> int:
    """The number of a pair."""
    number: int = request.param
    return number


@pytest.mark.parametrize("budget", BUDGETS)
def test_it_keeps_within_its_budget_and_is_a_part_of_the_whole(
    asked: Asked, pair: int, budget: int
) -> None:
    whole, cut = asked[pair, WHOLE]["result"], asked[pair, budget]
    assert len(written(cut)) <= budget
    assert part_of(cut["result"], whole)
    for name in ("a", "b", "lang", "same_cause"):
        assert cut["result"][name] == whole[name]


@pytest.mark.parametrize("budget", BUDGETS)
def test_the_strongest_path_stays_with_a_quotation_of_each_side(
    asked: Asked, pair: int, budget: int
) -> None:
    whole, cut = asked[pair, WHOLE]["result"]["paths"], asked[pair, budget]["result"]["paths"]
    assert cut[0]["nodes"] == whole[0]["nodes"]
    assert [s["target"] for s in cut[0]["steps"]] == [s["target"] for s in whole[0]["steps"]]
    lang = PAIRS[pair]["lang"]
    for mine, theirs in zip(cut[0]["steps"], whole[0]["steps"], strict=True):
        assert mine["status"] == theirs["status"]
        assert mine["sayings"]
        for said, full in zip(mine["sayings"], theirs["sayings"], strict=False):
            assert (said["case_id"], said["status"]) == (full["case_id"], full["status"])
            langs = {e["lang"] for e in full["evidence"]}
            assert not langs or {e["lang"] for e in said["evidence"]} & ({lang} & langs or langs)


@pytest.mark.parametrize("budget", BUDGETS)
def test_paths_and_terms_are_left_out_one_by_one_weakest_first(
    asked: Asked, pair: int, budget: int
) -> None:
    whole, cut = asked[pair, WHOLE]["result"], asked[pair, budget]
    gone = (cut["truncated"] or {"left_out": {}})["left_out"]
    for name, key in (("paths", "nodes"), ("shared", "term")):
        given = [item[key] for item in cut["result"].get(name, ())]
        assert given == [item[key] for item in whole[name]][: len(given)]
        assert gone.get(name, 0) == len(whole[name]) - len(given)
    if gone.get("paths"):
        assert f"there are {gone['paths']} more paths" in cut["truncated"]["how"]


def test_the_paragraph_is_there_as_soon_as_there_is_room(asked: Asked, pair: int) -> None:
    for budget in BUDGETS[1:]:
        assert asked[pair, budget]["result"]["text"] == asked[pair, WHOLE]["result"]["text"]


def test_what_a_larger_budget_holds_is_never_less(asked: Asked, pair: int) -> None:
    counts = [len(asked[pair, b]["result"]["paths"]) for b in (*BUDGETS, WHOLE)]
    assert counts == sorted(counts)
    assert counts[-1] > 1


def test_what_was_asked_is_not_said_again_within_a_small_budget(asked: Asked) -> None:
    told = asked[2, 2_000]
    assert "query" not in told["result"]
    assert told["truncated"]["left_out"]["query"] == 1
    assert told["result"]["a"] == "(text)"
