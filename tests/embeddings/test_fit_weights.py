"""Weights fitted on judged sets: never worse, found where they are known, told by leaving out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_corpus import ENCODER, parameters, slow_standard

from embeddings import Ranking, fuse
from embeddings.evaluate import (
    Document,
    EvalSet,
    JudgedRanking,
    Query,
    evaluate,
    fit_weights,
    judged,
    left_out,
    mean_ndcg,
    ndcg,
    ranked,
    rankings,
)
from embeddings.evaluate.corpus import build_retriever, passages_of
from embeddings.evaluate.fit import FIXED, GRID, POWERS
from embeddings.fitted import FusionParameters
from embeddings.fusion import total

SEEDS = st.integers(0, 10_000)
LANES = ("dense", "words", "grams", "late")
START = FusionParameters(dict.fromkeys(LANES, 1.0), 0.5)


def ranking(seed: int, documents: int = 12, known: float = 0.5) -> Ranking:
    """Lanes of noise; late interaction looks at half of the documents."""
    random = np.random.default_rng(seed)
    lanes = {name: random.normal(size=documents) for name in LANES}
    lanes["late"][documents // 2 :] = math.nan
    return Ranking(lanes, {}, np.zeros(0, np.float32), known, documents)


def grades(seed: int, ids: Sequence[str]) -> dict[str, int]:
    random = np.random.default_rng(seed)
    chosen = random.choice(len(ids), 4, replace=False)
    return {ids[i]: int(random.integers(1, 4)) for i in chosen}


IDS = [f"d{i}" for i in range(12)]


def rows(seed: int, queries: int = 4) -> list[JudgedRanking]:
    known = np.random.default_rng(seed).random(queries)
    return [
        judged(ranking(seed + i, known=float(known[i])), grades(seed + i, IDS), IDS, own=IDS[i])
        for i in range(queries)
    ]


def slow_ndcg(
    found: Ranking, judgements: Mapping[str, int], weights: FusionParameters, own: str
) -> float:
    """By the functions that people see: standard scores, weights, a ranking, its nDCG."""
    counted = [name != own for name in IDS]
    summed = [0.0] * len(IDS)
    for name, scores in found.lanes.items():
        weight = weights.weights.get(name, 0.0)
        if name in ("words", "grams"):
            weight *= found.known_share**weights.coverage_power
        for d, z in enumerate(slow_standard(scores.tolist(), counted)):
            summed[d] += weight * z
    kept = {name: grade for name, grade in judgements.items() if name != own}
    return ndcg(ranked(summed, IDS, own), kept)


@settings(deadline=None)
@given(SEEDS, st.sampled_from(["", "d0", "d5"]), st.integers(0, 2), st.sampled_from(POWERS))
def test_the_fast_ndcg_equals_the_slow_one(seed: int, own: str, lost: int, power: float) -> None:
    found, judgements = ranking(seed), grades(seed, [i for i in IDS if i != own])
    judgements |= {f"lost{i}": 3 for i in range(lost)}
    if own:
        judgements[own] = 3
    random = np.random.default_rng(seed)
    weights = FusionParameters({n: float(random.choice(GRID)) for n in LANES}, power)
    fast = mean_ndcg([judged(found, judgements, IDS, own)], weights)
    assert fast == pytest.approx(slow_ndcg(found, judgements, weights, own))


def test_the_mean_is_that_of_its_queries() -> None:
    some = rows(3)
    alone = [mean_ndcg([row], START) for row in some]
    assert mean_ndcg(some, START) == pytest.approx(sum(alone) / len(alone))


def test_what_is_fitted_is_what_runs() -> None:
    """The figure of a fit is the evaluator's nDCG of the sum, on a real set."""
    words = ["gpu", "node", "switch", "disk", "full", "ecc", "port", "down"]
    random = np.random.default_rng(1)
    documents = tuple(
        Document(f"d{i}", "", " ".join(random.choice(words, 5)) + f" mark{i}") for i in range(15)
    )
    queries = tuple(
        Query(f"d{i}" if i < 3 else f"q{i}", " ".join(random.choice(words, 3))) for i in range(6)
    )
    qrels = {q.id: {f"d{(i * 5 + 7) % 15}": 1, f"d{i + 8}": 2} for i, q in enumerate(queries)}
    data, chosen = EvalSet("real", documents, queries, qrels), parameters()
    report = evaluate(data, ENCODER, parameters=chosen, lanes=("hybrid",))
    retriever = build_retriever(documents, passages_of(documents), ENCODER, chosen, lambda *_: None)
    ids = [d.id for d in documents]
    found = [
        judged(r, qrels[q.id], ids, q.id)
        for q, r in rankings(data, retriever, ENCODER, {}, lambda *_: None)
    ]
    value = report.interval("hybrid", "ndcg@10").value
    assert mean_ndcg(found, chosen.fusion) == pytest.approx(value)
    assert 0 < value < 1


