"""Each word of the command gives text for people and JSON for programs, from the same answer."""

from __future__ import annotations

import pytest

from kg.library import Library
from kg.queries import plain
from tests.cli.conftest import Run

CASES = {
    "search": ["NCCL timeout"],
    "similar": ["IL-0480"],
    "explain": ["IL-0480", "IL-0428"],
    "causes": ["IL-0023", "IL-0025"],
    "show": ["IL-0417"],
    "list": [],
    "vocab": ["cause"],
    "topic": ["cause:dependency-failure"],
    "sql": ["SELECT case_id FROM cases"],
    "graph": [],
}


@pytest.mark.parametrize("word", CASES)
def test_text_and_json_are_given_and_end_with_zero(ask: Run, word: str) -> None:
    text, data = ask(word, *CASES[word]), ask(word, *CASES[word], "--json")
    assert (text.code, data.code) == (0, 0), text.err + data.err
    assert text.out.strip()
    assert data.json
    assert text.err == data.err == ""


def test_search_json_is_what_python_gives(ask: Run, quick: Library) -> None:
    answer = ask("search", "NCCL timeout", "-k", "3", "--json").json
    assert answer == plain(quick.search("NCCL timeout", k=3))
    assert {"id", "score", "parts", "passages", "shared", "same_cause"} <= set(answer["items"][0])


def test_similar_json_never_holds_the_case_itself(ask: Run) -> None:
    ids = [hit["id"] for hit in ask("similar", "IL-0480", "-k", "50", "--json").json["items"]]
    assert len(ids) == 7
    assert "IL-0480" not in ids


def test_explain_json_names_the_verdict_and_both_sides(ask: Run) -> None:
    answer = ask("explain", "IL-0417", "IL-0025", "--json").json
    assert answer["same_cause"] == "yes"
    first = answer["shared"][0]
    assert first["kind"] == "cause"
    assert first["left"][0]["case_id"] == "IL-0417"
    assert first["right"][0]["case_id"] == "IL-0025"
    assert first["left"][0]["evidence"][0]["quote"]


def test_explain_speaks_korean(ask: Run) -> None:
    assert (
        "원인이 같은지는 알 수 없습니다" in ask("explain", "IL-0480", "IL-0428", "--lang", "ko").out
    )


def test_list_json_is_an_array_of_cards(ask: Run) -> None:
    cards = ask("list", "--json").json
    assert isinstance(cards, list)
    assert len(cards) == 8
    assert all(len(card["fields"]) == 9 for card in cards)


def test_list_json_page_tells_the_range(ask: Run) -> None:
    page = ask("list", "--json", "--page", "--limit", "3", "--offset", "6").json
    assert (page["total"], page["start"], page["end"]) == (8, 7, 8)
    assert page["query"] is None


def test_list_groups_by_root_cause(ask: Run) -> None:
    groups = ask(
        "list", "--symptom", "training-job-failure", "--before", "2026-08-06", "--groups", "--json"
    ).json
    assert [(g["cause"], g["count"]) for g in groups] == [
        ("cause:dependency-failure", 3),
        ("cause:hardware-failure", 2),
    ]


def test_a_facet_may_be_given_twice_and_in_korean(ask: Run) -> None:
    cards = ask("list", "--symptom", "학습 작업 실패", "--component", "nccl", "--json").json
    both = ask("list", "--component", "NCCL", "--component", "PyTorch", "--json").json
    assert {"IL-0480", "IL-0023"} <= {c["id"] for c in cards}
    assert {c["id"] for c in both} < {c["id"] for c in ask("list", "--json").json}


def test_sql_takes_values_as_parameters(ask: Run) -> None:
    rows = ask("sql", "SELECT title FROM cases WHERE case_id = ?", "x' OR '1'='1", "--json")
    assert rows.code == 1
    assert rows.json == []


def test_show_says_what_is_not_stated(ask: Run) -> None:
    text = ask("show", "IL-0480").out
    assert "time to recover: not stated" in text
    assert "time to detect: 10800 s" in text
    assert "RULED" not in text
    assert "ruled_out" in text
