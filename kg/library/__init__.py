"""The library and how to open or build one: the only room where `kg` meets `embeddings`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from embeddings import default_cache_dir
from kg.errors import LibraryError, LibraryLocked
from kg.library.build import Input, Progress, build, shipped_name
from kg.library.facade import Library
from kg.library.migration import open_any
from kg.library.progress import no_progress, print_progress, print_waiting
from kg.readers import shipped
from kg.store import is_library, locked
from kg.vocab import Vocabulary

if TYPE_CHECKING:
    from embeddings import Encoder

__all__ = ["Library", "build_library", "open_library"]

WAIT_SECONDS = 600.0
"""How long to wait for another process that builds the shipped library."""


def build_library(
    cases: Input | Iterable[Input],
    path: str | Path,
    *,
    vocabulary: str | Path | Vocabulary | None = None,
    encoder: str | Encoder | None = None,
    keep_going: bool = False,
    progress: Progress | None = None,
) -> Library:
    """Build a library file from cases and open it.

    The file at `path` is replaced whole at the end; until then, and after any error, the old
    one stays as it was. The same cases give the same tables whatever their order. Old ids of terms
    that were renamed or merged are read as the new ones; `notes` of the library says where.

    Args:
        cases: case files, folders of them, exports of a library, RDF files that a library wrote
            (.ttl, .nt, .jsonld, .trig), `Case` records, or any mixture.
        path: the DuckDB file to write.
        vocabulary: a folder of scheme files, an export or an RDF file, or a ready vocabulary; when
            None, that of the exports and RDF files among the cases, else the shipped one.
        encoder: None for the shipped multilingual one, "hash" for the tiny one of tests, the
            name or folder of a sentence-transformers model, or an encoder.
        keep_going: build from the good cases when some are bad; else bad input builds nothing.
        progress: called as progress(stage, done, total).

    Raises:
        InputError: bad cases (with `keep_going`: only when no good case is left); holds every
            problem of the batch.
        SchemaError: the vocabulary does not fit together.
        BadQuery: exports or RDF files among the cases have different vocabularies.
        LibraryError: the file cannot be written, or something else stands there.
        EncoderNotFound: the encoder cannot be loaded here.
    """
    target, batch = build(
        cases,
        path,
        vocabulary=vocabulary,
        encoder=encoder,
        keep_going=keep_going,
        progress=progress or no_progress,
    )
    given = encoder if encoder is not None and not isinstance(encoder, str) else None
    return Library(target, given, batch.problems, batch.notes)


def open_library(
    path: str | Path | None = None,
    *,
    encoder: str | Encoder | None = None,
    progress: Progress | None = None,
) -> Library:
    """Open a library file; without a path, the library of the shipped cases.

    The shipped one is built into the user's cache when it is first asked for (about ten
    seconds, with progress on standard error) and again when the shipped cases change. When
    another process is just building it, this one waits.

    A library of an older schema version is opened as a copy in this one, which is kept in the
    cache as well; its `path` is that of the copy.

    Raises:
        LibraryError: there is no such file, it is not a library, or there is no cache folder.
        LibraryVersionError: it was written by a schema version that cannot be taken over.
        LibraryLocked: another process holds it, and did not let go within ten minutes.
    """
    if path is not None:
        return open_any(path, encoder)
    folder = default_cache_dir()
    if folder is None:
        raise LibraryError(
            "there is no folder to keep the shipped library in; set INCIDENT_KG_CACHE to one"
        )
    name = encoder or "default"
    target = folder / shipped_name(name if isinstance(name, str) else name.fingerprint)
    return _cached(target, encoder) or _first_use(target, encoder, progress or print_progress)


def _cached(target: Path, encoder: str | Encoder | None) -> Library | None:
    """The library in the cache; None when it is not there, or is damaged."""
    if not target.exists():
        return None
    try:
        return Library(target, encoder)
    except LibraryLocked:
        raise
    except LibraryError:
        return None


def _first_use(target: Path, encoder: str | Encoder | None, progress: Progress) -> Library:
    """Build the shipped library into the cache, one process at a time."""
    busy = f"another process has been building {target} for long; end it and try again"
    lock = target.with_name(f".{target.name}.first-use")
    with locked(lock, busy, wait=WAIT_SECONDS, waiting=print_waiting):
        found = _cached(target, encoder)
        if found is not None:
            return found
        if target.exists() and not is_library(target):
            target.unlink()  # cut short or overwritten; the name in the cache is ours
        return build_library(shipped("cases"), target, encoder=encoder, progress=progress)
