"""Rows of cases and sightings: their product is the likeness of meaning and of terms."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pytest

from kg.graph import IncidentGraph
from kg.graph.compact import rarity_of
from kg.rca.rows import TERM_SHARE, Rows, seen_terms
from kg.rca.sighting import Sighting
from tests.helpers.tiny import tiny_cases, tiny_vocabulary
from tests.helpers.twins import above

VOCABULARY = tiny_vocabulary()
CASES = ("A-1", "A-2", "A-3")
VECTORS = {
    "A-1": np.array([1.0, 0.0, 0.0], np.float32),
    "A-2": np.array([0.6, 0.8, 0.0], np.float32),
}
TERMS = {
    "A-1": {"symptom:nccl-timeout": 1.0, "component:h100": 1.0},
    "A-2": {"symptom:failure": 1.0, "component:a100": 0.5},
    "A-3": {"told elsewhere": 1.0, "component:gpu": 1.0},
}


@pytest.fixture(scope="module")
def rows() -> Rows:
    return Rows(VOCABULARY, CASES, VECTORS, TERMS)


def weighted(terms: Mapping[str, float]) -> dict[str, float]:
    """The slow twin: terms and those above them, half a step up, by rarity over `CASES`."""

    def widened(told: Mapping[str, float]) -> dict[str, float]:
        found: dict[str, float] = {}
        for name, weight in told.items():
            steps = above(VOCABULARY, name) if name in VOCABULARY.terms else {name: 0}
            for term, count in steps.items():
                found[term] = max(found.get(term, 0.0), weight * 0.5**count)
        return found

    everywhere = [widened(TERMS[c]) for c in CASES]
    known = {t for row in everywhere for t in row}
    rarity = {t: rarity_of(sum(t in row for row in everywhere), len(CASES)) for t in known}
    return {t: w * rarity[t] for t, w in widened(terms).items() if t in known}


def cosine(a: Mapping[str, float], b: Mapping[str, float]) -> float:
    lengths = [math.sqrt(sum(v * v for v in x.values())) for x in (a, b)]
    dot = sum(v * b.get(t, 0.0) for t, v in a.items())
    return dot / (lengths[0] * lengths[1]) if all(lengths) else 0.0


@pytest.mark.parametrize(
    "terms",
    [
        {},
        {"symptom:nccl-timeout": 0.8},
        {"component:a100": 1.0, "symptom:slow": 1.0},
        {"told elsewhere": 0.4, "component:h100": 0.9, "never told": 1.0},
    ],
)
def test_the_product_is_the_cosine_of_meaning_and_a_share_of_that_of_terms(
    rows: Rows, terms: dict[str, float]
) -> None:
    text = np.array([0.0, 0.6, 0.8], np.float32)
    found = rows.cases @ rows.of(Sighting(terms=terms, vector=text))
    for case_id, value in zip(CASES, found, strict=True):
        meaning = float(VECTORS[case_id] @ text) if case_id in VECTORS else 0.0
        alike = cosine(weighted(terms), weighted(TERMS[case_id]))
        assert value == pytest.approx(meaning + TERM_SHARE * alike, abs=1e-6)


def test_a_vector_of_any_length_counts_by_its_direction(rows: Rows) -> None:
    one = rows.of(Sighting(vector=np.array([0.0, 3.0, 4.0], np.float32)))
    other = rows.of(Sighting(vector=np.array([0.0, 0.6, 0.8], np.float32)))
    assert one == pytest.approx(other, abs=1e-6)


def test_what_the_user_rules_out_is_not_seen_nor_what_lies_below(rows: Rows) -> None:
    terms = {"component:h100": 1.0, "symptom:nccl-timeout": 1.0}
    left = rows.of(Sighting(terms=terms, ruled_out=frozenset({"component:gpu", "no term"})))
    assert left == pytest.approx(rows.of(Sighting(terms={"symptom:nccl-timeout": 1.0})))


def test_terms_that_no_case_has_change_nothing(rows: Rows) -> None:
    with_more = rows.of(Sighting(terms={"component:h100": 1.0, "trigger:upgrade": 1.0}))
    assert with_more == pytest.approx(rows.of(Sighting(terms={"component:h100": 1.0})))


def test_a_sighting_of_nothing_is_a_row_of_zeros(rows: Rows) -> None:
    assert not rows.of(Sighting()).any()


def test_a_vector_of_another_length_is_not_looked_at(rows: Rows) -> None:
    assert not rows.of(Sighting(vector=np.ones(5, np.float32))).any()


def test_cases_without_anything_have_rows_of_zeros() -> None:
    rows = Rows(VOCABULARY, ("X", "Y"), {}, {})
    assert rows.cases.shape == (2, 0)
    assert rows.of(Sighting(terms={"symptom:slow": 1.0})).shape == (0,)


def test_what_may_be_seen_before_the_cause_is_known_comes_from_the_graph() -> None:
    graph = IncidentGraph(tiny_cases(), VOCABULARY)
    assert seen_terms(graph, ["A-1", "B-2"]) == {
        "A-1": {"symptom:nccl-timeout": 1.0, "component:nccl": 1.0, "trigger:upgrade": 1.0},
        "B-2": {"symptom:nccl-timeout": 1.0},
    }
