"""Bytes become text, or are refused with the byte where they stop being text."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import Problem
from kg.readers.decoding import binary_kind, decoded
from tests.helpers.strategies import QUICK

WORDS = "Links went down.\n링크가 끊겼다.\n"
LETTERS = st.characters(exclude_categories=("Cs",), exclude_characters="\x00\r")


def refused(data: bytes) -> Problem:
    found = decoded(data, "a.txt")
    assert isinstance(found, Problem)
    assert found.file == "a.txt"
    assert found.remedy
    return found


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_a_byte_order_mark_tells_the_encoding_and_goes(mark: bytes, encoding: str) -> None:
    assert decoded(mark + WORDS.encode(encoding), "a.txt") == WORDS


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_all_line_ends_become_line_feeds(end: str) -> None:
    assert decoded(f"one{end}two{end}".encode(), "a.txt") == "one\ntwo\n"


@QUICK
@given(st.text(LETTERS, min_size=1).filter(lambda t: not t.isspace()))
def test_what_was_written_comes_back(text: str) -> None:
    if not text.startswith("\ufeff") and not text.startswith("%PDF-"):
        assert decoded(text.encode(), "a.txt") == text
    assert decoded(codecs.BOM_UTF16_LE + text.encode("utf-16-le"), "a.txt") == text


@QUICK
@given(st.binary())
def test_no_bytes_raise(data: bytes) -> None:
    found = decoded(data, "a.txt")
    assert isinstance(found, Problem) or ("\x00" not in found and "\r" not in found)


def test_invalid_utf8_names_the_byte_and_the_line() -> None:
    found = refused(b"one\ntwo \xff three")
    assert (found.line, found.message) == (2, "not UTF-8 (byte 8)")
    assert "iconv" in refused("장애".encode("cp949")).remedy


def test_a_mark_of_utf16_before_half_a_letter_is_refused() -> None:
    assert refused(codecs.BOM_UTF16_LE + b"a\x00b").message == "not UTF-16 (byte 4)"


def test_a_nul_byte_names_its_place() -> None:
    found = refused("가\nb\x00c".encode())
    assert (found.line, found.message) == (2, "holds a NUL byte (byte 5)")


def test_utf16_without_a_mark_is_called_by_its_name() -> None:
    assert "UTF-16" in refused("a report of words".encode("utf-16-le")).message


@pytest.mark.parametrize("data", [b"", b" \n\t\r\n", codecs.BOM_UTF8])
def test_an_empty_file_is_refused(data: bytes) -> None:
    assert refused(data).message == "the file is empty"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"%PDF-1.7\n1 0 obj", "a PDF document"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "a PNG image"),
        (b"\xff\xd8\xff\xe0\x00", "a JPEG image"),
        (b"\x1f\x8b\x08\x00", "a gzip archive"),
        (b"SQLite format 3\x00\x10", "an SQLite database"),
    ],
)
def test_what_is_no_text_is_called_by_its_kind(data: bytes, kind: str) -> None:
    found = refused(data)
    assert found.message == f"{kind}, not text"
    assert binary_kind(data) == kind


def test_a_text_that_begins_like_a_database_is_a_text() -> None:
    assert decoded(b"GIF89 was the name of the host", "a.txt") == "GIF89 was the name of the host"
