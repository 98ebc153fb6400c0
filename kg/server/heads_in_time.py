"""HTTP connections whose requests must begin in time, and of which there are not too many.

The rest of a request is bounded by the app; before its head is there, no app knows of it.
"""

from __future__ import annotations

import asyncio
import json

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from kg.server.problems import MEDIA_TYPE, Told


class HeadsInTime(H11Protocol):
    """Closes connections on which nobody asks anything.

    Attributes:
        seconds: how long the head of a request may take, from the connection or its first byte.
        connections_at_most: open connections; one more is closed at once.
    """

    seconds = 10.0
    connections_at_most = 1_000
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the head of a request."""
        super().connection_made(transport)
        if len(self.connections) > self.connections_at_most:
            transport.close()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._settle()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take a piece of a request; wait for the rest of its head."""
        if self._deadline is None and self._idle():
            self._wait()
        super().data_received(data)
        if not self._idle():
            self._settle()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP as every other error: as a problem."""
        body = json.dumps(Told("bad-request", msg).plain()).encode()
        headers = [
            (b"content-type", MEDIA_TYPE.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        head = h11.Response(status_code=400, headers=headers, reason=b"Bad Request")
        for event in (head, h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _wait(self) -> None:
        self._settle()
        self._deadline = self.loop.call_later(self.seconds, self._late)

    def _settle(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _late(self) -> None:
        self._deadline = None
        if self._idle() and not self.transport.is_closing():
            self.transport.close()
