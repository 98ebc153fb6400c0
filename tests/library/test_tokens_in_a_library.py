"""A build keeps the tokens of its passages where the encoder gives them, and without opens too."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from embeddings import HashEncoder, TokenTable
from kg.library.build import build
from kg.library.progress import no_progress
from kg.store import Snapshot, connect, read_snapshot
from tests.helpers.tiny import tiny_cases, tiny_vocabulary


class Bare:
    """An encoder that gives vectors of whole texts only."""

    fingerprint = "bare/1"
    dimension = 8

    def encode_queries(self, texts):
        return HashEncoder(8).encode_queries(texts)

    def encode_passages(self, texts, progress=None):
        return HashEncoder(8).encode_passages(texts, progress)


def built(path: Path, encoder: object) -> Snapshot:
    build(
        tiny_cases(), path, vocabulary=tiny_vocabulary(), encoder=encoder, keep_going=False,
        progress=no_progress,
    )  # fmt: skip
    connection = connect(path)
    try:
        return read_snapshot(connection)
    finally:
        connection.close()


def test_each_passage_has_the_tokens_that_the_encoder_gives(tmp_path: Path) -> None:
    snapshot = built(tmp_path / "x.duckdb", "hash")
    vectors, codes = HashEncoder().encode_passages_with_tokens([p.text for p in snapshot.passages])
    assert np.array_equal(snapshot.vectors, vectors)
    assert snapshot.token_codes is not None
    table = TokenTable(snapshot.token_codes, snapshot.token_starts)
    assert len(table) == len(snapshot.passages)
    for row, judge in enumerate(codes):
        assert np.array_equal(table.codes_of(row), judge)


def test_the_passage_with_the_words_asked_for_scores_highest(tmp_path: Path) -> None:
    snapshot = built(tmp_path / "x.duckdb", "hash")
    table = TokenTable(snapshot.token_codes, snapshot.token_starts)
    wanted = snapshot.passages[len(table) // 2].text
    (query,) = HashEncoder().encode_queries_with_tokens([wanted])[1]
    scores = table.maxsim(query, np.arange(len(table)))
    assert snapshot.passages[int(scores.argmax())].text == wanted
    assert scores.max() == pytest.approx(1, abs=1e-3)


def test_an_encoder_without_tokens_builds_as_ever(tmp_path: Path) -> None:
    snapshot = built(tmp_path / "x.duckdb", Bare())
    assert snapshot.token_codes is None
    assert snapshot.token_starts is None
    judge = HashEncoder(8).encode_passages([p.text for p in snapshot.passages])
    assert np.array_equal(snapshot.vectors, judge)


def test_tokens_change_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_tokens = built(tmp_path / "a.duckdb", HashEncoder(8))
    monkeypatch.setattr(HashEncoder, "token_dimension", 0)
    without = built(tmp_path / "b.duckdb", HashEncoder(8))
    assert without.token_codes is None
    assert np.array_equal(with_tokens.vectors, without.vectors)
    assert with_tokens.background == without.background
    assert with_tokens.passages == without.passages


def test_progress_counts_passages(tmp_path: Path) -> None:
    calls: list[tuple[str, int, int]] = []
    build(
        tiny_cases(), tmp_path / "x.duckdb", vocabulary=tiny_vocabulary(), encoder="hash",
        keep_going=False, progress=lambda *step: calls.append(step),
    )  # fmt: skip
    embedded = [step[1:] for step in calls if step[0] == "embedding passages"]
    assert embedded
    assert embedded[-1][0] == embedded[-1][1] > 0


def test_no_case_has_no_tokens_but_their_width() -> None:
    table = TokenTable.of([], HashEncoder.token_dimension)
    assert (table.codes.shape, table.starts.tolist()) == ((0, 16), [0])
