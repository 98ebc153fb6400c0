"""What further observations do to how likely each case is to be relevant: they raise, never lower.

Bayes' rule in odds. An observed term that a case confirms, itself or more precisely, multiplies the
odds of that case by how much likelier such an observation is in a like incident than in any. A
case may also tell of it in its words, so that the text is searched for again with the labels. What
neither says lowers no case: it may have shown the same and not have written it down.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from kg.graph import IncidentGraph, Relation
from kg.model import Status

LIKE = 0.5
"""How often a like incident shows what was observed. Set by hand: records tell half of it."""

MOST = 10.0
"""One observation multiplies the odds by so much at most. Set by hand."""

MOST_TOGETHER = 20.0
"""All of them together, as what is seen together is not independent. Set by hand."""

NEAR = 0.1
"""A case as likely by the text alone keeps its place, see `raised`."""

SHOWN_BY = {
    "cause": Relation.CAUSED_BY,
    "trigger": Relation.TRIGGERED_BY,
    "factor": Relation.CONTRIBUTED_BY,
    "component": Relation.AFFECTS,
    "symptom": Relation.EXHIBITS,
}
"""What a case can show. That somebody looked at a tool or tried a step makes no case more alike."""


def raised(
    graph: IncidentGraph,
    likely: Mapping[str, float],
    again: Mapping[str, float],
    observed: Iterable[str],
    told: Mapping[str, float],
) -> dict[str, float]:
    """The probabilities of all cases after some observations; none falls.

    A case that confirms something observed, and is near by the text alone (`NEAR`), stays
    no lower than every case that it was no lower than, unless that one confirms something observed
    that it does not.

    Args:
        graph: of the library.
        likely: case id -> probability that it is relevant, by the text alone, 0 to 1.
        again: the same by the text together with the labels of what was observed.
        observed: the terms that were observed.
        told: terms that the text tells of -> confidence; so much of an observation is known.

    Returns:
        Case id -> probability, in the order given.
    """
    shown: dict[str, dict[str, float]] = {}
    for term in sorted(set(observed)):
        for case_id, gain in _gains(graph, term, told.get(term, 0.0)):
            shown.setdefault(case_id, {})[term] = gain
    most = math.log(MOST_TOGETHER)
    found = {
        i: max(_moved(p, min(most, math.fsum(shown.get(i, {}).values()))), again.get(i, 0.0))
        for i, p in likely.items()
    }
    kept = dict(found)
    for case_id, terms in shown.items():
        before = likely.get(case_id, 0.0)
        if before >= NEAR:
            below = (
                found[i] for i, p in likely.items()
                if p <= before and shown.get(i, {}).keys() <= terms.keys()
            )  # fmt: skip
            kept[case_id] = max(found[case_id], max(below, default=0.0))
    return kept


def _gains(graph: IncidentGraph, term: str, told: float) -> Iterator[tuple[str, float]]:
    """The cases that confirm a term, and what that adds to their log-odds."""
    relation = SHOWN_BY.get(term.partition(":")[0])
    if relation is not None:
        showing = graph.cases_of(term, narrower=True, status=Status.CONFIRMED, relations=[relation])
        gain = weight_of(len(showing), len(graph.terms.cases)) * (1.0 - told)
        yield from ((case_id, gain) for case_id in showing)


def weight_of(cases: int, every: int) -> float:
    """What an observation adds to the log-odds of a case that shows it: never below 0.

    The logarithm of `LIKE` over the share of cases that show it, (n + 0.5) / (N + 1), at most that
    of `MOST`.
    """
    share = (cases + 0.5) / (every + 1.0)
    return min(math.log(MOST), max(0.0, math.log(LIKE / share)))


def _moved(probability: float, by: float) -> float:
    if by <= 0 or not 0 < probability < 1:
        return probability
    odds = probability / (1.0 - probability) * math.exp(by)
    return odds / (1.0 + odds)
