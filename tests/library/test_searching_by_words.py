"""Search by words alone: exact names, no encoder, filters, and cases without the words left out."""

from __future__ import annotations

import pytest

from kg.errors import BadQuery
from kg.library import Library


@pytest.mark.parametrize(
    ("query", "case_id"),
    [
        ("NCCL_IB_TIMEOUT", "IL-0023"),
        ("KillOnBadExit", "IL-0125"),
        ("evenfix", "IL-0480"),
        ("planned GC", "IL-0417"),
    ],
)
def test_exact_names_come_first(quick, query, case_id):
    hits = quick.search_words(query)
    assert hits.ids[0] == case_id
    best = hits[0]
    assert best.probability is None
    assert best.score == pytest.approx(best.parts["words"])
    assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)


def test_passages_are_those_that_have_the_words(quick):
    for hit in quick.search_words("NCCL_IB_TIMEOUT", 1):
        assert hit.passages
        for p in hit.passages:
            assert "NCCL_IB_TIMEOUT" in p.text
            stored = quick.get(hit.id).text(p.field, p.lang)
            assert stored[p.start : p.end] == p.text


def test_the_words_lane_is_the_one_of_the_whole_search(quick):
    query = "NCCL_IB_TIMEOUT InfiniBand port"
    alone = {h.id: h.parts["words"] for h in quick.search_words(query, 8)}
    whole = quick.search(query, 8, threshold=0.0)
    assert {h.id: h.parts["words"] for h in whole if h.id in alone} == pytest.approx(alone)


def test_no_encoder_is_asked(quick, monkeypatch):
    with Library(quick.path) as library:
        monkeypatch.setattr(Library, "encoder", property(lambda _: pytest.fail("asked")))
        assert library.search_words("NCCL timeout 으로 학습이 죽음").ids


def test_filters_and_number(quick):
    assert quick.search_words("NCCL", 2).ids == quick.search_words("NCCL", 8).ids[:2]
    assert quick.search_words("NCCL", 8, organization="Meta").ids == ("IL-0127",)
    wanted = quick.filter(organization="Meta")
    assert quick.search_words("NCCL", 8, wanted=wanted).ids == ("IL-0127",)


def test_cases_without_any_of_the_words_are_no_hits(quick):
    hits = quick.search_words("qqqqzzzz")
    assert (hits.ids, hits.weaker) == ((), ())


@pytest.mark.parametrize(("text", "k"), [("", 5), ("?!", 5), ("NCCL", 0)])
def test_what_cannot_be_searched_is_refused(quick, text, k):
    with pytest.raises(BadQuery):
        quick.search_words(text, k)


def test_words_cross_between_the_languages(quick):
    assert quick.search_words("스트래글러 때문에 느려진 학습").ids[0] == "IL-0417"
    assert quick.search_words("straggler slowed down training").ids[0] == "IL-0417"
