"""The first search embeds its text while all else is made: the same answers and the same errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import kg
from embeddings import load_encoder
from kg.errors import TermNotFound
from kg.library import Library
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

QUERY = "training stopped after a NCCL timeout"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("tiny") / "tiny.duckdb"
    kg.build_library(tiny_cases(), file, vocabulary=tiny_vocabulary(), encoder="hash").close()
    return file


@pytest.fixture
def fresh(path: Path) -> Iterator[Library]:
    with kg.open_library(path, encoder="hash") as library:
        yield library


class Failing:
    """The encoder of the library, until it is asked for a question."""

    def __init__(self) -> None:
        inner = load_encoder("hash")
        self.fingerprint, self.dimension = inner.fingerprint, inner.dimension

    def encode_queries(self, texts: Sequence[str]) -> Any:
        raise RuntimeError("the encoder broke")

    encode_passages = encode_queries


def test_it_answers_as_the_next_one_does(fresh: Library) -> None:
    assert fresh.search(QUERY) == fresh.search(QUERY)


def test_several_at_once_answer_alike(fresh: Library) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: fresh.search(QUERY), range(8)))
    assert all(hits == fresh.search(QUERY) for hits in found)


def test_an_error_of_the_encoder_reaches_the_caller_each_time(path: Path) -> None:
    with kg.open_library(path, encoder=Failing()) as library:  # type: ignore[arg-type]
        for _ in range(2):
            with pytest.raises(RuntimeError, match="the encoder broke"):
                library.search(QUERY)


def test_bad_use_is_told_although_the_text_is_being_embedded(fresh: Library) -> None:
    with pytest.raises(TermNotFound):
        fresh.search(QUERY, cause="no-such-cause")
    assert fresh.search(QUERY).query == QUERY
