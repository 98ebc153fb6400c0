"""The app: REST, pages and MCP over one library."""

from __future__ import annotations

import importlib.util
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from fastapi import FastAPI
from starlette.routing import Route

from kg.server import errors
from kg.server.asking import Desk
from kg.server.holder import Holder
from kg.server.mcp.serving import HttpEndpoint, make_server
from kg.server.middleware import guarded
from kg.server.openapi import describe
from kg.server.rest import routers
from kg.server.settings import Settings

PAGES = "kg.server.pages"
"""Has `add_pages(app)`: includes its routers, of `PageRoute`s, and sets `app.state.error_page`."""


def create_app(settings: Settings | None = None, holder: Holder | None = None) -> FastAPI:
    """An app that serves a library.

    `app.state` has `settings`, `holder` (the library) and `desk` (the threads that ask it).

    Args:
        settings: what to serve, and to whom; the shipped cases on this machine by default.
        holder: an open library, which the caller closes; else one is opened now, and closed when
            the app is shut down.

    Raises:
        LibraryError: the library cannot be opened.
        CaseNotFound, BadQuery, TermNotFound, AmbiguousTerm: a rule of what is hidden cannot be
            used, or matches no case.
    """
    settings = settings or Settings()
    held = holder or Holder(settings)
    app = FastAPI(
        title="incident-kg",
        docs_url=None,  # they would load scripts of other sites
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan(held, own=holder is None),
    )
    app.state.settings = settings
    app.state.holder = held
    app.state.desk = Desk(settings.limits)
    errors.add_handlers(app)
    if importlib.util.find_spec(PAGES) is not None:
        importlib.import_module(PAGES).add_pages(app)
    for router in routers():
        app.include_router(router)
    endpoint = HttpEndpoint(make_server(settings, held, app.state.desk), settings.limits.body)
    app.state.mcp = endpoint
    app.router.routes.append(Route("/mcp", endpoint, methods=["POST"]))
    describe(app)
    guarded(app, settings)
    return app


def _lifespan(
    holder: Holder, *, own: bool
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        holder.watch()
        try:
            async with app.state.mcp.manager.run():
                yield
        finally:
            app.state.desk.close()
            if own:
                holder.close()

    return lifespan
