"""Markdown postmortems after the common templates, with and without front matter."""

from __future__ import annotations

import pytest

from kg.model import CaseKind, SourceKind
from kg.readers.formats.markdown import FORMAT
from kg.readers.markdown import MOST
from tests.helpers.drafts import document, only, read, said, times


def test_the_template_of_the_sre_book() -> None:
    draft = only(FORMAT, "markdown/srebook.md")
    assert (draft.title, draft.source_id) == ("Label printer farm offline (incident #731)", "731")
    assert times(draft) == {
        "started": "2023-04-18T09:05Z",
        "detected": "2023-04-18T09:11Z",
        "ended": "2023-04-18T09:46Z",
    }
    fields = {p.heading: (p.field, p.text) for p in draft.passages}
    assert fields["Summary"] == ("summary", "No parcel labels could be printed for 41 minutes.")
    assert fields["Root Causes"][0] == "cause"
    assert fields["Trigger"][0] == "trigger"
    assert fields["Resolution"][0] == "mitigation"
    assert fields["Detection"][0] == "detection"
    assert fields["Action Items"][0] == "follow_up"
    assert fields["Action Items"][1].startswith("Cap the size of a batch | prevent")
    assert fields["What went well"] == ("lesson", "The alert named the right queue")
    assert fields["What went wrong"][0] == "lesson"
    assert fields["Timeline (all times UTC)"][0] == "summary"
    assert draft.people == ("tomas@print.example", "nadia", "Tomas Berg")
    assert [link.href for link in draft.links] == ["https://dash.print.example/spooler"]
    assert draft.time_to_detect is None
    assert draft.kind is CaseKind.INCIDENT


def test_every_time_says_where_its_day_is_from() -> None:
    draft = only(FORMAT, "markdown/srebook.md")
    assert "46 dates: a time was read with help: 09:11: the day is taken" in said(draft)
    assert "left out, since no field fits: Status" in said(draft)


def test_a_korean_report() -> None:
    draft = only(FORMAT, "markdown/korean.md")
    assert (draft.lang, draft.source_id, draft.severity) == ("ko", "INC-2024-031", "2등급")
    assert times(draft) == {
        "published": "2024-05-20",
        "started": "2024-05-17T22:50+09:00",
        "detected": "2024-05-17T22:59+09:00",
        "ended": "2024-05-18T00:25+09:00",
    }
    assert draft.services == ("orders-api", "my-page")
    assert draft.time_to_detect is not None
    assert draft.time_to_recover is not None
    assert (draft.time_to_detect.seconds, draft.time_to_detect.text) == (540, "9분")
    assert (draft.time_to_recover.seconds, draft.time_to_recover.text) == (5700, "1시간 35분")
    assert draft.none == ("affected_users",)
    assert draft.people == ("강하늘", "윤서진")
    assert draft.text("impact") == "주문 조회의 62% 가 실패했다."
    assert draft.text("cause").split("\n\n") == [
        "연결 풀의 크기가 1로 배포되었다.",
        "설정을 검사하는 단계가 없었다.",
    ]
    assert [p.heading for p in draft.passages if p.field == "cause"] == [
        "5. 근본 원인",
        "6. 기여 요인",
    ]
    assert draft.text("lesson").startswith("알람이 빨리 울렸다.")
    assert "배포 전 설정 검사" in draft.text("follow_up")


def test_front_matter() -> None:
    draft = only(FORMAT, "markdown/frontmatter.md")
    assert draft.title == "Atlas: tile server served empty maps"
    assert draft.source_id == "5b0c2f8e-1111-4c5a-9a5e-0d2f6a7b8c9d"
    assert (draft.organization, draft.services, draft.severity) == (
        "Example Maps",
        ("Atlas",),
        "SEV2",
    )
    assert times(draft) == {
        "published": "2022-09-08T10:00:00+02:00",
        "started": "2022-09-03T04:10:00Z",
        "ended": "2022-09-03T06:55:00Z",
    }
    assert draft.people == ("Ines Duarte", "ines@maps.example.com", "Piotr Zielinski")
    assert draft.source is not None
    assert draft.source.address == "https://maps.example.com/postmortems/empty-tiles"
    assert draft.source.kind is SourceKind.POSTMORTEM
    first, second = [p for p in draft.passages if p.field == "summary"]
    assert first.text == "A cache purge removed all tiles."
    assert second.text == "On September 3, customers received empty maps."
    assert second.line == 19
    assert draft.text("cause").startswith("The root cause was a purge job")
    assert draft.text("mitigation").startswith("To restore service")
    assert draft.text("follow_up").startswith("Going forward")
    assert "keywords" in said(draft)


