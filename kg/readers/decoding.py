"""From bytes to text: marks of encodings, line ends, and what is no text at all.

Nothing is guessed: without a byte order mark a text is UTF-8 or it is refused, with the byte where
it stops being so.
"""

from __future__ import annotations

import codecs
import re

from kg.errors import Problem

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark begins it
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte order marks, and how the rest is encoded."""

_PDF = b"%PDF-"
_KINDS = (
    (_PDF, 0, "a PDF document"),
    (b"\x89PNG\r\n\x1a\n", 0, "a PNG image"),
    (b"\xff\xd8\xff", 0, "a JPEG image"),
    (b"GIF8", 0, "a GIF image"),
    (b"WEBP", 8, "a WebP image"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0, "an old Office document"),
    (b"PK\x03\x04", 0, "a zip archive, or an Office document"),
    (b"\x1f\x8b", 0, "a gzip archive"),
    (b"BZh", 0, "a bzip2 archive"),
    (b"\xfd7zXZ\x00", 0, "an xz archive"),
    (b"\x28\xb5\x2f\xfd", 0, "a zstd archive"),
    (b"7z\xbc\xaf\x27\x1c", 0, "a 7z archive"),
    (b"Rar!\x1a\x07", 0, "a rar archive"),
    (b"ustar", 257, "a tar archive"),
    (b"SQLite format 3\x00", 0, "an SQLite database"),
    (b"DUCK", 8, "a DuckDB database"),
    (b"PAR1", 0, "a Parquet file"),
    (b"\x7fELF", 0, "a program"),
)
"""Marks of files that hold no text: the bytes, where they stand, and what the file is."""

_UTF16 = re.compile(rb"(?:[\x01-\x7f]\x00){8}|(?:\x00[\x01-\x7f]){8}")
_UNPACK = "Unpack it, and give what is in it"
_AS_TEXT = "Save its text as .txt, .md or .html, and give that"


def decoded(data: bytes, name: str) -> str | Problem:
    """The text of a file: without byte order mark, its lines ended by line feeds alone.

    Args:
        data: what the file holds.
        name: its path, for the message.

    Returns:
        The text; or what is wrong: it is empty, no text, holds NUL bytes or is not in the encoding
        that it says. The problem names the byte (from 0) and the line.
    """
    mark, encoding = next(((m, e) for m, e in _MARKS if data.startswith(m)), (b"", "utf-8"))
    if data.startswith(_PDF):
        return _no_text(name, binary_kind(data))
    try:
        text = str(memoryview(data)[len(mark) :], encoding)
    except UnicodeDecodeError as error:
        kind = "" if mark else binary_kind(data)
        place = len(mark) + error.start
        return _no_text(name, kind) if kind else _not_encoded(data, name, encoding, place)
    if not text or text.isspace():
        return Problem(name, 0, "", "the file is empty", "Write something into it, or remove it")
    if "\x00" in text:
        if not mark and (kind := binary_kind(data)):
            return _no_text(name, kind)
        return _with_nul(data, name, text, mark, encoding)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def binary_kind(data: bytes) -> str:
    """What a file is that holds no text, by the marks at its beginning; "" when none is known."""
    for mark, at, kind in _KINDS:
        if data[at : at + len(mark)] == mark:
            return kind
    return ""


def _no_text(name: str, kind: str) -> Problem:
    remedy = _UNPACK if kind.endswith("archive") else _AS_TEXT
    return Problem(name, 0, "", f"{kind}, not text", remedy)


def _not_encoded(data: bytes, name: str, encoding: str, at: int) -> Problem:
    line = data.count(b"\n", 0, at) + 1 if encoding == "utf-8" else 0
    said = f"not {encoding.removesuffix('-le').removesuffix('-be').upper()} (byte {at})"
    remedy = "Save the file as UTF-8; a Korean one in CP949: iconv -f CP949 -t UTF-8 FILE"
    if encoding != "utf-8":
        remedy = "It is damaged, or cut off: fetch it again, or save it as UTF-8"
    return Problem(name, line, "", said, remedy)


def _with_nul(data: bytes, name: str, text: str, mark: bytes, encoding: str) -> Problem:
    if not mark and _UTF16.search(data[:4096]):
        message = "looks like UTF-16, but has no byte order mark"
        return Problem(name, 0, "", message, "Save the file as UTF-8, or with the mark")
    before = text.index("\x00")
    at = len(mark) + len(text[:before].encode(encoding))
    line = text.count("\n", 0, before) + 1
    remedy = "It is no text, or damaged: fetch it again, or take the NUL bytes out"
    return Problem(name, line, "", f"holds a NUL byte (byte {at})", remedy)
