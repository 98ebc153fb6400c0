"""F28 to F32, F34 to F36 and F40: filters, order, pages, cards, facets."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from kg.graph import Relation
from kg.queries.filters import filter_from_url, make_filter
from kg.queries.listing import CARD_FIELDS, top_components

SEED_LIST = ("IL-0023", "IL-0127", "IL-0025", "IL-0125", "IL-0126")


@pytest.fixture(scope="module")
def page(quick):
    return quick.list(symptom="학습 작업 실패", before="2026-08-06")


def test_f28_applied_filters(quick, vocabulary):
    wanted = quick.filter(symptom="학습 작업 실패")
    assert wanted.chips() == (("symptom", "training-job-failure"),)
    assert filter_from_url(vocabulary, wanted.to_url()) == wanted
    both = quick.filter(
        symptom=["학습 작업 실패", "NCCL 타임아웃"], domain="ai-infra", kind="incident"
    )
    for value in (wanted, both, quick.filter()):
        assert filter_from_url(vocabulary, value.to_url()) == value
        data = json.loads(json.dumps(value.facets()))
        assert make_filter(vocabulary, data) == value
    assert quick.list(wanted).filter == wanted
    label = vocabulary.get(wanted.terms["symptom"][0]).label
    assert (label.get("ko"), label.get("en")) == ("학습 작업 실패", "training job failure")


def test_f29_clear_all(quick):
    wanted = quick.filter(symptom="학습 작업 실패")
    assert quick.list(wanted).total < quick.list().total
    cleared = wanted.without("symptom", "training-job-failure")
    assert cleared == quick.filter()
    assert cleared.to_url() == ""
    assert quick.list(cleared).ids == quick.list().ids
    assert set(quick.list(cleared).ids) == set(quick.cases)


def test_f30_newest_first(quick, page):
    assert page.ids == SEED_LIST
    assert (page.sort, page.query) == ("recent", None)
    assert "newest first" in page.notice
    korean = quick.list(symptom="학습 작업 실패", lang="ko").notice
    assert all(words in korean for words in ("검색어 없이", "최근 사례부터"))
    for ids in (page.ids, quick.list().ids):
        days = [quick.get(i).sort_date() for i in ids]
        assert days == sorted(days, reverse=True)
    # The shipped library also holds IL-0480, which carries the symptom and is newer.
    assert quick.list(symptom="학습 작업 실패").ids == ("IL-0480", *SEED_LIST)


def test_f31_top_components(quick, vocabulary, page):
    assert [t for t, _ in page.top_components] == ["component:nccl", "component:pytorch"]
    assert quick.top_components(page.ids) == page.top_components
    assert quick.top_components(page.ids[::-1]) == page.top_components
    # Ties go by id, whatever the order of the cases.
    for ids in (["IL-0127", "IL-0126"], ["IL-0126", "IL-0127"]):
        ranked = top_components(quick.graph, vocabulary, ids, count=9)
        assert list(ranked) == sorted(ranked, key=lambda item: (-item[1], item[0]))
        assert {n for _, n in ranked} == {1}
    # Recomputed for the result at hand.
    assert quick.list(organization="BigScience").top_components != page.top_components
    assert {t for t, _ in quick.top_components(["IL-0126"])} == {"component:cloud-python-api"}


@pytest.mark.parametrize(
    "query",
    [
        "NCCL timeout 으로 학습이 죽음",
        "training died with an NCCL timeout",
        "NCCL 타임아웃으로 학습이 죽음",
        "NCCL 타임아웃 뒤 학습 작업 실패",
    ],
)
def test_f32_suggested_filters(quick, query):
    suggested = {e.id: e for e in quick.suggest(query)}
    assert set(suggested) == {
        "symptom:nccl-timeout",
        "symptom:training-job-failure",
        "component:nccl",
    }
    for entry in suggested.values():
        assert set(entry.labels) == {"en", "ko"}
        assert quick.list(**{entry.scheme: entry.id}).total == entry.count > 0


def test_f34_count(quick, page):
    assert page.total == len(page.items) == 5


def test_f35_range(quick):
    five = {"symptom": "학습 작업 실패", "before": "2026-08-06"}
    whole = quick.list(**five)
    assert (whole.total, whole.start, whole.end) == (5, 1, 5)
    parts = [quick.list(**five, offset=o, limit=2) for o in (0, 2, 4)]
    assert [(p.total, p.start, p.end) for p in parts] == [(5, 1, 2), (5, 3, 4), (5, 5, 5)]
    assert tuple(i for p in parts for i in p.ids) == whole.ids
    beyond = quick.list(**five, offset=5)
    assert (beyond.total, beyond.start, beyond.end, beyond.ids) == (5, 0, 0, ())
    assert quick.list(**five, offset=500).items == ()


def test_f36_card_fields(page):
    cards = json.loads(json.dumps([asdict(card) for card in page.items]))
    for card in cards:
        assert tuple(card["fields"]) == CARD_FIELDS
        assert len(card["fields"]) == 9
        for field in card["fields"].values():
            assert set(field) == {"state", "text", "terms"}
            assert (field["state"] == "stated") == bool(field["text"] or field["terms"])
    absent = {
        (number, name)
        for number, card in enumerate(cards, 1)
        for name, field in card["fields"].items()
        if field["state"] != "stated"
    }
    assert absent == {(2, "trigger"), (4, "follow_up")}


@pytest.mark.parametrize("facets", [{}, {"symptom": "학습 작업 실패", "before": "2026-08-06"}])
def test_f40_facet_counts(quick, facets):
    page = quick.list(**facets)
    assert set(page.facets["symptom"]) >= {("symptom:training-job-failure", 5 + (not facets))}
    for facet, values in page.facets.items():
        for term, count in values:
            given = {k: v for k, v in facets.items() if k != facet}
            terms = [term, *([facets[facet]] if facet in facets else [])]
            assert quick.list(**given, **{facet: terms}).total == count, term


def test_f40_vocabulary_counts(quick):
    checked = set()
    for entry in quick.vocab():
        assert entry.count == len(entry.cases)
        assert set(quick.list(**{entry.scheme: entry.id}).ids) == set(entry.cases), entry.id
        around = [e for e in quick.graph.edges_to(entry.id) if e.relation is Relation.CHECKED_BY]
        assert set(entry.checked) == {e.case_id for e in around}
        checked |= {entry.id} if around else set()
    # What checks a case is no property of it: no filter finds the case by it.
    assert checked == {"tool:kubegap", "tool:claude-code", "tool:codex", "component:kubernetes"}
    assert quick.list(component="kubernetes").total == 0
