"""Which cases a filter means, judged by plain networkx; and filters that survive a URL."""

from __future__ import annotations

from datetime import date
from typing import Any
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import AmbiguousTerm, BadQuery, TermNotFound
from kg.graph import IncidentGraph
from kg.queries import FACETS, Filter, filter_from_url, make_filter, matching
from kg.queries.filters import PLAIN_FACETS, RELATIONS_OF_FACET
from kg.vocab import SCHEMES, Vocabulary
from tests.helpers import twins
from tests.helpers.strategies import WORLDS, worlds
from tests.helpers.tiny import make_case, term, tiny_cases, tiny_vocabulary

VOCABULARY = tiny_vocabulary()
CASES = {c.id: c for c in tiny_cases()}
GRAPH = IncidentGraph(CASES.values(), VOCABULARY)


def found(**facets: Any) -> list[str]:
    return matching(GRAPH, VOCABULARY, CASES, make_filter(VOCABULARY, facets))


@pytest.mark.parametrize(
    ("facets", "ids"),
    [
        ({}, ["A-1", "A-2", "A-3", "B-1", "B-2", "S-1"]),
        ({"cause": "mismatch"}, ["A-1", "A-2"]),
        ({"cause": "cause:mismatch"}, ["A-1", "A-2"]),
        ({"cause": "집합 통신 어긋남"}, ["A-1", "A-2"]),
        ({"cause": "race"}, ["A-2"]),
        ({"cause": "hardware"}, ["A-3", "B-1", "B-2", "S-1"]),
        ({"cause": ["hardware", "link-down"]}, ["B-2", "S-1"]),
        ({"symptom": "NCCL timeout", "component": "pytorch"}, ["A-2"]),
        ({"component": "gpu"}, ["A-3", "B-1", "S-1"]),
        ({"mitigation": "replace"}, ["B-2"]),
        ({"organization": "Alpha Labs"}, ["A-1", "A-2"]),
        ({"tool": "flight recorder"}, ["B-1"]),
        ({"trigger": "node-loss"}, []),
        ({"kind": "study"}, ["S-1"]),
        ({"severity": "SEV1"}, ["A-1"]),
        ({"severity": "sev1"}, []),
        ({"domain": "web"}, []),
        ({"since": "2024-05-01"}, ["A-2", "B-1", "S-1"]),
        ({"before": "2024-05-01"}, ["A-1", "A-3"]),
        ({"since": "2024-03-01", "before": "2024-05-02", "cause": None}, ["A-1", "A-2"]),
    ],
)
def test_readable_examples(facets: dict[str, Any], ids: list[str]) -> None:
    assert found(**facets) == ids


def test_a_check_is_no_property_of_a_case() -> None:
    case = make_case("X-1", ("check", "tool:exposure"), ("check", "component:nccl"))
    graph = IncidentGraph([case], VOCABULARY)
    for facet, value in (("tool", "exposure"), ("component", "nccl")):
        wanted = make_filter(VOCABULARY, {facet: value})
        assert matching(graph, VOCABULARY, {"X-1": case}, wanted) == []


def test_a_vendor_counts_as_an_organization() -> None:
    case = make_case("X-1", ("organization", "organization:beta", "confirmed", "vendor"))
    wanted = make_filter(VOCABULARY, {"organization": "beta"})
    assert matching(IncidentGraph([case], VOCABULARY), VOCABULARY, {"X-1": case}, wanted) == ["X-1"]


