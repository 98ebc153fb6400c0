"""What a sentence claims: how sure, of which incident, or nothing at all."""

from __future__ import annotations

import pytest

from kg.rca.claims import (
    ASIDE,
    QUESTION,
    UNKNOWN,
    denies,
    hedged,
    quotations,
    says_a_cause,
    says_it_worked,
    settles_this_incident,
    without_claim,
)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("I don't know.", UNKNOWN),
        ("The evidence does not say when it started.", UNKNOWN),
        ("The trigger is unknown.", UNKNOWN),
        ("It cannot be determined which rank left first.", UNKNOWN),
        ("근거에 나와 있지 않습니다.", UNKNOWN),
        ("원인은 알 수 없습니다.", UNKNOWN),
        ("감지 방법은 적혀 있지 않다.", UNKNOWN),
        ("Did you look at the fabric?", QUESTION),
        ("케이블을 봤나요?", QUESTION),
        ("In short:", ASIDE),
        ("Here is what the evidence says:", ASIDE),
        ("It is unknown, but a switch failed.", None),
        ("Unknown: the switch failed.", None),
        ("It is not known why; the switch failed.", None),
        ("알 수 없지만 스위치가 고장 났다.", None),
        ("Is it known? Because the switch failed, is it?", None),
        ("The trigger is unknown and a memory leak caused the outage.", None),
        ("The trigger and the detection are not stated.", UNKNOWN),
        ("It is not known what caused the outage.", UNKNOWN),
        ("Did you know that the cause is a memory leak?", None),
        ("The switch failed.", None),
        ("Check the switch.", None),
        ("스위치가 고장 났다.", None),
        ("It is a long and winding way to say that the switch has failed:", None),
    ],
)
def test_what_claims_nothing(text: str, rule: str | None) -> None:
    assert without_claim(text, heading=False) == rule


def test_a_short_heading_claims_nothing() -> None:
    assert without_claim("What to check", heading=True) == ASIDE
    assert without_claim("What to check", heading=False) is None
    long = "The switch failed and took the whole of the fabric down with it"
    assert without_claim(long, heading=True) is None


@pytest.mark.parametrize(
    ("text", "open_"),
    [
        ("It may be the link.", True),
        ("The link is suspected.", True),
        ("No root cause was confirmed.", True),
        ("링크일 수 있다.", True),
        ("링크가 의심된다.", True),
        ("It was the link.", False),
        ("링크가 원인이다.", False),
        ("The mayor of Mayfield.", False),
    ],
)
def test_what_leaves_it_open(text: str, open_: bool) -> None:
    assert hedged(text) is open_


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("The link was ruled out.", True),
        ("The link was not the cause.", True),
        ("It was not caused by the link.", True),
        ("링크는 배제되었다.", True),
        ("링크는 원인이 아니었다.", True),
        ("The link was the cause.", False),
        ("링크가 원인이었다.", False),
    ],
)
def test_what_takes_out_of_question(text: str, out: bool) -> None:
    assert denies(text) is out
    assert says_a_cause(text) is not out


@pytest.mark.parametrize(
    ("text", "settles"),
    [
        ("This incident was caused by the link.", True),
        ("The root cause is the link.", True),
        ("Your outage is due to the link.", True),
        ("이번 장애의 원인은 링크입니다.", True),
        ("원인은 링크이다.", True),
        ("이 사고는 링크 때문이다.", True),
        ("In P-1 the cause was the link.", False),
        ("In a similar case the cause was the link.", False),
        ("비슷한 사례에서 원인은 링크였다.", False),
        ("This incident may be caused by the link.", False),
        ("The link was not the cause.", False),
        ("The link went down.", False),
        ("No cause is confirmed here, but in P-1 the cause was the link.", False),
        ("In P-1 the cause may be unclear, but this outage is due to the link.", True),
    ],
)
def test_what_settles_this_incident(text: str, settles: bool) -> None:
    assert settles_this_incident(text, ["P-1"]) is settles


@pytest.mark.parametrize(
    ("text", "worked"),
    [
        ("A restart fixed it.", True),
        ("재시작으로 해결됐다.", True),
        ("A restart did not help.", False),
        ("재시작해도 해결되지 않았다.", False),
        ("They restarted.", False),
    ],
)
def test_what_says_that_it_worked(text: str, worked: bool) -> None:
    assert says_it_worked(text) is worked


def test_quotations_are_longer_than_a_name() -> None:
    text = 'It said “the link was down”, "all was well." and 「한 번 끊겼다 돌아왔다」, not “link”.'
    assert quotations(text) == ["the link was down", "all was well", "한 번 끊겼다 돌아왔다"]
