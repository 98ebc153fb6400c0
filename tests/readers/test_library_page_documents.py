"""Pages of an incident library: the page of a case, and a list of cases."""

from __future__ import annotations

import pytest

from kg.model import CaseKind, ClaimKind, SourceKind
from kg.readers.formats.library_page import FORMAT
from kg.readers.libraryline import chips
from tests.helpers.drafts import document, only, read, said, times

TITLE = "GPU 24장 학습이 체크포인트 저장에서 멈췄다"


@pytest.fixture(params=["case.txt", "case.html"])
def name(request: pytest.FixtureRequest) -> str:
    return f"library-page/{request.param}"


def test_the_head_of_a_page(name: str) -> None:
    draft = only(FORMAT, name)
    assert (draft.source_id, draft.organization, draft.domain) == (
        "IL-9001",
        "Hanbit Labs",
        "ai-infra",
    )
    assert draft.title == TITLE
    assert times(draft) == {"published": "2025-03-11"}
    assert draft.lang == "ko"
    assert draft.source is not None
    assert draft.source.kind is SourceKind.LIBRARY


def test_the_values_of_a_page(name: str) -> None:
    draft = only(FORMAT, name)
    assert draft.severity is None
    assert draft.time_to_recover is None
    assert draft.time_to_detect is not None
    assert (draft.time_to_detect.seconds, draft.time_to_detect.text) == (7200, "2h")
    assert draft.regions == ("ap-seoul", "ap-busan")
    assert draft.text("affected_users") == ""
    assert draft.none == ()


def test_the_texts_of_a_page(name: str) -> None:
    draft = only(FORMAT, name)
    assert draft.text("summary").count("\n\n") == 1
    assert [p.field for p in draft.passages] == [
        "summary", "impact", "symptom", "trigger", "detection", "follow_up", "lesson",
    ]  # fmt: skip
    assert draft.text("symptom").split("\n\n")[1] == "처리량은 0 이었다."
    assert draft.text("trigger") == "저장소가 잠시 끊겼다."
    assert draft.text("follow_up").split("\n\n") == [
        "저장 앞뒤에 점검을 넣었다.",
        "저장소 연결을 미리 연다.",
    ]


def test_the_language_of_a_field_that_differs(name: str) -> None:
    draft = only(FORMAT, name)
    assert {p.field: p.lang for p in draft.passages if p.lang} == {"impact": "en"}


def test_labels_that_ran_together_are_divided(name: str) -> None:
    given = only(FORMAT, name).given
    assert [(g.kind, g.name) for g in given] == [
        (ClaimKind.SYMPTOM, "NCCL 타임아웃"),
        (ClaimKind.SYMPTOM, "학습 작업 실패"),
    ]


def test_links_sources_and_related_cases(name: str) -> None:
    draft = only(FORMAT, name)
    assert {link.rel: link.href for link in draft.links} == {
        "source": "https://blog.example.com/hang",
        "json": "https://api.library.example/cases/IL-9001",
        "similar": "https://api.library.example/cases/IL-9001/similar",
        "mcp": "https://mcp.library.example/mcp",
    }
    assert draft.related == ("IL-0480",)


def test_an_empty_heading_is_not_captured_and_not_none(name: str) -> None:
    draft = only(FORMAT, name)
    assert draft.text("mitigation") == ""
    assert "mitigation" not in draft.none
    assert "'조치' has no text" in said(draft)


def test_text_and_html_of_a_page_say_the_same() -> None:
    text, html = only(FORMAT, "library-page/case.txt"), only(FORMAT, "library-page/case.html")
    assert [(p.field, p.text, p.heading) for p in text.passages] == [
        (p.field, p.text, p.heading) for p in html.passages
    ]
    assert (text.given, text.links, text.dates) == (html.given, html.links, html.dates)


def test_dashes_in_lists() -> None:
    page = document("library-page/case.txt").text
    lines = page.replace("심각도\n–", "- 심각도\n- –").replace(
        "감지까지\n2h", "- 감지까지\n- 약 3시간"
    )
    draft = only(FORMAT, "a.txt", lines)
    assert draft.severity is None
    assert draft.time_to_detect is not None
    assert (draft.time_to_detect.seconds, draft.time_to_detect.approx) == (10800, True)


def test_a_study_states_the_time_that_it_looked_at() -> None:
    page = document("library-page/case.txt").text.replace(
        "한빛랩스는 GPU 24장으로 모델을 학습했다.",
        "연구진은 2024년 2월 1일부터 4월 30일까지 작업 1,204개의 기록을 분석했다.",
    )
    draft = only(FORMAT, "a.txt", page)
    assert draft.kind is CaseKind.STUDY
    assert times(draft) == {
        "published": "2025-03-11",
        "started": "2024-02-01",
        "ended": "2024-04-30",
    }


def test_a_list_of_cases() -> None:
    drafts, problems = read(FORMAT, "library-page/list.txt")
    assert problems == []
    assert [d.source_id for d in drafts] == ["IL-9101", "IL-9102", ""]
    first, second, third = drafts
    assert [p.field for p in first.passages] == [
        "symptom", "trigger", "detection", "mitigation", "lesson",
    ]  # fmt: skip
    assert first.text("mitigation").split("\n\n") == [
        "게이트웨이를 두 개로 늘렸다.",
        "재시도를 넣었다.",
    ]
    assert (second.organization, times(second)) == ("Borealis", {"published": "2024"})
    assert second.kind is CaseKind.SERIES
    assert [(g.kind, g.name) for g in second.given] == [(ClaimKind.CAUSE, "하드웨어 고장")]
    assert third.title == "설명이 짧다."


def test_a_card_is_tied_to_an_id_by_clear_words_only() -> None:
    drafts, _ = read(FORMAT, "library-page/list.txt")
    assert "IL-9101 by the words they share" in said(drafts[0])
    assert "does not tie this card to an id" in said(drafts[2])
    assert drafts[2].given == ()


def test_cards_with_their_own_ids() -> None:
    card = "{}\n증상\n작업이 죽었다 {}.\n감지\n경보.\n교훈\n배웠다.\n"
    text = (
        "Incident Library\n" + card.format("IL-1 첫 번째", "가") + card.format("IL-2 두 번째", "나")
    )
    drafts, _ = read(FORMAT, "a.txt", text)
    assert [(d.source_id, d.title) for d in drafts] == [("IL-1", "첫 번째"), ("IL-2", "두 번째")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("NCCL 타임아웃학습 작업 실패", ["NCCL 타임아웃", "학습 작업 실패"]),
        ("학습 작업 실패", ["학습 작업 실패"]),
        ("a¦b c", ["a", "b c"]),
        ("학습 작업이 멈췄다", None),
        ("", []),
    ],
)
def test_labels(text: str, found: list[str] | None) -> None:
    assert chips(text, "symptom") == found


def test_recognition() -> None:
    for path in ("case.txt", "case.html", "list.txt"):
        assert FORMAT.sure(document(f"library-page/{path}")) > 0.9
    assert FORMAT.sure(document("a.txt", "IL-1 is broken")) == 0.0
    assert FORMAT.sure(document("a.txt", "")) == 0.0
    drafts, (problem,) = read(FORMAT, "a.txt", "Incident Library\nnothing")
    assert drafts == []
    assert "neither" in problem.message
