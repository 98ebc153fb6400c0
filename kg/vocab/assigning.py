"""Who decides a split: for a case or a claim, the terms that it is to have."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence

from kg.errors import BadQuery, CaseNotFound
from kg.model import Case, Term

Assignments = Mapping[str, Sequence[str] | str]
"""From the id of a case or a claim to one or more terms, as ids or slugs."""


def parse_assignments(pairs: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Read `CASE=TERM` pairs; `A-1#cause-2=TERM` is of one claim, `A-1=X+Y` gives two terms.

    Raises:
        BadQuery: something is no such pair, or one case is decided in two ways.
    """
    found: dict[str, tuple[str, ...]] = {}
    for pair in pairs:
        key, sign, said = (part.strip() for part in pair.partition("="))
        terms = tuple(t.strip() for t in said.split("+"))
        if not key or not sign or not all(terms):
            raise BadQuery(f"{pair!r} decides nothing; write CASE=TERM, like A-1=cause:race")
        if found.setdefault(key, terms) != terms:
            raise BadQuery(
                f"{key} is decided twice, for {'+'.join(found[key])} and {'+'.join(terms)}; "
                f"keep one, or write {key}=X+Y where it has both"
            )
    return found


def decided_terms(
    cases: Sequence[Case],
    split: Term,
    new_ids: Sequence[str],
    by: Assignments,
) -> dict[str, tuple[str, ...]]:
    """For each claim that is decided, the terms it is to have in the place of the split one.

    Raises:
        CaseNotFound: an assignment is of no case.
        BadQuery: it is of a claim that does not name the term, or to a term that is none of those
            into which it is split.
    """
    naming = {c.id: _naming(c, split.id) for c in cases}
    allowed = (split.id, *new_ids)
    of_cases: dict[str, tuple[str, ...]] = {}
    of_claims: dict[str, tuple[str, ...]] = {}
    for key, given in sorted(by.items()):
        terms = _terms(key, given, split, allowed)
        case_id, sign, _ = key.partition("#")
        if case_id not in naming:
            raise CaseNotFound(case_id, difflib.get_close_matches(case_id, naming, n=3))
        if sign and key not in naming[case_id]:
            raise BadQuery(f"the claim {key} does not name {split.id}; {_those(naming[case_id])}")
        if not naming[case_id]:
            raise BadQuery(f"the case {key} does not name {split.id}; leave it out")
        if sign:
            of_claims[key] = terms
        else:
            of_cases |= dict.fromkeys(naming[case_id], terms)
    return of_cases | of_claims


def _naming(case: Case, term_id: str) -> list[str]:
    """The claims of a case that name a term, or a mitigation of which addresses it."""
    return [i for i, c in case.claim_ids() if term_id in c.terms or term_id in c.addresses]


def _those(claims: Sequence[str]) -> str:
    return f"those that do are {', '.join(claims)}" if claims else "none of its case does"


def _terms(
    key: str, given: Sequence[str] | str, split: Term, allowed: Sequence[str]
) -> tuple[str, ...]:
    listed = [given] if isinstance(given, str) else list(given)
    whole = tuple(dict.fromkeys(t if ":" in t else f"{split.scheme}:{t}" for t in listed))
    if not whole or not set(whole) <= set(allowed):
        told = "+".join(listed) or "nothing"
        raise BadQuery(f"{key} is decided for {told}; the choice is {', '.join(allowed)}")
    return whole
