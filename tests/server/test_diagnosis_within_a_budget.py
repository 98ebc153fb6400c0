"""A diagnosis that must be short keeps what matters, and never reads as if nothing was found."""

from __future__ import annotations

import pytest

from kg.server.mcp.budget import fitted, size_of, written
from kg.server.mcp.tools import tools

BUDGETS = (2_000, 4_000, 8_000, 16_000, 30_000)
TEXTS = (
    "training died with an NCCL timeout, one InfiniBand port flapped",
    "GPU는 100%인데 전력이 190 W로 떨어졌고 학습이 멈췄다. NCCL 타임아웃",
    "lunch was late and the coffee was cold",
)


@pytest.fixture(scope="module")
def asked(held):
    """The whole diagnosis of each text, and the same within each budget."""
    tool = tools(more=True)["diagnose"]
    found = {}
    with held.use() as served:
        for text in TEXTS:
            for budget in (*BUDGETS, 400_000):
                question = {"text": text, "budget": budget}
                found[text, budget] = tool.answer(served, tool.asked(question), "en")
    return found


@pytest.fixture(params=TEXTS)
def text(request):
    """A text that is diagnosed."""
    return request.param


def causes(answer):
    return [h["cause"] for h in answer["result"].get("hypotheses", ())]


def test_the_texts_are_of_both_sorts(asked):
    assert all(causes(asked[text, 400_000]) for text in TEXTS[:2])
    assert asked[TEXTS[2], 400_000]["result"]["abstention"]


@pytest.mark.parametrize("budget", BUDGETS)
def test_it_keeps_within_its_budget_and_uses_it(asked, text, budget):
    answer = asked[text, budget]
    size = len(written(answer))
    assert size <= budget
    if answer["truncated"]:
        assert size > 0.8 * budget


@pytest.mark.parametrize("budget", BUDGETS)
def test_hypotheses_come_with_probability_and_citation_and_those_left_out_are_told(
    asked, text, budget
):
    whole, cut = asked[text, 400_000], asked[text, budget]
    given = causes(cut)
    assert given == causes(whole)[: len(given)]
    assert bool(given) is bool(causes(whole))
    missing = len(causes(whole)) - len(given)
    if missing:
        assert cut["truncated"]["left_out"]["hypotheses"] == missing
        assert f"there are {missing} more hypotheses" in cut["truncated"]["how"]
    for mine, theirs in zip(
        cut["result"]["hypotheses"], whole["result"]["hypotheses"], strict=False
    ):
        assert mine["probability"] == theirs["probability"]
        if theirs["support"]:
            first = mine["support"][0]["statement"]
            assert first["claim_id"] == theirs["support"][0]["statement"]["claim_id"]
            assert first["status"] == theirs["support"][0]["statement"]["status"]


@pytest.mark.parametrize("budget", BUDGETS)
def test_abstention_and_what_is_not_known_and_the_ids_of_similar_cases_stay(asked, text, budget):
    whole, cut = asked[text, 400_000]["result"], asked[text, budget]["result"]
    assert cut["abstention"] == whole["abstention"]
    assert bool(cut["unknown"]) is bool(whole["unknown"])
    ids = [i["id"] for i in whole["similar"]["items"]]
    given = [i["id"] for i in cut["similar"]["items"]]
    assert given == ids[: len(given)]
    assert bool(given) is bool(ids)


def test_what_says_the_rest_again_goes_first(asked):
    for budget in (8_000, 16_000):
        told = asked[TEXTS[0], budget]
        assert "told" not in told["result"]
        assert causes(told) == causes(asked[TEXTS[0], 400_000])
        assert told["result"]["hypotheses"][0]["support"][0]["statement"]["evidence"]


def test_evidence_that_is_given_is_whole(asked):
    for budget in BUDGETS:
        whole = asked[TEXTS[0], 400_000]["result"]["hypotheses"]
        for mine, theirs in zip(
            asked[TEXTS[0], budget]["result"]["hypotheses"], whole, strict=False
        ):
            for a, b in zip(mine["support"], theirs["support"], strict=False):
                quoted = a["statement"].get("evidence", [])
                assert quoted == b["statement"]["evidence"][: len(quoted)]


def test_what_still_fits_is_put_back():
    result = {"small": "x" * 50, "large": "y" * 900, "items": ["z" * 400, "z" * 400]}
    shelves = ["small", "large", "items>1"]
    answer = fitted(lambda r, t: {"truncated": t, "result": r}, result, shelves, 1_250)
    assert size_of(answer) <= 1_250
    assert answer["result"] == {"small": "x" * 50, "items": ["z" * 400, "z" * 400]}
    assert answer["truncated"]["left_out"] == {"large": 1}