@pytest.mark.parametrize(
    ("facets", "error"),
    [
        ({"colour": "red"}, BadQuery),
        ({"status": "confirmed"}, BadQuery),
        ({"kind": "accident"}, BadQuery),
        ({"since": "yesterday"}, BadQuery),
        ({"before": "2024-13-01"}, BadQuery),
        ({"since": "2024"}, BadQuery),
        ({"cause": "rase"}, TermNotFound),
        ({"cause": "symptom:slow"}, TermNotFound),
        ({"component": ["nccl", "A1000"]}, TermNotFound),
        ({"cause": "'; DROP TABLE cases; --"}, TermNotFound),
    ],
)
def test_what_cannot_be_asked_is_told(facets: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        make_filter(VOCABULARY, facets)


def test_a_spelling_of_two_terms_of_one_scheme_is_ambiguous() -> None:
    twice = tiny_vocabulary(term("cause:link", "link-down"))
    with pytest.raises(AmbiguousTerm):
        make_filter(twice, {"cause": "link down"})


def test_an_unknown_facet_is_told_with_those_that_exist() -> None:
    with pytest.raises(BadQuery) as caught:
        make_filter(VOCABULARY, {"causes": "race"})
    assert all(name in str(caught.value) for name in FACETS)


def test_values_are_put_in_order_and_once() -> None:
    one = make_filter(VOCABULARY, {"cause": ["race", "ecc-error", "cause:race", "ECC error"]})
    assert one.terms == {"cause": ("cause:ecc-error", "cause:race")}
    assert one == make_filter(VOCABULARY, {"cause": ["ecc-error", "race"]})


def test_none_and_empty_lists_filter_nothing() -> None:
    assert make_filter(VOCABULARY, {"cause": None, "symptom": [], "kind": None}) == Filter()
    assert Filter().to_url() == ""
    assert Filter().chips() == ()


def test_a_url_is_readable() -> None:
    wanted = make_filter(
        VOCABULARY,
        {"symptom": "NCCL timeout", "cause": ["race", "mismatch"], "since": "2024-01-02"},
    )
    assert wanted.to_url() == "cause=mismatch&cause=race&symptom=nccl-timeout&since=2024-01-02"
    assert wanted.chips() == tuple(parse_qsl(wanted.to_url()))


def test_facets_as_plain_values_make_the_filter_again() -> None:
    wanted = make_filter(VOCABULARY, {"cause": ["race"], "kind": "study", "severity": "SEV1"})
    assert wanted.facets() == {"cause": ["cause:race"], "kind": "study", "severity": "SEV1"}
    assert make_filter(VOCABULARY, wanted.facets()) == wanted


def test_a_chip_can_be_taken_away() -> None:
    wanted = make_filter(
        VOCABULARY, {"cause": ["race", "mismatch"], "symptom": "slow", "kind": "study"}
    )
    for facet, value in wanted.chips():
        left = wanted.without(facet, value)
        assert set(left.chips()) == set(wanted.chips()) - {(facet, value)}
    assert wanted.without("cause").terms == {"symptom": ("symptom:slow",)}
    assert wanted.without("cause", "cause:race").terms["cause"] == ("cause:mismatch",)
    assert wanted.without("tool") == wanted


@st.composite
def filters(draw: st.DrawFn, vocabulary: Vocabulary) -> Filter:
    facets: dict[str, Any] = {}
    for scheme in draw(st.sets(st.sampled_from(SCHEMES), max_size=3)):
        ids = [t.id for t in vocabulary.of(scheme)]
        facets[scheme] = draw(st.lists(st.sampled_from(ids), min_size=1, max_size=2))
    plain = {
        "kind": st.sampled_from(["incident", "series", "study"]),
        "domain": st.sampled_from(["ai-infra", "web", "a b&c"]),
        "severity": st.sampled_from(["SEV1", "a & b=c", "낮음", "+ %20"]),
        "since": st.sampled_from(["2019-01-01", "2022-03-01"]),
        "before": st.dates().map(date.isoformat),
    }
    for name in draw(st.sets(st.sampled_from(PLAIN_FACETS), max_size=2)):
        facets[name] = draw(plain[name])
    return make_filter(vocabulary, facets)


@WORLDS
@given(st.data())
def test_a_filter_survives_its_url(data: st.DataObject) -> None:
    vocabulary, _ = data.draw(worlds(most=1))
    wanted = data.draw(filters(vocabulary))
    assert filter_from_url(vocabulary, wanted.to_url()) == wanted


@WORLDS
@given(st.data())
def test_the_matching_cases_are_those_that_networkx_finds(data: st.DataObject) -> None:
    vocabulary, cases = data.draw(worlds())
    graph, by_id = IncidentGraph(cases, vocabulary), {c.id: c for c in cases}
    wanted = data.draw(filters(vocabulary))
    judge = set(by_id)
    for scheme, terms in wanted.terms.items():
        for t in terms:
            judge &= twins.cases_with(graph, vocabulary, by_id, t, RELATIONS_OF_FACET[scheme])
    for name in ("kind", "domain", "severity"):
        if (value := getattr(wanted, name)) is not None:
            judge = {i for i in judge if getattr(by_id[i], name) == value}
    if wanted.since:
        judge = {i for i in judge if by_id[i].dates and str(by_id[i].sort_date()) >= wanted.since}
    if wanted.before:
        judge = {i for i in judge if by_id[i].dates and str(by_id[i].sort_date()) < wanted.before}
    assert matching(graph, vocabulary, by_id, wanted) == sorted(judge)


def test_every_scheme_is_a_facet_with_relations() -> None:
    assert set(RELATIONS_OF_FACET) == set(SCHEMES)
    assert set(FACETS) == {*SCHEMES, *PLAIN_FACETS}


def test_an_unknown_name_in_a_url_is_told() -> None:
    with pytest.raises(BadQuery):
        filter_from_url(VOCABULARY, "page=2")


@pytest.mark.parametrize("name", ["severity", "domain", "kind", "since"])
def test_a_blank_value_is_refused_rather_than_lost_in_the_url(name: str) -> None:
    with pytest.raises(BadQuery, match="blank"):
        make_filter(tiny_vocabulary(), {name: " "})
