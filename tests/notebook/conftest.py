"""A small library of a user: six made-up postmortems, half of what was read out accepted."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import kg
from kg.library import Library
from kg.library.build import shipped_name
from kg.library.intake import add_documents, review_claims
from kg.library.reviewing import reviews_above, waiting
from kg.notebook import shipped_notebooks
from kg.readers import shipped
from tests.helpers.libraries import built_once


@pytest.fixture(scope="session")
def shipped_at_hand(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache folder, with the library of the shipped cases, built once for all workers."""
    with built_once(tmp_path_factory, "shipped", shipped("cases")) as library:
        shutil.copyfile(library.path, cache / shipped_name("default"))
    return cache


@pytest.fixture(scope="session")
def own(shipped_at_hand: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """What `kg add notebooks/incidents` and `kg review --accept-above 0.6` make."""
    assert shipped_at_hand.is_dir()  # the tagger of the shipped cases reads the documents
    path = tmp_path_factory.mktemp("own") / "own.duckdb"
    add_documents(path, [shipped_notebooks() / "incidents"])
    with kg.open_library(path) as before:
        decisions = reviews_above(waiting(before), 0.6)
    review_claims(path, decisions)
    with kg.open_library(path) as library:
        yield library
