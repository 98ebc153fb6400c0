"""Apps over the libraries that the whole run shares, asked in this process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from kg.library import Library
from kg.server.holder import Holder
from kg.server.settings import Settings
from tests.helpers.served import asking


@pytest.fixture(scope="session")
def held(quick: Library) -> Iterator[Holder]:
    """The reference cases under the tiny encoder, opened once for all apps that serve them."""
    holder = Holder(Settings(library=quick.path))
    yield holder
    holder.close()


@pytest.fixture(scope="session")
def client(held: Holder) -> Iterator[TestClient]:
    """The same over HTTP."""
    with asking(Settings(), held) as it:
        yield it


@pytest.fixture(scope="session")
def real(lib: Library) -> Iterator[TestClient]:
    """The reference cases under the default encoder, over HTTP."""
    with asking(Settings(library=lib.path)) as it:
        yield it