def test_front_matter_in_toml() -> None:
    text = (
        '+++\ntitle = "Queue full"\nstart_time = 2024-01-02T03:04:05Z\n+++\n\nThe queue was full.\n'
    )
    draft = only(FORMAT, "a.md", text)
    assert (draft.title, times(draft)) == ("Queue full", {"started": "2024-01-02T03:04:05Z"})


@pytest.mark.parametrize("front", ["a: [1", "a: &x [1]\nb: *x", "a: 1\na b\nc: :", "\t- x: ["])
def test_broken_front_matter_is_told_and_the_text_is_read(front: str) -> None:
    draft = only(FORMAT, "a.md", f"---\n{front}\n---\n\n# Disk full\n\nThe disk was full.\n")
    assert draft.title == "Disk full"
    assert draft.text("summary") == "The disk was full."
    assert "the front matter could not be read" in said(draft)


def test_a_rule_above_a_text_is_no_front_matter() -> None:
    draft = only(FORMAT, "a.md", "---\nThe disk was full.\n---\n\nWe made room.\n")
    assert (draft.title, draft.text("summary")) == ("The disk was full.", "We made room.")


def test_values_in_tables() -> None:
    draft = only(FORMAT, "markdown/kehoe.md")
    assert (draft.title, draft.source_id) == ("Retention job deleted live queues", "77012")
    assert draft.severity == "SEV-1"
    assert times(draft) == {
        "started": "2021-02-01T08:01Z",
        "detected": "2021-02-01T08:09Z",
        "ended": "2021-02-01T10:00Z",
    }
    assert draft.time_to_detect is not None
    assert draft.time_to_recover is not None
    assert draft.time_to_detect.seconds == 480
    assert draft.time_to_recover.seconds == 7140
    assert draft.people == ("Dana Okafor", "Fox Lindqvist", "Wal Tremaine")
    assert draft.none == ("impact",)
    assert draft.text("detection") == "Alerting system"
    assert draft.text("trigger") == "A change of the default retention."
    assert "Template from" not in draft.text("summary")


def test_an_ambiguous_date_is_not_read_and_told() -> None:
    draft = only(FORMAT, "markdown/kehoe.md")
    assert "published" not in times(draft)
    (note,) = [n for n in draft.notes if "03/02/2021" in n.message]
    assert "day and month could be swapped" in note.message
    assert "2021-09-30 14:05 UTC" in note.remedy
    assert note.line == 9


def test_questions_in_bold_are_headings() -> None:
    draft = only(FORMAT, "markdown/azure.md")
    assert {p.heading: p.field for p in draft.passages} == {
        "What happened?": "summary",
        "What went wrong and why?": "cause",
        "How did we respond?": "mitigation",
        "How are we making incidents like this less likely or less impactful?": "follow_up",
    }
    assert times(draft) == {
        "started": "2023-01-30T07:10Z",
        "detected": "2023-01-30T07:18Z",
        "ended": "2023-01-30T09:55Z",
    }
    assert draft.time_to_recover is not None
    assert draft.time_to_recover.seconds == 9900


def test_a_file_name_carries_a_date_of_the_document() -> None:
    draft = only(FORMAT, "markdown/2021-06-09 Example CDN.md")
    assert (draft.title, times(draft)) == ("2021-06-09 Example CDN", {"published": "2021-06-09"})
    assert "the day in the file name is taken for that of the document" in said(draft)
    assert draft.time_to_recover is None
    assert "3h (according to the press)" in draft.text("impact")
    assert [link.href for link in draft.links] == ["https://news.example.com/cdn-down"]


def test_a_title_that_tells_of_an_outage_dates_it() -> None:
    text = "# Search outage - September 29, 2025\n\nIt was down from 16:58 to 18:46 UTC.\n"
    assert times(only(FORMAT, "a.md", text)) == {
        "started": "2025-09-29T16:58Z",
        "ended": "2025-09-29T18:46Z",
    }
    assert times(only(FORMAT, "a.md", "# Search outage, May 3, 2020\n\nIt broke.\n")) == {
        "started": "2020-05-03"
    }


