"""An answer may not reverse a direction, a value or a role, nor put another cause in its place."""

from __future__ import annotations

import pytest

from kg.rca.claims import says_it_fully_worked, says_it_worked
from kg.rca.opposed import acting, is_strange, opposed

POWER = "board power had fallen to about 190 W\n보드 전력은 190 W 근처까지 내려가 있었다"
TIMEOUT = (
    "A deployment lowered the connection timeout from 1 s to 300 ms.\n"
    "배포 하나가 연결 타임아웃을 1초에서 300ms로 낮췄다."
)
REMOVAL = (
    "The removal was run on the primary instead of the secondary.\n세컨더리가 아니라 프라이머리"
)
BATTERY = "A failed backup battery of the RAID controller crashed the host."


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("Board power rose to about 190 W.", POWER),
        ("Board power went up to 190 W.", POWER),
        ("보드 전력이 190 W까지 올라갔다.", POWER),
        ("보드 전력이 190 W로 상승했다.", POWER),
        ("A deployment raised the connection timeout to 300 ms.", TIMEOUT),
        ("배포 하나가 연결 타임아웃을 300ms에서 1초로 늘렸다.", TIMEOUT),
        ("The connection timeout went from 300 ms to 1 s.", TIMEOUT),
        ("The removal was run on the secondary instead of the primary.", REMOVAL),
        ("프라이머리가 아니라 세컨더리에서 지웠다.", REMOVAL),
        ("The host crashed the battery of the controller.", BATTERY),
    ],
)
def test_what_is_turned_round_is_seen(text: str, evidence: str) -> None:
    assert list(opposed(text, evidence))


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("Board power fell to about 190 W.", POWER),
        ("Board power dropped to 190 W.", POWER),
        ("보드 전력이 190 W까지 떨어졌다.", POWER),
        ("Board power did not rise.", POWER),
        ("Latency rose.", POWER),
        ("A deployment cut the connection timeout from 1 s to 300 ms.", TIMEOUT),
        ("배포가 연결 타임아웃을 1초에서 300ms로 줄였다.", TIMEOUT),
        ("The removal was run on the primary rather than the secondary.", REMOVAL),
        ("The host crashed because the battery of the controller failed.", BATTERY),
        ("The host was crashed by a battery of the controller.", BATTERY),
        ("The battery of the RAID controller crashed the host.", BATTERY),
        ("Throughput rose from 2 to 3.", "Throughput rose from 2 to 3, and latency fell."),
    ],
)
def test_what_says_the_same_in_other_words_is_let_through(text: str, evidence: str) -> None:
    assert list(opposed(text, evidence)) == []


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("In KG-1 a failed power supply crashed the host.", "a failed power supply"),
        ("In KG-1 an OOM caused the hang", "an OOM"),
        ("There, uneven blocks made the ranks wait.", "uneven blocks"),
        ("KG-1에서는 전원 장애가 호스트를 죽였다.", "전원 장애"),
        ("The host was stopped by hand.", ""),
        ("The battery was old.", ""),
    ],
)
def test_who_is_said_to_have_done_it(text: str, who: str) -> None:
    assert acting(text) == who


def test_a_cause_of_which_the_evidence_has_no_telling_word_is_strange() -> None:
    assert is_strange("a failed power supply", BATTERY)
    assert is_strange("a failed cooling fan", BATTERY)
    assert not is_strange("a failed battery", BATTERY)
    assert not is_strange("the failure", BATTERY), "it names nothing"


@pytest.mark.parametrize(
    "text",
    [
        "Raising the limit made replication work again.",
        "After that the service was fine again.",
        "It brought everything back.",
        "롤백으로 서비스가 돌아왔다.",
        "롤백을 시도해 성공했다.",
        "롤백이 먹혔다.",
    ],
)
def test_success_is_heard_in_free_words(text: str) -> None:
    evidence = "replication still hung\n17:40까지 성공하지 못했다"
    assert says_it_worked(text, evidence)


@pytest.mark.parametrize(
    "text",
    [
        "The limit was raised to 32.",
        "The limit was raised, yet replication did not work again.",
        "롤백을 시도했지만 성공하지 못했다.",
        "롤백을 시도했다.",
    ],
)
def test_what_claims_no_success_is_let_through(text: str) -> None:
    assert not says_it_worked(text, "replication still hung\n17:40까지 성공하지 못했다")


def test_the_end_of_trouble_is_heard_and_help_in_part_is_not_taken_for_it() -> None:
    evidence = "which helped most users; rare failures went on"
    assert says_it_fully_worked("It ended the failures for everyone.", evidence)
    assert says_it_fully_worked("오류가 모두 사라졌다.", evidence)
    assert not says_it_fully_worked("It helped most users, but some failures went on.", evidence)
