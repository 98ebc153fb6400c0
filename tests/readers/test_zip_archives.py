"""Zip archives: members as documents, tricks and bombs refused, the rest still read."""

from __future__ import annotations

import stat
import struct
import warnings
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from kg.errors import Problem
from kg.readers import archives
from kg.readers.openfiles import open_documents


def packed(path: Path, members: Mapping[str, bytes | str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def seen(path: Path) -> dict[str, str]:
    found = {}
    for one in open_documents([path]):
        what = one.what
        name = one.name.removeprefix(str(path))
        found[name] = what.message if isinstance(what, Problem) else getattr(what, "text", "")
    return found


def test_members_are_documents_by_their_names(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {"b.md": "two\r\n", "a/x.md": "one", "a/": ""})
    assert seen(path) == {"!/a/x.md": "one", "!/b.md": "two\n"}
    assert list(seen(path)) == ["!/a/x.md", "!/b.md"]


def test_what_makes_an_archive_is_not_its_name(tmp_path: Path) -> None:
    assert seen(packed(tmp_path / "export.dat", {"b.md": "two"})) == {"!/b.md": "two"}


def test_hidden_members_are_skipped(tmp_path: Path) -> None:
    members = {"__MACOSX/._b.md": "x", ".DS_Store": "x", "a/.git/HEAD": "x", "b.md": "two"}
    assert seen(packed(tmp_path / "a.zip", members)) == {"!/b.md": "two"}


@pytest.mark.parametrize("name", ["../x.md", "a/../../x.md", "/etc/x.md", "a\\..\\x.md", "C:/x.md"])
def test_names_that_lead_out_are_refused(tmp_path: Path, name: str) -> None:
    found = seen(packed(tmp_path / "a.zip", {name: "x", "b.md": "two"}))
    assert found.pop("!/b.md") == "two"
    assert list(found.values()) == ["its name leads out of the archive"]


def test_a_colon_in_a_name_is_no_drive(tmp_path: Path) -> None:
    assert seen(packed(tmp_path / "a.zip", {"10:05 outage.md": "x"})) == {"!/10:05 outage.md": "x"}


def test_links_are_refused(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("link.md")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    assert seen(tmp_path / "a.zip") == {"!/link.md": "a link, not a file"}


def test_encrypted_members_are_refused(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {"a.md": "secret"})
    data = bytearray(path.read_bytes())
    for signature, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = data.index(signature) + at
        data[start : start + 2] = struct.pack("<H", 1)
    path.write_bytes(data)
    assert seen(path) == {"!/a.md": "it is encrypted"}


def test_a_bomb_is_refused_by_its_ratio(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {"bomb.md": b"0" * 5_000_000, "b.md": "two"})
    found = seen(path)
    assert found["!/b.md"] == "two"
    assert found["!/bomb.md"] == f"it unpacks to more than {archives.MOST_RATIO} times its size"


def test_a_member_that_hides_its_size_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "MOST_MEMBER_BYTES", 1000)
    path = packed(tmp_path / "a.zip", {"a.md": "x" * 5000, "b.md": "two"})
    found = seen(path)
    assert found["!/a.md"] == "it unpacks to over 1,000 bytes"
    assert found["!/b.md"] == "two"


def test_all_members_together_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_UNPACKED", 1000)
    path = packed(tmp_path / "a.zip", {f"{i}.md": "x" * 400 for i in range(4)})
    told = "the archive unpacks to over 1,000 bytes"
    assert [v == told for v in seen(path).values()] == [False, False, True, True]


def test_too_many_members_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_MEMBERS", 3)
    path = packed(tmp_path / "a.zip", {f"{i}.md": "x" for i in range(4)})
    assert seen(path) == {"": "an archive of 4 members, more than 3"}


def test_an_archive_within_an_archive_is_refused(tmp_path: Path) -> None:
    inner = packed(tmp_path / "inner.zip", {"a.md": "x"}).read_bytes()
    found = seen(packed(tmp_path / "a.zip", {"inner.zip": inner}))
    assert found == {"!/inner.zip": "an archive (or an Office document) within an archive"}


def test_a_name_that_stands_twice_is_read_once(tmp_path: Path) -> None:
    with warnings.catch_warnings(), zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        warnings.simplefilter("ignore")
        archive.writestr("a.md", "one")
        archive.writestr("a.md", "two")
    told = [getattr(o.what, "text", o.what) for o in open_documents([tmp_path / "a.zip"])]
    assert told[0] == "one"
    assert isinstance(told[1], Problem)


def test_a_damaged_member_does_not_take_the_others(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.md", "first words")
        archive.writestr("b.md", "two")
    data = (tmp_path / "a.zip").read_bytes().replace(b"first words", b"other words", 1)
    (tmp_path / "a.zip").write_bytes(data)
    found = seen(tmp_path / "a.zip")
    assert found["!/a.md"].startswith("cannot be unpacked: Bad CRC")
    assert found["!/b.md"] == "two"


@pytest.mark.parametrize("cut", [10, 60, 90])
def test_a_cut_off_archive_is_told(tmp_path: Path, cut: int) -> None:
    path = packed(tmp_path / "a.zip", {"a.md": "one"})
    path.write_bytes(path.read_bytes()[:cut])
    (told,) = seen(path).values()
    assert told.startswith("a zip archive that cannot be read")


def test_an_archive_of_nothing_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"PK\x03\x04")
    (told,) = seen(tmp_path / "a.zip").values()
    assert "cannot be read" in told


def test_an_office_document_is_no_archive(tmp_path: Path) -> None:
    found = seen(packed(tmp_path / "a.docx", {"word/document.xml": "<x/>"}))
    assert found == {"": "a zip archive, or an Office document, not text"}
