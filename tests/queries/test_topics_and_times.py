"""Topics and vocabulary entries, and the statistics of times."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.graph import IncidentGraph
from kg.model import Case
from kg.queries import time_statistics
from kg.queries.filters import RELATIONS_OF_FACET
from kg.queries.listing import facet_counts, sort_ids
from kg.queries.times import FLOOR
from kg.queries.topic import entries, make_entry, make_topic
from kg.vocab import Vocabulary
from tests.helpers import twins
from tests.helpers.strategies import QUICK, WORLDS, worlds
from tests.helpers.tiny import make_case, tiny_cases, tiny_vocabulary
from tests.helpers.tiny import term as make_term

VOCABULARY = tiny_vocabulary()
CASES = {c.id: c for c in tiny_cases()}
GRAPH = IncidentGraph(CASES.values(), VOCABULARY)


def test_an_entry_offers_a_term_for_filtering() -> None:
    entry = make_entry(GRAPH, VOCABULARY.get("symptom:nccl-timeout"), "ko")
    assert entry.labels == {"en": "NCCL timeout", "ko": "NCCL 타임아웃"}
    assert entry.aliases == ("watchdog timeout", "ncclTimeout")
    assert (entry.scheme, entry.broader) == ("symptom", ("symptom:failure",))
    assert (entry.count, entry.cases) == (3, ("A-1", "A-2", "B-2"))
    assert entry.definition == "What NCCL timeout means."


def test_an_entry_counts_narrower_terms_and_not_what_is_ruled_out() -> None:
    assert make_entry(GRAPH, VOCABULARY.get("cause:hardware"), "en").cases == (
        "A-3",
        "B-1",
        "B-2",
        "S-1",
    )
    assert make_entry(GRAPH, VOCABULARY.get("cause:mismatch"), "en").cases == ("A-1", "A-2")


def test_a_term_that_only_checks_a_case_is_told_apart() -> None:
    case = make_case("X-1", ("check", "component:nccl"))
    entry = make_entry(IncidentGraph([case], VOCABULARY), VOCABULARY.get("component:nccl"), "en")
    assert (entry.count, entry.cases, entry.checked) == (0, (), ("X-1",))


def test_an_entry_and_a_topic_carry_matches_with_other_vocabularies() -> None:
    cwe, kos = "https://cwe.mitre.org/data/definitions/833.html", "https://w3id.org/noria/kos/x"
    matched = tiny_vocabulary(make_term("cause:z", "z", exact_match=[kos], close_match=[cwe]))
    graph = IncidentGraph([], matched)
    entry = make_entry(graph, matched.get("cause:z"), "ko")
    assert (entry.exact_match, entry.close_match) == ((kos,), (cwe,))
    assert make_topic(graph, matched, {}, matched.get("cause:z"), "en").entry.exact_match == (kos,)
    assert make_entry(graph, matched.get("cause:race"), "en").close_match == ()


def test_entries_are_sorted_by_count_then_id() -> None:
    found = entries(GRAPH, VOCABULARY.of("cause"), "en")
    keys = [(-e.count, e.id) for e in found]
    assert keys == sorted(keys)
    assert found[0].id == "cause:hardware"


@WORLDS
@given(worlds())
def test_an_entry_counts_what_a_filter_finds(world: tuple[Vocabulary, list[Case]]) -> None:
    vocabulary, cases = world
    graph, ids = IncidentGraph(cases, vocabulary), [c.id for c in cases]
    for term in vocabulary.terms.values():
        entry = make_entry(graph, term, "en")
        relations = RELATIONS_OF_FACET[term.scheme]
        assert set(entry.cases) == twins.cases_with(graph, vocabulary, ids, term.id, relations)
        assert entry.count == len(entry.cases)


def test_a_topic_lists_cases_by_status_newest_first() -> None:
    topic = make_topic(GRAPH, VOCABULARY, CASES, VOCABULARY.get("cause:hardware"), "en")
    assert topic.cases == {
        "confirmed": ("S-1", "B-1", "A-3"), "suspected": ("B-2",), "ruled_out": (),
    }  # fmt: skip
    assert topic.narrower == ("cause:gpu-fault", "cause:link-down")
    mismatch = make_topic(GRAPH, VOCABULARY, CASES, VOCABULARY.get("cause:mismatch"), "en")
    assert mismatch.cases["ruled_out"] == ("B-2",)


def test_a_topic_tells_what_comes_together_but_not_itself() -> None:
    topic = make_topic(GRAPH, VOCABULARY, CASES, VOCABULARY.get("symptom:failure"), "en")
    assert dict(topic.together["component"])["component:nccl"] == 2
    assert topic.together["symptom"] == ()
    short = make_topic(GRAPH, VOCABULARY, CASES, VOCABULARY.get("symptom:failure"), "en", top=1)
    assert all(len(pairs) <= 1 for pairs in short.together.values())


@WORLDS
@given(worlds())
def test_topics_agree_with_brute_force(world: tuple[Vocabulary, list[Case]]) -> None:
    vocabulary, cases = world
    graph, by_id = IncidentGraph(cases, vocabulary), {c.id: c for c in cases}
    for term in vocabulary.of("cause"):
        topic = make_topic(graph, vocabulary, by_id, term, "en", top=99)
        kin = {*twins.below(vocabulary, term.id), *twins.above(vocabulary, term.id)}
        for status, ids in topic.cases.items():
            judge = twins.cases_with(graph, vocabulary, by_id, term.id, ["CAUSED_BY"], [status])
            assert ids == tuple(sort_ids(by_id, sorted(judge), "recent"))
        company = facet_counts(graph, vocabulary, topic.entry.cases)
        assert dict(topic.together["cause"]) == {t: n for t, n in company["cause"] if t not in kin}


def timed(*seconds: float | None, kind: str = "incident") -> list[Case]:
    return [
        make_case(f"T-{kind}-{i}", kind=kind, time_to_recover=None if s is None else {"seconds": s})
        for i, s in enumerate(seconds)
    ]


def test_no_quantile_is_given_below_the_floor() -> None:
    _, few = time_statistics(timed(*[60.0] * (FLOOR - 1)))
    assert (few.n, few.p25, few.median, few.p75) == (FLOOR - 1, None, None, None)
    _, enough = time_statistics(timed(*[60.0] * FLOOR))
    assert (enough.n, enough.p25, enough.median, enough.p75) == (FLOOR, 60, 60, 60)


def test_two_values_are_too_few_for_a_median_and_three_are_enough() -> None:
    assert time_statistics(timed(1, 2))[1].median is None
    assert time_statistics(timed(1, 2, 9))[1].median == 2


def test_studies_and_series_never_enter() -> None:
    cases = timed(1, 2, 3) + timed(10**6, kind="study") + timed(10**6, kind="series")
    _, recover = time_statistics(cases)
    assert (recover.incidents, recover.n, recover.median) == (3, 3, 2)


def test_what_is_not_stated_is_counted_as_unknown() -> None:
    detect, recover = time_statistics(timed(1, None, 3, None))
    assert (recover.measure, recover.incidents, recover.n, recover.unknown_share) == (
        "time_to_recover",
        4,
        2,
        0.5,
    )
    assert (detect.measure, detect.n, detect.unknown_share) == ("time_to_detect", 0, 1.0)


def test_of_no_incident_nothing_is_known() -> None:
    detect, _ = time_statistics([])
    assert (detect.incidents, detect.n, detect.unknown_share, detect.median) == (0, 0, None, None)


def test_zero_is_a_time() -> None:
    _, recover = time_statistics(timed(0, 0, 0))
    assert (recover.n, recover.median) == (3, 0)


@QUICK
@given(st.lists(st.integers(0, 10**6), min_size=FLOOR, max_size=12))
def test_quantiles_are_those_of_numpy_and_of_the_formula(seconds: list[int]) -> None:
    _, found = time_statistics(timed(*seconds))
    for value, share in ((found.p25, 0.25), (found.median, 0.5), (found.p75, 0.75)):
        assert value == pytest.approx(float(np.percentile(seconds, share * 100)))
        assert value == pytest.approx(twins.quantile(seconds, share))
