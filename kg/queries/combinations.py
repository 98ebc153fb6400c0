"""Mining: which small sets of terms come together more often than chance would have it.

Covers are bit sets in Python integers (bit i stands for case i); a combination's cover is the
intersection of those of its terms, found depth first and cut off by support (Agrawal and Srikant
1994; vertical lists as in Zaki 2000). Depth first keeps few covers at a time.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import combinations

from kg.errors import BadQuery
from kg.queries.chance import overlap_chance

LARGEST = 4
"""The most terms of a combination."""

MOST = 1_000_000
"""How many combinations are looked at before the question is refused as too wide."""

Item = tuple[str, str]
"""A kind and a term: one term may be held in two ways, as a mitigation and as a follow-up."""

Key = tuple[int, ...]
"""A combination as ascending places in the list of items."""


@dataclass(frozen=True)
class Combination:
    """Terms that come together, and how far chance would have brought them together.

    A combination is held against each way to split it in two (Webb 2010): it says more than its
    parts only if it beats the most telling split. For a pair there is one split.

    Attributes:
        items: its terms, in order.
        n: how many cases have all of them.
        expected: cases that would have all of them if both sides of a split were unrelated; the
            most over all splits.
        lift: n / expected.
        p: probability of n or more if both sides were unrelated (Fisher's exact test,
            one-sided); the most over all splits.
        looked_at: how many combinations of this size could have been found.
    """

    items: tuple[Item, ...]
    n: int
    expected: float
    lift: float
    p: float
    looked_at: int


def find_combinations(
    covers: Mapping[Item, int],
    of: int,
    minimum: int,
    sizes: Collection[int],
    apart: Collection[frozenset[Item]] = (),
) -> list[Combination]:
    """Combinations that at least `minimum` cases have and that beat each of their splits.

    Of combinations with the same cover the one that is hardest to come by chance is given (the
    smaller p × looked_at, then the smaller one, then the rarer terms), so that each set of cases
    is told once. Sorted by p × looked_at, then n, then items.

    Args:
        covers: item → the cases that have it, as a bit set.
        of: number of cases.
        minimum: least number of cases, 1 or more.
        sizes: numbers of terms that are wanted, 2 to `LARGEST`.
        apart: pairs of items that belong together by definition and never stand together.

    Raises:
        BadQuery: there are more than `MOST` combinations of this support.
    """
    frequent = _frequent(covers, minimum)
    possible = looked_at(covers, minimum, sizes)
    width = (of + 7) // 8
    counts: dict[Key, int] = {}
    best: dict[bytes, tuple[_Rank, Combination]] = {}
    for key, cover in _walk(frequent, covers, minimum, max(sizes), apart, counts):
        if len(key) not in possible:
            continue
        found = _beating_its_splits(key, frequent, counts, of, possible[len(key)])
        if found is not None:
            mark = blake2b(cover.to_bytes(width, "little"), digest_size=16).digest()
            rank = _rank(found, sum(counts[i,] for i in key))
            if mark not in best or rank < best[mark][0]:
                best[mark] = (rank, found)
    return [c for _, c in sorted(best.values(), key=lambda b: (b[0][0], -b[1].n, b[1].items))]


def looked_at(covers: Mapping[Item, int], minimum: int, sizes: Collection[int]) -> dict[int, int]:
    """Size → how many combinations could have been found, by the numbers of their terms alone.

    A term that fewer than `minimum` cases have cannot be in one.
    """
    frequent = len(_frequent(covers, minimum))
    return {size: math.comb(frequent, size) for size in sorted(sizes)}


def _frequent(covers: Mapping[Item, int], minimum: int) -> list[Item]:
    return sorted(t for t, cover in covers.items() if cover.bit_count() >= minimum)


_Rank = tuple[float, int, int, tuple[Item, ...]]


def _rank(found: Combination, spread: int) -> _Rank:
    """What is preferred among combinations with one cover: the least of these."""
    # Twelve digits, so that no rounding orders anything.
    surprise = float(f"{found.p * found.looked_at:.12e}")
    return surprise, len(found.items), spread, found.items


def _walk(
    frequent: Sequence[Item],
    covers: Mapping[Item, int],
    minimum: int,
    largest: int,
    apart: Collection[frozenset[Item]],
    counts: dict[Key, int],
) -> Iterator[tuple[Key, int]]:
    """Every frequent combination of two to `largest` terms with its cover, parts before wholes.

    `counts` is filled with the support of each combination, single terms included. Terms are
    taken from the last to the first, so that all parts of a combination are known before it.
    """
    barred = _places(frequent, apart)
    singles = [((i,), covers[t]) for i, t in enumerate(frequent)]
    counts.update({key: cover.bit_count() for key, cover in singles})

    def extend(siblings: Sequence[tuple[Key, int]]) -> Iterator[tuple[Key, int]]:
        """The combinations that begin with one of `siblings`, which differ in their last term."""
        for at in range(len(siblings) - 1, -1, -1):
            key, cover = siblings[at]
            wider = []
            for other, theirs in siblings[at + 1 :]:
                whole = (*key, other[-1])
                if whole in barred or not _parts_are_known(whole, counts):
                    continue
                both = cover & theirs
                n = both.bit_count()
                if n >= minimum:
                    _note(whole, n, counts, minimum)
                    wider.append((whole, both))
            yield from wider
            if len(key) + 2 <= largest:
                yield from extend(wider)

    yield from extend(singles)


def _note(whole: Key, n: int, counts: dict[Key, int], minimum: int) -> None:
    counts[whole] = n
    if len(counts) > MOST:
        cases = "1 case" if minimum == 1 else f"{minimum} cases"
        raise BadQuery(
            f"more than {MOST:,} combinations have at least {cases}; "
            "raise the minimum, or ask for fewer kinds, fewer terms or fewer cases"
        )


def _places(frequent: Sequence[Item], apart: Collection[frozenset[Item]]) -> set[Key]:
    """Pairs of terms as ascending places; pairs of which one is not frequent are left out."""
    place = {t: i for i, t in enumerate(frequent)}
    return {tuple(sorted(place[t] for t in pair)) for pair in apart if pair <= place.keys()}


def _parts_are_known(whole: Key, counts: Mapping[Key, int]) -> bool:
    """Whether every combination with one term less is frequent; else this one cannot be."""
    return all(part in counts for part in combinations(whole, len(whole) - 1))


def _beating_its_splits(
    key: Key, frequent: Sequence[Item], counts: Mapping[Key, int], of: int, looked_at: int
) -> Combination | None:
    """The combination, or None if some split would by chance give as many cases or more."""
    n, sides = counts[key], set(_splits(key, counts))
    most = max(a * b for a, b in sides)
    if n * of <= most:
        return None
    return Combination(
        items=tuple(frequent[i] for i in key),
        n=n,
        expected=most / of,
        lift=round(n * of / most, 9),
        p=max(overlap_chance(n, a, b, of) for a, b in sides),
        looked_at=looked_at,
    )


def _splits(key: Key, counts: Mapping[Key, int]) -> Iterator[tuple[int, int]]:
    """The numbers of cases on both sides of each way to split a combination in two."""
    first, rest = key[0], key[1:]
    for size in range(len(rest)):
        for more in combinations(rest, size):
            right = tuple(i for i in rest if i not in more)
            yield counts[(first, *more)], counts[right]
