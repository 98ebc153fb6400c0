"""What a ranking promises: deletion, order, ties, filters, the own document, large corpora."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_corpus import CORPUS, ENCODER, LANES, QUERY, build, parameters, slow_cosines, slow_first

from embeddings import Ranking, embed_query, retriever
from embeddings.fitted import FusionParameters

# Late interaction looks at few, so that what it looks at could change.
FEW = parameters(documents=2, passages=1)
FEW_OR_ALL = st.sampled_from([FEW, parameters()])


def ranking(corpus: list[list[str]], query: str, chosen: Any = FEW, **how: Any) -> Ranking:
    graph = np.array([len(d) % 3 for d in corpus], dtype=float)
    asked = embed_query(ENCODER, query)
    return build(corpus, chosen).rank(asked, extra={"graph": graph}, **how)


def names_of(lane: str) -> tuple[str, ...]:
    """The words lane is two."""
    return ("words", "grams", "bridge") if lane == "words" else (lane,)


@settings(deadline=None, max_examples=50)
@given(CORPUS, QUERY, FEW_OR_ALL, st.sampled_from(LANES))
def test_leaving_out_a_lane_takes_away_just_what_its_part_said(
    corpus: list[list[str]], query: str, chosen: Any, lane: str
) -> None:
    whole = ranking(corpus, query, chosen)
    rest = ranking(corpus, query, chosen, without=names_of(lane))
    assert lane not in rest.parts
    assert rest.lanes.keys() == whole.lanes.keys() - set(names_of(lane))
    assert (whole.total - rest.total).tolist() == pytest.approx(
        whole.parts[lane].tolist(), abs=2e-9
    )
    for name, part in rest.parts.items():
        assert np.array_equal(part, whole.parts[name])


@settings(deadline=None, max_examples=50)
@given(CORPUS, QUERY, st.sets(st.sampled_from(["dense", "words", "grams", "graph"])))
def test_what_late_interaction_looks_at_does_not_hang_on_the_lanes_left_out(
    corpus: list[list[str]], query: str, gone: set[str]
) -> None:
    whole = ranking(corpus, query)
    rest = ranking(corpus, query, without=sorted(gone))
    assert np.array_equal(whole.lanes["late"], rest.lanes["late"], equal_nan=True)
    assert np.array_equal(whole.passages, rest.passages)


def test_left_out_lanes_would_have_led_late_interaction_elsewhere() -> None:
    """So the test above can fail: by words alone other documents come first."""
    corpus = [["gpu gpu gpu"], ["gpu node ecc"], ["disk full"], ["switch"]]
    by_graph = {"graph": np.array([0.0, 0.0, 5.0, 9.0])}
    chosen = replace(FEW, fusion=FusionParameters({"graph": 9.0, "words": 0.1, "late": 1.0}, 0.5))
    retrieved, asked = build(corpus, chosen), embed_query(ENCODER, "gpu")
    with_graph = retrieved.rank(asked, extra=by_graph, without=("graph",)).lanes["late"]
    without_graph = retrieved.rank(asked).lanes["late"]
    assert np.isfinite(with_graph).tolist() == [False, False, True, True]
    assert np.isfinite(without_graph).tolist()[:2] == [True, True]


@settings(deadline=None, max_examples=50)
@given(CORPUS, QUERY)
def test_a_third_of_the_words_lane_may_be_left_out(corpus: list[list[str]], query: str) -> None:
    whole, thirds = ranking(corpus, query), ("words", "grams", "bridge")
    others = [ranking(corpus, query, without=(name,)).parts["words"] for name in thirds]
    both = sum(others) / 2
    assert both.tolist() == pytest.approx(whole.parts["words"].tolist(), abs=2e-6)


def test_without_any_lane_every_score_is_zero() -> None:
    found = ranking(
        [["gpu"], ["node"]], "gpu", without=("dense", "words", "grams", "bridge", "graph", "late")
    )
    assert found.parts == {}
    assert found.total.tolist() == [0, 0]


def test_leaving_out_what_is_not_there_changes_nothing() -> None:
    corpus = [["gpu"], ["node switch"]]
    assert np.array_equal(
        ranking(corpus, "gpu", without=("tags",)).total, ranking(corpus, "gpu").total
    )


DIFFERENT = CORPUS.map(lambda corpus: [[*d, f"mark{i}"] for i, d in enumerate(corpus)])


@settings(deadline=None, max_examples=50)
@given(DIFFERENT, QUERY, st.randoms())
def test_the_order_of_documents_does_not_matter(
    corpus: list[list[str]], query: str, random: Any
) -> None:
    order = list(range(len(corpus)))
    random.shuffle(order)
    before = ranking(corpus, query, parameters())
    after = ranking([corpus[i] for i in order], query, parameters())
    assert after.total.tolist() == pytest.approx(before.total[order].tolist(), abs=1e-4)
    for name, part in after.parts.items():
        assert part.tolist() == pytest.approx(before.parts[name][order].tolist(), abs=1e-4)
    assert after.known_share == pytest.approx(before.known_share)


@settings(deadline=None, max_examples=50)
@given(CORPUS, QUERY)
def test_the_order_of_words_in_a_query_does_not_matter_to_the_words(
    corpus: list[list[str]], query: str
) -> None:
    backwards = " ".join(query.split()[::-1])
    one, other = ranking(corpus, query), ranking(corpus, backwards)
    assert np.array_equal(one.parts["words"], other.parts["words"])
    assert one.known_share == other.known_share


@settings(deadline=None, max_examples=50)
@given(CORPUS, QUERY)
def test_equal_documents_have_equal_scores(corpus: list[list[str]], query: str) -> None:
    found = ranking([*corpus, *corpus], query, parameters())
    half = len(corpus)
    assert np.array_equal(found.total[:half], found.total[half:])


def test_of_equal_documents_the_first_ones_are_looked_at() -> None:
    found = ranking([["gpu node"]] * 5, "gpu", parameters(documents=2))
    assert np.isfinite(found.lanes["late"]).tolist() == [True, True, False, False, False]
    # Five equal documents, of which late interaction saw two: still no reason to part them.
    assert len(set(found.total.tolist())) == 1


@settings(deadline=None, max_examples=50)
@given(CORPUS, QUERY, st.data())
def test_a_filter_moves_no_score(corpus: list[list[str]], query: str, data: st.DataObject) -> None:
    """But for what late interaction looks at in addition: the best of those that are left."""
    allowed = sorted(data.draw(st.sets(st.integers(0, len(corpus) - 1))))
    chosen = replace(FEW, dense=replace(FEW.dense, candidates=3))
    free = ranking(corpus, query, chosen)
    bound = ranking(corpus, query, chosen, allowed=np.array(allowed, dtype=np.int64))
    first = ranking(corpus, query, chosen, without=("late",)).total.tolist()
    for name in ("dense", "words", "graph"):
        assert bound.parts[name].tolist() == pytest.approx(free.parts[name].tolist(), abs=1e-4)
    wanted = {*slow_first(first, range(len(corpus)), 2), *slow_first(first, allowed, 2)}
    looked = np.flatnonzero(np.isfinite(bound.lanes["late"])).tolist()
    assert looked == [d for d in sorted(wanted) if corpus[d]]
    before = np.isfinite(free.lanes["late"])
    same = [d for d in range(len(corpus)) if before[d] or d not in wanted]
    assert np.array_equal(bound.lanes["late"][same], free.lanes["late"][same], equal_nan=True)
    assert np.array_equal(bound.parts["late"][same], free.parts["late"][same])


@settings(deadline=None, max_examples=50)
@given(CORPUS, QUERY, st.data())
def test_the_order_in_which_documents_are_allowed_does_not_matter(
    corpus: list[list[str]], query: str, data: st.DataObject
) -> None:
    corpus = [*corpus, *corpus]  # with ties
    allowed = data.draw(st.lists(st.integers(0, len(corpus) - 1), unique=True))
    one = ranking(corpus, query, allowed=np.array(allowed, dtype=np.int64))
    other = ranking(corpus, query, allowed=np.array(sorted(allowed), dtype=np.int64))
    assert np.array_equal(one.total, other.total)
    assert np.array_equal(one.lanes["late"], other.lanes["late"], equal_nan=True)


@pytest.mark.filterwarnings("error")
def test_when_nothing_is_allowed_there_are_still_scores() -> None:
    corpus = [["gpu"], ["node"], ["switch"]]
    found = ranking(corpus, "gpu", allowed=np.zeros(0, dtype=np.int64))
    assert np.array_equal(found.total, ranking(corpus, "gpu").total)


@settings(deadline=None, max_examples=50)
@given(CORPUS, QUERY, st.lists(QUERY, min_size=1, max_size=3))
def test_the_own_document_moves_no_lane_of_the_others(
    corpus: list[list[str]], query: str, own: list[str]
) -> None:
    """Two things in its place that differ in all: the standard scores of the rest stay."""
    counted = np.array([*[True] * len(corpus), False])
    how = {
        "allowed": np.flatnonzero(counted),
        "counted": counted,
        "without": ("words", "grams", "bridge"),
    }
    one = ranking([*corpus, own], query, parameters(), **how)
    other = ranking([*corpus, ["zebra"]], query, parameters(), **how)
    assert np.isnan(one.lanes["late"][-1])
    for name in ("dense", "graph", "late"):
        mine, theirs = one.parts[name][:-1], other.parts[name][:-1]
        assert mine.tolist() == pytest.approx(theirs.tolist(), abs=1e-4)


def test_the_own_document_would_have_moved_them() -> None:
    corpus = [["gpu node"], ["disk full"], ["switch"], ["gpu fell off the bus"]]
    counted = np.array([True, True, True, False])
    query = corpus[3][0]
    plain, fair = ranking(corpus, query), ranking(corpus, query, counted=counted)
    assert plain.parts["words"][0] < 0 < fair.parts["words"][0]


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Corpora of more passages than this are not filled up."""

    def limit(passages: int) -> None:
        monkeypatch.setattr(retriever, "FILLED_UP_TO", passages)

    return limit


