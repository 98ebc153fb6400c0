"""Random changes of terms, drawn so that most of them can be done; and what they change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from kg.errors import BadQuery
from kg.model import Case, Term
from kg.vocab import (
    SCHEMES,
    Evolution,
    Told,
    Vocabulary,
    merge_terms,
    rename_term,
    split_term,
)

TOLD = Told(at="2026-03-04", author="an analyst", note="tidying")


def described(term_id: str, label: str | None = None) -> Term:
    """A new term, with a label of its own."""
    slug = term_id.partition(":")[2]
    return Term.model_validate(
        {"id": term_id, "label": {"en": label or f"new {slug}"}, "definition": {"en": "New."}}
    )


def naming(cases: Sequence[Case], term_id: str) -> list[str]:
    """The claims that name a term or address it."""
    return [
        claim_id
        for case in cases
        for claim_id, claim in case.claim_ids()
        if term_id in claim.terms or term_id in claim.addresses
    ]


@st.composite
def changes(
    draw: st.DrawFn, cases: Sequence[Case], vocabulary: Vocabulary, number: int
) -> Evolution | None:
    """One rename, merge or split; None where the one that was drawn is refused."""
    scheme = draw(st.sampled_from(SCHEMES))
    ids = [t.id for t in vocabulary.of(scheme)]
    one = draw(st.sampled_from(ids))
    fresh = f"{scheme}:n{number}"
    operation = draw(st.sampled_from(["rename", "merge", "merge new", "split", "split"]))
    try:
        if operation == "rename":
            label = draw(st.sampled_from([None, {"en": f"label {number}"}]))
            return rename_term(cases, vocabulary, one, fresh, label=label, told=TOLD)
        if operation.startswith("merge"):
            several = draw(st.lists(st.sampled_from(ids), min_size=1, max_size=3, unique=True))
            into = one if operation == "merge" else fresh
            return merge_terms(cases, vocabulary, several, into, keep_both=True, told=TOLD)
        return _split(draw, cases, vocabulary, one, fresh)
    except BadQuery:
        return None


def _split(
    draw: st.DrawFn, cases: Sequence[Case], vocabulary: Vocabulary, one: str, fresh: str
) -> Evolution:
    into = [fresh, f"{fresh}-b"]
    by: dict[str, Any] = {}
    for claim_id in naming(cases, one):
        key = draw(st.sampled_from([claim_id, claim_id.partition("#")[0]]))
        choices = [[into[0]], [into[1]], into, [one], [one, into[0]], None]
        chosen = draw(st.sampled_from(choices))
        if chosen is not None:
            by[key] = chosen
    new = [described(t) for t in into]
    return split_term(cases, vocabulary, one, into, by, described=new, keep_both=True, told=TOLD)


@st.composite
def histories(
    draw: st.DrawFn, cases: Sequence[Case], vocabulary: Vocabulary, most: int = 4
) -> list[tuple[tuple[Case, ...], Vocabulary]]:
    """Every state from the first to the last, one change after another."""
    states = [(tuple(cases), vocabulary)]
    for number in range(draw(st.integers(1, most))):
        done = draw(changes(*states[-1], number))
        if done is not None:
            states.append((done.cases, done.vocabulary))
    return states