@settings(deadline=None, max_examples=15)
@given(SEEDS, st.integers(1, 3))
def test_fitting_never_makes_the_mean_worse(seed: int, count: int) -> None:
    sets = {f"s{i}": rows(seed + 50 * i) for i in range(count)}

    def mean(weights: FusionParameters) -> float:
        return float(np.mean([mean_ndcg(some, weights) for some in sets.values()]))

    best = fit_weights(sets, START)
    assert mean(best) >= mean(START)
    assert best.weights.keys() == START.weights.keys()
    assert best.weights[FIXED] == 1.0
    assert set(best.weights.values()) <= {*GRID, 1.0}
    assert best.coverage_power in POWERS
    assert START.weights == dict.fromkeys(LANES, 1.0)
    # The same again, and nothing more is gained from there but what a new round may find.
    assert fit_weights(sets, START) == best
    assert mean(fit_weights(sets, best)) >= mean(best)


def known_truth(seed: int, truth: Mapping[str, float], queries: int = 30) -> list[JudgedRanking]:
    """Queries whose relevant documents are the best ones by a sum with known weights."""
    found = []
    for i in range(queries):
        random = np.random.default_rng(seed * 1000 + i)
        lanes = {name: random.normal(size=40) for name in LANES}
        one = Ranking(lanes, {}, np.zeros(0, np.float32), 1.0, 40)
        summed = total(fuse(lanes, FusionParameters(truth, 0.5), 1.0))
        best = np.argsort(-summed, kind="stable")[:5]
        ids = [str(n) for n in range(40)]
        found.append(judged(one, {str(d): 5 - rank for rank, d in enumerate(best)}, ids))
    return found


@pytest.mark.parametrize(
    "truth",
    [
        {"dense": 2.0, "words": 1.0, "grams": 0.0, "late": 0.5},
        {"dense": 0.0, "words": 1.0, "grams": 1.0, "late": 0.0},
        {"dense": 0.5, "words": 1.0, "grams": 0.25, "late": 2.0},
    ],
)
def test_known_weights_are_found(truth: Mapping[str, float]) -> None:
    sets = {"a": known_truth(1, truth), "b": known_truth(2, truth)}
    best = fit_weights(sets, START)
    fresh = known_truth(3, truth)  # queries that the fit has not seen
    assert mean_ndcg(fresh, best) > mean_ndcg(fresh, START) + 0.02
    assert mean_ndcg(fresh, best) > 0.97
    for lane, weight in truth.items():
        near = [w for w in GRID if abs(GRID.index(w) - GRID.index(weight)) <= 1]
        assert best.weights[lane] in near


def test_a_lane_that_is_right_only_where_words_are_known_moves_the_power() -> None:
    """Words lead for queries that the corpus knows and mislead the others."""
    found = []
    for i in range(40):
        random = np.random.default_rng(i)
        good, noise = random.normal(size=30), 3 * random.normal(size=30)
        known = i % 2 == 0
        lanes = {"words": good if known else noise, "dense": good + 0.6 * random.normal(size=30)}
        one = Ranking(lanes, {}, np.zeros(0, np.float32), 1.0 if known else 0.01, 30)
        ids = [str(n) for n in range(30)]
        best = {str(d): 3 for d in np.argsort(-good)[:3]}
        found.append(judged(one, best, ids))
    start = FusionParameters({"words": 1.0, "dense": 0.25}, 0.0)
    best = fit_weights({"s": found}, start)
    assert best.coverage_power >= 0.5
    assert mean_ndcg(found, best) > mean_ndcg(found, replace(best, coverage_power=0.0)) + 0.05


