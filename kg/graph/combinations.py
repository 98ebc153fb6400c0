"""How often terms of several kinds stand in one case: counting by whole numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from kg.errors import BadQuery
from kg.graph.csr import counted, spans


@dataclass(frozen=True)
class Stated:
    """Which terms of one kind each case states, each once.

    Attributes:
        names: the ids of the terms that any case states, sorted; a term is its place here.
        starts: terms of case i are the cells starts[i] to starts[i + 1], (cases + 1,).
        terms: the term of each cell, ascending within a case, (cells,).
    """

    names: tuple[str, ...]
    starts: NDArray[np.int64]
    terms: NDArray[np.int64]

    @cached_property
    def frequency(self) -> NDArray[np.int64]:
        """The number of cases that state each term, (terms,)."""
        return np.bincount(self.terms, minlength=len(self.names))


@dataclass(frozen=True)
class Combinations:
    """The combinations of one term of each kind that stand in a case together.

    Attributes:
        kinds: the kinds, in the order of a combination. Where a kind is named twice, the two
            terms of a combination differ and stand in the order of their ids.
        names: for each kind the ids of its terms, sorted.
        codes: places of the terms in `names`, shape (combinations, kinds), in ascending order.
        n: the number of cases with each combination, (combinations,).
        alone: for each kind the number of cases with each of its terms.
        of: the number of cases that were looked at.
    """

    kinds: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    codes: NDArray[np.int64]
    n: NDArray[np.int64]
    alone: tuple[NDArray[np.int64], ...]
    of: int

    def __len__(self) -> int:
        return len(self.n)

    def counts(self) -> dict[tuple[str, ...], int]:
        """Term ids of each combination and its number of cases, ids ascending."""
        columns = [
            np.array(names, dtype=object)[codes].tolist() if names else []
            for names, codes in zip(self.names, self.codes.T, strict=True)
        ]
        return dict(zip(zip(*columns, strict=True), self.n.tolist(), strict=True))

    def expected(self) -> NDArray[np.float64]:
        """Cases that would have each combination if its terms had nothing to do with each other.

        The product of the shares of the terms, times the cases looked at, (combinations,); n over
        it is the lift.
        """
        expected = np.full(len(self.n), float(self.of))
        for alone, codes in zip(self.alone, self.codes.T, strict=True):
            expected *= alone[codes] / max(self.of, 1)
        return expected


class Counting:
    """Counts what stands together in some cases; what they state of a kind is laid out once."""

    def __init__(self, stated: Callable[[str], Stated], of: int) -> None:
        """`stated`: what the cases state of a kind; `of`: how many cases they are."""
        self._stated = lru_cache(maxsize=None)(stated)
        self._of = of

    def cooccurrence(self, *kinds: str, minimum: int = 1) -> Combinations:
        """In how many cases terms of these kinds stand together; see `GraphArrays.cooccurrence`.

        Raises:
            BadQuery: no kind, or none of that name; minimum is below 1; or more combinations of
                terms are possible than can be numbered.
        """
        if not kinds or minimum < 1:
            raise BadQuery("give at least one kind of term, and a minimum of 1 or more")
        parts = [self._stated(kind) for kind in kinds]
        sizes = [max(len(part.names), 1) for part in parts]
        space = math.prod(sizes)
        if space >= 1 << 63:
            raise BadQuery(f"too many combinations of {' × '.join(kinds)}; ask for fewer kinds")
        keys, n = counted(_keys(parts, kinds), space)
        kept = np.flatnonzero(n >= minimum)
        return Combinations(
            kinds=kinds,
            names=tuple(part.names for part in parts),
            codes=np.stack(np.unravel_index(keys[kept], sizes), axis=1),
            n=n[kept],
            alone=tuple(part.frequency for part in parts),
            of=self._of,
        )


def _keys(parts: Sequence[Stated], kinds: Sequence[str]) -> NDArray[np.int64]:
    """One number for each case and combination: its terms as the digits of a mixed radix."""
    case = np.repeat(np.arange(len(parts[0].starts) - 1), np.diff(parts[0].starts))
    keys = parts[0].terms
    chosen = {kinds[0]: keys}
    for number, (part, kind) in enumerate(zip(parts[1:], kinds[1:], strict=True), 1):
        cells, came = spans(part.starts[case], np.diff(part.starts)[case])
        terms = part.terms[cells]
        if kind in chosen:  # of two terms of one kind, the later is the greater
            up = np.flatnonzero(terms > chosen[kind][came])
            terms, came = terms[up], came[up]
        keys = keys[came] * len(part.names) + terms
        if number + 1 < len(parts):
            case = case[came]
            chosen = {k: t[came] for k, t in chosen.items()} | {kind: terms}
    return keys
