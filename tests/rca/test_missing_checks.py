"""Checks that like investigations made: by how often they settled a case, or by expected gain."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.graph import IncidentGraph
from kg.rca import Diagnosis
from kg.rca.checks import (
    EXCLUDED,
    LEAST,
    MOST,
    NOTICED,
    SMOOTHING,
    Checks,
    entropy,
    expected_gain,
    with_rest,
)
from kg.rca.diagnosis import Check
from kg.rca.facts import resolve_facts, understand
from kg.rca.statements import Statements
from tests.helpers import twins
from tests.helpers.planted import LIKELY, PLANTED_VOCABULARY, SEEN, diagnose, planted_cases
from tests.helpers.tiny import make_case

CASES = planted_cases()
GRAPH = IncidentGraph(CASES, PLANTED_VOCABULARY)


def finder(text_terms: tuple[str, ...] = ()) -> Checks:
    u = understand(PLANTED_VOCABULARY, [], resolve_facts(PLANTED_VOCABULARY, list(text_terms)))
    return Checks(GRAPH, PLANTED_VOCABULARY, Statements({c.id: c for c in CASES}), u)


def check_of(found: Diagnosis | tuple[Check, ...], term: str) -> Check | None:
    checks = found.checks if isinstance(found, Diagnosis) else found
    return next((c for c in checks if c.term == term), None)


def test_a_tool_is_worth_the_weight_of_the_cases_that_were_diagnosed_with_it() -> None:
    found = diagnose()
    weights = {n.case_id: n.weight for n in found.near}
    tool = check_of(found, "tool:link-test")
    assert tool is not None
    assert (tool.n, tool.of) == (1, 2), "P-1 and P-2 say how they were found"
    assert tool.worth == pytest.approx(weights["P-2"] / (weights["P-1"] + weights["P-2"]), abs=1e-5)
    assert [s.case_id for s in tool.said] == ["P-2"]
    assert tool.gain is None


def test_where_it_found_nothing_is_said_as_well() -> None:
    tool = check_of(diagnose(), "tool:flight-recorder")
    assert tool is not None
    assert [s.case_id for s in tool.said] == ["P-1"]
    assert [s.case_id for s in tool.missed] == ["P-2"]


def test_a_first_sign_or_a_routine_counts_a_quarter() -> None:
    weights = {"P-2": 0.6, "P-4": 0.2}
    found = finder().missing(weights, {})
    first = check_of(found, "tool:exposure")
    assert first is not None
    assert (first.n, first.said) == (0, ())
    assert [s.case_id for s in first.noticed] == ["P-4"]
    assert first.worth == pytest.approx(NOTICED * 0.2 / 0.8)


def test_of_first_signs_only_two_are_told() -> None:
    tools = [f"tool:{t}" for t in ("flight-recorder", "exposure", "link-test")]
    claims = [("detection", t, "confirmed", "detected") for t in tools]
    cases = [make_case("Q-1", ("symptom", "symptom:slow"), ("cause", "cause:link-down"), *claims)]
    found = diagnose("slow training", cases=cases, likely={"Q-1": 0.9}).checks
    assert [c.kind for c in found] == ["tool", "tool"]
    assert all(c.n == 0 and c.noticed for c in found)


def test_a_cause_that_a_like_case_could_rule_out_is_a_check() -> None:
    weights = {"P-1": 0.6, "P-2": 0.3, "P-3": 0.1}
    excluded = check_of(finder().missing(weights, {}), "cause:link-down")
    assert excluded is not None
    assert excluded.worth == pytest.approx(EXCLUDED * 0.6)
    assert (excluded.n, excluded.of) == (1, 3)


@pytest.mark.parametrize(
    "known", [{"observed": ["link test"]}, {"ruled_out": ["link test"]}], ids=["looked", "clean"]
)
def test_what_was_looked_at_is_no_missing_check(known: dict[str, list[str]]) -> None:
    assert check_of(diagnose(), "tool:link-test")
    assert check_of(diagnose(**known), "tool:link-test") is None  # type: ignore[arg-type]


def test_nor_is_what_the_text_names_or_denies() -> None:
    assert (
        check_of(diagnose(f"{SEEN}; the flight recorder was dumped"), "tool:flight-recorder")
        is None
    )
    assert check_of(diagnose(f"{SEEN}, no link down"), "cause:link-down") is None
    assert check_of(diagnose(f"{SEEN} after a version upgrade"), "trigger:upgrade") is None


def test_a_question_is_asked_where_the_answer_separates_the_hypotheses() -> None:
    found = diagnose()
    asked = check_of(found, "trigger:upgrade")
    assert asked is not None
    assert asked.kind == "trigger"
    assert asked.gain is not None
    assert asked.gain > 0
    prior = with_rest({h.cause: h.probability for h in found.hypotheses})
    assert asked.worth == pytest.approx(asked.gain / entropy(prior.values()), abs=1e-5)
    assert [s.case_id for s in asked.said] == ["P-1"]


def test_no_question_where_there_is_nothing_to_separate() -> None:
    weights = {n.case_id: n.weight for n in diagnose().near}
    for beliefs in ({}, {"cause:mismatch": 1.0}):
        assert check_of(finder().missing(weights, beliefs), "trigger:upgrade") is None


def test_the_most_telling_come_first_and_there_are_only_a_few() -> None:
    tools = [f"tool:{t}" for t in ("flight-recorder", "exposure", "link-test")]
    claims = [("detection", t, "confirmed", "diagnosed") for t in tools]
    claims += [("cause", c, "ruled_out") for c in
               ("cause:ecc-error", "cause:race", "cause:software", "cause:hardware",
                "cause:gpu-fault", "cause:mismatch")]  # fmt: skip
    cases = [make_case("Q-1", ("symptom", "symptom:slow"), ("cause", "cause:link-down"), *claims)]
    found = diagnose("slow training", cases=cases, likely={"Q-1": 0.9}).checks
    assert len(found) == MOST < len(claims)
    assert [c.kind for c in found[:3]] == ["tool"] * 3
    assert [c.worth for c in found] == sorted((c.worth for c in found), reverse=True)


def chances_by_hand(term: str, cause: str) -> float:
    incidents = {c.id for c in CASES if c.kind == "incident"}
    relation = "EXHIBITS" if term.startswith("symptom") else "TRIGGERED_BY"
    args = (GRAPH, PLANTED_VOCABULARY, incidents)
    having = twins.cases_with(*args, term, [relation], ["confirmed"])
    base = (len(having) + 0.5) / (len(incidents) + 1)
    if not cause:
        return base
    cases = twins.cases_with(*args, cause, ["CAUSED_BY"], ["confirmed"])
    return (len(cases & having) + SMOOTHING * base) / (len(cases) + SMOOTHING)


@pytest.mark.parametrize("term", ["symptom:failure", "symptom:slow", "trigger:upgrade"])
def test_chances_are_counted_over_incidents_and_smoothed(term: str) -> None:
    causes = ("cause:mismatch", "cause:link-down", "cause:hardware")
    checks = finder()
    confirmed = {
        c: frozenset(
            twins.cases_with(
                GRAPH, PLANTED_VOCABULARY, ["P-1", "P-2", "P-3", "P-4"], c, ["CAUSED_BY"],
                ["confirmed"],
            )
        )
        for c in causes
    }  # fmt: skip
    found = checks.chances(term, confirmed)
    assert found == pytest.approx({c: chances_by_hand(term, c) for c in (*causes, "")})


def gain_by_hand(prior: Mapping[str, float], chances: Mapping[str, float]) -> float:
    """Mutual information of cause and finding, from their joint table."""
    joint = {(c, yes): p * (chances[c] if yes else 1 - chances[c]) for c, p in prior.items()
             for yes in (True, False)}  # fmt: skip
    seen = {yes: math.fsum(v for (_, y), v in joint.items() if y is yes) for yes in (True, False)}
    return math.fsum(
        v * math.log2(v / (prior[c] * seen[y])) for (c, y), v in joint.items() if v > 0
    )


@given(
    st.lists(st.tuples(st.floats(0.01, 1), st.floats(0.01, 0.99)), min_size=1, max_size=5),
)
def test_gain_is_the_mutual_information(rows: list[tuple[float, float]]) -> None:
    whole = math.fsum(p for p, _ in rows)
    prior = {f"c{n}": p / whole for n, (p, _) in enumerate(rows)}
    chances = {f"c{n}": q for n, (_, q) in enumerate(rows)}
    gain = expected_gain(prior, chances)
    assert gain == pytest.approx(gain_by_hand(prior, chances), abs=1e-9)
    assert 0 <= gain <= entropy(prior.values()) + 1e-9


def test_a_finding_that_decides_between_two_takes_a_whole_bit() -> None:
    prior = {"a": 0.5, "b": 0.5}
    assert expected_gain(prior, {"a": 1.0, "b": 0.0}) == pytest.approx(1.0)
    assert expected_gain(prior, {"a": 0.3, "b": 0.3}) == pytest.approx(0.0)


@given(st.dictionaries(st.sampled_from("abcd"), st.floats(0.0, 1.0)))
def test_beliefs_are_made_exclusive_with_a_rest(beliefs: dict[str, float]) -> None:
    prior = with_rest(beliefs)
    assert math.fsum(prior.values()) == pytest.approx(1.0)
    rest = max(0.0, 1 - math.fsum(beliefs.values()))
    assert prior.get("", 0.0) == pytest.approx(rest / max(1.0, math.fsum(beliefs.values())))


def test_entropy_is_shannons() -> None:
    assert entropy([0.5, 0.25, 0.25]) == pytest.approx(1.5)
    assert entropy([1.0, 0.0]) == 0.0


def test_where_nothing_is_similar_checks_come_from_cases_that_show_the_same() -> None:
    found = diagnose("training job failure", likely={"P-1": 0.05})
    assert found.abstention is not None
    assert found.abstention.reason == "nothing_similar"
    terms = {c.term for c in found.checks}
    assert "tool:flight-recorder" in terms, "P-1 shows a narrower failure"
    assert "tool:exposure" in terms
    assert all(c.gain is None for c in found.checks)
    assert diagnose("something odd", likely={"P-1": 0.05}).checks == ()


def test_every_statement_of_a_check_names_what_it_is_about() -> None:
    for check in diagnose(likely={**LIKELY, "P-4": 0.5}).checks:
        for s in (*check.said, *check.noticed, *check.missed):
            assert check.term in s.terms
        assert 0 <= check.worth <= 1
        assert check.gain is None or check.worth >= LEAST
