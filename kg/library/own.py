"""Libraries of one's own: which may be changed, and how any change is carried out.

Every change writes the file whole, as a build does: until the end, and after any error, the old
one stays as it was, and who has it open keeps it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from embeddings import default_cache_dir
from kg.errors import LibraryError
from kg.store import READABLE, Snapshot, check_target, connect, read_snapshot, update_library

Change = Callable[[Snapshot], Snapshot]
"""From what a library holds to what it shall hold."""

COPY = (
    "To change the shipped one, make a copy of your own: kg export my-cases --format jsonl, then "
    "kg build my-cases -o mine.duckdb"
)
"""How to get a library that may be changed."""


def check_own(path: str | Path) -> None:
    """Refuse the libraries in the cache: those of the shipped cases, and copies of older ones.

    Raises:
        LibraryError: the path lies in the cache folder.
    """
    folder = default_cache_dir()
    if folder is not None and Path(path).resolve().parent == folder.resolve():
        raise LibraryError(
            f"{path} lies in the cache and is read-only: it is built from the shipped cases, or "
            f"copied from a library of your own, which is the one to change. {COPY}"
        )


def change_own(
    path: str | Path, change: Change, finish: Change | None = None, *, dry_run: bool = False
) -> None:
    """Carry a change out in a library of one's own, or only look whether it can be.

    Args:
        path: the library file.
        change: the change; where it raises, or gives back the very snapshot, nothing is written.
        finish: makes anew what follows from a change; a dry run leaves it out.
        dry_run: write nothing.

    Raises:
        LibraryLocked: another process is writing this library.
        LibraryVersionError: it is of a version that is not known.
        LibraryError: it lies in the cache, is missing, damaged or cannot be written.
    """
    check_own(path)
    if dry_run:
        with closing(connect(path, READABLE)) as connection:
            change(read_snapshot(connection))
        check_target(Path(path))
        return

    def whole(snapshot: Snapshot) -> Snapshot:
        changed = change(snapshot)
        return changed if finish is None or changed is snapshot else finish(changed)

    update_library(path, whole)
