"""Words of one language -> words of another, so that the words lane can cross.

`learn` finds which words translate which from pairs of texts that tell the same in two scripts,
with the first of the models of Brown et al. 1993, "The mathematics of statistical machine
translation" (IBM Model 1, expectation maximisation), once in each direction. What stands alike in
both texts (identifiers, numbers) needs no translation and is left out. A translation must be seen
in the texts of two owners at least: one case alone would teach its own words, not its language.

`lexicon.json` lies beside this file: Korean and English, learned from the cases and the terms that
come with the project (see docs/quality.md).
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from embeddings.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    Rows = NDArray[np.int64]
    Floats = NDArray[np.float64]

FILE = Path(__file__).with_name("lexicon.json")
ROUNDS = 6
LEAST = 0.05
"""Translations less likely than this are left out."""
MOST = 6
"""Translations of a word that are kept, the likeliest ones."""
OWNERS = 2
_DIGITS = 3


class Pair(NamedTuple):
    """Two texts that tell the same; `owner` says whose they are."""

    owner: str
    one: str
    other: str


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Translations of words, as the tokenizer gives them.

    Attributes:
        translations: word -> (translation, probability 0 to 1), the likeliest first.
    """

    translations: Mapping[str, Sequence[tuple[str, float]]]

    def __len__(self) -> int:
        """Number of words that have a translation."""
        return len(self.translations)

    def across(self, words: Mapping[str, float]) -> dict[str, float]:
        """The translations of weighted words: word -> weight.

        Each weighs by its probability and the weight of the word that it translates; two words
        with one translation add up. A translation that is among the words already is left out.
        """
        found: dict[str, float] = defaultdict(float)
        for word, weight in sorted(words.items()):
            for translation, probability in self.translations.get(word, ()):
                if translation not in words:
                    found[translation] += weight * probability
        return dict(found)


def learn(pairs: Iterable[Pair], foreign: Callable[[str], bool], owners: int = OWNERS) -> Lexicon:
    """Translations in both directions between words that are `foreign` and those that are not.

    Args:
        pairs: texts in two languages, either one first.
        foreign: whether a word is of the one script rather than of the other.
        owners: how many owners' texts must speak for a translation.

    The order of the pairs does not matter.
    """
    rows = [_sides(pair, foreign) for pair in sorted(set(pairs))]
    found: dict[str, list[tuple[str, float]]] = {}
    for flip in (False, True):
        turned = [(owner, *((b, a) if flip else (a, b))) for owner, a, b in rows]
        found |= _translations([row for row in turned if row[1] and row[2]], owners)
    return Lexicon(found)


@lru_cache(maxsize=1)
def shipped_lexicon() -> Lexicon:
    """The lexicon that comes with the package."""
    content = json.loads(FILE.read_text(encoding="utf-8"))
    return Lexicon(content["translations"])


def write_lexicon(path: Path, lexicon: Lexicon, provenance: str) -> None:
    """Write a lexicon, one word a line, sorted, so that a change can be reviewed."""
    lines = [
        f"  {json.dumps(word, ensure_ascii=False)}: {json.dumps(found, ensure_ascii=False)}"
        for word, found in sorted(lexicon.translations.items())
    ]
    head = f'{{"provenance": {json.dumps(provenance)},\n"translations": {{\n'
    path.write_text(head + ",\n".join(lines) + "\n}}\n", encoding="utf-8")


def _sides(pair: Pair, foreign: Callable[[str], bool]) -> tuple[str, list[str], list[str]]:
    """The distinct words of a pair, apart by script.

    Without those that stand in both texts, and without numbers, which mean the same everywhere.
    """
    one, other = set(tokenize(pair.one)), set(tokenize(pair.other))
    apart = [word for word in sorted(one ^ other) if any(c.isalpha() for c in word)]
    return (
        pair.owner,
        [word for word in apart if not foreign(word)],
        [word for word in apart if foreign(word)],
    )


def _translations(
    rows: Sequence[tuple[str, list[str], list[str]]], owners: int
) -> dict[str, list[tuple[str, float]]]:
    """For each word of the first sides its likeliest translations among the second ones."""
    if not rows:
        return {}
    sources, targets = _numbered(row[1] for row in rows), _numbered(row[2] for row in rows)
    source, target, place, owner = _laid_out(rows, sources, targets)
    cells, cell = np.unique(source * len(targets) + target, return_inverse=True)
    likely = _expectation_maximisation(cells // len(targets), cell, place)
    spoken = np.unique(cell * len(rows) + owner) // len(rows)
    enough = np.bincount(spoken, minlength=len(cells)) >= owners
    words, translations = list(sources), list(targets)
    found: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for number in np.flatnonzero(enough & (likely >= LEAST)).tolist():
        word, translation = divmod(int(cells[number]), len(targets))
        probability = round(float(likely[number]), _DIGITS)
        found[words[word]].append((translations[translation], probability))
    return {w: sorted(own, key=lambda t: (-t[1], t[0]))[:MOST] for w, own in found.items()}


def _laid_out(
    rows: Sequence[tuple[str, list[str], list[str]]],
    sources: Mapping[str, int],
    targets: Mapping[str, int],
) -> tuple[Rows, Rows, Rows, Rows]:
    """Each source word with each target word of its row: (pairs,) four times.

    Their numbers, the number of the target's place, and that of the owner.
    """
    whose = _numbered([row[0]] for row in rows)
    parts: list[tuple[Rows, Rows, Rows, Rows]] = []
    places = 0
    for name, one, other in rows:
        left = np.array([sources[word] for word in one], dtype=np.int64)
        right = np.array([targets[word] for word in other], dtype=np.int64)
        parts.append(
            (
                np.tile(left, len(right)),
                np.repeat(right, len(left)),
                np.repeat(np.arange(len(right)) + places, len(left)),
                np.full(len(left) * len(right), whose[name]),
            )
        )
        places += len(right)
    a, b, c, d = (np.concatenate(column) for column in zip(*parts, strict=True))
    return a, b, c, d


def _expectation_maximisation(source_of: Rows, cell: Rows, place: Rows) -> Floats:
    """The probability of each cell's target given its source, (cells,).

    Each target word is owed to the source words of its text in proportion to these probabilities,
    and they are made anew from what was owed.
    """
    likely = np.ones(len(source_of))
    for _ in range(ROUNDS):
        owed = likely[cell]
        owed /= np.bincount(place, weights=owed)[place]
        counts = np.bincount(cell, weights=owed, minlength=len(source_of))
        likely = counts / np.bincount(source_of, weights=counts)[source_of]
    return likely


def _numbered(lists: Iterable[Sequence[str]]) -> dict[str, int]:
    words = Counter(word for words in lists for word in words)
    return {word: number for number, word in enumerate(sorted(words))}
