"""Two cases that tell of one event, made into one.

Nothing is judged here: texts stand one after the other, claims keep their status and their
evidence, and where the two say different things the first is kept and the difference is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from kg.errors import BadQuery
from kg.intake.mergedtexts import Move, merged_texts
from kg.model import Case, Claim, ClaimKind, DateKind, Figure, Role, Status, When
from kg.model.days import days_of
from kg.model.values import Precision
from kg.vocab.retagging import contradictions

T = TypeVar("T")

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_FINENESS = tuple(Precision)


@dataclass(frozen=True)
class Difference:
    """Something of which the two cases do not say the same.

    Attributes:
        about: `dates.started`, `severity`, `kind` of a claim and so on.
        kept: what the merged case says.
        other: what the other case says; it stands in the history only, or, of a claim, beside.
    """

    about: str
    kept: str
    other: str


@dataclass(frozen=True)
class Merged:
    """One case of two.

    Attributes:
        case: the case, with the id of the first.
        places: for each claim of the second its place among the claims of the case, from 0; None
            for one whose evidence has no place there.
        untranslated: text fields whose paragraphs stand in one of their languages only; `[…]`
            stands for them in the others.
        differences: what the two say differently, and contradictions among their claims.
    """

    case: Case
    places: tuple[int | None, ...]
    untranslated: tuple[str, ...]
    differences: tuple[Difference, ...]


def merged(keep: Case, absorb: Case) -> Merged:
    """The case `keep` with all that `absorb` says as well.

    It gets sources, links, names, dates and other single values that it lacks, the texts of each
    field after its own, and the claims, whose spans move along. Two claims that say the same
    become one with the evidence of both. Of two confirmed primary causes the first stays so.

    Raises:
        BadQuery: they are the same case, or of different kinds.
    """
    if keep.id == absorb.id:
        raise BadQuery(f"{keep.id} cannot be merged with itself")
    if keep.kind is not absorb.kind:
        raise BadQuery(
            f"{keep.id} is of kind {keep.kind} and {absorb.id} of kind {absorb.kind}; only cases "
            "of one kind tell of the same"
        )
    texts = merged_texts(keep, absorb)
    figures, names = _figures(keep, absorb, texts.move)
    claims, places, demoted = _claims(keep, absorb, texts.move, names)
    dates, late = _dates(keep, absorb)
    values, unlike = _values(keep, absorb)
    case = Case.model_validate(
        keep.model_dump()
        | {name: prose and prose.dump() for name, prose in texts.prose.items()}
        | texts.lines
        | values
        | {
            "dates": dates,
            "claims": claims,
            "figures": figures,
            "arithmetic": (*keep.arithmetic, *_renamed(absorb.arithmetic, names)),
            "references": _union(keep.references, absorb.references),
            "regions": _union(keep.regions, absorb.regions),
            "links": _union(keep.links, absorb.links) or (),
        }
    )
    said = [Difference(*told) for told in texts.differences]
    said += [*late, *unlike, *demoted, *_contradictions(keep, absorb, case)]
    return Merged(case, tuple(places), texts.untranslated, tuple(dict.fromkeys(said)))


def _union(first: Iterable[T] | None, second: Iterable[T] | None) -> tuple[T, ...] | None:
    """The items of both, each once; None where neither states any."""
    if first is None and second is None:
        return None
    kept: list[T] = list(first or ())
    return (*kept, *(item for item in second or () if item not in kept))


def _values(keep: Case, absorb: Case) -> tuple[dict[str, Any], list[Difference]]:
    """What stands once in a case, and where the two do not agree on it."""
    values: dict[str, Any] = {}
    unlike = []
    for name in ("severity", "time_to_detect", "time_to_recover"):
        ours, theirs = getattr(keep, name), getattr(absorb, name)
        if ours is None:
            values[name] = theirs
        elif theirs is not None and _said(ours) != _said(theirs):
            unlike.append(Difference(name, _said(ours), _said(theirs)))
    return values, unlike


def _said(value: Any) -> str:
    return value if isinstance(value, str) else f"{value.seconds:g} s"


def _dates(keep: Case, absorb: Case) -> tuple[tuple[When, ...], list[Difference]]:
    """The times of the first with those that it lacks or has less exactly, in its order."""
    dates = list(keep.dates)
    unlike = []
    for theirs in absorb.dates:
        ours = next((d for d in dates if d.kind is theirs.kind), None)
        if ours is None:
            if _in_time([*dates, theirs]):
                dates.append(theirs)
            else:
                unlike.append(Difference(f"dates.{theirs.kind}", "", theirs.at))
        elif theirs in dates:
            continue
        elif theirs.kind is DateKind.PUBLISHED:
            dates.append(theirs)
        elif _exacter(theirs, ours) and _in_time([theirs if d is ours else d for d in dates]):
            dates[dates.index(ours)] = theirs
        elif not _exacter(ours, theirs):
            unlike.append(Difference(f"dates.{theirs.kind}", ours.at, theirs.at))
    return tuple(dates), unlike


def _exacter(one: When, other: When) -> bool:
    """Whether a time says more exactly what another one says."""
    finer = _FINENESS.index(one.precision) > _FINENESS.index(other.precision)
    (first, last), (least, most) = days_of(one), days_of(other)
    return finer and not one.approx and least <= first and last <= most


def _in_time(dates: Sequence[When]) -> bool:
    """Whether nothing ends before it starts."""
    first = {kind: next((d for d in dates if d.kind is kind), None) for kind in DateKind}
    started, ended = first[DateKind.STARTED], first[DateKind.ENDED]
    return not (started and ended and started.earliest() > ended.earliest())


def _figures(keep: Case, absorb: Case, move: Move) -> tuple[tuple[Figure, ...], dict[str, str]]:
    """The figures of both, and for each id of the second the one by which it goes now."""
    taken = {f.id for f in (*keep.figures, *absorb.figures)}
    ours = {f.id for f in keep.figures}
    made, names = list(keep.figures), {}
    for figure in absorb.figures:
        name, number = figure.id, 2
        while name in ours or (name != figure.id and name in taken):
            name, number = f"{figure.id}_{number}", number + 1
        evidence = tuple(s for span in figure.evidence if (s := move(span)) is not None)
        if evidence:
            ours.add(name)
            names[figure.id] = name
            made.append(figure.model_copy(update={"id": name, "evidence": evidence}))
    return tuple(made), names


def _renamed(statements: Iterable[str], names: dict[str, str]) -> Iterator[str]:
    """Sums over figures by their new ids; one over a figure that has no place is left out."""
    for statement in statements:
        if all(name in names for name in _NAME.findall(statement)):
            yield _NAME.sub(lambda m: names[m.group()], statement)


def _claims(
    keep: Case, absorb: Case, move: Move, figures: dict[str, str]
) -> tuple[tuple[Claim, ...], list[int | None], list[Difference]]:
    made = list(keep.claims)
    places: list[int | None] = []
    told: list[Difference] = []
    primary = next(filter(_is_primary, made), None)
    for claim in absorb.claims:
        evidence = tuple(s for span in claim.evidence if (s := move(span)) is not None)
        if not evidence:
            places.append(None)
            told.append(Difference(str(claim.kind), "", _shown(claim)))
            continue
        ids = tuple(figures[f] for f in claim.figures if f in figures)
        claim = claim.model_copy(update={"evidence": evidence, "figures": ids})
        if primary is not None and _is_primary(claim) and claim.terms != primary.terms:
            told.append(Difference("primary cause", _shown(primary), _shown(claim)))
            claim = claim.model_copy(update={"role": Role.SECONDARY})
        at = next((i for i, other in enumerate(made) if _same(other, claim)), None)
        if at is None:
            if primary is not None and _is_primary(claim):
                claim = claim.model_copy(update={"role": Role.SECONDARY})
            primary = primary or (claim if _is_primary(claim) else None)
            places.append(len(made))
            made.append(claim)
        else:
            places.append(at)
            made[at] = _joined(made[at], claim)
    return tuple(made), places, told


def _is_primary(claim: Claim) -> bool:
    cause = claim.kind is ClaimKind.CAUSE and claim.role is Role.PRIMARY
    return cause and claim.status is Status.CONFIRMED


def _shown(claim: Claim) -> str:
    return ", ".join(claim.terms)


def _same(one: Claim, other: Claim) -> bool:
    """Whether two claims say the same, whatever bears them out and however they were made."""
    apart: dict[str, Any] = {"evidence": one.evidence, "made": None}
    return one.in_review == other.in_review and one.model_copy(update=apart) == other.model_copy(
        update=apart
    )


def _joined(one: Claim, other: Claim) -> Claim:
    """One claim with the evidence of both; of two ways in which it was made the surer one."""
    evidence = tuple(dict.fromkeys([*one.evidence, *other.evidence]))
    ways = [c.made for c in (one, other)]
    known = [m for m in ways if m is not None]
    made = max(known, key=lambda m: m.confidence) if len(known) == len(ways) else None
    return one.model_copy(update={"evidence": evidence, "made": made})


def _contradictions(keep: Case, absorb: Case, case: Case) -> Iterator[Difference]:
    """Terms that one of the two states and the other rules out."""
    for term in sorted({t for c in case.claims for t in c.terms}):
        if contradictions([keep], term) or contradictions([absorb], term):
            continue
        for found in contradictions([case], term):
            yield Difference(term, ", ".join(found.stated), ", ".join(found.ruled_out))
