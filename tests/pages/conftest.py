"""Clients of the pages: over the reference cases, tiny cases and cases full of hostile text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi")

from starlette.testclient import TestClient

import kg
from kg.library import Library
from kg.server.app import create_app
from kg.server.holder import Holder
from kg.server.pages.site import Site, write_site
from kg.server.settings import Settings
from tests.helpers.html import Element, read_html
from tests.helpers.tiny import tiny_cases, tiny_vocabulary
from tests.pages.hostile import hostile_cases, hostile_vocabulary

ADDRESS = "http://127.0.0.1:8321"
BROWSER = {"accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"}

Get = Callable[[str], Element]


def client_of(path: Path) -> TestClient:
    """A browser at a server of a library."""
    app = create_app(Settings(library=path))
    return TestClient(app, base_url=ADDRESS, headers=BROWSER)


def page_of(client: TestClient, address: str) -> Element:
    """A page that must be there; read once, as tests change nothing."""
    key = (id(client), address)
    if key not in _READ:
        _READ[key] = _read(client, address)
    return _READ[key]


_READ: dict[tuple[int, str], Element] = {}


def _read(client: TestClient, address: str) -> Element:
    answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    return read_html(answer.text)


@pytest.fixture(scope="session")
def held(lib: Library) -> Iterator[Holder]:
    """The reference cases under the real encoder, opened and warmed up once for all servers."""
    holder = Holder(Settings(library=lib.path))
    yield holder
    holder.close()


@pytest.fixture(scope="session")
def client(quick: Library) -> Iterator[TestClient]:
    with client_of(quick.path) as it:
        yield it


@pytest.fixture(scope="session")
def get(client: TestClient) -> Get:
    """A page of the reference cases."""
    return lambda address: page_of(client, address)


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Six cases under a vocabulary of thirty terms."""
    path = tmp_path_factory.mktemp("tiny") / "tiny.duckdb"
    made = kg.build_library(tiny_cases(), path, vocabulary=tiny_vocabulary(), encoder="hash")
    with made as it:
        yield it


@pytest.fixture(scope="session")
def tiny_client(tiny: Library) -> Iterator[TestClient]:
    with client_of(tiny.path) as it:
        yield it


@pytest.fixture(scope="session")
def site(tiny: Library, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The pages of these six cases as files."""
    return write_site(tiny, tmp_path_factory.mktemp("web") / "site")


@pytest.fixture(scope="session")
def pages(site: Site) -> dict[str, Element]:
    """Every page of it, read, by file."""
    return {
        f.relative_to(site.path).as_posix(): read_html(f.read_text(encoding="utf-8"))
        for f in sorted(site.path.rglob("*.html"))
    }


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Cases and terms whose every text tries to be more than text."""
    path = tmp_path_factory.mktemp("hostile") / "hostile.duckdb"
    made = kg.build_library(hostile_cases(), path, vocabulary=hostile_vocabulary(), encoder="hash")
    with made as it:
        yield it


@pytest.fixture(scope="session")
def hostile_client(hostile: Library) -> Iterator[TestClient]:
    with client_of(hostile.path) as it:
        yield it
