"""Hypotheses: predicted causes with the cases behind them, and what speaks against each."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kg.model import ClaimKind, Role, Status
from kg.rca.beliefs import AT_LEAST
from kg.rca.diagnosis import Hypothesis, Near, Objection, Support, Understood
from kg.rca.facts import meets
from kg.rca.near import Guess
from kg.rca.prediction import CausePrediction
from kg.rca.statements import Statement, Statements
from kg.vocab import Vocabulary

MOST = 5
LEAST = 0.05
"""Causes less likely than this are not offered."""

UNHEARD = 0.2
"""The same for causes of which no like case speaks: only what was learned from unlike ones does."""

DENIED = 0.25
"""What is left of the probability of a cause that the text denies by name. Set by hand: a tagger
may mishear, so such a cause is not struck out as one that the user rules out is."""

_SUPPORTS, _SUSPICIONS, _OBJECTIONS, _SHOWN = 4, 2, 4, 4
_SHOWN_KINDS = (ClaimKind.SYMPTOM, ClaimKind.TRIGGER, ClaimKind.FACTOR, ClaimKind.COMPONENT)


def guesses_of(
    vocabulary: Vocabulary,
    statements: Statements,
    predictions: Sequence[CausePrediction],
    understood: Understood,
    gone: Collection[str],
    likely: Mapping[str, float],
) -> list[Guess]:
    """The causes worth a hypothesis: likely enough by some case, or named by the text or the user.

    Causes that are ruled out are left out; one that only says in general what a likelier one says
    of the same cases is left out too. Among causes of one probability (in whole percent) one that
    was named comes first, then the root cause of the case that counts most.
    """
    denied = {t.term for t in understood.denied}
    named = named_causes(understood)
    found: list[Guess] = []
    for p in predictions:
        if p.cause in gone:
            continue
        hushed = DENIED if denied & set(vocabulary.broader_steps(p.cause)) else 1.0
        total = sum(weight for _, weight in p.support) or 1.0
        shares = {i: weight / total for i, weight in p.support}
        found.append(Guess(p.cause, round(p.probability * hushed, 6), shares))
    found += [Guess(t, 0.0, {}) for t in named - {g.cause for g in found} - set(gone)]
    found.sort(
        key=lambda g: (
            -round(g.probability, 2),
            g.cause not in named,
            not _root(statements, g),
            g.cause,
        )
    )
    kept: list[Guess] = []
    for guess in found:
        heard = any(likely.get(i, 0.0) >= AT_LEAST for i in guess.shares)
        enough = guess.probability >= (LEAST if heard else UNHEARD) and bool(guess.shares)
        if guess.cause in named or (
            enough and len(kept) < MOST and not _told(vocabulary, guess, kept)
        ):
            kept.append(guess)
    return kept


def named_causes(understood: Understood) -> set[str]:
    """The causes that the text names or the user adds; words of the same meaning name none."""
    said = {*(t.term for t in understood.named), *understood.observed} & set(understood.seen)
    return {t for t in said if t.startswith("cause:")}


def _root(statements: Statements, guess: Guess) -> bool:
    """Whether the case with the largest share in a cause has it as its primary one."""
    if not guess.shares:
        return False
    first = min(guess.shares, key=lambda i: (-guess.shares[i], i))
    found = statements.some(first, ClaimKind.CAUSE, Status.CONFIRMED, roles=[Role.PRIMARY])
    return any(guess.cause in s.terms for s in found)


def _told(vocabulary: Vocabulary, guess: Guess, kept: Sequence[Guess]) -> bool:
    """Whether a narrower cause of the same cases is already there."""
    return any(
        guess.cause in vocabulary.broader_steps(k.cause) and set(guess.shares) <= set(k.shares)
        for k in kept
    )


@dataclass(frozen=True)
class Ground:
    """What hypotheses are judged by: the cases looked at and what was understood."""

    vocabulary: Vocabulary
    statements: Statements
    near: Sequence[Near]
    understood: Understood

    def hypothesis(self, guess: Guess) -> Hypothesis:
        """The hypothesis of a guess."""
        support = self._support(guess)
        behind = list(dict.fromkeys(s.statement.case_id for s in support))
        causes = {n.case_id: self._causes(n.case_id) for n in self.near if n.incident}
        below = self.vocabulary.narrower_all(guess.cause)
        return Hypothesis(
            cause=guess.cause,
            probability=guess.probability,
            n=sum(bool(below & c) for c in causes.values()),
            of=sum(bool(c) for c in causes.values()),
            named=guess.cause in named_causes(self.understood),
            support=support,
            suspected=tuple(self._suspected(below))[:_SUSPICIONS],
            against=tuple(self._against(guess.cause, behind))[:_OBJECTIONS],
            shown=tuple(self._shown(behind))[:_SHOWN],
        )

    def suspicions(
        self, near: Sequence[Near], causes: Collection[str], gone: Collection[str]
    ) -> Iterator[Statement]:
        """What similar cases only suspect, beyond the hypotheses and what is ruled out."""
        for case in near:
            for s in self.statements.some(case.case_id, ClaimKind.CAUSE, Status.SUSPECTED):
                said = any(meets(self.vocabulary, c, t) for c in causes for t in s.terms)
                if case.similar and not said and not set(s.terms) <= set(gone):
                    yield s

    def _confirmed(self, case_id: str) -> list[Statement]:
        """The confirmed causes of a case as it states them, the primary one first."""
        found = self.statements.some(case_id, ClaimKind.CAUSE, Status.CONFIRMED)
        return sorted(found, key=lambda s: s.role != Role.PRIMARY)

    def _causes(self, case_id: str) -> set[str]:
        return {t for s in self._confirmed(case_id) for t in s.terms}

    def _support(self, guess: Guess) -> tuple[Support, ...]:
        below = self.vocabulary.narrower_all(guess.cause)
        found = []
        for near in self.near:
            said = [s for s in self._confirmed(near.case_id) if below & set(s.terms)]
            if said:
                share = guess.shares.get(near.case_id, 0.0)
                found.append((near.weight, Support(said[0], round(share, 6))))
        found.sort(key=lambda pair: (-pair[1].share, -pair[0], pair[1].statement.case_id))
        return tuple(support for _, support in found[:_SUPPORTS])

    def _suspected(self, below: Collection[str]) -> Iterator[Statement]:
        for near in self.near:
            for s in self.statements.some(near.case_id, ClaimKind.CAUSE, Status.SUSPECTED):
                if set(s.terms) & set(below):
                    yield s

    def _against(self, cause: str, behind: Sequence[str]) -> Iterator[Objection]:
        above = set(self.vocabulary.broader_steps(cause))
        for tag in self.understood.denied:
            if tag.term in above:
                yield Objection("denied", None, tag)
        for near in self.near:
            for s in self.statements.some(near.case_id, ClaimKind.CAUSE, Status.RULED_OUT):
                if above & set(s.terms):
                    yield Objection("ruled_out", s)
        yield from self._denied(behind)
        for near in self.near:
            causes = self._causes(near.case_id) if near.similar else {}
            if causes and not any(meets(self.vocabulary, cause, c) for c in causes):
                yield Objection("other_cause", self._confirmed(near.case_id)[0])

    def _denied(self, behind: Sequence[str]) -> Iterator[Objection]:
        """Supporting cases that showed what the text or the user says is not there."""
        places = {t.term: t for t in reversed(self.understood.denied)}
        away = [*places, *(t for t in self.understood.ruled_out if t not in places)]
        for case_id in behind:
            for kind in _SHOWN_KINDS:
                for term, statement in self.statements.terms(case_id, kind).items():
                    above = self.vocabulary.broader_steps(term)
                    for gone in (t for t in away if t in above):
                        yield Objection("denied", statement, places.get(gone))

    def _shown(self, behind: Sequence[str]) -> Iterator[Statement]:
        """What was seen and a supporting case states, itself or more precisely."""
        told: set[str] = set()
        for case_id in behind:
            for kind in _SHOWN_KINDS:
                for term, statement in self.statements.terms(case_id, kind).items():
                    seen = set(self.vocabulary.broader_steps(term)) & set(self.understood.seen)
                    if seen - told:
                        told |= seen
                        yield statement
