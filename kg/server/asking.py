"""Asking the library from a request: in a thread, in turn, within the time there is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import TypeVar

from starlette.requests import Request

from kg.server.holder import Holder
from kg.server.problems import refuse
from kg.server.served import Served
from kg.server.settings import Limits

T = TypeVar("T")


class Desk:
    """The threads that work on questions, and how many may wait for them.

    A question that takes too long is answered so (504) and its thread counts as taken until it is
    really done, so that slow questions cannot pile up.
    """

    def __init__(self, limits: Limits) -> None:
        """`limits`: threads, requests at a time, and seconds for each."""
        self._limits = limits
        self._threads = ThreadPoolExecutor(limits.threads, thread_name_prefix="kg-ask")
        self._lock = Lock()
        self._taken = 0

    @property
    def taken(self) -> int:
        """Questions that are worked on or wait."""
        return self._taken

    async def ask(self, work: Callable[[], T]) -> T:
        """The answer of a piece of work.

        Raises:
            Refused: too many questions wait (503), or it took too long (504).
        """
        with self._lock:
            if self._taken >= self._limits.requests:
                raise refuse("busy")
            self._taken += 1
        future = self._threads.submit(work)
        future.add_done_callback(self._done)
        try:
            async with asyncio.timeout(self._limits.seconds):
                return await asyncio.wrap_future(future)
        except TimeoutError:
            raise refuse("too-slow") from None

    def close(self) -> None:
        """Take no more questions; those under way are finished."""
        self._threads.shutdown(wait=True, cancel_futures=True)

    def _done(self, _: Future[T]) -> None:
        with self._lock:
            self._taken -= 1


def check_texts(limits: Limits, *texts: str) -> None:
    """Raises Refused (413) for a text that is longer than the limits allow."""
    if any(len(text) > limits.text for text in texts):
        raise refuse("too-large", "text", limits.text)


async def ask(request: Request, question: Callable[[Served], T]) -> T:
    """Ask the served library something, in a thread of the server.

    The library stays open until the answer is there; what is given back must not need it later.

    Raises:
        Refused: the server is busy (503), or the answer took too long (504).
        KgError: what the library raises.
    """
    holder: Holder = request.app.state.holder
    desk: Desk = request.app.state.desk

    def work() -> T:
        with holder.use() as served:
            return question(served)

    return await desk.ask(work)
