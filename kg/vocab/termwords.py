"""The words of terms, in their spellings and definitions, and which terms tell of a lack."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from kg.model import Term
from kg.vocab.denial import lacks
from kg.vocab.vocabulary import Vocabulary
from kg.vocab.wordrows import Rarity, WordRows

Tokenize = Callable[[str], Sequence[str]]

_NEGATIONS = (
    "no",
    "not",
    "non",
    "none",
    "never",
    "without",
    "missing",
    "lack",
    "lacking",
    "absent",
)
_JOINED_NOT = re.compile(r"\bNot(?=[A-Z])")
_KOREAN_NEGATIONS = ("없", "못", "않", "누락", "부재", "결여", "미비")


class TermWords(NamedTuple):
    """What the words of the terms that have a name say, in the order of the vocabulary.

    Attributes:
        names: a row for each spelling of a term.
        likeness: a row for all spellings and definitions of a term together.
        negative: whether a term is itself the lack of something.
        named_as_lack: whether most of its spellings say so.
        lacked: what it lacks.
    """

    names: WordRows
    likeness: WordRows
    negative: tuple[bool, ...]
    named_as_lack: tuple[bool, ...]
    lacked: tuple[frozenset[str], ...]


@lru_cache(maxsize=2)
def words_of_terms(vocabulary: Vocabulary, tokenize: Tokenize) -> TermWords:
    """The words of the terms of a vocabulary; remembered, for libraries that share it."""
    terms = [t for t in vocabulary.terms.values() if not t.unnamed]
    names, likeness = _word_rows(terms, tokenize)
    return TermWords(
        names,
        likeness,
        tuple(_is_negative(t) for t in terms),
        tuple(_named_as_lack(t) for t in terms),
        tuple(_lacked(t, tokenize) for t in terms),
    )


def _is_negative(term: Term) -> bool:
    """Whether a term is itself the lack of something, as "no alert" is."""
    return any(_tells_of_lack(spelling) for _, spelling in term.spellings())


def _named_as_lack(term: Term) -> bool:
    """Whether most of its spellings say so, or that something is stopped: it is no event."""
    spellings = [spelling for _, spelling in term.spellings()]
    return 2 * sum(_tells_of_lack(s) or lacks(s) for s in spellings) > len(spellings)


def _tells_of_lack(spelling: str) -> bool:
    apart = _JOINED_NOT.sub("not ", spelling).casefold().split()
    return not set(apart).isdisjoint(_NEGATIONS) or any(n in spelling for n in _KOREAN_NEGATIONS)


def _lacked(term: Term, tokenize: Tokenize) -> frozenset[str]:
    """What a term lacks: the words that its spellings hold only where they tell of a lack."""
    spellings = [spelling for _, spelling in term.spellings()]
    lacking = [s for s in spellings if _tells_of_lack(s)]
    told = {t for s in spellings if s not in lacking for t in tokenize(s)}
    inner = {t for s in lacking for t in tokenize(_JOINED_NOT.sub("not ", s))}
    return frozenset(inner - told - set(_NEGATIONS))


def _word_rows(terms: Sequence[Term], tokenize: Tokenize) -> tuple[WordRows, WordRows]:
    """Spellings and whole descriptions of terms as rows of words with common weights."""
    spellings = [(i, tokenize(s)) for i, t in enumerate(terms) for _, s in t.spellings()]
    described: dict[int, list[str]] = defaultdict(list)
    for i, tokens in spellings:
        described[i] += tokens
    for i, term in enumerate(terms):
        described[i] += [w for _, text in term.definition.items() for w in tokenize(text)]
    documents = [(i, described[i]) for i in range(len(terms))]
    rarity = Rarity([set(tokens) for _, tokens in documents])
    return WordRows(spellings, rarity, len(terms)), WordRows(documents, rarity, len(terms))
