"""A bounded number of requests a minute from each address, where that is set."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from kg.server.problems import Refused, problem_response, refuse
from kg.server.settings import Limits

READERS = 10_000
"""Addresses that are remembered; those not heard of for longest are forgotten."""


class Pace:
    """Tells an address that asks too often to come again later (429).

    Each address may ask `a_minute` times at once, and gets that many again over a minute (a token
    bucket). Behind a proxy all readers have one address: let the proxy count there.
    """

    def __init__(
        self, app: ASGIApp, limits: Limits, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._app = app
        self._most = limits.a_minute
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or tell it to come again."""
        if scope["type"] != "http" or self._most is None or self._may(scope, self._most):
            await self._app(scope, receive, send)
            return
        late: Refused = refuse("too-many", "pace", self._most)
        await problem_response(late.told, scope, late.headers)(scope, receive, send)

    def _may(self, scope: Scope, most: int) -> bool:
        """Whether the address may ask now; takes one of its requests if so."""
        reader, now = (scope.get("client") or ("",))[0], self._clock()
        left, seen = self._left.pop(reader, (float(most), now))
        left = min(float(most), left + (now - seen) * most / 60)
        may = left >= 1
        self._left[reader] = (left - 1 if may else left, now)
        if len(self._left) > READERS:
            self._left.popitem(last=False)
        return may
