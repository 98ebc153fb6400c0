"""Which texts of a case are embedded, and how they are cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from embeddings import split_passages
from kg.model import Case
from kg.store import Passage

EMBEDDED_FIELDS = (
    "title",
    "summary",
    "impact",
    "symptom",
    "trigger",
    "cause",
    "detection",
    "mitigation",
    "follow_up",
    "lesson",
)
"""Who was affected and which check covers a case say nothing of what happened."""

QUERY_WORDS = (45, 90)
MOST_PARTS = 32


def passages_of(cases: Iterable[Case]) -> Iterator[Passage]:
    """The passages of cases in a fixed order: by case, field, language and place."""
    for case in cases:
        for field, lang, text in case.texts():
            if field in EMBEDDED_FIELDS:
                for start, end in split_passages(text):
                    yield Passage(case.id, field, lang, start, end, text[start:end])


def query_parts(text: str) -> list[str]:
    """A query as it is, or cut into parts when it is long: the encoder reads 512 tokens at most.

    Of a very long text (a pasted log) `MOST_PARTS` parts are taken, evenly spread.
    """
    spans = split_passages(text, *QUERY_WORDS)
    if len(spans) <= 1:
        return [text]
    step = max(1.0, len(spans) / MOST_PARTS)
    chosen = [spans[int(i * step)] for i in range(min(len(spans), MOST_PARTS))]
    return [text[start:end] for start, end in chosen]
