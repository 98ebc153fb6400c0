"""Lists: order, pages, cards, facet counts, top components, groups and the graph of a result."""

from __future__ import annotations

from collections import Counter
from datetime import date
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import BadQuery
from kg.graph import IncidentGraph
from kg.model import Case
from kg.queries import Filter, Page
from kg.queries.filters import RELATIONS_OF_FACET
from kg.queries.listing import (
    CARD_FIELDS,
    coverage,
    facet_counts,
    group_by_cause,
    make_card,
    make_page,
    result_graph,
    software_of,
    sort_ids,
    top_components,
    untagged_gaps,
)
from kg.vocab import Vocabulary
from tests.helpers import twins
from tests.helpers.strategies import WORLDS, worlds
from tests.helpers.tiny import make_case, scheme, term, tiny_cases, tiny_vocabulary

VOCABULARY = tiny_vocabulary()
CASES = {c.id: c for c in tiny_cases()}
GRAPH = IncidentGraph(CASES.values(), VOCABULARY)


def page(ids: list[str] | None = None, **changes: Any) -> Page:
    options = {"sort": "recent", "offset": 0, "limit": 50, "lang": "en", **changes}
    return make_page(GRAPH, VOCABULARY, CASES, ids or sorted(CASES), Filter(), **options)


def test_newest_first_and_undated_last() -> None:
    assert page().ids == ("S-1", "B-1", "A-2", "A-1", "A-3", "B-2")


def test_oldest_first_keeps_the_undated_last() -> None:
    assert page(sort="oldest").ids == ("A-3", "A-1", "A-2", "B-1", "S-1", "B-2")


def test_by_id() -> None:
    assert page(sort="id").ids == tuple(sorted(CASES))


def test_cases_of_one_day_are_in_order_of_their_ids() -> None:
    cases = {i: make_case(i, published="2024-01-01") for i in ("b", "a", "c")}
    for order in permutations(cases):
        for sort in ("recent", "oldest"):
            assert sort_ids(cases, order, sort) == ["a", "b", "c"]


@WORLDS
@given(worlds(), st.sampled_from(["recent", "oldest"]))
def test_order_is_by_day(world: tuple[Vocabulary, list[Case]], sort: str) -> None:
    by_id = {c.id: c for c in world[1]}
    ordered = sort_ids(by_id, list(by_id), sort)
    assert sorted(ordered) == sorted(by_id)
    dated = [by_id[i].sort_date() for i in ordered if by_id[i].dates]
    assert dated == sorted(dated, reverse=sort == "recent")
    assert [by_id[i].sort_date() == date.min for i in ordered] == sorted(
        by_id[i].sort_date() == date.min for i in ordered
    )


@pytest.mark.parametrize(
    ("offset", "limit", "start", "end", "count"),
    [
        (0, 50, 1, 6, 6),
        (0, 2, 1, 2, 2),
        (4, 2, 5, 6, 2),
        (5, 9, 6, 6, 1),
        (6, 2, 0, 6, 0),
        (99, 1, 0, 99, 0),
    ],
)
def test_pages(offset: int, limit: int, start: int, end: int, count: int) -> None:
    found = page(offset=offset, limit=limit)
    assert found.total == 6
    assert len(found.items) == count
    assert found.start == start
    if count:
        assert found.end == end


@pytest.mark.parametrize("offset", [6, 7, 10**9])
def test_a_page_beyond_the_end_is_empty_and_still_counts(offset: int) -> None:
    found = page(offset=offset)
    assert (found.total, found.start, found.end, found.items) == (6, 0, 0, ())
    assert found.facets == page().facets


def test_pages_together_are_the_list() -> None:
    pages = [page(offset=o, limit=2).ids for o in range(0, 6, 2)]
    assert sum(pages, ()) == page().ids


@pytest.mark.parametrize("bad", [{"sort": "best"}, {"offset": -1}, {"limit": 0}, {"limit": -5}])
def test_a_range_or_sort_that_cannot_be_is_told(bad: dict[str, Any]) -> None:
    with pytest.raises(BadQuery):
        page(**bad)


def test_a_list_says_that_it_is_no_search() -> None:
    assert page().query is None
    assert "newest first" in page().notice
    assert "oldest first" in page(sort="oldest").notice
    assert "최근" in page(lang="ko").notice


def test_a_card_has_all_nine_fields_and_tells_what_is_not_stated() -> None:
    card = make_card(GRAPH, CASES["A-1"], "en")
    assert tuple(card.fields) == CARD_FIELDS
    assert len(CARD_FIELDS) == 9
    states = {name: field.state for name, field in card.fields.items()}
    assert states == {
        "symptom": "stated", "trigger": "stated", "cause": "stated", "component": "stated",
        "factor": "not_stated", "detection": "not_stated", "mitigation": "stated",
        "follow_up": "not_stated", "lesson": "not_stated",
    }  # fmt: skip
    assert card.fields["component"].terms == ("component:nccl",)
    assert card.fields["symptom"].text == ("Fact 1 is symptom:nccl-timeout.",)


