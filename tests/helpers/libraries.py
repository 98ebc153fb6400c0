"""Snapshots without an encoder, and what stands in a library file, read with plain DuckDB."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from kg.library.passages import passages_of
from kg.model import Case
from kg.store import SimilarRow, Snapshot
from kg.vocab import Vocabulary

TABLES = (
    "builds", "schemes", "terms", "labels", "mappings", "cases", "texts", "dates", "durations",
    "claims", "claim_terms", "evidence", "figures", "sources", "links", "changes", "changed_terms",
    "changed_claims", "old_terms", "passages", "vectors",
    "similarity",
)  # fmt: skip


def make_snapshot(cases: Sequence[Case], vocabulary: Vocabulary, dimension: int = 3) -> Snapshot:
    """A snapshot whose vectors and neighbours are made up, but always the same."""
    ordered = tuple(sorted(cases, key=lambda c: c.id))
    passages = tuple(passages_of(ordered))
    numbers = np.random.default_rng(7).normal(size=(len(passages), dimension))
    lengths = np.linalg.norm(numbers, axis=1, keepdims=True)
    similar = tuple(
        SimilarRow(a.id, rank, b.id, 0.6, 0.3, 0.2, 0.1, "unknown")
        for a in ordered
        for rank, b in enumerate((c for c in ordered if c.id != a.id), 1)
    )
    return Snapshot(
        cases=ordered,
        vocabulary=vocabulary,
        passages=passages,
        vectors=(numbers / lengths).astype(np.float32),
        encoder="none",
        fingerprint="none/1",
        background=(0.25, 0.5),
        similar=similar,
    )


def rows(path: Path, query: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """The rows of a query, asked with plain DuckDB."""
    with duckdb.connect(str(path), read_only=True) as connection:
        found: list[tuple[Any, ...]] = connection.execute(query, list(parameters)).fetchall()
        return found


def all_tables(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every table, row by row, in the order in which the rows stand in the file."""
    with duckdb.connect(str(path), read_only=True) as connection:
        return {t: connection.execute(f"SELECT * FROM {t}").fetchall() for t in TABLES}
