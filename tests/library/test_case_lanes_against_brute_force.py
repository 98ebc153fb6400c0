"""The lanes between two cases against slow, obvious twins."""

from __future__ import annotations

import numpy as np
import pytest

from embeddings import fitted
from kg.graph import IncidentGraph
from kg.library import Library
from kg.library.lanes import (
    CASE_WEIGHTS,
    DENSE_SPAN,
    DENSE_ZERO,
    GRAPH_HALF,
    LANES,
    LIKENESS_FIELDS,
    Lanes,
)
from kg.queries.sharing import KIND_WEIGHTS
from tests.helpers import twins
from tests.helpers.libraries import make_snapshot
from tests.helpers.random_cases import random_cases
from tests.helpers.tiny import tiny_vocabulary

CASE = "IL-0480"


@pytest.fixture(scope="module")
def lanes(quick: Library) -> Lanes:
    return Lanes(quick._snapshot, quick.graph)


def pooled(quick: Library, vector: np.ndarray) -> dict[str, float]:
    """Best passages of each case, one passage at a time."""
    few = fitted().dense
    found: dict[str, list[float]] = {}
    for passage, other in zip(quick._snapshot.passages, quick._snapshot.vectors, strict=True):
        cosine = sum(float(x) * float(y) for x, y in zip(vector, other, strict=True))
        found.setdefault(passage.case_id, []).append(cosine)
    scores = {}
    for case_id, cosines in found.items():
        best = sorted(cosines, reverse=True)[: few.best_of]
        scores[case_id] = few.best_share * best[0] + (1 - few.best_share) * sum(best) / len(best)
    return scores


def calibrated(quick: Library, cosine: float) -> float:
    mean, deviation = quick._snapshot.background
    return min(1.0, max(0.0, ((cosine - mean) / deviation - DENSE_ZERO) / DENSE_SPAN))


def test_dense_is_the_mean_over_what_happened(quick: Library, lanes: Lanes) -> None:
    others = [i for i in lanes.ids if i != CASE]
    scores = lanes.for_case(CASE, others)
    rows = [
        pooled(quick, vector)
        for passage, vector in zip(quick._snapshot.passages, quick._snapshot.vectors, strict=True)
        if passage.case_id == CASE and passage.field in LIKENESS_FIELDS
    ]
    assert rows
    for other in others:
        mean = sum(row[other] for row in rows) / len(rows)
        found = scores.lanes["dense"][lanes.row[other]]
        assert found == pytest.approx(calibrated(quick, mean), abs=1e-5)


def test_words_are_a_share_of_the_cases_own(quick: Library, lanes: Lanes) -> None:
    text = " ".join(t for f, _, t in quick.get(CASE).texts() if f in LIKENESS_FIELDS)
    scores = lanes.for_case(CASE, list(lanes.ids)).lanes["words"]
    told = [
        sum(value for _, value in lanes.word_index.explain(text, row)) for row in range(len(scores))
    ]
    own = told[lanes.row[CASE]]
    assert scores == pytest.approx([min(1.0, t / own) for t in told], abs=1e-5)
    assert scores[lanes.row[CASE]] == 1


def test_graph_is_shared_weight_that_saturates(quick: Library, lanes: Lanes) -> None:
    found = lanes.for_case(CASE, list(lanes.ids)).lanes["graph"]
    rows = {i: twins.weights(quick.graph, quick.vocabulary, i) for i in lanes.ids}
    rarities = {t: twins.rarity(n, len(rows)) for t, n in twins.frequencies(rows).items()}
    for other in lanes.ids:
        shared = twins.overlap(rows[CASE], rows[other], rarities, KIND_WEIGHTS)
        assert found[lanes.row[other]] == pytest.approx(shared / (shared + GRAPH_HALF))


def test_parts_are_weighted_lanes_and_add_up(lanes: Lanes) -> None:
    scores = lanes.for_case(CASE, list(lanes.ids))
    for name, part in scores.parts.items():
        assert part == pytest.approx(CASE_WEIGHTS[name] * scores.lanes[name], abs=1e-6)
        assert (scores.lanes[name] >= 0).all()
        assert (scores.lanes[name] <= 1).all()
    assert scores.total == pytest.approx(sum(scores.parts.values()), abs=1e-9)


def test_cases_that_are_not_allowed_do_not_move_the_others(lanes: Lanes) -> None:
    every = lanes.for_case(CASE, [i for i in lanes.ids if i != CASE])
    only = lanes.for_case(CASE, ["IL-0126"])
    row = lanes.row["IL-0126"]
    assert only.total[row] == pytest.approx(every.total[row], abs=1e-5)
    assert lanes.best_passages(only, "IL-0126", 3) == lanes.best_passages(every, "IL-0126", 3)


def test_weights_add_up_to_one() -> None:
    assert set(CASE_WEIGHTS) == set(LANES)
    assert sum(CASE_WEIGHTS.values()) == pytest.approx(1)


@pytest.mark.parametrize(("count", "candidates"), [(1, 400), (2, 3), (40, 400), (40, 7), (90, 1)])
def test_all_cases_at_once_give_what_one_by_one_gives(
    count: int, candidates: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.library.lanes.CANDIDATES", candidates)
    cases = sorted(random_cases(count, seed=count), key=lambda c: c.id)
    snapshot = make_snapshot(cases, tiny_vocabulary())
    lanes = Lanes(snapshot, IncidentGraph(snapshot.cases, snapshot.vocabulary))
    for case_id, scores in lanes.for_every_case():
        others = [i for i in lanes.ids if i != case_id]
        slow = lanes.for_case(case_id, others)
        kept = [lanes.row[i] for i in others]
        assert scores.total[kept].tolist() == slow.total[kept].tolist()
        assert all(
            scores.parts[lane][kept].tolist() == slow.parts[lane][kept].tolist() for lane in LANES
        )