def test_a_card_tells_stated_as_none_from_not_stated() -> None:
    card = make_card(GRAPH, make_case("X-1", lesson=[], trigger=None), "en")
    assert card.fields["lesson"].state == "none"
    assert card.fields["trigger"].state == "not_stated"


def test_a_card_speaks_the_language_asked_for_or_what_there_is() -> None:
    case = make_case("X-1", lesson={"de": ["Lehre"]}, symptom={"en": "seen"})
    card = make_card(GRAPH, case, "ko")
    assert card.title == "X-1의 제목"
    assert card.fields["symptom"].text == ("seen",)
    assert card.fields["lesson"].text == ("Lehre",)


def test_what_is_ruled_out_is_not_on_the_card() -> None:
    assert make_card(GRAPH, CASES["B-2"], "en").fields["cause"].terms == ("cause:link-down",)


def test_a_card_dates_a_case_by_publication_then_start() -> None:
    assert make_card(GRAPH, CASES["A-2"], "en").date == "2024-05"
    assert make_card(GRAPH, CASES["A-2"], "en").year == 2024
    none = make_card(GRAPH, CASES["B-2"], "en")
    assert (none.year, none.date, none.date_kind) == (None, None, None)
    started = make_case(
        "X-1", dates=[{"kind": "detected", "at": "2020"}, {"kind": "started", "at": "2019"}]
    )
    assert make_card(GRAPH, started, "en").date_kind == "started"


def test_owners_come_before_others() -> None:
    case = make_case(
        "X-1", ("organization", "organization:beta", "confirmed", "researcher"),
        ("organization", "organization:alpha", "confirmed", "owner"),
    )  # fmt: skip
    graph = IncidentGraph([case], VOCABULARY)
    assert make_card(graph, case, "en").organizations == ("organization:alpha",)
    only = make_case("X-2", ("organization", "organization:beta", "confirmed", "researcher"))
    assert make_card(IncidentGraph([only], VOCABULARY), only, "en").organizations == (
        "organization:beta",
    )


def test_the_top_components_are_software_and_ties_go_by_id() -> None:
    assert top_components(GRAPH, VOCABULARY, sorted(CASES)) == (
        ("component:nccl", 2), ("component:pytorch", 1),
    )  # fmt: skip
    assert top_components(GRAPH, VOCABULARY, ["A-2"], 1) == (("component:nccl", 1),)
    assert top_components(GRAPH, VOCABULARY, ["B-1", "S-1"]) == ()
    assert top_components(GRAPH, VOCABULARY, []) == ()


def test_only_confirmed_software_is_worth_a_check() -> None:
    case = make_case(
        "X-1", ("component", "component:pytorch", "suspected"), ("component", "component:nccl"),
        ("component", "component:gpu"), ("component", "component:nccl", "confirmed", "changed"),
    )  # fmt: skip
    assert software_of(IncidentGraph([case], VOCABULARY), VOCABULARY, "X-1") == ["component:nccl"]


@WORLDS
@given(worlds())
def test_facet_counts_are_those_of_brute_force(world: tuple[Vocabulary, list[Case]]) -> None:
    vocabulary, cases = world
    graph, ids = IncidentGraph(cases, vocabulary), [c.id for c in cases]
    counts = facet_counts(graph, vocabulary, ids)
    assert set(counts) == set(RELATIONS_OF_FACET)
    for facet, pairs in counts.items():
        judge = {
            t.id: len(twins.cases_with(graph, vocabulary, ids, t.id, RELATIONS_OF_FACET[facet]))
            for t in vocabulary.of(facet)
        }
        assert dict(pairs) == {t: n for t, n in judge.items() if n}
        assert list(pairs) == sorted(pairs, key=lambda p: (-p[1], p[0]))


def groups(every_cause: bool = False, lang: str = "en") -> list[tuple[str, list[str]]]:
    made = group_by_cause(
        GRAPH, VOCABULARY, CASES, sorted(CASES), every_cause=every_cause, lang=lang
    )
    assert all(g.count == len(g.members) for g in made)
    return [(g.cause, [m.id for m in g.members]) for g in made]


def test_groups_are_most_general_causes_largest_first_newest_first() -> None:
    assert groups() == [
        ("cause:hardware", ["S-1", "B-1", "A-3"]),
        ("cause:software", ["A-2", "A-1"]),
    ]


def test_members_name_organization_and_year() -> None:
    made = group_by_cause(GRAPH, VOCABULARY, CASES, ["A-3"], every_cause=False, lang="ko")
    (member,) = made[0].members
    assert (member.organization, member.year, member.title) == ("베타 클라우드", 2023, "A-3의 제목")


