"""Libraries built once a run, snapshots without an encoder, and library files in plain DuckDB."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np

import kg
from kg.library import Library
from kg.library.passages import passages_of
from kg.model import Case
from kg.store import SimilarRow, Snapshot, locked
from kg.vocab import Vocabulary

if TYPE_CHECKING:
    import pytest

    from kg.library.build import Input

TABLES = (
    "builds", "schemes", "terms", "labels", "mappings", "cases", "texts", "dates", "durations",
    "claims", "claim_terms", "evidence", "figures", "sources", "links", "changes", "changed_terms",
    "changed_claims", "old_terms", "reviews", "revisions", "apart", "passages", "vectors",
    "similarity",
)  # fmt: skip

_NUMBERS = count()


def built_once(
    factory: pytest.TempPathFactory,
    name: str,
    cases: Input | Sequence[Input],
    encoder: str | None = None,
) -> Library:
    """A library that is built by the first worker that needs it and opened by the others."""
    folder = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # that of the whole run
    path = folder / f"{name}.duckdb"
    with locked(folder / f"{name}.lock", f"another worker builds {path} for long", wait=300.0):
        if path.exists():
            return kg.open_library(path)
        return kg.build_library(cases, path, encoder=encoder)


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


@cache
def _base() -> duckdb.DuckDBPyConnection:
    """One DuckDB for all questions: beginning one takes longer than most of them."""
    return duckdb.connect()


@contextmanager
def _plain(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A library file in plain DuckDB, with nothing of this project in between."""
    name = f"file{next(_NUMBERS)}"
    quoted = str(path).replace("'", "''")
    with _base().cursor() as connection:
        connection.execute(f"ATTACH '{quoted}' AS {name} (READ_ONLY, TYPE duckdb)")
        try:
            connection.execute(f"USE {name}")
            yield connection
        finally:
            connection.execute("USE memory")
            connection.execute(f"DETACH {name}")


def rows(path: Path, query: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """The rows of a query, asked with plain DuckDB."""
    with _plain(path) as connection:
        found: list[tuple[Any, ...]] = connection.execute(query, list(parameters)).fetchall()
        return found


def all_tables(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every table, row by row, in the order in which the rows stand in the file."""
    with _plain(path) as connection:
        return {t: connection.execute(f"SELECT * FROM {t}").fetchall() for t in TABLES}
