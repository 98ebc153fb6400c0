"""From errors to problems: what a caller is told, and what only the log is."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from embeddings import EmbeddingError
from kg.errors import AmbiguousTerm, BadQuery, CaseNotFound, KgError, NotFound, TermNotFound
from kg.server.negotiation import wants_page
from kg.server.problems import Refused, Told, kind_of_status, problem_response, refuse

if TYPE_CHECKING:
    from fastapi import FastAPI

_LOG = logging.getLogger("kg.server")

ErrorPage = Callable[[Request, Told], Response]
"""Shows a problem to a person; `app.state.error_page` where there are pages."""


def add_handlers(app: FastAPI) -> None:
    """Answer every error of this app as a problem."""
    app.add_exception_handler(KgError, _answer)
    app.add_exception_handler(EmbeddingError, _answer)
    app.add_exception_handler(HTTPException, _answer)
    app.add_exception_handler(RequestValidationError, _answer)
    app.add_exception_handler(Exception, _answer)


def told_of(error: Exception, named: frozenset[str] = frozenset()) -> Told:
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
        return Told("bad-question", str(error), {"candidates": list(error.candidates)})
    if isinstance(error, BadQuery):
        return Told("bad-question", str(error))
    if isinstance(error, RequestValidationError):
        return _invalid(error)
    if isinstance(error, HTTPException):
        return Told(kind_of_status(error.status_code))
    if isinstance(error, KgError | EmbeddingError):
        return Told("unavailable")
    return Told("broken")


async def _answer(request: Request, error: Exception) -> Response:
    told = told_of(error, frozenset(map(str, request.path_params.values())))
    if told.status >= 500 and not isinstance(error, Refused):
        _log(request, error)
    if told.kind == "unavailable" and not isinstance(error, Refused):
        error = refuse("unavailable")
    headers = getattr(error, "headers", None)
    page: ErrorPage | None = getattr(request.app.state, "error_page", None)
    if page is not None and wants_page(request.scope):
        return page(request, told)
    return problem_response(told, headers)


def _not_found(error: NotFound, named: frozenset[str]) -> Told:
    near = {"near": list(getattr(error, "near", ()))}
    if isinstance(error, CaseNotFound):
        kind = "unknown-case" if error.case_id in named else "bad-question"
        return Told(kind, str(error), near)
    if isinstance(error, TermNotFound):
        kind = "unknown-term" if error.spelling in named else "bad-question"
        return Told(kind, str(error), near)
    return Told("not-found", str(error))


def _invalid(error: RequestValidationError) -> Told:
    """The places that are wrong; never the values, which may be long or secret."""
    found = [
        {"where": ".".join(map(str, e["loc"])), "what": str(e["msg"])} for e in error.errors()[:20]
    ]
    detail = "; ".join(f"{f['where']}: {f['what']}" for f in found[:3])
    return Told("bad-question", detail, {"problems": found})


def _log(request: Request, error: Exception) -> None:
    """The kind of error and where it came from: its message may quote a case or a question."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = "" if trace is None else f"{trace.tb_frame.f_globals.get('__name__')}:{trace.tb_lineno}"
    told = {"event": "error", "error": type(error).__name__, "where": where}
    _LOG.error("failed", extra={**told, "request_id": request.scope.get("kg.request_id", "")})
