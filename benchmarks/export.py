"""Writing a large library as a DuckDB file and as Parquet: in bulk, row by row, and by COPY.

A synthetic library of cases and edges as rows of the tables of the library file. The product's own
way (`kg.store` inserts column by column, `kg.export` copies each table sorted by its key) stands
beside single inserts, timed on a sample and multiplied by the number of rows, and beside DuckDB's
own COPY of the same tables when they are ready in memory: of the whole database with its keys
(`COPY FROM DATABASE`), of each table to Parquet, and of bare tables without any key. N-Triples
stand beside rdflib's serialiser (`triples.py`).
"""

from __future__ import annotations

import argparse
import gc
import json
import tempfile
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import triples
from timing import median, milliseconds, options, ratio, table

from kg.export.tables import copy_table
from kg.store.fill import _insert

AIM_ROWS, AIM_COPY = 50, 3
RELATIONS = ("CAUSED_BY", "AFFECTS", "EXHIBITS", "MITIGATED_BY", "CONTRIBUTED_BY")
KINDS = ("cause", "component", "symptom", "mitigation", "factor")
STATUSES = ("confirmed", "suspected", "ruled_out")
TERMS = 2000
KEYS = {
    "schemes": "scheme",
    "terms": "term_id",
    "cases": "case_id",
    "texts": "case_id, field, lang",
    "claims": "claim_id",
    "claim_terms": "claim_id, term_id",
    "evidence": "claim_id, ordinal",
}
"""The tables that grow with cases and edges, in the order in which they are filled."""

Rows = dict[str, list[tuple[Any, ...]]]


