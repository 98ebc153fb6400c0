"""What stands before every endpoint: names, tokens, limits, headers, logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.server.middleware.headers import Headers

if TYPE_CHECKING:
    from fastapi import FastAPI

    from kg.server.settings import Settings


def guarded(app: FastAPI, settings: Settings) -> None:
    """Put all of them before an app, the outermost last."""
    del settings
    app.add_middleware(Headers)
