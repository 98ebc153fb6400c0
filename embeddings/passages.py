"""Long text -> passages of 25 to 45 words, cut at the ends of sentences.

Whole texts as one vector lose a third of the recall; passages of this size keep it. The cuts are
those with the least total cost: a passage too short or too long costs by how much, a cut costs
nothing at the end of a sentence, more at a comma, more between words, most inside backticks.
The best cuts are found by dynamic programming, as lines are broken in Knuth & Plass 1981.
Paragraphs (empty lines) are never joined.

Size is counted in English words. A Korean word (eojeol) counts 1.6, since it carries its
particles; Chinese and Japanese count 0.6 a character; very long tokens count by their length.
"""

from __future__ import annotations

import re
from typing import NamedTuple

WORDS_PER_EOJEOL = 1.6
WORDS_PER_IDEOGRAPH = 0.6
_LONG_TOKEN = 24
_CHARACTERS_PER_WORD = 12

_SENTENCE, _CLAUSE, _WORD, _INSIDE = 0.0, 1.2, 3.0, 8.0
_PER_PASSAGE = 0.01
_OVERLONG = 1.5
_OVERLONG_COST = 4.0

_IDEOGRAPH = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_AFTER = r"\u3001\u3002\u300b\u300d\u300f\u3011\uff01\uff09\uff0c\uff1a\uff1b\uff1f!?,.;:)\]\"'"
_ATOM = re.compile(rf"[{_IDEOGRAPH}][{_AFTER}]*|[^\s{_IDEOGRAPH}]+")
_HANGUL = re.compile(r"[\uac00-\ud7a3]")
_IDEOGRAPHS = re.compile(f"[{_IDEOGRAPH}]")
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n\s*")
_CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
_CLOSING = "\"'\u2019\u201d)]}*_\u300b\u300d\u300f\u3011\uff09"
_LINE_START = re.compile(r"[-*\u2022\u25cf\u00b7>#|\[]|\(?\d+[.)]|\d{2,}")
_ABBREVIATION = re.compile(
    r"(?:^|[^\w])(?:e\.g|i\.e|etc|vs|cf|fig|eq|sec|no|nos|dr|mr|mrs|ms|prof|st|inc|ltd|co|corp|"
    r"approx|al|ver|resp|incl|est|min|max|avg|dept|u\.s|a\.m|p\.m|[a-z])\.$|^\(?\d+\.$",
    re.IGNORECASE,
)


class Span(NamedTuple):
    """A passage of a text: `text[start:end]`."""

    start: int
    end: int


class _Atom(NamedTuple):
    """A word that is not cut, its size in words, and what a cut before it costs."""

    start: int
    end: int
    weight: float
    cut: float


def split_passages(text: str, low: float = 25, high: float = 45) -> list[Span]:
    """Passages of `low` to `high` words that together cover everything but white space.

    In order and without overlap; no paragraph break lies inside a passage. A short paragraph is a
    short passage; a sentence somewhat longer than `high` stays whole.

    Raises:
        ValueError: unless 0 < low <= high.
    """
    if not 0 < low <= high:
        raise ValueError(f"needs 0 < low <= high, got {low} and {high}")
    spans: list[Span] = []
    start = 0
    breaks = [(m.start(), m.end()) for m in _PARAGRAPH.finditer(text)]
    for end, following in [*breaks, (len(text), len(text))]:
        spans.extend(_best_cuts(_atoms(text, start, end), low, high))
        start = following
    return spans


def words(text: str) -> float:
    """Size of a text in English words (see the module docstring)."""
    return sum(_weight(match.group()) for match in _ATOM.finditer(text))


def _weight(atom: str) -> float:
    if _IDEOGRAPHS.match(atom):
        return WORDS_PER_IDEOGRAPH
    base = WORDS_PER_EOJEOL if not atom.isascii() and _HANGUL.search(atom) else 1.0
    return max(base, len(atom) / _CHARACTERS_PER_WORD if len(atom) > _LONG_TOKEN else 0.0)


def _atoms(text: str, start: int, end: int) -> list[_Atom]:
    inside = [m.span() for m in _CODE.finditer(text, start, end)]
    atoms: list[_Atom] = []
    for match in _ATOM.finditer(text, start, end):
        at = match.start()
        if not atoms:
            cost = _SENTENCE
        elif inside and any(a < at < b for a, b in inside):
            cost = _INSIDE
        else:
            cost = _cut_cost(text, atoms[-1], at)
        atoms.append(_Atom(at, match.end(), _weight(match.group()), cost))
    return atoms


def _cut_cost(text: str, before: _Atom, at: int) -> float:
    """What a cut between the atom `before` and position `at` costs."""
    gap = text[before.end : at]
    word = text[before.start : before.end].rstrip(_CLOSING)
    if not gap and not (_is_ideographic(text[before.start]) or _is_ideographic(text[at])):
        return _INSIDE
    if word.endswith(("\u3002", "\uff01", "\uff1f")):
        return _SENTENCE
    if gap and word.endswith(("!", "?", "\u2026", ".")) and not _continues(text, word, at):
        return _SENTENCE
    if "\n" in gap and (_LINE_START.match(text, at) or word.endswith(":")):
        return _SENTENCE
    if word.endswith((",", ";", ":", "\u2014", "\u2013", "\u3001", "\uff0c", "\uff1b")):
        return _CLAUSE
    return _WORD


def _continues(text: str, word: str, at: int) -> bool:
    """Whether the sentence goes on after a word with a full stop: "e.g.", "etc. and"."""
    if not word.endswith("."):
        return False
    return bool(_ABBREVIATION.search(word)) or text[at].islower()


def _is_ideographic(character: str) -> bool:
    return bool(_IDEOGRAPHS.match(character))


def _best_cuts(atoms: list[_Atom], low: float, high: float) -> list[Span]:
    """The cheapest way to group the atoms; best[i] is the cost of the first i of them."""
    weights = [atom.weight for atom in atoms]
    if atoms and sum(reversed(weights)) <= high:
        return [Span(atoms[0].start, atoms[-1].end)]  # each further passage costs more
    best = 0.0
    back = [0] * (len(atoms) + 1)
    before: list[float] = []  # all that comes before a passage that begins here, with its cut
    for end, atom in enumerate(atoms, 1):
        before.append(best + atom.cut)
        best, back[end] = _best_start(before, weights, low, high)
    spans: list[Span] = []
    end = len(atoms)
    while end > 0:
        spans.append(Span(atoms[back[end]].start, atoms[end - 1].end))
        end = back[end]
    return spans[::-1]


def _best_start(
    before: list[float], weights: list[float], low: float, high: float
) -> tuple[float, int]:
    """The least cost when a passage ends after the last of `before`, and where it then begins."""
    last = len(before) - 1
    weight, least, best = 0.0, float("inf"), 0
    for start in range(last, -1, -1):
        weight += weights[start]
        if weight > _OVERLONG * high and start < last:
            break
        size = _PER_PASSAGE if low <= weight <= high else _size_cost(weight, low, high)
        if weight > high and size >= least:
            break  # and the longer ones cost more still
        cost = before[start] + size
        if cost < least:
            least, best = cost, start
    return least, best


def _size_cost(weight: float, low: float, high: float) -> float:
    if weight < low:
        return _PER_PASSAGE + (low - weight) / low
    if weight > high:
        return _PER_PASSAGE + _OVERLONG_COST * (weight - high) / high
    return _PER_PASSAGE