def make_rows(cases: int, edges: int, seed: int = 1) -> Rows:
    """The rows of a library in which each edge is a claim with one term and one span."""
    random = np.random.default_rng(seed)
    kind = random.integers(0, len(KINDS), edges).tolist()
    term = random.zipf(1.3, edges) % (TERMS // len(KINDS))
    status = random.choice(3, edges, p=[0.88, 0.08, 0.04]).tolist()
    case = np.sort(random.integers(0, cases, edges)).tolist()
    start = random.integers(0, 200, edges).tolist()
    return {
        "schemes": [(k, k, k, json.dumps({"scheme": k})) for k in KINDS],
        "terms": [_term(k, n) for k in KINDS for n in range(TERMS // len(KINDS))],
        "cases": [_case(n) for n in range(cases)],
        "texts": [(f"C-{n:07}", "summary", "en", _text(n)) for n in range(cases)],
        "claims": [
            (f"C-{c:07}#claim-{i:07}", f"C-{c:07}", KINDS[k], RELATIONS[k], STATUSES[s], None,
             f"Statement {i} says what happened to the service", None, None, None,
             None, None, None)
            for i, (c, k, s) in enumerate(zip(case, kind, status, strict=True))
        ],
        "claim_terms": [
            (f"C-{c:07}#claim-{i:07}", f"{KINDS[k]}:t{t:05}")
            for i, (c, k, t) in enumerate(zip(case, kind, term.tolist(), strict=True))
        ],
        "evidence": [
            (f"C-{c:07}#claim-{i:07}", 0, "summary", "en", a, a + 40, f"words {i} of the summary")
            for i, (c, a) in enumerate(zip(case, start, strict=True))
        ],
    }  # fmt: skip


def _term(kind: str, number: int) -> tuple[Any, ...]:
    name = f"{kind}:t{number:05}"
    return (name, kind, None, f"term {number}", f"말 {number}", "What it means.", None, False,
            json.dumps({"id": name}))  # fmt: skip


def _case(number: int) -> tuple[Any, ...]:
    name = f"C-{number:07}"
    record = json.dumps({"id": name, "summary": {"en": [_text(number)]}})
    day = f"20{10 + number % 15}-0{1 + number % 9}-15"
    return (name, "incident", "web", f"Outage {number}", None, day, None, None, 60.0 * number,
            None, None, f"{number:064x}", record)  # fmt: skip


def _text(number: int) -> str:
    return f"In outage {number} requests failed for {number % 90} minutes after a deploy. " * 3


def _schema(keys: bool) -> Iterator[str]:
    """The statements that make the tables, as they ship, or without keys."""
    text = files("kg.store").joinpath("schema.sql").read_text(encoding="utf-8")
    with duckdb.connect() as connection:
        connection.execute(text.replace("{dimension}", "3"))
        if keys:
            yield text.replace("{dimension}", "3")
            return
        for name in KEYS:
            columns = connection.execute(f"DESCRIBE {name}").fetchall()
            yield f"CREATE TABLE {name} ({', '.join(f'{c} {k}' for c, k, *_ in columns)})"


def _database(file: Path, keys: bool = True) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(str(file), config={"threads": 1})
    for statement in _schema(keys):
        connection.execute(statement)
    return connection


def bulk(rows: Rows, file: Path) -> None:
    """As the product writes a library file: keys, references and all."""
    with _database(file) as connection:
        for name in KEYS:
            _insert(connection, name, rows[name])
        connection.execute("CHECKPOINT")


def one_by_one(rows: Rows, file: Path, sample: int) -> float:
    """Milliseconds of single inserts for all rows, reckoned from the first ones of each table.

    The tables are still small then, which makes an insert cheaper than later ones would be.
    """
    total = 0.0
    with _database(file) as connection:
        for name in KEYS:
            values, some = rows[name], rows[name][:sample]
            marks = ", ".join("?" * len(some[0]))

            def insert(name: str = name, some: Any = some, marks: str = marks) -> None:
                for row in some:
                    connection.execute(f"INSERT INTO {name} VALUES ({marks})", row)

            total += milliseconds(insert) * len(values) / len(some)
            if name in ("schemes", "terms"):  # claims may refer to any of them
                _insert(connection, name, values[len(some) :])
    return total


class Ready:
    """The same tables, ready in memory with keys and without, for DuckDB's own ways."""

    def __init__(self, rows: Rows) -> None:
        self.connection, self.keyed = _in_memory(rows, keys=False), _in_memory(rows, keys=True)

    def to_database(self, file: Path) -> None:
        """COPY of the whole database: the same tables with the same keys, references and all."""
        self.keyed.execute(f"ATTACH '{file}' AS other")
        self.keyed.execute("COPY FROM DATABASE memory TO other")
        self.keyed.execute("CHECKPOINT other; DETACH other")

    def to_bare_database(self, file: Path) -> None:
        """Copy into a file without keys: the least that there is to write."""
        self.connection.execute(f"ATTACH '{file}' AS other")
        for name in KEYS:
            self.connection.execute(f"CREATE TABLE other.{name} AS FROM memory.main.{name}")
        self.connection.execute("CHECKPOINT other; DETACH other")

    def to_parquet(self, folder: Path) -> None:
        """COPY of each table as it lies there."""
        for name in KEYS:
            self.connection.execute(
                f"COPY {name} TO '{folder / name}.parquet' (FORMAT parquet, COMPRESSION zstd)"
            )


def _in_memory(rows: Rows, keys: bool) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"threads": 1})
    for statement in _schema(keys):
        connection.execute(statement)
    for name in KEYS:
        _insert(connection, name, rows[name])
    return connection


def to_parquet(file: Path, folder: Path) -> None:
    """As the product writes Parquet from a library file: each table in order of its key."""
    with duckdb.connect(str(file), read_only=True, config={"threads": 1}) as connection:
        for name, key in KEYS.items():
            copy_table(connection, name, key, folder / f"{name}.parquet", "parquet")


def check_equal(one: Path, other: Path) -> None:
    """Stop when two databases differ in any table."""
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{one}' AS a (READ_ONLY); ATTACH '{other}' AS b (READ_ONLY)")
        for name in KEYS:
            query = f"SELECT count(*) FROM (FROM a.{name} EXCEPT ALL FROM b.{name})"
            differing = connection.execute(query).fetchone()
            counts = [
                connection.execute(f"SELECT count(*) FROM {d}.{name}").fetchone() for d in "ab"
            ]
            if differing != (0,) or counts[0] != counts[1]:
                raise SystemExit(f"the tables {name} differ")


def measure(rows: Rows, rounds: int, sample: int) -> dict[str, dict[str, float | None]]:
    """Milliseconds of each way, in turns; the medians and how they compare."""
    ready = Ready(rows)
    times: dict[str, list[float]] = {}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            for name, took in _round(rows, ready, Path(folder), sample):
                times.setdefault(name, []).append(took)
        gc.collect()
    both = {
        name: [a + b for a, b in zip(times[one], times[other], strict=True)]
        for name, one, other in (
            ("bulk", "bulk", "parquet"), ("rows", "rows", "parquet"), ("copy", "keys", "copy"),
        )
    }  # fmt: skip
    return {
        "DuckDB file": _row(times["bulk"], times["rows"], times["keys"]),
        "Parquet from it": _row(times["parquet"], None, times["copy"]),
        "both": _row(both["bulk"], both["rows"], both["copy"]),
        "DuckDB file, COPY of tables without keys": _row(times["bulk"], None, times["bare"]),
    }


def _round(rows: Rows, ready: Ready, place: Path, sample: int) -> Iterator[tuple[str, float]]:
    bulk_file, keyed, bare = (place / f"{name}.duckdb" for name in ("bulk", "keyed", "bare"))
    folders = [place / name for name in ("ours", "theirs")]
    for folder in folders:
        folder.mkdir()
    ways: dict[str, Callable[[], Any]] = {
        "bulk": lambda: bulk(rows, bulk_file),
        "keys": lambda: ready.to_database(keyed),
        "bare": lambda: ready.to_bare_database(bare),
        "parquet": lambda: to_parquet(bulk_file, folders[0]),
        "copy": lambda: ready.to_parquet(folders[1]),
    }
    for name, way in ways.items():
        yield name, milliseconds(way)
    check_equal(bulk_file, keyed)
    check_equal(bulk_file, bare)
    yield "rows", one_by_one(rows, place / "slow.duckdb", sample)


def _row(ours: list[float], slow: list[float] | None, own: list[float]) -> dict[str, float | None]:
    return {
        "bulk_ms": median(ours),
        "row_by_row_ms": None if slow is None else median(slow),
        "times_faster": None if slow is None else ratio(slow, ours),
        "copy_ms": median(own),
        "times_copy": ratio(ours, own),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--edges", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--sample", type=int, default=1000, help="single inserts a table")
    parser.add_argument("--triples", type=int, default=300_000, help="0 leaves N-Triples out")
    given = options(parser)
    rows = make_rows(given.cases, given.edges)
    count = sum(map(len, rows.values()))
    told = measure(rows, given.rounds, given.sample)
    del rows
    linked = triples.measure(given.triples, max(5, given.rounds)) if given.triples else None
    if given.json:
        facts = {"cases": given.cases, "edges": given.edges, "rows": count, "sample": given.sample}
        print(json.dumps({**facts, "written": told, "ntriples": linked}, indent=2))
        return
    print(
        f"{given.cases:,} cases, {given.edges:,} edges, {count:,} rows in {len(KEYS)} tables; "
        f"one thread; single inserts: {given.sample:,} rows a table, reckoned up; tables equal"
    )
    head = ["", "bulk, ms", "row by row, ms", "× faster", "COPY, ms", "× COPY"]
    print(table(head, [[name, *_cells(row)] for name, row in told.items()]))
    print(f"aims: {AIM_ROWS} times faster than row by row, {AIM_COPY} times COPY at most")
    if linked is not None:
        _print_ntriples(linked)


def _print_ntriples(linked: dict[str, Any]) -> None:
    print(f"\n{linked['triples']:,} triples of {linked['cases']:,} cases; files equal as graphs")
    for name in ("write", "read"):
        rows = [[way, row["ms"], row["times_faster"]] for way, row in linked[name].items()]
        print(table([f"{name} N-Triples", "ms", "× faster than rdflib"], rows))
    print(f"aim: {triples.AIM} times faster than rdflib's serialiser")


def _cells(row: dict[str, float | None]) -> list[float | None]:
    return [row[c] for c in ("bulk_ms", "row_by_row_ms", "times_faster", "copy_ms", "times_copy")]


if __name__ == "__main__":
    main()
