"""Look-alikes: cases with the same symptoms and different causes, and what tells them apart."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from kg.graph import IncidentGraph
from kg.graph.compact import widen
from kg.model import ClaimKind, Role, Status
from kg.queries import SameCause, same_cause
from kg.rca.checks import TOLD_BY_PEOPLE
from kg.rca.diagnosis import LookAlike, Near, TellingCheck, Understood
from kg.rca.facts import answer_of
from kg.rca.statements import Statement, Statements
from kg.vocab import Vocabulary

ALIKE = 0.5
"""From this likeness of symptoms on two cases are look-alikes, whatever was seen."""

MOST = 4
_CHECKS = 4
_PER_KIND = 2


@dataclass(frozen=True)
class LookAlikes:
    """Finds the look-alikes among the cases looked at."""

    graph: IncidentGraph
    vocabulary: Vocabulary
    statements: Statements
    understood: Understood
    gone: Collection[str]

    def among(self, near: Sequence[Near]) -> tuple[LookAlike, ...]:
        """The pairs, those that matter most first.

        A pair has different confirmed causes, of each some not ruled out; at least one of the two
        may be called similar; and their symptoms are alike (`ALIKE`), or both show exactly the
        same of what was seen, so that nothing that was said tells them apart. Ranked by likeness
        × both weights.
        """
        found = []
        standing = [n for n in near if self._stands(n.case_id)]
        for a, b in combinations(sorted(standing, key=lambda n: n.case_id), 2):
            if not (a.similar or b.similar):
                continue
            if same_cause(self.graph, self.vocabulary, a.case_id, b.case_id) is SameCause.NO:
                pair = self._pair(a.case_id, b.case_id)
                if pair:
                    found.append((-pair.likeness * a.weight * b.weight, a.case_id, b.case_id, pair))
        found.sort(key=lambda row: row[:3])
        return tuple(pair for *_, pair in found[:MOST])

    def _stands(self, case_id: str) -> bool:
        return bool(set(self.statements.terms(case_id, ClaimKind.CAUSE)) - set(self.gone))

    def _pair(self, a: str, b: str) -> LookAlike | None:
        mine, theirs = self._symptoms(a), self._symptoms(b)
        likeness = self.likeness(mine, theirs)
        seen_a, seen_b = self._seen(mine), self._seen(theirs)
        if likeness < ALIKE and not (seen_a and seen_a == seen_b):
            return None
        cause_a, cause_b = self._cause(a), self._cause(b)
        checks = [*self._checks(a, b), *self._checks(b, a)]
        return LookAlike(
            a, b, round(likeness, 6), self._shared(mine, theirs), cause_a, cause_b, _best(checks)
        )

    def likeness(self, a: Mapping[str, Statement], b: Mapping[str, Statement]) -> float:
        """Shared over joint weight of two sets of symptoms, widened up the hierarchy, 0 to 1."""
        left = widen(dict.fromkeys(a, 1.0), self.vocabulary)
        right = widen(dict.fromkeys(b, 1.0), self.vocabulary)
        shared, joint = [], []
        for term in {*left, *right}:
            rarity = self.graph.terms.rarity_by_term(term)
            pair = (left.get(term, 0.0), right.get(term, 0.0))
            shared.append(rarity * min(pair))
            joint.append(rarity * max(pair))
        whole = math.fsum(joint)
        return math.fsum(shared) / whole if whole else 0.0

    def _symptoms(self, case_id: str) -> dict[str, Statement]:
        return self.statements.terms(case_id, ClaimKind.SYMPTOM)

    def _seen(self, symptoms: Mapping[str, Statement]) -> set[str]:
        """The symptoms seen here that a case shows, itself or more precisely."""
        above = {up for t in symptoms for up in self.vocabulary.broader_steps(t)}
        return {t for t in self.understood.seen if t.startswith("symptom:")} & above

    def _shared(self, a: Mapping[str, Statement], b: Mapping[str, Statement]) -> tuple[str, ...]:
        rarity = self.graph.terms.rarity_by_term
        return tuple(sorted(set(a) & set(b), key=lambda t: (-rarity(t), t)))

    def _cause(self, case_id: str) -> Statement:
        found = self.statements.some(case_id, ClaimKind.CAUSE, Status.CONFIRMED)
        return min(found, key=lambda s: (s.role != Role.PRIMARY, s.claim_id))

    def _checks(self, mine: str, other: str) -> Iterator[tuple[float, TellingCheck]]:
        """What one case says that sets it apart from the other, with a rank; lower is better."""
        yield from self._excluded(mine, other)
        for number, role in enumerate((Role.DIAGNOSED, Role.DETECTED)):
            for s in self.statements.some(
                mine, ClaimKind.DETECTION, Status.CONFIRMED, roles=[role]
            ):
                for tool in set(s.terms) - TOLD_BY_PEOPLE:
                    yield 1.0 + 3.0 * number, self._check("tool", tool, mine, s)
        for rank, kind in ((2.0, ClaimKind.SYMPTOM), (3.0, ClaimKind.TRIGGER)):
            yield from self._only(kind, mine, other, rank)
        yield from self._only(ClaimKind.COMPONENT, mine, other, 5.0)

    def _excluded(self, mine: str, other: str) -> Iterator[tuple[float, TellingCheck]]:
        """Causes of the other case that this one could rule out."""
        causes = self.statements.terms(other, ClaimKind.CAUSE)
        above = {up for cause in causes for up in self.vocabulary.broader_steps(cause)}
        for s in self.statements.some(mine, ClaimKind.CAUSE, Status.RULED_OUT):
            for term in s.terms:
                if term in above:
                    yield 0.0, self._check("ruled_out", term, mine, s)

    def _only(
        self, kind: ClaimKind, mine: str, other: str, rank: float
    ) -> Iterator[tuple[float, TellingCheck]]:
        """Terms of a kind to which the other case has nothing akin, nor names it; rarest first."""
        theirs = {
            up
            for t in self.statements.terms(other, kind)
            for up in self.vocabulary.broader_steps(t)
        }
        for term, s in self.statements.terms(mine, kind).items():
            above = set(self.vocabulary.broader_steps(term))
            if term in theirs or above & set(self.statements.terms(other, kind)):
                continue
            if self.statements.names(self.vocabulary, other, term):
                continue  # told there in other words, and not listed
            if kind is not ClaimKind.COMPONENT or s.role == Role.FAILED:
                rarity = self.graph.terms.rarity_by_term(term)
                yield rank + 1.0 / (1.0 + rarity), self._check(str(kind), term, mine, s)

    def _check(self, kind: str, term: str, case_id: str, statement: Statement) -> TellingCheck:
        answer = answer_of(self.vocabulary, term, self.understood)
        return TellingCheck(kind, term, case_id, statement, answer)


def _best(checks: Sequence[tuple[float, TellingCheck]]) -> tuple[TellingCheck, ...]:
    """The most telling checks, a few of each kind, each term once."""
    kept: list[TellingCheck] = []
    for _, check in sorted(checks, key=lambda p: (p[0], p[1].term, p[1].points_to)):
        if any((k.term, k.points_to) == (check.term, check.points_to) for k in kept):
            continue
        if sum(k.kind == check.kind for k in kept) < _PER_KIND:
            kept.append(check)
    return tuple(kept[:_CHECKS])
