"""Zip archives: their members as texts, within limits; whatever looks like a trick is refused."""

from __future__ import annotations

import re
import stat
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath

from kg.errors import Problem
from kg.readers.decoding import decoded
from kg.readers.document import Document

MOST_MEMBERS = 20_000
"""An archive with more members is refused."""

MOST_MEMBER_BYTES = 200_000_000
"""A member that unpacks to more is refused."""

MOST_UNPACKED = 1_000_000_000
"""What the members of one archive may unpack to together; what comes after is refused."""

MOST_RATIO = 200
"""A member of more than a megabyte that unpacks to more than so many times its size is refused."""

_ODD = re.compile(r"\\|^[A-Za-z]:")
"""Ways in which Windows would read a name as leading elsewhere."""

_SMALL = 1_000_000
_ENCRYPTED = 0x1
_SPLIT = "Unpack it, and give the folder"


def archive_documents(path: str, name: str) -> Iterator[Document | Problem]:
    """The members of a zip archive, in order of their names, as `NAME!/member`.

    Folders, hidden members and what macOS adds are left out. Encrypted members, links, names that
    lead out of the archive, archives within it and what is over a limit are problems; the other
    members still come.

    Args:
        path: where the archive lies.
        name: its name in messages.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            yield from _members(archive, name)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        why = getattr(error, "strerror", None) or str(error)
        yield Problem(name, 0, "", f"a zip archive that cannot be read: {why}", "Fetch it again")


def _members(archive: zipfile.ZipFile, name: str) -> Iterator[Document | Problem]:
    members = [m for m in archive.infolist() if not m.is_dir() and not _beside(m.filename)]
    if len(members) > MOST_MEMBERS:
        message = f"an archive of {len(members):,} members, more than {MOST_MEMBERS:,}"
        yield Problem(name, 0, "", message, _SPLIT)
        return
    if not members:
        yield Problem(name, 0, "", "an archive without files in it", "Give one with documents")
    left = MOST_UNPACKED
    seen: set[str] = set()
    for member in sorted(members, key=lambda m: (m.filename, m.header_offset)):
        place = f"{name}!/{member.filename}"
        if fault := _fault(member, seen):
            yield Problem(place, 0, "", *fault)
            continue
        seen.add(member.filename)
        data = _unpacked(archive, member, place, left)
        if isinstance(data, Problem):
            yield data
            continue
        left -= len(data)
        text = _text(data, place)
        yield text if isinstance(text, Problem) else Document(place, text)


def _text(data: bytes, place: str) -> str | Problem:
    if data.startswith(b"PK\x03\x04"):
        message = "an archive (or an Office document) within an archive"
        return Problem(place, 0, "", message, "Unpack it, and give what is in it")
    return decoded(data, place)


def _beside(name: str) -> bool:
    """Whether a member is hidden, or what macOS and Windows put beside the files."""
    # "." and ".." are no hidden names but ways to lead out: they are refused aloud.
    parts = [p for p in name.replace("\\", "/").split("/") if p not in (".", "..")]
    return any(p.startswith(".") for p in parts) or "__MACOSX" in parts


def _fault(member: zipfile.ZipInfo, seen: set[str]) -> tuple[str, str] | None:
    """What is wrong with a member before it is unpacked, and what to do."""
    path = PurePosixPath(member.filename)
    odd = not member.filename.isprintable() or _ODD.search(member.filename)
    if not path.parts or path.is_absolute() or ".." in path.parts or odd:
        return "its name leads out of the archive", "Pack it again with plain relative names"
    if member.filename in seen:
        return "the name stands twice in the archive", "Keep one of the two"
    if stat.S_ISLNK(member.external_attr >> 16):
        return "a link, not a file", "Pack the file itself"
    if member.flag_bits & _ENCRYPTED:
        return "it is encrypted", "Unpack the archive with its password, and give the folder"
    packed = max(member.compress_size, 1)
    if member.file_size > _SMALL and member.file_size / packed > MOST_RATIO:
        return f"it unpacks to more than {MOST_RATIO} times its size", _SPLIT
    return None


def _unpacked(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, place: str, left: int
) -> bytes | Problem:
    """What a member holds, never more than is allowed, whatever size it says that it has."""
    most = min(MOST_MEMBER_BYTES, left)
    try:
        with archive.open(member) as file:
            data = file.read(most + 1)
    except (zipfile.BadZipFile, zlib.error, OSError, ValueError, EOFError) as error:
        return Problem(place, 0, "", f"cannot be unpacked: {error}", "Pack it again")
    except (NotImplementedError, RuntimeError) as error:
        return Problem(place, 0, "", f"cannot be unpacked: {error}", _SPLIT)
    if len(data) <= most:
        return data
    if most == left:
        return Problem(place, 0, "", f"the archive unpacks to over {MOST_UNPACKED:,} bytes", _SPLIT)
    return Problem(place, 0, "", f"it unpacks to over {MOST_MEMBER_BYTES:,} bytes", "Split it")
