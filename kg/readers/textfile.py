"""Files found and read as text; what cannot be found or read becomes a `Problem`, never silence."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path

from kg.errors import Problem


def read_text(path: Path) -> str | Problem:
    """The UTF-8 text of a file, without a byte order mark, or what is wrong with it."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        return Problem(
            str(path), 0, "", f"not UTF-8 (byte {error.start})", "Save the file as UTF-8"
        )
    except (OSError, ValueError) as error:
        return unreadable(path, error)
    if not text.strip():
        return Problem(str(path), 0, "", "the file is empty", "Write JSON into it, or remove it")
    return text


def unreadable(path: Path, error: Exception) -> Problem:
    """The problem of a path that the system does not let us read."""
    reason = getattr(error, "strerror", None) or str(error)
    return Problem(str(path), 0, "", f"cannot be read: {reason}", "Check the path and its rights")


def files_in(
    folder: Path, suffixes: Collection[str], *, deep: bool = True, done: set[str] | None = None
) -> Iterator[Path | Problem]:
    """Files of a folder with one of the suffixes, in capitals or not, in sorted order.

    Links are followed. Folders that cannot be listed, links that lead nowhere and things that
    are no files are problems.

    Args:
        folder: where to look.
        suffixes: in lower case, with their dot.
        deep: whether to look into the folders inside as well.
        done: real paths of folders that were walked already, so that no ring of links is endless.
    """
    done = set() if done is None else done
    if (real := os.path.realpath(folder)) in done:
        return
    done.add(real)
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        yield unreadable(folder, error)
        return
    for entry in entries:
        # os.path answers "no" where Path raises: for what may not be looked at.
        if os.path.isdir(entry):  # noqa: PTH112
            if deep:
                yield from files_in(entry, suffixes, deep=deep, done=done)
        elif entry.suffix.lower() in suffixes or _dangling_folder(entry):
            yield _checked(entry)


def _dangling_folder(entry: Path) -> bool:
    """A link that leads nowhere and may have led to a folder."""
    return not entry.suffix and os.path.islink(entry) and not os.path.exists(entry)  # noqa: PTH110, PTH114


def _checked(entry: Path) -> Path | Problem:
    if os.path.isfile(entry):  # noqa: PTH113
        return entry
    try:
        entry.stat()
    except OSError as error:
        return unreadable(entry, error)
    return Problem(str(entry), 0, "", "is not a file", "Put a file there, or remove it")
