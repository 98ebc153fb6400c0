"""Putting a diagnosis together."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kg.graph import IncidentGraph
from kg.graph.compact import widen
from kg.model import Case, ClaimKind
from kg.queries import Hits
from kg.queries.sharing import KIND_WEIGHTS
from kg.rca.beliefs import Voices
from kg.rca.changes import changes
from kg.rca.checks import Checks
from kg.rca.diagnosis import Abstention, Diagnosis, Hypothesis, Near, Understood
from kg.rca.facts import Facts, labels_of, out_of_question, understand, weighed
from kg.rca.hypotheses import Ground, guesses_of, left_by_word, named_causes
from kg.rca.look_alikes import LookAlikes
from kg.rca.mitigations import Remedies
from kg.rca.near import DEPENDENT, Guess, near_cases, resting_on, weakened
from kg.rca.prediction import CausePredictor, Sighting
from kg.rca.statements import Statements
from kg.rca.unknowns import unknowns
from kg.rca.wording import abstention_text
from kg.vocab import Tag, Vocabulary

UNSURE = 0.2
"""No hypothesis is offered where no cause is as likely."""

SURE = 0.8
"""A text without any known term must find a case at least this likely to be relevant: cases that
are only alike in their words have not reached it (`docs/diagnosis.md`)."""

GENERAL = 8
"""Where nothing is similar, checks come from the cases that share most of what was seen."""


@dataclass(frozen=True)
class Asked:
    """What a diagnosis is made from.

    Attributes:
        text: what the user wrote.
        lang: language of the answer.
        tags: the terms found in the text.
        facts: the terms that the user adds.
        hits: the answer of the search.
        likeness: case id -> how like the text it is, on any scale; of all cases.
        likely: case id -> probability that it is relevant, 0 to 1; of all cases.
        vector, words: of the text, as the predictor takes them; None and none where not known.
        hinted: terms that the text may have told of, however unsurely; nobody asks for them.
    """

    text: str
    lang: str
    tags: Sequence[Tag]
    facts: Facts
    hits: Hits
    likeness: Mapping[str, float]
    likely: Mapping[str, float]
    vector: NDArray[np.float32] | None = None
    words: frozenset[str] = frozenset()
    hinted: frozenset[str] = frozenset()


class Diagnoser:
    """Makes diagnoses over the cases of a library."""

    def __init__(
        self,
        graph: IncidentGraph,
        vocabulary: Vocabulary,
        cases: Mapping[str, Case],
        predictor: CausePredictor,
    ) -> None:
        self._graph = graph
        self._vocabulary = vocabulary
        self._cases = cases
        self._predictor = predictor
        self._statements = Statements(cases)

    def diagnose(self, asked: Asked, previous: Diagnosis | None = None) -> Diagnosis:
        """The diagnosis of what was asked; `changes` compares it with an earlier one."""
        understood = understand(self._vocabulary, asked.tags, asked.facts)
        gone = out_of_question(self._vocabulary, asked.facts.ruled_out)
        sighting = Sighting(
            likeness=weakened(self._statements, asked.likeness, gone),
            terms=weighed(understood, gone),
            ruled_out=gone,
            vector=asked.vector,
            words=asked.words,
        )
        voices = Voices(self._statements, self._speaking(asked, gone), gone)
        predictions = voices.believed(self._predictor.predict(sighting))
        within = voices.within(self._vocabulary, self._predictor.within(sighting))
        unknown = voices.silent + voices.rest * self._predictor.novelty(sighting)
        guesses = guesses_of(
            self._vocabulary, self._statements, predictions, within, understood, gone, asked.likely
        )
        unknown *= left_by_word(self._vocabulary, understood, gone)
        named = named_causes(understood)
        # What is named may be unknown to the predictor as well; it is not counted twice.
        at_most = 1.0 - max((g.probability for g in guesses if g.cause in named), default=0.0)
        novelty = round(min(unknown, at_most), 4)
        told = max((g.probability for g in guesses), default=0.0)
        best = max(told, *(p.probability for p in predictions if p.cause not in gone), 0.0)
        abstention = self._abstention(asked.hits, understood, guesses, best, gone)
        guesses = [] if abstention else guesses
        near = near_cases(self._statements, asked.hits, asked.likely, guesses, gone, asked.lang)
        return self._made(asked, understood, gone, near, guesses, novelty, abstention, previous)

    def _made(
        self,
        asked: Asked,
        understood: Understood,
        gone: frozenset[str],
        near: tuple[Near, ...],
        guesses: Sequence[Guess],
        novelty: float,
        abstention: Abstention | None,
        previous: Diagnosis | None,
    ) -> Diagnosis:
        ground = Ground(self._vocabulary, self._statements, near, understood, asked.text, gone)
        hypotheses = ground.all(guesses)
        beliefs = {h.cause: h.probability for h in hypotheses}
        parts = (self._graph, self._vocabulary, self._statements, understood)
        remedies = Remedies(self._vocabulary, self._statements, understood, gone)
        # Of cases that are not, or hardly, like the text nothing further is told.
        unlike = abstention is not None and abstention.reason in ("nothing_similar", "no_terms")
        told = () if unlike else near
        reason = abstention and replace(abstention, text=abstention_text(abstention, asked.lang))
        made = Diagnosis(
            text=asked.text,
            lang=asked.lang,
            understood=understood,
            similar=asked.hits,
            near=near,
            hypotheses=hypotheses,
            suspicions=tuple(ground.suspicions(told, beliefs, gone)),
            look_alikes=LookAlikes(*parts, gone).among(told),
            checks=Checks(*parts, asked.hinted).missing(
                self._weights(told, understood), rivals(hypotheses)
            ),
            mitigations=remedies.of(ClaimKind.MITIGATION, told, beliefs),
            follow_ups=remedies.of(ClaimKind.FOLLOW_UP, told, beliefs),
            set_aside=remedies.set_aside(told),
            novelty=novelty,
            unknown=unknowns(
                self._vocabulary, self._statements, self._cases, told, hypotheses, understood,
                novelty, asked.lang,
            ),
            abstention=reason,
            changes=None,
            labels={},
        )  # fmt: skip
        known = _terms(made) | (_terms(previous) if previous else set())
        made = replace(made, labels=labels_of(self._vocabulary, known))
        if previous is None:
            return made
        return replace(made, changes=changes(self._vocabulary, previous, made))

    def _speaking(self, asked: Asked, gone: Collection[str]) -> dict[str, float]:
        """How likely each case is to be relevant, those halved that rest on what is ruled out.

        Cases folded into a hit tell what it tells, and have no voice beside it.
        """
        folded = {i for h in (*asked.hits.items, *asked.hits.weaker) for i in h.repeated}
        return {
            i: p * (DEPENDENT if resting_on(self._statements, i, gone) else 1.0)
            for i, p in asked.likely.items()
            if i not in folded
        }

    def _abstention(
        self,
        hits: Hits,
        understood: Understood,
        guesses: Sequence[Guess],
        best: float,
        gone: Collection[str],
    ) -> Abstention | None:
        """Why no hypothesis is offered, or None."""
        if not len(hits):
            nearest = tuple((h.id, h.level) for h in hits.weaker)
            return Abstention("nothing_similar", best, line=hits.threshold, nearest=nearest)
        if not understood.seen and max(h.level for h in hits) < SURE:
            return Abstention("no_terms", best)
        if any(g.probability >= UNSURE for g in guesses):
            return None
        causes = {t for i in hits.ids for t in self._statements.terms(i, ClaimKind.CAUSE)}
        if not causes:
            return Abstention("no_cause", best)
        return Abstention("all_ruled_out" if causes <= set(gone) else "too_unsure", best)

    def _weights(self, near: Sequence[Near], understood: Understood) -> dict[str, float]:
        """How much each case counts for the checks.

        Where no case is alike, those that share most of what was seen: the share of the weight
        of its terms that they state.
        """
        if near:
            return {n.case_id: n.weight for n in near}
        seen = widen(understood.seen, self._vocabulary)
        whole = sum(
            w * self._graph.terms.rarity_by_term(t) * KIND_WEIGHTS.get(t.partition(":")[0], 0.0)
            for t, w in sorted(seen.items())
        )
        shared = self._graph.terms.overlap(seen, KIND_WEIGHTS)
        pairs = zip(self._graph.terms.cases, shared.tolist(), strict=True)
        found = sorted(((i, v) for i, v in pairs if v > 0), key=lambda p: (-p[1], p[0]))
        return {i: round(v / whole, 6) for i, v in found[:GENERAL]} if whole else {}


def rivals(hypotheses: Sequence[Hypothesis]) -> dict[str, float]:
    """The causes between which checks are to decide: one of each story, as the others came with it.

    Of a cause and a narrower one the first alone counts, as both may hold.

    Returns:
        Cause -> probability.
    """
    found: dict[str, float] = {}
    for h in hypotheses:
        broader = {o.cause for o in hypotheses if h.cause in o.includes}
        if not {*h.together, *h.includes, *broader} & set(found):
            found[h.cause] = h.probability
    return found


def _terms(made: Diagnosis) -> set[str]:
    """Every term that a diagnosis names."""
    u = made.understood
    found = {*u.seen, *u.observed, *u.ruled_out, *(t.term for t in (*u.named, *u.meant, *u.denied))}
    found |= {t.term for t in u.perhaps} | {t for h in made.hypotheses for t in h.together}
    found |= {t for s in made.evidence for t in (*s.terms, *s.addresses)}
    found |= {t for n in made.near for t in n.depends_on}
    found |= {h.cause for h in made.hypotheses} | {s.because for s in made.set_aside}
    found |= {t for p in made.look_alikes for t in (*p.shared, *(c.term for c in p.checks))}
    found |= {c.term for c in made.checks} | {x.about for x in made.unknown if ":" in x.about}
    remedies = (*made.mitigations, *made.follow_ups)
    found |= {t for r in remedies for t in (r.term, *r.causes, *r.does_not_cover)}
    return found
