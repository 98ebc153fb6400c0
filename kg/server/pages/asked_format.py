"""`format=json` in an address, for links that a browser follows and that shall give JSON."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

WISH = b"format=json"


class AskedFormat:
    """Takes `format=json` out of an address and has the request accept JSON instead of a page."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, as a program would have sent it where the address says so."""
        if scope["type"] == "http":
            parts = scope["query_string"].split(b"&")
            if WISH in parts:
                rest = [header for header in scope["headers"] if header[0] != b"accept"]
                scope = {
                    **scope,
                    "query_string": b"&".join(p for p in parts if p != WISH),
                    "headers": [*rest, (b"accept", b"application/json")],
                }
        await self._app(scope, receive, send)
