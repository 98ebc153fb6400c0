"""The library file: one DuckDB file that holds everything, written whole or not at all."""

from kg.store.functions import Function, add_function
from kg.store.lock import locked
from kg.store.migrate import migrate_library
from kg.store.read import Table, connect, is_library, read_snapshot, run_sql
from kg.store.snapshot import OLDER, SCHEMA_VERSION, Passage, SimilarRow, Snapshot
from kg.store.write import READABLE, check_target, update_library, write_library

__all__ = [
    "OLDER",
    "READABLE",
    "SCHEMA_VERSION",
    "Function",
    "Passage",
    "SimilarRow",
    "Snapshot",
    "Table",
    "add_function",
    "check_target",
    "connect",
    "is_library",
    "locked",
    "migrate_library",
    "read_snapshot",
    "run_sql",
    "update_library",
    "write_library",
]
