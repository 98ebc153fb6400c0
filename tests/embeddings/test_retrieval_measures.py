"""Measures against loops that follow the formulas, and against scikit-learn."""

from __future__ import annotations

import hashlib
import math
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embeddings.evaluate import (
    MEASURES,
    bootstrap,
    grades_of,
    measure,
    ndcg,
    paired_difference,
    precision_at_1,
    ranked,
    recall,
    reciprocal_rank,
    relevant,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NAMES = [f"d{n}" for n in range(12)]
RANKINGS = st.permutations(NAMES).flatmap(
    lambda names: st.integers(0, len(names)).map(lambda n: names[:n])
)
# `lost` is judged and never ranked, as where a corpus has lost a document.
GRADES = st.dictionaries(st.sampled_from([*NAMES, "lost"]), st.integers(1, 3), min_size=1)
VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=30)


def slow_ndcg(ranking: Sequence[str], grades: Mapping[str, int], k: int) -> float:
    """Try every document at every rank, one by one."""
    gain = 0.0
    for rank in range(1, min(k, len(ranking)) + 1):
        gain += (2 ** grades.get(ranking[rank - 1], 0) - 1) / math.log2(rank + 1)
    best, left = 0.0, list(grades.values())
    for rank in range(1, k + 1):
        if left:
            best += (2 ** max(left) - 1) / math.log2(rank + 1)
            left.remove(max(left))
    return gain / best


@settings(deadline=None)
@given(RANKINGS, GRADES, st.integers(1, 15))
def test_ndcg_equals_the_slow_one(ranking: list[str], grades: dict[str, int], k: int) -> None:
    assert ndcg(ranking, grades, k) == pytest.approx(slow_ndcg(ranking, grades, k), abs=1e-12)


@settings(deadline=None)
@given(st.permutations(NAMES), GRADES, st.integers(1, 12))
def test_ndcg_equals_that_of_scikit_learn(
    ranking: list[str], grades: dict[str, int], k: int
) -> None:
    from sklearn.metrics import ndcg_score

    grades = {name: grade for name, grade in grades.items() if name != "lost"}
    if grades:
        gains = [[2 ** grades.get(name, 0) - 1 for name in ranking]]
        scores = [[-rank for rank in range(len(ranking))]]
        judge = ndcg_score(gains, scores, k=k, ignore_ties=True)
        assert ndcg(ranking, grades, k) == pytest.approx(judge, abs=1e-12)


def test_ndcg_by_hand() -> None:
    grades = {"a": 3, "b": 1, "c": 2}
    best = 7 / 1 + 3 / math.log2(3) + 1 / 2
    assert ndcg(["a", "c", "b"], grades) == 1
    assert ndcg(["x", "a"], grades) == pytest.approx(7 / math.log2(3) / best)
    assert ndcg(["x", "y", "c", "b"], grades) == pytest.approx((3 / 2 + 1 / math.log2(5)) / best)
    assert ndcg([], grades) == 0
    assert ndcg(["a", "b", "c"], grades, k=1) == 1


def test_only_k_grades_make_the_ideal() -> None:
    grades = {f"r{n}": 1 for n in range(20)}
    assert ndcg([f"r{n}" for n in range(10)], grades) == 1


@settings(deadline=None)
@given(RANKINGS, GRADES, st.data())
def test_a_better_document_further_up_is_never_worse(
    ranking: list[str], grades: dict[str, int], data: st.DataObject
) -> None:
    if len(ranking) > 1:
        at = data.draw(st.integers(0, len(ranking) - 2))
        swapped = ranking[:]
        swapped[at : at + 2] = sorted(swapped[at : at + 2], key=lambda name: -grades.get(name, 0))
        assert ndcg(swapped, grades) >= ndcg(ranking, grades) - 1e-12


@settings(deadline=None)
@given(RANKINGS, GRADES, st.integers(1, 15))
def test_rank_and_recall_equal_loops(ranking: list[str], grades: dict[str, int], k: int) -> None:
    right = set(grades)
    first = 0.0
    for rank in range(len(ranking), 0, -1):
        if ranking[rank - 1] in right:
            first = 1 / rank
    found = 0
    for name in right:
        found += name in ranking[:k]
    assert reciprocal_rank(ranking, right) == pytest.approx(first)
    assert recall(ranking, right, k) == pytest.approx(found / len(right))
    assert precision_at_1(ranking, right) == float(bool(ranking) and ranking[0] in right)


@settings(deadline=None)
@given(RANKINGS, GRADES)
def test_recall_never_falls_with_k(ranking: list[str], grades: dict[str, int]) -> None:
    values = [recall(ranking, set(grades), k) for k in range(1, 15)]
    assert values == sorted(values)
    assert 0 <= values[0] <= values[-1] <= 1


def test_the_reciprocal_rank_looks_at_a_hundred_ranks() -> None:
    ranking = [f"x{n}" for n in range(99)] + ["right"]
    assert reciprocal_rank(ranking, {"right"}) == 0.01
    assert reciprocal_rank(["y", *ranking], {"right"}) == 0
    assert reciprocal_rank(["y", *ranking], {"right"}, depth=101) == pytest.approx(1 / 101)


