"""From errors to problems: what a caller is told, and what only the log is."""

from __future__ import annotations

import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import TYPE_CHECKING

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from embeddings import EmbeddingError
from kg.errors import KgError
from kg.server.allowed import allowed_methods
from kg.server.language import told_in
from kg.server.negotiation import wants_page
from kg.server.problems import Refused, Told, problem_response, refuse
from kg.server.tellings import told_of_error

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


class Failures:
    """Answers what nothing else has caught, within the guards that every answer passes."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except Exception as error:
            if scope["type"] != "http" or begun:
                raise
            response = await _answer(Request(scope), error)
            await response(scope, receive, send)


async def _answer(request: Request, error: Exception) -> Response:
    if isinstance(error, RequestValidationError) and isinstance(error.body, dict):
        told_in(request, error.body.get("lang"))
    told = told_of_error(error, frozenset(map(str, request.path_params.values())))
    if told.status >= 500 and not isinstance(error, Refused):
        _log(request, error)
    if told.kind == "unavailable" and not isinstance(error, Refused):
        error = refuse("unavailable")
    headers = dict(getattr(error, "headers", None) or {})
    if told.status == HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = allowed_methods(request.app, request.url.path)
    page: ErrorPage | None = getattr(request.app.state, "error_page", None)
    if page is not None and wants_page(request.scope):
        return page(request, told)
    return problem_response(told, request.scope, headers)


def _log(request: Request, error: Exception) -> None:
    """The kind of error and where it came from: its message may quote a case or a question."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = "" if trace is None else f"{trace.tb_frame.f_globals.get('__name__')}:{trace.tb_lineno}"
    told = {"event": "error", "error": type(error).__name__, "where": where}
    _LOG.error("failed", extra={**told, "request_id": request.scope.get("kg.request_id", "")})
