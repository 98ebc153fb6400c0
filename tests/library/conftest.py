"""Libraries for what is measured and fitted on them: the tiny one, and all shipped cases."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import kg
from kg.library import Library
from kg.readers import shipped
from tests.helpers.libraries import built_once
from tests.helpers.tiny import tiny_cases, tiny_vocabulary


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    path = tmp_path_factory.mktemp("tiny") / "tiny.duckdb"
    with kg.build_library(
        tiny_cases(), path, vocabulary=tiny_vocabulary(), encoder="hash"
    ) as library:
        yield library


@pytest.fixture(scope="session")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """All shipped cases under the default encoder."""
    with built_once(tmp_path_factory, "shipped", shipped("cases")) as it:
        yield it
