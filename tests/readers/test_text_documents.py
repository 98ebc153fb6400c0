"""Reports in plain text."""

from __future__ import annotations

import pytest

from kg.model import CaseKind
from kg.readers.formats.plain_text import FORMAT
from kg.readers.opening import field_by_opening
from kg.readers.textblocks import prose_share, text_blocks
from tests.helpers.drafts import document, only, read, said, times


def test_a_summary_of_a_vendor() -> None:
    draft = only(FORMAT, "text/summary.txt")
    assert draft.title == "Summary of the Block Store Event in the Harbor Region"
    assert times(draft) == {"started": "2022-06-14", "detected": "2022-06-14T02:05-07:00"}
    assert draft.text("trigger").startswith("The trigger was a firmware change")
    assert draft.text("detection").startswith("At 2:05 AM PDT, the first alarms")
    assert draft.text("follow_up").startswith("We are making several changes")
    assert draft.kind is CaseKind.INCIDENT


def test_times_of_other_things_are_not_taken() -> None:
    draft = only(FORMAT, "text/summary.txt")
    assert "ended" not in times(draft)
    assert all("01:" not in at and "04:00" not in at for at in times(draft).values())


def test_labels_that_run_on_in_one_paragraph() -> None:
    draft = only(FORMAT, "text/labels.txt")
    assert [(p.field, p.heading) for p in draft.passages] == [
        ("impact", "Summary of impact"),
        ("cause", "Preliminary root cause"),
        ("mitigation", "Mitigation"),
        ("follow_up", "Next steps"),
    ]
    assert draft.text("cause") == "Engineers found a certificate that had expired."
    assert times(draft) == {"started": "2019-03-02T22:35Z", "ended": "2019-03-03T01:10Z"}


def test_a_timeline_in_list_items() -> None:
    draft = only(FORMAT, "text/20180611-GridOutage.txt")
    assert times(draft) == {"started": "2018-06-11T16:17", "ended": "2018-06-12T08:36"}
    assert draft.text("follow_up") == "Status: Done Start the daemon on boot ( )"
    assert "the day is taken from the order of entries" in said(draft)


def test_a_report_of_a_month_is_divided_by_its_dated_lines() -> None:
    (whole, *events), problems = read(FORMAT, "text/2021-07-07-month.txt")
    assert problems == []
    assert whole.kind is CaseKind.SERIES
    assert times(whole) == {"published": "2021-07-07"}
    assert [times(e) for e in events] == [
        {"started": "2021-05-05T00:45Z"},
        {"started": "2021-06-29T12:03Z"},
        {"started": "2021-06-30T08:00Z"},
    ]
    assert all("the year 2021 is taken from the file name" in said(e) for e in events)
    assert all(e.time_to_recover is None for e in events)


def test_without_a_date_in_the_text_the_file_name_gives_the_day() -> None:
    text = (
        "On 23:40 a change broke the site.\n\nAt 23:54 a good copy came, and the site recovered.\n"
    )
    draft = only(FORMAT, "20150814-Wiki.txt", text)
    assert times(draft) == {"ended": "2015-08-14T23:54"}
    assert "taken from the file name" in said(draft)
    other = only(FORMAT, "20150814-Wiki.txt", text + "\nWe met on 2015-09-01.\n")
    assert times(other) == {"published": "2015-08-14"}


def test_wrapped_lines_are_one_paragraph() -> None:
    text = (
        "A title\n\nThe first line of a paragraph that somebody wrapped at\n"
        "its seventieth column ends here.\n\nNext.\n"
    )
    found = [(b.kind, b.text.count("\n"), b.line) for b in text_blocks(text)]
    assert found == [("heading", 0, 1), ("text", 1, 3), ("text", 0, 6)]


def test_headings_of_plain_text() -> None:
    text = (
        "Queue report\n\nWhat happened?\n\nIt broke.\n\n"
        "Root cause\n----------\nA full disk.\n\n1. one\n2. two\n"
    )
    assert [(b.kind, b.text) for b in text_blocks(text)] == [
        ("heading", "Queue report"),
        ("heading", "What happened?"),
        ("text", "It broke."),
        ("heading", "Root cause"),
        ("text", "A full disk."),
        ("item", "one"),
        ("item", "two"),
    ]


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        ("The service was down for an hour, since a disk was full and nobody had looked.", True),
        ("서비스가 한 시간 동안 멈췄다. 디스크가 가득 찼는데 아무도 보지 않았다.", True),
        ("[257087.812628] NVRM: Xid (PCI:0000:90:1c): 64\n[257088.1] oom-kill: x", False),
        ("a,b,c\n1,2,3\n4,5,6", False),
        ('{"a": 1}', False),
        ("<html><body>The service was down for an hour since a disk was full</body>", False),
        ("import os\nprint('The service was down for an hour since a disk was full')", False),
        ("", False),
    ],
)
def test_only_prose_is_taken(text: str, sure: bool) -> None:
    assert (FORMAT.sure(document("a.txt", text)) >= 0.5) is sure
    assert FORMAT.sure(document("a.log", text)) == 0.0


def test_share_of_prose() -> None:
    assert prose_share("") == 0.0
    assert prose_share("All of the words in this line are the words of a sentence.") == 1.0


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("The root cause was a lock.", "cause"),
        ("The issue stemmed from a lock.", "cause"),
        ("To resolve the issue, we restarted it.", "mitigation"),
        ("Going forward, we will test.", "follow_up"),
        ("The trigger for the event was a change.", "trigger"),
        ("원인은 디스크였다.", "cause"),
        ("We saw that the root cause was a lock.", None),
        ("Nobody was hurt.", None),
    ],
)
def test_paragraphs_are_placed_by_their_opening(text: str, field: str | None) -> None:
    assert field_by_opening(text) == field
