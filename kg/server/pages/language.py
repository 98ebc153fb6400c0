"""Which language a reader wants: what the address says, else what the browser accepts."""

from __future__ import annotations

from kg.server.pages.names import LANGUAGES


def named_language(value: str | None) -> str | None:
    """The language that `lang=` names; None where it names none of ours."""
    wanted = (value or "").strip().lower().partition("-")[0]
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
