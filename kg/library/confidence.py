"""From a score to the probability that a case is relevant to a question.

A logistic model (Platt 1999, "Probabilistic outputs for support vector machines") of three numbers:
the score, which says how far a case stands out from the others; the agreement of the lanes, which
says whether words, letters and meaning each put it high; and the closeness, the dense lane's own
cosine. A stray rare word lifts a case in one lane alone: it gets a score, and no agreement. Of a
question about something else, some case still stands out from the others, and none is close.

Fitted on the judged questions of datasets/eval and on questions from outside the field; relevant
means grade 2 and above, the same mechanism, or the same class of cause and like symptoms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kg.library.fitted import ProbabilityParameters

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from embeddings import Ranking

    Scores = NDArray[np.float64]

USUAL = 0.38
"""Median closeness of the best case of the judged questions that have an answer."""
AGREEING = ("words", "grams", "dense")
MOST = 3.0
"""Score up to which standing out counts: beyond it lies a rare word that only one case has."""


def agreement(ranking: Ranking) -> Scores:
    """Minus the mean logarithm of a case's rank in the single lanes, (cases,); 0 is first in all.

    A lane that says the same of every case, such as words that no case has, puts all of them last.
    """
    ranks = [_ranks(ranking.lanes[lane]) for lane in AGREEING if lane in ranking.lanes]
    if not ranks:
        return np.zeros(len(ranking.total))
    result: Scores = -np.mean(np.log(ranks), axis=0)
    return result


def features(ranking: Ranking, comparable: bool = True) -> Scores:
    """Score up to `MOST`, agreement and closeness of each case, (cases, 3).

    `comparable`: whether cosines mean what they meant in the fit, as those of the default encoder
    do. Of another encoder nothing is known, and every case counts as close as an answer usually is.
    Closeness is 0 without the dense lane.
    """
    close = ranking.lanes.get("dense", np.zeros(len(ranking.total)))
    if not comparable:
        close = np.full(len(close), USUAL)
    return np.column_stack([np.minimum(ranking.total, MOST), agreement(ranking), close])


def probability_of(found: Scores, lang: str, parameters: ProbabilityParameters) -> Scores:
    """The logistic model itself: `features` of n cases, (n, 3) -> (n,)."""
    shift = parameters.intercept + parameters.languages.get(lang, 0.0)
    logits = shift + found @ [parameters.score, parameters.agreement, parameters.closeness]
    result: Scores = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
    return result


def probabilities(
    ranking: Ranking, lang: str, parameters: ProbabilityParameters, comparable: bool = True
) -> Scores:
    """The probability of each case that it is relevant, (cases,), 0 to 1; see `features`.

    A case further down is never given more than one above it.
    """
    raw = probability_of(features(ranking, comparable), lang, parameters)
    order = np.argsort(-ranking.total, kind="stable")
    falling = np.empty_like(raw)
    falling[order] = np.minimum.accumulate(raw[order])
    return np.round(falling, 4)


def _ranks(scores: Scores) -> Scores:
    """Rank of each case, 1 for the best; equal scores share the last of their ranks."""
    ordered = np.sort(-scores)
    ranks: Scores = np.searchsorted(ordered, -scores, side="right").astype(np.float64)
    return ranks
