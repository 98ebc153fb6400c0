"""The cases that a diagnosis looks at, how much each counts, and what it rests on."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from kg.model import ClaimKind, Role, Status
from kg.queries import Hits
from kg.rca.diagnosis import Near
from kg.rca.statements import Statements

NEAR = 0.1
"""Cases at least this likely to be relevant are looked at, though not called similar."""

MOST = 12
"""At most so many cases are looked at, those that count most."""

SHARE = 0.1
"""A case with this share in a hypothesis is looked at, however unlike the text it is."""

DEPENDENT = 0.5
"""How much a case counts that rests on something ruled out. Set by hand: the text may be like it
for other reasons, but what it is there for is gone."""


@dataclass(frozen=True)
class Guess:
    """A predicted cause.

    Attributes:
        cause: a term of the cause scheme.
        probability: of it or a narrower one, 0 to 1; at least that of each narrower one.
        own: of it as such, without the narrower ones; causes are ranked by it.
        shares: what each case has in that, adding up to 1.
        wide: what each like case has in the probability.
    """

    cause: str
    probability: float
    own: float
    shares: Mapping[str, float]
    wide: Mapping[str, float]


def near_cases(
    statements: Statements,
    hits: Hits,
    likely: Mapping[str, float],
    guesses: Sequence[Guess],
    gone: Collection[str],
    lang: str,
) -> tuple[Near, ...]:
    """The cases looked at, the one that counts most first, ties by id.

    Args:
        statements: of the library.
        hits: the answer of the search; cases folded into a hit are left out.
        likely: case id -> probability that it is relevant, 0 to 1.
        guesses: the predicted causes.
        gone: the terms that are ruled out, with all narrower ones.
        lang: language of titles.
    """
    folded = {i for hit in (*hits.items, *hits.weaker) for i in hit.repeated}
    behind = {i for g in guesses for i, share in g.shares.items() if share >= SHARE}
    chosen = {*hits.ids, *behind, *(i for i, p in likely.items() if p >= NEAR)} - folded
    found = []
    for case_id in sorted(chosen):
        rests = resting_on(statements, case_id, gone)
        part = sum(g.own * g.shares.get(case_id, 0.0) for g in guesses)
        weight = min(1.0, max(likely.get(case_id, 0.0), part)) * (DEPENDENT if rests else 1.0)
        found.append(
            Near(
                case_id=case_id,
                title=statements.title(case_id, lang),
                probability=likely.get(case_id, 0.0),
                weight=round(weight, 6),
                similar=case_id in hits.ids,
                incident=statements.is_incident(case_id),
                depends_on=rests,
            )
        )
    found.sort(key=lambda n: (not n.similar, -n.weight, n.case_id))
    kept = found[: max(MOST, len(hits))]
    return tuple(sorted(kept, key=lambda n: (-n.weight, n.case_id)))


def resting_on(statements: Statements, case_id: str, gone: Collection[str]) -> tuple[str, ...]:
    """The ruled-out terms on which a case rests, sorted.

    It rests on them when all its confirmed causes are ruled out, or all its triggers, or all the
    components that failed, or at least half of its symptoms.
    """
    if not gone:
        return ()
    kinds = (
        (set(statements.terms(case_id, ClaimKind.CAUSE)), 1.0),
        (set(statements.terms(case_id, ClaimKind.TRIGGER)), 1.0),
        (_failed(statements, case_id), 1.0),
        (set(statements.terms(case_id, ClaimKind.SYMPTOM)), 0.5),
    )
    rests: set[str] = set()
    for terms, share in kinds:
        out = terms & set(gone)
        if out and len(out) >= share * len(terms):
            rests |= out
    return tuple(sorted(rests))


def weakened(
    statements: Statements, likeness: Mapping[str, float], gone: Collection[str]
) -> dict[str, float]:
    """The likeness of every case, that of cases resting on what is ruled out taken back.

    It is moved half the way to the mean of all cases, which works on any scale; a case that is
    no more like the text than the mean stays where it is.
    """
    mean = sum(likeness.values()) / len(likeness) if likeness else 0.0
    return {
        i: mean + DEPENDENT * (value - mean)
        if value > mean and resting_on(statements, i, gone)
        else value
        for i, value in sorted(likeness.items())
    }


def _failed(statements: Statements, case_id: str) -> set[str]:
    found = statements.some(case_id, ClaimKind.COMPONENT, Status.CONFIRMED, roles=[Role.FAILED])
    return {t for s in found for t in s.terms}
