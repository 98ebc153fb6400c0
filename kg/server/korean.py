"""What the commonest errors say in Korean, for pages; programs are told in English."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kg.errors import AmbiguousTerm, BadQuery, CaseNotFound, TermNotFound
from kg.server.pages.words import word
from kg.vocab import SCHEMES

_SAID = tuple(
    (re.compile(said, re.DOTALL), told)
    for said, told in (
        (
            r"(\w+): give a whole number from (\d+) to (\d+)",
            "{0}: {1}부터 {2}까지의 정수를 쓰세요.",
        ),
        (
            r"(\w+): give a whole day such as (\S+), year first",
            "{0}: {1}처럼 연도부터 날짜를 다 쓰세요.",
        ),
        (
            r"a text of more than (\d+) characters; give it to the assistant",
            "글이 {0}자를 넘습니다. 긴 글은 진단 도우미에 넣으세요.",
        ),
        (
            r"(.+) is one case; give two",
            "양쪽이 모두 같은 사례({0})입니다. 서로 다른 두 사례를 쓰세요.",
        ),
        (
            r"both are texts; .+",
            "양쪽이 모두 글입니다. 글 하나와 사례 번호 하나, 또는 사례 번호 두 개를 쓰세요.",
        ),
        (r"the (?:text|query) has no words; .+", "글에 낱말이 없습니다. 무엇을 보았는지 쓰세요."),
        (
            r"(\S+) is observed, but ([^\s,]+)(?:, .+)? is ruled out; drop one",
            "{0}은(는) 관찰했다고 하고 {1}은(는) 배제했다고 했습니다. 둘 가운데 하나를 빼세요.",
        ),
        (r"no (\w+) '(.*)'; there are (.+)", "{0}: '{1}'은(는) 없습니다. {2} 가운데 고르세요."),
        (r"(\w+) is blank; .+", "{0}: 비어 있습니다. 거르지 않으려면 빼세요."),
    )
)
"""What the library says of a question that cannot be asked so, and the same in Korean."""


def korean_of(error: Exception) -> str:
    """What an error says, in Korean; "" where it has no words for it."""
    if isinstance(error, CaseNotFound):
        return f"이 라이브러리에 사례 '{error.case_id}'이(가) 없습니다.{_near(error.near)}"
    if isinstance(error, TermNotFound):
        within = word(f"kind.{error.scheme}", "ko") + " " if error.scheme in SCHEMES else ""
        return f"{within}분류 값 '{error.spelling}'이(가) 없습니다.{_near(error.near)}"
    if isinstance(error, AmbiguousTerm):
        terms = ", ".join(error.candidates)
        return f"'{error.spelling}'은(는) 여러 분류 값의 이름입니다: {terms}. 하나를 골라 쓰세요."
    return _translated(str(error)) if isinstance(error, BadQuery) else ""


def _near(names: Sequence[str]) -> str:
    return f" 이것을 찾으셨나요? {', '.join(names)}" if names else ""


def _translated(said: str) -> str:
    for pattern, told in _SAID:
        found = pattern.fullmatch(said)
        if found:
            return told.format(*found.groups())
    return ""
