"""Decisions of people over claims that a program made: carried out, and carried on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kg.errors import BadQuery
from kg.model import ROLES, Case, Claim, ClaimKind, Decision, Review, Role, Status
from kg.readers.batch import SCHEME_OF_KIND
from kg.vocab import Vocabulary


def reviewed(case: Case, reviews: Iterable[Review]) -> Case:
    """The case with every decision about it carried out; the same where there is none.

    A decision is about what a program claimed, by kind and term, so it holds as well after the
    document was read again.
    """
    decided: Mapping[tuple[str, str], Review] = {
        (r.kind, r.term): r for r in reviews if r.case_id == case.id
    }
    claims: list[Claim] = []
    for claim in case.claims:
        review = decided.get((claim.kind, claim.terms[0])) if claim.in_review else None
        if review is None:
            claims.append(claim)
        elif review.decision is not Decision.REJECT:
            claims.append(_accepted(claim, review))
    claims = _one_primary(_once(claims))
    if tuple(claims) == case.claims:
        return case
    return Case.model_validate(case.model_dump() | {"claims": claims})


def _accepted(claim: Claim, review: Review) -> Claim:
    if claim.made is None:  # a person's own claim: nothing to decide
        return claim
    kind = review.new_kind or claim.kind
    role = review.role or claim.role
    if role not in ROLES[kind]:
        role = _usual_role(kind)
    return claim.model_copy(
        update={
            "kind": kind,
            "terms": (review.new_term or claim.terms[0],),
            "status": review.status,
            "role": role,
            "made": claim.made.model_copy(update={"reviewed": True}),
        }
    )


def _usual_role(kind: ClaimKind) -> Role | None:
    usual = {
        ClaimKind.CAUSE: Role.SECONDARY,
        ClaimKind.COMPONENT: Role.INVOLVED,
        ClaimKind.DETECTION: Role.DETECTED,
    }
    allowed = ROLES[kind]
    return usual.get(kind, allowed[0]) if allowed else None


def _once(claims: Sequence[Claim]) -> list[Claim]:
    """Claims of one kind, term and status only once: a change may lead to one that is there."""
    kept: dict[object, Claim] = {}
    for claim in claims:
        key = (claim.kind, claim.terms, claim.status) if claim.made else id(claim)
        kept.setdefault(key, claim)
    return list(kept.values())


def _one_primary(claims: Sequence[Claim]) -> list[Claim]:
    """At most one confirmed cause is primary: the first; the others become secondary."""
    made: list[Claim] = []
    found = False
    for claim in claims:
        primary = claim.role is Role.PRIMARY and claim.status is Status.CONFIRMED
        if primary and found:
            claim = claim.model_copy(update={"role": Role.SECONDARY})
        found = found or primary
        made.append(claim)
    return made


def checked_review(review: Review, case: Case, vocabulary: Vocabulary) -> Review:
    """The review, its new term by id.

    Raises:
        BadQuery: the case has no such claim of a program, or the claim cannot be changed so.
        TermNotFound, AmbiguousTerm: the new term names none, or several.
    """
    made = [c for c in case.claims if c.made and (c.kind, c.terms[0]) == (review.kind, review.term)]
    if not made:
        raise BadQuery(
            f"no program claimed {review.term} as a {review.kind} of {case.id}; "
            "kg review lists what waits"
        )
    kind = review.new_kind or review.kind
    if review.role is not None and review.role not in ROLES[kind]:
        allowed = ", ".join(ROLES[kind]) or "none"
        raise BadQuery(f"{review.role} is no role of a {kind} claim; there are {allowed}")
    if review.decision is not Decision.CHANGE:
        return review
    term = vocabulary.resolve(review.new_term or review.term).id
    if term.partition(":")[0] not in SCHEME_OF_KIND[kind]:
        wanted = " or ".join(SCHEME_OF_KIND[kind])
        raise BadQuery(f"{term} does not fit a {kind} claim; use a term of scheme {wanted}")
    return review.model_copy(update={"new_term": term})


def followed(reviews: Iterable[Review], vocabulary: Vocabulary) -> tuple[Review, ...]:
    """The reviews with the ids by which their terms go now; those of terms that ended are gone."""
    kept: dict[tuple[str, str, str], Review] = {}
    for review in reviews:
        now = {
            name: vocabulary.replaced.get(term, term)
            for name in ("term", "new_term")
            if (term := getattr(review, name)) is not None
        }
        if all(term in vocabulary for term in now.values()):
            moved = review.model_copy(update=now)
            kept[moved.key] = moved
    return tuple(kept[key] for key in sorted(kept))


def claiming(members: Iterable[Case], review: Review) -> list[str]:
    """The parts of a merged case that a decision is about: those with such a claim in review.

    Where it is in review in none, those of which a program claimed it at all. A decision belongs to
    the part whose document the program read, so that it stays with it when the merge is undone.
    """
    made = [
        (member.id, claim.in_review)
        for member in members
        for claim in member.claims
        if claim.made and (claim.kind, claim.terms[0]) == (review.kind, review.term)
    ]
    waiting = [case_id for case_id, in_review in made if in_review]
    return list(dict.fromkeys(waiting or [case_id for case_id, _ in made]))
