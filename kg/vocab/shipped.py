"""Where the shipped data lies: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from kg.errors import LibraryError
from kg.model import Scheme
from kg.vocab.vocabulary import Vocabulary

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


@lru_cache(maxsize=1)
def shipped_vocabulary() -> Vocabulary:
    """The shipped terms, read once."""
    files = sorted(shipped("vocabulary").glob("*.json"))
    return Vocabulary(Scheme.model_validate_json(f.read_text(encoding="utf-8")) for f in files)
