"""What a caller is told of an error: never more than what the caller asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException

from embeddings import EmbeddingError
from kg.errors import AmbiguousTerm, BadQuery, CaseNotFound, KgError, NotFound, TermNotFound
from kg.server.korean import korean_of, korean_of_value
from kg.server.problems import Refused, Told, kind_of_status


def told_of_error(error: Exception, named: frozenset[str] = frozenset()) -> Told:
    """What a caller is told of an error.

    Args:
        error: what was raised.
        named: what the path names; of this, "not found" is said. What is only asked for beside,
            such as the value of a filter, makes the question a bad one.
    """
    if isinstance(error, Refused):
        return error.told
    if isinstance(error, NotFound):
        return _not_found(error, named)
    if isinstance(error, AmbiguousTerm):
        candidates = {"candidates": list(error.candidates)}
        return Told("bad-question", str(error), candidates, korean_of(error))
    if isinstance(error, BadQuery):
        return Told("bad-question", str(error), korean=korean_of(error))
    if isinstance(error, RequestValidationError | ValidationError):
        return _invalid(error.errors())
    if isinstance(error, HTTPException):
        return Told(kind_of_status(error.status_code))
    if isinstance(error, KgError | EmbeddingError):
        return Told("unavailable")
    return Told("broken")


def _not_found(error: NotFound, named: frozenset[str]) -> Told:
    near = {"near": list(getattr(error, "near", ()))}
    if isinstance(error, CaseNotFound):
        kind = "unknown-case" if error.case_id in named else "bad-question"
        return Told(kind, str(error), near, korean_of(error))
    if isinstance(error, TermNotFound):
        kind = "unknown-term" if error.spelling in named else "bad-question"
        return Told(kind, str(error), near, korean_of(error))
    return Told("not-found", str(error))


def _invalid(errors: Sequence[Any]) -> Told:
    """The places that are wrong; never the values, which may be long or secret."""
    found = [{"where": ".".join(map(str, e["loc"])), "what": str(e["msg"])} for e in errors[:20]]
    detail = "; ".join(f"{f['where']}: {f['what']}" for f in found[:3])
    korean = "; ".join(
        f"{f['where']}: {korean_of_value(e)}" for f, e in zip(found[:3], errors, strict=False)
    )
    return Told("bad-question", detail, {"problems": found}, korean)
