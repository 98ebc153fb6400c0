"""Reasons for and against two cases being one event, as sentences in English and Korean."""

from __future__ import annotations

from kg.intake.same_event import Reason

_TOLD: dict[str, tuple[str, str]] = {
    "begin and end": ("both begin and end together: {0}", "시작과 끝이 맞음: {0}"),
    "begin": ("both begin together: {0}", "시작이 맞음: {0}"),
    "overlap": ("the times overlap: {0}", "시간이 겹침: {0}"),
    "same day": ("on the same day: {0}", "같은 날: {0}"),
    "days overlap": ("long events whose days overlap: {0}", "긴 사건의 날짜가 겹침: {0}"),
    "apart in a day": ("hours apart: {0}", "몇 시간 떨어짐: {0}"),
    "next day": ("on two days in a row: {0}", "이튿날: {0}"),
    "told that day": ("one is dated the day of the other: {0}", "발표한 날이 같음: {0}"),
    "told soon after": ("one is dated soon after the other: {0}", "얼마 뒤에 발표됨: {0}"),
    "told much later": ("one is dated weeks after the other: {0}", "몇 주 뒤에 발표됨: {0}"),
    "told on other days": ("dated on other days: {0}", "발표한 날이 다름: {0}"),
    "no day": ("one of them states no day", "날짜를 적지 않은 쪽이 있음"),
    "other day": ("on other days: {0}", "다른 날: {0}"),
    "services": ("the same services or components: {0}", "같은 서비스나 구성 요소: {0}"),
    "service named": (
        "one names a service of the other: {0}",
        "상대의 서비스를 이름으로 말함: {0}",
    ),
    "other services": ("no service in common", "겹치는 서비스가 없음"),
    "owner": ("the same organisation: {0}", "같은 조직: {0}"),
    "other owner": ("of other organisations", "조직이 다름"),
    "regions": ("the same regions: {0}", "같은 지역: {0}"),
    "other regions": ("in other regions", "지역이 다름"),
    "address": ("one links the other: {0}", "한쪽이 다른 쪽을 링크함: {0}"),
    "one report": (
        "both are events of one report: {0}",
        "한 보고서에서 나눈 사건들임: {0}",
    ),
    "identifier": ("one names the id of the other: {0}", "상대의 식별자를 말함: {0}"),
    "cited": (
        "one cites the other, but on another day: {0}",
        "상대를 인용하지만 날이 다름: {0}",
    ),
    "duplicate": ("the source calls them duplicates: {0}", "출처가 중복이라고 함: {0}"),
    "one system": ("two ids of one system: {0}", "한 시스템의 두 식별자: {0}"),
    "one format": ("two documents of one format: {0}", "형식이 같은 두 문서: {0}"),
    "titles": ("like titles: {0}", "비슷한 제목: {0}"),
    "title words": ("titles share words: {0}", "제목에 겹치는 말: {0}"),
    "words": ("told in like words: {0}", "비슷한 말로 적힘: {0}"),
    "alike on other days": (
        "told in like words, as what came back is: {0}",
        "비슷한 말로 적힘 (되풀이된 사고도 그러함): {0}",
    ),
    "some words": ("rare words in common: {0}", "드문 말이 겹침: {0}"),
    "other words": ("told in other words", "다른 말로 적힘"),
    "figures": ("the same figures: {0}", "같은 수치: {0}"),
    "a figure": ("a figure in common: {0}", "겹치는 수치: {0}"),
    "other figures": ("no figure in common", "겹치는 수치가 없음"),
    "length": ("as long: {0}", "길이가 같음: {0}"),
    "other length": ("of other length: {0}", "길이가 다름: {0}"),
}


def reason_text(reason: Reason, lang: str = "en") -> str:
    """A reason as a sentence; what it rests on is text of the cases, to be escaped on display."""
    return _TOLD[reason.what][lang == "ko"].format(", ".join(reason.told))


SENTENCES = tuple(_TOLD)
"""The outcomes for which there is a sentence."""
