"""Fitting: folds that leak nothing, logistic regression, thresholds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embeddings import HashEncoder
from kg.library import tagger_fit
from kg.library.tagger_fit import (
    FOLDS,
    LEAST,
    RIDGE,
    Learned,
    best_threshold,
    fit,
    fold_of,
    learn,
    logistic,
    samples_of,
)
from kg.model import Case
from kg.vocab import SCHEMES
from kg.vocab.weights import FEATURES
from tests.helpers.strategies import QUICK
from tests.helpers.tiny import make_case, tiny_vocabulary

HASH = HashEncoder(32)
SAID = {
    "cause:ecc-error": "Errors of the ECC kind came again",
    "cause:link-down": "A link between two racks went down",
    "cause:race": "Two threads ran a race under this condition",
}


def cases() -> list[Case]:
    return [
        make_case(f"T-{i:02}", ("cause", term), title={"en": f"{said} {i}", "ko": f"{said} 일 {i}"})
        for i in range(15)
        for term, said in [list(SAID.items())[i % 3]]
    ]  # fmt: skip


@pytest.fixture(scope="module")
def learned() -> Learned:
    return learn(cases(), tiny_vocabulary(), HASH)


def test_parts_of_one_report_are_in_one_fold() -> None:
    assert fold_of("KG-0033a") == fold_of("KG-0033b") == fold_of("KG-0033")
    assert {fold_of(f"KG-{i}") for i in range(100)} == set(range(FOLDS))


def test_all_samples_of_a_case_share_its_fold_and_gold() -> None:
    for sample in samples_of(cases()):
        assert sample.fold == fold_of(sample.case.id)
        assert sample.gold == {c.terms[0] for c in sample.case.claims}
        assert sample.text.strip()


def test_a_fold_learns_nothing_of_its_own_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[set[str]] = []
    real = tagger_fit.examples_of

    def watched(taught: Sequence[Case], *more: object) -> object:
        seen.append({c.id for c in taught})
        return real(taught, *more)

    monkeypatch.setattr(tagger_fit, "examples_of", watched)
    learn(cases(), tiny_vocabulary(), HASH)
    _, *folds = seen
    assert len(folds) == FOLDS
    for fold, taught in enumerate(folds):
        assert {fold_of(i) for i in taught} == set(range(FOLDS)) - {fold}


def test_the_weights_of_a_fold_do_not_depend_on_its_own_gold(learned: Learned) -> None:
    turned = Learned(learned.samples, learned.ids, learned.taggers, learned.features)
    mine = learned.folds == 0
    gold = learned.gold.copy()
    gold[mine] = ~gold[mine]
    turned.__dict__["gold"] = gold
    assert fit(learned, ~mine) == fit(turned, ~mine)
    assert fit(learned, mine) != fit(turned, mine)


def test_features_gold_and_folds_have_one_row_a_sample(learned: Learned) -> None:
    count = len(learned.samples)
    assert learned.features.shape == (count, len(learned.ids), len(FEATURES))
    assert learned.gold.shape == (count, len(learned.ids))
    assert len(learned.folds) == count
    assert sorted(np.concatenate([learned.columns(s) for s in SCHEMES])) == list(
        range(len(learned.ids))
    )


def test_what_is_fitted_finds_the_causes_again(learned: Learned) -> None:
    right = sum(
        any(t.term in sample.gold and not t.negated for t in tagger.tag(sample.text))
        for sample, tagger in learned.tagged()
    )
    assert right / len(learned.samples) > 0.8


POINTS = st.integers(0, 10_000)


def sample(seed: int, count: int = 60, width: int = 3) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    features = random.normal(size=(count, width)) * [1.0, 5.0, 0.1]
    gold = features @ [1.0, 0.3, 4.0] + random.logistic(size=count) > 1.0
    return features, gold


@QUICK
@given(POINTS)
def test_no_step_away_from_the_solution_is_better(seed: int) -> None:
    features, gold = sample(seed)
    weights, intercept = logistic(features, gold)
    deviation = features.std(axis=0)

    def loss(weights: np.ndarray, intercept: float) -> float:
        value = features @ weights + intercept
        fit = np.logaddexp(0, np.where(gold, -value, value)).sum()
        return float(fit + 0.5 * RIDGE * ((weights * deviation) ** 2).sum())

    best = loss(weights, intercept)
    for step in np.vstack([np.eye(4), -np.eye(4)]) * 1e-3:
        assert loss(weights + step[:3] / deviation, intercept + step[3]) >= best - 1e-9


@QUICK
@given(POINTS)
def test_the_scale_of_a_feature_does_not_matter(seed: int) -> None:
    features, gold = sample(seed)
    weights, intercept = logistic(features, gold)
    scaled, other = logistic(features * [10.0, 0.1, 3.0], gold)
    assert np.allclose(scaled * [10.0, 0.1, 3.0], weights, atol=1e-5)
    assert other == pytest.approx(intercept, abs=1e-5)


@pytest.mark.parametrize("gold", [np.zeros(20, bool), np.ones(20, bool), np.arange(20) == 3])
def test_rare_and_uniform_gold_is_fitted(gold: np.ndarray) -> None:
    features = np.random.default_rng(1).normal(size=(20, 2))
    features[:, 1] = 7.0
    weights, intercept = logistic(features, gold)
    assert np.isfinite(weights).all()
    assert np.isfinite(intercept)


def test_separable_gold_does_not_run_away() -> None:
    features = np.array([[-1.0]] * 500 + [[1.0]] * 500)
    weights, intercept = logistic(features, features[:, 0] > 0)
    chance = 1 / (1 + np.exp(-(features @ weights + intercept)))
    assert chance[0] < 0.05 < 0.95 < chance[-1]
    assert abs(weights[0]) < 10


def slow_f1(confidence: np.ndarray, named: np.ndarray, gold: np.ndarray, bar: float) -> float:
    told = named | (confidence >= bar)
    return 2 * (told & gold).sum() / max(1, told.sum() + gold.sum())


@QUICK
@given(POINTS, st.booleans())
def test_no_other_threshold_is_better(seed: int, labels: bool) -> None:
    random = np.random.default_rng(seed)
    confidence = random.random(40).round(4)
    gold = random.random(40) < confidence
    named = (random.random(40) < 0.2) & labels
    bar = best_threshold(confidence, named, gold, least=0.0)
    best = max(slow_f1(confidence, named, gold, b) for b in confidence[~named])
    assert slow_f1(confidence, named, gold, bar) == pytest.approx(best)


def test_no_threshold_is_below_the_least() -> None:
    confidence, gold = np.array([0.01, 0.02]), np.array([True, True])
    assert best_threshold(confidence, np.zeros(2, bool), gold) == LEAST


def test_where_all_is_named_nothing_is_told_by_meaning() -> None:
    confidence, gold = np.array([0.9]), np.array([True])
    assert best_threshold(confidence, np.ones(1, bool), gold) == 1.0
