"""Running the server until it is told to stop."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import threading
from collections.abc import Callable

import uvicorn

from kg.errors import LibraryError
from kg.server.app import create_app
from kg.server.asking import Desk
from kg.server.heads_in_time import HeadsInTime
from kg.server.holder import Holder
from kg.server.logs import log_to_stderr
from kg.server.settings import Settings

GOING = 10
"""Seconds that requests under way have to end when the server is told to stop."""


def run_http(settings: Settings, started: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM; SIGHUP looks at the library file at once.

    Args:
        settings: what to serve.
        started: called with the address when requests are taken.

    Raises:
        LibraryError: the library cannot be opened, or the address cannot be listened on.
        CaseNotFound, BadQuery, TermNotFound, AmbiguousTerm: a rule of what is hidden cannot be
            used, or matches no case.
    """
    log_to_stderr()
    with (
        contextlib.closing(Holder(settings)) as holder,
        listening_on(settings.host, settings.port) as listening,
    ):
        app = create_app(settings, holder)
        _reload_on_hangup(holder)
        config = uvicorn.Config(
            app,
            http=HeadsInTime,
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            # Who asks is told by a proxy only where there is one.
            proxy_headers=settings.base_url is not None,
            timeout_graceful_shutdown=GOING,
        )
        started(_address(listening))
        uvicorn.Server(config).run(sockets=[listening])


def run_stdio(settings: Settings) -> None:
    """Serve MCP on standard input and output until it ends; logs go to standard error.

    Raises:
        LibraryError: the library cannot be opened.
        CaseNotFound, BadQuery, TermNotFound, AmbiguousTerm: a rule of what is hidden cannot be
            used, or matches no case.
    """
    from kg.server.mcp.serving import serve_stdio

    log_to_stderr()
    with contextlib.closing(Holder(settings)) as holder:
        holder.watch()
        _reload_on_hangup(holder)
        desk = Desk(settings.limits)
        try:
            asyncio.run(serve_stdio(settings, holder, desk))
        finally:
            desk.close()


def listening_on(host: str, port: int) -> socket.socket:
    """A socket that listens.

    Raises:
        LibraryError: the address cannot be listened on.
    """
    try:
        places = socket.getaddrinfo(
            host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        family, kind, _, _, address = places[0]
        # Named as TCP, or asyncio would not switch Nagle's delay off: 40 ms for each answer.
        listening = socket.socket(family, kind, socket.IPPROTO_TCP)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(512)
        return listening
    except OSError as error:
        told = error.strerror or str(error)
        raise LibraryError(f"cannot listen on {host} port {port}: {told}") from error


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _reload_on_hangup(holder: Holder) -> None:
    """Reload in a thread of its own: a signal must not wait for a library to open."""
    if hasattr(signal, "SIGHUP") and threading.current_thread() is threading.main_thread():

        def reload(*_: object) -> None:
            threading.Thread(target=holder.reload, kwargs={"force": True}, daemon=True).start()

        signal.signal(signal.SIGHUP, reload)
