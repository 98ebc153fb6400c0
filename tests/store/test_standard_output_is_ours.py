"""DuckDB draws no progress bar into the standard output of a program that uses a library.

It would do so in an interactive Python, which is what `python -c` is to it, once a statement takes
two seconds.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import json, sys
import duckdb
import kg
from kg.export import tables
from kg.readers import exported
from kg.store import connect, fill
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

drawn = {}

def look(name, connection):
    query = "SELECT current_setting('enable_progress_bar')"
    drawn[name] = connection.execute(query).fetchone()[0]

def looked_at(module, name):
    inner = getattr(module, name)
    def outer(connection, *arguments):
        look(name, connection)
        return inner(connection, *arguments)
    setattr(module, name, outer)

looked_at(fill, "_insert")
looked_at(tables, "_tables")
looked_at(exported, "_source")
folder = sys.argv[1]
words = tiny_vocabulary()
with kg.build_library(tiny_cases(), f"{folder}/a.duckdb", vocabulary=words, encoder="hash") as one:
    one.export(f"{folder}/out", "parquet")
kg.build_library(f"{folder}/out", f"{folder}/b.duckdb", encoder="hash").close()
with connect(f"{folder}/b.duckdb") as connection:
    look("connect", connection)
    look("a cursor", connection.cursor())
with duckdb.connect() as plain:
    look("plain DuckDB", plain)
print(json.dumps(drawn))
"""


def test_no_connection_of_ours_draws_a_bar(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    drawn = json.loads(done.stdout.splitlines()[-1])
    assert drawn.pop("plain DuckDB")  # else this test would say nothing
    names = ("_insert", "_tables", "_source", "connect", "a cursor")
    assert drawn == dict.fromkeys(names, False)
