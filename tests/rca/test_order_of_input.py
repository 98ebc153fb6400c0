"""The same question gives the same diagnosis, whatever the order of what goes in."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.model import Case
from kg.queries import plain
from kg.rca import to_prompt
from kg.rca.html import page
from kg.vocab import Tagger
from tests.helpers.planted import (
    LIKELY,
    PLANTED_VOCABULARY,
    SEEN,
    diagnose,
    planted_cases,
)

FACTS = ["slow training", "link test", "restart", "version upgrade"]


def shuffled(case: Case, seed: int) -> Case:
    """The same case with its claims in another order; their numbers change with it."""
    claims = list(case.claims)
    random.Random(seed).shuffle(claims)
    return case.model_copy(update={"claims": tuple(claims)})


@settings(max_examples=20, deadline=None)
@given(st.permutations(planted_cases()), st.permutations(sorted(LIKELY)))
def test_the_order_of_cases_and_of_their_likeness(cases: list[Case], ids: list[str]) -> None:
    found = diagnose(cases=cases, likely={i: LIKELY[i] for i in ids})
    assert plain(found) == plain(diagnose())


@given(st.permutations(Tagger(PLANTED_VOCABULARY).tag(f"{SEEN}, A100, no ECC error")))
@settings(max_examples=10, deadline=None)
def test_the_order_of_the_terms_found(tags: list[object]) -> None:
    first, second = (
        diagnose(f"{SEEN}, A100, no ECC error", tags=order)
        for order in (tags, sorted(tags))  # type: ignore[type-var, arg-type]
    )
    assert first.understood.seen == second.understood.seen
    assert first.hypotheses == second.hypotheses
    assert first.checks == second.checks
    assert first.mitigations == second.mitigations


@settings(max_examples=10, deadline=None)
@given(st.permutations(FACTS))
def test_the_order_in_which_the_user_adds_facts(facts: list[str]) -> None:
    found, sorted_ = diagnose(observed=facts), diagnose(observed=FACTS)
    assert set(found.understood.observed) == set(sorted_.understood.observed)
    for part in ("hypotheses", "look_alikes", "checks", "mitigations", "follow_ups", "near"):
        assert getattr(found, part) == getattr(sorted_, part)


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_the_claims_of_a_case(seed: int) -> None:
    """Numbers of claims aside, the same is said, and found to be as likely."""
    found = diagnose(cases=[shuffled(c, seed) for c in planted_cases()])
    expected = diagnose()
    assert [(h.cause, h.probability, h.n, h.of) for h in found.hypotheses] == [
        (h.cause, h.probability, h.n, h.of) for h in expected.hypotheses
    ]
    assert [(p.a, p.b, p.likeness) for p in found.look_alikes] == [
        (p.a, p.b, p.likeness) for p in expected.look_alikes
    ]
    for pair, other in zip(found.look_alikes, expected.look_alikes, strict=True):
        assert [(c.kind, c.term, c.points_to) for c in pair.checks] == [
            (c.kind, c.term, c.points_to) for c in other.checks
        ]
    assert [(c.term, c.worth, c.n) for c in found.checks] == [
        (c.term, c.worth, c.n) for c in expected.checks
    ]
    assert [(r.term, r.worth) for r in found.mitigations] == [
        (r.term, r.worth) for r in expected.mitigations
    ]


def test_every_view_gives_the_same_bytes_again() -> None:
    for view in (str, to_prompt, page, lambda d: repr(plain(d))):
        assert view(diagnose()) == view(diagnose())


def test_the_key_changes_when_the_evidence_does() -> None:
    one = diagnose()
    fewer = replace(one, mitigations=(), follow_ups=())
    assert len(fewer.evidence) < len(one.evidence)
    assert fewer.key != one.key
    assert replace(one, text="another").key == one.key, "the text is no evidence"
