"""How likely each cause is: what like cases had, and what the library has taught besides."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from kg.model import ClaimKind, Role, Status
from kg.rca.prediction import CausePrediction
from kg.rca.statements import Statements
from kg.vocab import Vocabulary

SHARED = 0.8
"""How often a relevant case has the cause of the incident. Measured with the shipped incidents,
each asked for by its symptoms without itself: of cases relevant with 5 % and more, 33 had a cause
in common where their probabilities add up to 38.5."""

AT_LEAST = 0.05
"""Cases less likely to be relevant have no voice of their own; the predictor weighs them."""


REPORT = 0.25
"""How much of that a report on many events has: it may be like the text and yet no event of it the
one sought. Set by hand, so that a report alone carries no hypothesis past 20 %."""

SILENT = 0.5
"""The same of a case that confirms no cause. Set by hand: its cause may as well be one that other
cases have as one that nobody knows."""

LEARNED = 0.2
"""What was learned from all incidents, unlike ones too, carries no cause further by itself; where
like cases speak for it, no further than they do."""

SECONDARY = 0.5
"""How much of its case's part a cause has that is not the primary one, or that only explains why
nobody noticed. Set by hand: it made things worse or longer, and did not set them off."""

WATCHING = "mitigation:improve-monitoring"
"""What is done about a cause for which something was not noticed."""


class Voices:
    """What like cases say of the cause, as one story at most can be the one of the incident.

    A case that is relevant with probability p tells the story of the incident with q = SHARED p.
    Taken as independent events of which at most one comes true, case i does with o_i / (1 + Σ o)
    and none of them with 1 / (1 + Σ o), where o = q / (1 - q) are the odds.

    An incident speaks for all its causes, as they came together, but for a secondary one with
    half its voice. A report on many events (a series, a study) has a quarter of it and tells as
    many stories as it has causes, ruled out here or not; each has its share. A case without a
    confirmed cause tells a story as well, with half a voice (`SILENT`), and names no cause.

    Attributes:
        parts: case id -> the probability that its story is the one, 0 to 1.
        rest: the probability that none is.
        silent: the probability that it is that of a case whose cause nobody confirmed.
    """

    def __init__(
        self,
        statements: Statements,
        likely: Mapping[str, float],
        gone: Collection[str] = (),
    ) -> None:
        """Listen to the like cases.

        Args:
            statements: of the library.
            likely: case id -> probability that it is relevant, of the cases that may speak.
            gone: terms that are ruled out, with all narrower ones: of these none can speak.
        """
        odds: dict[str, float] = {}
        quiet: list[float] = []
        self._shares: dict[str, dict[str, float]] = {}
        for case_id, probability in sorted(likely.items()):
            if probability < AT_LEAST:
                continue
            stated = shares_of(statements, case_id)
            shares = {c: s for c, s in stated.items() if c not in gone}
            told = SHARED * probability * (1.0 if statements.is_incident(case_id) else REPORT)
            if shares:
                odds[case_id] = told / (1.0 - told)
                self._shares[case_id] = shares
            elif not stated:
                quiet.append(SILENT * told / (1.0 - SILENT * told))
        whole = 1.0 + math.fsum([*odds.values(), *quiet])
        self.parts: Mapping[str, float] = {i: o / whole for i, o in odds.items()}
        self.rest = 1.0 / whole
        self.silent = math.fsum(quiet) / whole

    def believed(self, predictions: Sequence[CausePrediction]) -> list[CausePrediction]:
        """The predictions with the voices before them.

        A cause has the parts of all cases that confirm it, and what is left goes by prediction,
        which adds no more than they say, or than `LEARNED` if that is more.

        Returns:
            Predictions by probability, ties by id. The weights of the support are what each case
            contributes to the probability.
        """
        learned = {p.cause: p for p in predictions}
        heard: dict[str, dict[str, float]] = defaultdict(dict)
        for case_id, shares in self._shares.items():
            for cause, share in shares.items():
                heard[cause][case_id] = self.parts[case_id] * share
        found = []
        for cause in {*heard, *learned}:
            prediction = learned.get(cause, CausePrediction(cause, 0.0, ()))
            spoken = math.fsum(heard[cause].values())
            rest = min(max(LEARNED, spoken), self.rest * prediction.probability)
            probability = min(1.0, spoken + rest)
            support = _added(heard[cause], prediction.support, rest)
            found.append(CausePrediction(cause, round(probability, 6), support))
        return sorted(found, key=lambda p: (-p.probability, p.cause))

    def within(
        self, vocabulary: Vocabulary, predictions: Sequence[CausePrediction]
    ) -> dict[str, CausePrediction]:
        """The same of each cause together with all that are narrower.

        Of a case that confirms several of them the largest share counts, once: so a cause is at
        least as likely as each that lies below it.

        Args:
            vocabulary: of the library.
            predictions: of each cause with its narrower ones, see `CausePredictor.within`.

        Returns:
            By cause; the support is what like cases contribute.
        """
        learned = {p.cause: p.probability for p in predictions}
        heard: dict[str, dict[str, float]] = defaultdict(dict)
        for case_id, shares in self._shares.items():
            for cause, share in shares.items():
                for above in vocabulary.broader_steps(cause):
                    most = max(share * self.parts[case_id], heard[above].get(case_id, 0.0))
                    heard[above][case_id] = most
        found = {}
        for cause in {*heard, *learned}:
            spoken = math.fsum(heard[cause].values())
            rest = min(max(LEARNED, spoken), self.rest * learned.get(cause, 0.0))
            probability = min(1.0, spoken + rest)
            support = _added(heard[cause], (), 0.0)
            found[cause] = CausePrediction(cause, round(probability, 6), support)
        return found


def shares_of(statements: Statements, case_id: str) -> dict[str, float]:
    """How much of the voice of a case each cause has that it confirms, 0 to 1."""
    causes = statements.terms(case_id, ClaimKind.CAUSE)
    if not statements.is_incident(case_id):
        return {cause: 1.0 / len(causes) for cause in causes}
    # A case whose causes have no primary one among them does not say which is.
    primary = any(s.role == Role.PRIMARY for s in causes.values())
    return {
        cause: SECONDARY
        if (primary and s.role != Role.PRIMARY) or unnoticed(statements, case_id, cause)
        else 1.0
        for cause, s in causes.items()
    }


def unnoticed(statements: Statements, case_id: str, cause: str) -> bool:
    """Whether a cause explains why a case was not noticed rather than what broke.

    So it is where something missed it, and all that was done about the cause was to watch better.
    """
    missed = any(statements.some(case_id, ClaimKind.DETECTION, roles=[Role.MISSED]))
    done = [
        s
        for kind in (ClaimKind.MITIGATION, ClaimKind.FOLLOW_UP)
        for s in statements.some(case_id, kind, Status.CONFIRMED)
        if cause in s.addresses
    ]
    return missed and bool(done) and all(WATCHING in s.terms for s in done)


def _added(
    heard: Mapping[str, float], support: Sequence[tuple[str, float]], learned: float
) -> tuple[tuple[str, float], ...]:
    """What each case contributes, largest first, ties by id: its voice, and what it has taught."""
    parts = defaultdict(float, heard)
    whole = math.fsum(weight for _, weight in support)
    for case_id, weight in support if whole > 0 else ():
        parts[case_id] += learned * weight / whole
    pairs = ((i, round(part, 6)) for i, part in parts.items())
    return tuple(sorted((p for p in pairs if p[1] > 0), key=lambda p: (-p[1], p[0])))
