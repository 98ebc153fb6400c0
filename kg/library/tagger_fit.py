"""Fit the tagger by meaning on the shipped cases, never judging a case by its own claims.

The cases are dealt into folds. Features of a case come from a tagger that was taught by the cases
of the other folds; the weights of a fold are fitted on the features of the other folds, and so are
the thresholds. Both translations of a case, and parts of one report, are in one fold.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from embeddings import tokenize
from kg.library.passages import passages_of
from kg.library.tagging import examples_of, stated_terms, term_passages
from kg.model import Case
from kg.vocab import SCHEMES, Examples, MeaningTagger, MeaningWeights, Vocabulary
from kg.vocab.pieces import pieces_of
from kg.vocab.weights import FEATURES, SchemeWeights

if TYPE_CHECKING:
    from embeddings import Encoder

    Floats = NDArray[np.float32]
    Scores = NDArray[np.float64]
    Marks = NDArray[np.bool_]

FOLDS = 5
LANGUAGES = ("en", "ko")
PARTS = ("brief", "title", "symptom")
"""What is tagged of a case: title with summary, the title alone, and the symptoms alone."""
RIDGE = 1.0
LEAST = 0.1
"""No tag is less sure than this, whatever F1 says: wrong nine times in ten, it helps nobody."""
_STEPS = 30


@dataclass(frozen=True)
class Sample:
    """One text of a case, with the terms that the case states."""

    case: Case
    part: str
    lang: str
    text: str
    gold: frozenset[str]

    @property
    def fold(self) -> int:
        """The fold of its case."""
        return fold_of(self.case.id)


def fold_of(case_id: str) -> int:
    """The fold of a case; `KG-0033a` and `KG-0033b` are parts of one report."""
    return zlib.crc32(re.sub(r"(?<=\d)[a-z]$", "", case_id).encode()) % FOLDS


def samples_of(cases: Sequence[Case]) -> list[Sample]:
    """All texts of all cases: brief and symptoms, in each language."""
    found = []
    for case in cases:
        gold = frozenset(stated_terms(case))
        for lang in LANGUAGES:
            title, summary = case.text("title", lang), case.text("summary", lang)
            texts = (f"{title}.\n{summary}", title, case.text("symptom", lang))
            for part, text in zip(PARTS, texts, strict=True):
                if text:
                    found.append(Sample(case, part, lang, text, gold))
    return found


@dataclass(frozen=True)
class Learned:
    """Everything that measuring needs: samples, and the tagger of each fold."""

    samples: Sequence[Sample]
    ids: tuple[str, ...]
    taggers: Sequence[MeaningTagger]
    features: NDArray[np.float32]

    @cached_property
    def gold(self) -> Marks:
        """Which sample states which term: (samples, terms)."""
        return np.array([[i in s.gold for i in self.ids] for s in self.samples])

    @cached_property
    def folds(self) -> NDArray[np.int64]:
        """The fold of each sample."""
        return np.array([s.fold for s in self.samples])

    def columns(self, scheme: str) -> NDArray[np.int64]:
        """The terms of a scheme, as numbers."""
        return np.flatnonzero([i.partition(":")[0] == scheme for i in self.ids])

    @cached_property
    def weights(self) -> Sequence[MeaningWeights]:
        """The weights of each fold, fitted on the other folds."""
        return [fit(self, self.folds != fold) for fold in range(FOLDS)]

    def tagged(self) -> Iterator[tuple[Sample, MeaningTagger]]:
        """Each sample with a tagger that has seen nothing of its case."""
        judges = [t.with_weights(w) for t, w in zip(self.taggers, self.weights, strict=True)]
        return ((sample, judges[sample.fold]) for sample in self.samples)


def learn(cases: Sequence[Case], vocabulary: Vocabulary, encoder: Encoder) -> Learned:
    """Measure every sample with a tagger that was taught by the cases of the other folds."""
    samples = samples_of(cases)
    embed = remembering(encoder, [s.text for s in samples])
    passages = tuple(passages_of(cases))
    taught = examples_of(cases, passages, encoder.encode_passages([p.text for p in passages]))
    terms = encoder.encode_passages(term_passages(vocabulary))
    taggers = []
    for fold in range(FOLDS):
        others = [c for c in cases if fold_of(c.id) != fold]
        kept = [i for i, p in enumerate(passages) if fold_of(p.case_id) != fold]
        examples = examples_of(others, [passages[i] for i in kept], taught.vectors[kept])
        taggers.append(_untrained(vocabulary, terms, examples, embed))
    features = np.stack([taggers[s.fold].features(s.text) for s in samples]).astype(np.float32)
    return Learned(samples, taggers[0].ids, taggers, features)


def remembering(encoder: Encoder, texts: Sequence[str]) -> Callable[[Sequence[str]], Floats]:
    """An `embed` that has embedded all pieces of these texts at once, and others as they come."""
    pieces = sorted({t[p.start : p.end] for t in texts for p in pieces_of(t)})
    known = dict(zip(pieces, encoder.encode_queries(pieces), strict=True))

    def embed(wanted: Sequence[str]) -> Floats:
        new = [t for t in dict.fromkeys(wanted) if t not in known]
        if new:
            known.update(zip(new, encoder.encode_queries(new), strict=True))
        return np.stack([known[t] for t in wanted])

    return embed


def fit(learned: Learned, rows: Marks) -> MeaningWeights:
    """Weights and thresholds of all schemes from the samples that `rows` marks."""
    found = {}
    for scheme in SCHEMES:
        columns = learned.columns(scheme)
        if not len(columns):
            continue
        features = learned.features[np.ix_(np.flatnonzero(rows), columns)].astype(np.float64)
        gold = learned.gold[np.ix_(rows, columns)]
        weights, intercept = logistic(features.reshape(-1, len(FEATURES)), gold.ravel())
        value = features @ weights + intercept
        named = features[..., 0] > 0
        made = SchemeWeights(tuple(weights.tolist()), intercept, 0.0)
        found[scheme] = replace(made, threshold=best_threshold(_sigmoid(value), named, gold))
    return MeaningWeights(found)


def logistic(features: Scores, gold: Marks) -> tuple[Scores, float]:
    """Logistic regression with a ridge on standardised features, by Newton's method."""
    mean, deviation = features.mean(axis=0), features.std(axis=0)
    deviation[deviation < 1e-9] = 1.0
    x = np.hstack([(features - mean) / deviation, np.ones((len(features), 1))])
    ridge = np.diag([RIDGE] * features.shape[1] + [0.0])
    beta = np.zeros(x.shape[1])
    beta[-1] = np.log((gold.sum() + 0.5) / ((~gold).sum() + 0.5))
    value = _regret(x, gold, beta)
    for _ in range(_STEPS):
        chance = _sigmoid(x @ beta)
        slope = x.T @ (gold - chance) - ridge @ beta
        bend = (x * (chance * (1 - chance) + 1e-9)[:, None]).T @ x + ridge
        step = np.linalg.solve(bend, slope)
        after = _regret(x, gold, beta + step)
        while after > value and np.abs(step).max() > 1e-9:
            step /= 2
            after = _regret(x, gold, beta + step)
        beta, value = beta + step, after
        if np.abs(step).max() < 1e-6:
            break
    weights = beta[:-1] / deviation
    return weights, float(beta[-1] - weights @ mean)


