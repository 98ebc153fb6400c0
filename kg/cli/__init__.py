"""The command `kg`: the library's questions with the same words, for the shell."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

__all__ = ["main"]

DONE, NOTHING, BAD = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0 done, 1 nothing found, 2 bad use or input."""
    from kg.cli.parser import make_parser

    options = make_parser().parse_args(arguments)
    from embeddings import EmbeddingError
    from kg.errors import KgError

    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except (KgError, EmbeddingError) as error:
        print(f"kg: {error}", file=sys.stderr)
        return BAD
    except BrokenPipeError:
        # The reader of a pipe left; point stdout elsewhere so that closing it stays quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        return 130
    return code
