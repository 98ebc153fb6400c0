"""Answers cut to a budget: whole items only, and what is left out is said."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kg.errors import BadQuery
from kg.server.settings import LANGUAGES

LEAST, USUAL, MOST = 2_000, 30_000, 400_000
"""Characters of JSON that an answer may have: at least, by default, at most."""

Json = dict[str, Any]


def size_of(value: Any) -> int:
    """Characters of a value as JSON, as it is sent."""
    return len(written(value))


def written(value: Any) -> str:
    """A value as JSON text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def fitted(
    answer: Callable[[Json, Any], Json],
    result: Json,
    shelves: Sequence[str],
    budget: int,
    lang: str = "en",
) -> Json:
    """The answer with as much of a result as fits.

    Args:
        answer: makes the whole answer of a result and of what is said of what was left out.
        result: the whole result.
        shelves: places from which items may be taken, the least needed first: `items`,
            `schemes.*.terms`; `items>1` leaves one; `claims[cause suspected]` are the entries of
            which these words are kind and status. From a list or a dictionary whole entries are
            taken, those of another language first, then the last; anything else is taken whole.
            Where nothing is left, the name goes too. What still fits at the end is put back, the
            most needed first.
        budget: characters of JSON.
        lang: the language of who asks.

    Raises:
        BadQuery: not even what must stay fits.
    """
    whole = answer(result, None)
    if size_of(whole) <= budget:
        return whole
    named = [_Shelf.named(name, lang) for name in shelves]
    cutting = _Cutting(answer, result, named, budget)
    for shelf in cutting.shelves:
        cutting.fill(shelf)
        if cutting.fits():
            break
    else:
        needed = size_of(cutting.made())
        told = f"budget: what must be said takes {needed} characters; give more than {budget}"
        raise BadQuery(told)
    for shelf in reversed(cutting.shelves):
        if shelf.text in cutting.counts:
            cutting.fill(shelf, again=True)
    return cutting.made()


HOW = "ask with a larger budget, a filter, or the next page; no paragraph was shortened"


@dataclass(frozen=True)
class _Shelf:
    """A place from which entries may be taken, and how many must stay at each such place.

    `words` are the kind and status of the entries that may be taken; none for all of them. `text`
    tells it from another shelf at the same place, of which more must stay.
    """

    text: str
    name: str
    path: tuple[str, ...]
    words: frozenset[str]
    least: int
    lang: str

    @classmethod
    def named(cls, text: str, lang: str) -> _Shelf:
        name, _, least = text.partition(">")
        path, _, words = name.rstrip("]").partition("[")
        chosen = frozenset(words.split())
        return cls(text, name, tuple(path.split(".")), chosen, int(least or 0), lang)

    @property
    def told(self) -> str:
        """By which name it is told: the parts of an entry go under one, which takes less room."""
        return ".".join(self.path[:3])

    def entries(self, value: Any) -> list[int]:
        """How many entries each place has that may be taken."""
        return [self._count(found) for found in _found(value, self.path)]

    def some(self, value: Any, count: int) -> Any:
        """What is left of the value at a place when `count` of these entries stay."""
        if not isinstance(value, list | dict):
            return value if count else None
        if len(value) <= count:
            return value
        entries = list(value.items()) if isinstance(value, dict) else value
        mine = [n for n, entry in enumerate(entries) if self._may(entry)]
        gone = set(sorted(mine, key=lambda n: self._foreign(entries[n]))[count:])
        kept = [entry for n, entry in enumerate(entries) if n not in gone]
        return dict(kept) if isinstance(value, dict) else kept

    def _count(self, value: Any) -> int:
        if not isinstance(value, list | dict):
            return 0 if value is None else 1
        return sum(map(self._may, value)) if self.words else len(value)

    def _may(self, entry: Any) -> bool:
        if not self.words:
            return True
        return isinstance(entry, dict) and self.words <= {entry.get("kind"), entry.get("status")}

    def _foreign(self, entry: Any) -> bool:
        """Whether an entry is in another language: it names one, or stands under one."""
        named = entry.get("lang") if isinstance(entry, dict) else None
        if named is None and isinstance(entry, list | tuple) and len(entry) == 2:
            named = entry[0] if entry[0] in LANGUAGES else None
        return named not in (None, self.lang)


