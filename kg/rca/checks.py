"""Missing checks: what like investigations looked at and nobody has mentioned yet."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from kg.graph import IncidentGraph, Relation
from kg.model import ClaimKind, Role, Status
from kg.rca.diagnosis import Check, Understood
from kg.rca.facts import kin
from kg.rca.statements import Statement, Statements
from kg.vocab import Vocabulary

MOST = 8
_QUESTIONS, _ROUTINE = 3, 2
_QUOTED = 3
NOTICED = 0.25
"""A tool that brought the first sign, or is looked at by routine, counts so much of one that found
the cause."""

EXCLUDED = 0.75
"""Ruling a cause out counts so much of finding it."""

SMOOTHING = 2.0
"""Weight of the whole library in what a cause is said to show, in cases."""

LEAST = 0.05
"""Questions that take away less than this share of the uncertainty are not asked."""

TOLD_BY_PEOPLE = frozenset(
    {
        "tool:on-call-page",
        "tool:staff-report",
        "tool:user-report",
        "tool:provider-notice",
        "tool:human-watch",
        "tool:post-incident-investigation",
    }
)
"""Ways in which somebody came to know of it. During an incident there is nothing to look at."""


@dataclass(frozen=True)
class Checks:
    """Finds checks among cases that are weighted by how much they count."""

    graph: IncidentGraph
    vocabulary: Vocabulary
    statements: Statements
    understood: Understood
    hinted: frozenset[str] = frozenset()

    def missing(
        self, weights: Mapping[str, float], beliefs: Mapping[str, float]
    ) -> tuple[Check, ...]:
        """The checks worth making, the most telling first.

        Args:
            weights: case id -> how much it counts, 0 to 1.
            beliefs: cause -> probability, of the hypotheses; empty when there are none.
        """
        tools = sorted(self._tools(weights), key=self._order)
        routine = [c for c in tools if not c.n][:_ROUTINE]
        found = [*(c for c in tools if c.n), *routine, *self._causes(weights)]
        asked = sorted(self._questions(weights, beliefs), key=self._order)[:_QUESTIONS]
        return tuple(sorted([*found, *asked], key=self._order)[:MOST])

    def _order(self, check: Check) -> tuple[float, float, str]:
        """Worth, and among equals the rarer term: it says more than what everybody looks at."""
        return -check.worth, -round(self.graph.terms.rarity_by_term(check.term), 6), check.term

    def _known(self) -> set[str]:
        """Terms that were mentioned in any way; what is akin to them needs no asking."""
        u = self.understood
        return {*u.seen, *u.ruled_out, *(t.term for t in (*u.denied, *u.perhaps))}

    def _tools(self, weights: Mapping[str, float]) -> Iterator[Check]:
        by_role: dict[str, dict[str, list[Statement]]] = defaultdict(lambda: defaultdict(list))
        stating = set()
        for case_id in _ordered(weights):
            for s in self.statements.some(
                case_id, ClaimKind.DETECTION, Status.CONFIRMED, Status.SUSPECTED
            ):
                stating.add(case_id)
                for tool in s.terms:
                    by_role[tool][s.role or ""].append(s)
        whole = math.fsum(weights[i] for i in stating)
        known = {t for k in self._known() for t in self.vocabulary.broader_steps(k)}
        for tool, roles in by_role.items():
            used = roles[Role.DIAGNOSED]
            noticed = [*roles[Role.DETECTED], *roles[Role.CHECK_ITEM]]
            if tool in known or tool in TOLD_BY_PEOPLE or not (used or noticed):
                continue
            found = {s.case_id for s in used}
            looked = {s.case_id for s in noticed} - found
            share = _sum(weights, found) + NOTICED * self._first(weights, looked)
            yield Check(
                kind="tool",
                term=tool,
                worth=round(share / whole, 6) if whole else 0.0,
                gain=None,
                n=len(found),
                of=len(stating),
                said=tuple(used[:_QUOTED]),
                noticed=tuple(noticed[:_QUOTED]),
                missed=tuple(roles[Role.MISSED][:_QUOTED]),
            )

    def _first(self, weights: Mapping[str, float], cases: set[str]) -> float:
        """The weight of cases that looked at a tool, a list of all that is checked shared out."""
        return math.fsum(weights[i] / max(1, self._items(i)) for i in sorted(cases))

    def _items(self, case_id: str) -> int:
        """How many things a report on many events lists as checked."""
        if self.statements.is_incident(case_id):
            return 1
        roles = [Role.CHECK_ITEM]
        return sum(1 for _ in self.statements.some(case_id, ClaimKind.DETECTION, roles=roles))

    def _causes(self, weights: Mapping[str, float]) -> Iterator[Check]:
        """Causes that like cases could rule out."""
        found: dict[str, list[Statement]] = defaultdict(list)
        stating = set()
        for case_id in _ordered(weights):
            for s in self.statements.some(case_id, ClaimKind.CAUSE):
                stating.add(case_id)
                for term in s.terms if s.status is Status.RULED_OUT else ():
                    found[term].append(s)
        whole = math.fsum(weights[i] for i in stating)
        for term, said in found.items():
            if not self._known() & kin(self.vocabulary, term):
                cases = {s.case_id for s in said}
                yield Check(
                    kind="cause",
                    term=term,
                    worth=round(EXCLUDED * _sum(weights, cases) / whole, 6) if whole else 0.0,
                    gain=None,
                    n=len(cases),
                    of=len(stating),
                    said=tuple(said[:_QUOTED]),
                )

    def _questions(
        self, weights: Mapping[str, float], beliefs: Mapping[str, float]
    ) -> Iterator[Check]:
        prior = with_rest(beliefs)
        before = entropy(prior.values())
        if len(beliefs) < 2 or before <= 0:
            return
        shown = self._stated(weights)
        known = self._known() | self.hinted
        causes = {c: self._incidents(c, Relation.CAUSED_BY) for c in beliefs}
        for term, said in shown.items():
            if known & kin(self.vocabulary, term):
                continue
            gain = expected_gain(prior, self.chances(term, causes))
            if gain / before >= LEAST:
                yield Check(
                    kind=term.partition(":")[0],
                    term=term,
                    worth=round(gain / before, 6),
                    gain=round(gain, 6),
                    n=len({s.case_id for s in said}),
                    of=len(weights),
                    said=tuple(said[:_QUOTED]),
                )

    def _stated(self, weights: Mapping[str, float]) -> dict[str, list[Statement]]:
        """Each symptom and trigger that a case states, with all cases that state it or a narrower.

        Of a case the statement of the term itself comes before those of narrower ones.
        """
        shown: dict[str, list[Statement]] = {}
        told = {
            i: self.statements.terms(i, ClaimKind.SYMPTOM)
            | self.statements.terms(i, ClaimKind.TRIGGER)
            for i in _ordered(weights)
        }
        for term in sorted({t for terms in told.values() for t in terms}):
            below = self.vocabulary.narrower_all(term)
            for terms in told.values():
                found = [t for t in (term, *sorted(below - {term})) if t in terms]
                shown.setdefault(term, []).extend(terms[t] for t in found[:1])
        return shown

    def chances(self, term: str, causes: Mapping[str, frozenset[str]]) -> dict[str, float]:
        """How often incidents of each cause state a term, smoothed by how often all do.

        The m-estimate (Cestnik 1990): (with + m × share of all) / (cases + m). A case that does
        not state the term counts as one without it, so shares are lower bounds. "" stands for
        any other cause, of which the share of all is taken.
        """
        relation = Relation.EXHIBITS if term.startswith("symptom:") else Relation.TRIGGERED_BY
        having = self._incidents(term, relation)
        every = sum(map(self.statements.is_incident, self.graph.terms.cases))
        base = (len(having) + 0.5) / (every + 1.0)
        found = {
            cause: (len(cases & having) + SMOOTHING * base) / (len(cases) + SMOOTHING)
            for cause, cases in causes.items()
        }
        return {**found, "": base}

    def _incidents(self, term: str, relation: Relation) -> frozenset[str]:
        """The incidents that confirm a term or a narrower one."""
        found = self.graph.cases_of(
            term, narrower=True, status=Status.CONFIRMED, relations=[relation]
        )
        return frozenset(filter(self.statements.is_incident, found))


def with_rest(beliefs: Mapping[str, float]) -> dict[str, float]:
    """Probabilities of exclusive causes that add up to 1; "" is any other cause.

    Hypotheses may hold together; here one of them is taken to be the answer sought.
    """
    rest = max(0.0, 1.0 - math.fsum(beliefs.values()))
    whole = math.fsum([*beliefs.values(), rest])
    return {c: p / whole for c, p in [*sorted(beliefs.items()), ("", rest)] if p > 0}


def expected_gain(prior: Mapping[str, float], chances: Mapping[str, float]) -> float:
    """Bits by which a yes-or-no finding is expected to narrow the causes down.

    The expected fall of entropy (Lindley 1956, "On a measure of the information provided by an
    experiment"; for diagnosis de Kleer and Williams 1987): H(C) − Σ P(answer) H(C | answer).

    Args:
        prior: cause -> probability, adding up to 1.
        chances: cause -> probability of the finding under it.
    """
    after = 0.0
    for positive in (True, False):
        joint = {c: p * (chances[c] if positive else 1.0 - chances[c]) for c, p in prior.items()}
        total = math.fsum(joint.values())
        if total > 0:
            after += total * entropy(v / total for v in joint.values())
    return max(0.0, entropy(prior.values()) - after)


def entropy(probabilities: Iterable[float]) -> float:
    """Shannon's entropy in bits (1948)."""
    return -math.fsum(p * math.log2(p) for p in probabilities if p > 0)


def _ordered(weights: Mapping[str, float]) -> list[str]:
    return sorted(weights, key=lambda i: (-weights[i], i))


def _sum(weights: Mapping[str, float], cases: set[str]) -> float:
    return math.fsum(weights[i] for i in sorted(cases))
