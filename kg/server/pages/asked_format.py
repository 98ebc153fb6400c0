"""`format=json` or `format=html` in an address, for links whose reader cannot choose otherwise."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

from kg.server.problems import refuse

FORMATS = {b"json": b"application/json", b"html": b"text/html"}


class AskedFormat:
    """Takes `format=` out of an address and has the request accept that form."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, as a program or a browser would have sent it.

        Raises:
            Refused: there is no such form.
        """
        await self._app(_asked(scope) if scope["type"] == "http" else scope, receive, send)


def _asked(scope: Scope) -> Scope:
    parts = scope["query_string"].split(b"&")
    wishes = [part for part in parts if part.partition(b"=")[0] == b"format"]
    if not wishes:
        return scope
    kinds = {FORMATS.get(wish.partition(b"=")[2]) for wish in wishes}
    if len(kinds) != 1 or None in kinds:
        raise refuse("bad-question", "format")
    others = [header for header in scope["headers"] if header[0] != b"accept"]
    return {
        **scope,
        "query_string": b"&".join(part for part in parts if part not in wishes),
        "headers": [*others, *((b"accept", kind) for kind in kinds if kind)],
    }
