"""The library file: one DuckDB file that holds everything, written whole or not at all."""

from kg.store.lock import locked
from kg.store.read import Table, connect, is_library, read_snapshot, run_sql
from kg.store.snapshot import SCHEMA_VERSION, Passage, SimilarRow, Snapshot
from kg.store.write import check_target, write_library

__all__ = [
    "SCHEMA_VERSION",
    "Passage",
    "SimilarRow",
    "Snapshot",
    "Table",
    "check_target",
    "connect",
    "is_library",
    "locked",
    "read_snapshot",
    "run_sql",
    "write_library",
]
