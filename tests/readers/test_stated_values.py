"""Short values of reports: none, not stated, placeholders, durations, names, ids."""

from __future__ import annotations

import pytest

from kg.model import CaseKind
from kg.readers.headings import ROLES, hinted_role, normal, role_of
from kg.readers.report import file_date
from kg.readers.spoken import events_spoken_of, kind_by_words, spoken_language
from kg.readers.stated import (
    id_in,
    id_in_title,
    names_in,
    people_in,
    placeholder,
    stated_duration,
    stated_none,
    unsaid,
)


@pytest.mark.parametrize(
    "text", ["none", "N/A", "None.", "없음", "해당 없음", "なし", "无", "*none*"]
)
def test_stated_none(text: str) -> None:
    assert stated_none(text)


@pytest.mark.parametrize("text", ["", "-", "–", "?", "unknown", "미상", " . ", "%"])
def test_not_stated(text: str) -> None:
    assert unsaid(text)
    assert not stated_none(text)


@pytest.mark.parametrize(
    "text",
    ["XXX", "YYY", "TBD", "<your text>", "[fill in]", "{{ impact }}", "20xx-MM-DD HH:mm", "...",
     "Describe the impact of the incident", "Short event description", "여기에 적는다"],
)  # fmt: skip
def test_placeholders(text: str) -> None:
    assert placeholder(text)


@pytest.mark.parametrize(
    "text", ["A disk", "All pages", "[PRN-88] restart the job", "0 users", "Xid 79"]
)
def test_texts_are_no_placeholders(text: str) -> None:
    assert not placeholder(text)


@pytest.mark.parametrize(
    ("text", "seconds", "approx"),
    [
        ("12 minutes", 720, False),
        ("2h 15m", 8100, False),
        ("2,5h", 9000, False),
        ("about 35 min", 2100, True),
        ("약 35분", 2100, True),
        ("one hour and 5 minutes", 3900, False),
        ("한 시간", 3600, False),
        ("12 minutes (by an alert)", 720, False),
        ("1,200 seconds", 1200, False),
    ],
)
def test_durations(text: str, seconds: float, approx: bool) -> None:
    found, why = stated_duration(text)
    assert why == ""
    assert found is not None
    assert (found.seconds, found.approx, found.text) == (seconds, approx, text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("19-21h", "more than one"),
        ("2h to 3h", "more than one"),
        ("1h\n3h", "more than one"),
        ("14:05", "a time of day"),
        ("00:12:00", "a time of day"),
        ("soon", "no length of time"),
        ("9" * 400 + "h", "no length of time"),
    ],
)
def test_durations_that_are_not_read_say_why(text: str, why: str) -> None:
    found, told = stated_duration(text)
    assert found is None
    assert why in told


@pytest.mark.parametrize("text", ["", "N/A", "YYY", "–", "TBD"])
def test_durations_that_are_not_stated(text: str) -> None:
    assert stated_duration(text) == (None, "")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ada Park, Ben Holm (SRE)", ["Ada Park", "Ben Holm"]),
        ("ada & @ben.holm", ["ada", "@ben.holm"]),
        ("Ada Park <ada@x.example>", ["ada@x.example", "Ada Park"]),
        ("Incident commander: Ada Park", ["Ada Park"]),
        ("홍길동, 김철수 님", ["홍길동", "김철수"]),
        ("AN, JS", []),
        ("Platform team, SRE", []),
        ("플랫폼팀", []),
        ("", []),
        ("TBD", []),
    ],
)
def test_people(text: str, names: list[str]) -> None:
    assert people_in(text) == names


def test_a_single_word_is_a_person_in_a_field_for_authors_only() -> None:
    assert people_in("payments", loose=False) == []
    assert people_in("Ada Park", loose=False) == ["Ada Park"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("payments-api, checkout and search", ["payments-api", "checkout", "search"]),
        ("Sites (Access, CDN)", ["Sites (Access, CDN)"]),
        ("All of the things that we run in the north and more", []),
        ("none", []),
        ("주문, 결제", ["주문", "결제"]),
    ],
)
def test_names(text: str, names: list[str]) -> None:
    assert names_in(text) == names


