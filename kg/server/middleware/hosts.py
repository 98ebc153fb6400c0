"""Only requests that name this server: a page of another site must not reach it by its own name.

A page can have its own name lead to 127.0.0.1 (DNS rebinding) and would then be of the same origin
as a server here. Its requests carry that name, which is not ours.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from kg.server.problems import problem_response, told

_REFUSED = told("wrong-host", "host")
_FOREIGN = told("wrong-origin", "origin")
_ASKING = ("POST", "PUT", "PATCH", "DELETE")


class Hosts:
    """Refuses other names. Plain addresses are let through: nobody can make them lead here."""

    def __init__(self, app: ASGIApp, names: Collection[str]) -> None:
        self._app = app
        self._names = frozenset(names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif not self._ours(scope):
            await problem_response(_REFUSED, scope)(scope, receive, send)
        elif scope["method"] in _ASKING and self._foreign(scope):
            await problem_response(_FOREIGN, scope)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _ours(self, scope: Scope) -> bool:
        given = _all(scope, b"host")
        return len(given) == 1 and self._named(host_of(given[0]))

    def _foreign(self, scope: Scope) -> bool:
        """Whether a page of another site asks; programs name no origin."""
        return any(not self._named(urlsplit(o).hostname or "") for o in _all(scope, b"origin"))

    def _named(self, name: str) -> bool:
        return name in self._names or is_address(name)


def _all(scope: Scope, name: bytes) -> list[str]:
    return [v.decode("latin-1") for k, v in scope["headers"] if k == name]


def host_of(header: str) -> str:
    """The name in a `Host` header, without the port."""
    header = header.strip().lower()
    if header.startswith("["):
        return header.partition("]")[0][1:]
    return header.partition(":")[0].rstrip(".")


def is_address(name: str) -> bool:
    """Whether a name is an address in figures."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
