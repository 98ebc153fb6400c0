"""How likely each cause is: what like cases had, and what the library has taught besides."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from kg.model import ClaimKind
from kg.rca.prediction import CausePrediction
from kg.rca.statements import Statements

SHARED = 0.8
"""How often a relevant case has the cause of the incident. Measured with the shipped incidents,
each asked for by its symptoms without itself: of cases relevant with 5 % and more, 33 had a cause
in common where their probabilities add up to 38.5."""

AT_LEAST = 0.05
"""Cases less likely to be relevant have no voice of their own; the predictor weighs them."""


class Voices:
    """What like cases say of the cause, as one story at most can be the one of the incident.

    A case that is relevant with probability p tells the story of the incident with q = SHARED p.
    Taken as independent events of which at most one comes true, case i does with o_i / (1 + Σ o)
    and none of them with 1 / (1 + Σ o), where o = q / (1 - q) are the odds.

    An incident speaks for all its causes, as they came together. A report on many events (a
    series, a study) tells as many stories as it has causes, and each has its share.

    Attributes:
        parts: case id -> the probability that its story is the one, 0 to 1.
        rest: the probability that none is.
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
        self._causes: dict[str, list[str]] = {}
        for case_id, probability in sorted(likely.items()):
            if probability < AT_LEAST:
                continue
            causes = [t for t in statements.terms(case_id, ClaimKind.CAUSE) if t not in gone]
            if causes:
                told = SHARED * probability
                odds[case_id] = told / (1.0 - told)
                self._causes[case_id] = causes
        whole = 1.0 + math.fsum(odds.values())
        self.parts: Mapping[str, float] = {i: o / whole for i, o in odds.items()}
        self.rest = 1.0 / whole
        self._alone = {i: statements.is_incident(i) for i in odds}

    def believed(self, predictions: Sequence[CausePrediction]) -> list[CausePrediction]:
        """The predictions with the voices before them.

        A cause has the parts of all cases that confirm it, and what is left goes by prediction.

        Returns:
            Predictions by probability, ties by id. The weights of the support are what each case
            contributes to the probability.
        """
        learned = {p.cause: p for p in predictions}
        heard: dict[str, dict[str, float]] = defaultdict(dict)
        for case_id, causes in self._causes.items():
            share = 1.0 if self._alone[case_id] else 1.0 / len(causes)
            for cause in causes:
                heard[cause][case_id] = self.parts[case_id] * share
        found = []
        for cause in {*heard, *learned}:
            prediction = learned.get(cause, CausePrediction(cause, 0.0, ()))
            rest = self.rest * prediction.probability
            probability = min(1.0, math.fsum(heard[cause].values()) + rest)
            support = _added(heard[cause], prediction.support, rest)
            found.append(CausePrediction(cause, round(probability, 6), support))
        return sorted(found, key=lambda p: (-p.probability, p.cause))


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
