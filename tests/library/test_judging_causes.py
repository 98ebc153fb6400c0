"""Figures of predicted causes: right answers, F1 of sets, paired differences, the rule of sets."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from kg.library.cause_judging import (
    FIGURES,
    Answers,
    SetRule,
    differences,
    figures,
    fit_rule,
    marks_of,
    per_cause,
    row_of,
    smoothed,
)

ONCE = np.ones((1, 40))


def some(seed: int = 0, n: int = 40, causes: int = 6) -> Answers:
    random = np.random.default_rng(seed)
    true = random.random((n, causes)) < 0.3
    true[np.arange(n), random.integers(0, causes - 1, n)] = True
    true[:, -1] = False
    scores = random.random((n, causes)) + 0.5 * true
    return Answers.of(scores, scores > 0.7, true)


def test_the_first_and_the_first_three_are_looked_at() -> None:
    scores = np.array([[0.9, 0.5, 0.1, 0.0], [0.1, 0.2, 0.3, 0.9], [0.4, 0.3, 0.2, 0.1]])
    true: NDArray[np.bool_] = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]], dtype=bool)
    found = Answers.of(scores, true, true)
    assert found.right[0].tolist() == [1, 0, 0]
    assert found.right[1].tolist() == [1, 1, 0]


def test_equal_scores_go_to_the_first_cause() -> None:
    true = np.array([[False, True]])
    assert Answers.of(np.zeros((1, 2)), true, true).right[0].tolist() == [0]


def test_f1_is_that_of_scikit_learn() -> None:
    from sklearn.metrics import f1_score  # takes two seconds, which not every worker needs

    answers = some()
    found = dict(zip(FIGURES, answers.measure(ONCE)[0], strict=True))
    stated = answers.true.any(axis=0)
    assert found["micro F1"] == pytest.approx(f1_score(answers.true, answers.told, average="micro"))
    macro = f1_score(answers.true[:, stated], answers.told[:, stated], average="macro")
    assert found["macro F1"] == pytest.approx(macro)
    each = f1_score(answers.true, answers.told, average=None, zero_division=0)
    assert per_cause(answers) == pytest.approx(each)


def test_a_draw_counts_each_question_as_often_as_it_was_drawn() -> None:
    answers = some()
    draw = np.random.default_rng(1).multinomial(40, [1 / 40] * 40).astype(float)
    rows = np.repeat(np.arange(40), draw.astype(int))
    again = Answers(
        (answers.right[0][rows], answers.right[1][rows]), answers.told[rows], answers.true[rows]
    )
    assert answers.measure(draw[None])[0] == pytest.approx(again.measure(ONCE)[0])


def test_intervals_hold_the_figure_and_are_the_same_each_time() -> None:
    found = figures(some())
    assert list(found) == list(FIGURES)
    assert found == figures(some())
    for name in ("top-1", "top-3", "micro F1"):
        assert found[name].low < found[name].value < found[name].high


def test_a_method_differs_from_itself_by_nothing() -> None:
    assert set(differences(some(), some()).values()) == {(0.0, 0.0, 0.0)}


def test_differences_are_paired() -> None:
    """Two methods that are right on nearly the same questions differ by little, and surely."""
    mine = some()
    theirs = Answers((mine.right[0] * 0, mine.right[1]), mine.told, mine.true)
    gap = differences(mine, theirs)
    assert gap["top-1"].value == pytest.approx(mine.right[0].mean())
    assert gap["top-3"] == (0.0, 0.0, 0.0)
    assert gap["top-1"].low > 0


def test_the_likeliest_is_always_told_and_more_where_they_are_likely_enough() -> None:
    chance = np.array([[0.6, 0.5, 0.1], [0.2, 0.1, 0.15]])
    shares = np.array([0.4, 0.3, 0.3])
    assert SetRule().told(chance, shares).tolist() == [[True, False, False]] * 2
    both = SetRule(0.0, 0.4).told(chance, shares)
    assert both.tolist() == [[True, True, False], [True, False, False]]


def test_holding_common_causes_down_tells_rarer_ones_first() -> None:
    chance, shares = np.array([[0.5, 0.4]]), np.array([0.8, 0.2])
    assert SetRule(0.0).told(chance, shares).tolist() == [[True, False]]
    assert SetRule(0.5).told(chance, shares).tolist() == [[False, True]]


def test_the_rule_is_the_best_of_all_that_are_tried() -> None:
    random = np.random.default_rng(4)
    true = random.random((60, 4)) < [0.6, 0.3, 0.2, 0.1]
    true[~true.any(axis=1), 0] = True
    chance = np.clip(0.5 * true + random.random((60, 4)) * 0.51, 0, 1)
    rule, shares = fit_rule(chance, true), smoothed(true)

    def value(candidate: SetRule) -> float:
        told = candidate.told(chance, shares)
        one = np.ones((1, 60))
        return float(Answers((one[0], one[0]), told, true).measure(one)[0, 2:].sum())

    assert value(rule) >= max(value(SetRule(d, t)) for d in (0, 0.4) for t in (0.2, 0.4, 2.0))
    assert value(rule) > 1.9
    assert rule.least < 1


def test_a_rule_from_no_cases_tells_the_likeliest_alone() -> None:
    rule = fit_rule(np.zeros((0, 3)), np.zeros((0, 3), dtype=bool))
    assert rule.told(np.array([[0.2, 0.5, 0.4]]), np.full(3, 1 / 3)).sum() >= 1


def test_shares_are_smoothed_so_that_none_is_nothing() -> None:
    true = np.array([[True, False], [True, False]])
    found = smoothed(true)
    assert found.tolist() == pytest.approx([2.3 / 2.6, 0.3 / 2.6])


def test_sets_and_probabilities_become_rows() -> None:
    marks = marks_of([frozenset({"b", "x"}), frozenset()], ["a", "b"])
    assert marks.tolist() == [[False, True], [False, False]]
    assert row_of({"b": 0.4, "x": 0.9}, ["a", "b"]).tolist() == [0.0, 0.4]