class _Cutting:
    """A result of which some is left out: for each shelf that was touched, how much stays."""

    def __init__(
        self,
        answer: Callable[[Json, Any], Json],
        result: Json,
        shelves: Sequence[_Shelf],
        budget: int,
    ) -> None:
        self.shelves = shelves
        self.counts: dict[str, int] = {}
        self._answer, self._result, self._budget = answer, result, budget
        self._full = size_of(result)
        # Whole items go before parts of items: of an item that is gone, no part is told as gone.
        self._deepening = sorted(shelves, key=lambda shelf: len(shelf.path))

    def fill(self, shelf: _Shelf, *, again: bool = False) -> None:
        """Leave as much on a shelf as fits; at least what must stay, or `again` what is there."""
        most = max(shelf.entries(self._result), default=0)
        least = self.counts[shelf.text] if again else shelf.least
        low, high = min(least, most), most
        # Mostly nothing stays, or, again, all that there is: tried first, which is far quicker.
        self.counts[shelf.text] = high if again else low
        if low == high or self.fits() is again:
            return
        low, high = (low, high - 1) if again else (low, high)
        while low < high:
            middle = (low + high + 1) // 2
            self.counts[shelf.text] = middle
            low, high = (middle, high) if self.fits() else (low, middle - 1)
        self.counts[shelf.text] = low

    def fits(self) -> bool:
        """Whether the answer as it is now is within the budget."""
        return size_of(self.made()) <= self._budget

    def made(self) -> Json:
        """The answer as it is now."""
        kept = self._result
        gone: dict[str, int] = {}
        for shelf in self._deepening:
            count = self.counts.get(shelf.text)
            if count is None:
                continue
            missed = sum(max(n - count, 0) for n in shelf.entries(kept))
            if missed:
                gone[shelf.told] = gone.get(shelf.told, 0) + missed
                kept = _cut(kept, shelf, shelf.path, count)
        if not gone:
            return self._answer(kept, None)
        more = "".join(f"there are {n} more {name}; " for name, n in self._main(gone))
        told = {"budget": self._budget, "full_size": self._full, "left_out": gone}
        return self._answer(kept, {**told, "how": more + HOW})

    def _main(self, gone: Mapping[str, int]) -> Iterator[tuple[str, int]]:
        """What was asked for above all, of which some is left out."""
        for shelf in self.shelves:
            listed = isinstance(self._result.get(shelf.name), list) or len(shelf.path) > 1
            if shelf.least and listed and "*" not in shelf.path and shelf.name in gone:
                yield shelf.name, gone[shelf.name]


def _found(value: Any, path: Sequence[str]) -> Iterator[Any]:
    if not path:
        yield value
    elif path[0] == "*":
        for part in value.values() if isinstance(value, Mapping) else value or ():
            yield from _found(part, path[1:])
    elif isinstance(value, Mapping) and path[0] in value:
        yield from _found(value[path[0]], path[1:])


def _cut(value: Any, shelf: _Shelf, path: Sequence[str], count: int) -> Any:
    """A value with at most `count` entries of a shelf at each place; the given one stays as it is.

    Where nothing is left the name goes too: an empty list or null would say something else.
    """
    if not path:
        return shelf.some(value, count)
    first, rest = path[0], path[1:]
    if first == "*":
        if isinstance(value, Mapping):
            return {k: _cut(v, shelf, rest, count) for k, v in value.items()}
        return [_cut(v, shelf, rest, count) for v in value]
    if not isinstance(value, Mapping) or value.get(first) is None:
        return value
    left = _cut(value[first], shelf, rest, count)
    if left is None or (not rest and value[first] and left in ([], {})):
        return {k: v for k, v in value.items() if k != first}
    return {**value, first: left}
