"""Killing `kg build`, `kg add` and `kg remove` at random instants: the library stays whole.

A library of synthetic cases is changed by the command line in a process of its own, which is ended
by SIGKILL at an instant drawn evenly from the time that the command takes undisturbed; every second
time from the stretch in which it writes, which is short and begins when the new file appears. After
each kill the library must open, pass its own checks and hold, table for table, the state before or
the state after; what lies beside it must be gone after the next command that is left to end.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb

import kg
from kg.model import CaseKind
from kg.readers import read_vocabulary, shipped

SENTENCES = (
    "The deploy of {n} rolled out to all regions and requests to the checkout failed.",
    "A race condition between {n} workers left the queue without a leader.",
    "Latency rose to {n} seconds and the load balancer returned 502.",
    "The certificate of host {n} expired, so that clients could not connect.",
    "The job on {n} GPUs hung in NCCL all-reduce until the watchdog timed out.",
    "Rolled back release {n} and restarted the database replicas.",
    "DNS answered with SERVFAIL for {n} minutes after the zone was changed.",
    "A missing alert let the disk fill up over {n} hours.",
)
SECTIONS = ("Summary", "Impact", "Root cause", "Resolution", "Lessons learned")


def postmortem(number: int) -> str:
    """A made-up postmortem, the same for a number."""
    draw = random.Random(number)
    parts = [f"---\nid: SYN-{number}\n---\n# Incident {number} of service {draw.randint(1, 90)}"]
    for section in SECTIONS:
        told = " ".join(draw.choice(SENTENCES).format(n=draw.randint(2, 999)) for _ in range(2))
        parts.append(f"## {section}\n{told}")
    return "\n\n".join(parts) + "\n"


def write_postmortems(folder: Path, first: int, count: int) -> Path:
    """A folder with so many postmortems, from a number on."""
    folder.mkdir(parents=True)
    for number in range(first, first + count):
        (folder / f"{number:05}.md").write_text(postmortem(number), encoding="utf-8")
    return folder


def state_of(library: Path) -> str:
    """A hash of all tables; opening the library checks that it is whole."""
    with kg.open_library(library) as opened:
        assert len(opened) > 0
        assert all(case.kind in CaseKind for case in opened.cases.values())
        opened.similar(next(iter(opened.cases)), k=1)
    digest = hashlib.sha256()
    with duckdb.connect(str(library), read_only=True) as connection:
        names = connection.execute(
            "SELECT table_name FROM duckdb_tables() ORDER BY table_name"
        ).fetchall()
        for (name,) in names:
            rows = connection.execute(f"SELECT * FROM {name} ORDER BY ALL").fetchall()
            digest.update(f"{name} {len(rows)} ".encode())
            digest.update(repr(rows).encode())
    return digest.hexdigest()


def command(*words: str | Path) -> list[str]:
    """A command of `kg` in a process of its own."""
    return [sys.executable, "-m", "kg", *map(str, words)]


def run(words: list[str]) -> float:
    """Run a command to its end: seconds."""
    start = time.monotonic()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - start


def beside(library: Path) -> list[Path]:
    """Half-written files of a library."""
    return list(library.parent.glob(f".*{library.name}.*.building"))


def run_killed(words: list[str], after: float, library: Path, writing: bool) -> bool:
    """Start a command and kill it: whether it was still running.

    Args:
        words: the command.
        after: seconds from its start, or from the moment when it begins to write.
        library: what it changes.
        writing: whether to wait for that moment.
    """
    old = set(beside(library))
    with subprocess.Popen(
        words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        while writing and process.poll() is None and not set(beside(library)) - old:
            time.sleep(0.002)
        try:
            process.wait(after)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return True
    return False


def run_watched(words: list[str], library: Path) -> tuple[float, float]:
    """Run a command to its end: seconds in all, and from the moment when it began to write."""
    start = begun = time.monotonic()
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            if begun == start and beside(library):
                begun = time.monotonic()
            time.sleep(0.002)
    assert process.returncode == 0, words
    end = time.monotonic()
    return end - start, end - begun


class Kills:
    """A library, the commands that change it, and what became of it after each kill."""

    def __init__(self, folder: Path, cases: int, more: int) -> None:
        """Write documents for so many cases, and so many more to add; make the library."""
        self.folder = folder
        first = write_postmortems(folder / "first", 1, cases)
        second = write_postmortems(folder / "second", cases + 1, more)
        self.terms = folder / "terms"
        shutil.copytree(shipped("vocabulary"), self.terms)
        read_vocabulary(self.terms)
        made = folder / "made.duckdb"
        terms = ("--vocabulary", self.terms, "--encoder", "hash")
        run(command("add", first, "-l", made, *terms))
        with kg.open_library(made) as opened:
            opened.export(folder / "files", "jsonl")
        self.library = folder / "library.duckdb"
        gone = [f"SYN-{n}" for n in range(1, 1 + more)]
        build = command("build", folder / "files", "-o", self.library, "--encoder", "hash")
        self.commands = {
            "build": build,
            "add": command("add", second, "-l", self.library),
            "remove": command("remove", *gone, "-l", self.library),
        }
        self.before = {"build": None, "add": made, "remove": made}

    def start(self, name: str, after_kills: bool) -> None:
        """Put the library in the state before a command."""
        source = self.before[name]
        if not after_kills:
            for file in [self.library, *self.folder.glob(".*library.duckdb*")]:
                file.unlink(missing_ok=True)
        if source is not None:
            shutil.copy(source, self.library)

    def test(self, name: str, times: int, draw: random.Random) -> dict[str, Any]:
        """Kill a command so many times.

        Raises:
            AssertionError: the library was neither as before nor as after, or something stayed.
        """
        self.start(name, False)
        if name == "build":  # an older library of one case less is there
            shutil.copy(self.before["add"] or "", self.library)
            run(command("remove", "SYN-1", "-l", self.library))
            self.before["build"] = Path(shutil.copy(self.library, self.folder / "older.duckdb"))
        before = state_of(self.library)
        took, writing = run_watched(self.commands[name], self.library)
        after = state_of(self.library)
        assert before != after, name
        found: Counter[str] = Counter()
        for number in range(times):
            self.start(name, True)
            span = writing if number % 2 else took
            moment = draw.uniform(0, span)
            killed = run_killed(self.commands[name], moment, self.library, bool(number % 2))
            state = state_of(self.library)
            assert state in (before, after), f"{name}: a state between"
            found["killed" if killed else "ended first"] += 1
            found["before" if state == before else "after"] += 1
            found["half-written file beside"] += bool(beside(self.library))
            sys.stderr.write(f"{name}: {number + 1} of {times}, {dict(sorted(found.items()))}\n")
        self.start(name, True)
        run(self.commands[name])
        assert state_of(self.library) == after, f"{name}: not done after the kills"
        left = [f.name for f in self.folder.glob(".*library.duckdb*")]
        assert left in ([], [".library.duckdb.lock"]), left
        times_of = {"seconds": round(took, 1), "writing": round(writing, 1)}
        return {"command": name, **times_of, **dict(sorted(found.items()))}


def main() -> None:
    """Kill each command and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--more", type=int, default=20, help="cases to add and to remove")
    parser.add_argument("--times", type=int, default=50, help="kills in all")
    parser.add_argument("--seed", type=int, default=1)
    names = ("build", "add", "remove")
    parser.add_argument("--only", choices=names, action="append", help="kill only this command")
    options = parser.parse_args()
    draw = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as place:
        kills = Kills(Path(place), options.cases, options.more)
        for number, name in enumerate(names):
            if options.only and name not in options.only:
                continue
            times = (options.times + len(names) - 1 - number) // len(names)
            told = {"cases": options.cases, **kills.test(name, times, draw)}
            sys.stdout.write(json.dumps(told) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
