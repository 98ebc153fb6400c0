"""The model of relevance and the threshold of answers: how they are fitted and judged."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from embeddings import fuse
from embeddings.calibrate import (
    auroc,
    expected_calibration_error,
    logistic_fit,
    threshold_for_error,
)
from embeddings.evaluate import EvalSet, Query
from kg.library.background import QUESTIONS
from kg.library.confidence import features, probability_of
from kg.library.evaluation import answerable, library_rankings
from kg.library.fitted import probability_parameters
from kg.model.text import language_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from embeddings import FusionParameters, Ranking
    from kg.library.facade import Library

    Numbers = NDArray[np.float64]

RELEVANT = 2
"""Grade from which a case answers a question: the same class of cause and like symptoms."""
ERROR = 0.05
"""Share of answered questions whose first hit is not even related that the threshold allows."""
CANDIDATES = 20
"""Cases per question that the model of relevance is fitted on: the best ones."""
_FOLDS, _SEEDS = 5, 3
_RIDGE = 1.0


@dataclass(frozen=True)
class Answer:
    """A question with its best cases: what the model of relevance sees, and what people said.

    Attributes:
        lang: language of the question.
        features: of each case as the model sees it, (cases, 3), best first.
        grades: (cases,).
        answerable: whether any case of the library answers it.
    """

    lang: str
    features: Numbers
    grades: NDArray[np.int64]
    answerable: bool


def answers(
    library: Library,
    questions: EvalSet,
    weights: FusionParameters,
    ranked: Sequence[tuple[Query, Ranking]] | None = None,
) -> list[Answer]:
    """What the model of relevance is fitted on, under the weights of the lanes.

    `ranked`: how the questions are ranked; as the library does it where not given.
    """
    ids = list(library.cases)
    rows: list[Answer] = []
    for query, ranking in ranked or library_rankings(library, questions):
        under = _under(ranking, weights)
        best = np.argsort(-under.total, kind="stable")[:CANDIDATES]
        grades = questions.qrels.get(query.id, {})
        rows.append(
            Answer(
                query.lang or "en",
                features(under)[best],
                np.array([grades.get(ids[i], 0) for i in best]),
                answerable(questions, query),
            )
        )
    return rows


def unrelated_answers(library: Library, weights: FusionParameters) -> list[Answer]:
    """The same for questions from outside the field, which nothing answers."""
    asked = tuple(Query(text, text, language_of(text)) for text in QUESTIONS)
    data = EvalSet("unrelated", (), asked, {})
    return answers(library, data, weights)


def fit_probability(rows: Sequence[Answer]) -> dict[str, Any]:
    """The logistic model of relevance over all rows, with an intercept for each language."""
    languages = sorted({row.lang for row in rows})
    model = logistic_fit(_design(rows, languages), _relevant(rows), l2=_RIDGE)
    score, agrees, close, *shifts = (round(float(c), 4) for c in model.coefficients)
    return {
        "intercept": round(float(model.intercept), 4),
        "score": score,
        "agreement": agrees,
        "closeness": close,
        "languages": dict(zip(languages[1:], shifts, strict=True)),
    }


def predicted(row: Answer) -> float:
    """The shipped model's probability of a question's best case."""
    return float(probability_of(row.features[:1], row.lang, probability_parameters())[0])


def held_out(rows: Sequence[Answer], seed: int, beside: Sequence[Answer] = ()) -> list[Numbers]:
    """Probabilities of each row's cases by models that did not see the question.

    `beside`: questions that every model sees.
    """
    languages = sorted({row.lang for row in rows})
    fold = np.random.default_rng(seed).permutation(len(rows)) % _FOLDS
    found: list[Numbers] = [np.zeros(0)] * len(rows)
    for k in range(_FOLDS):
        seen = [row for row, f in zip(rows, fold, strict=True) if f != k] + list(beside)
        model = logistic_fit(_design(seen, languages), _relevant(seen), l2=_RIDGE)
        for number in np.flatnonzero(fold == k).tolist():
            raw = model.predict(_design([rows[number]], languages))
            found[number] = np.minimum.accumulate(raw)
    return found


def confidence_figures(rows: Sequence[Answer], beside: Sequence[Answer] = ()) -> dict[str, float]:
    """Calibration and refusal on held-out folds, means over `_SEEDS` divisions.

    `ece` over all candidates, by language too; `auroc` of a question's best probability for
    telling those that have an answer from those that have none.
    """
    tables = [_figures(rows, held_out(rows, seed, beside)) for seed in range(_SEEDS)]
    return {name: round(float(np.mean([t[name] for t in tables])), 4) for name in tables[0]}


def refusal_threshold(rows: Sequence[Answer], beside: Sequence[Answer] = ()) -> float:
    """The least probability at which at most `ERROR` of the answers begin with an unrelated case.

    Chosen on held-out probabilities, in whole hundredths; 1 where none does it.
    """
    best, related = [], []
    for seed in range(_SEEDS):
        for row, found in zip(rows, held_out(rows, seed, beside), strict=True):
            best.append(math.floor(100 * found[0]) / 100)
            related.append(float(row.grades[0] >= 1))
    least = threshold_for_error(best, related, ERROR)
    return 1.0 if least is None else least


def _figures(rows: Sequence[Answer], found: Sequence[Numbers]) -> dict[str, float]:
    p, y = np.concatenate(found), _relevant(rows)
    lang = np.repeat([row.lang for row in rows], [len(row.grades) for row in rows])
    figures = {"ece": expected_calibration_error(p, y)}
    for code in sorted(set(lang)):
        figures[f"ece {code}"] = expected_calibration_error(p[lang == code], y[lang == code])
    best = [float(f[0]) for f in found]
    figures["auroc"] = auroc(best, [float(row.answerable) for row in rows])
    return figures


def _under(ranking: Ranking, weights: FusionParameters) -> Ranking:
    """The same lanes under other weights."""
    return replace(ranking, parts=fuse(ranking.lanes, weights, ranking.known_share))


def _design(rows: Sequence[Answer], languages: Sequence[str]) -> Numbers:
    """The features, and one column a language but the first."""
    parts = []
    for row in rows:
        shifts = [np.full(len(row.features), float(row.lang == code)) for code in languages[1:]]
        parts.append(np.column_stack([row.features, *shifts]))
    return np.concatenate(parts)


def _relevant(rows: Sequence[Answer]) -> Numbers:
    return np.concatenate([row.grades >= RELEVANT for row in rows]).astype(np.float64)
