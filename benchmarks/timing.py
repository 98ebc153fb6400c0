"""Shared by the benchmarks: clocks around methods, medians, tables, options."""

from __future__ import annotations

import argparse
import importlib
import os
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

_clock: Callable[[], float] = time.perf_counter
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def one_thread() -> None:
    """Start the program again with one thread, unless the environment says how many.

    The libraries read this when they are loaded. Threads that wait for each other on busy cores
    measure the other programs: twenty times as long has been seen.
    """
    if not any(name in os.environ for name in THREADS):
        os.environ.update(dict.fromkeys(THREADS, "1"))
        sys.stdout.flush()
        os.execv(sys.executable, [sys.executable, *sys.argv])


def use_processor_time() -> None:
    """Measure the time that the processor spent here, from now on, instead of the wall's."""
    global _clock
    _clock = time.process_time


def milliseconds(call: Callable[[], Any]) -> float:
    begin = _clock()
    call()
    return 1000 * (_clock() - begin)


def median(values: Iterable[float]) -> float:
    return round(statistics.median(values), 4)


def interleaved(calls: Mapping[str, Callable[[int], Any]], rounds: int) -> dict[str, list[float]]:
    """Milliseconds of each call in each round, one after the other, each first in its turn."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    names = list(calls)
    for number in range(rounds):
        shift = number % len(names)
        for name in names[shift:] + names[:shift]:
            times[name].append(milliseconds(partial(calls[name], number)))
    return times


def ratio(slower: Sequence[float], faster: Sequence[float]) -> float:
    """How many times as long the first takes: the median over pairs of the same round."""
    return median(a / b for a, b in zip(slower, faster, strict=True))


class Parts:
    """Time spent in named parts of a program, each without the parts that it calls.

    Methods are wrapped where they are found; one that is not there (any more) is left out, and
    its time belongs to whoever calls it.
    """

    def __init__(self, methods: Iterable[tuple[str, str]]) -> None:
        """`methods`: the part, and `module:Class.method`."""
        self.found: list[str] = []
        self._spent: dict[str, float] = defaultdict(float)
        self._inside: list[float] = []  # time of the parts called by each part that is running
        for part, path in methods:
            owner, name = _look_up(path)
            if owner is not None:
                self.wrap(part, owner, name)

    def wrap(self, part: str, owner: Any, name: str) -> None:
        """Put a clock around `owner.name`, a method of a class or of one object."""
        inner = getattr(owner, name)

        def timed(*args: Any, **kwargs: Any) -> Any:
            with self._running(part):
                return inner(*args, **kwargs)

        setattr(owner, name, timed)
        if part not in self.found:
            self.found.append(part)

    def measure(self, call: Callable[[], Any]) -> dict[str, float]:
        """Milliseconds of each part during one call, `everything else` and `total`."""
        self._spent.clear()
        whole = milliseconds(lambda: self._root(call))
        parts = {part: 1000 * self._spent[part] for part in self.found}
        return {**parts, "everything else": whole - sum(parts.values()), "total": whole}

    def _root(self, call: Callable[[], Any]) -> None:
        self._inside = [0.0]
        call()

    @contextmanager
    def _running(self, part: str) -> Any:
        begin = _clock()
        self._inside.append(0.0)
        try:
            yield
        finally:
            whole = _clock() - begin
            self._spent[part] += whole - self._inside.pop()
            if self._inside:
                self._inside[-1] += whole


def _look_up(path: str) -> tuple[Any, str]:
    module, _, names = path.partition(":")
    *owners, name = names.split(".")
    try:
        owner: Any = importlib.import_module(module)
        for step in owners:
            owner = getattr(owner, step)
        getattr(owner, name)
    except (ImportError, AttributeError):
        return None, name
    return owner, name


def options(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """What was asked for on the command line, with what all benchmarks understand."""
    parser.add_argument("--json", action="store_true", help="print JSON, not a table")
    parser.add_argument(
        "--processor", action="store_true", help="measure processor time: for a busy machine"
    )
    given = parser.parse_args()
    one_thread()
    if given.processor:
        use_processor_time()
    return given


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Columns under their heads; text to the left, numbers to the right."""
    lines = [[_cell(cell) for cell in row] for row in (head, *rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    aligned = [
        "  ".join(c.rjust(w) if i else c.ljust(w) for i, (c, w) in enumerate(zip(line, widths)))  # noqa: B905
        for line in lines
    ]
    return "\n".join([aligned[0], "  ".join("-" * w for w in widths), *aligned[1:]])


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:,.3f}" if isinstance(value, float) else str(value)
