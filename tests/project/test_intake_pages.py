"""The pages about documents of others say what the program does; their examples are run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import kg
from kg.cli import main
from kg.intake import KINDS
from kg.library.intake import add_documents
from kg.readers.formats.known import FORMATS
from tests.helpers.foreign_library import HANG, LINK, write

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "your-incidents.md").read_text(encoding="utf-8")


def block(page: str, language: str) -> str:
    return re.findall(rf"```{language}\n(.*?)```", page, flags=re.DOTALL)[0]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with three postmortems of ids PM-1 to PM-3."""
    monkeypatch.chdir(tmp_path)
    texts = {
        f"pm{n}": f"---\nid: PM-{n}\n---\n{text}"
        for n, text in enumerate(
            (HANG.replace("race condition", "configuration error"), LINK, HANG + "\nAgain.\n"), 1
        )
    }
    write(tmp_path / "postmortems", **texts)
    return tmp_path


def test_the_page_lists_every_format() -> None:
    table = re.findall(r"^\| `([a-z-]+)` \| (.+) \|$", PAGE, flags=re.MULTILINE)
    assert dict(table).items() >= {f.name: f.about for f in FORMATS}.items()


def test_the_commands_of_the_page_run(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # The hash encoder keeps this quick; it names the library's encoder in the first command only.
    add_documents("incidents.duckdb", [place / "postmortems" / "pm1.md"], encoder="hash")
    lines = [line[2:] for line in block(PAGE, "console").splitlines()]
    assert len(lines) >= 6
    for line in lines:
        assert main(shlex.split(line)[1:]) in (0, 1), (line, capsys.readouterr().err)
    with kg.open_library("incidents.duckdb") as lib:
        assert set(lib.cases) == {"PM-1", "PM-3"}
        assert [r.decision for r in lib.reviews] == ["accept"]


def test_the_python_of_the_page_runs(place: Path) -> None:
    exec(compile(block(PAGE, "python"), "your-incidents.md", "exec"), {})  # noqa: S102 - our own
    with kg.open_library("incidents.duckdb") as lib:
        assert "PM-2" not in lib.cases
        query = block(PAGE, "sql")
        assert len(lib.sql(query).rows) >= 2


def test_the_page_tells_of_every_kind_of_secret() -> None:
    named = {
        "private-key": "Private keys", "token": "tokens", "password": "passwords",
        "email": "e-mail addresses", "address": "private network addresses", "phone": "phone",
        "card": "card numbers", "person": "names",
    }  # fmt: skip
    assert set(named) == set(KINDS)
    assert [words for words in named.values() if words not in PAGE] == []
