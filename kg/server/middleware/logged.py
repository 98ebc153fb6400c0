"""A line in the log for every request: which endpoint, how it went, how long it took.

Never what was asked: addresses may hold queries, and these may hold anything.
"""

from __future__ import annotations

import logging
import random
import time

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MCP = "/mcp"
_LOG = logging.getLogger("kg.server.access")


class Logged:
    """Gives each request an id and logs how it ended."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and log it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = time.perf_counter()
        request_id = f"{random.getrandbits(48):012x}"
        scope["kg.request_id"] = request_id
        told = {"status": 0, "bytes": 0}

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start":
                told["status"] = message["status"]
                MutableHeaders(scope=message)["X-Request-Id"] = request_id
            else:
                told["bytes"] += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            self._tell(scope, request_id, told, time.perf_counter() - begun)

    def _tell(self, scope: Scope, request_id: str, told: dict[str, int], seconds: float) -> None:
        milliseconds = round(1000 * seconds, 1)
        line = {"event": "request", "request_id": request_id, "method": scope["method"]}
        extra = {**line, "endpoint": endpoint_of(scope), **told, "milliseconds": milliseconds}
        _LOG.info("request", extra=extra)


def endpoint_of(scope: Scope) -> str:
    """The pattern of the path, such as `/cases/{case_id}`; "-" where no endpoint was reached."""
    path = getattr(scope.get("route"), "path", None)
    if isinstance(path, str):
        return path
    return MCP if scope["path"] == MCP else "-"
