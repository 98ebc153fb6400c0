"""When something started, was detected and ended, by the words beside a time."""

from __future__ import annotations

from datetime import date

import pytest

from kg.readers.blocks import Block
from kg.readers.timelines import (
    entries,
    entry_of,
    kind_in_sentence,
    kind_of_entry,
    sentences,
    settled,
    spans,
    tells_harm,
)
from kg.readers.times_in_prose import Near

DAY = Near(date(2024, 5, 17), zone="UTC", where="the title")


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("Outage begins: backends melt", "started"),
        ("Customer impact started", "started"),
        ("disk removed, marking the start of the downtime", "started"),
        ("장애 발생", "started"),
        ("Alert fires on queue length", "detected"),
        ("Automated monitoring detects increased error rates", "detected"),
        ("We became aware of it in a call", "detected"),
        ("오류율 알람 발생", "detected"),
        ("障害を検知", "detected"),
        ("OUTAGE MITIGATED, static page deployed", "mitigated"),
        ("Service fully restored", "ended"),
        ("marking the end of the downtime", "ended"),
        ("Outage ends, serving as before", "ended"),
        ("서비스 복구 완료", "ended"),
        ("All services recovered", "ended"),
        ("Deploy of the new configuration", None),
        ("Not fully recovered yet", None),
        ("Service partially restored", None),
        ("롤백했으나 복구 실패", None),
        ("Started scanning images", None),
        ("Incident detected and service fully restored", None),
        ("", None),
    ],
)
def test_entries_of_a_timeline(words: str, kind: str | None) -> None:
    assert kind_of_entry(words) == kind


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("The incident began at 10:00.", "started"),
        ("At 23:54 a good copy came, and the site recovered.", "ended"),
        ("At 5:15 the first alarms began firing.", "detected"),
        ("The issue was fully mitigated at 12:00.", "mitigated"),
        ("Queues fully returned to normal at 4:00.", None),
        ("The index had activated enough capacity at 12:26.", None),
        ("We expected that the incident was resolved at 12:00.", None),
    ],
)
def test_sentences_speak_of_the_incident(sentence: str, kind: str | None) -> None:
    assert kind_in_sentence(sentence) == kind


@pytest.mark.parametrize(
    ("block", "words"),
    [
        (Block("item", "14:05 UTC – alarm"), "alarm"),
        (Block("item", "[14:05] alarm"), "alarm"),
        (Block("item", "2024-05-17 14:05: alarm"), "alarm"),
        (Block("item", "14:05 - 14:20: restart"), "restart"),
        (Block("row", "", cells=("2024-05-17", "14:05", "alarm")), "alarm"),
        (Block("row", "", cells=("14:05", "who", "alarm")), "who | alarm"),
        (Block("item", "At 14:05 an alarm"), None),
        (Block("row", "", cells=("14:05", "")), None),
        (Block("row", "", level=1, cells=("14:05", "x")), None),
        (Block("code", "14:05 alarm"), None),
    ],
)
def test_what_is_an_entry(block: Block, words: str | None) -> None:
    found = entry_of(block)
    assert (found.words if found else None) == words


def at(*texts: str) -> list[str | None]:
    return [when for _, when, _ in settled(entries([Block("item", t) for t in texts]), DAY)]


def test_the_day_is_carried_on() -> None:
    assert at("16:17 a", "2024-05-18 09:00 b", "10:00 c") == [
        "2024-05-17T16:17Z",
        "2024-05-18T09:00Z",
        "2024-05-18T10:00Z",
    ]


def test_midnight_is_passed_by_a_far_step_back_only() -> None:
    assert at("22:50 a", "00:25 b", "01:00 c")[1:] == ["2024-05-18T00:25Z", "2024-05-18T01:00Z"]
    assert at("15:50 a", "14:30 b")[1] == "2024-05-17T14:30Z"


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("from 16:58 to 18:46 UTC", "16:58", "18:46 UTC"),
        ("between 03:29 and 04:19 UTC", "03:29", "04:19 UTC"),
        ("between 22 Dec 2016 00:35 UTC and 23 Dec 2016 02:30 UTC", "22 Dec 2016 00:35 UTC",
         "23 Dec 2016 02:30 UTC"),
        ("2024년 1월 1일부터 5월 31일까지", "2024년 1월 1일", "5월 31일"),
        ("14:05 ~ 15:40 (KST)", "14:05", "15:40 (KST)"),
    ],
)  # fmt: skip
def test_stretches(text: str, start: str, end: str) -> None:
    (found,) = spans(text)
    assert (found.start.words, found.end.words) == (start, end)
    assert found.start.zone == found.end.zone


def test_two_times_are_no_stretch() -> None:
    assert list(spans("at 03:29 and 04:19 it failed")) == []
    assert list(spans("at 03:29 it failed, at 04:19 it worked")) == []


def test_sentences_and_harm() -> None:
    assert sentences("It broke at 5 a.m. in Rome. It worked.\nThen 끝났다. 다시 왔다.") == [
        "It broke at 5 a.m. in Rome.",
        "It worked.",
        "Then 끝났다.",
        "다시 왔다.",
    ]
    assert tells_harm("customers were unable to log in")
    assert tells_harm("서비스가 중단됐다")
    assert not tells_harm("we met at noon")
