"""Every format in which a library can be exported, by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from kg.errors import BadQuery
from kg.export.cypher import write_cypher
from kg.export.files import write_folder
from kg.export.networks import write_node_link
from kg.export.records import write_records
from kg.export.tables import write_duckdb, write_tables
from kg.export.xml import write_gexf, write_graphml
from kg.graph import IncidentGraph
from kg.readers.exported import Exported
from kg.store import SCHEMA_VERSION, Snapshot

_OF_RECORDS: dict[str, Callable[[Snapshot, Path], dict[str, Any]]] = {
    "parquet": partial(write_tables, form="parquet"),
    "csv": partial(write_tables, form="csv"),
    "jsonl": write_records,
    "duckdb": write_duckdb,
}
_OF_GRAPHS: dict[str, Callable[[IncidentGraph, Path], dict[str, Any]]] = {
    "graphml": write_graphml,
    "gexf": write_gexf,
    "cypher": write_cypher,
    "node-link": write_node_link,
}
FORMATS = (*_OF_RECORDS, *_OF_GRAPHS)
"""The first four hold whole records, from which `kg build` makes a library again."""


def check_format(form: str) -> None:
    """Refuse a format that there is not.

    Raises:
        BadQuery: naming those that there are.
    """
    if form not in FORMATS:
        raise BadQuery(f"no format {form!r}; there are {', '.join(FORMATS)}")


def write_export(
    snapshot: Snapshot, graph: Callable[[], IncidentGraph], folder: str | Path, form: str
) -> Exported:
    """Write a library, or a part of it, into a folder of its own.

    Args:
        snapshot: what to write.
        graph: makes its graph, when the format is one of graphs.
        folder: a new or empty folder, or that of an earlier export, which is replaced whole.
        form: one of `FORMATS`.

    Raises:
        BadQuery: there is no such format.
        LibraryError, LibraryLocked: see `write_folder`.
    """
    check_format(form)

    def fill(place: Path) -> dict[str, Any]:
        facts: dict[str, Any] = {
            "format": form,
            "schema_version": SCHEMA_VERSION,
            "encoder": snapshot.encoder,
            "fingerprint": snapshot.fingerprint,
            "cases": len(snapshot.cases),
            "terms": len(snapshot.vocabulary),
        }
        if form in _OF_RECORDS:
            return facts | _OF_RECORDS[form](snapshot, place)
        made = graph()
        return facts | {"edges": len(made.edges)} | _OF_GRAPHS[form](made, place)

    return write_folder(folder, fill)
