"""Whether a record speaks of a term in its own words, whatever its claims list.

Nobody lists everything as a claim. So before it is said that a case has nothing of a term, its
texts are looked through for the names of the term. That is done loosely: a false find leaves a
sentence unsaid, a missed one says what is not so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kg.model import Case, ClaimKind
from kg.vocab import Vocabulary
from kg.vocab.spelling import words

_SENTENCE = re.compile(r"(?<=[.!?。])\s+|\n+")
_SAYS_LITTLE_WORDS = """
a an the of to in on at by for and or no not out is are was were be been with from that it its
failure failures failed failing fail fails error errors elevated high higher low increased increase
problem problems issue issues fault faults timeout timeouts incident outage wrong bad
실패 오류 증가 상승 높은 장애 문제 타임아웃 발생 급증 잘못된 불가
"""
_SAYS_LITTLE = frozenset(_SAYS_LITTLE_WORDS.split())
"""Words of a name that many names have; where others are left, those alone are looked for."""

_SEEN = ("title", "symptom", "impact")
_LATIN, _HANGUL = 5, 2
"""So many letters or syllables at the beginning make two forms the same word."""


class Mentions:
    """Looks for terms in the texts of cases; what it has read of a case is kept."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._read: dict[str, list[_Said]] = {}
        self._names: dict[str, list[frozenset[str]]] = {}

    def sentence(self, case: Case, term: str, lang: str = "en") -> str:
        """The first sentence of a case, fit to be quoted, that holds a whole name of the term.

        Of a language where there is such a one, else of any; "" where there is none.
        """
        known = self._vocabulary.terms.get(term)
        names = [stems(spelling) for _, spelling in known.spellings()] if known else []
        found = [
            said for said in self._sentences(case) if any(n and n <= said.stems for n in names)
        ]
        found.sort(key=lambda said: said.lang != lang)
        return found[0].text if found else ""

    def speaks(self, case: Case, term: str) -> bool:
        """Whether some sentence of a case holds all telling words of a name of the term."""
        return any(self._holds(said, term) for said in self._sentences(case))

    def shows(self, case: Case, symptom: str) -> bool:
        """The same of what a case tells as seen: its title, symptoms, impact and claims of them.

        What paused or failed as a cause within is no symptom of the case.
        """
        seen = [(lang, text) for field, lang, text in case.texts() if field in _SEEN]
        seen += [
            told
            for claim in case.claims
            if claim.kind is ClaimKind.SYMPTOM and claim.statement
            for told in claim.statement.items()
        ]
        return any(self.within(text, symptom) for _, text in seen)

    def within(self, text: str, term: str) -> bool:
        """The same of a text."""
        return any(self._holds(said, term) for said in _split("", text))

    def _holds(self, said: _Said, term: str) -> bool:
        return any(name <= said.stems for name in self._telling(term))

    def _telling(self, term: str) -> list[frozenset[str]]:
        if term not in self._names:
            known = self._vocabulary.terms.get(term)
            spellings = known.spellings() if known else ()
            self._names[term] = [n for _, s in spellings if (n := telling_words(s))]
        return self._names[term]

    def _sentences(self, case: Case) -> list[_Said]:
        if case.id not in self._read:
            found = [said for lang, text in _texts(case) for said in _split(lang, text)]
            self._read[case.id] = found
        return self._read[case.id]


@dataclass(frozen=True)
class _Said:
    """A sentence with its language and the beginnings of its words."""

    lang: str
    text: str
    stems: frozenset[str]


def _split(lang: str, text: str) -> Iterator[_Said]:
    for part in _SENTENCE.split(text):
        if part.strip():
            yield _Said(lang, " ".join(part.split()), stems(part))


def stems(text: str) -> frozenset[str]:
    """The beginnings of the words of a text."""
    return frozenset(_stem(w.form) for w in words(text))


def telling_words(name: str) -> frozenset[str]:
    """The beginnings of the words of a name that say what it is; of all where none does."""
    said = [w.form for w in words(name)]
    telling = [w for w in said if w not in _SAYS_LITTLE]
    return frozenset(map(_stem, telling or said))


def _texts(case: Case) -> Iterator[tuple[str, str]]:
    """Prose and claims in words, as (language, text); lines of sources are no words of the case."""
    for _, lang, text in case.texts():
        if lang != "zxx":
            yield lang, text
    for claim in case.claims:
        for told in (claim.statement, claim.outcome, claim.caveat):
            yield from told.items() if told else ()


def _stem(word: str) -> str:
    if "가" <= word[:1] <= "힣":
        return word[:_HANGUL]
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    return word[:_LATIN]