def test_each_set_counts_once_however_large_it_is() -> None:
    """Many queries want the one lane, two small sets the other."""
    by_words = {"dense": 0.0, "words": 1.0, "grams": 0.0, "late": 0.0}
    by_dense = {"dense": 2.0, "words": 0.1, "grams": 0.0, "late": 0.0}
    large = known_truth(1, by_words, 60)
    small = {"b": known_truth(2, by_dense, 10), "c": known_truth(3, by_dense, 10)}
    alone = fit_weights({"a": large}, START)
    together = fit_weights({"a": large, **small}, START)
    assert alone.weights["dense"] == 0.0
    assert together.weights["dense"] >= 1.0


def test_a_gain_within_noise_changes_nothing() -> None:
    """Lanes that say the same: no weight is better than another, so all stay."""
    one = ranking(1)
    same = Ranking(dict.fromkeys(LANES, one.lanes["dense"]), {}, one.passages, 1.0, 12)
    some = [judged(same, grades(1, IDS), IDS)]
    assert fit_weights({"s": some}, START) == START


def test_the_order_of_sets_and_queries_does_not_matter() -> None:
    sets = {f"s{i}": rows(60 * i) for i in range(3)}
    turned = {name: list(reversed(sets[name])) for name in reversed(sets)}
    assert fit_weights(sets, START) == fit_weights(turned, START)


def test_what_is_left_out_was_not_seen() -> None:
    sets = {f"s{i}": rows(70 * i) for i in range(3)}
    told: list[str] = []
    found = left_out(sets, START, told.append)
    assert list(found) == ["s0", "s1", "s2"]
    for name, value in found.items():
        others = {other: some for other, some in sets.items() if other != name}
        assert value == mean_ndcg(sets[name], fit_weights(others, START))
    assert told == [f"without {name}: {value:.4f}" for name, value in found.items()]
    # What a set says of itself cannot reach its figure.
    changed = {**sets, "s0": rows(999)}
    assert left_out(changed, START)["s0"] == mean_ndcg(
        changed["s0"], fit_weights({n: sets[n] for n in ("s1", "s2")}, START)
    )


@pytest.mark.filterwarnings("error")
def test_sets_without_a_judged_query_count_nothing() -> None:
    some = rows(5)
    assert fit_weights({"a": some, "empty": []}, START) == fit_weights({"a": some}, START)
    assert fit_weights({}, START) == START
    assert left_out({"a": some, "empty": []}, START) == {"a": mean_ndcg(some, START)}


def test_each_round_is_told() -> None:
    told: list[str] = []
    sets = {"s": rows(11)}
    best = fit_weights(sets, START, told.append)
    assert [line.partition(":")[0] for line in told] == [f"round {n + 1}" for n in range(len(told))]
    assert told[-1].endswith(f"{mean_ndcg(sets['s'], best):.4f}")
    assert len(told) <= 3


def test_a_query_that_nothing_answers_is_refused() -> None:
    for nothing in ({}, {"d1": 0}, {"d3": 3}):
        with pytest.raises(ValueError, match="no grade above 0"):
            judged(ranking(1), nothing, IDS, own="d3")


def test_the_own_document_is_in_neither_gains_nor_statistics() -> None:
    one = ranking(4)
    lanes = {name: scores.copy() for name, scores in one.lanes.items()}
    for scores in lanes.values():
        scores[2] = 1000.0
    loud = Ranking(lanes, {}, one.passages, one.known_share, 12)
    judgements = {"d1": 1, "d2": 3, "d7": 2}
    plain, other = (judged(r, judgements, IDS, own="d2") for r in (one, loud))
    assert plain.gains.tolist() == other.gains.tolist()
    assert plain.gains[~plain.answers].tolist() == [0]
    assert plain.ideal == pytest.approx(3 + 1 / math.log2(3))
    own = int(np.flatnonzero(~plain.answers)[0])
    for name, scores in plain.lanes.items():
        assert np.allclose(np.delete(scores, own), np.delete(other.lanes[name], own))
    assert mean_ndcg([plain], START) == mean_ndcg([other], START)
