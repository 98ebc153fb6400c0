"""The terms that new documents tell of, found by the tagger that has learned most."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from kg.vocab import Tag, Tagger, Vocabulary
from kg.vocab.shipped import shipped_vocabulary

LEAST = 0.3


def intake_tags(vocabulary: Vocabulary, encoder: str | None) -> Callable[[str], Sequence[Tag]]:
    """A tagger for the terms of a vocabulary.

    With the default encoder and terms of the shipped vocabulary it has learned from the claims of
    the shipped cases; a renamed or merged term is found under its id of now. With other encoders,
    whose vectors mean something else, only names are found.
    """
    names = Tagger(vocabulary)
    if encoder not in (None, "default") or not _descends(vocabulary):
        return names.tag
    from kg.library import open_library

    shipped = open_library()

    def tags(text: str) -> list[Tag]:
        named = names.tag(text)
        known = {t.term for t in named}
        told = (_now(t, vocabulary) for t in shipped.tag(text, LEAST))
        sure = {t.term: t for t in told if t is not None}
        by_name = [
            replace(t, confidence=sure[t.term].confidence) if t.term in sure else t for t in named
        ]
        return sorted([*by_name, *(t for t in sure.values() if t.term not in known)])

    return tags


def _descends(vocabulary: Vocabulary) -> bool:
    """Whether most terms are shipped ones, as they are or renamed."""
    shipped = shipped_vocabulary().terms
    known = sum(vocabulary.current(term) in vocabulary for term in shipped)
    return 2 * known > len(shipped)


def _now(tag: Tag, vocabulary: Vocabulary) -> Tag | None:
    term = vocabulary.current(tag.term)
    return replace(tag, term=term) if term in vocabulary else None