TEXTS = ["gpu node", "disk full", "switch", "gpu ecc", "node node disk", "gpu gpu", "训练", "ecc"]


@pytest.mark.parametrize("candidates", [1, 2, 3, 5, 8, 100])
def test_in_a_very_large_corpus_the_rest_counts_as_just_below_the_last_found(
    large: Callable[[int], None], candidates: int
) -> None:
    large(len(TEXTS) - 1)
    found = ranking([[text] for text in TEXTS], "gpu ecc", parameters(candidates)).passages
    exact = slow_cosines(TEXTS, ["gpu ecc"])
    order = sorted(range(len(TEXTS)), key=lambda row: (-exact[row], row))
    last = exact[order[:candidates][-1]]
    judge = [exact[row] if row in order[:candidates] else last for row in range(len(TEXTS))]
    assert found.tolist() == pytest.approx(judge, abs=1e-6)


def test_at_the_limit_a_corpus_is_filled_up(large: Callable[[int], None]) -> None:
    large(len(TEXTS))
    found = ranking([[text] for text in TEXTS], "gpu ecc", parameters(2)).passages
    assert found.tolist() == pytest.approx(slow_cosines(TEXTS, ["gpu ecc"]), abs=1e-6)


def test_a_very_large_corpus_has_the_same_best_passages(large: Callable[[int], None]) -> None:
    corpus = [[a, b] for a, b in zip(TEXTS, TEXTS[::-1], strict=True)]
    small = ranking(corpus, "gpu ecc", parameters(6)).passages
    large(0)
    found = ranking(corpus, "gpu ecc", parameters(6)).passages
    best = np.argsort(-small, kind="stable")[:6]
    assert np.argsort(-found, kind="stable")[:6].tolist() == best.tolist()
    assert np.array_equal(found[best], small[best])
    rest = found[[row for row in range(16) if row not in best]]
    assert rest.tolist() == pytest.approx([float(small[best[-1]])] * 10, abs=1e-6)
    assert rest.max() < small[best].min()  # what was found comes first, also where it ties


def test_a_filter_in_a_very_large_corpus(large: Callable[[int], None]) -> None:
    large(0)
    allowed = np.array([1, 2, 7])
    found = ranking([[text] for text in TEXTS], "gpu ecc", parameters(2), allowed=allowed)
    exact = slow_cosines(TEXTS, ["gpu ecc"])
    best = sorted(allowed.tolist(), key=lambda row: (-exact[row], row))[:2]
    assert found.passages[best].tolist() == pytest.approx([exact[row] for row in best], abs=1e-6)
    others = [row for row in range(len(TEXTS)) if row not in best]
    last = float(found.passages[best[1]])
    assert found.passages[others].tolist() == pytest.approx([last] * 6, abs=1e-6)
    # No passage among those allowed: nothing is found, and nothing breaks.
    none = ranking([*[[t] for t in TEXTS], []], "gpu", parameters(2), allowed=np.array([8]))
    assert set(none.passages.tolist()) == {-1.0}
    assert np.isfinite(none.total).all()
