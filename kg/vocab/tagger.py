"""From text to terms: labels and aliases found in English and Korean running text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from kg.vocab.checklists import only_checked
from kg.vocab.denial import denied
from kg.vocab.spelling import Word, normal, words
from kg.vocab.vocabulary import Vocabulary

HAPPENINGS = frozenset({"cause", "trigger", "factor", "symptom"})
"""Schemes whose terms are something that happens, and can be said not to have."""

DENIABLE = HAPPENINGS | {"mitigation", "tool"}
"""Schemes whose terms "no" denies: "no alert" tells of none, "no GPU visible" tells of a GPU."""

LABEL, MEANING = "label", "meaning"
"""How a term was found: by its name, or by what the text says."""

_FIRED = re.compile(
    r"\b(?:(?:did|does|do|will|would|should)(?:\s+(?:not|never|also|even))?|failed\s+to|never"
    r"|(?:did|does|do|would|should|wo)n['’]t)\s+fire$",
    re.IGNORECASE,
)
ALIKE = re.compile(r"[- ](?:like|style|compatible)\b|\s*호환|(?:과|와)\s+(?:비슷|유사)")
"""After a name, something else is meant: "S3-compatible storage"."""

_Entry = tuple[tuple[str, ...], str, str]
"""The words of a spelling, the scheme, the term."""


def _longest_first(entry: _Entry) -> tuple[int, _Entry]:
    return -len(entry[0]), entry


@dataclass(frozen=True, order=True, slots=True)
class Tag:
    """A term found in a text: the span, the words that matched, and whether they are denied.

    Attributes:
        start, end, text: the place in the text as given.
        term: the id of the term.
        negated: the text denies it.
        confidence: how often a case with such a text states the term, 0 to 1; 1 where nothing
            is known beyond the name.
        how: `label` for a spelling of the term, `meaning` for words that say the same.
    """

    start: int
    end: int
    term: str
    text: str
    negated: bool = False
    confidence: float = 1.0
    how: str = LABEL


class Tagger:
    """Finds every spelling of a vocabulary in running text.

    Per scheme the longest spelling at a place wins, so `NCCL timeout` is one symptom while the
    component NCCL inside it is still found. Terms without a name of their own are never found,
    nor are symptoms and the like that a list of health checks names.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        entries: dict[str, list[_Entry]] = defaultdict(list)
        for term in vocabulary.terms.values():
            for _, spelling in () if term.unnamed else term.spellings():
                if key := normal(spelling):
                    entries[key[0]].append((key, term.scheme, term.id))
        self._entries = {
            first: sorted(set(rows), key=_longest_first) for first, rows in entries.items()
        }

    def tag(self, text: str) -> list[Tag]:
        """All terms named in `text`, in order of place; the same term may be found often."""
        found = words(text)
        tags: list[Tag] = []
        covered: dict[str, int] = {}
        for i in range(len(found)):
            for scheme, term_id, length in self._matches(found, i):
                if covered.get(scheme, -1) >= i:
                    continue
                covered[scheme] = i + length - 1
                start, end = found[i].start, found[i + length - 1].end
                if ALIKE.match(text, end) or fired(text, start, end):
                    continue
                if scheme in HAPPENINGS and only_checked(text, start, end):
                    continue
                negated = denied(text, start, end, scheme in DENIABLE)
                tags.append(Tag(start, end, term_id, text[start:end], negated))
        return sorted(_carried(tags))

    def _matches(self, found: Sequence[Word], i: int) -> Iterator[tuple[str, str, int]]:
        """The longest match per scheme that begins at word `i`."""
        word = found[i]
        rows = self._entries.get(word.form, [])
        if word.stem != word.form:
            rows = sorted(rows + self._entries.get(word.stem, []), key=_longest_first)
        seen: set[str] = set()
        for key, scheme, term_id in rows:
            if scheme not in seen and _agrees(found, i, key):
                seen.add(scheme)
                yield scheme, term_id, len(key)


@lru_cache(maxsize=2)
def tagger_of(vocabulary: Vocabulary) -> Tagger:
    """The tagger of a vocabulary; remembered, for libraries that share it."""
    return Tagger(vocabulary)


def fired(text: str, start: int, end: int) -> bool:
    """Whether the word at a place is what an alert does, or a timer, and no fire."""
    return end - start == 4 and _FIRED.search(text[max(0, end - 24) : end]) is not None


def _carried(tags: Sequence[Tag]) -> list[Tag]:
    """What is denied takes along what happens within its own words: "not a bad deploy"."""
    spans = [(t.start, t.end) for t in tags if t.negated]
    return [
        replace(tag, negated=True)
        if tag.term.partition(":")[0] in HAPPENINGS
        and any(start <= tag.start and tag.end <= end for start, end in spans)
        else tag
        for tag in tags
    ]


def _agrees(found: Sequence[Word], i: int, key: Sequence[str]) -> bool:
    if i + len(key) > len(found):
        return False
    for place, form in enumerate(key, i):  # a loop: this runs for every word of every text
        word = found[place]
        if form != word.form and form != word.stem:
            return False
    return True
