"""The read token: where one is set, only `/health` is answered without it."""

from __future__ import annotations

import base64
import binascii
import hmac

from starlette.types import ASGIApp, Receive, Scope, Send

from kg.server.problems import problem_response, told

OPEN = ("/health",)
_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="incident-kg", Basic realm="incident-kg"'}
_REFUSED = told("no-token", "token")


class Tokens:
    """Lets through who shows the token, as `Bearer`, or as the password of `Basic` (browsers)."""

    def __init__(self, app: ASGIApp, token: str | None) -> None:
        self._app = app
        self._token = None if token is None else token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        free = self._token is None or scope["type"] != "http" or scope["path"] in OPEN
        if free or self._shown(scope):
            await self._app(scope, receive, send)
        else:
            await problem_response(_REFUSED, scope, _CHALLENGE)(scope, receive, send)

    def _shown(self, scope: Scope) -> bool:
        given = [v for k, v in scope["headers"] if k == b"authorization"]
        own = self._token or b""
        # The comparison takes equally long however much of a guess is right.
        return len(given) == 1 and hmac.compare_digest(token_in(given[0]), own)


def token_in(header: bytes) -> bytes:
    """The token in an `Authorization` header; empty where there is none."""
    scheme, _, value = header.strip().partition(b" ")
    if scheme.lower() == b"bearer":
        return value.strip()
    if scheme.lower() == b"basic":
        try:
            return base64.b64decode(value.strip(), validate=True).partition(b":")[2]
        except (binascii.Error, ValueError):
            return b""
    return b""
