"""Runs of words that a case shares with its source: `python -m kg.readers.overlap CASE SOURCE…`.

Facts carry over from a source, sentences do not. Code in backticks and quoted log lines are left
out, since identifiers and messages cannot be put in other words.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from kg.model import Case

RUN = 8
"""From this many words in a row, a passage counts as copied."""

_WORD = re.compile(r"[a-z0-9가-힣']+")
_CODE = re.compile(r"`[^`]*`")


def shared_runs(case: Case, source: str, length: int = RUN) -> list[str]:
    """Runs of `length` words that stand in both, in reading order; empty when none does.

    The case's texts, statements, outcomes, conditions and caveats are compared, in all languages.
    """
    known = set(_runs(source, length))
    return [
        " ".join(run) for text in _own_texts(case) for run in _runs(text, length) if run in known
    ]


def _runs(text: str, length: int) -> Iterator[tuple[str, ...]]:
    words = _WORD.findall(_CODE.sub(" ", text.lower()))
    return (tuple(words[i : i + length]) for i in range(len(words) - length + 1))


def _own_texts(case: Case) -> Iterator[str]:
    yield from (text for _, lang, text in case.texts() if lang != "zxx")
    for claim in case.claims:
        for words in (claim.statement, claim.outcome, claim.conditions, claim.caveat):
            yield from (text for _, text in words.items()) if words else ()


def main(arguments: Sequence[str]) -> int:
    """Print the shared runs; 1 when there are any, 2 on bad use."""
    if len(arguments) < 2:
        print("use: python -m kg.readers.overlap CASE.json SOURCE…", file=sys.stderr)
        return 2
    case = Case.model_validate_json(Path(arguments[0]).read_text(encoding="utf-8"))
    source = "\n".join(Path(p).read_text(encoding="utf-8", errors="replace") for p in arguments[1:])
    found = shared_runs(case, source)
    for run in found:
        print(f"{case.id}: {run}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
