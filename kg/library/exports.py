"""A library, or some of its cases, written as files that other programs open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.export.formats import check_format, write_export
from kg.export.subset import subset
from kg.graph import IncidentGraph
from kg.queries import Hits
from kg.readers.exported import Exported

if TYPE_CHECKING:
    from kg.queries import Filter
    from kg.store import Snapshot


@dataclass(frozen=True)
class Export:
    """What was written.

    Attributes:
        path: the folder.
        format: the format.
        cases: how many cases it holds.
        terms: how many terms of the vocabulary.
        files: the names of its files, sorted, without the manifest.
        size: bytes of all files together.
    """

    path: Path
    format: str
    cases: int
    terms: int
    files: tuple[str, ...]
    size: int


class Exports:
    """Writing a library out. `Library` is one."""

    _snapshot: Snapshot

    if TYPE_CHECKING:

        @property
        def graph(self) -> IncidentGraph:
            """The typed graph."""

        def _wanted(self, wanted: Filter | None, facets: Mapping[str, Any]) -> Filter: ...

        def _chosen(
            self, case_ids: Iterable[str] | Hits | None, wanted: Filter
        ) -> Sequence[str]: ...

    def export(
        self,
        folder: str | Path,
        format: str = "parquet",
        case_ids: Iterable[str] | Hits | None = None,
        *,
        wanted: Filter | None = None,
        **facets: Any,
    ) -> Export:
        """Write this library into a folder, whole or only some cases.

        Equal cases give equal bytes, whatever their order. The folder appears whole at the end or
        not at all. `parquet`, `csv`, `jsonl` and `duckdb` hold the records whole, and
        `kg.build_library(folder, …)` makes a library of them again.

        Args:
            folder: a new or empty folder, or that of an earlier export, which is replaced;
                anything else that holds files is refused.
            format: parquet, csv, jsonl, duckdb, graphml, gexf, cypher or node-link.
            case_ids: ids or the hits of a search; with facets, those of them that match. Of some
                cases only the terms that they need are written, and the relations between these.
            wanted: a ready filter; or give facets by name.
            facets: see `filter`.

        Raises:
            BadQuery: there is no such format, no case is chosen, or a facet cannot be used.
            CaseNotFound, TermNotFound, AmbiguousTerm: an id or a facet that names nothing here.
            LibraryError: the folder cannot be written, or holds something that was not exported.
            LibraryLocked: another process is exporting into it.
        """
        check_format(format)
        if case_ids is None and wanted is None and not facets:
            return _told(write_export(self._snapshot, lambda: self.graph, folder, format))
        ids = self._chosen(case_ids, self._wanted(wanted, facets))
        part = subset(self._snapshot, ids)
        graph = partial(IncidentGraph, part.cases, part.vocabulary)
        return _told(write_export(part, graph, folder, format))


def _told(export: Exported) -> Export:
    manifest, files = export.manifest, export.manifest["files"]
    return Export(
        path=export.folder,
        format=export.format,
        cases=manifest["cases"],
        terms=manifest["terms"],
        files=tuple(files),
        size=sum(f["bytes"] for f in files.values()),
    )
