"""What is observed besides the text raises the cases that show it, and lowers none."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.graph import IncidentGraph
from kg.model import Status
from kg.rca.observing import LIKE, MOST, MOST_TOGETHER, NEAR, raised, weight_of
from tests.helpers import twins
from tests.helpers.planted import PLANTED_VOCABULARY, planted_cases

CASES = {c.id: c for c in planted_cases()}
GRAPH = IncidentGraph(CASES.values(), PLANTED_VOCABULARY)
KINDS = {"cause", "trigger", "factor", "component", "symptom"}
TERMS = sorted(
    t for t in PLANTED_VOCABULARY.terms if t.partition(":")[0] in {*KINDS, "tool", "mitigation"}
)

probabilities = st.fixed_dictionaries({i: st.floats(0.0, 1.0) for i in sorted(CASES)})
observations = st.sets(st.sampled_from(TERMS), max_size=3)


def shows(case_id: str, term: str) -> bool:
    """Whether a case confirms a term or a narrower one as something that can be seen."""
    below = twins.below(PLANTED_VOCABULARY, term)
    return term.partition(":")[0] in KINDS and any(
        claim.kind == term.partition(":")[0]
        and claim.status is Status.CONFIRMED
        and below & set(claim.terms)
        for claim in CASES[case_id].claims
    )


@given(probabilities, probabilities, observations)
def test_no_case_falls(
    before: dict[str, float], again: dict[str, float], observed: set[str]
) -> None:
    after = raised(GRAPH, before, again, observed, {})
    assert list(after) == list(before)
    assert all(after[i] >= before[i] for i in before)
    assert all(0 <= p <= 1 for p in after.values())


@given(probabilities, probabilities, observations)
def test_a_near_case_that_shows_what_was_observed_keeps_its_place(
    before: dict[str, float], again: dict[str, float], observed: set[str]
) -> None:
    after = raised(GRAPH, before, again, observed, {})
    shown = {i: {t for t in observed if shows(i, t)} for i in before}
    for i in before:
        for j in before:
            keeps = before[i] >= NEAR and shown[i] and shown[j] <= shown[i]
            if keeps and before[i] >= before[j]:
                assert after[i] >= after[j] - 1e-12


@given(probabilities, observations)
def test_by_itself_an_observation_is_bayes_rule_in_odds(
    before: dict[str, float], observed: set[str]
) -> None:
    after = raised(GRAPH, before, {}, observed, {})
    for i, p in before.items():
        factor = 1.0
        for term in observed:
            if shows(i, term):
                n = sum(shows(j, term) for j in CASES)
                factor *= min(MOST, max(1.0, LIKE / ((n + 0.5) / (len(CASES) + 1.0))))
        factor = min(MOST_TOGETHER, factor)
        expected = p * factor / (1 - p + p * factor) if 0 < p < 1 else p
        floor = max((after[j] for j in before if before[j] <= p and after[j] < after[i]), default=0)
        assert after[i] == pytest.approx(expected) or after[i] >= max(expected, floor) - 1e-9


def test_what_the_text_has_told_counts_once() -> None:
    before = {"P-4": 0.3, "P-1": 0.2}
    new = raised(GRAPH, before, {}, ["cause:ecc-error"], {})
    told = raised(GRAPH, before, {}, ["cause:ecc-error"], {"cause:ecc-error": 1.0})
    assert new["P-4"] > 0.3 == told["P-4"]
    assert new["P-1"] == told["P-1"] == 0.2


def test_rarer_things_say_more_and_common_ones_nothing() -> None:
    weights = [weight_of(n, 100) for n in range(101)]
    assert weights == sorted(weights, reverse=True)
    assert weights[0] == pytest.approx(math.log(MOST))
    assert weights[60:] == [0.0] * 41


def test_a_tool_that_was_looked_at_makes_no_case_more_alike() -> None:
    before = {"P-2": 0.3}
    assert raised(GRAPH, before, {}, ["tool:link-test", "mitigation:replace"], {}) == before


def test_the_words_of_a_case_may_tell_of_it_as_well() -> None:
    assert raised(GRAPH, {"P-3": 0.1}, {"P-3": 0.6}, ["symptom:failure"], {}) == {"P-3": 0.6}
