"""Fit and measure the tagger: `python -m kg.library.tagger_quality .` in a checkout.

Writes the weights with their provenance and figures to `kg/vocab/tagger.json`, and what they
mean to `docs/tagger-quality.md`.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kg.library.build import open_encoder
from kg.library.tagger_fit import FOLDS, LANGUAGES, PARTS, Learned, best_threshold, fit, learn
from kg.library.tagger_page import tagger_page
from kg.readers import load_batch, read_vocabulary
from kg.vocab import SCHEMES, MeaningWeights, Tagger, Vocabulary
from kg.vocab.weights import FEATURES, FILE

if TYPE_CHECKING:
    from embeddings import Encoder
    from kg.model import Case

    Marks = NDArray[np.bool_]
    Scores = NDArray[np.float64]

METHODS = ("majority", "linear", "labels", "meaning")
COMMAND = "python -m kg.library.tagger_quality ."
PAGE = "docs/tagger-quality.md"
BINS = 10
_MOST = 5


@dataclass(frozen=True)
class Judged:
    """Predictions of one method for all samples, and the confidence of each where it has one."""

    marks: Marks
    confidence: Scores | None = None


def measure(cases: Sequence[Case], vocabulary: Vocabulary, encoder: Encoder) -> dict[str, Any]:
    """Weights fitted on all cases, and the figures that cross-validation gives them."""
    learned = learn(cases, vocabulary, encoder)
    methods: dict[str, Callable[[], Judged]] = {
        "majority": lambda: Judged(_majority(learned)),
        "linear": lambda: Judged(_linear(learned)),
        "labels": lambda: Judged(_labels(learned, vocabulary)),
        "meaning": lambda: _meaning(learned),
    }
    judged = {}
    for name in METHODS:
        print(f"measuring: {name}", file=sys.stderr)
        judged[name] = methods[name]()
    meaning = judged["meaning"]
    return {
        "provenance": {
            "command": COMMAND,
            "cases": len(cases),
            "terms": len(learned.ids),
            "texts": len(learned.samples),
            "folds": FOLDS,
            "encoder": encoder.fingerprint,
        },
        "features": list(FEATURES),
        "schemes": _plain(fit(learned, np.ones(len(learned.samples), bool))),
        "figures": figures(learned, judged, vocabulary),
        "calibration": calibration(learned.gold, meaning.marks, meaning.confidence),
    }


def figures(
    learned: Learned, judged: Mapping[str, Judged], vocabulary: Vocabulary
) -> dict[str, Any]:
    """Part → language → scheme → how many terms a text has, and the figures of each method."""
    found: dict[str, Any] = {}
    for part in PARTS:
        for lang in LANGUAGES:
            rows = np.array([s.part == part and s.lang == lang for s in learned.samples])
            schemes: dict[str, Any] = {}
            for scheme in SCHEMES:
                columns = learned.columns(scheme)
                tops = [vocabulary.top(learned.ids[c]) for c in columns]
                gold = learned.gold[np.ix_(rows, columns)]
                row: dict[str, Any] = {"terms_per_text": _short(gold.sum(axis=1).mean())}
                for name, told in judged.items():
                    if told.marks[rows].any():
                        row[name] = scores(gold, told.marks[np.ix_(rows, columns)], tops)
                schemes[scheme] = row
            found.setdefault(part, {})[lang] = schemes
    return found


def scores(gold: Marks, told: Marks, tops: Sequence[str]) -> dict[str, float]:
    """Precision, recall, micro and macro F1 of terms, and both F1 of the classes above them.

    Macro F1 is the mean over the terms that some text states.
    """
    classes = sorted(set(tops))
    member = np.array([[top == c for c in classes] for top in tops], dtype=np.int64)
    above = ((gold @ member) > 0, (told @ member) > 0)
    right = int((gold & told).sum())
    return {
        "precision": _short(right / max(1, int(told.sum()))),
        "recall": _short(right / max(1, int(gold.sum()))),
        "micro": _short(_f1(gold, told)),
        "macro": _short(_macro(gold, told)),
        "class_micro": _short(_f1(*above)),
        "class_macro": _short(_macro(*above)),
    }


def calibration(gold: Marks, told: Marks, confidence: Scores | None) -> dict[str, Any]:
    """How far the confidence of the tags is from how often they are right (ECE, ten bins)."""
    if confidence is None or not told.any():
        return {}
    sure, right = confidence[told], gold[told]
    bins = np.minimum((sure * BINS).astype(int), BINS - 1)
    rows = []
    for number in range(BINS):
        mine = bins == number
        if mine.any():
            said, was = float(sure[mine].mean()), float(right[mine].mean())
            rows.append({"tags": int(mine.sum()), "said": _short(said), "right": _short(was)})
    error = sum(r["tags"] * abs(r["said"] - r["right"]) for r in rows) / len(sure)
    return {"ece": _short(error), "bins": rows}


def _f1(gold: Marks, told: Marks) -> float:
    return 2 * float((gold & told).sum()) / max(1.0, float(gold.sum() + told.sum()))


def _macro(gold: Marks, told: Marks) -> float:
    stated = np.flatnonzero(gold.any(axis=0))
    each = [_f1(gold[:, c], told[:, c]) for c in stated]
    return float(np.mean(each)) if each else 0.0


def _short(value: float) -> float:
    return round(float(value), 3)


def _meaning(learned: Learned) -> Judged:
    """What the tagger itself says, weights and examples both from other folds."""
    column = {term: i for i, term in enumerate(learned.ids)}
    marks, confidence = np.zeros(learned.gold.shape, bool), np.zeros(learned.gold.shape)
    for row, (sample, tagger) in enumerate(learned.tagged()):
        for tag in tagger.tag(sample.text):
            if not tag.negated:
                marks[row, column[tag.term]] = True
                confidence[row, column[tag.term]] = tag.confidence
    return Judged(marks, confidence)


def _labels(learned: Learned, vocabulary: Vocabulary) -> Marks:
    tagger = Tagger(vocabulary)
    named = [{t.term for t in tagger.tag(s.text) if not t.negated} for s in learned.samples]
    return np.array([[i in found for i in learned.ids] for found in named])


def _majority(learned: Learned) -> Marks:
    """The most frequent terms of the other folds, as many as give them the best F1."""
    marks = np.zeros(learned.gold.shape, bool)
    for fold, scheme in _each(learned):
        columns, others = learned.columns(scheme), learned.folds != fold
        gold = learned.gold[np.ix_(others, columns)]
        ranked = np.argsort(-gold.sum(axis=0), kind="stable")[:_MOST]

        def always(count: int, rows: int, ranked: Any = ranked, width: int = len(columns)) -> Marks:
            told = np.zeros((rows, width), bool)
            told[:, ranked[:count]] = True
            return told

        best = max(range(1, len(ranked) + 1), key=lambda n: _f1(gold, always(n, len(gold))))
        marks[np.ix_(~others, columns)] = always(best, int((~others).sum()))
    return marks


def _linear(learned: Learned) -> Marks:
    """TF-IDF of words and characters, one logistic regression a term; title and summary only."""
    chance = np.zeros(learned.gold.shape)
    for lang in LANGUAGES:
        mine = np.array([s.part == PARTS[0] and s.lang == lang for s in learned.samples])
        for fold in range(FOLDS):
            train = np.flatnonzero(mine & (learned.folds != fold))
            test = np.flatnonzero(mine & (learned.folds == fold))
            chance[test] = _regressed(learned, train, test)
    marks = np.zeros(learned.gold.shape, bool)
    brief = np.array([s.part == PARTS[0] for s in learned.samples])
    for fold, scheme in _each(learned):
        columns = learned.columns(scheme)
        others, rows = brief & (learned.folds != fold), brief & (learned.folds == fold)
        known, gold = chance[np.ix_(others, columns)], learned.gold[np.ix_(others, columns)]
        bar = best_threshold(known, np.zeros(gold.shape, bool), gold, least=0.0)
        marks[np.ix_(rows, columns)] = chance[np.ix_(rows, columns)] >= bar
    return marks


def _regressed(learned: Learned, train: NDArray[np.int64], test: NDArray[np.int64]) -> Scores:
    texts: Any = importlib.import_module("sklearn.feature_extraction.text")
    linear: Any = importlib.import_module("sklearn.linear_model")
    sparse: Any = importlib.import_module("scipy.sparse")
    settings: tuple[dict[str, Any], ...] = (
        {"ngram_range": (1, 2)},
        {"analyzer": "char_wb", "ngram_range": (2, 4), "min_df": 2},
    )
    known, asked = [], []
    for setting in settings:
        vectorizer = texts.TfidfVectorizer(sublinear_tf=True, **setting)
        known.append(vectorizer.fit_transform([learned.samples[i].text for i in train]))
        asked.append(vectorizer.transform([learned.samples[i].text for i in test]))
    x, y = sparse.hstack(known).tocsr(), sparse.hstack(asked).tocsr()
    chance = np.zeros((len(test), len(learned.ids)))
    for column in np.flatnonzero(learned.gold[train].any(axis=0)):
        model = linear.LogisticRegression(C=10, solver="liblinear", dual=True, max_iter=200)
        model.fit(x, learned.gold[train, column])
        chance[:, column] = model.predict_proba(y)[:, 1]
    return chance


def _each(learned: Learned) -> Iterator[tuple[int, str]]:
    present = [s for s in SCHEMES if len(learned.columns(s))]
    return ((fold, scheme) for fold in range(FOLDS) for scheme in present)


def _plain(weights: MeaningWeights) -> dict[str, Any]:
    return {
        name: {
            "weights": dict(zip(FEATURES, (round(w, 4) for w in made.weights), strict=True)),
            "intercept": round(made.intercept, 4),
            "threshold": round(made.threshold, 4),
        }
        for name, made in weights.schemes.items()
    }


def main(arguments: Sequence[str]) -> int:
    """Fit, measure and write both files; 2 on bad use."""
    root = Path(arguments[0]) if len(arguments) == 1 else Path()
    if len(arguments) != 1 or not (root / "datasets" / "cases").is_dir():
        print("use: python -m kg.library.tagger_quality CHECKOUT", file=sys.stderr)
        return 2
    vocabulary = read_vocabulary(root / "datasets" / "vocabulary")
    cases = load_batch([root / "datasets" / "cases"], vocabulary).cases
    content = measure(cases, vocabulary, open_encoder(None)[1])
    text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    (root / "kg" / "vocab" / FILE.name).write_text(text, encoding="utf-8")
    (root / PAGE).write_text(tagger_page(content), encoding="utf-8")
    print(f"wrote kg/vocab/{FILE.name} and {PAGE}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
