"""Which cause an incident may have, from what is seen of it: learned from a library.

Every cause of the vocabulary gets a score, the weighted sum of few kinds of evidence
(`kg.rca.evidence`): how common it and its class are, what a regression on the cases says, how near
the text is to the cause's description, and how the cases that are alike vote. The weights are
shared by all causes and learned from the library by leaving each case out in turn
(`kg.rca.choice`). The softmax of the scores says which cause it is; going up the hierarchy,
probabilities add up. All is deterministic and takes well under a second for a few hundred cases.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kg.graph import IncidentGraph
from kg.rca.causes import Causes, confirmed_causes, incidents_of
from kg.rca.choice import fit_weights, probabilities
from kg.rca.described import Descriptions, Tokenize
from kg.rca.evidence import KINDS, Evidence
from kg.rca.rows import Rows, seen_terms
from kg.rca.sighting import CausePrediction, Sighting
from kg.rca.trust import Trust, log_odds
from kg.vocab import Vocabulary

Scores = NDArray[np.float64]

__all__ = ["CausePrediction", "CausePredictor", "Sighting"]

STRENGTHS = (0.3, 1.0, 3.0, 10.0, 30.0)
"""Ridges that are tried; the one under which left-out cases are explained best is kept."""
HOLD = 2.0
"""How firmly weights are held to `LEARNING`, see `fit_weights`."""
ENOUGH = 12
"""Cases with sightings from which the weights are learned rather than taken by hand."""
MOST_PRACTICE = 1000
"""Sightings that the weights are learned from, evenly spread over those there are."""

LEARNING: Mapping[str, float] = {
    "share": 0.8,
    "class_share": 0.5,
    "learned": 0.3,
    "class_learned": 0.2,
    "meaning": 0.3,
    "alike": 0.2,
    "covered": 0.2,
    "votes": 0.2,
}
"""Weights where learning begins, set by hand. That of the votes stays: a library does not know how
alike its own cases are by the lanes of a search, which tell more than what stands in for them."""

BY_HAND: Mapping[str, float] = {**LEARNING, "share": 1.0, "class_share": 0.0, "votes": 1.0}
"""Weights where nothing can be learned: shares and votes then add up to a smoothed vote."""


@dataclass(frozen=True)
class LeftOut:
    """Predictions for cases that were left out, to judge a library by.

    Attributes:
        cases: the case of each sighting, (n,).
        causes: the causes of the level.
        probabilities: (n, causes).
        marks: which causes the cases do have, (n, causes) of 0 and 1.
    """

    cases: tuple[str, ...]
    causes: tuple[str, ...]
    probabilities: Scores
    marks: Scores


class CausePredictor:
    """Learned once from the confirmed causes of the incidents of a library.

    Ruled-out and suspected causes never count as causes of a case.

    Attributes:
        cases: ids of the cases learned from, sorted.
        weights: weight of each kind of evidence.
        strength: the ridge that was chosen; 0 where nothing was learned.
    """

    def __init__(
        self,
        graph: IncidentGraph,
        vocabulary: Vocabulary,
        case_vectors: Mapping[str, NDArray[np.float32]] | None = None,
        *,
        incidents: Iterable[str] | None = None,
        case_terms: Mapping[str, Mapping[str, float]] | None = None,
        term_vectors: Mapping[str, NDArray[np.float32]] | None = None,
        tokenize: Tokenize | None = None,
        practice: Sequence[tuple[str, Sighting]] = (),
        kinds: Collection[str] = KINDS,
    ) -> None:
        """Learn from a library.

        Args:
            graph: of the library.
            vocabulary: its terms.
            case_vectors: case id -> unit vector of what is told of the case besides its cause.
            incidents: the cases to learn from; all of kind incident where not given. Those
                without a confirmed cause teach nothing.
            case_terms: case id -> terms seen in it with weights, 0 to 1; the symptoms,
                components, triggers and factors that it states where not given.
            term_vectors: cause -> unit vectors of its descriptions, (descriptions, dimension).
            tokenize: text -> words, as in the words of sightings; plain words where not given.
            practice: (case id, sighting): how cases would be sighted, such as by their symptoms
                alone. The weights are learned from it; where not given they are set by hand.
            kinds: the kinds of evidence that count, of `KINDS`.
        """
        chosen = incidents_of(graph) if incidents is None else incidents
        stated = confirmed_causes(graph, chosen)
        self._causes = Causes(vocabulary, {c for found in stated.values() for c in found})
        self.cases = tuple(stated)
        terms = seen_terms(graph, self.cases) if case_terms is None else case_terms
        rows = Rows(vocabulary, self.cases, case_vectors or {}, terms)
        described = Descriptions(vocabulary, self._causes.ids, term_vectors or {}, tokenize)
        known = sorted((p for p in practice if p[0] in stated), key=lambda pair: pair[0])
        learned_from = _spread(known, MOST_PRACTICE)
        self._evidence = Evidence(self._causes, stated, rows, described, learned_from)
        self._several = _mean_causes(stated)
        count = len(self._causes)
        self._left_out_marks, self._left_out_chance = np.zeros((0, count)), np.zeros((0, count))
        self.weights: Mapping[str, float] = {k: BY_HAND[k] * (k in kinds) for k in KINDS}
        self.strength = 0.0
        if len({c for c, _ in learned_from}) >= ENOUGH:
            self._learn_weights(kinds)

    def predict(self, sighting: Sighting, level: int | None = None) -> list[CausePrediction]:
        """Causes by probability, best first; equal ones by id.

        Args:
            sighting: what is seen.
            level: 1 for the most general causes, 2 for those directly below and so on; a cause
                that cases state less finely stands for itself. None gives the causes as cases
                may state them.
        """
        chance = self._chance(sighting)
        added = self._evidence.support(sighting, self.weights)
        ids, member = self._causes.up(level)
        sure = self._probabilities(chance[None], level)[0]
        found = []
        for column, cause in enumerate(ids):
            mine = member[:, column] > 0
            support = self._support(added[:, mine], chance[mine])
            found.append(CausePrediction(cause, float(sure[column]), support))
        return sorted(found, key=lambda p: (-p.probability, p.cause))

    def within(self, sighting: Sighting) -> list[CausePrediction]:
        """The probability of each cause together with all narrower ones, by id, without support.

        One function of the shares that add up serves all: a cause is at least as likely as each
        one below it, and as it is alone (`predict`).
        """
        shares = np.minimum(1.0, self._causes.closure @ self._chance(sighting))
        sure = self._trust(shares)
        pairs = zip(self._causes.ids, sure.tolist(), strict=True)
        return [CausePrediction(cause, p, ()) for cause, p in pairs]

    def novelty(self, sighting: Sighting) -> float:
        """The probability that the incident has no cause that a case of the library has, 0 to 1."""
        known = self._evidence.marks.any(axis=0)
        return float(
            self._unknown(_novelty_odds(self._chance(sighting)[None], known.reshape(1, -1)))[0]
        )

    def left_out(self, level: int | None = None) -> LeftOut:
        """What is predicted of the practised sightings when their own case is left out."""
        ids, member = self._causes.up(level)
        marks = np.minimum(self._left_out_marks @ member, 1.0)
        cases = tuple(self.cases[i] for i in self._evidence.practised)
        return LeftOut(cases, ids, self._probabilities(self._left_out_chance, level), marks)

    def _chance(self, sighting: Sighting) -> Scores:
        """The probability that each cause is the one, adding up to 1 over those not ruled out."""
        chance = probabilities(self._evidence.of(sighting), _listed(self.weights))
        left = np.where(self._causes.below(sighting.ruled_out), 0.0, chance)
        whole = float(left.sum())
        return left / whole if whole > 0 else left

    def _probabilities(self, chance: Scores, level: int | None) -> Scores:
        """The probability of each cause of a level: (n, causes) -> (n, causes of the level).

        One function of the shares that add up in a cause serves all levels: so the order is that
        of the shares, and a class is at least as likely as what lies below it.
        """
        _, member = self._causes.up(level)
        return self._trust(np.minimum(1.0, chance @ member))

    @cached_property
    def _trust(self) -> Callable[[Scores], Scores]:
        """How shares become probabilities: fitted on left-out cases, on causes and on classes."""
        if not self.strength:
            return self._among
        odds, right, weights = [], [], []
        for level in (None, 1):
            _, member = self._causes.up(level)
            shares = np.minimum(1.0, self._left_out_chance @ member)
            odds.append(log_odds(shares).ravel())
            right.append(np.minimum(self._left_out_marks @ member, 1.0).ravel())
            weights.append(np.full(shares.size, 1.0 / member.shape[1]))
        often = np.concatenate(weights)
        return Trust.fitted(np.concatenate(odds), np.concatenate(right), often / often.mean())

    def _among(self, shares: Scores) -> Scores:
        """The probability of being among as many causes as a case has on average."""
        return np.asarray(1.0 - (1.0 - np.minimum(1.0, shares)) ** self._several)

    @cached_property
    def _unknown(self) -> Callable[[Scores], Scores]:
        """How the odds of a new cause become a probability."""
        if not self.strength:
            return _from_odds
        others = self._evidence.marks.sum(axis=0) - self._left_out_marks > 0.5
        new = ~(others & (self._left_out_marks > 0)).any(axis=1)
        odds = _novelty_odds(self._left_out_chance, others)
        fitted = Trust.fitted(odds, new.astype(np.float64))
        return lambda given: fitted(_from_odds(given))

    def _support(self, added: Scores, chance: Scores) -> tuple[tuple[str, float], ...]:
        """Cases that raise causes (cases, causes), each cause counting by its probability."""
        whole = float(chance.sum())
        share = chance / whole if whole > 0 else np.zeros(len(chance))
        total = np.round(added @ share, 6)
        pairs = [(c, float(w)) for c, w in zip(self.cases, total, strict=True) if w > 0]
        return tuple(sorted(pairs, key=lambda pair: (-pair[1], pair[0])))

    def _learn_weights(self, kinds: Collection[str]) -> None:
        """Choose the ridge and the weights under which left-out cases are explained best."""
        start = np.array([LEARNING[kind] * (kind in kinds) for kind in KINDS])
        free = np.array([kind != "votes" and kind in kinds for kind in KINDS])
        best: tuple[float, float, Scores] = (math.inf, STRENGTHS[0], start)
        for strength in STRENGTHS:
            self._evidence.learn(strength)
            features, marks = self._evidence.of_known()
            weights, missed = fit_weights(features, marks, start, free, HOLD)
            if missed < best[0] - 1e-9:
                best = (missed, strength, weights)
        self.strength = best[1]
        self._evidence.learn(self.strength)
        self.weights = dict(zip(KINDS, best[2].tolist(), strict=True))
        features, self._left_out_marks = self._evidence.of_known()
        self._left_out_chance = probabilities(features, best[2])


def _listed(weights: Mapping[str, float]) -> Scores:
    return np.array([weights[kind] for kind in KINDS])


def _novelty_odds(chance: Scores, known: NDArray[np.bool_]) -> Scores:
    """How much speaks for causes that no case has, beside the likeliest that some case has."""
    unknown = np.where(known, 0.0, chance).sum(axis=1)
    best = np.where(known, chance, 0.0).max(axis=1, initial=0.0)
    return np.asarray((log_odds(unknown) - log_odds(best)) / 2.0)


def _from_odds(odds: Scores) -> Scores:
    return np.asarray(1.0 / (1.0 + np.exp(-odds)))


def _mean_causes(stated: Mapping[str, Sequence[str]]) -> float:
    """How many causes a case has on average, 1 or more."""
    return sum(map(len, stated.values())) / len(stated) if stated else 1.0


def _spread(practice: Sequence[tuple[str, Sighting]], most: int) -> Sequence[tuple[str, Sighting]]:
    """At most so many, evenly spread, the first and the last among them."""
    count = len(practice)
    if count <= most:
        return practice
    return [practice[i * (count - 1) // (most - 1)] for i in range(most)]
