"""An explanation of two cases as one paragraph, in English or Korean."""

from __future__ import annotations

from collections.abc import Mapping

from kg.graph import IncidentGraph
from kg.model import Case
from kg.queries.differences import only
from kg.queries.explanation import Explanation
from kg.queries.mentions import Mentions
from kg.queries.sharing import SameCause
from kg.queries.sides import Side, case_side, standing
from kg.queries.tell_causes import CauseTeller
from kg.queries.tell_differences import DifferenceTeller, Told
from kg.queries.tell_shared import SharedTeller
from kg.queries.tell_stated import StatedCauses
from kg.queries.wording import Words
from kg.vocab import Vocabulary

MOST_SYMPTOMS = 3
"""So many symptoms of each case are named beside a hit of a search."""


def tell(
    graph: IncidentGraph, vocabulary: Vocabulary, found: Explanation, left: Side, right: Side
) -> str:
    """The paragraph: the verdict on the causes, what is shared, what differs."""
    words = Words(vocabulary, found.lang)
    causes, others = CauseTeller(graph, words), DifferenceTeller(words)
    sentences = [
        *causes.verdict(found),
        *causes.kinds(found),
        *causes.nearness(found),
        *causes.counterparts(found),
        *SharedTeller(graph, words, found.caveats).sentences(found.shared, left, right),
        *causes.links(found),
        *others.contrasts(found.contrasts, found.caveats),
        *others.excluded(found.excluded),
        *others.denials(found.denied_a, right),
        *others.denials(found.denied_b, left),
        others.symptoms(
            left,
            _symptoms(found.only_a, found.told_a),
            right,
            _symptoms(found.only_b, found.told_b),
        ),
        *others.times(found),
    ]
    return " ".join(s for s in sentences if s)


def difference(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    a: Case,
    b: Case,
    verdict: SameCause,
    lang: str,
    mentions: Mentions | None = None,
) -> str:
    """What sets two cases apart, in one or two sentences.

    `mentions`: of this vocabulary, where many pairs are told.
    """
    words = Words(vocabulary, lang)
    left, right = case_side(graph, a), case_side(graph, b)
    only_a, only_b = (
        _symptoms(only(vocabulary, one, other, ()), standing(one.sayings))
        for one, other in ((left, right), (right, left))
    )
    told = StatedCauses(graph, words).of_both(a.id, b.id) if verdict is not SameCause.YES else ""
    causes = f"{words.say('What differs:', '다른 점:')} {told}." if told else ""
    symptoms = DifferenceTeller(words, mentions).symptoms(
        left, only_a, right, only_b, MOST_SYMPTOMS
    )
    return " ".join(s for s in (causes, symptoms) if s)


def _symptoms(only: Mapping[str, tuple[str, ...]], told: Told) -> Told:
    return {term: told[term] for term in only.get("symptom", ())}
