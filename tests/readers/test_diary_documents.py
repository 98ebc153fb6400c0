"""Documents that tell of many events: diaries, and reports of a month."""

from __future__ import annotations

from kg.model import CaseKind
from kg.readers.blocks import sections
from kg.readers.formats.markdown import FORMAT
from kg.readers.markdown import markdown_blocks
from kg.readers.series import dated_parts, heading_date
from kg.readers.times_in_prose import Near
from tests.helpers.drafts import only, read, said, times


def test_each_dated_failure_of_a_diary_is_an_incident() -> None:
    (whole, *events), problems = read(FORMAT, "markdown/diary.md")
    assert problems == []
    assert [(e.title, e.line, e.kind, times(e)) for e in events] == [
        (
            "2024-02-03 14:20 Node failure",
            9,
            CaseKind.INCIDENT,
            {"started": "2024-02-03T14:20"},
        ),
        (
            "2024-02-XX repeated hang at evaluation",
            21,
            CaseKind.INCIDENT,
            {"started": "2024-02"},
        ),
    ]
    assert "GPU has fallen off the bus" in events[0].text("summary")
    assert events[1].text("cause") == "Two ranks waited in different collectives."
    assert whole.kind is CaseKind.SERIES


def test_what_is_no_failure_stays_in_the_series() -> None:
    (whole, *_), _ = read(FORMAT, "markdown/diary.md")
    assert [p.heading for p in whole.passages] == [
        "",
        "2024-02-01",
        "2024-02-05 Larger batch",
        "Thoughts",
    ]
    assert whole.dates == ()
    assert "by its dated headings" in said(whole)


def test_no_word_of_a_diary_is_lost() -> None:
    drafts, _ = read(FORMAT, "markdown/diary.md")
    told = "\n".join(p.text for d in drafts for p in d.passages)
    for words in (
        "Launch on 64 nodes",
        "node-17",
        "Xid",
        "Doubled",
        "Every few days",
        "tested smaller",
    ):
        assert words in told


def test_parts_with_headings_of_a_report_are_events_of_their_own() -> None:
    (whole, first, second), _ = read(FORMAT, "markdown/month.md")
    assert (whole.kind, first.kind, second.kind) == ("series", "incident", "incident")
    assert times(first) == {"started": "2024-03-04T10:00Z", "ended": "2024-03-04T11:30Z"}
    assert times(second) == {"started": "2024-03-19T23:40Z", "ended": "2024-03-20T02:10Z"}
    assert first.text("cause") == "The disk was full"
    assert second.text("impact").endswith("Queries took 9 seconds.")
    assert whole.text("lesson") == "Watch the disks"
    assert whole.dates == ()


def test_another_number_than_the_text_says_is_not_divided() -> None:
    text = "# T\n\nWe had four distinct incidents.\n\n" + "".join(
        f"## May {d}, 2020 outage\n\nIt broke.\n\n" for d in (3, 4, 5)
    )
    draft = only(FORMAT, "a.md", text)
    assert draft.kind is CaseKind.SERIES
    assert "it speaks of 4 events, and 3 parts are dated" in said(draft)


def test_days_of_a_timeline_are_no_events() -> None:
    text = "# T\n\nIt broke.\n\n## Timeline\n\n" + "".join(
        f"### 2020-05-0{d}\n\n- 10:00 an error\n\n" for d in (3, 4, 5)
    )
    draft = only(FORMAT, "a.md", text)
    assert draft.kind is CaseKind.INCIDENT


def test_two_dated_headings_make_no_diary() -> None:
    text = "# T\n\n## 2020-05-03 crash\n\nA\n\n## 2020-05-04 crash\n\nB\n"
    assert only(FORMAT, "a.md", text).kind is CaseKind.INCIDENT


def test_the_words_of_a_report_of_many() -> None:
    text = "# Update on the run\n\nSince then we had 40+ restarts for a variety of failures.\n"
    draft = only(FORMAT, "a.md", text)
    assert draft.kind is CaseKind.SERIES
    assert "by the words of its beginning" in said(draft)


def test_dates_of_headings() -> None:
    near = Near(year=2021)
    assert heading_date("spike (2023-05-26)", near) == ("2023-05-26", "spike")
    assert heading_date("2022-04-XX crashes", near) == ("2022-04", "crashes")
    assert heading_date("May 5 00:45 UTC (lasting two hours)", near) == (
        "2021-05-05T00:45Z",
        "lasting two hours",
    )
    assert heading_date("What happened on 2023-05-26 in Paris", near) is None
    assert heading_date("12/11/2021 crash", near) is None
    assert heading_date("Summary", near) is None


def test_sections_below_a_dated_one_belong_to_it() -> None:
    text = "".join(f"## 2020-05-0{d} hang\n\n### Diagnosis\n\nx\n\n" for d in (1, 2, 3))
    parts, why = dated_parts(sections(markdown_blocks(text)), Near())
    assert why == ""
    assert [len(p.sections) for p in parts] == [2, 2, 2]
