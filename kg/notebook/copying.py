"""Where the notebooks lie, and copying them out for somebody's own work."""

from __future__ import annotations

import shutil
from pathlib import Path

from kg.errors import LibraryError

_PACKAGE = Path(__file__).resolve().parents[1]


def shipped_notebooks() -> Path:
    """The folder of the notebooks: beside the package in a checkout, inside it in a wheel.

    Raises:
        LibraryError: the installation holds none.
    """
    for folder in (_PACKAGE / "notebooks", _PACKAGE.parent / "notebooks"):
        if any(folder.glob("*.ipynb")):
            return folder
    raise LibraryError(
        "the notebooks are missing from this installation; install incident-kg again"
    )


def copy_notebooks(folder: str | Path, *, overwrite: bool = False) -> list[Path]:
    """Copy the notebooks, and the documents that they read, into a folder.

    Nothing is written when a file of the same name is there already, unless told so.

    Args:
        folder: a new folder, or one that is there.
        overwrite: replace files of the same name.

    Returns:
        The files that were written, in order.

    Raises:
        LibraryError: a file is there already, or one cannot be written.
    """
    source, target = shipped_notebooks(), Path(folder)
    names = sorted(
        file.relative_to(source)
        for pattern in ("*.ipynb", "incidents/*.md")
        for file in source.glob(pattern)
    )
    there = [name for name in names if (target / name).exists()]
    if there and not overwrite:
        raise LibraryError(
            f"{target / there[0]} is there already; choose another folder, or say --force to "
            "replace the notebooks in it"
        )
    try:
        for name in names:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / name, target / name)
    except OSError as error:
        # A file onto itself is told by the error alone.
        raise LibraryError(f"cannot write {target}: {error.strerror or error}") from error
    return [target / name for name in names]
