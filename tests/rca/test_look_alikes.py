"""Cases that look alike and differ in cause are warned of, with what tells them apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.graph import IncidentGraph
from kg.rca.facts import resolve_facts, understand
from kg.rca.look_alikes import ALIKE, LookAlikes
from kg.rca.statements import Statements
from tests.helpers import twins
from tests.helpers.planted import LIKELY, PLANTED_VOCABULARY, SEEN, diagnose, planted_cases
from tests.helpers.tiny import make_case

CASES = planted_cases()
GRAPH = IncidentGraph(CASES, PLANTED_VOCABULARY)
SYMPTOMS = sorted(t for t in PLANTED_VOCABULARY.terms if t.startswith("symptom:"))


def test_the_planted_pair_is_warned_of_and_the_checks_are_named() -> None:
    (pair,) = diagnose().look_alikes
    assert (pair.a, pair.b) == ("P-1", "P-2")
    assert pair.likeness == 1.0
    assert set(pair.shared) == {"symptom:nccl-timeout", "symptom:slow"}
    assert pair.cause_a.terms == ("cause:mismatch",)
    assert pair.cause_b.terms == ("cause:link-down",)
    assert [(c.kind, c.term, c.points_to) for c in pair.checks] == [
        ("ruled_out", "cause:link-down", "P-1"),
        ("tool", "tool:flight-recorder", "P-1"),
        ("tool", "tool:link-test", "P-2"),
        ("trigger", "trigger:upgrade", "P-1"),
    ]


def test_each_check_is_a_claim_of_the_case_that_it_points_to() -> None:
    cases = {c.id: dict(c.claim_ids()) for c in CASES}
    for check in diagnose().look_alikes[0].checks:
        assert check.statement.case_id == check.points_to
        assert check.term in cases[check.points_to][check.statement.claim_id].terms


def test_a_tool_that_missed_it_tells_nothing_apart() -> None:
    (pair,) = diagnose().look_alikes
    assert ("tool:flight-recorder", "P-2") not in {(c.term, c.points_to) for c in pair.checks}


def test_a_check_that_was_answered_says_so() -> None:
    (pair,) = diagnose(observed=["version upgrade"]).look_alikes
    assert [c.answer for c in pair.checks if c.term == "trigger:upgrade"] == ["yes"]
    (pair,) = diagnose(f"{SEEN}, we ran the link test", ruled_out=["flight recorder"]).look_alikes
    answers = {c.term: c.answer for c in pair.checks}
    assert answers["tool:link-test"] == "yes"
    assert answers["tool:flight-recorder"] == "no"


def pair_of(*extra: tuple[str, ...], likely: float = 0.7, text: str = "slow training") -> object:
    cases = [
        make_case("Q-1", ("symptom", "symptom:slow"), ("cause", "cause:race"), *extra),
        make_case("Q-2", ("symptom", "symptom:slow"), ("cause", "cause:link-down")),
    ]
    found = diagnose(text, cases=cases, likely={"Q-1": 0.7, "Q-2": likely})
    return found.look_alikes[0] if found.look_alikes else None


def test_a_symptom_that_one_alone_shows_tells_them_apart() -> None:
    pair = pair_of(("symptom", "symptom:nccl-timeout"))
    assert [(c.kind, c.term, c.points_to) for c in pair.checks] == [  # type: ignore[attr-defined]
        ("symptom", "symptom:nccl-timeout", "Q-1")
    ]


def test_a_part_that_failed_in_one_alone_does_so_last() -> None:
    pair = pair_of(
        ("component", "component:h100", "confirmed", "failed"),
        ("component", "component:nccl", "confirmed", "involved"),
        ("detection", "tool:exposure", "confirmed", "detected"),
    )
    told = [(c.kind, c.term) for c in pair.checks]  # type: ignore[attr-defined]
    assert told == [("tool", "tool:exposure"), ("component", "component:h100")]


def test_without_such_a_claim_the_warning_stands_alone() -> None:
    pair = pair_of()
    assert pair is not None
    assert pair.checks == ()  # type: ignore[attr-defined]


def test_a_narrower_symptom_of_the_other_is_nothing_of_its_own() -> None:
    cases = [
        make_case("Q-1", ("symptom", "symptom:failure"), ("cause", "cause:race")),
        make_case("Q-2", ("symptom", "symptom:nccl-timeout"), ("cause", "cause:link-down")),
    ]
    (pair,) = diagnose(
        "training job failure", cases=cases, likely={"Q-1": 0.7, "Q-2": 0.7}
    ).look_alikes
    assert pair.checks == ()
    assert 0 < pair.likeness < 1


def test_one_of_the_two_must_be_similar_to_the_text() -> None:
    assert pair_of(likely=0.2) is not None
    cases = [
        make_case("Q-0", ("symptom", "symptom:failure"), ("cause", "cause:ecc-error")),
        make_case("Q-1", ("symptom", "symptom:slow"), ("cause", "cause:race")),
        make_case("Q-2", ("symptom", "symptom:slow"), ("cause", "cause:link-down")),
    ]
    found = diagnose(
        "training job failure", cases=cases, likely={"Q-0": 0.9, "Q-1": 0.3, "Q-2": 0.3}
    )
    assert found.look_alikes == ()


def test_cases_of_one_cause_are_no_look_alikes() -> None:
    cases = [
        make_case("Q-1", ("symptom", "symptom:slow"), ("cause", "cause:race")),
        make_case("Q-2", ("symptom", "symptom:slow"), ("cause", "cause:race")),
        make_case("Q-3", ("symptom", "symptom:slow"), ("cause", "cause:link-down", "suspected")),
    ]
    found = diagnose("slow training", cases=cases, likely={c.id: 0.7 for c in cases})
    assert found.look_alikes == (), "a suspected cause is none to differ in"


def test_unlike_symptoms_are_no_likeness_unless_nothing_else_was_seen() -> None:
    wide = [("symptom", s) for s in ("symptom:nccl-timeout", "symptom:slow")]
    cases = [
        make_case("Q-1", *wide, ("cause", "cause:race")),
        make_case("Q-2", ("symptom", "symptom:slow"), ("cause", "cause:link-down")),
    ]
    near = {"Q-1": 0.7, "Q-2": 0.7}
    (pair,) = diagnose("slow training", cases=cases, likely=near).look_alikes
    assert pair.likeness < ALIKE
    assert diagnose(SEEN, cases=cases, likely=near).look_alikes == ()
    assert diagnose("A100 broken", cases=cases, likely=near).look_alikes == ()


@given(st.sets(st.sampled_from(SYMPTOMS)), st.sets(st.sampled_from(SYMPTOMS)))
def test_likeness_is_shared_over_joint_weight(a: set[str], b: set[str]) -> None:
    rows = {c.id: twins.weights(GRAPH, PLANTED_VOCABULARY, c.id) for c in CASES}
    counts = twins.frequencies(rows)

    def widened(terms: set[str]) -> dict[str, float]:
        found: dict[str, float] = {}
        for t in terms:
            for up, steps in twins.above(PLANTED_VOCABULARY, t).items():
                found[up] = max(found.get(up, 0.0), 0.5**steps)
        return found

    left, right = widened(a), widened(b)
    both = {t: twins.rarity(counts.get(t, 0), len(CASES)) for t in {*left, *right}}
    shared = sum(r * min(left.get(t, 0.0), right.get(t, 0.0)) for t, r in both.items())
    joint = sum(r * max(left.get(t, 0.0), right.get(t, 0.0)) for t, r in both.items())
    u = understand(PLANTED_VOCABULARY, [], resolve_facts(PLANTED_VOCABULARY))
    finder = LookAlikes(
        GRAPH, PLANTED_VOCABULARY, Statements({c.id: c for c in CASES}), u, frozenset()
    )
    found = finder.likeness(dict.fromkeys(a), dict.fromkeys(b))  # type: ignore[arg-type]
    assert found == pytest.approx(shared / joint if joint else 0.0)
    assert found == finder.likeness(dict.fromkeys(b), dict.fromkeys(a))  # type: ignore[arg-type]


def test_the_pair_that_counts_most_comes_first() -> None:
    found = diagnose("slow training", likely={**LIKELY, "P-5": 0.9})
    weights = {n.case_id: n.weight for n in found.near}
    ranks = [p.likeness * weights[p.a] * weights[p.b] for p in found.look_alikes]
    assert len(ranks) == 2
    assert ranks == sorted(ranks, reverse=True)
