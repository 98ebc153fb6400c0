"""Shared fixtures: libraries built once per run, in a cache folder of the run's own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import kg
from kg.library import Library
from kg.readers import read_vocabulary, shipped
from kg.vocab import Vocabulary

os.environ.setdefault("HF_HUB_OFFLINE", "1")
# One thread for each process that runs tests or is started by one: the workers fill the cores by
# themselves, and threads that wait for a core spin.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Nothing that a test caches reaches the user's own cache."""
    folder = tmp_path_factory.mktemp("cache")
    before = os.environ.get("INCIDENT_KG_CACHE")
    os.environ["INCIDENT_KG_CACHE"] = str(folder)
    yield folder
    if before is None:
        del os.environ["INCIDENT_KG_CACHE"]
    else:
        os.environ["INCIDENT_KG_CACHE"] = before


@pytest.fixture(scope="session")
def vocabulary() -> Vocabulary:
    """The shipped vocabulary."""
    return read_vocabulary(shipped("vocabulary"))


REFERENCE = sorted(shipped("cases").glob("IL-*.json"))
"""The eight cases of the reference library; what the tests say of case sets is said of these."""


@pytest.fixture(scope="session")
def lib(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The reference cases under the real default encoder."""
    with kg.build_library(REFERENCE, tmp_path_factory.mktemp("lib") / "real.duckdb") as it:
        yield it


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """All shipped cases under the tiny encoder."""
    path = tmp_path_factory.mktemp("lib") / "whole.duckdb"
    with kg.build_library(shipped("cases"), path, encoder="hash") as it:
        yield it


@pytest.fixture(scope="session")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The reference cases under the tiny encoder: for everything that needs no semantics."""
    path = tmp_path_factory.mktemp("lib") / "quick.duckdb"
    with kg.build_library(REFERENCE, path, encoder="hash") as it:
        yield it
