"""Folders written whole or not at all; nothing of the user's is ever written over."""

from __future__ import annotations

import glob
import hashlib
import json
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kg.errors import LibraryError
from kg.readers.exported import MANIFEST, MARK, VERSION, Exported, find_export
from kg.store import locked

NEW, OLD = "kg-export-new", "kg-export-old"
"""Ends of the names of hidden folders beside: one being filled, one being replaced."""

Fill = Callable[[Path], Mapping[str, Any]]
"""Writes files into an empty folder and tells what the manifest shall say of them."""


def write_folder(folder: str | Path, fill: Fill) -> Exported:
    """Write an export so that at every instant `folder` is the old one or the new one, whole.

    The new folder is made beside and renamed. In between, a killed program may leave the old one
    under a hidden name beside; the next export into this folder puts it back first.

    Args:
        folder: a new name, an empty folder, or the folder of an earlier export.
        fill: writes the files. The manifest with the hash of each of them is added.

    Returns:
        The folder with its manifest.

    Raises:
        LibraryError: the folder cannot be written, or holds something that was not exported.
        LibraryLocked: another process is writing this export.
    """
    target = _place(folder)
    _told(target, lambda: _check_place(target))
    with _writing(target):
        _told(target, lambda: _check_content(target, target))
        staged, old = (target.with_name(_beside(target, what)) for what in (NEW, OLD))
        try:
            staged.mkdir()
            manifest = _write_manifest(staged, fill(staged))
            _told(target, lambda: _swap(staged, target, old))
        except OSError as error:
            raise _as_ours(target, error) from error
        finally:
            shutil.rmtree(staged, ignore_errors=True)
    return Exported(Path(folder), str(manifest.get("format")), manifest)


def _place(folder: str | Path) -> Path:
    """Where the folder itself lies, when a link leads to it."""
    try:
        return Path(os.path.realpath(folder))
    except (OSError, ValueError) as error:
        raise _as_ours(Path(folder), error) from error


def _told(target: Path, do: Callable[[], None]) -> None:
    try:
        do()
    except (OSError, ValueError) as error:
        raise _as_ours(target, error) from error


def _as_ours(target: Path, error: Exception) -> LibraryError:
    if isinstance(error, LibraryError):
        return error
    reason = getattr(error, "strerror", None) or str(error)
    return LibraryError(f"{str(target)!r} cannot be written: {reason}")


def _beside(target: Path, what: str) -> str:
    return f".{target.name}.{os.getpid()}.{what}"


def _left_over(target: Path, what: str) -> list[Path]:
    """Folders of that name that killed programs left beside; never anything else."""
    found = sorted(target.parent.glob(f".{glob.escape(target.name)}.*.{what}"))
    ours = re.compile(rf"\.{re.escape(target.name)}\.\d+\.{what}")
    return [f for f in found if ours.fullmatch(f.name) and f.is_dir() and not f.is_symlink()]


def _check_place(target: Path) -> None:
    if not target.parent.is_dir():
        raise LibraryError(f"the folder {target.parent} does not exist; create it first")
    if target.exists() and not target.is_dir():
        raise LibraryError(f"{target} is a file; give the name of a folder")
    if target in (Path.cwd(), *Path.cwd().parents):
        raise LibraryError(f"{target} is in use here; give the name of a folder inside it")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise LibraryError(
            f"permission denied: this user may not write in the folder {target.parent}"
        )


def _check_content(folder: Path, target: Path) -> None:
    """Refuse a folder with anything in it that an export did not put there."""
    if not folder.is_dir() or not any(folder.iterdir()):
        return
    foreign = next(_foreign(folder), None)
    if foreign is not None:
        raise LibraryError(
            f"{target} holds {foreign}; it is left as it is. "
            "Give a new or empty folder, or move away what is yours."
        )


def _foreign(folder: Path) -> Iterator[str]:
    """What is in a folder and was not written there by an export, in words."""
    export = find_export(folder)
    if export is None:
        yield "files and is no earlier export"
        return
    listed: Mapping[str, Any] = export.manifest["files"]
    for file in _files(folder):
        name = file.relative_to(folder).as_posix()
        if name == MANIFEST:
            if file.read_bytes() != _manifest_text(_sealed(export.manifest)):
                yield f"{name}, which was changed since the export"
        elif name not in listed:
            yield f"{name}, which is not of the export"
        elif file.is_symlink() or listed[name] != _described(file):
            yield f"{name}, which was changed since the export"


def _files(folder: Path) -> Iterator[Path]:
    """Every file below a folder, and every link, sorted."""
    for here, folders, files in os.walk(folder):
        folders.sort()
        yield from (Path(here, f) for f in folders if Path(here, f).is_symlink())
        yield from (Path(here, f) for f in sorted(files))


def _described(file: Path) -> dict[str, Any]:
    with file.open("rb") as opened:
        digest = hashlib.file_digest(opened, "sha256").hexdigest()
    return {"bytes": file.stat().st_size, "sha256": digest}


def _write_manifest(folder: Path, facts: Mapping[str, Any]) -> dict[str, Any]:
    described = {f.relative_to(folder).as_posix(): _described(f) for f in _files(folder)}
    data = _sealed({MARK: VERSION, **facts, "files": dict(sorted(described.items()))})
    (folder / MANIFEST).write_bytes(_manifest_text(data))
    for file in _files(folder):
        with file.open("rb") as written:
            os.fsync(written.fileno())
    return data


def _sealed(data: Mapping[str, Any]) -> dict[str, Any]:
    """A manifest with the hash of all else in it, so that changes of a user are noticed."""
    rest = {name: value for name, value in data.items() if name != "sha256"}
    return {**rest, "sha256": hashlib.sha256(_manifest_text(rest)).hexdigest()}


def _manifest_text(data: Mapping[str, Any]) -> bytes:
    return (json.dumps(data, ensure_ascii=False, indent=2) + "\n").encode()


@contextmanager
def _writing(target: Path) -> Iterator[None]:
    """Hold the lock of an export, and tidy up what killed programs left beside it."""
    busy = f"another process is exporting to {target}; wait for it to end and try again"
    with locked(target.with_name(f".{target.name}.lock"), busy):
        for old in _left_over(target, OLD):
            if target.exists():
                shutil.rmtree(old, ignore_errors=True)
            else:
                old.rename(target)
        for new in _left_over(target, NEW):
            shutil.rmtree(new, ignore_errors=True)
        yield


def _swap(staged: Path, target: Path, old: Path) -> None:
    if not target.exists():
        staged.rename(target)
        return
    staged.chmod(stat.S_IMODE(target.stat().st_mode))
    target.rename(old)
    try:
        _check_content(old, target)  # somebody may have put something there meanwhile
        staged.rename(target)
    except BaseException:
        old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)
