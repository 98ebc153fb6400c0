"""Holding the current library, and changing it for a newer one without dropping a request."""

from __future__ import annotations

import gc
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kg.errors import KgError, LibraryError
from kg.server.served import Served, open_served
from kg.server.settings import Settings

_LOG = logging.getLogger("kg.server")

State = tuple[int, int, int, int]
"""What tells one file from another at the same path: device, inode, size, time of change."""


@dataclass(eq=False)
class _Place:
    """A served library with the number of its users; `leaving` once a newer one is there."""

    served: Served
    users: int = 0
    leaving: bool = False


class Holder:
    """The library that is served at present. Any thread may use it.

    A new library is opened and warmed up beside the old one, then takes its place; the old one is
    closed when its last user leaves. When the new file cannot be served, the old one stays.
    """

    def __init__(self, settings: Settings, opened: Callable[..., Served] = open_served) -> None:
        """Open the library of the settings; `opened` is called as `open_served` is.

        Raises:
            LibraryError: it cannot be opened.
            CaseNotFound, BadQuery, TermNotFound, AmbiguousTerm: a rule of what is hidden cannot be
                used, or matches no case.
        """
        self._settings = settings
        self._opened = opened
        self._lock = threading.Lock()
        self._reloading = threading.Lock()
        self._stop = threading.Event()
        self._watcher: threading.Thread | None = None
        self._state = _state_of(settings.library)
        self._place = _Place(opened(settings))

    @contextmanager
    def use(self) -> Iterator[Served]:
        """The served library, which stays open until the block ends.

        Raises:
            LibraryError: the server has been closed.
        """
        with self._lock:
            place = self._place
            if place.leaving:
                raise LibraryError("the server is closing; ask again later")
            place.users += 1
        try:
            yield place.served
        finally:
            self._leave(place)

    @property
    def version(self) -> str:
        """The version of what is served at present."""
        return self._place.served.version

    def reload(self, *, force: bool = False) -> bool:
        """Serve the library file as it is now; True when that is another one than before.

        Where nothing has changed, or the file cannot be served (which is logged), the old one
        stays.

        Args:
            force: look into the file even where it seems unchanged.
        """
        with self._reloading:
            state = _state_of(self._settings.library)
            if self._stop.is_set() or (not force and state in (self._state, None)):
                return False
            try:
                served = self._opened(self._settings, again=True)
            except (KgError, OSError, ValueError) as error:
                # Looked at again only when it changes once more: a broken file stays broken.
                self._state = state
                _LOG.error(
                    "reload failed", extra={"event": "reload", "error": type(error).__name__}
                )
                return False
            self._state = state
            return self._replace(served)

    def watch(self) -> None:
        """Look at the file again and again, in a thread of its own, until `close`."""
        if self._watcher is None and self._settings.library is not None:
            self._watcher = threading.Thread(target=self._watching, name="kg-watch", daemon=True)
            self._watcher.start()

    def close(self) -> None:
        """Serve nothing more; the library is closed when its last user leaves."""
        self._stop.set()
        if self._watcher is not None:
            self._watcher.join()
        with self._reloading:
            self._retire(self._place)

    def _watching(self) -> None:
        while not self._stop.wait(self._settings.check_seconds):
            if self.reload():
                # The library of before is large and full of cycles: once its last users have left
                # it must not wait for a collector that seldom looks at what is old.
                self._stop.wait(self._settings.check_seconds)
                gc.collect()

    def _replace(self, served: Served) -> bool:
        if served.version == self.version:
            served.close()
            return False
        with self._lock:
            old, self._place = self._place, _Place(served)
        self._retire(old)
        told = {"event": "reload", "version": served.version, "cases": len(served.lib)}
        _LOG.info("reloaded", extra=told)
        return True

    def _leave(self, place: _Place) -> None:
        with self._lock:
            place.users -= 1
            done = place.leaving and place.users == 0
        if done:
            place.served.close()

    def _retire(self, place: _Place) -> None:
        with self._lock:
            done = not place.leaving and place.users == 0
            place.leaving = True
        if done:
            place.served.close()


def _state_of(path: Path | None) -> State | None:
    """The state of a file; None where there is none, as between two steps of a change."""
    if path is None:
        return None
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
