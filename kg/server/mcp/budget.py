"""Answers cut to a budget: whole items only, and what is left out is said."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kg.errors import BadQuery

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
    answer: Callable[[Json, Any], Json], result: Json, shelves: Sequence[str], budget: int
) -> Json:
    """The answer with as much of a result as fits.

    Args:
        answer: makes the whole answer of a result and of what is said of what was left out.
        result: the whole result.
        shelves: places from which items may be taken, the least needed first: `items`,
            `schemes.*.terms`; `items>1` leaves one. From a list or a dictionary whole entries are
            taken, the last first; anything else is taken whole. Where nothing is left, the name
            goes too. What still fits at the end is put back, the most needed first.
        budget: characters of JSON.

    Raises:
        BadQuery: not even what must stay fits.
    """
    whole = answer(result, None)
    if size_of(whole) <= budget:
        return whole
    cutting = _Cutting(answer, result, [_Shelf.named(name) for name in shelves], budget)
    for shelf in cutting.shelves:
        cutting.fill(shelf)
        if cutting.fits():
            break
    else:
        needed = size_of(cutting.made())
        told = f"budget: what must be said takes {needed} characters; give more than {budget}"
        raise BadQuery(told)
    for shelf in reversed(cutting.shelves):
        if shelf.name in cutting.counts:
            cutting.fill(shelf, again=True)
    return cutting.made()


HOW = "ask with a larger budget, a filter, or the next page; no text was shortened"


@dataclass(frozen=True)
class _Shelf:
    """A place from which entries may be taken, and how many must stay at each such place."""

    name: str
    path: tuple[str, ...]
    least: int

    @classmethod
    def named(cls, text: str) -> _Shelf:
        name, _, least = text.partition(">")
        return cls(name, tuple(name.split(".")), int(least or 0))

    @property
    def told(self) -> str:
        """By which name it is told: the parts of an entry go under one, which takes less room."""
        return ".".join(self.path[:3])


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

    def fill(self, shelf: _Shelf, *, again: bool = False) -> None:
        """Leave as much on a shelf as fits; at least what must stay, or `again` what is there."""
        most = max(_entries(self._result, shelf.path), default=0)
        least = self.counts[shelf.name] if again else shelf.least
        low, high = min(least, most), most
        while low < high:
            middle = (low + high + 1) // 2
            self.counts[shelf.name] = middle
            low, high = (middle, high) if self.fits() else (low, middle - 1)
        self.counts[shelf.name] = low

    def fits(self) -> bool:
        """Whether the answer as it is now is within the budget."""
        return size_of(self.made()) <= self._budget

    def made(self) -> Json:
        """The answer as it is now."""
        kept = self._result
        gone: dict[str, int] = {}
        # What is needed most holds the rest: of an item that is gone, no part is told as gone.
        for shelf in reversed(self.shelves):
            count = self.counts.get(shelf.name)
            if count is None:
                continue
            missed = sum(max(n - count, 0) for n in _entries(kept, shelf.path))
            if missed:
                gone[shelf.told] = gone.get(shelf.told, 0) + missed
                kept = _cut(kept, shelf.path, count)
        if not gone:
            return self._answer(kept, None)
        more = "".join(f"there are {n} more {name}; " for name, n in self._main(gone))
        told = {"budget": self._budget, "full_size": self._full, "left_out": gone}
        return self._answer(kept, {**told, "how": more + HOW})

    def _main(self, gone: Mapping[str, int]) -> Iterator[tuple[str, int]]:
        """What was asked for above all, of which some is left out."""
        for shelf in self.shelves:
            if shelf.least and "*" not in shelf.path and shelf.name in gone:
                yield shelf.name, gone[shelf.name]


def _entries(value: Any, path: Sequence[str]) -> list[int]:
    """How many entries each place of a shelf has."""
    return [_count(found) for found in _found(value, path)]


def _count(value: Any) -> int:
    if isinstance(value, list | dict):
        return len(value)
    return 0 if value is None else 1


def _found(value: Any, path: Sequence[str]) -> Iterator[Any]:
    if not path:
        yield value
    elif path[0] == "*":
        for part in value.values() if isinstance(value, Mapping) else value or ():
            yield from _found(part, path[1:])
    elif isinstance(value, Mapping) and path[0] in value:
        yield from _found(value[path[0]], path[1:])


def _cut(value: Any, path: Sequence[str], count: int) -> Any:
    """A value with at most `count` entries at each place of a path; the given one stays as it is.

    Where nothing is left the name goes too: an empty list or null would say something else.
    """
    first, rest = path[0], path[1:]
    if first == "*":
        if isinstance(value, Mapping):
            return {k: _cut(v, rest, count) for k, v in value.items()}
        return [_cut(v, rest, count) for v in value]
    if not isinstance(value, Mapping) or value.get(first) is None:
        return value
    if rest:
        return {**value, first: _cut(value[first], rest, count)}
    if not count:
        return {k: v for k, v in value.items() if k != first}
    return {**value, first: _some(value[first], count)}


def _some(value: Any, count: int) -> Any:
    if isinstance(value, list):
        return value[:count]
    return dict(list(value.items())[:count]) if isinstance(value, Mapping) else value
