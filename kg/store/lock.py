"""Locks between processes: a file that is held as long as its holder lives."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from kg.errors import LibraryError, LibraryLocked

_POLL_SECONDS = 0.2


@contextmanager
def locked(
    file: Path, busy: str, *, wait: float = 0.0, waiting: Callable[[], None] | None = None
) -> Iterator[None]:
    """Hold a lock file, which is left behind, as removing it would race.

    The lock of a killed process is free at once.

    Args:
        file: the lock file; made if need be.
        busy: what the error says when another holds it.
        wait: for how many seconds to try again.
        waiting: called once, before the first wait.

    Raises:
        LibraryLocked: another holds it and has not let go in time.
        LibraryError: the file cannot be made or locked.
    """
    try:
        handle = file.open("a")
    except OSError as error:
        raise LibraryError(f"cannot write {file}: {error.strerror}") from error
    with handle:
        end = time.monotonic() + wait
        while not _taken(handle, file):
            if time.monotonic() >= end:
                raise LibraryLocked(busy)
            if waiting is not None:
                waiting()
                waiting = None
            time.sleep(_POLL_SECONDS)
        yield


def _taken(handle: IO[str], file: Path) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        raise LibraryError(f"cannot lock {file}: {error.strerror}") from error
    return True
