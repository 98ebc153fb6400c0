"""Plain methods beside the prediction of cause labels: majority, neighbours, linear on words."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embeddings.evaluate.baselines import bm25
from kg.library.cause_judging import Answers
from kg.library.cause_sets import Split, TypedReports

Scores = NDArray[np.float64]
Progress = Callable[[str, int, int], None]

METHODS = ("majority", "BM25 neighbour", "dense neighbour", "linear on TF-IDF")


def plain(reports: TypedReports, method: str, splits: Sequence[Split]) -> Answers:
    """What a plain method answers, each report judged by those of its split.

    A neighbour answers with the labels of the nearest report, the most frequent first. Linear is
    TF-IDF of words with one balanced logistic regression a label; at least one label is told.
    """
    if method == METHODS[3]:
        return _linear(reports, splits)
    true = reports.true
    near = np.zeros((len(true), len(true)))
    if method == METHODS[1]:
        texts = [r.text for r in reports.reports]
        near = np.stack(list(bm25(texts, texts))).astype(np.float64)
    elif method == METHODS[2]:
        vectors = np.stack([s.vector for s in reports.whole if s.vector is not None])
        near = (vectors @ vectors.T).astype(np.float64)
    scores = np.zeros(true.shape)
    told = np.zeros(true.shape, dtype=bool)
    for learn, test in splits:
        known = np.array(sorted(learn))
        often = true[known].sum(axis=0) / len(known)
        for row in test:
            if method == METHODS[0]:
                scores[row] = often
                told[row, int(often.argmax())] = True
            else:
                order = known[np.argsort(-near[row, known], kind="stable")]
                rank = np.arange(len(order), dtype=np.float64)[:, None]
                first = np.where(true[order], rank, np.inf).min(axis=0)
                scores[row] = np.where(np.isfinite(first), often / 2.0 - first, -np.inf)
                told[row] = true[order[0]]
    return Answers.of(scores, told, true)


def _linear(reports: TypedReports, splits: Sequence[Split]) -> Answers:
    texts: Any = importlib.import_module("sklearn.feature_extraction.text")
    linear: Any = importlib.import_module("sklearn.linear_model")
    true = reports.true
    chance = np.zeros(true.shape)
    for learn, test in splits:
        words = texts.TfidfVectorizer(sublinear_tf=True, stop_words="english")
        known = words.fit_transform([reports.reports[i].text for i in learn])
        asked = words.transform([reports.reports[i].text for i in test])
        for column in np.flatnonzero(true[list(learn)].any(axis=0)):
            model = linear.LogisticRegression(C=10, class_weight="balanced", max_iter=300)
            model.fit(known, true[list(learn), column])
            chance[list(test), column] = model.predict_proba(asked)[:, 1]
    told = chance >= 0.5
    told[np.arange(len(told)), chance.argmax(axis=1)] = True
    return Answers.of(chance, told, true)
