"""Progress of long work: silent, or one line a stage on standard error."""

from __future__ import annotations

import sys


def no_progress(stage: str, done: int, total: int) -> None:
    """Say nothing."""


def print_progress(stage: str, done: int, total: int) -> None:
    """Say on standard error how far a stage is; one line that is rewritten on a terminal."""
    if total and sys.stderr.isatty():
        end = "\n" if done >= total else ""
        sys.stderr.write(f"\r{stage}: {done}/{total} {end}")
        sys.stderr.flush()
    elif total and done >= total:
        sys.stderr.write(f"{stage}: {total} done\n")
