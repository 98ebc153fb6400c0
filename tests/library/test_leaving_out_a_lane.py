"""What `parts` says of a lane is what the score loses without it."""

from __future__ import annotations

from itertools import combinations

import pytest

from kg.errors import BadQuery
from kg.library import Library
from kg.library.text_lanes import LANES

QUESTIONS = [
    "NCCL watchdog timeout, power dropped to 190 W, training stopped",
    "학습이 NCCL 타임아웃으로 죽었다",
    "Loss spikes after a restart; we skipped the data and went on. " * 15,
    "sourdough bread",
]
SOME = [c for n in range(1, len(LANES) + 1) for c in combinations(LANES, n)]


@pytest.mark.parametrize("text", QUESTIONS, ids=["en", "ko", "long", "off"])
@pytest.mark.parametrize("without", SOME, ids="-".join)
def test_each_hit_loses_exactly_what_its_parts_said(
    quick: Library, text: str, without: tuple[str, ...]
) -> None:
    whole = {h.id: h for h in quick.search(text, k=99, threshold=0.0)}
    rest = {h.id: h for h in quick.search(text, k=99, threshold=0.0, without=without)}
    assert whole.keys() == rest.keys() == set(quick.cases)
    for case_id, hit in rest.items():
        before = whole[case_id]
        lost = sum(before.parts[lane] for lane in without)
        assert hit.score == pytest.approx(before.score - lost, abs=2e-6)
        assert hit.parts == {k: v for k, v in before.parts.items() if k not in without}


@pytest.mark.parametrize("lane", LANES)
def test_a_filter_changes_nothing_of_it(quick: Library, lane: str) -> None:
    how = {"k": 99, "threshold": 0.0, "kind": "incident"}
    whole = {h.id: h for h in quick.search(QUESTIONS[0], **how)}
    for hit in quick.search(QUESTIONS[0], without=[lane], **how):
        before = whole[hit.id]
        assert hit.score == pytest.approx(before.score - before.parts[lane], abs=2e-6)


def test_the_order_is_by_what_is_left(quick: Library) -> None:
    hits = quick.search(QUESTIONS[0], k=99, threshold=0.0, without=["words", "late"])
    left = [sum(h.parts.values()) for h in hits]
    assert left == sorted(left, reverse=True)
    assert len(set(left)) > 1


def test_without_any_lane_every_case_is_as_good_as_another(quick: Library) -> None:
    hits = quick.search(QUESTIONS[0], k=99, threshold=0.0, without=LANES)
    assert {h.score for h in hits} == {0.0}
    assert len({h.probability for h in hits}) == 1
    assert list(hits.ids) == sorted(quick.cases)


@pytest.mark.parametrize("without", [["word"], ["dense", "grams"], "words", ["hybrid"]])
def test_a_lane_that_is_not_there_is_refused(quick: Library, without: object) -> None:
    with pytest.raises(BadQuery, match="dense, words, graph, late"):
        quick.search(QUESTIONS[0], without=without)


@pytest.mark.parametrize("diversity", [-0.1, 1.1, float("nan")])
def test_diversity_is_a_share(quick: Library, diversity: float) -> None:
    with pytest.raises(BadQuery, match="diversity"):
        quick.search(QUESTIONS[0], diversity=diversity)


@pytest.mark.parametrize("without", ["words", ("wrods",)])
def test_only_known_lanes_can_be_left_out(quick: Library, without: object) -> None:
    with pytest.raises(BadQuery, match="no lane"):
        quick.search("NCCL timeout on an H100", without=without)  # type: ignore[arg-type]
