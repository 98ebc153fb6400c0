"""What errors of the library and of values say, in Korean."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from kg.errors import AmbiguousTerm, BadQuery, CaseNotFound, TermNotFound
from kg.server.pages.words import word
from kg.server.wording import LIBRARY, VALUES
from kg.vocab import SCHEMES

_SAID = tuple((re.compile(said, re.DOTALL), told) for said, told in LIBRARY.items())


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


def korean_of_value(error: Mapping[str, Any]) -> str:
    """What pydantic says of a value, in Korean; in its own words where there are none for it."""
    told = VALUES.get(str(error["type"]))
    if told is None:
        return str(error["msg"])
    context = {k: str(v).replace(" or ", ", ") for k, v in (error.get("ctx") or {}).items()}
    return told.format(**context)


def _near(names: Sequence[str]) -> str:
    return f" 이것을 찾으셨나요? {', '.join(names)}" if names else ""


def _translated(said: str) -> str:
    for pattern, told in _SAID:
        found = pattern.fullmatch(said)
        if found:
            return told.format(*found.groups())
    return ""
