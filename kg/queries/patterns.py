"""Patterns: terms of several kinds that come together in incidents more often than by chance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_

from kg.errors import BadQuery
from kg.graph import Edge, IncidentGraph
from kg.model import Case, CaseKind, Status, TermRelation
from kg.queries.chance import ALPHA, adjusted, wilson
from kg.queries.combinations import (
    LARGEST,
    Combination,
    Item,
    find_combinations,
    looked_at,
)
from kg.queries.holding import (
    KINDS,
    check_kind,
    edges_of_kind,
    evidence_of,
    holders_by_kind,
    says_no_more,
)
from kg.queries.notes import note
from kg.queries.shown import Shown
from kg.vocab import Vocabulary

PATTERN_KINDS = ("component", "cause", "factor", "symptom")
"""The kinds of terms that are combined unless others are asked for."""

LEAST = 3
"""The least number of incidents of a pattern, unless another is asked for; in a large library
one incident in `ONE_IN`, since there a few cases come together by chance everywhere."""

ONE_IN = 200

_BY_DEFINITION = (TermRelation.PART_OF, TermRelation.VARIANT_OF)
"""Terms that stand so to each other come together by what they mean."""


@dataclass(frozen=True)
class Part:
    """One term of a pattern, and as what the cases state it."""

    kind: str
    term: str


@dataclass(frozen=True)
class Pattern:
    """Terms that the same incidents confirm, more often than chance would have it.

    Attributes:
        terms: the combination, by kind and id.
        also: what all of its cases state besides; with `terms` it makes the closed combination.
        n: incidents that confirm all terms; `cases` are they.
        of: incidents that were looked at.
        share: n / of, with its 95 % Wilson interval `low` to `high`.
        expected: incidents that would have all of them by chance, if the terms on both sides of
            a split of the combination were unrelated; of the split that expects most.
        lift: n / expected.
        p: probability of n or more by chance, by Fisher's exact test (one-sided); of the split
            for which it is highest (Webb 2010).
        q: the same, corrected for all combinations of this size that could have been found
            (Benjamini and Hochberg 1995) and for the number of sizes (layers, Webb 2008).
        suspected: further incidents that have all terms if suspicions are let in.
        one_quote: cases in which one and the same quotation says all terms. Where these are most,
            the pattern may be two names for one thing.
        organizations: owners of the cases. Cases of one owner are alike in much, and where there
            is only one the pattern may be a habit of that owner rather than of the terms.
        evidence: the edges behind the terms.
    """

    terms: tuple[Part, ...]
    also: tuple[Part, ...]
    n: int
    of: int
    cases: tuple[str, ...]
    share: float
    low: float
    high: float
    expected: float
    lift: float
    p: float
    q: float
    suspected: tuple[str, ...]
    one_quote: int
    organizations: tuple[str, ...]
    evidence: tuple[Edge, ...]


@dataclass(frozen=True)
class Patterns(Shown):
    """What comes together in incidents. Iterating gives the patterns beyond chance, surest first.

    Attributes:
        items: patterns with q of at most 5 %.
        weaker: the next ones, which may well be chance.
        total, total_weaker: how many there are of each; only the first are given.
        of: incidents that were looked at; series and studies tell of many events and never enter.
        minimum: the least number of incidents.
        kinds, sizes: what was combined.
        looked_at: size → how many combinations could have been found.
        note: what this does not mean.
    """

    items: tuple[Pattern, ...]
    weaker: tuple[Pattern, ...]
    total: int
    total_weaker: int
    of: int
    minimum: int
    kinds: tuple[str, ...]
    sizes: tuple[int, ...]
    looked_at: Mapping[int, int]
    note: str

    def __iter__(self) -> Iterator[Pattern]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: int) -> Pattern:
        return self.items[index]


def patterns(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    cases: Iterable[Case],
    kinds: Sequence[str] = PATTERN_KINDS,
    sizes: Sequence[int] = (2, 3, 4),
    minimum: int | None = None,
    limit: int = 20,
    lang: str = "en",
) -> Patterns:
    """Closed combinations of confirmed terms in the incidents among `cases`.

    A case that states a narrower term has the broader ones too. No combination holds a term
    beside one above it, or beside one that it is part or variant of. Each set of cases is told
    once.

    Args:
        graph: the graph of the library.
        vocabulary: its terms.
        cases: the cases to look at.
        kinds: of `KINDS`.
        sizes: numbers of terms, from 2 to 4.
        minimum: the least number of incidents; None takes 3, or one in 200 if that is more.
        limit: at most how many patterns, and how many weaker ones.
        lang: language of the note.

    Raises:
        BadQuery: a kind, size, minimum or limit that cannot be used, or too many combinations.
    """
    _check(kinds, sizes, minimum, limit)
    ids = sorted(c.id for c in cases if c.kind is CaseKind.INCIDENT)
    least = max(LEAST, len(ids) // ONE_IN) if minimum is None else minimum
    asked = tuple(k for k in KINDS if k in kinds)
    wanted = tuple(sorted(set(sizes)))
    table = _Table(graph, vocabulary, ids, asked)
    found = find_combinations(table.covers, len(ids), least, wanted, table.apart())
    sure, unsure = _told_apart(found, len(wanted))
    return Patterns(
        items=tuple(table.pattern(c, q) for c, q in sure[:limit]),
        weaker=tuple(table.pattern(c, q) for c, q in unsure[:limit]),
        total=len(sure),
        total_weaker=len(unsure),
        of=len(ids),
        minimum=least,
        kinds=asked,
        sizes=wanted,
        looked_at=looked_at(table.covers, least, wanted),
        note=note("patterns", lang),
    )


def _check(kinds: Sequence[str], sizes: Sequence[int], minimum: int | None, limit: int) -> None:
    if isinstance(kinds, str) or not kinds:
        raise BadQuery('give the kinds as a list, such as ["cause", "symptom"]')
    for kind in kinds:
        check_kind(kind)
    if not sizes or not set(sizes) <= set(range(2, LARGEST + 1)):
        raise BadQuery(f"sizes are numbers from 2 to {LARGEST}, not {list(sizes)}")
    if minimum is not None and minimum < 1:
        raise BadQuery(f"minimum must be 1 or more, not {minimum}")
    if limit < 1:
        raise BadQuery(f"limit must be 1 or more, not {limit}")


def _told_apart(
    found: Sequence[Combination], layers: int
) -> tuple[list[tuple[Combination, float]], list[tuple[Combination, float]]]:
    """Combinations with their q: those beyond chance, and the others; both surest first."""
    corrected: dict[tuple[Item, ...], float] = {}
    for size in {len(c.items) for c in found}:
        layer = [c for c in found if len(c.items) == size]
        qs = adjusted([c.p for c in layer], layer[0].looked_at)
        corrected.update((c.items, min(1.0, q * layers)) for c, q in zip(layer, qs, strict=True))
    pairs = [(c, corrected[c.items]) for c in found]
    return [x for x in pairs if x[1] <= ALPHA], [x for x in pairs if x[1] > ALPHA]


class _Table:
    """Which incidents hold which terms, as bit sets over their ids."""

    def __init__(
        self,
        graph: IncidentGraph,
        vocabulary: Vocabulary,
        ids: Sequence[str],
        kinds: Sequence[str],
    ) -> None:
        self._graph, self._vocabulary, self._ids = graph, vocabulary, ids
        self._place = {case_id: i for i, case_id in enumerate(ids)}
        held = holders_by_kind(graph, vocabulary, ids, kinds)
        doubtful = holders_by_kind(graph, vocabulary, ids, kinds, Status.SUSPECTED)
        # A broader term with the cases of a narrower one would only repeat it.
        self.covers: dict[Item, int] = {
            (kind, term): self._bits(cases)
            for kind, terms in held.items()
            for term, cases in terms.items()
            if not says_no_more(vocabulary, term, cases, terms)
        }
        self._suspected: dict[Item, int] = {
            (kind, term): self._bits(cases)
            for kind, terms in doubtful.items()
            for term, cases in terms.items()
        }

    def apart(self) -> set[frozenset[Item]]:
        """Pairs that never stand together, since the one says the other."""
        kinds_of: dict[str, list[str]] = {}
        for kind, term in self.covers:
            kinds_of.setdefault(term, []).append(kind)
        found = {
            frozenset(((kind, term), (kind, up)))
            for kind, term in self.covers
            for up in self._vocabulary.broader_steps(term)
            if up != term
        }
        for kind, term in self.covers:
            for other in _told_by(self._vocabulary, term):
                found |= {frozenset(((kind, term), (k, other))) for k in kinds_of.get(other, ())}
        return {pair for pair in found if len(pair) == 2 and pair <= self.covers.keys()}

    def pattern(self, found: Combination, q: float) -> Pattern:
        """A combination with its cases, what else they share, and the evidence."""
        cover = self._all_of(found.items, self.covers)
        cases, of = self._cases(cover), len(self._ids)
        low, high = wilson(found.n, of)
        said = [self._said(part, cases) for part in _in_order(found.items)]
        let_in = {i: self.covers[i] | self._suspected.get(i, 0) for i in found.items}
        return Pattern(
            terms=_in_order(found.items),
            also=self._also(found.items, cover),
            n=found.n,
            of=of,
            cases=cases,
            share=found.n / of,
            low=low,
            high=high,
            expected=found.expected,
            lift=found.lift,
            p=found.p,
            q=q,
            suspected=self._cases(self._all_of(found.items, let_in) & ~cover),
            one_quote=_in_one_quote(said),
            organizations=self._owners(cases),
            evidence=tuple(edge for edges in said for edge in edges),
        )

    def _said(self, part: Part, cases: Iterable[str]) -> tuple[Edge, ...]:
        return evidence_of(self._graph, self._vocabulary, part.term, part.kind, cases)

    def _owners(self, cases: Iterable[str]) -> tuple[str, ...]:
        claims = (e for c in cases for e in edges_of_kind(self._graph, c, "organization"))
        return tuple(sorted({e.target for e in claims if e.status is Status.CONFIRMED}))

    def _also(self, items: Sequence[Item], cover: int) -> tuple[Part, ...]:
        """The most specific further terms that all of these cases have."""
        shared = [i for i, c in self.covers.items() if c & cover == cover and i not in items]
        above = {
            (kind, up)
            for kind, term in (*items, *shared)
            for up in self._vocabulary.broader_steps(term)
            if up != term
        }
        return _in_order([i for i in shared if i not in above])

    @staticmethod
    def _all_of(items: Iterable[Item], covers: Mapping[Item, int]) -> int:
        return reduce(and_, (covers[i] for i in items))

    def _bits(self, cases: Iterable[str]) -> int:
        marks = bytearray(len(self._ids) // 8 + 1)
        for case_id in cases:
            place = self._place[case_id]
            marks[place >> 3] |= 1 << (place & 7)
        return int.from_bytes(marks, "little")

    def _cases(self, cover: int) -> tuple[str, ...]:
        marks = cover.to_bytes(len(self._ids) // 8 + 1, "little")
        return tuple(c for i, c in enumerate(self._ids) if marks[i >> 3] >> (i & 7) & 1)


def _in_one_quote(said: Sequence[Sequence[Edge]]) -> int:
    """In how many cases some span is evidence of every term; `said` are the claims by term."""
    quotes = [{(e.case_id, span) for e in edges for span in e.evidence} for edges in said]
    return len({case_id for case_id, _ in set.intersection(*quotes)})


def _told_by(vocabulary: Vocabulary, term: str) -> set[str]:
    """The terms that naming a term names too, since it or what lies above is part of them."""
    return {
        wider
        for up in vocabulary.broader_steps(term)
        for relation in _BY_DEFINITION
        for whole in vocabulary.terms[up].related(relation)
        for wider in vocabulary.broader_steps(whole)
    }


def _in_order(items: Iterable[Item]) -> tuple[Part, ...]:
    order = list(KINDS)
    parts = (Part(kind, term) for kind, term in items)
    return tuple(sorted(parts, key=lambda p: (order.index(p.kind), p.term)))
