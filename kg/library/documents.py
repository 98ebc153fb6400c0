"""What the words lane reads of a case: its texts by field, and the names of its terms."""

from __future__ import annotations

from collections.abc import Mapping

from kg.model import Case
from kg.vocab import Vocabulary

FIELD_WEIGHTS: Mapping[str, float] = {
    "title": 3.0,
    "terms": 2.0,
    "symptom": 2.0,
    "summary": 1.5,
    "trigger": 1.5,
    "cause": 1.5,
    "impact": 1.0,
    "detection": 1.0,
    "mitigation": 1.0,
    "follow_up": 0.7,
    "lesson": 0.7,
}


def document_of(case: Case, vocabulary: Vocabulary, lang: str | None = None) -> dict[str, str]:
    """The texts of a case by field, in one language or in all.

    The names of its terms come in every language, so that words of either find it; those of terms
    that are ruled out do not.
    """
    texts: dict[str, list[str]] = {}
    for field, language, text in case.texts():
        if field in FIELD_WEIGHTS and lang in (None, language):
            texts.setdefault(field, []).append(text)
    stated = sorted({t for c in case.claims if c.status != "ruled_out" for t in c.terms})
    texts["terms"] = [s for t in stated for _, s in vocabulary.terms[t].spellings()]
    return {field: "\n".join(parts) for field, parts in texts.items()}
