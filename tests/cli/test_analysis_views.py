"""What the analyst's views say in the cases that are rare: in both languages, word for word."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import kg
from kg.cli import show_analysis, show_over_time
from kg.cli.view import FEW, View
from kg.library import Library
from kg.model import Case
from tests.helpers.tiny import Told, case_data, make_case, tiny_vocabulary

ALPHA: Told = ("organization", "organization:alpha")
BETA: Told = ("organization", "organization:beta")
RACE: Told = ("cause", "cause:race")
ECC: Told = ("cause", "cause:ecc-error")
SLOW: Told = ("symptom", "symptom:slow")

Build = Callable[..., Library]


@pytest.fixture
def build(tmp_path: Path) -> Iterator[Build]:
    """Builds a library of cases over the tiny vocabulary, and closes it at the end."""
    opened: list[Library] = []

    def call(*cases: Case) -> Library:
        path = tmp_path / f"{len(opened)}.duckdb"
        opened.append(kg.build_library(cases, path, vocabulary=tiny_vocabulary(), encoder="hash"))
        return opened[-1]

    yield call
    for library in opened:
        library.close()


def flat(text: str) -> str:
    return " ".join(text.split())


def dated(case_id: str, kind: str, at: str, *told: Told, **fields: Any) -> Case:
    return make_case(case_id, *told, dates=[{"kind": kind, "at": at}], **fields)


def test_a_recurrence_says_which_dates_it_compared(build: Build) -> None:
    library = build(
        dated("A-1", "published", "2023-01", ALPHA, RACE),
        dated("A-2", "started", "2024-02-01", ALPHA, RACE),
    )
    found = library.recurrences()
    english = flat(show_analysis.recurrences(library, found, "en"))
    assert "Alpha Labs: race condition: A-1 → A-2" in english
    assert (
        "published 2023-01 → started 2024-02-01: 366–396 days (different kinds of date)" in english
    )
    assert "A-1 states no follow-up" in english
    korean = flat(show_analysis.recurrences(library, library.recurrences(lang="ko"), "ko"))
    assert "알파 연구소: 경쟁 상태: A-1 → A-2" in korean
    assert "발표 2023-01 → 시작 2024-02-01: 366–396일 (다른 종류의 날짜)" in korean
    assert "A-1에는 후속 조치가 적혀 있지 않음" in korean


def test_an_unproven_order_and_an_unknown_one_are_told_apart(build: Build) -> None:
    library = build(
        dated("A-1", "published", "2023-01-01", ALPHA, RACE),
        dated("A-2", "published", "2024-01-01", ALPHA, RACE),
        make_case("A-3", ALPHA, RACE),
    )
    english = show_analysis.recurrences(library, library.recurrences(), "en")
    assert "No cause is shown to recur." in english
    assert "Again, but the dates do not prove the order:" in english
    assert "not to be put in order by their dates: A-1, A-2, A-3" in english
    korean = show_analysis.recurrences(library, library.recurrences(lang="ko"), "ko")
    assert "되풀이가 확인된 원인이 없습니다." in korean
    assert "날짜만으로는 순서가 증명되지 않음" in korean
    assert "날짜로 순서를 정할 수 없음: A-1, A-2, A-3" in korean


def test_follow_ups_are_told_as_none_in_words_or_aimed(build: Build) -> None:
    aimed = case_data(
        "B-1", BETA, RACE, ("follow_up", "mitigation:replace"),
        dates=[{"kind": "started", "at": "2023-01-01"}],
    )  # fmt: skip
    aimed["claims"][2]["addresses"] = ["cause:race"]
    library = build(
        dated("A-1", "started", "2023-01-01", ALPHA, RACE, follow_up=[]),
        dated("A-2", "started", "2024-01-01", ALPHA, RACE, follow_up={"en": ["We will see."]}),
        dated("A-3", "started", "2025-01-01", ALPHA, RACE),
        Case.model_validate(aimed),
        dated("B-2", "started", "2024-01-01", BETA, RACE),
    )
    english = flat(show_analysis.recurrences(library, library.recurrences(), "en"))
    assert "A-1 says that nothing was changed" in english
    assert "stated after A-2: in words only" in english
    assert "stated after B-1: replace hardware (aimed at the cause)" in english
    korean = flat(show_analysis.recurrences(library, library.recurrences(), "ko"))
    assert "A-1에는 바꾼 것이 없다고 적혀 있음" in korean
    assert "A-2 뒤에 적힌 조치: 글로만 적혀 있음" in korean
    assert "B-1 뒤에 적힌 조치: 하드웨어 교체 (이 원인을 겨냥함)" in korean


def in_one_quote(case_id: str) -> Case:
    case = make_case(case_id, ECC, SLOW, ALPHA)
    cause, symptom, owner = case.claims
    told = symptom.model_copy(update={"evidence": cause.evidence})
    return case.model_copy(update={"claims": (cause, told, owner)})


def test_a_pattern_of_one_owner_in_one_quotation_is_marked_so(build: Build) -> None:
    doubtful = make_case("S-1", (*ECC, "suspected"), SLOW)
    others = [make_case(f"E-{i:02}") for i in range(20)]
    library = build(*(in_one_quote(f"T-{i}") for i in range(6)), doubtful, *others)
    english = flat(show_analysis.patterns(library, library.patterns(), "en"))
    assert "ECC error (cause) + slow training (symptom)" in english
    assert "in 6 of them one quotation says it all" in english
    assert "all of Alpha Labs" in english
    assert "only suspected in S-1" in english
    korean = flat(show_analysis.patterns(library, library.patterns(lang="ko"), "ko"))
    assert "그 가운데 6건은 한 구절이 모두를 말함" in korean
    assert "모두 알파 연구소의 사고" in korean
    assert "S-1에서는 의심에 그침" in korean


def test_weaker_patterns_are_named_as_possible_chance(build: Build) -> None:
    library = build(*(make_case(f"T-{i}", ECC, SLOW) for i in range(2)), make_case("E-1"))
    found = library.patterns(minimum=2)
    assert found.items == ()
    english = show_analysis.patterns(library, found, "en")
    assert "No pattern is beyond chance." in english
    assert "Others, which may well be chance: 1; the nearest:" in english
    assert "나머지 1개는 우연일 수 있습니다" in show_analysis.patterns(library, found, "ko")


def test_what_is_cut_off_is_counted(build: Build) -> None:
    many = [make_case(f"T-{i:02}", ECC, SLOW) for i in range(FEW + 3)]
    pairs = [make_case(f"U-{i:02}", RACE, ("component", "component:nccl")) for i in range(9)]
    library = build(*many, *pairs, *(make_case(f"E-{i:02}") for i in range(20)))
    english = flat(show_analysis.patterns(library, library.patterns(limit=1), "en"))
    assert "T-11 and 3 more" in english
    assert "1 more beyond chance" in english
    korean = flat(show_analysis.patterns(library, library.patterns(limit=1), "ko"))
    assert "T-11 외 3건" in korean
    struck = show_analysis.what_if(library, library.what_if("ecc-error"), "en")
    assert f"nothing is left: {FEW + 3} incidents" in struck
    assert "T-12, T-13, T-14" in struck


def test_terms_that_are_only_suspected_are_told_with_their_evidence(build: Build) -> None:
    library = build(make_case("A-1", RACE), make_case("A-2", (*RACE, "suspected")))
    found = library.common(["A-1", "A-2"])
    english = flat(show_analysis.common(library, found, "en"))
    assert "These cases share no confirmed root cause." in english
    assert "race condition (cause:race): only suspected in A-2; confirmed in A-1" in english
    assert "“Fact 0 is cause:race.”" in english
    korean = flat(show_analysis.common(library, found, "ko"))
    assert "경쟁 상태 (cause:race): A-2에서는 의심에 그침; 확정: A-1" in korean
    assert "“사실 0: cause:race.”" in korean


def test_no_common_term_of_another_kind_names_the_kind(build: Build) -> None:
    library = build(make_case("A-1", RACE), make_case("A-2", RACE))
    found = library.common(["A-1", "A-2"], "follow_up")
    assert show_analysis.common(library, found, "en") == "These cases share no confirmed follow-up."
    assert "공통으로 확정된 후속 조치 값이 없습니다" in show_analysis.common(library, found, "ko")


def test_what_if_names_the_work_that_is_done(build: Build) -> None:
    failed = case_data("A-1", ("mitigation", "mitigation:restart"))
    failed["claims"][0]["result"] = "failed"
    library = build(
        Case.model_validate(failed),
        make_case("A-2", ("mitigation", "mitigation:restart"), ("trigger", "trigger:upgrade")),
        make_case("A-3", ("factor", "factor:no-alert"), ("component", "component:nccl")),
    )

    def told(term: str, lang: str) -> str:
        return flat(show_analysis.what_if(library, library.what_if(term, lang=lang), lang))

    restart = told("mitigation:restart", "en")
    assert "1 of 1 incidents with a mitigation that did not fail" in restart
    assert "it had failed there: 1 incident A-1: restart" in restart
    assert "거기서는 실패했음: 사고 1건" in told("mitigation:restart", "ko")
    assert "1 of 1 incidents with a confirmed trigger" in told("upgrade", "en")
    assert "확정된 촉발 요인이 있는 사고 1건 가운데 1건" in told("upgrade", "ko")
    assert "1 of 1 incidents with a failed component" in told("nccl", "en")
    weakened = told("no-alert", "en")
    assert "only weakened: 1 incident" in weakened
    assert "would have none left" not in weakened
    assert "No incident states it." in told("link-down", "en")
    assert "이것을 적은 사고가 없습니다." in told("link-down", "ko")


def recovering(*texts: tuple[float, str]) -> list[Case]:
    return [
        make_case(f"T-{i}", RACE, time_to_recover={"seconds": s, "text": t})
        for i, (s, t) in enumerate(texts)
    ]


def test_quantiles_with_an_open_end_are_told_as_ranges(build: Build) -> None:
    cases = recovering((3600, "1 h"), (7200, "at least 2 h"), (10800, "over 3 h"), (600, "10 min"))
    library = build(*cases)
    english = flat(show_over_time.stats(library, library.stats(), "en"))
    assert "time to recover: 4 stated, 0 not (0%)" in english
    assert "median at least 90 min" in english
    assert "2 known as at least" in english
    assert "time to detect: 0 stated, 4 not (100%); too few for quantiles" in english
    korean = flat(show_over_time.stats(library, library.stats(lang="ko"), "ko"))
    assert "복구까지: 4건 적힘, 0건은 적혀 있지 않음(0%)" in korean
    assert "중앙값 90분 이상" in korean
    assert "하한만 앎 2건" in korean
    assert "분위수를 말하기에는 너무 적음" in korean


def test_small_groups_are_counted_together_and_those_without_a_key_are_named(build: Build) -> None:
    cases = recovering(*[(60.0 * i, "") for i in range(1, 7)])
    library = build(*cases, make_case("U-1", ECC, time_to_recover={"seconds": 5}))
    english = flat(show_over_time.stats(library, library.stats("severity"), "en"))
    assert "not stated: 7 incidents" in english
    grouped = flat(show_over_time.stats(library, library.stats("cause"), "en"))
    assert "race condition (cause:race): 6 incidents" in grouped
    assert "1 more with fewer than 3 stated times of each sort" in grouped
    assert "An incident may stand in several groups." in grouped
    assert "[60 s–6 min]" in grouped


def test_periods_say_which_date_they_go_by(build: Build) -> None:
    library = build(*(dated(f"A-{i}", "started", "2024", RACE) for i in range(3)))
    assert "3 incidents (started dates)" in show_over_time.stats(
        library, library.stats("year"), "en"
    )
    korean = show_over_time.stats(library, library.stats("year"), "ko")
    assert "사고 3건 (시작 날짜)" in korean


def test_a_trend_that_is_not_shown_says_so(build: Build) -> None:
    cases = [
        dated(f"C-{year}-{i}", "started", str(year), RACE if i else ECC)
        for year in (2021, 2022, 2023)
        for i in range(3)
    ]
    library = build(*cases)
    english = flat(show_over_time.trends(library, library.trends(), "en"))
    assert "Nothing is shown to rise or fall." in english
    assert "race condition (cause:race): 6 incidents, unclear, +0.0 points a year, q 1" in english
    assert "1 with fewer than 5 incidents were not tested" in english
    korean = flat(show_over_time.trends(library, library.trends(lang="ko"), "ko"))
    assert "늘거나 준다고 할 만한 것이 없습니다." in korean
    assert "사고가 5건 미만이라 검정하지 않은 것 1개" in korean


@pytest.mark.parametrize(
    ("seconds", "en", "ko"),
    [
        (0, "0 s", "0초"),
        (90, "90 s", "90초"),
        (120, "2 min", "2분"),
        (5400, "90 min", "90분"),
        (7200, "2 h", "2시간"),
        (100_000, "27.8 h", "27.8시간"),
        (172_800, "2 d", "2일"),
        (864_000, "10 d", "10일"),
    ],
)
def test_times_are_told_in_the_unit_that_suits_them(seconds: float, en: str, ko: str) -> None:
    library: Any = None  # no term is named
    assert View(library, "en").time(seconds) == en
    assert View(library, "ko").time(seconds) == ko


@pytest.mark.parametrize(
    ("p", "said"), [(1.0, "1"), (0.5, "0.5"), (0.0534, "0.053"), (0.004, "0.004"), (3e-9, "3e-09")]
)
def test_a_chance_near_the_line_is_not_rounded_onto_it(p: float, said: str) -> None:
    library: Any = None
    assert View(library, "en").chance(p) == said
