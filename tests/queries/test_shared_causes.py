"""Root causes that a set of cases shares, judged by brute force; and the Wilson interval."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.graph import IncidentGraph
from kg.queries import SharedCause, shared_causes, wilson
from kg.vocab import Vocabulary
from tests.helpers import twins
from tests.helpers.strategies import QUICK, WORLDS, worlds
from tests.helpers.tiny import make_case, tiny_cases, tiny_vocabulary

VOCABULARY = tiny_vocabulary()
CASES = {c.id: c for c in tiny_cases()}
GRAPH = IncidentGraph(CASES.values(), VOCABULARY)


def shared(*ids: str, minimum: int = 2) -> list[SharedCause]:
    return shared_causes(GRAPH, VOCABULARY, ids, tuple(CASES), minimum)


@pytest.mark.parametrize(
    ("n", "of", "low", "high"),
    [
        # Newcombe 1998, Statistics in Medicine 17, 857-872, table I, method 3 (score interval).
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_published_intervals(n: int, of: int, low: float, high: float) -> None:
    assert wilson(n, of) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


@QUICK
@given(st.integers(1, 300), st.data())
def test_wilson_is_the_set_of_shares_that_the_score_test_keeps(
    of: int, data: st.DataObject
) -> None:
    n = data.draw(st.integers(0, of))
    low, high = wilson(n, of)
    assert 0 <= low <= n / of <= high <= 1
    # Both ends solve |n/of - p| = z * sqrt(p (1 - p) / of), unless cut off at 0 or 1.
    for end in (low, high):
        if 1e-9 < end < 1 - 1e-9:
            deviation = 1.959964 * math.sqrt(end * (1 - end) / of)
            assert abs(n / of - end) == pytest.approx(deviation, rel=1e-6)
    mirrored = wilson(of - n, of)
    assert (1 - mirrored[1], 1 - mirrored[0]) == (pytest.approx(low), pytest.approx(high))


def test_of_nothing_everything_is_possible() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


def test_a_cause_that_both_confirm() -> None:
    (found,) = shared("A-1", "A-2")
    assert found.cause == "cause:mismatch"
    assert (found.n, found.of, found.cases) == (2, 2, ("A-1", "A-2"))
    assert (found.share, found.library_n, found.library_of) == (1.0, 2, 6)
    assert found.lift == pytest.approx(3.0)
    assert (found.low, found.high) == wilson(2, 2)
    assert {e.case_id for e in found.evidence} == {"A-1", "A-2"}
    assert all(e.target == "cause:mismatch" and e.evidence for e in found.evidence)


def test_causes_meet_in_a_broader_one_that_covers_more() -> None:
    found = shared("A-3", "B-1", "S-1")
    assert [(c.cause, c.n) for c in found] == [("cause:hardware", 3), ("cause:gpu-fault", 2)]


def test_suspicion_is_told_and_counts_for_nothing() -> None:
    found = {c.cause: c for c in shared("A-3", "B-1", "B-2")}
    assert found["cause:gpu-fault"].suspected == ()
    assert "cause:hardware" not in found
    wide = {c.cause: c for c in shared("A-3", "S-1", "B-2")}
    assert wide["cause:hardware"].suspected == ("B-2",)
    assert wide["cause:hardware"].n == 2


def test_a_case_that_confirms_a_cause_does_not_only_suspect_it() -> None:
    told = ("cause", "cause:gpu-fault"), ("cause", "cause:link-down", "suspected")
    cases = [*CASES.values(), make_case("X-1", *told)]
    graph, ids = IncidentGraph(cases, VOCABULARY), [c.id for c in cases]
    found = {c.cause: c for c in shared_causes(graph, VOCABULARY, ["X-1", "S-1", "B-2"], ids)}
    assert found["cause:hardware"].cases == ("S-1", "X-1")
    assert found["cause:hardware"].suspected == ("B-2",)


def test_what_is_ruled_out_is_not_shared() -> None:
    assert shared("A-1", "B-2") == []


def test_cases_without_a_common_cause_share_none() -> None:
    assert shared("A-1", "A-3") == []
    assert shared("A-1") == []


def test_the_minimum_can_be_one() -> None:
    assert [c.cause for c in shared("A-1", "A-3", minimum=1)] == [
        "cause:ecc-error",
        "cause:mismatch",
    ]


def test_naming_a_case_twice_changes_nothing() -> None:
    assert shared("A-1", "A-2", "A-1") == shared("A-2", "A-1")


@WORLDS
@given(st.data())
def test_brute_force_finds_the_same_causes(data: st.DataObject) -> None:
    vocabulary, cases = data.draw(worlds())
    graph, ids = IncidentGraph(cases, vocabulary), [c.id for c in cases]
    chosen = data.draw(st.lists(st.sampled_from(ids), min_size=1, unique=True))
    minimum = data.draw(st.integers(1, 3))

    def having(cause: str, status: str, among: list[str]) -> set[str]:
        return twins.cases_with(graph, vocabulary, among, cause, ["CAUSED_BY"], [status])

    confirmed = {t.id: having(t.id, "confirmed", chosen) for t in vocabulary.of("cause")}
    told = {
        cause for cause, here in confirmed.items()
        if len(here) >= minimum
        and all(confirmed[b] != here for b in twins.below(vocabulary, cause) - {cause})
    }  # fmt: skip
    found = shared_causes(graph, vocabulary, chosen, ids, minimum)
    assert {c.cause for c in found} == told
    for c in found:
        here, everywhere = confirmed[c.cause], having(c.cause, "confirmed", ids)
        assert c.cases == tuple(sorted(here))
        assert (c.n, c.of, c.library_n, c.library_of) == (
            len(here),
            len(chosen),
            len(everywhere),
            len(ids),
        )
        assert set(c.suspected) == having(c.cause, "suspected", chosen) - here
        assert c.lift == pytest.approx((c.n / c.of) / (c.library_n / c.library_of))
        assert {e.case_id for e in c.evidence} == here
    keys = [(-c.lift, -c.n) for c in found]
    assert keys == sorted(keys)


@WORLDS
@given(st.data())
def test_the_order_of_ids_does_not_matter(data: st.DataObject) -> None:
    vocabulary, cases = data.draw(worlds(least=2))
    graph, ids = IncidentGraph(cases, vocabulary), [c.id for c in cases]
    shuffled = data.draw(st.permutations(ids))
    assert shared_causes(graph, vocabulary, ids, ids) == shared_causes(
        graph, vocabulary, shuffled, ids
    )


def test_cases_can_be_compared_across_a_vocabulary_without_hierarchy() -> None:
    flat = Vocabulary(
        s.model_copy(update={"terms": tuple(t.model_copy(update={"broader": ()}) for t in s.terms)})
        for s in VOCABULARY.schemes.values()
    )
    found = shared_causes(IncidentGraph(CASES.values(), flat), flat, list(CASES), list(CASES))
    assert [c.cause for c in found] == ["cause:mismatch"]
