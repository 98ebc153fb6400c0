"""Problems as they are answered: RFC 9457 problem details for every error."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

MEDIA_TYPE = "application/problem+json"

TITLES: Mapping[str, tuple[int, str, str]] = {
    "bad-request": (400, "The request cannot be read", "요청을 읽을 수 없습니다"),
    "no-token": (401, "A read token is needed", "읽기 토큰이 필요합니다"),
    "wrong-origin": (403, "Asked by a page of another site", "다른 사이트의 페이지가 물었습니다"),
    "not-found": (404, "There is nothing here", "여기에는 아무것도 없습니다"),
    "unknown-case": (404, "There is no such case", "그런 사례가 없습니다"),
    "unknown-term": (404, "There is no such term", "그런 분류 값이 없습니다"),
    "read-only": (405, "Only reading is possible", "읽기만 할 수 있습니다"),
    "not-acceptable": (406, "No such form", "그런 형식으로는 답하지 않습니다"),
    "too-slow-a-body": (408, "The request came too slowly", "요청이 너무 느리게 왔습니다"),
    "too-large": (413, "The request is too large", "요청이 너무 큽니다"),
    "too-long": (414, "The address is too long", "주소가 너무 깁니다"),
    "not-json": (415, "The body must be JSON", "본문은 JSON이어야 합니다"),
    "wrong-host": (421, "Not the name of this server", "이 서버의 이름이 아닙니다"),
    "bad-question": (422, "The question cannot be asked so", "이렇게는 물을 수 없습니다"),
    "too-many": (429, "Too many requests", "요청이 너무 많습니다"),
    "broken": (500, "The server failed", "서버에 문제가 생겼습니다"),
    "unavailable": (503, "The library cannot be read now", "지금은 라이브러리를 읽을 수 없습니다"),
    "busy": (503, "The server is busy", "서버가 바쁩니다"),
    "too-slow": (504, "The answer took too long", "답하는 데 너무 오래 걸렸습니다"),
}
"""Each kind of problem: its status, and its title in English and Korean."""

_KIND_OF_STATUS = {
    400: "bad-request", 401: "no-token", 403: "wrong-origin", 404: "not-found", 405: "read-only",
    406: "not-acceptable", 408: "too-slow-a-body", 413: "too-large", 414: "too-long",
    415: "not-json", 421: "wrong-host", 422: "bad-question", 429: "too-many",
    503: "unavailable", 504: "too-slow",
}  # fmt: skip


@dataclass(frozen=True)
class Told:
    """A problem of a request.

    Attributes:
        kind: one of `TITLES`.
        detail: what is wrong with this request and what to do, in words; "" where the title says
            it all.
        more: further members, such as `near`, the names that look like the one given.
        korean: `detail` in Korean, for pages; "" where there are no words for it.
    """

    kind: str
    detail: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)
    korean: str = ""

    @property
    def status(self) -> int:
        """The HTTP status."""
        return TITLES[self.kind][0]

    def title(self, lang: str = "en") -> str:
        """What sort of problem it is, in English or Korean."""
        _, en, ko = TITLES[self.kind]
        return ko if lang == "ko" else en

    def words(self, lang: str) -> tuple[str, str]:
        """The detail as a page in a language shows it, and the language that it is in."""
        return (self.korean, "ko") if lang == "ko" and self.korean else (self.detail, "en")

    def plain(self) -> dict[str, Any]:
        """The members of the answer."""
        told = {"type": f"urn:incident-kg:problem:{self.kind}", "title": self.title()}
        detail = {"detail": self.detail} if self.detail else {}
        return {**told, "status": self.status, **detail, **self.more}


class Refused(HTTPException):
    """A request is not answered, for a reason that the caller is told."""

    def __init__(self, told: Told, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(told.status, told.detail or told.title(), headers)
        self.told = told


def refuse(kind: str, detail: str = "", *, korean: str = "") -> Refused:
    """The error to raise for a kind of problem; those that pass say when to come again."""
    waits = {"busy": "1", "too-many": "5", "unavailable": "5", "too-slow": "5"}
    headers = {"Retry-After": waits[kind]} if kind in waits else None
    return Refused(Told(kind, detail, korean=korean), headers)


def kind_of_status(status: int) -> str:
    """The kind of a problem of which only the status is known."""
    return _KIND_OF_STATUS.get(status, "broken" if status >= 500 else "bad-request")


def problem_response(told: Told, headers: Mapping[str, str] | None = None) -> Response:
    """A problem as an answer; nothing keeps it."""
    body = json.dumps(told.plain(), ensure_ascii=False).encode("utf-8", "replace")
    own = {"Cache-Control": "no-store", **(headers or {})}
    return Response(body, told.status, own, MEDIA_TYPE)