def test_no_year_is_invented() -> None:
    text = "# Disruption on June 13\n\nThe service was down from 9:16 PM to 11:16 PM PDT.\n"
    draft = only(FORMAT, "a.md", text)
    assert draft.dates == ()
    assert "no day is stated" in said(draft)


@pytest.mark.parametrize("name", ["markdown/template.md"])
def test_an_unfilled_template_is_refused(name: str) -> None:
    drafts, (problem,) = read(FORMAT, name)
    assert drafts == []
    assert "unfilled template" in problem.message
    assert problem.file == name


def test_a_template_that_is_filled_in_at_one_place_is_read() -> None:
    text = document("markdown/template.md").text.replace(
        "## Timeline", "The disk was full.\n\n## Timeline"
    )
    draft = only(FORMAT, "PM2023-004 - Disk.md", text)
    assert (draft.text("summary"), draft.source_id) == ("The disk was full.", "PM2023-004")
    assert (draft.time_to_detect, draft.dates, draft.people) == (None, (), ())


@pytest.mark.parametrize(
    "text", ["", "\n\n", "# Only a title\n", "---\ntitle: x\n---\n", "<!-- x -->"]
)
def test_a_document_without_text_is_refused(text: str) -> None:
    drafts, (problem,) = read(FORMAT, "a.md", text)
    assert drafts == []
    assert "no text of an incident" in problem.message


def test_a_document_that_is_too_long_is_refused() -> None:
    _, (problem,) = read(FORMAT, "a.md", "word " * (MOST // 5 + 1))
    assert "longer than" in problem.message


def test_text_is_plain() -> None:
    text = (
        "# T\n\n## Impact\n\nUsers of `a_b` saw **no** [pages](https://x.example/p) &amp; "
        "![img](i.png)\n"
        "<script>alert(1)</script><b hidden>no</b> <!-- secret -->\n\n```\n  log <line>\n```\n"
    )
    draft = only(FORMAT, "a.md", text)
    assert draft.text("impact").split("\n\n")[0].startswith("Users of a_b saw no pages &")
    assert "  log <line>" in draft.text("impact")
    assert "secret" not in draft.text("impact")
    assert "<script>" not in draft.text("impact")
    assert [link.href for link in draft.links] == ["https://x.example/p"]


def test_a_heading_that_names_no_field_stays_in_the_summary_and_is_told() -> None:
    draft = only(
        FORMAT, "a.md", "# T\n\n## Impact\n\nMany.\n\n## The night shift\n\nIt was long.\n"
    )
    assert [(p.field, p.heading) for p in draft.passages] == [
        ("impact", "Impact"),
        ("summary", "The night shift"),
    ]
    assert "The night shift" in said(draft)


def test_times_that_do_not_agree_are_not_stored() -> None:
    text = (
        "# T\n\n- Start time: 2024-01-02 10:00 UTC\n- End time: 2024-01-01 09:00 UTC\n\nIt broke.\n"
    )
    draft = only(FORMAT, "a.md", text)
    assert times(draft) == {"started": "2024-01-02T10:00Z"}
    assert "does not agree with" in said(draft)


def test_detection_before_the_start_is_told() -> None:
    text = (
        "# T\n\n- Start time: 2024-01-02 10:00 UTC\n- Detected: 2024-01-02 09:00 UTC\n\nIt broke.\n"
    )
    assert "it was detected (2024-01-02T09:00Z) before it started" in said(
        only(FORMAT, "a.md", text)
    )


@pytest.mark.parametrize(
    ("name", "text", "sure"),
    [
        ("a.md", "# T\n\nx", 0.75),
        ("a.md", "words", 0.6),
        ("a.md", "<feed xmlns='x'>", 0.0),
        ("a.md", '{"a": 1}', 0.0),
        ("a.json", "# T\n## Impact\n## Root cause", 0.0),
        ("a.txt", "# T\n## Impact\nx\n## Root cause\ny", 0.65),
        ("a.txt", "# a comment\n# another\nx = 1", 0.0),
    ],
)
def test_recognition(name: str, text: str, sure: float) -> None:
    assert FORMAT.sure(document(name, text)) == sure


def test_a_length_under_the_label_of_a_time_is_a_length() -> None:
    text = "# 결제 장애\n\n- 장애 시간: 47분\n\n## 원인\n\n설정 오류.\n"
    one = only(FORMAT, "a.md", text)
    assert one.text("impact") == "47분"
    assert not any("no date" in note.message for note in one.notes)
