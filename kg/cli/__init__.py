"""The command `kg`: the library's questions with the same words, for the shell."""

from __future__ import annotations

import gc
from collections.abc import Sequence

__all__ = ["command", "long_lived", "main"]

DONE, NOTHING, BAD = 0, 1, 2
_USUAL = gc.get_threshold()


def command() -> int:
    """`main` as a process of its own.

    A command makes a million objects and keeps them to its end: looking through all of them for
    cycles time and again, and once more before the process ends, takes a quarter of its time.
    """
    gc.set_threshold(100_000, 50, 50)
    code = main()
    gc.freeze()
    return code


def long_lived() -> None:
    """Look for cycles as often as Python does by itself: for a word that goes on for long."""
    gc.set_threshold(*_USUAL)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0 done, 1 nothing found, 2 bad use or input."""
    from embeddings import EmbeddingError
    from kg.cli.output import abandon, complain, told
    from kg.errors import KgError

    try:
        return _run(arguments)
    except BrokenPipeError:
        # The reader of a pipe left, who has all that was wanted.
        abandon()
        return DONE
    except (KgError, EmbeddingError, OSError, UnicodeError) as error:
        abandon()
        complain(f"kg: {told(error)}")
        return BAD
    except KeyboardInterrupt:
        return 130


def _run(arguments: Sequence[str] | None) -> int:
    from kg.cli.output import finish
    from kg.cli.parser import make_parser

    try:
        options = make_parser().parse_args(arguments)
    except SystemExit:
        finish()
        raise
    code: int = options.run(options)
    finish()
    return code
