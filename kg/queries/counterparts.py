"""Terms of different schemes that stand for one circumstance: a cause here, a factor there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path

from kg.graph import kind_of
from kg.vocab import Vocabulary
from kg.vocab.spelling import normal

FILE = Path(__file__).with_name("counterparts.json")
"""The pairs chosen by hand for the shipped vocabulary, and why they are pairs."""

CAUSE = "cause"
OTHERS = ("factor", "trigger")
"""The schemes in which a cause may have a counterpart."""


@lru_cache(maxsize=8)
def counterparts(vocabulary: Vocabulary) -> Mapping[str, tuple[str, ...]]:
    """The factors and triggers that stand for the same circumstance as each cause.

    Two terms do so when one of them has a spelling of the other, when both match the same concept
    of another vocabulary exactly, or when the pair stands in `FILE` and the vocabulary has both.
    """
    found: dict[str, set[str]] = {}
    for cause, other in (*_spelled_alike(vocabulary), *_matched(vocabulary), *chosen_pairs()):
        if cause in vocabulary.terms and other in vocabulary.terms:
            found.setdefault(cause, set()).add(other)
    return {cause: tuple(sorted(others)) for cause, others in sorted(found.items())}


@cache
def chosen_pairs() -> tuple[tuple[str, str], ...]:
    """The pairs of `FILE`, each a cause and a factor or trigger."""
    pairs = json.loads(FILE.read_text(encoding="utf-8"))["pairs"]
    return tuple((str(cause), str(other)) for cause, other in pairs)


def _spelled_alike(vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    for scheme in OTHERS:
        for term in vocabulary.of(scheme) if scheme in vocabulary.schemes else ():
            for _, spelling in term.spellings():
                for same in vocabulary.by_spelling.get(normal(spelling), ()):
                    if kind_of(same) == CAUSE:
                        yield same, term.id


def _matched(vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    causes: dict[str, list[str]] = {}
    for term in vocabulary.of(CAUSE) if CAUSE in vocabulary.schemes else ():
        for iri in term.exact_match:
            causes.setdefault(iri, []).append(term.id)
    for scheme in OTHERS:
        for term in vocabulary.of(scheme) if scheme in vocabulary.schemes else ():
            for iri in term.exact_match:
                yield from ((cause, term.id) for cause in causes.get(iri, ()))
