"""What a library tells in two languages, and the lexicon that it teaches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from embeddings.lexicon import Lexicon, Pair, learn
from kg.model import Case, Term
from kg.model.case import PROSE_FIELDS
from kg.model.text import Prose, language_of

FOLDS = 5


def bilingual_pairs(cases: Sequence[Case], terms: Sequence[Term]) -> list[Pair]:
    """Paragraphs of cases, statements of claims, and labels and definitions of terms, as pairs."""
    found: list[Pair] = []
    for case in cases:
        for field in PROSE_FIELDS:
            found += _paragraphs(case.id, getattr(case, field))
        for claim in case.claims:
            found += _pairs(case.id, dict(claim.statement.items()) if claim.statement else {})
    for term in terms:
        for text in (term.label, term.definition):
            found += _pairs(term.id, dict(text.items()) if text else {})
    return found


def teach(pairs: Sequence[Pair]) -> Lexicon:
    """A lexicon between words in Hangul and words that are not."""
    return learn(pairs, lambda word: language_of(word) == "ko")


def folds_of(case_ids: Sequence[str]) -> dict[str, int]:
    """A part of `FOLDS` for each case, so that a lexicon can be taught without those of one."""
    return {case_id: number % FOLDS for number, case_id in enumerate(sorted(case_ids))}


def taught_without(pairs: Sequence[Pair], folds: Mapping[str, int]) -> list[Lexicon]:
    """For each fold the lexicon that all other cases teach, with the terms."""
    return [teach([p for p in pairs if folds.get(p.owner) != fold]) for fold in range(FOLDS)]


def _paragraphs(owner: str, prose: Prose | None) -> Iterator[Pair]:
    """The paragraphs of each two languages; a prose has equally many in each."""
    if prose is None:
        return
    for one, other in combinations(prose.languages, 2):
        pairs = zip(prose.paragraphs(one), prose.paragraphs(other), strict=True)
        yield from (Pair(owner, *pair) for pair in pairs)


def _pairs(owner: str, texts: Mapping[str, str]) -> Iterator[Pair]:
    for one, other in combinations(sorted(texts), 2):
        yield Pair(owner, texts[one], texts[other])
