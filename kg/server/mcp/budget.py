"""Answers cut to a budget: whole items only, and what is left out is said."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
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
            `schemes.*.terms`. From a list or a dictionary whole entries are taken, the last first;
            anything else is taken whole. Where nothing is left, the name goes too.
        budget: characters of JSON.

    Raises:
        BadQuery: not even what must stay fits.
    """
    if size_of(answer(result, None)) <= budget:
        return answer(result, None)
    full, kept = size_of(result), result
    gone: dict[str, int] = {}

    def told() -> Json:
        return {"budget": budget, "full_size": full, "left_out": dict(gone), "how": HOW}

    for shelf in shelves:
        whole = _entries(kept, shelf)
        longest = max(whole, default=0)
        if not longest:
            continue

        def at_most(count: int, kept: Json = kept, shelf: str = shelf) -> Json:
            made: Json = _cut(kept, shelf.split("."), count)
            return made

        def fits(count: int, whole: Sequence[int] = whole, shelf: str = shelf) -> bool:
            gone[shelf] = sum(max(n - count, 0) for n in whole)
            return size_of(answer(at_most(count), told())) <= budget

        count = _largest(longest, fits)
        fits(count)
        kept = at_most(count)
        if not gone[shelf]:
            del gone[shelf]
        if size_of(answer(kept, told())) <= budget:
            return answer(kept, told())
    needed = size_of(answer(kept, told()))
    raise BadQuery(f"budget: what must be said takes {needed} characters; give more than {budget}")


HOW = "ask with a larger budget, a filter, or the next page; nothing in what is given was shortened"


def _largest(most: int, fits: Callable[[int], bool]) -> int:
    """The largest number up to `most` that fits; 0 where none does."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if fits(middle):
            low = middle
        else:
            high = middle - 1
    return low


def _entries(value: Any, shelf: str) -> list[int]:
    """How many entries each place of a shelf has."""
    return [_count(found) for found in _found(value, shelf.split("."))]


def _count(value: Any) -> int:
    if isinstance(value, list | dict):
        return len(value)
    return 0 if value is None else 1


def _found(value: Any, path: Sequence[str]) -> Iterator[Any]:
    if not path:
        yield value
    elif path[0] == "*":
        for part in value.values() if isinstance(value, Mapping) else value:
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
