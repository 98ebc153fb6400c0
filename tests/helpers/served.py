"""Servers for tests: in this process, or as a program of its own; and MCP clients of the SDK."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar

import anyio
import httpx2
import uvicorn
from fastapi import FastAPI
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from starlette.testclient import TestClient

from kg.server.app import create_app
from kg.server.heads_in_time import HeadsInTime
from kg.server.holder import Holder
from kg.server.running import listening_on
from kg.server.settings import Settings

T = TypeVar("T")

HERE = "http://127.0.0.1:8321"
"""How tests name the server; the name that the test client would use is refused."""


@contextmanager
def asking(
    settings: Settings, holder: Holder | None = None, *, raising: bool = True
) -> Iterator[TestClient]:
    """A client of an app in this process; it raises what the app raises unless told not to.

    `holder`: an open library, for apps that differ in other settings only.
    """
    app = create_app(settings, holder)
    with TestClient(app, base_url=HERE, raise_server_exceptions=raising) as client:
        yield client


@contextmanager
def listening(app: FastAPI, protocol: type = HeadsInTime) -> Iterator[int]:
    """A real server in a thread of this process; its port."""
    place = listening_on("127.0.0.1", 0)
    config = uvicorn.Config(app, http=protocol, ws="none", log_config=None, access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [place]})
    thread.start()
    try:
        yield place.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


@asynccontextmanager
async def tools_over_http(app: FastAPI, headers: dict[str, str] | None) -> AsyncIterator[Client]:
    """A client of the SDK that speaks Streamable HTTP to an app in this process."""
    async with app.router.lifespan_context(app):
        transport = httpx2.ASGITransport(app)
        async with (
            httpx2.AsyncClient(transport=transport, base_url=HERE, headers=headers) as http,
            Client(streamable_http_client(f"{HERE}/mcp", http_client=http)) as client,
        ):
            yield client


def with_tools(
    settings: Settings,
    holder: Holder | None,
    work: Callable[[Client], Any],
    headers: dict[str, str] | None = None,
) -> Any:
    """What a piece of work gets from the tools of a server over an open library, or its own."""
    app = create_app(settings, holder)

    async def run() -> Any:
        async with tools_over_http(app, headers) as client:
            return await work(client)

    return anyio.run(run)


class Program:
    """`kg` as a program of its own that serves; `url` once it listens."""

    def __init__(self, arguments: Sequence[str], log: Path, environment: dict[str, str]) -> None:
        self.log = log
        self._file: IO[str] = log.open("w")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "kg", *arguments],
            stderr=self._file,
            env={**os.environ, **environment},
        )
        self.url = self._listening()

    def _listening(self) -> str:
        for _ in range(600):
            told = self.log.read_text("utf-8")
            for line in told.splitlines():
                if line.startswith("kg: serving "):
                    return line.removeprefix("kg: serving ")
            if self.process.poll() is not None:
                raise AssertionError(told)
            time.sleep(0.1)
        raise AssertionError(f"not up within a minute: {told}")

    def end(self) -> str:
        """Tell it to stop; what it has logged."""
        self.process.terminate()
        self.process.wait(timeout=30)
        self._file.close()
        return self.log.read_text("utf-8")


@contextmanager
def program(arguments: Sequence[str], log: Path, **environment: str) -> Iterator[Program]:
    """A serving program, which is ended at last."""
    running = Program(arguments, log, environment)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.end()
