"""A small library of a user: six made-up postmortems, half of what was read out accepted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import kg
from kg.library import Library
from kg.library.intake import add_documents, review_claims
from kg.library.reviewing import reviews_above, waiting
from kg.notebook import shipped_notebooks


@pytest.fixture(scope="session")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """What `kg add notebooks/incidents` and `kg review --accept-above 0.6` make."""
    path = tmp_path_factory.mktemp("own") / "own.duckdb"
    add_documents(path, [shipped_notebooks() / "incidents"])
    with kg.open_library(path) as before:
        decisions = reviews_above(waiting(before), 0.6)
    review_claims(path, decisions)
    with kg.open_library(path) as library:
        yield library
