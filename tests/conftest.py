"""Shared fixtures: libraries built once per run, in a cache folder of the run's own."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.library import Library
from kg.readers import read_vocabulary, shipped
from kg.vocab import Vocabulary
from tests.helpers.libraries import built_once
from tests.helpers.running_order import Scheduler, make_scheduler, position

os.environ.setdefault("HF_HUB_OFFLINE", "1")
# One thread for each process that runs tests or is started by one: the workers fill the cores by
# themselves, and threads that wait for a core spin.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

# Programs that tests start would else compile the package anew each time, half a second each.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The files that take longest come first, so that no worker is left with one at the end."""
    items.sort(key=lambda item: position(item.nodeid))


def pytest_collection_finish() -> None:
    """Thousands of tests and all modules stay to the end: the collector need not visit them."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> Scheduler | None:
    """Like `--dist loadfile`, but files that load the same heavy modules share a worker."""
    return make_scheduler(config, log) if config.getvalue("dist") == "loadfile" else None


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
    with built_once(tmp_path_factory, "lib", REFERENCE) as it:
        yield it


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """All shipped cases under the tiny encoder."""
    with built_once(tmp_path_factory, "whole", shipped("cases"), "hash") as it:
        yield it


@pytest.fixture(scope="session")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The reference cases under the tiny encoder: for everything that needs no semantics."""
    with built_once(tmp_path_factory, "quick", REFERENCE, "hash") as it:
        yield it
