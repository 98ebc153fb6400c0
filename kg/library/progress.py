"""Progress of long work: silent, or one line a stage on standard error."""

from __future__ import annotations

import sys


def no_progress(stage: str, done: int, total: int) -> None:
    """Say nothing."""


def print_progress(stage: str, done: int, total: int) -> None:
    """Say on standard error how far a stage is; one line that is rewritten on a terminal."""
    if total and sys.stderr.isatty():
        end = "\n" if done >= total else ""
        sys.stderr.write(f"\r{stage}: {_far(done, total)} {end}")
        sys.stderr.flush()
    elif total and done >= total:
        sys.stderr.write(f"{stage}: {f'{total} done' if total > 1 else 'done'}\n")


def _far(done: int, total: int) -> str:
    """How far a stage is; one that is a single step only begins and ends."""
    if total > 1:
        return f"{done}/{total}"
    return "done" if done else "…   "


def print_waiting() -> None:
    """Say on standard error why nothing happens."""
    sys.stderr.write("another process is building the shipped library; waiting for it\n")
    sys.stderr.flush()
