"""F44 and what the issue asks of search: with the real encoder."""

from __future__ import annotations

import pytest

HANGS = ("IL-0428", "IL-0125", "IL-0023")


def test_f44_hangs_before_the_slowdown(lib):
    hits = lib.similar("IL-0480", k=7)
    order = hits.ids
    assert len(order) == 7
    assert "IL-0480" not in order
    for case_id in HANGS:
        assert order.index(case_id) < order.index("IL-0417"), order
    assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)
    assert order[0] == "IL-0428"


@pytest.mark.parametrize(
    ("lang", "cause", "hang", "slow"),
    [
        ("en", "mismatched collectives", "job hang", "training slowdown"),
        ("ko", "집합 통신 어긋남", "작업 멈춤", "학습 감속"),
    ],
)
def test_f44_the_difference_is_named(lib, lang, cause, hang, slow):
    hits = {h.id: h for h in lib.similar("IL-0480", k=7, lang=lang)}
    study = hits["IL-0417"]
    assert study.same_cause == "no"
    assert all(word in study.difference for word in (cause, hang, slow, "IL-0417"))
    assert str(lib.explain("IL-0480", "IL-0417", lang=lang)).count(cause)
    for case_id in HANGS:
        assert cause in hits[case_id].difference
    assert hits["IL-0428"].same_cause == "unknown"
    assert hits["IL-0125"].same_cause == hits["IL-0023"].same_cause == "no"


@pytest.mark.parametrize(
    "query",
    [
        "GPUs show 100 % but power fell to 190 W and nothing progresses",
        "GPU 사용률은 100%인데 전력이 190 W로 떨어지고 아무 진행이 없다",
    ],
)
def test_demo_query_finds_il_0480(lib, query):
    hits = lib.search(query)
    assert hits.ids[0] == "IL-0480"
    best = hits[0]
    assert best.score == pytest.approx(sum(best.parts.values()))
    assert best.passages
    case = lib.get("IL-0480")
    for passage in best.passages:
        assert case.text(passage.field, passage.lang)[passage.start : passage.end] == passage.text


@pytest.mark.parametrize(
    "query",
    [
        "sourdough bread recipe",
        "How do I reset a forgotten Outlook password?",
        "expired TLS certificate broke the checkout page of the web shop",
        "엑셀 피벗 테이블을 CSV로 내보내는 방법",
    ],
)
def test_nothing_similar(lib, query):
    hits = lib.search(query)
    assert hits.ids == ()
    assert hits.message
