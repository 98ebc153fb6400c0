"""From paths to documents: files, folders and zip archives, each file once, in sorted order."""

from __future__ import annotations

import os
import stat
import zipfile
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from kg.errors import Problem
from kg.readers.archives import archive_documents
from kg.readers.decoding import decoded
from kg.readers.document import Document
from kg.readers.exported import Exported, find_export
from kg.readers.textfile import unreadable

MOST_BYTES = 500_000_000
"""A file of more bytes is refused: it is split first, or cut by a script."""

SKIPPED_FOLDERS = frozenset({"CVS", "_darcs", "__pycache__", "__MACOSX", "node_modules"})
"""Folders that tools keep for themselves; those with a dot in front are skipped as hidden."""

_OFFICE = (".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp", ".hwpx")
_ZIP = b"PK\x03\x04"


@dataclass(frozen=True)
class Opened:
    """Something that was opened.

    Attributes:
        name: its path as given, with `archive.zip!/member` inside an archive.
        what: the document, an export of a library, or why it could not be opened.
        named: whether the caller named it; else it was found in a folder or an archive.
    """

    name: str
    what: Document | Exported | Problem
    named: bool


def open_documents(paths: Iterable[str | Path]) -> Iterator[Opened]:
    """Open files, folders (with all folders inside) and zip archives.

    Hidden files and folders, and folders that tools keep for themselves, are skipped unless they
    are named. Links are followed; a ring of links ends, and a file that is reached twice comes
    once. A folder that is an export of a library comes as a whole. The questions and judgements
    beside a `corpus.jsonl` (a judged set in the BEIR layout) are no documents and are skipped.

    Yields:
        Every document, in sorted order of the paths and, within a folder, of the names; and
        a problem for everything that cannot be opened. One document is held at a time.
    """
    done: set[str] = set()
    for path in sorted({str(p) for p in paths}):
        # os.path answers "no" where Path raises: for what may not be looked at.
        if "\x00" not in path and os.path.isdir(path):  # noqa: PTH112
            yield from _in_folder(path, done)
        else:
            yield from _file(path, True, done)


def _in_folder(top: str, done: set[str]) -> Iterator[Opened]:
    """Depth first, without recursion: folders may stand thousands deep."""
    empty = True
    stack = [top]
    while stack:
        path = stack.pop()
        if path != top and _leads_out(path, top):
            empty = False
            message = "is a link that leads out of the folder given"
            yield Opened(path, Problem(path, 0, "", message, "Name what it leads to"), False)
            continue
        if path != top and not os.path.isdir(path):  # noqa: PTH112
            empty = False
            yield from _file(path, False, done)
            continue
        if (real := os.path.realpath(path)) in done:
            empty = False
            continue
        done.add(real)
        if (export := find_export(path)) is not None:
            empty = False
            yield Opened(path, export, path == top)
            continue
        try:
            names = os.listdir(path)  # noqa: PTH208 - names, to be told apart before paths
        except OSError as error:
            empty = False
            yield Opened(path, unreadable(Path(path), error), path == top)
            continue
        stack += [os.path.join(path, n) for n in sorted(_wanted(names), reverse=True)]  # noqa: PTH118
    if empty:
        message = "this folder holds no documents"
        remedy = "Give files, a zip archive, or a folder with documents in it"
        yield Opened(top, Problem(top, 0, "", message, remedy), True)


def _leads_out(path: str, top: str) -> bool:
    """Whether a link in a folder leads out of it: what somebody else may have put there."""
    if not os.path.islink(path):  # noqa: PTH114
        return False
    real, inside = os.path.realpath(path), os.path.realpath(top)
    return os.path.commonpath([real, inside]) != inside


def _wanted(names: Collection[str]) -> Iterator[str]:
    beside = ("queries.jsonl", "qrels") if "corpus.jsonl" in names else ()
    for name in names:
        if not name.startswith(".") and name not in SKIPPED_FOLDERS and name not in beside:
            yield name


def _file(path: str, named: bool, done: set[str]) -> Iterator[Opened]:
    shown = path.encode("utf-8", "backslashreplace").decode("utf-8")
    try:
        if (real := os.path.realpath(path)) in done:
            return
        done.add(real)
        about = os.stat(path)  # noqa: PTH116
    except (OSError, ValueError) as error:
        yield Opened(shown, unreadable(Path(shown), error), named)
        return
    if not stat.S_ISREG(about.st_mode):
        problem = Problem(shown, 0, "", "is not a file", "Give a file, a folder or an archive")
        yield Opened(shown, problem, named)
    elif about.st_size > MOST_BYTES and not zipfile.is_zipfile(path):
        message = f"{about.st_size:,} bytes, more than {MOST_BYTES:,}"
        yield Opened(shown, Problem(shown, 0, "", message, "Split the file"), named)
    else:
        yield from _content(path, shown, named)


def _content(path: str, shown: str, named: bool) -> Iterator[Opened]:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - the name may not be text
            archive = file.read(len(_ZIP)) == _ZIP and not path.lower().endswith(_OFFICE)
            file.seek(0)
            text = "" if archive else decoded(file.read(MOST_BYTES), shown)
    except OSError as error:
        yield Opened(shown, unreadable(Path(shown), error), named)
        return
    if archive:
        for member in archive_documents(path, shown):
            place = member.name if isinstance(member, Document) else member.file
            yield Opened(place, member, named and place == shown)
    else:
        what = text if isinstance(text, Problem) else Document(shown, text)
        yield Opened(shown, what, named)
