"""incident-kg: have we seen this, why did it happen, what fixed it, what to check next.

    >>> import kg
    >>> lib = kg.open_library()                                     # doctest: +SKIP
    >>> lib.search("NCCL watchdog timeout, power dropped to 190 W")  # doctest: +SKIP

Importing this package loads almost nothing; each name below is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kg.errors import (
        AmbiguousTerm,
        BadQuery,
        CaseNotFound,
        InputError,
        KgError,
        LibraryError,
        LibraryLocked,
        LibraryVersionError,
        MissingExtra,
        NotFound,
        Problem,
        SchemaError,
        TermNotFound,
    )
    from kg.library import Library, build_library, open_library
    from kg.library.evolution import merge_terms, rename_term, split_term, undo_change
    from kg.library.intake import add_documents, remove_cases, review_claims
    from kg.library.merging import merge_cases, undo_merge
    from kg.model import Case, Claim, Decision, Review, Status, Term
    from kg.vocab import Vocabulary

_HOMES = {
    "kg.errors": (
        "AmbiguousTerm",
        "BadQuery",
        "CaseNotFound",
        "InputError",
        "KgError",
        "LibraryError",
        "LibraryLocked",
        "LibraryVersionError",
        "MissingExtra",
        "NotFound",
        "Problem",
        "SchemaError",
        "TermNotFound",
    ),
    "kg.library": ("Library", "build_library", "open_library"),
    "kg.library.evolution": ("merge_terms", "rename_term", "split_term", "undo_change"),
    "kg.library.intake": ("add_documents", "remove_cases", "review_claims"),
    "kg.library.merging": ("merge_cases", "undo_merge"),
    "kg.model": ("Case", "Claim", "Decision", "Review", "Status", "Term"),
    "kg.vocab": ("Vocabulary",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "AmbiguousTerm",
    "BadQuery",
    "Case",
    "CaseNotFound",
    "Claim",
    "Decision",
    "InputError",
    "KgError",
    "Library",
    "LibraryError",
    "LibraryLocked",
    "LibraryVersionError",
    "MissingExtra",
    "NotFound",
    "Problem",
    "Review",
    "SchemaError",
    "Status",
    "Term",
    "TermNotFound",
    "Vocabulary",
    "add_documents",
    "build_library",
    "merge_cases",
    "merge_terms",
    "open_library",
    "remove_cases",
    "rename_term",
    "review_claims",
    "split_term",
    "undo_change",
    "undo_merge",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
