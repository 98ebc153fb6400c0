"""Bodies of bounded size that come in bounded time, and addresses of bounded length."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kg.server.problems import Refused, problem_response, refuse
from kg.server.settings import Limits

LONGEST = 24 * 1024
"""Bytes of an address: 2,000 Korean characters are 18,000 of them."""


class Bodies:
    """Reads the body of a request whole before anything else does, or refuses it."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with its body, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            body = await self._body(scope, receive)
        except Refused as error:
            # The rest of the body is not read: the connection cannot be used again.
            close = {"Connection": "close", **(error.headers or {})}
            await problem_response(error.told, scope, close)(scope, receive, send)
            return
        if body is not None:
            await self._app(scope, _replayed(body, receive), send)

    async def _body(self, scope: Scope, receive: Receive) -> bytes | None:
        """The body; None when the client has gone.

        Raises:
            Refused: too large (413), too slow (408), or too long an address (414).
        """
        if len(scope["path"]) + len(scope["query_string"]) > LONGEST:
            raise refuse("too-long")
        self._check(_told_length(scope))
        try:
            async with asyncio.timeout(self._limits.seconds):
                return await self._read(receive)
        except TimeoutError:
            raise refuse("too-slow-a-body") from None

    async def _read(self, receive: Receive) -> bytes | None:
        parts, size = [], 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            part = message.get("body", b"")
            size += len(part)
            self._check(size)
            parts.append(part)
            if not message.get("more_body"):
                return b"".join(parts)

    def _check(self, size: int) -> None:
        if size > self._limits.body:
            raise refuse("too-large", "bytes", self._limits.body)


def _told_length(scope: Scope) -> int:
    """What the request says of its length; 0 where it says nothing."""
    told = [v for k, v in scope["headers"] if k == b"content-length"]
    return int(told[0]) if told and told[0].isdigit() else 0


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Receives the body once, then what the server has to say."""
    first: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def received() -> Message:
        return first.pop() if first else await receive()

    return received
