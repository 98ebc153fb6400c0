"""A bounded number of requests at the same time, none of which waits for its reader for ever."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kg.server.problems import Refused, problem_response, refuse
from kg.server.settings import Limits


class Crowd:
    """Tells requests beyond the limit to come again, and drops readers that do not read."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app = app
        self._limits = limits
        self._here = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or tell it to come again."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if self._here >= self._limits.requests:
            busy: Refused = refuse("busy")
            await problem_response(busy.told, scope, busy.headers)(scope, receive, send)
            return

        async def within_time(message: Message) -> None:
            async with asyncio.timeout(self._limits.seconds):
                await send(message)

        self._here += 1
        try:
            await self._app(scope, receive, within_time)
        finally:
            self._here -= 1
