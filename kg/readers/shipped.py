"""Where the shipped data lies: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

from kg.errors import LibraryError

_PACKAGE = Path(__file__).resolve().parent.parent


def shipped(name: str) -> Path:
    """The folder `cases`, `vocabulary` or `schema` of the shipped data.

    Raises:
        LibraryError: the installation holds no data.
    """
    for root in (_PACKAGE / "datasets", _PACKAGE.parent / "datasets"):
        if (root / name).is_dir():
            return root / name
    raise LibraryError(
        f"the shipped data ({name}) is missing from this installation; install incident-kg again"
    )
