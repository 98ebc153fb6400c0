"""What stands before every endpoint: logs, headers, names, tokens, limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.server.errors import Failures
from kg.server.middleware.bodies import Bodies
from kg.server.middleware.crowd import Crowd
from kg.server.middleware.headers import Headers
from kg.server.middleware.heads import Heads
from kg.server.middleware.hosts import Hosts
from kg.server.middleware.logged import Logged
from kg.server.middleware.pace import Pace
from kg.server.middleware.tokens import Tokens

if TYPE_CHECKING:
    from fastapi import FastAPI

    from kg.server.settings import Settings


def guarded(app: FastAPI, settings: Settings) -> None:
    """Put all of them before an app; the last one added sees a request first."""
    app.add_middleware(Failures)
    app.add_middleware(Heads)
    app.add_middleware(Bodies, limits=settings.limits)
    app.add_middleware(Tokens, token=settings.token)
    app.add_middleware(Hosts, names=settings.names)
    app.add_middleware(Crowd, limits=settings.limits)
    app.add_middleware(Pace, limits=settings.limits)
    app.add_middleware(Headers)
    app.add_middleware(Logged)
