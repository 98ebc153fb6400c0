"""Answers that are kept as bytes until the library changes."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

LARGEST = 1024 * 1024
"""An answer of more bytes is not kept."""


class Kept:
    """The answers used last, up to a number of bytes; any thread may ask."""

    def __init__(self, most: int) -> None:
        """`most`: bytes of all answers together."""
        self._most = most
        self._size = 0
        self._answers: OrderedDict[str, bytes] = OrderedDict()
        self._lock = Lock()

    def get(self, key: str) -> bytes | None:
        """The answer under a key, or None."""
        with self._lock:
            found = self._answers.get(key)
            if found is not None:
                self._answers.move_to_end(key)
            return found

    def put(self, key: str, answer: bytes) -> None:
        """Keep an answer; those not used for longest go when there is no room."""
        weight = len(answer) + len(key)
        if weight > min(LARGEST, self._most):
            return
        with self._lock:
            if key in self._answers:
                return
            self._answers[key] = answer
            self._size += weight
            while self._size > self._most:
                old, gone = self._answers.popitem(last=False)
                self._size -= len(gone) + len(old)

    @property
    def size(self) -> int:
        """Bytes kept at present, with their keys."""
        return self._size

    def __len__(self) -> int:
        return len(self._answers)
