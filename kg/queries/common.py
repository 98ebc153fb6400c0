"""What chosen cases have in common: terms of one kind, ranked by lift over the whole library."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from kg.errors import BadQuery
from kg.graph import Edge, IncidentGraph
from kg.model import Status
from kg.queries.chance import ALPHA, adjusted, overlap_chance, wilson
from kg.queries.holding import Holders, check_kind, evidence_of, holders, says_no_more
from kg.queries.notes import note
from kg.queries.shown import Shown
from kg.vocab import Vocabulary


@dataclass(frozen=True)
class CommonTerm:
    """A term that several of the chosen cases state as a fact, itself or in a narrower form.

    Attributes:
        term: the term; `kind` says of what.
        n: how many of the chosen cases confirm it; `cases` are they.
        of: how many cases were chosen.
        share: n / of, with its 95 % Wilson interval `low` to `high`.
        library_n, library_of: the same over the whole library.
        expected: how many of so many cases would confirm it if they were drawn blindly.
        lift: share in the choice over share in the library; 1 is no more than everywhere.
        p: probability of n or more in a blind draw (Fisher's exact test, one-sided).
        q: the same, corrected for all terms that were looked at (Benjamini and Hochberg 1995).
        beyond_chance: whether q is at most 5 %. A high lift without it may be a small number.
        suspected: chosen cases that only suspect it; they count for nothing in n.
        evidence: the edges behind it.
    """

    term: str
    kind: str
    n: int
    of: int
    cases: tuple[str, ...]
    share: float
    low: float
    high: float
    library_n: int
    library_of: int
    expected: float
    lift: float
    p: float
    q: float
    beyond_chance: bool
    suspected: tuple[str, ...]
    evidence: tuple[Edge, ...]


@dataclass(frozen=True)
class SuspectedTerm:
    """A term that too few of the chosen cases confirm, but enough at least suspect.

    `confirmed` and `suspected` are these cases, apart; `evidence` are the suspicions.
    """

    term: str
    kind: str
    confirmed: tuple[str, ...]
    suspected: tuple[str, ...]
    evidence: tuple[Edge, ...]


@dataclass(frozen=True)
class Common(Shown):
    """What chosen cases have in common of one kind.

    Iterating gives the confirmed terms, by lift, then n, the more specific, id.

    Attributes:
        kind: what was asked for.
        cases: the chosen cases, sorted.
        items: the terms that at least `minimum` of them confirm.
        suspected: terms that reach `minimum` only with suspicions.
        given: terms by which the cases were chosen, which are therefore not told.
        minimum: the least number of cases.
        looked_at: how many terms could have been found, for which q is corrected.
        note: what this does not mean.
    """

    kind: str
    cases: tuple[str, ...]
    items: tuple[CommonTerm, ...]
    suspected: tuple[SuspectedTerm, ...]
    given: tuple[str, ...]
    minimum: int
    looked_at: int
    note: str

    def __iter__(self) -> Iterator[CommonTerm]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: int) -> CommonTerm:
        return self.items[index]


def common(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    case_ids: Iterable[str],
    library_ids: Collection[str],
    kind: str = "cause",
    minimum: int = 2,
    given: Iterable[str] = (),
    lang: str = "en",
) -> Common:
    """Terms of a kind that at least `minimum` of the chosen cases confirm.

    A broader term is told only when it covers more of the chosen cases than each term below it.

    Args:
        graph: the graph of the library.
        vocabulary: its terms.
        case_ids: the chosen cases.
        library_ids: all cases, with which they are compared.
        kind: one of `KINDS`.
        minimum: the least number of cases; 1 also tells what only one of them states.
        given: terms by which the cases were chosen. That they have these, and what lies above, is
            no finding and is left out.
        lang: language of the note.

    Raises:
        BadQuery: no such kind, or minimum is below 1.
    """
    check_kind(kind)
    if minimum < 1:
        raise BadQuery(f"minimum must be 1 or more, not {minimum}")
    chosen = set(case_ids)
    confirmed = holders(graph, vocabulary, library_ids, kind)
    suspicions = holders(graph, vocabulary, sorted(chosen), kind, Status.SUSPECTED)
    taken = {up for t in given for up in vocabulary.broader_steps(t)}
    here = {t: cases & chosen for t, cases in confirmed.items() if t not in taken}
    told = {
        t: cases for t, cases in here.items()
        if len(cases) >= minimum and not says_no_more(vocabulary, t, cases, here)
    }  # fmt: skip
    looked_at = sum(len(confirmed[t]) >= minimum for t in here)
    items = [_counted(kind, t, told[t], confirmed[t], len(chosen), len(library_ids)) for t in told]
    qs = adjusted([item.p for item in items], looked_at)
    depth = {t: len(vocabulary.broader_steps(t)) for t in told}
    ranked = sorted(
        (replace(i, q=q, beyond_chance=q <= ALPHA) for i, q in zip(items, qs, strict=True)),
        key=lambda i: (-i.lift, -i.n, -depth[i.term], i.term),
    )
    return Common(
        kind=kind,
        cases=tuple(sorted(chosen)),
        items=tuple(_with_edges(graph, vocabulary, item, suspicions) for item in ranked),
        suspected=_suspected(graph, vocabulary, kind, minimum, here, suspicions, taken),
        given=tuple(sorted(set(given))),
        minimum=minimum,
        looked_at=looked_at,
        note=note("common" if any(i.beyond_chance for i in ranked) else "common few", lang),
    )


def _counted(
    kind: str, term: str, here: set[str], everywhere: set[str], of: int, library_of: int
) -> CommonTerm:
    n, library_n = len(here), len(everywhere)
    low, high = wilson(n, of)
    return CommonTerm(
        term=term,
        kind=kind,
        n=n,
        of=of,
        cases=tuple(sorted(here)),
        share=n / of,
        low=low,
        high=high,
        library_n=library_n,
        library_of=library_of,
        expected=of * library_n / library_of,
        lift=round((n / of) / (library_n / library_of), 9),
        p=overlap_chance(n, library_n, of, library_of),
        q=1.0,
        beyond_chance=False,
        suspected=(),
        evidence=(),
    )


def _with_edges(
    graph: IncidentGraph, vocabulary: Vocabulary, item: CommonTerm, suspicions: Holders
) -> CommonTerm:
    only_suspected = suspicions.get(item.term, set()) - set(item.cases)
    return replace(
        item,
        suspected=tuple(sorted(only_suspected)),
        evidence=evidence_of(graph, vocabulary, item.term, item.kind, item.cases),
    )


def _suspected(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    kind: str,
    minimum: int,
    here: Mapping[str, set[str]],
    suspicions: Holders,
    taken: Collection[str],
) -> tuple[SuspectedTerm, ...]:
    """Terms that reach the minimum only with suspicions, most cases first."""
    both = {t: here.get(t, set()) | cases for t, cases in suspicions.items() if t not in taken}
    found = [
        SuspectedTerm(
            term=term,
            kind=kind,
            confirmed=tuple(sorted(here.get(term, set()))),
            suspected=tuple(sorted(cases - here.get(term, set()))),
            evidence=evidence_of(
                graph, vocabulary, term, kind, cases - here.get(term, set()), Status.SUSPECTED
            ),
        )
        for term, cases in both.items()
        if len(here.get(term, ())) < minimum <= len(cases)
        and not says_no_more(vocabulary, term, cases, both)
    ]
    return tuple(sorted(found, key=lambda s: (-len(s.confirmed) - len(s.suspected), s.term)))
