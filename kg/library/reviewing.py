"""The claims that wait for a person's judgement, and decisions about them by claim id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from kg.errors import BadQuery, TermNotFound
from kg.intake import followed
from kg.library.facade import Library
from kg.model import ClaimKind, Decision, Review, Role, Status
from kg.readers.batch import SCHEME_OF_KIND
from kg.vocab import Vocabulary


@dataclass(frozen=True)
class Waiting:
    """A claim that a program made and nobody has judged.

    Attributes:
        claim_id: its id, such as `X-1#cause-1`.
        case_id: the case.
        kind, term: what is claimed.
        status: suspected or ruled out.
        made_by: what the program went by: name, meaning, field or rule.
        confidence: how sure it was, 0 to 1.
        field, lang, quote: the words that bear it out, and where they stand.
    """

    claim_id: str
    case_id: str
    kind: str
    term: str
    status: str
    made_by: str
    confidence: float
    field: str
    lang: str
    quote: str


def waiting(
    library: Library, case_id: str | None = None, kind: str | None = None, least: float = 0.0
) -> list[Waiting]:
    """What waits, causes first, then the surest; of one case, one kind, from a confidence on.

    Raises:
        CaseNotFound: there is no such case.
        BadQuery: there is no such kind of claim.
    """
    if kind is not None and kind not in tuple(ClaimKind):
        raise BadQuery(f"no kind of claim {kind!r}; there are {', '.join(ClaimKind)}")
    cases = [library.get(case_id)] if case_id else list(library.cases.values())
    found = [
        Waiting(
            claim_id, case.id, str(claim.kind), claim.terms[0], str(claim.status),
            str(claim.made.by), claim.made.confidence,
            claim.evidence[0].field, claim.evidence[0].lang, claim.evidence[0].quote,
        )
        for case in cases
        for claim_id, claim in case.claim_ids()
        if claim.in_review and claim.made is not None
    ]  # fmt: skip
    kept = [w for w in found if kind in (None, w.kind) and w.confidence >= least]
    return sorted(kept, key=lambda w: (w.kind != ClaimKind.CAUSE, -w.confidence, w.claim_id))


def decisions(library: Library, case_id: str | None = None) -> list[Review]:
    """What was decided, of all cases or one, by the ids by which terms go now.

    Raises:
        CaseNotFound: there is no such case.
    """
    own = None if case_id is None else library.get(case_id).id
    made = followed(library.reviews, library.vocabulary)
    return [r for r in made if own in (None, library.merged.get(r.case_id, r.case_id))]


def decided_about(
    made: Sequence[Review], name: str, merged: Mapping[str, str] | None = None
) -> list[tuple[str, str, str]]:
    """The decisions that `CASE#TERM` names, such as `X-1#cause:race`: case, kind and term of each.

    Args:
        made: what was decided.
        name: case and term.
        merged: the case in which an absorbed one is; a merged case names the decisions about all
            its parts.

    Raises:
        BadQuery: nothing was decided about it.
    """
    case_id, _, term = name.partition("#")
    into = merged or {}
    named = [r for r in made if case_id in (r.case_id, into.get(r.case_id))]
    if found := [r.key for r in named if r.term == term]:
        return found
    raise BadQuery(
        f"nothing was decided about {name!r}; write CASE#TERM as kg review --decided lists them"
    )


def review_of(
    queued: Sequence[Waiting],
    claim: str,
    decision: Decision,
    vocabulary: Vocabulary | None = None,
    **told: Any,
) -> Review:
    """A decision about a claim by its id; of a change `CLAIM=TERM`, with the term it is to be.

    Args:
        queued: what waits.
        claim: the id of one of these, such as `X-1#cause-1`.
        decision: what is decided.
        vocabulary: where the new term of a change is looked up by any spelling; else it is an id.
        told: role, suspected, at and author.

    Raises:
        BadQuery: nothing with this id waits, or the term of a change is missing.
        TermNotFound, AmbiguousTerm: the new term names none, or several.
    """
    claim_id, sign, term = claim.partition("=")
    if (decision is Decision.CHANGE) != bool(sign and term):
        raise BadQuery(f"write a change as CLAIM=TERM and the others as CLAIM, not {claim!r}")
    found = next((w for w in queued if w.claim_id == claim_id), None)
    if found is None:
        raise BadQuery(f"no claim {claim_id!r} waits for review; kg review lists those that do")
    if term and vocabulary is not None:
        term = _of_kind(term, ClaimKind(found.kind), vocabulary)
    return _review(found, decision, term or None, **told)


def _of_kind(name: str, kind: ClaimKind, vocabulary: Vocabulary) -> str:
    """A term by any spelling, looked for among those that fit the kind of claim first."""
    for scheme in SCHEME_OF_KIND[kind]:
        try:
            return vocabulary.resolve(name, scheme).id
        except TermNotFound:
            continue
    return vocabulary.resolve(name).id


def reviews_above(
    queued: Sequence[Waiting],
    least: float,
    case_id: str | None = None,
    kind: str | None = None,
    **told: Any,
) -> list[Review]:
    """Acceptance of all that waits from a confidence on; what is denied stays ruled out."""
    return [
        _review(w, Decision.ACCEPT, None, **told)
        for w in queued
        if w.confidence >= least and case_id in (None, w.case_id) and kind in (None, w.kind)
    ]


def _review(
    found: Waiting,
    decision: Decision,
    term: str | None,
    *,
    role: str | None = None,
    suspected: bool = False,
    at: str | None = None,
    author: str | None = None,
) -> Review:
    status = Status.SUSPECTED if suspected else Status.CONFIRMED
    if found.status == Status.RULED_OUT:
        status = Status.RULED_OUT
    if role is not None and role not in tuple(Role):
        raise BadQuery(f"no role {role!r}; there are {', '.join(Role)}")
    try:
        return Review(
            case_id=found.case_id,
            kind=ClaimKind(found.kind),
            term=found.term,
            decision=decision,
            status=status,
            role=None if role is None or decision is Decision.REJECT else Role(role),
            new_term=term,
            at=at,
            author=author,
        )
    except ValidationError as error:
        raise BadQuery("; ".join(e["msg"] for e in error.errors())) from error
