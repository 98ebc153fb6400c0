"""What sets two sides apart: what one rules out, other values and outcomes, times and figures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from kg.graph import Relation, kind_of
from kg.graph.compact import SIMILARITY_RELATIONS
from kg.model import CaseKind, Duration, Figure, Result, Role, Status
from kg.queries.sharing import KIND_ORDER
from kg.queries.sides import Saying, Side, standing
from kg.vocab import Vocabulary


class About(StrEnum):
    """In what two sides contradict each other over one term."""

    STATUS = "status"
    VALUE = "value"
    RESULT = "result"
    ROLE = "role"


@dataclass(frozen=True)
class Contrast:
    """A term of which the sides say opposite things.

    Attributes:
        term: the term; of a status, the one that is ruled out.
        about: `status` (one rules it out, or something above it, and the other does not), `value`
            (a setting), `result` (what a mitigation achieved), or `role` (a tool that found one
            and missed the other).
        left, right: what both sides say.
        words: the two statuses, values, results or roles.
    """

    term: str
    about: About
    left: Saying
    right: Saying
    words: tuple[str, str]


@dataclass(frozen=True)
class Excluded:
    """A term that both sides rule out. It makes them no more alike, but need not be looked at.

    Where one of them rules out something broader, `term` is the narrower one, of which both hold
    it; `left` and `right` are about what each says itself.
    """

    term: str
    left: Saying
    right: Saying


@dataclass(frozen=True)
class Measure:
    """A time or figure that both cases state, in the same unit.

    Attributes:
        name: `time_to_detect`, `time_to_recover`, or the id of the figures.
        unit: seconds (`s`) for times.
        left, right: the two values, with the words or the evidence of the source.
    """

    name: str
    unit: str
    left: Duration | Figure
    right: Duration | Figure


TIMES = ("time_to_detect", "time_to_recover")
_TOLD_RESULTS = frozenset({Result.WORKED, Result.PARTLY, Result.FAILED})
_PLAIN_VALUE = re.compile(r"[A-Za-z0-9_.+-]+")
_FOUND = frozenset({str(Role.DETECTED), str(Role.DIAGNOSED)})


def contrasts(vocabulary: Vocabulary, left: Side, right: Side) -> list[Contrast]:
    """What the sides say opposite things of: statuses first, then roles, results and values."""
    found = [
        *_ruled_out(vocabulary, left.sayings, right.sayings),
        *_caught_and_missed(left.sayings, right.sayings),
        *_results(left, right),
        *_values(left.sayings, right.sayings),
    ]
    order = list(KIND_ORDER)
    return sorted(
        found,
        key=lambda c: (
            _ABOUT_ORDER.index(c.about),
            order.index(kind_of(c.term)) if kind_of(c.term) in order else len(order),
            c.term,
            c.left.target,
            c.right.target,
        ),
    )


_ABOUT_ORDER = (About.STATUS, About.ROLE, About.RESULT, About.VALUE)


def _ruled_out(
    vocabulary: Vocabulary, left: tuple[Saying, ...], right: tuple[Saying, ...]
) -> Iterator[Contrast]:
    """Terms that one side rules out, as such or within a broader one, and the other does not."""
    for out, told in _out_against(vocabulary, left, right):
        yield _contrast(out.target, About.STATUS, out, told, (str(out.status), str(told.status)))
    for out, told in _out_against(vocabulary, right, left):
        yield _contrast(out.target, About.STATUS, told, out, (str(told.status), str(out.status)))


def _out_against(
    vocabulary: Vocabulary, denying: tuple[Saying, ...], telling: tuple[Saying, ...]
) -> Iterator[tuple[Saying, Saying]]:
    out = _only_out(denying)
    for term, told in sorted(standing(telling).items()):
        above = vocabulary.broader_steps(term)
        nearest = min((t for t in out if t in above), key=lambda t: (above[t], t), default=None)
        if nearest is not None and _alike(out[nearest], told[0]):
            yield out[nearest], told[0]


def _alike(one: Saying, other: Saying) -> bool:
    """Whether two claims speak of the same part of a term.

    That a component was not to blame does not contradict that one was changed.
    """
    return one.relation is other.relation and (
        kind_of(one.target) != "component" or one.role == other.role
    )


def excluded(vocabulary: Vocabulary, left: Side, right: Side) -> list[Excluded]:
    """The terms that both sides rule out, as such or within something broader, by term."""
    found = {t: Excluded(t, one, other) for t, one, other in _out_of_both(vocabulary, left, right)}
    for t, one, other in _out_of_both(vocabulary, right, left):
        found.setdefault(t, Excluded(t, other, one))
    return [found[t] for t in sorted(found)]


def _out_of_both(
    vocabulary: Vocabulary, one: Side, other: Side
) -> Iterator[tuple[str, Saying, Saying]]:
    """Terms that one side rules out, and the other with it or with something above it."""
    out, told = _only_out(other.sayings), standing(other.sayings)
    for term, saying in _only_out(one.sayings).items():
        above = vocabulary.broader_steps(term)
        nearest = min((t for t in out if t in above), key=lambda t: (above[t], t), default=None)
        if nearest == term or (
            nearest is not None and term not in told and _alike(saying, out[nearest])
        ):
            yield term, saying, out[nearest]


def denials(vocabulary: Vocabulary, side: Side, other: Side) -> tuple[Saying, ...]:
    """What a side rules out and the other says nothing of, neither of it nor of its kin.

    In `KIND_ORDER`, then in the order of its claims; each term once.
    """
    heard = {s.target for s in other.sayings if kind_of(s.target) in KIND_ORDER}
    kin = heard | {up for term in heard for up in vocabulary.broader_steps(term)}
    out = [
        saying
        for term, saying in _only_out(side.sayings).items()
        if kind_of(term) in KIND_ORDER
        and term not in kin
        and heard.isdisjoint(vocabulary.broader_steps(term))
    ]
    return tuple(sorted(out, key=lambda s: KIND_ORDER.index(kind_of(s.target))))


def _only_out(sayings: tuple[Saying, ...]) -> dict[str, Saying]:
    """What a side rules out. A side that says both of a term contradicts only itself."""
    told = standing(sayings)
    out: dict[str, Saying] = {}
    for saying in sayings:
        if saying.status is Status.RULED_OUT and saying.target not in told:
            out.setdefault(saying.target, saying)
    return out


def _caught_and_missed(left: tuple[Saying, ...], right: tuple[Saying, ...]) -> Iterator[Contrast]:
    """Tools that found what happened in one case and missed it in the other."""
    mine, theirs = _roles(left), _roles(right)
    for tool in sorted(mine.keys() & theirs.keys()):
        one, other = mine[tool], theirs[tool]
        if {_caught(one), _caught(other)} == {True, False}:
            words = (str(one.role), str(other.role))
            yield _contrast(tool, About.ROLE, one, other, words)


def _roles(sayings: tuple[Saying, ...]) -> dict[str, Saying]:
    """Tools of which a side says either that they found it or that they missed it, not both."""
    found: dict[str, list[Saying]] = {}
    for saying in sayings:
        told = saying.relation is Relation.DETECTED_WITH and saying.status is not Status.RULED_OUT
        if told and _caught(saying) is not None:
            found.setdefault(saying.target, []).append(saying)
    return {t: said[0] for t, said in found.items() if len({_caught(s) for s in said}) == 1}


def _caught(saying: Saying) -> bool | None:
    if saying.role in _FOUND:
        return True
    return False if saying.role == Role.MISSED else None


def _results(left: Side, right: Side) -> Iterator[Contrast]:
    """Mitigations that worked in one case and failed, or only partly worked, in the other."""
    mine, theirs = results(left), results(right)
    for term in sorted(mine.keys() & theirs.keys()):
        (one, first), (other, second) = mine[term], theirs[term]
        if first is not second:
            yield _contrast(term, About.RESULT, one, other, (str(first), str(second)))


def results(side: Side) -> dict[str, tuple[Saying, Result]]:
    """What each mitigation of a case achieved, where every claim of it says so and all agree."""
    if side.case is None:
        return {}
    by_claim = {claim_id: claim.result for claim_id, claim in side.case.claim_ids()}
    found: dict[str, list[tuple[Saying, Result | None]]] = {}
    for saying in side.sayings:
        if saying.relation is Relation.MITIGATED_BY and saying.status is Status.CONFIRMED:
            result = by_claim.get(saying.claim_id)
            found.setdefault(saying.target, []).append((saying, result))
    return {
        term: (pairs[0][0], result)
        for term, pairs in found.items()
        for result in {r for _, r in pairs}
        if result in _TOLD_RESULTS and all(r is result for _, r in pairs)
    }


def _values(left: tuple[Saying, ...], right: tuple[Saying, ...]) -> Iterator[Contrast]:
    """Settings to which the sides give other values; only plain ones can be told apart."""
    mine, theirs = _by_value(left), _by_value(right)
    for term in sorted(mine.keys() & theirs.keys()):
        plain = all(_PLAIN_VALUE.fullmatch(v) for v in (*mine[term], *theirs[term]))
        if plain and not mine[term].keys() & theirs[term].keys():
            (first, one), (second, other) = (min(x[term].items()) for x in (mine, theirs))
            yield _contrast(term, About.VALUE, one, other, (first, second))


def _by_value(sayings: tuple[Saying, ...]) -> dict[str, dict[str, Saying]]:
    found: dict[str, dict[str, Saying]] = {}
    for saying in sayings:
        if saying.value is not None and saying.status is not Status.RULED_OUT:
            found.setdefault(saying.target, {}).setdefault(saying.value, saying)
    return found


def _contrast(
    term: str, about: About, left: Saying, right: Saying, words: tuple[str, str]
) -> Contrast:
    return Contrast(term, about, left, right, words)


def only(
    vocabulary: Vocabulary, side: Side, other: Side, met: Iterable[str]
) -> dict[str, tuple[str, ...]]:
    """Terms of a side by kind, in the order of its claims, that the other side does not have.

    `met` are those that are shared. Ruled-out terms do not count, nor does a term that stands
    below or above one of the other side, nor what a text names in a denial.
    """
    theirs = standing(other.sayings)
    above = {up for term in theirs for up in vocabulary.broader_steps(term)}
    told = set(met) | side.muted
    found: dict[str, list[str]] = {kind: [] for kind in KIND_ORDER}
    for saying in side.sayings:
        term, kind = saying.target, kind_of(saying.target)
        stands = saying.relation in SIMILARITY_RELATIONS and saying.status is not Status.RULED_OUT
        if not stands or kind not in found or term in told or term in found[kind]:
            continue
        if term not in above and not theirs.keys() & vocabulary.broader_steps(term).keys():
            found[kind].append(term)
    return {kind: tuple(terms) for kind, terms in found.items() if terms}


def measures(left: Side, right: Side) -> list[Measure]:
    """Times of two incidents, and figures under one name, that both cases state.

    Figures are compared only if id, unit and English label agree; a study or a series has no
    time of its own to compare.
    """
    if left.case is None or right.case is None:
        return []
    found = []
    if left.case.kind is right.case.kind is CaseKind.INCIDENT:
        for name in TIMES:
            one, other = getattr(left.case, name), getattr(right.case, name)
            if one is not None and other is not None:
                found.append(Measure(name, "s", one, other))
    mine, theirs = (_figures(side.case.resolved().figures) for side in (left, right) if side.case)
    found += [Measure(k[0], k[1], mine[k], theirs[k]) for k in sorted(mine.keys() & theirs.keys())]
    return found


def _figures(figures: Iterable[Figure]) -> Mapping[tuple[str, str, str], Figure]:
    return {(f.id, f.unit, " ".join(f.label.best().casefold().split())): f for f in figures}
