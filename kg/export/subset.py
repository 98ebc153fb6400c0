"""A part of a library: some of its cases with only the terms and links that they need."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from itertools import groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from kg.errors import BadQuery
from kg.intake import whole_ids
from kg.model import Case, Term, TermRelation
from kg.readers.decisions import Decisions
from kg.store import SimilarRow, Snapshot
from kg.vocab import Vocabulary


def subset(snapshot: Snapshot, case_ids: Collection[str]) -> Snapshot:
    """The part of a library that some of its cases make up; it is a whole library itself.

    Kept are the passages and vectors of the cases, the computed neighbours among them (ranked
    anew from 1, scores as they were), every term that a claim names or addresses with all terms
    above it, relations between kept terms, and of the history what led to them, so that old ids
    serve. Curated links to other cases stay in the records and are no edges, as for any case that
    is not there.

    Raises:
        BadQuery: no case is chosen.
    """
    if not case_ids:
        raise BadQuery("no case was chosen, so there is nothing to export")
    wanted = set(case_ids)
    cases = tuple(c for c in snapshot.cases if c.id in wanted)
    places = [i for i, p in enumerate(snapshot.passages) if p.case_id in wanted]
    codes, starts = _tokens(snapshot, places)
    decided = decisions_about(snapshot, wanted)
    return replace(
        snapshot,
        cases=cases,
        vocabulary=needed_terms(cases, snapshot.vocabulary),
        passages=tuple(snapshot.passages[i] for i in places),
        vectors=snapshot.vectors[places],
        similar=tuple(_among(snapshot.similar, wanted)),
        reviews=decided.reviews,
        revisions=decided.revisions,
        apart=decided.apart,
        token_codes=codes,
        token_starts=starts,
    )


def decisions_about(snapshot: Snapshot, case_ids: Collection[str]) -> Decisions:
    """What was decided about some cases and those that they absorbed, and how they came to be."""
    merged = whole_ids(snapshot.revisions)
    within = {*case_ids, *(old for old, now in merged.items() if now in case_ids)}
    return Decisions(
        reviews=tuple(r for r in snapshot.reviews if r.case_id in within),
        revisions=tuple(r for r in snapshot.revisions if r.case_id in within),
        apart=tuple(a for a in snapshot.apart if within.issuperset(a.pair)),
    )


def needed_terms(cases: Iterable[Case], vocabulary: Vocabulary) -> Vocabulary:
    """The terms that cases name, with all terms above them; every scheme stays, if empty."""
    cases = tuple(cases)
    named = {t for c in cases for claim in c.claims for t in (*claim.terms, *claim.addresses)}
    kept = {above for term in named for above in vocabulary.broader_steps(term)}
    ids = {c.id for c in cases}
    return Vocabulary(
        (
            scheme.model_copy(
                update={"terms": tuple(_trimmed(t, kept) for t in scheme.terms if t.id in kept)}
            )
            for scheme in vocabulary.schemes.values()
        ),
        [
            c.model_copy(update={"retags": tuple(r for r in c.retags if r.case_id in ids)})
            for c in vocabulary.history
            if any(vocabulary.current(t) in kept for t in (*c.old, *c.new))
        ],
    )


def _trimmed(term: Term, kept: Collection[str]) -> Term:
    """The term without relations to terms that are not kept."""
    related = {r.value: tuple(t for t in term.related(r) if t in kept) for r in TermRelation}
    return term.model_copy(update=related)


def _among(rows: Iterable[SimilarRow], wanted: Collection[str]) -> Iterable[SimilarRow]:
    kept = (r for r in rows if r.case_id in wanted and r.other_id in wanted)
    for _, neighbours in groupby(kept, key=lambda r: r.case_id):
        yield from (replace(row, rank=rank) for rank, row in enumerate(neighbours, 1))


def _tokens(
    snapshot: Snapshot, places: list[int]
) -> tuple[NDArray[np.int8] | None, NDArray[np.int64] | None]:
    codes, starts = snapshot.token_codes, snapshot.token_starts
    if codes is None or starts is None:
        return None, None
    spans = list(pairwise(starts.tolist()))
    parts = [codes[spans[i][0] : spans[i][1]] for i in places]
    sizes = np.cumsum([0, *map(len, parts)], dtype=np.int64)
    return np.concatenate([codes[:0], *parts]), sizes
