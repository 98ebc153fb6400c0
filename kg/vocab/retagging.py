"""Claims under a change of terms: their lists of terms replaced, and nothing else of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from kg.model import Case, Claim, ClaimKind, Part, Retag, Status

Terms = tuple[str, ...]
Rule = Callable[[str, Part, Terms], Terms]
"""From the id of a claim, a part of it and the terms there to the terms that it is to have."""


def retag(cases: Iterable[Case], rule: Rule) -> tuple[tuple[Case, ...], tuple[Retag, ...]]:
    """Cases with a rule applied to every claim, and what it changed, by claim and part."""
    made, changed = [], []
    for case in cases:
        found = [r for claim_id, claim in case.claim_ids() for r in _of(claim_id, claim, rule)]
        changed += found
        made.append(with_retags(case, found) if found else case)
    return tuple(made), in_order(changed)


def in_order(retags: Iterable[Retag]) -> tuple[Retag, ...]:
    """Retags in their fixed order."""
    return tuple(sorted(retags, key=lambda r: (r.claim, r.part)))


def _of(claim_id: str, claim: Claim, rule: Rule) -> Iterator[Retag]:
    for part in Part:
        before = terms_of(claim, part)
        after = rule(claim_id, part, before)
        if after != before:
            yield Retag(claim=claim_id, part=part, before=before, after=after)


def terms_of(claim: Claim, part: Part) -> Terms:
    """The terms in a part of a claim."""
    terms: Terms = getattr(claim, part.value)
    return terms


def with_retags(case: Case, retags: Iterable[Retag]) -> Case:
    """A case whose claims have the terms that retags say they have after."""
    wanted: dict[str, dict[str, Terms]] = {}
    for found in retags:
        wanted.setdefault(found.claim, {})[found.part.value] = found.after
    claims = tuple(
        claim.model_copy(update=wanted[claim_id]) if claim_id in wanted else claim
        for claim_id, claim in case.claim_ids()
    )
    return case.model_copy(update={"claims": claims})


@dataclass(frozen=True, order=True)
class Contradiction:
    """A case that says both that a term holds and that it does not.

    Attributes:
        case_id: the case.
        stated: its claims that confirm or suspect the term.
        ruled_out: those that rule it out.
    """

    case_id: str
    stated: tuple[str, ...]
    ruled_out: tuple[str, ...]


def contradictions(cases: Iterable[Case], term_id: str) -> tuple[Contradiction, ...]:
    """The cases that contradict themselves about a term.

    Claims of different kinds, or in different roles (but primary and secondary causes), say
    different things and never contradict each other.
    """
    return tuple(sorted(c for case in cases for c in _contradictions(case, term_id)))


def _contradictions(case: Case, term_id: str) -> Iterator[Contradiction]:
    said: dict[tuple[str, str], tuple[list[str], list[str]]] = {}
    for claim_id, claim in case.claim_ids():
        if term_id in claim.terms:
            role = "" if claim.kind is ClaimKind.CAUSE else str(claim.role)
            sides = said.setdefault((claim.kind, role), ([], []))
            sides[claim.status is Status.RULED_OUT].append(claim_id)
    for stated, ruled_out in said.values():
        if stated and ruled_out:
            yield Contradiction(case.id, tuple(stated), tuple(ruled_out))


def chains(retags: Iterable[tuple[int, Retag]]) -> Mapping[tuple[str, Part], dict[int, Retag]]:
    """What the changes of a history did to each part of each claim, by the number of the change."""
    found: dict[tuple[str, Part], dict[int, Retag]] = {}
    for number, one in retags:
        found.setdefault((one.claim, one.part), {})[number] = one
    return found
