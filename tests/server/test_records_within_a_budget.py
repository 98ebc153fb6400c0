"""A record that must be short keeps what happened, why, and what was done; the rest is counted."""

from __future__ import annotations

from typing import Any

import pytest

from kg.server.holder import Holder
from kg.server.mcp.budget import Json, fitted, size_of, written
from kg.server.mcp.tools import tools
from tests.helpers.parts import part_of

BUDGETS = (2_000, 4_000)
CASES = ("IL-0023", "IL-0417", "IL-0480")
WHOLE = 400_000

Asked = dict[tuple[str, str, int], Json]


@pytest.fixture(scope="module")
def asked(held: Holder) -> Asked:
    """Records by id, language and budget."""
    tool, found = tools(more=False)["get_incident"], {}
    with held.use() as served:
        for case_id in CASES:
            for lang in ("en", "ko"):
                for budget in (*BUDGETS, WHOLE):
                    given = tool.asked({"id": case_id, "lang": lang, "budget": budget})
                    found[case_id, lang, budget] = tool.answer(served, given, "en")
    return found


def claims(answer: Json, kind: str, status: str = "confirmed") -> list[Json]:
    found = answer["result"].get("claims", ())
    return [c for c in found if c["kind"] == kind and c["status"] == status]


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("case_id", CASES)
def test_it_keeps_within_its_budget_uses_it_and_is_a_part_of_the_whole(
    asked: Asked, case_id: str, budget: int
) -> None:
    for lang in ("en", "ko"):
        whole, cut = asked[case_id, lang, WHOLE], asked[case_id, lang, budget]
        assert len(written(cut)) <= budget
        assert part_of(cut["result"], whole["result"])
        assert cut["truncated"] is None or len(written(cut)) > 0.85 * budget


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("case_id", CASES)
def test_the_root_cause_stays_longest(asked: Asked, case_id: str, budget: int) -> None:
    """A cause that was only ruled out is never what is left of the causes."""
    for lang in ("en", "ko"):
        whole, cut = asked[case_id, lang, WHOLE], asked[case_id, lang, budget]
        first = claims(whole, "cause")[:1]
        given = claims(cut, "cause")
        assert [c["terms"] for c in given[:1]] == [c["terms"] for c in first]
        if claims(cut, "cause", "ruled_out"):
            assert len(given) == len(claims(whole, "cause"))


@pytest.mark.parametrize("case_id", CASES)
def test_cause_fix_and_summary_are_there_before_anything_else(asked: Asked, case_id: str) -> None:
    for lang in ("en", "ko"):
        whole, cut = asked[case_id, lang, WHOLE]["result"], asked[case_id, lang, 4_000]
        assert bool(claims(cut, "mitigation")) is bool(
            [c for c in whole["claims"] if c["kind"] == "mitigation"]
        )
        assert lang in cut["result"]["summary"]
        others = {c["kind"] for c in cut["result"]["claims"]} - {"cause", "mitigation", "trigger"}
        assert not others or cut["result"]["summary"][lang] == whole["summary"][lang]


@pytest.mark.parametrize("case_id", CASES)
def test_the_language_that_was_asked_for_stays(asked: Asked, case_id: str) -> None:
    for lang, other in (("en", "ko"), ("ko", "en")):
        told = asked[case_id, lang, 2_000]["result"]
        for claim in told["claims"]:
            assert lang in claim["statement"]
            places = [e["lang"] for e in claim.get("evidence", ())]
            assert other not in places or places.count(lang) >= places.count(other)
        for field in ("title", "summary", "trigger", "symptom"):
            assert lang in (told.get(field) or {lang: ""})


@pytest.mark.parametrize("budget", BUDGETS)
def test_what_is_left_out_is_counted_item_by_item(asked: Asked, budget: int) -> None:
    for case_id in CASES:
        whole, cut = asked[case_id, "en", WHOLE]["result"], asked[case_id, "en", budget]
        gone = (cut["truncated"] or {"left_out": {}})["left_out"]
        missing = len(whole["claims"]) - len(cut["result"].get("claims", ()))
        assert gone.get("claims", 0) == missing
        for field in ("figures", "sources"):
            assert gone.get(field, 0) == len(whole[field] or ()) - len(
                cut["result"].get(field) or ()
            )
        kept = {
            n: c for n, c in enumerate(whole["claims"]) if _alike(c, cut["result"].get("claims"))
        }
        places = sum(len(c["evidence"]) for c in kept.values())
        told = sum(len(c.get("evidence", ())) for c in cut["result"].get("claims", ()))
        assert gone.get("claims.*.evidence", 0) == places - told


def _alike(claim: Json, given: Any) -> bool:
    return any(part_of(c, claim) for c in given or ())


def test_entries_of_a_kind_are_taken_from_a_list_that_holds_others() -> None:
    entries = [
        {"kind": "cause", "status": "ruled_out", "n": 1},
        {"kind": "cause", "status": "confirmed", "n": 2},
        {"kind": "check", "status": "confirmed", "n": 3},
        {"kind": "cause", "status": "ruled_out", "n": 4},
    ]

    def left(shelves: list[str], budget: int) -> list[int]:
        answer = fitted(lambda r, t: {"t": t, "r": r}, {"claims": entries}, shelves, budget)
        assert size_of(answer) <= budget
        return [entry["n"] for entry in answer["r"]["claims"]]

    shelves = ["claims[check]", "claims[cause ruled_out]", "claims[cause]"]
    full = size_of({"t": None, "r": {"claims": entries}})
    assert left(shelves, full) == [1, 2, 3, 4]
    padded = [{**e, "pad": "x" * 300} for e in entries]
    entries = padded
    full = size_of({"t": None, "r": {"claims": entries}})
    assert left(shelves, full - 1) == [1, 2, 4]
    assert left(shelves, full - 400) == [1, 2]
    assert left(shelves, full - 700) == [2]


def test_texts_of_another_language_go_first_and_order_stays() -> None:
    result = {
        "prose": {"en": "x" * 400, "ko": "가" * 400},
        "evidence": [{"lang": lang, "quote": lang * 150} for lang in ("en", "ko", "en", "ko")],
        "statement": [["en", "e" * 300], ["ko", "k" * 300]],
        "of": {"en": 1, "zxx": 2},
    }
    shelves = ["prose>1", "evidence>2", "statement>1"]
    answer = fitted(lambda r, t: {"t": t, "r": r}, result, shelves, 2_700, "ko")
    assert size_of(answer) <= 2_700
    assert answer["t"]["left_out"] == {"prose": 1}
    cut = fitted(lambda r, t: {"t": t, "r": r}, result, shelves, 1_700, "ko")["r"]
    assert list(cut["prose"]) == ["ko"]
    assert [e["lang"] for e in cut["evidence"]] == ["ko", "ko"]
    assert [lang for lang, _ in cut["statement"]] == ["ko"]
    assert cut["of"] == {"en": 1, "zxx": 2}


def test_numbers_and_signs_are_taken_whole_and_never_turn_to_null() -> None:
    result = {"n": 0, "told": "", "no": False, "long": "x" * 500, "list": [], "none": None}
    shelves = ["n", "told", "no", "list", "none", "long"]
    answer = fitted(lambda r, t: {"t": t, "r": r}, result, shelves, 300)
    kept = answer["r"]
    assert "long" not in kept
    assert all(kept[name] == result[name] for name in kept)
    assert kept["list"] == []
    assert kept["none"] is None
    assert "list" not in answer["t"]["left_out"]