def test_a_case_of_two_causes_counts_once_unless_every_cause_is_asked_for() -> None:
    case = make_case(
        "X-1",
        ("cause", "cause:race", "confirmed", "secondary"),
        ("cause", "cause:link-down", "confirmed", "primary"),
    )
    graph = IncidentGraph([case], VOCABULARY)

    def causes(every: bool) -> list[str]:
        made = group_by_cause(
            graph, VOCABULARY, {"X-1": case}, ["X-1"], every_cause=every, lang="en"
        )
        return [g.cause for g in made]

    assert causes(every=False) == ["cause:hardware"]
    assert causes(every=True) == ["cause:hardware", "cause:software"]


def test_a_cause_below_two_general_terms_counts_once_under_the_first() -> None:
    terms = (term("cause:x", "x"), term("cause:y", "y"), term("cause:z", "z", broader=["y", "x"]))
    vocabulary = Vocabulary([scheme("cause", *terms)])
    case = make_case("X-1", ("cause", "cause:z"))
    graph = IncidentGraph([case], vocabulary)
    for every in (False, True):
        made = group_by_cause(
            graph, vocabulary, {"X-1": case}, ["X-1"], every_cause=every, lang="en"
        )
        assert [g.cause for g in made] == ["cause:y"]


@WORLDS
@given(worlds())
def test_group_counts_add_up_to_the_cases_with_a_cause(
    world: tuple[Vocabulary, list[Case]],
) -> None:
    vocabulary, cases = world
    graph, by_id = IncidentGraph(cases, vocabulary), {c.id: c for c in cases}
    caused = [
        c.id for c in cases if any(k.kind == "cause" and k.status == "confirmed" for k in c.claims)
    ]
    made = group_by_cause(graph, vocabulary, by_id, sorted(by_id), every_cause=False, lang="en")
    assert sorted(m.id for g in made for m in g.members) == caused
    for group in made:
        assert not vocabulary.terms[group.cause].broader
    every = group_by_cause(graph, vocabulary, by_id, sorted(by_id), every_cause=True, lang="en")
    for group in every:
        judge = {
            i for i in by_id for target, data in twins.edges_out(graph, i)
            if data["relation"] == "CAUSED_BY" and data["status"] == "confirmed"
            and vocabulary.top(target) == group.cause
        }  # fmt: skip
        assert {m.id for m in group.members} == judge


def test_the_graph_of_a_result_has_five_kinds_and_marks_what_is_ruled_out() -> None:
    found = result_graph(GRAPH, ["B-2", "A-1"])
    assert found.nodes["case"] == ("case:A-1", "case:B-2")
    assert found.nodes["cause"] == ("cause:link-down", "cause:mismatch")
    assert found.nodes["component"] == ("component:nccl",)
    assert ("case:B-2", "cause:mismatch", "ruled_out") in {
        (e.source, e.target, str(e.status)) for e in found.edges
    }
    assert {e.source for e in found.edges} == set(found.nodes["case"])
    assert not any(e.target.startswith(("trigger:", "tool:", "mitigation:")) for e in found.edges)


@WORLDS
@given(worlds())
def test_the_graph_of_a_result_is_the_subgraph_of_networkx(
    world: tuple[Vocabulary, list[Case]],
) -> None:
    vocabulary, cases = world
    graph = IncidentGraph(cases, vocabulary)
    ids = [c.id for c in cases][:2]
    found = result_graph(graph, ids)
    judge = {
        (f"case:{i}", target, data["claim_id"])
        for i in ids for target, data in twins.edges_out(graph, i)
        if target.partition(":")[0] in ("cause", "component", "symptom", "factor")
        and data["relation"] != "CHECKED_BY"
    }  # fmt: skip
    assert {(e.source, e.target, e.claim_id) for e in found.edges} == judge
    for kind, nodes in found.nodes.items():
        assert set(nodes) == {t for _, t, _ in judge if t.startswith(f"{kind}:")} or kind == "case"


def test_saved_lists_and_terms_are_compared_both_ways() -> None:
    listed = {"cause:mismatch": ["A-1", "A-3"], "symptom:slow": ["B-1"]}
    assert untagged_gaps(GRAPH, listed) == [("cause:mismatch", "A-2"), ("cause:mismatch", "A-3")]


@WORLDS
@given(worlds())
def test_coverage_counts_every_case_once_for_each_field(
    world: tuple[Vocabulary, list[Case]],
) -> None:
    for field, tally in coverage(world[1]).items():
        values = Counter(str(c.field_state(field)) for c in world[1])
        assert {s: n for s, n in tally.items() if n} == dict(values)
        assert set(tally) == {"stated", "none", "not_stated"}
