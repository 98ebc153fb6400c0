"""What was done in like cases, what came of it, and what falls with what is ruled out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kg.model import ClaimKind, Result, Status
from kg.rca.diagnosis import Near, Purpose, Remedy, SetAside, Understood
from kg.rca.statements import Statement, Statements
from kg.vocab import Vocabulary

MOST = 6
_STEPS = 4
_SET_ASIDE = 6

OUTCOME = {
    Result.WORKED: 1.0,
    Result.PARTLY: 0.6,
    Result.UNKNOWN: 0.3,
    Result.FAILED: 0.0,
}
"""How much a step speaks for a remedy, by what came of it. Set by hand: an order, no estimate."""

UNCONFIRMED = 0.5
"""A step counts so much where its case does not confirm the cause that it is for, or no cause."""


@dataclass(frozen=True)
class _Fit:
    """A step that fits some hypothesis (or none, where its case confirms no cause)."""

    step: Statement
    causes: tuple[str, ...]
    sure: bool
    value: float


@dataclass(frozen=True)
class Remedies:
    """Finds remedies among the cases looked at."""

    vocabulary: Vocabulary
    statements: Statements
    understood: Understood
    gone: Collection[str]

    def of(
        self, kind: ClaimKind, near: Sequence[Near], beliefs: Mapping[str, float]
    ) -> tuple[Remedy, ...]:
        """Mitigations or follow-ups for the hypotheses, the most promising first.

        A step belongs to a hypothesis when it addresses that cause or a narrower one; where it
        states no cause, when its case confirms such a one, which is said. Steps of
        similar cases that confirm no cause are kept as well, apart, and serve no hypothesis.
        """
        found: dict[tuple[str, bool], list[_Fit]] = defaultdict(list)
        for case in near:
            for step in self.statements.some(case.case_id, kind, Status.CONFIRMED):
                fit = self._fit(step, case, beliefs)
                for term in step.terms if fit else ():
                    if fit and term not in self.gone:
                        found[term, bool(fit.causes)].append(fit)
        remedies = (self._remedy(term, fits) for (term, _), fits in found.items())
        return tuple(sorted(remedies, key=lambda r: (-r.worth, r.term, not r.causes))[:MOST])

    def set_aside(self, near: Sequence[Near]) -> tuple[SetAside, ...]:
        """Mitigations of the cases looked at that serve only what is ruled out."""
        return tuple(self._fallen(near))[:_SET_ASIDE]

    def _fallen(self, near: Sequence[Near]) -> Iterator[SetAside]:
        for case in near:
            for step in self.statements.some(case.case_id, ClaimKind.MITIGATION, Status.CONFIRMED):
                because = self._because(step)
                if because:
                    yield SetAside(step, because)

    def _because(self, step: Statement) -> str:
        """The ruled-out term with which a step falls; "" where it stands."""
        for term in step.terms:
            if term in self.gone:
                return term
        served = self._served(step)
        return served[0] if served and set(served) <= set(self.gone) else ""

    def _served(self, step: Statement) -> list[str]:
        """The causes that a step is for: those it addresses, else those its case confirms."""
        return list(step.addresses or self.statements.terms(step.case_id, ClaimKind.CAUSE))

    def _fit(self, step: Statement, case: Near, beliefs: Mapping[str, float]) -> _Fit | None:
        if self._because(step):
            return None
        served = self._served(step)
        causes = tuple(c for c in beliefs if self.vocabulary.narrower_all(c) & set(served))
        if not causes and (served or not case.similar):
            return None
        confirmed = set(self.statements.terms(case.case_id, ClaimKind.CAUSE))
        sure = bool(confirmed & set(served))
        strength = max((beliefs[c] for c in causes), default=1.0) * (1.0 if sure else UNCONFIRMED)
        outcome = OUTCOME[Result(step.result)] if step.result else OUTCOME[Result.UNKNOWN]
        return _Fit(step, causes, sure, case.weight * strength * outcome)

    def _remedy(self, term: str, fits: Sequence[_Fit]) -> Remedy:
        ordered = sorted(fits, key=lambda f: (-f.value, f.step.claim_id))
        causes = dict.fromkeys(c for f in ordered for c in f.causes)
        tried = bool(set(self.understood.observed) & set(self.vocabulary.broader_steps(term)))
        return Remedy(
            term=term,
            worth=round(sum(f.value for f in ordered), 6),
            steps=tuple(f.step for f in ordered[:_STEPS]),
            causes=tuple(causes),
            unsure=tuple(sorted({f.step.case_id for f in fits if f.causes and not f.sure})),
            tried=tried,
            does_not_cover=tuple(sorted(self.vocabulary.terms[term].does_not_cover)),
            purposes=tuple(Purpose(f.causes, bool(f.step.addresses)) for f in ordered[:_STEPS]),
        )
