"""How good predictions of causes are: right answers, F1 of sets, and how sure the figures are.

Intervals are percentile bootstraps over cases (Efron 1979). F1 is not a mean over cases, so each
draw counts hits and misses anew; the draws are the same for every method, so that differences are
paired.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from embeddings.evaluate.measures import Interval

Scores = NDArray[np.float64]
Marks = NDArray[np.bool_]

FIGURES = ("top-1", "top-3", "micro F1", "macro F1")
DRAWS, SEED = 2000, 0
DISCOUNTS = (0.0, 0.2, 0.4, 0.6)
LEASTS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 2.0)


@dataclass(frozen=True)
class Answers:
    """What one method says of a list of questions.

    Attributes:
        right: whether the first cause, and one of the first three, is a true one, (n,) each.
        told, true: the set that is told and the true one, (n, causes).
    """

    right: tuple[Scores, Scores]
    told: Marks
    true: Marks

    @classmethod
    def of(cls, scores: Scores, told: Marks, true: Marks) -> Answers:
        """From scores (n, causes), higher is likelier, ties to the first cause."""
        order = np.argsort(-scores, axis=1, kind="stable")[:, :3]
        hit = np.take_along_axis(true, order, axis=1)
        return cls((hit[:, 0].astype(float), hit.any(axis=1).astype(float)), told, true)

    def measure(self, draws: Scores) -> Scores:
        """The `FIGURES` of each draw: (draws, n) of how often each question was drawn.

        Macro F1 is the mean over the causes that some question has as true.
        """
        hits = draws @ (self.told & self.true)
        told, true = draws @ self.told, draws @ self.true
        micro = 2 * hits.sum(axis=1) / np.maximum(1e-12, (told + true).sum(axis=1))
        each = 2 * hits / np.maximum(1e-12, told + true)
        stated = self.true.any(axis=0)
        macro = np.zeros(len(draws))
        if stated.any():
            there = true[:, stated] > 0
            macro = (each[:, stated] * there).sum(axis=1) / np.maximum(1, there.sum(axis=1))
        count = np.maximum(1e-12, draws.sum(axis=1))
        shares = [draws @ r / count for r in self.right]
        return np.stack([*shares, micro, macro], axis=1)


def figures(answers: Answers) -> dict[str, Interval]:
    """Each figure with its interval."""
    return _intervals(answers.measure, len(answers.true))


def differences(mine: Answers, theirs: Answers) -> dict[str, Interval]:
    """How much better `mine` is, question by question, with intervals."""
    return _intervals(lambda d: mine.measure(d) - theirs.measure(d), len(mine.true))


def per_cause(answers: Answers) -> Scores:
    """F1 of each cause, 0 where it is neither told nor true, (causes,)."""
    hits = (answers.told & answers.true).sum(axis=0)
    both = answers.told.sum(axis=0) + answers.true.sum(axis=0)
    return np.asarray(2 * hits / np.maximum(1, both), dtype=np.float64)


@dataclass(frozen=True)
class SetRule:
    """Which causes are told: the likeliest, and all that are likely enough.

    Attributes:
        discount: how far common causes are held down: their share to this power.
        least: the discounted probability from which a cause is told beside the likeliest.
    """

    discount: float = 0.0
    least: float = 2.0

    def told(self, chance: Scores, shares: Scores) -> Marks:
        """The sets that are told, (n, causes).

        Args:
            chance: probabilities, (n, causes).
            shares: how common each cause is among the cases learned from, (causes,).
        """
        held = np.maximum(shares, 1e-9)
        level = chance * held**-self.discount / (held ** (1 - self.discount)).sum() * held.sum()
        told: Marks = level >= self.least
        told[np.arange(len(level)), level.argmax(axis=1)] = True
        return told


def fit_rule(chance: Scores, true: Marks) -> SetRule:
    """The rule with the best sum of micro and macro F1 on cases that were left out."""
    shares = smoothed(true)
    once = np.ones((1, len(true)))
    best, found = -1.0, SetRule()
    for discount in DISCOUNTS:
        for least in LEASTS:
            rule = SetRule(discount, least)
            answers = Answers((once[0], once[0]), rule.told(chance, shares), true)
            value = float(answers.measure(once)[0, 2:].sum())
            if value > best + 1e-12:
                best, found = value, rule
    return found


def smoothed(true: Marks) -> Scores:
    """How common each cause is, with a third of a case added, (causes,)."""
    added = 0.3
    shares: Scores = (true.sum(axis=0) + added) / (len(true) + added * true.shape[1])
    return shares


def marks_of(sets: Sequence[frozenset[str]], causes: Sequence[str]) -> Marks:
    """Sets of causes as (n, causes); causes that are not listed are left out."""
    column = {c: i for i, c in enumerate(causes)}
    marks: Marks = np.zeros((len(sets), len(causes)), dtype=bool)
    for row, found in enumerate(sets):
        marks[row, [column[c] for c in sorted(found) if c in column]] = True
    return marks


def row_of(chance: Mapping[str, float], causes: Sequence[str]) -> Scores:
    """Probabilities by cause as a row; 0 for what is not told."""
    return np.array([chance.get(c, 0.0) for c in causes])


def _intervals(measure: Callable[[Scores], Scores], count: int) -> dict[str, Interval]:
    draws = np.random.default_rng(SEED).multinomial(count, [1 / count] * count, size=DRAWS)
    value = measure(np.ones((1, count)))[0]
    low, high = np.quantile(measure(draws.astype(np.float64)), [0.025, 0.975], axis=0)
    rows = zip(value.tolist(), low.tolist(), high.tolist(), strict=True)
    return {name: Interval(*row) for name, row in zip(FIGURES, rows, strict=True)}