def test_ids() -> None:
    assert [id_in(t) for t in ("#465", "INC-7", "soon", "two words 7", "A" * 90 + "1")] == [
        "465", "INC-7", "", "", "",
    ]  # fmt: skip
    titles = (
        "PM2021-011 - Log",
        "Queue (incident #9a)",
        "INC-2024-031",
        "CVE-2021-44228",
        "US-EAST-1",
    )
    assert [id_in_title(t) for t in titles] == ["PM2021-011", "9a", "INC-2024", "", ""]


def test_every_heading_has_one_role() -> None:
    seen: dict[str, str] = {}
    for role, names in ROLES.items():
        for name in names.split(";"):
            key = normal(name)
            assert key, (role, name)
            assert key not in seen, (name, role, seen.get(key))
            seen[key] = role
            assert role_of(name.strip().title()) == role


@pytest.mark.parametrize(
    ("heading", "role"),
    [
        ("Root Cause(s)", "cause"),
        ("1. Summary", "summary"),
        ("TL;DR", "summary"),
        ("**Lessons Learnt**", "lesson"),
        ("Time to Detect (TTD)", "ttd"),
        ("What Didn’t Go Well", "lesson"),
        ("2. 재발 방지 대책", "follow_up"),
        ("The Impact", "impact"),
        ("root_cause", "cause"),
        ("時系列", "timeline"),
        ("The night shift", None),
        ("", None),
    ],
)
def test_roles_of_headings(heading: str, role: str | None) -> None:
    assert role_of(heading) == role


def test_longer_headings_are_placed_by_a_word() -> None:
    assert hinted_role("What caused the second crash") == "cause"
    assert hinted_role("Short-term improvements (Q4)") == "follow_up"
    assert hinted_role("Why are we doing this?") is None
    assert hinted_role("Reduce the learning rate") is None


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("The service was down", "en"),
        ("NCCL 타임아웃으로 학습이 멈췄다", "ko"),
        ("サービスが停止した", "ja"),
        ("节点故障，训练中断", "zh"),
        ("der Dienst war nicht erreichbar und die Kunden konnten " * 12, "und"),
        ("", "en"),
    ],
)
def test_languages(text: str, lang: str) -> None:
    assert spoken_language(text) == lang


@pytest.mark.parametrize(
    ("title", "lead", "kind"),
    [
        ("Queue outage", "It broke once. We looked at the two incidents of last year.", "incident"),
        ("Multiple outages in May", "", "series"),
        ("x", "There were 466 interruptions in 54 days.", "series"),
        ("Training chronicles", "", "series"),
        ("학습", "작업은 모두 466번 중단되었다.", "series"),
        ("x", "We analyzed 1,204 failed jobs of a year.", "study"),
        ("학습", "작업 3,079개의 기록을 분석했다.", "study"),
    ],
)
def test_kinds_of_documents(title: str, lead: str, kind: str) -> None:
    assert kind_by_words(title, lead) == CaseKind(kind)


def test_how_many_events_a_text_speaks_of() -> None:
    assert events_spoken_of("over four distinct events") == 4
    assert events_spoken_of("12 separate service incidents") == 12
    assert events_spoken_of("some distinct incidents") is None
    assert events_spoken_of("an incident") is None


def test_dates_of_file_names() -> None:
    assert str(file_date("x/2025-10-20 AWS.md")) == "2025-10-20"
    assert str(file_date("wiki-20150814-Site.txt")) == "2015-08-14"
    assert file_date("2025-02-31.md") is None
    assert file_date("v20251020123.md") is None
    assert file_date("2025/10/a.md") is None
