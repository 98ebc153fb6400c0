"""The lanes against slow, obvious twins."""

from __future__ import annotations

import numpy as np
import pytest

from embeddings import tokenize
from kg.library import Library
from kg.library.lanes import (
    BEST_SHARE,
    CASE_WEIGHTS,
    DENSE_SPAN,
    DENSE_ZERO,
    GRAPH_HALF,
    LANES,
    LIKENESS_FIELDS,
    TEXT_WEIGHTS,
    Lanes,
)
from kg.queries.sharing import KIND_WEIGHTS

TEXT = "NCCL watchdog timeout, all_reduce stuck on rank 3"


@pytest.fixture(scope="module")
def lanes(quick: Library) -> Lanes:
    return Lanes(quick._snapshot, quick.graph)


def _pooled(quick: Library, vector: np.ndarray) -> dict[str, float]:
    """Best passages of each case, one passage at a time."""
    found: dict[str, list[float]] = {}
    for passage, other in zip(quick._snapshot.passages, quick._snapshot.vectors, strict=True):
        cosine = sum(float(x) * float(y) for x, y in zip(vector, other, strict=True))
        found.setdefault(passage.case_id, []).append(cosine)
    pooled = {}
    for case_id, cosines in found.items():
        best = sorted(cosines, reverse=True)[:3]
        pooled[case_id] = BEST_SHARE * best[0] + (1 - BEST_SHARE) * sum(best) / len(best)
    return pooled


def _calibrated(quick: Library, cosine: float) -> float:
    mean, deviation = quick._snapshot.background
    return min(1.0, max(0.0, ((cosine - mean) / deviation - DENSE_ZERO) / DENSE_SPAN))


def test_dense_of_a_text(quick: Library, lanes: Lanes) -> None:
    vector = quick.encoder.encode_queries([TEXT])
    scores = lanes.for_text([TEXT], vector, [], lanes.ids)
    judge = {i: _calibrated(quick, c) for i, c in _pooled(quick, vector[0]).items()}
    assert scores.lanes["dense"] == pytest.approx([judge[i] for i in lanes.ids], abs=1e-5)


def test_dense_of_a_case(quick: Library, lanes: Lanes) -> None:
    others = [i for i in lanes.ids if i != "IL-0480"]
    scores = lanes.for_case("IL-0480", others)
    rows = [
        _pooled(quick, vector)
        for passage, vector in zip(quick._snapshot.passages, quick._snapshot.vectors, strict=True)
        if passage.case_id == "IL-0480" and passage.field in LIKENESS_FIELDS
    ]
    for other in others:
        mean = sum(row[other] for row in rows) / len(rows)
        found = scores.lanes["dense"][lanes.row[other]]
        assert found == pytest.approx(_calibrated(quick, mean), abs=1e-5)


def test_a_long_text_counts_by_its_most_telling_part(quick: Library, lanes: Lanes) -> None:
    parts = [TEXT, "a node went down with an ECC error"]
    vectors = quick.encoder.encode_queries(parts)
    scores = lanes.for_text(parts, vectors, [], lanes.ids)
    rows = [_pooled(quick, v) for v in vectors]
    judge = [_calibrated(quick, max(r[i] for r in rows)) for i in lanes.ids]
    alone = [lanes.for_text([p], vectors[:1], [], lanes.ids).lanes["words"] for p in parts]
    assert scores.lanes["words"] == pytest.approx(np.max(alone, axis=0))
    assert scores.lanes["dense"] == pytest.approx(judge, abs=1e-5)


def test_words_are_a_share_of_what_could_be_reached(lanes: Lanes) -> None:
    index = lanes.word_index
    scores = lanes.for_text([TEXT], np.zeros((0, 64), np.float32), [], lanes.ids).lanes["words"]
    most = sum(index.idf(word) for word in set(tokenize(TEXT)))
    for i, case_id in enumerate(lanes.ids):
        told = sum(value for _, value in index.explain(TEXT, lanes.row[case_id]))
        assert scores[i] == pytest.approx(told / most, abs=1e-5)
        assert 0 <= scores[i] <= 1


def test_graph_of_a_case_is_shared_weight_that_saturates(quick: Library, lanes: Lanes) -> None:
    found = lanes.for_case("IL-0480", list(lanes.ids)).lanes["graph"]
    terms = quick.graph.terms
    mine = terms.row("IL-0480")
    for other in lanes.ids:
        theirs = terms.row(other)
        shared = sum(
            min(mine[t], theirs[t])
            * terms.rarity_by_term(t)
            * KIND_WEIGHTS.get(t.split(":")[0], 0.0)
            for t in mine.keys() & theirs.keys()
        )
        assert found[lanes.row[other]] == pytest.approx(shared / (shared + GRAPH_HALF))


def test_graph_of_a_text_ignores_what_it_denies(quick: Library, lanes: Lanes) -> None:
    nothing = np.zeros((0, 64), np.float32)
    for text in ("no OOM was seen", "네트워크 장애는 원인이 아니었다"):
        tags = quick.tag(text)
        assert all(t.negated for t in tags)
        assert not lanes.for_text([text], nothing, tags, lanes.ids).lanes["graph"].any()


def test_cases_that_are_not_allowed_are_not_searched(quick: Library, lanes: Lanes) -> None:
    vector = quick.encoder.encode_queries([TEXT])
    only = lanes.for_text([TEXT], vector, [], ["IL-0126"])
    best = lanes.best_passages(only, "IL-0126", 3)
    every = lanes.for_text([TEXT], vector, [], lanes.ids)
    assert best == lanes.best_passages(every, "IL-0126", 3)
    assert only.lanes["dense"][lanes.row["IL-0126"]] == pytest.approx(
        every.lanes["dense"][lanes.row["IL-0126"]]
    )


def test_weights_add_up_to_one() -> None:
    for weights in (TEXT_WEIGHTS, CASE_WEIGHTS):
        assert set(weights) == set(LANES)
        assert sum(weights.values()) == pytest.approx(1)
