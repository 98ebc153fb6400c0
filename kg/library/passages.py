"""Which texts of a case are embedded, and how they are cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from embeddings import split_passages
from kg.model import PROSE_FIELDS, Case
from kg.model.text import OMITTED
from kg.store import Passage

EMBEDDED_FIELDS = tuple(f for f in PROSE_FIELDS if f not in ("affected_users", "check"))
"""Who was affected and which check covers a case say nothing of what happened."""

_cuts = lru_cache(maxsize=4096)(split_passages)
"""Remembered: a library that is changed is cut anew, and nearly all of its texts are as before."""


def passages_of(cases: Iterable[Case]) -> Iterator[Passage]:
    """The passages of cases in a fixed order: by case, field, language and place."""
    for case in cases:
        for field, lang, text in case.texts():
            if field in EMBEDDED_FIELDS:
                for start, end in _cuts(text):
                    if text[start:end] == OMITTED:
                        continue
                    yield Passage(case.id, field, lang, start, end, text[start:end])
