"""Problems as they are answered: RFC 9457 problem details for every error."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Scope

from kg.server.language import language_of
from kg.server.wording import DETAILS, TITLES

MEDIA_TYPE = "application/problem+json"

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
        korean: `detail` in Korean; "" where there are no words for it.
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
        """The detail as a reader of a language is told it, and the language that it is in."""
        return (self.korean, "ko") if lang == "ko" and self.korean else (self.detail, "en")

    def plain(self, lang: str = "en") -> dict[str, Any]:
        """The members of the answer; all but `title` and `detail` are the same in each language."""
        told = {"type": f"urn:incident-kg:problem:{self.kind}", "title": self.title(lang)}
        said, _ = self.words(lang)
        detail = {"detail": said} if said else {}
        return {**told, "status": self.status, **detail, **self.more}


class Refused(HTTPException):
    """A request is not answered, for a reason that the caller is told."""

    def __init__(self, told: Told, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(told.status, told.detail or told.title(), headers)
        self.told = told


def told(kind: str, said: str = "", *values: object) -> Told:
    """A problem of a kind; `said` is the key of its detail in `DETAILS`, with values put in."""
    if not said:
        return Told(kind)
    detail, korean = (words.format(*values) for words in DETAILS[said])
    return Told(kind, detail, korean=korean)


def refuse(kind: str, said: str = "", *values: object) -> Refused:
    """The error to raise for a kind of problem, as `told`; what passes says when to come again."""
    waits = {"busy": "1", "too-many": "5", "unavailable": "5", "too-slow": "5"}
    headers = {"Retry-After": waits[kind]} if kind in waits else None
    return Refused(told(kind, said, *values), headers)


def kind_of_status(status: int) -> str:
    """The kind of a problem of which only the status is known."""
    return _KIND_OF_STATUS.get(status, "broken" if status >= 500 else "bad-request")


def problem_response(
    told: Told, scope: Scope, headers: Mapping[str, str] | None = None
) -> Response:
    """A problem as the answer to a request, in its language; nothing keeps it."""
    lang = language_of(scope)
    body = json.dumps(told.plain(lang), ensure_ascii=False).encode("utf-8", "replace")
    own = {"Cache-Control": "no-store", "Content-Language": lang, "Vary": "Accept-Language"}
    return Response(body, told.status, {**own, **(headers or {})}, MEDIA_TYPE)
