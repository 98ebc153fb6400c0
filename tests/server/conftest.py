"""Apps over the libraries that the whole run shares, asked in this process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from kg.library import Library
from kg.server.settings import Settings
from tests.helpers.served import asking


@pytest.fixture(scope="session")
def client(quick: Library) -> Iterator[TestClient]:
    """The reference cases under the tiny encoder, over HTTP."""
    with asking(Settings(library=quick.path)) as it:
        yield it


@pytest.fixture(scope="session")
def real(lib: Library) -> Iterator[TestClient]:
    """The reference cases under the default encoder, over HTTP."""
    with asking(Settings(library=lib.path)) as it:
        yield it


@pytest.fixture(scope="session")
def many(whole: Library) -> Iterator[TestClient]:
    """All shipped cases under the tiny encoder, over HTTP."""
    with asking(Settings(library=whole.path)) as it:
        yield it
