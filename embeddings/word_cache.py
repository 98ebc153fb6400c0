"""Word indexes remembered on disk, so that a new process does not count all words again.

A view derived from texts, keyed by all that makes it: never a second truth, and never worth an
error. A file that is missing, damaged or of other texts is made anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from embeddings.lexical import BM25F

KEPT = 16
"""Files that are kept of a folder, the latest used ones: two a library."""
_VERSION = 1  # raise it when words are cut or weighted in another way


def word_index(
    documents: Sequence[Mapping[str, str]],
    field_weights: Mapping[str, float],
    k1: float,
    b: float,
    tokenizer: Callable[[str], Sequence[str]],
    folder: Path | None,
) -> BM25F:
    """The index of the documents: from `folder` where it was made before, else made and kept.

    Args:
        documents: see `BM25F.fit`.
        field_weights: see `BM25F`, as are the next two.
        k1: saturation.
        b: length discount.
        tokenizer: text -> words; told apart by its name.
        folder: where indexes are kept; None keeps nothing.
    """
    index = BM25F(field_weights, k1, b, tokenizer)
    if folder is None:
        return index.fit(documents)
    key = _key(documents, (sorted(field_weights.items()), k1, b, tokenizer.__name__))
    path = folder / f"words-{key}.npz"
    if not _restored(index, path):
        index.fit(documents)
        with contextlib.suppress(OSError):
            _write(path, index.arrays())
            _tidy(folder)
    return index


def _key(documents: Sequence[Mapping[str, str]], settings: object) -> str:
    digest = hashlib.sha256(repr((_VERSION, settings)).encode())
    for document in documents:
        for name, text in sorted(document.items()):
            raw = text.encode("utf-8", "surrogatepass")
            digest.update(f"{name} {len(raw)}\n".encode() + raw)
        digest.update(b"\0")
    return digest.hexdigest()[:32]


def _restored(index: BM25F, path: Path) -> bool:
    try:
        with np.load(path, allow_pickle=False) as file:
            index.restore({name: file[name] for name in file.files})
        path.touch()
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return False
    return True


def _write(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write beside and rename: another process reads the whole file or none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            np.savez(file, **cast("dict[str, Any]", arrays))
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _tidy(folder: Path) -> None:
    files = sorted(folder.glob("words-*.npz"), key=lambda p: p.stat().st_mtime, reverse=True)
    for old in files[KEPT:]:
        old.unlink(missing_ok=True)