def test_relevant_is_grade_two_where_the_query_has_it() -> None:
    assert relevant({"a": 3, "b": 2, "c": 1}) == {"a", "b"}
    assert relevant({"a": 1, "b": 1}) == {"a", "b"}
    assert relevant({"a": 1, "b": 0}) == {"a"}
    assert relevant({"a": 0, "b": -1}) == frozenset()
    assert relevant({}) == frozenset()


def test_a_query_never_counts_as_its_own_answer() -> None:
    assert grades_of("a", {"a": 3, "b": 1, "c": 0, "d": -1}) == {"b": 1}
    with_own = measure("a", ["a", "x", "b"], {"a": 3, "b": 1})
    assert with_own == measure("other", ["x", "b"], {"b": 1})
    assert with_own is not None
    assert with_own["mrr"] == 0.5
    assert with_own["recall@1"] == 0


def test_without_anything_relevant_there_is_no_measure() -> None:
    assert measure("a", ["x"], {}) is None
    assert measure("a", ["a"], {"a": 3}) is None
    assert measure("a", ["x"], {"x": 0}) is None


def test_the_own_document_does_not_take_one_of_a_hundred_places() -> None:
    ranking = ["q", *(f"x{n}" for n in range(99)), "right"]
    found = measure("q", ranking, {"right": 1})
    assert found is not None
    assert found["recall@100"] == 1
    assert found["mrr"] == 0.01


@settings(deadline=None)
@given(RANKINGS, GRADES)
def test_all_measures_of_one_query(ranking: list[str], grades: dict[str, int]) -> None:
    found = measure("q", ranking, grades)
    assert found is not None
    assert tuple(found) == MEASURES
    right = {n for n, g in grades.items() if g >= (2 if max(grades.values()) > 1 else 1)}
    assert found == {
        "ndcg@10": ndcg(ranking, grades, 10),
        "mrr": reciprocal_rank(ranking, right, 100),
        "recall@1": recall(ranking, right, 1),
        "recall@10": recall(ranking, right, 10),
        "recall@100": recall(ranking, right, 100),
        "p@1": precision_at_1(ranking, right),
    }
    assert all(0 <= value <= 1 + 1e-12 for value in found.values())


def test_a_lost_document_counts_as_missed() -> None:
    found = measure("q", ["a"], {"a": 2, "lost": 2})
    assert found is not None
    assert found["recall@100"] == 0.5
    assert found["ndcg@10"] == pytest.approx(1 / (1 + 1 / math.log2(3)))


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (lambda: ndcg(["a"], {}), "no grade above 0"),
        (lambda: ndcg(["a"], {"a": 0}), "no grade above 0"),
        (lambda: ndcg(["a", "a"], {"a": 1}), "ranked twice"),
        (lambda: ndcg(["a"], {"a": 1}, 0), "at least one rank"),
        (lambda: recall(["a"], set(), 1), "nothing is relevant"),
        (lambda: recall(["a"], {"a"}, 0), "at least one rank"),
        (lambda: recall(["a", "a"], {"a"}, 2), "ranked twice"),
        (lambda: reciprocal_rank(["a"], []), "nothing is relevant"),
        (lambda: precision_at_1(["a"], []), "nothing is relevant"),
        (lambda: ranked([1.0], ["a", "b"]), "2 scores"),
        (lambda: ranked([1.0, math.nan], ["a", "b"]), "2 scores"),
        (lambda: bootstrap([]), "one finite number per query"),
        (lambda: bootstrap([0.1, math.nan]), "one finite number per query"),
        (lambda: bootstrap([[0.1]]), "one finite number per query"),
        (lambda: bootstrap([0.1], draws=0), "draws"),
        (lambda: bootstrap([0.1], level=1.0), "level"),
        (lambda: paired_difference([0.1], [0.1, 0.2]), "same queries"),
    ],
)
def test_what_cannot_be_measured_is_refused(call: object, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        call()  # type: ignore[operator]


def slow_ranked(scores: list[float], ids: list[str]) -> list[str]:
    """Sorted by score, equal ones by the hash of their ids."""
    lot = {name: hashlib.blake2b(name.encode()).digest() for name in ids}
    score = dict(zip(ids, scores, strict=True))
    return sorted(ids, key=lambda name: (-score[name], lot[name]))


@settings(deadline=None)
@given(st.lists(st.sampled_from([0.0, 0.5, 0.5000001, 1.0, -math.inf]), max_size=12), st.randoms())
def test_ranked_sorts_and_no_order_of_the_file_shows(scores: list[float], random: Random) -> None:
    ids = NAMES[: len(scores)]
    slow = slow_ranked(scores, ids)
    assert ranked(scores, ids) == slow
    assert ranked(scores, ids, depth=3) == slow[:3]
    assert ranked(scores, ids, own="d1", depth=3) == [n for n in slow if n != "d1"][:3]
    pairs = list(zip(scores, ids, strict=True))
    random.shuffle(pairs)
    assert ranked([score for score, _ in pairs], [name for _, name in pairs]) == slow


def test_equal_scores_favour_nobody() -> None:
    """Over many names the first of a file comes first about as often as the last."""
    pairs = [(f"a{i}", f"b{i}") for i in range(400)]
    first = sum(ranked([1.0, 1.0], list(pair))[0] == pair[0] for pair in pairs)
    assert 150 < first < 250