def best_threshold(confidence: Scores, named: Marks, gold: Marks, least: float = LEAST) -> float:
    """The confidence from which tags by meaning, beside the named terms, give the best F1."""
    order = np.argsort(-confidence[~named], kind="stable")
    hits = np.cumsum(gold[~named][order])
    told = np.arange(1, len(hits) + 1) + named.sum()
    f1 = 2 * (hits + gold[named].sum()) / (told + gold.sum())
    if not len(f1):
        return 1.0
    return max(least, round(float(confidence[~named][order][int(f1.argmax())]), 4))


def _untrained(
    vocabulary: Vocabulary,
    terms: Floats,
    examples: Examples,
    embed: Callable[[Sequence[str]], Floats],
) -> MeaningTagger:
    nothing = MeaningWeights({s: SchemeWeights((0.0,) * len(FEATURES), 0.0, 1.0) for s in SCHEMES})
    return MeaningTagger(vocabulary, terms, examples, embed, tokenize, nothing)


def _regret(x: Scores, gold: Marks, beta: Scores) -> float:
    """What `logistic` makes least: minus the log-likelihood, and the ridge."""
    value = x @ beta
    loss = np.logaddexp(0.0, np.where(gold, -value, value)).sum()
    return float(loss + 0.5 * RIDGE * (beta[:-1] ** 2).sum())


def _sigmoid(value: Scores) -> Scores:
    chance: Scores = 1 / (1 + np.exp(-np.clip(value, -40, 40)))
    return chance
