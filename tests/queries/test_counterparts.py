"""Terms of different schemes that stand for one circumstance."""

from __future__ import annotations

import json

import pytest

from kg.graph import kind_of
from kg.model import Term
from kg.queries.counterparts import FILE, OTHERS, chosen_pairs, counterparts
from kg.vocab import Vocabulary
from tests.helpers.tiny import term, tiny_vocabulary

IRI = "https://one.example/race"


def pairs(*extra: Term) -> dict[str, tuple[str, ...]]:
    return dict(counterparts(tiny_vocabulary(*extra)))


def test_the_tiny_vocabulary_has_none() -> None:
    assert pairs() == {}


@pytest.mark.parametrize("spelling", ["race condition", "Race  Condition", "경쟁 상태"])
@pytest.mark.parametrize("scheme", OTHERS)
def test_one_spelling_in_two_schemes_makes_a_pair(spelling: str, scheme: str) -> None:
    other = term(f"{scheme}:racing", "racing", aliases={"en": [spelling]})
    assert pairs(other) == {"cause:race": (f"{scheme}:racing",)}


def test_symptoms_and_mitigations_are_no_counterparts() -> None:
    assert pairs(term("symptom:racing", "race condition")) == {}
    assert pairs(term("mitigation:racing", "race condition")) == {}


def test_one_concept_matched_exactly_makes_a_pair_and_a_near_one_does_not() -> None:
    cause = term("cause:mine", "mine", exact_match=[IRI])
    assert pairs(cause, term("factor:theirs", "theirs", exact_match=[IRI])) == {
        "cause:mine": ("factor:theirs",)
    }
    assert pairs(cause, term("factor:theirs", "theirs", close_match=[IRI])) == {}


def test_the_pairs_chosen_by_hand_are_of_the_shipped_vocabulary(vocabulary: Vocabulary) -> None:
    for cause, other in chosen_pairs():
        assert vocabulary.get(cause).scheme == "cause"
        assert vocabulary.get(other).scheme in OTHERS
    assert len(chosen_pairs()) > 20


def test_the_file_is_sorted_and_names_no_pair_twice() -> None:
    raw = json.loads(FILE.read_text(encoding="utf-8"))["pairs"]
    assert raw == sorted(raw)
    assert len({tuple(pair) for pair in raw}) == len(raw)


def test_every_chosen_pair_of_the_shipped_vocabulary_is_found(vocabulary: Vocabulary) -> None:
    found = counterparts(vocabulary)
    assert all(other in found[cause] for cause, other in chosen_pairs())
    assert {kind_of(c) for c in found} == {"cause"}
    assert all(others == tuple(sorted(others)) for others in found.values())
