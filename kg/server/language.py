"""Which language a reader wants: what the request says, else what the reader accepts."""

from __future__ import annotations

from starlette.datastructures import Headers, QueryParams
from starlette.requests import Request
from starlette.types import Scope

from kg.server.settings import LANGUAGES

_NAMED = "kg.lang"


def language_of(scope: Scope) -> str:
    """The language of a page or problem.

    What `lang` in the address or the body names; else what the reader accepts; else that of the
    settings. Other answers depend on their address alone, so that all readers may share them.
    """
    named = named_language(QueryParams(scope.get("query_string", b"")).get("lang"))
    app = scope.get("app")
    otherwise: str = LANGUAGES[0] if app is None else app.state.settings.lang
    accepted = ", ".join(Headers(scope=scope).getlist("accept-language"))
    return named or named_language(scope.get(_NAMED)) or accepted_language(accepted, otherwise)


def told_in(request: Request, named: object) -> None:
    """Have a problem of this request told in the language that its body names."""
    request.scope[_NAMED] = named


def named_language(value: object) -> str | None:
    """The language that `lang` names; None where it names none of ours."""
    wanted = value.strip().lower().partition("-")[0] if isinstance(value, str) else ""
    return wanted if wanted in LANGUAGES else None


def accepted_language(header: str, otherwise: str) -> str:
    """The one of our languages that an `Accept-Language` header likes best (RFC 9110, 12.5.4)."""
    weights: dict[str, float] = {}
    for part in header.split(",")[:50]:
        name, _, parameters = part.partition(";")
        lang = named_language(name)
        if lang is not None:
            weights[lang] = max(weights.get(lang, 0.0), _weight(parameters))
    best = max(weights.values(), default=0.0)
    if best <= 0:
        return otherwise
    liked = [lang for lang in weights if weights[lang] == best]
    return liked[0]


def _weight(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    if name.strip().lower() != "q":
        return 1.0
    try:
        return min(max(float(value), 0.0), 1.0)
    except ValueError:
        return 0.0
