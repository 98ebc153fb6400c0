"""Writing a library file whole: built beside, then renamed over the old one."""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from kg.errors import LibraryError
from kg.store.fill import fill
from kg.store.lock import locked
from kg.store.read import connect, is_library, log_of, read_snapshot
from kg.store.snapshot import OLDER, SCHEMA_VERSION, Snapshot

READABLE = (*OLDER, SCHEMA_VERSION)
"""The schema versions that can be read whole."""

VIEWS = ("quantiles", "views", "recurrence", "macros", "words", "paths")
"""The files of views and macros, in the order in which they build on each other."""


def write_library(snapshot: Snapshot, path: str | Path, *, views: bool = True) -> Path:
    """Write a library so that at every instant `path` is the old file or the new one, whole.

    Readers that hold the old file keep it. Where `path` is a link, the file it leads to is
    replaced; the new file has the mode of the old one. Without `views` it has the tables only, for
    whoever copies them elsewhere.

    Raises:
        LibraryLocked: another process is writing this library.
        LibraryError: the folder is missing or not writable, or `path` is a file that is not a
            library and must not be overwritten.
    """
    check_target(Path(path))
    target = _place(Path(path))
    with _writing(target):
        _replace(snapshot, target, VIEWS if views else ())
    return Path(path)


def update_library(path: str | Path, change: Callable[[Snapshot], Snapshot]) -> Path:
    """Read a library, change what it holds, and write it anew in the way of `write_library`.

    Its lock is held from reading to writing, so that no update is lost. A library of one of the
    `OLDER` versions is written in this one.

    Args:
        path: the library.
        change: from what it holds to what it shall hold; where this raises, or gives back the very
            snapshot, nothing is written.

    Raises:
        LibraryLocked: another process is writing this library.
        LibraryVersionError: it is of a version that is not known.
        LibraryError: it is missing, damaged or cannot be written.
    """
    before = _state_of(Path(path))
    with closing(connect(path, READABLE)) as connection:
        _check_writable(Path(path))
        target = _place(Path(path))
        with _writing(target):
            if _state_of(target) == before:
                snapshot = read_snapshot(connection)
            else:  # replaced by another process before the lock was held
                with closing(connect(target, READABLE)) as newer:
                    snapshot = read_snapshot(newer)
            connection.close()
            changed = change(snapshot)
            if changed is not snapshot:
                _replace(changed, target)
    return Path(path)


def _state_of(path: Path) -> tuple[int, ...] | None:
    """What tells one file at a path from another that has taken its place; None without a file."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _replace(snapshot: Snapshot, target: Path, views: Sequence[str] = VIEWS) -> None:
    """Fill a file beside and put it in the place of the target, whose lock is held."""
    temporary = target.with_name(f"{_beside(target.name)}.{os.getpid()}.building")
    try:
        fill(snapshot, temporary, views)
        _swap(temporary, target)
    finally:
        _remove(temporary)


def _beside(name: str) -> str:
    """DuckDB writes the first word of a file's name into it: one word for libraries of any name."""
    return f".incidents.{name}"


def check_target(target: Path) -> None:
    """Refuse early a path that a library cannot be written to.

    Raises:
        LibraryError: the folder is missing or may not be written, or the file there is
            something else or may not be read.
    """
    _check_writable(target, other=True)


def _check_writable(target: Path, *, other: bool = False) -> None:
    """The same of a file that is known to be a library; `other`: it may be something else."""
    try:
        place = _place(target)
        _check_place(place, target)
        if other and place.exists() and place.stat().st_size > 0 and not is_library(place):
            raise LibraryError(
                f"{target} exists and is not an incident-kg library; it is left as it is. "
                "Give another name with -o, or move the file away."
            )
        if place.exists() and not os.access(place, os.W_OK):
            raise LibraryError(f"{target} may not be written; it is kept as it is")
    except LibraryError:
        raise
    except PermissionError as error:
        raise LibraryError(f"permission denied: {target}") from error
    except (OSError, ValueError) as error:
        raise LibraryError(f"{str(target)!r} cannot be the name of a library: {error}") from error


def _place(path: Path) -> Path:
    """Where the file itself lies, when `path` is a link."""
    return Path(os.path.realpath(path))


def _check_place(place: Path, target: Path) -> None:
    str(place).encode()  # DuckDB takes no other names; a UnicodeEncodeError is a ValueError
    if place.is_symlink():
        raise LibraryError(f"{target} is a link that leads in a circle")
    if not place.parent.is_dir():
        raise LibraryError(f"the folder {place.parent} does not exist; create it first")
    if place.is_dir():
        raise LibraryError(f"{target} is a folder; give the name of a file in it")
    if not os.access(place.parent, os.W_OK | os.X_OK):
        raise LibraryError(
            f"permission denied: this user may not write in the folder {place.parent}"
        )


@contextmanager
def _writing(target: Path) -> Iterator[None]:
    """Hold the lock of a library."""
    busy = f"another process is writing {target}; wait for it to end and try again"
    with locked(target.with_name(f".{target.name}.lock"), busy):
        for left_over in target.parent.glob(f"{_beside(glob.escape(target.name))}.*.building*"):
            _remove(left_over)
        yield


def _swap(new: Path, target: Path) -> None:
    """Put the new file in the place of the old one, with its mode."""
    try:
        if target.exists():
            new.chmod(stat.S_IMODE(target.stat().st_mode))
        # A log that another program left belongs to the old file, which is whole without it. It
        # goes before the rename: a new file beside the old log cannot be opened, so neither a
        # reader nor a power cut may ever meet the two together.
        log_of(target).unlink(missing_ok=True)
        new.replace(target)
    except OSError as error:
        raise LibraryError(f"{target} cannot be replaced: {error.strerror}") from error


def _remove(temporary: Path) -> None:
    temporary.unlink(missing_ok=True)
    log_of(temporary).unlink(missing_ok=True)
