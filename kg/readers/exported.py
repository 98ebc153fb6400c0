"""Folders that `kg export` wrote: what they are, and the records in them, read back whole."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.errors import InputError, Problem

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MANIFEST = "manifest.json"
"""The file that makes a folder an export; it lists every other file with its hash."""

MARK = "incident_kg_export"
"""The key of the manifest that holds the version of its form."""

VERSION = 1
DATABASE = "incidents.duckdb"
CASE_LINES = "cases.jsonl"
VOCABULARY = "vocabulary"
HISTORY = "history.jsonl"
"""Beside scheme files: the changes of the vocabulary, one a line, the oldest first."""
REVIEW_LINES = "reviews.jsonl"
"""Beside the cases: what people decided about claims of programs, one a line."""
REVISION_LINES = "revisions.jsonl"
"""Beside the cases: the steps of their histories, one a line."""
APART_LINES = "apart.jsonl"
"""Beside the cases: pairs of them that people told apart, one a line."""

TABLES = ("parquet", "csv", "duckdb")
"""Formats whose tables hold each record whole, in the column `record`."""

WHOLE = ("jsonl", *TABLES)
"""Formats from which a library can be built again."""

CSV = (
    "header = true, all_varchar = true, delim = ',', quote = '\"', escape = '\"', comment = '', "
    "skip = 0, allow_quoted_nulls = false, max_line_size = 1000000000"
)
"""How DuckDB reads our CSV whole: an empty cell is NULL, an empty text is `""`."""

_CLOSED: dict[str, str | bool | int | float | list[str]] = {
    "allow_community_extensions": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}


@dataclass(frozen=True)
class Exported:
    """A folder with an export in it.

    Attributes:
        folder: where it lies.
        format: parquet, csv, jsonl, duckdb, graphml, gexf, cypher or node-link.
        manifest: what its manifest says.
    """

    folder: Path
    format: str
    manifest: Mapping[str, Any]

    def table(self, name: str) -> Path:
        """The file of a table, or the database that holds it."""
        return self.folder / (DATABASE if self.format == "duckdb" else f"{name}.{self.format}")


def find_export(folder: str | Path) -> Exported | None:
    """The export in a folder; None when there is none, or what is there cannot be read."""
    file = Path(folder, MANIFEST)
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or MARK not in data or not isinstance(data.get("files"), dict):
        return None
    return Exported(Path(folder), str(data.get("format")), data)


def exports_among(inputs: Iterable[object]) -> list[Exported]:
    """The inputs of a build that are exports, each once, sorted by path."""
    paths = sorted({str(i) for i in inputs if isinstance(i, str | Path)})
    return [found for path in paths if (found := find_export(path)) is not None]


def case_texts(export: Exported) -> Iterator[tuple[str, int, str]]:
    """The cases of an export as (file, row or line from 1, JSON), in order of their ids.

    Raises:
        InputError: the export holds no whole records, is of a later version, or a file of it is
            missing or damaged.
    """
    _check(export)
    if export.format == "jsonl":
        file = export.folder / CASE_LINES
        for number, line in enumerate(_text(file).split("\n"), 1):
            if line.strip():
                yield str(file), number, line
        return
    rows = _rows(export, "cases", "record", "case_id")
    for number, (record,) in enumerate(rows, 1):
        yield str(export.table("cases")), number, record


def scheme_texts(export: Exported) -> Iterator[tuple[str, str]]:
    """The schemes of an export with their terms, as (file, JSON), in order of their names.

    Raises:
        InputError: as `case_texts`.
    """
    _check(export)
    if export.format == "jsonl":
        for file in sorted((export.folder / VOCABULARY).glob("*.json")):
            yield str(file), _text(file)
        return
    terms: dict[str, list[str]] = {}
    for scheme, record in _rows(export, "terms", "scheme, record", "term_id"):
        terms.setdefault(scheme, []).append(record)
    for name, record in _rows(export, "schemes", "scheme, record", "scheme"):
        place = str(export.table("schemes"))
        yield place, _with_terms(place, record, terms.get(name, []))


def change_texts(export: Exported) -> Iterator[tuple[str, int, str]]:
    """The changes of the vocabulary as (file, row or line from 1, JSON), the oldest first.

    Raises:
        InputError: as `case_texts`.
    """
    _check(export)
    if export.format == "jsonl":
        yield from history_lines(export.folder / VOCABULARY)
    elif "changes" in export.manifest.get("tables", {}):  # older exports have no such table
        file = str(export.table("changes"))
        rows = _rows(export, "changes", "record", "change_id::INTEGER")
        yield from ((file, number, record) for number, (record,) in enumerate(rows, 1))


def review_texts(export: Exported) -> Iterator[tuple[str, int, str]]:
    """The decisions about claims as (file, row or line from 1, JSON).

    Raises:
        InputError: as `case_texts`.
    """
    _check(export)
    if export.format == "jsonl":
        yield from _lines(export.folder / REVIEW_LINES)
    elif "reviews" in export.manifest.get("tables", {}):
        rows = _rows(export, "reviews", "record", "case_id, kind, term_id")
        yield from ((str(export.table("reviews")), n, r) for n, (r,) in enumerate(rows, 1))


_REVISION = (
    "json_object('case_id', case_id, 'number', number::INTEGER, 'action', action, 'at', done_at, "
    "'author', author, 'note', note, 'before', before::VARCHAR, 'absorbed', absorbed::VARCHAR)"
    "::VARCHAR"
)
"""A row of the table as the record that it was made of."""


def revision_texts(export: Exported) -> Iterator[tuple[str, int, str]]:
    """The steps in the histories of cases as (file, row or line from 1, JSON).

    Raises:
        InputError: as `case_texts`.
    """
    _check(export)
    if export.format == "jsonl":
        yield from _lines(export.folder / REVISION_LINES)
    elif "revisions" in export.manifest.get("tables", {}):
        rows = _rows(export, "revisions", _REVISION, "case_id, number::INTEGER")
        yield from ((str(export.table("revisions")), n, r) for n, (r,) in enumerate(rows, 1))


_APART = (
    "json_object('case_id', case_id, 'other_id', other_id, 'at', done_at, 'author', author, "
    "'note', note)::VARCHAR"
)


def apart_texts(export: Exported) -> Iterator[tuple[str, int, str]]:
    """The pairs of cases that people told apart as (file, row or line from 1, JSON).

    Raises:
        InputError: as `case_texts`.
    """
    _check(export)
    if export.format == "jsonl":
        yield from _lines(export.folder / APART_LINES)
    elif "apart" in export.manifest.get("tables", {}):  # older exports have no such table
        rows = _rows(export, "apart", _APART, "case_id, other_id")
        yield from ((str(export.table("apart")), n, r) for n, (r,) in enumerate(rows, 1))


def history_lines(folder: Path) -> Iterator[tuple[str, int, str]]:
    """The changes in the history file of a folder, if it has one: (file, line from 1, JSON).

    Raises:
        InputError: the file cannot be read.
    """
    yield from _lines(folder / HISTORY)


def _lines(file: Path) -> Iterator[tuple[str, int, str]]:
    if file.exists():
        for number, line in enumerate(_text(file).split("\n"), 1):
            if line.strip():
                yield str(file), number, line


def _with_terms(file: str, record: str, terms: list[str]) -> str:
    try:
        bare = json.loads(record)
        return json.dumps({**bare, "terms": [json.loads(t) for t in terms]}, ensure_ascii=False)
    except (ValueError, TypeError, RecursionError) as error:
        raise _damaged(file, f"a record is not JSON: {error}") from error


def _check(export: Exported) -> None:
    manifest = str(export.folder / MANIFEST)
    if export.manifest[MARK] != VERSION:
        message = f"an export of form {export.manifest[MARK]!r}, this program reads {VERSION}"
        raise InputError([Problem(manifest, 0, MARK, message, "Export it again")])
    if export.format not in WHOLE:
        message = f"an export as {export.format} does not hold whole records"
        remedy = f"Export it as {', '.join(WHOLE)} to build from it"
        raise InputError([Problem(manifest, 0, "format", message, remedy)])


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise _damaged(str(file), str(getattr(error, "strerror", None) or error)) from error


def _rows(export: Exported, table: str, columns: str, order: str) -> list[tuple[Any, ...]]:
    import duckdb

    file = export.table(table)
    if not file.is_file():
        raise _damaged(str(file), "the file is missing")
    try:
        with _begun(export.format) as connection:
            connection.execute("SET enable_progress_bar = false")
            source = _source(connection, export.format, file, table)
            query = f"SELECT {columns} FROM {source} ORDER BY {order}"
            rows = connection.execute(query).fetchall()
    except duckdb.Error as error:
        raise _damaged(str(file), str(error)) from error
    if any(not isinstance(cell, str) for row in rows for cell in row):
        raise _damaged(str(file), "a cell that must hold text does not")
    return rows


@contextmanager
def _begun(form: str) -> Iterator[DuckDBPyConnection]:
    """A DuckDB to read one table with; files of a database get their own, which is closed off."""
    import duckdb

    if form == "duckdb":
        with duckdb.connect(config=_CLOSED) as own:
            yield own
    else:
        with _shared().cursor() as shared:
            yield shared


@cache
def _shared() -> DuckDBPyConnection:
    """One for all other files: to begin one takes longer than to read most of them."""
    import duckdb

    return duckdb.connect(config={**_CLOSED, "enable_external_file_cache": "false"})


def _source(connection: DuckDBPyConnection, form: str, file: Path, table: str) -> str:
    """A table of an export, as SQL names it."""
    quoted = str(file.absolute()).replace("'", "''")
    if form == "parquet":
        return f"read_parquet('{quoted}')"
    if form == "csv":
        return f"read_csv('{quoted}', {CSV})"
    connection.execute(f"ATTACH '{quoted}' AS export (READ_ONLY, TYPE duckdb)")
    # A view that someone put in the place of the table must not read other files.
    connection.execute("SET enable_external_access = false")
    return f"export.{table}"


def _damaged(file: str, why: str) -> InputError:
    return InputError([Problem(file, 0, "", f"cannot be read: {why}", "Export it again")])
